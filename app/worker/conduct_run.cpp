// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/conduct_run.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <vector>

#include "app/worker/assemble_report.h"
#include "app/worker/lines.h"
#include "app/worker/pass_lines.h"
#include "app/worker/pass_machine.h"
#include "app/worker/pass_process.h"
#include "core/run/child_process.h"
#include "core/run/emulated_work.h"
#include "core/run/local_plan.h"
#include "core/run/preflight.h"
#include "core/run/process_memory.h"
#include "core/run/run_events.h"
#include "core/run/worker_client.h"

namespace remat::worker {

namespace {

constexpr MessageCode kKilledForMemory{"killed-for-memory",
    REMAT_TR("The system killed the run because memory ran out; it had got to: {0}."),
    REMAT_TR("Lower the batch or the budget, or close other programs."), ExitCode::OutOfMemory};

/// A failure that has been said already, or has to be said.
int fail(const RunFailure& failure)
{
    say(toLine(failure));
    return failure.exitCode;
}

/// This program where it has the machine itself, else the one beside it that does.
std::string programOf(RunMachine machine)
{
    // Not its path: an update may have put another program there meanwhile.
    if (machine == RunMachine::Cpu || machine == gpuMachineHere())
        return "/proc/self/exe";
    return pathBesideThisProgram(passProgramOf(machine));
}

/// Starts the passes of one request and hands on what they say, with the progress of the whole run.
class Conductor {
public:
    Conductor(const RunRequest& request, Bytes mostHeld, bool checksGradients, std::stop_token stop)
        : m_request(request),
          m_mostHeld(mostHeld),
          m_stop(std::move(stop)),
          m_passes(checksGradients ? 5 : 3),
          m_allSteps(static_cast<double>(1 + request.steps + 1 + (checksGradients ? 2 : 0)))
    {
        // The passes get their request whole; they end when this process closes their standard input, or dies.
        RunRequest inner = request;
        inner.endsWithStandardInput = true;
        m_line = requestLine(inner);
    }

    /// What a pass measured, or how it failed.
    template <class Found>
    bool run(PassKind kind, Result<Found> (*read)(std::string_view), Found& found, RunFailure& failure)
    {
        say(toLine(PhaseEvent{toName(kind), ++m_pass, m_passes}));
        std::string measured;
        if (!listen(kind, measured, failure))
            return false;
        Result<Found> result = read(measured);
        if (!result) {
            failure = failureOf(result.error());
            failure.exitCode = static_cast<int>(ExitCode::DeviceError);
            return false;
        }
        found = *std::move(result);
        m_stepsDone += static_cast<double>(kind == PassKind::Timing ? m_request.steps + 1 : 1);
        return true;
    }

private:
    bool listen(PassKind kind, std::string& measured, RunFailure& failure)
    {
        Result<ChildProcess> started = ChildProcess::start(
            {programOf(m_request.machine), "--pass", toName(kind), "--most-held", std::to_string(m_mostHeld.value)});
        if (!started) {
            failure = failureOf(started.error());
            return false;
        }
        const std::int64_t killsBefore = memoryKills();
        started->writeLine(m_line);
        RunConversation talk;
        bool wasStopped = false;
        for (;;) {
            const ChildProcess::Read read = started->readLine(std::chrono::milliseconds{100});
            if (read.atEnd)
                break;
            if (read.line && isMeasuredLine(*read.line))
                measured = *read.line;
            else if (read.line)
                handOn(kind, talk.hear(*read.line));
            if (m_stop.stop_requested() && !wasStopped) {
                wasStopped = true;
                started->askToStop();
            }
        }
        const WorkerExit exit = started->finish();
        if (!measured.empty() && exit.code == 0 && exit.signal == 0)
            return true;
        failure = talk.finish(exit, wasStopped).failure.value();
        // A killed process says nothing itself; the kernel's count says whether it was for memory.
        if (exit.signal == SIGKILL && failure.kind == "crash" && memoryKills() > killsBefore)
            failure = failureOf(Error{&kKilledForMemory, talk.lastWords(), {talk.lastWords()}});
        return false;
    }

    void handOn(PassKind kind, const RunEvent& event) const
    {
        if (const auto* step = std::get_if<StepEvent>(&event)) {
            StepEvent whole = *step;
            const auto steps = static_cast<double>(kind == PassKind::Timing ? m_request.steps + 1 : 1);
            whole.fraction = (m_stepsDone + step->fraction * steps) / m_allSteps;
            say(toLine(whole));
        } else if (const auto* log = std::get_if<LogEvent>(&event)) {
            std::fprintf(stderr, "%s\n", log->text.c_str());
        }
    }

    const RunRequest& m_request;
    Bytes m_mostHeld;
    std::stop_token m_stop;
    std::int64_t m_pass = 1, m_passes;
    double m_allSteps, m_stepsDone = 0.0;
    std::string m_line;
};

} // namespace

int conductRun(const RunRequest& asked, std::stop_token stop)
{
    RunRequest request = asked;
    say(toLine(PhaseEvent{"check", 1, request.checksGradients ? 5 : 3}));
    // Where the system tells nothing, only the request's own limit counts.
    Bytes available = usableMemory().value_or(Bytes{kMaxQuantity});
    if (request.machine == RunMachine::Emulated) {
        if (auto bearable = checkEmulatedWork(request.plan); !bearable)
            return fail(failureOf(bearable.error()));
    } else if (request.machine == RunMachine::Cuda) {
        // In a process of its own, since who asks a GPU for its memory holds some of it from then on.
        const Result<GpuAnswer> gpus = askWorkerForGpus({"/proc/self/exe"}, stop);
        const Result<GpuFound> gpu = gpus ? usableGpu(*gpus) : Result<GpuFound>(gpus.error());
        if (!gpu)
            return fail(failureOf(gpu.error()));
        available = gpu->free;
        request.device = timedFor(request.plan, *gpu);
    }
    const Preflight before = preflight(request, available);
    if (!before.fits()) {
        const std::int64_t batch = largestBatch(request, before.usable, stop);
        const std::optional<FittingBudget> fitting = fittingBudget(request, before.usable, stop);
        RunFailure failure = failureOf(refusal(request, before, batch, fitting));
        failure.requested = before.needed;
        failure.largestBatch = batch;
        if (fitting)
            failure.fittingBudget = fitting->budget;
        return fail(failure);
    }
    const Bytes mostHeld = std::max(before.predictedPeak, before.usable - (before.needed - before.predictedPeak));
    Conductor conductor(request, mostHeld, before.checksGradients, std::move(stop));
    PassFindings findings;
    RunFailure failure;
    if (!conductor.run(PassKind::Memory, readMemoryFound, findings.memory, failure)
        || !conductor.run(PassKind::Timing, readTimingFound, findings.timing, failure))
        return fail(failure);
    if (before.checksGradients) {
        if (!conductor.run(PassKind::Gradients, readGradientsFound, findings.gradients.emplace(), failure)
            || !conductor.run(PassKind::KeepAll, readGradientsFound, findings.keepAll.emplace(), failure))
            return fail(failure);
    }
    say(toLine(ResultEvent{assembleReport(request, findings)}));
    return 0;
}

} // namespace remat::worker
