// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "app/cli/verbs.h"
#include "core/base/memory_end.h"
#include "core/base/plain_text.h"

namespace {

using namespace remat;

constexpr MessageCode kNoMemory{"answer-out-of-memory", REMAT_TR("This machine has not enough memory for the answer."),
    REMAT_TR("Choose fewer layers, or close other programs."), ExitCode::OutOfMemory};
constexpr MessageCode kNoThread{"answer-no-thread", REMAT_TR("The system gave no thread: {0}."),
    REMAT_TR("Raise the limit of processes or of memory."), ExitCode::OutOfMemory};

cli::Answer answerTo(int count, const char* const* values)
{
    const bool isJson = cli::wantsJson(count, values);
    try {
        const Result<cli::Arguments> arguments = cli::parseArguments(count, values);
        if (!arguments)
            return cli::errorAnswer(arguments.error(), isJson);
        Result<cli::Answer> answer = cli::runVerb(*arguments, cli::readEnvironment());
        return answer ? *std::move(answer) : cli::errorAnswer(answer.error(), isJson);
    } catch (const std::bad_alloc&) {
        return cli::errorAnswer(Error{&kNoMemory, "", {}}, isJson);
    } catch (const std::system_error& problem) {
        return cli::errorAnswer(Error{&kNoThread, "", {std::string(problem.what())}}, isJson);
    }
}

/// Writes the answer; the exit code.
int say(cli::Answer answer)
{
    for (const std::string& note : answer.notes)
        std::fprintf(stderr, "%s\n", terminalText(note).c_str());
    // A file or a pipe takes the answer byte by byte.
    if (::isatty(STDOUT_FILENO) == 1)
        answer.output = terminalText(answer.output);
    const bool isWritten = std::fwrite(answer.output.data(), 1, answer.output.size(), stdout) == answer.output.size()
        && std::fflush(stdout) == 0;
    if (!isWritten) {
        std::fprintf(stderr, "remat: standard output cannot be written: %s\n", std::strerror(errno));
        return static_cast<int>(ExitCode::BadInput);
    }
    return answer.exit;
}

} // namespace

/// The command line.  The program never calls setlocale(), so numbers look the same under every locale.
int main(int argc, char** argv)
{
    // A file-size limit is then an error of the write, with its message, and not the end.
    std::signal(SIGXFSZ, SIG_IGN);
    prepareForMemoryEnd();
    cli::Answer noMemory = cli::errorAnswer(Error{&kNoMemory, "", {}}, cli::wantsJson(argc, argv));
    sayAtMemoryEnd(std::move(noMemory.output), noMemory.notes.front() + "\n");
    return say(answerTo(argc, argv));
}
