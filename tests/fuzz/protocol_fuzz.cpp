// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_conversation.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    // A worker that says anything, line by line, and then ends somehow.
    RunConversation talk;
    std::string_view rest = fuzz::textOf(data, size);
    while (!rest.empty()) {
        const std::size_t end = rest.find(10); // a line feed
        (void)talk.hear(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    const RunOutcome outcome = talk.finish({static_cast<int>(size % 12), static_cast<int>(size % 3 == 0 ? 9 : 0)});
    if (outcome.report.has_value() == outcome.failure.has_value())
        fuzz::broken("a run ends with a report or a failure, and with one of them", "");
    return 0;
}
