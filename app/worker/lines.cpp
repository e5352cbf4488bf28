// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/lines.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

#include "core/base/files.h"

namespace remat::worker {

namespace {

constexpr MessageCode kNoRequest{"request-missing", REMAT_TR("Standard input ended before a request."),
    REMAT_TR("Write one line of JSON to it, or name a file with --request."), ExitCode::Usage};
constexpr MessageCode kTooLong{"request-too-long", REMAT_TR("The request is longer than {0}."),
    REMAT_TR("A request holds one plan and a few numbers."), ExitCode::Usage};
constexpr MessageCode kSilence{"request-lease-over", REMAT_TR("No request came within {0} s."),
    REMAT_TR("Start the run again; whoever started this worker seems to be gone."), ExitCode::Usage};

} // namespace

void say(const std::string& line)
{
    const std::string text = line + "\n";
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return;
        done += static_cast<std::size_t>(count);
    }
}

Result<std::string> readRequestLine(std::optional<std::chrono::seconds> lease)
{
    std::string text;
    std::array<char, 65536> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
    for (;;) {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (lease && ::poll(&input, 1, static_cast<int>(std::chrono::milliseconds{*lease}.count())) == 0)
            return Error{&kSilence, "stdin", {std::int64_t{lease->count()}}};
        const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count > 0)
            text.append(buffer.data(), static_cast<std::size_t>(count));
        // Whatever follows the line only keeps the pipe open.
        if (const std::size_t end = text.find('\n'); end != std::string::npos)
            return text.substr(0, end);
        if (count <= 0)
            return text.empty() ? Result<std::string>(Error{&kNoRequest, "stdin", {}}) : Result<std::string>(text);
        if (text.size() > static_cast<std::size_t>(kMaxFileBytes.value))
            return Error{&kTooLong, "stdin", {kMaxFileBytes}};
    }
}

} // namespace remat::worker
