// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include "app/cli/verbs.h"

namespace {

using namespace remat;

constexpr MessageCode kNoMemory{"answer-out-of-memory", REMAT_TR("This machine has not enough memory for the answer."),
    REMAT_TR("Choose fewer layers, or close other programs."), ExitCode::OutOfMemory};

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
    }
}

} // namespace

/// The command line.  The program never calls setlocale(), so numbers look the same under every locale.
int main(int argc, char** argv)
{
    // A file-size limit is then an error of the write, with its message, and not the end.
    std::signal(SIGXFSZ, SIG_IGN);
    const remat::cli::Answer answer = answerTo(argc, argv);
    for (const std::string& note : answer.notes)
        std::fprintf(stderr, "%s\n", note.c_str());
    const bool isWritten = std::fwrite(answer.output.data(), 1, answer.output.size(), stdout) == answer.output.size()
        && std::fflush(stdout) == 0;
    if (!isWritten) {
        std::fprintf(stderr, "remat: standard output cannot be written: %s\n", std::strerror(errno));
        return static_cast<int>(remat::ExitCode::BadInput);
    }
    return answer.exit;
}
