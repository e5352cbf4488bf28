// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/run/gpu_answer.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    // What a worker somewhere answers when it is asked for GPUs.
    const auto read = [](std::string_view text) -> Result<GpuAnswer> {
        const Result<nlohmann::json> document = parseJson(text, "remat-worker");
        if (!document)
            return document.error();
        const JsonCursor root(*document, "remat-worker");
        GpuAnswer answer = readGpuAnswer(root);
        if (root.failed())
            return root.error();
        return answer;
    };
    const std::string_view text = fuzz::textOf(data, size);
    if (const Result<GpuAnswer> answer = read(text);
        answer && bool{usableGpu(*answer)} == whyCudaIsOff(*answer).has_value())
        fuzz::broken("there is a GPU to use or a reason why there is none", std::string(text));
    fuzz::roundTrip(text, read, [](const GpuAnswer& answer) { return jsonText(toJson(answer)); });
    return 0;
}
