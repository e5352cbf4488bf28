// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// remat-worker: runs plans for real, in a process of its own (docs/runs.md).
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/worker/ask_gpus.h"
#include "app/worker/conduct_run.h"
#include "app/worker/confine.h"
#include "app/worker/lines.h"
#include "app/worker/pass_process.h"
#include "app/worker/self_test.h"
#include "app/worker/stop_watch.h"
#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/memory_end.h"
#include "core/base/text.h"
#include "core/run/kernels/kernels.h"
#include "core/run/machine_probe.h"
#include "core/run/process_memory.h"
#include "core/run/run_events.h"
#include "core/run/run_request.h"
#include "core/run/this_machine.h"

namespace remat::worker {

namespace {

constexpr MessageCode kUnknownFlag{"worker-unknown-flag", REMAT_TR("There is no flag \"{0}\" here."),
    REMAT_TR("remat-worker --help lists them."), ExitCode::Usage};
constexpr MessageCode kNeedsValue{"flag-needs-value", REMAT_TR("The flag needs a value it can read."),
    REMAT_TR("remat-worker --help shows an example."), ExitCode::Usage};
constexpr MessageCode kNoMemory{"worker-out-of-memory", REMAT_TR("The system gave no memory."),
    REMAT_TR("Lower the batch or the budget, or close other programs."), ExitCode::OutOfMemory};
constexpr MessageCode kNoThread{"no-thread", REMAT_TR("The system gave no thread: {0}."),
    REMAT_TR("Raise the limit of processes or of memory, or use fewer threads."), ExitCode::OutOfMemory};
constexpr MessageCode kUnexpected{"worker-unexpected", REMAT_TR("Something went wrong that should not: {0}."),
    REMAT_TR("Run remat-worker --self-test; if it passes, please report this."), ExitCode::DeviceError};

constexpr const char* kHelp = R"(remat-worker: runs a plan for real and reports what it took.

  remat-worker < REQUEST           one line of JSON in, one event a line out (docs/runs.md)
  remat-worker --request FILE      the same, the request from a file
  remat-worker --lease SECONDS     ends when standard input says nothing for so long
  remat-worker --probe             this machine's devices, as JSON
  remat-worker --self-test         checks kernels, bit parity and memory readings, on every machine that it has
  remat-worker --version | --help

Exit codes: 0 done, 2 bad request, 3 bad plan, 10 out of memory, 11 device error or stopped.
)";

struct Arguments {
    enum class Verb { Run, Pass, Probe, SelfTest, Version, Help } verb = Verb::Run;
    std::string requestFile;
    PassKind pass = PassKind::Memory;
    Bytes mostHeld{kMaxQuantity};
    std::optional<std::chrono::seconds> lease;
};

Result<Arguments> parseArguments(const std::vector<std::string>& words)
{
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& flag = words[i];
        const std::string value = i + 1 < words.size() ? words[i + 1] : "";
        bool takesValue = false, isRead = true;
        if (flag == "--request") {
            takesValue = true;
            arguments.requestFile = value;
            isRead = !value.empty();
        } else if (flag == "--pass") { // how the worker starts itself, see conduct_run.h
            takesValue = true;
            arguments.verb = Arguments::Verb::Pass;
            isRead = parsePassKind(value, arguments.pass);
        } else if (flag == "--most-held") {
            takesValue = true;
            const auto [end, problem]
                = std::from_chars(value.data(), value.data() + value.size(), arguments.mostHeld.value);
            isRead = problem == std::errc() && end == value.data() + value.size() && arguments.mostHeld.value >= 0;
        } else if (flag == "--lease") {
            takesValue = true;
            std::int64_t seconds = 0;
            const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), seconds);
            isRead = problem == std::errc() && end == value.data() + value.size() && seconds >= 1 && seconds <= 3600;
            arguments.lease = std::chrono::seconds{seconds};
        } else if (flag == "--probe") {
            arguments.verb = Arguments::Verb::Probe;
        } else if (flag == "--self-test") {
            arguments.verb = Arguments::Verb::SelfTest;
        } else if (flag == "--version") {
            arguments.verb = Arguments::Verb::Version;
        } else if (flag == "--help" || flag == "-h") {
            arguments.verb = Arguments::Verb::Help;
        } else {
            return Error{&kUnknownFlag, "", {shortened(flag)}};
        }
        if (!isRead)
            return Error{&kNeedsValue, flag, {}};
        i += takesValue ? 1 : 0;
    }
    return arguments;
}

int fail(const Error& error)
{
    const RunFailure failure = failureOf(error);
    say(toLine(failure));
    std::fprintf(stderr, "remat-worker: %s\n", englishSentence(error).c_str());
    return failure.exitCode;
}

int serve(const Arguments& arguments)
{
    const bool isPass = arguments.verb == Arguments::Verb::Pass;
    // A pass is nothing without the worker that started it, and writes to no one else.
    if (isPass)
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (isPass && arguments.pass == PassKind::Memory)
        configureAllocator(1);
    StopWatch::blockSignals();
    const int threads = usableThreads();
    say(toLine(HelloEvent{kRunVersion, ::getpid(),
        std::string("cpu, ") + kernels::bestCpuKernels().name() + ", " + std::to_string(threads) + " threads",
        processorName(), threads, clusterJob()}));
    const Result<std::string> text
        = arguments.requestFile.empty() ? readRequestLine(arguments.lease) : readFile(arguments.requestFile);
    if (!text) {
        Error error = text.error();
        error.exit = ExitCode::Usage;
        return fail(error);
    }
    const Result<RunRequest> request
        = parseRunRequest(*text, arguments.requestFile.empty() ? "request" : arguments.requestFile);
    if (!request)
        return fail(request.error());
    const bool diesWithParent = request->endsWithStandardInput && arguments.requestFile.empty();
    if (diesWithParent)
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const StopWatch watch(diesWithParent, arguments.lease);
    return isPass ? runPass(arguments.pass, *request, arguments.mostHeld, watch.token())
                  : conductRun(*request, watch.token());
}

int answer(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseArguments(words);
    if (!arguments)
        return fail(arguments.error());
    switch (arguments->verb) {
    case Arguments::Verb::Help:
        std::fputs(kHelp, stdout);
        return 0;
    case Arguments::Verb::Version:
        std::puts("remat-worker " REMAT_VERSION);
        return 0;
    case Arguments::Verb::Probe:
        std::puts(jsonText(toJson(probeMachine(askGpus())), 2).c_str());
        return 0;
    case Arguments::Verb::SelfTest:
        return runSelfTest();
    case Arguments::Verb::Run:
    case Arguments::Verb::Pass:
        break;
    }
    return serve(*arguments);
}

int runMain(int count, char** words)
{
    const Error noMemory{&kNoMemory, "", {}};
    sayAtMemoryEnd(toLine(failureOf(noMemory)) + "\n", "remat-worker: " + englishSentence(noMemory) + "\n");
    try {
        return answer({words + 1, words + count});
    } catch (const std::bad_alloc&) {
        return fail(noMemory);
    } catch (const std::system_error& problem) {
        const bool isThread = problem.code() == std::errc::resource_unavailable_try_again;
        return fail(Error{isThread ? &kNoThread : &kUnexpected, "", {std::string(problem.what())}});
    } catch (const std::exception& problem) {
        return fail(Error{&kUnexpected, "", {std::string(problem.what())}});
    }
}

} // namespace

} // namespace remat::worker

int main(int count, char** words)
{
    remat::prepareForMemoryEnd();
    remat::worker::confine();
    return remat::worker::runMain(count, words);
}
