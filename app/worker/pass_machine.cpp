// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/pass_machine.h"

namespace remat::worker {

namespace {

constexpr MessageCode kNotHere{"machine-not-in-program", REMAT_TR("This program has no machine \"{0}\"."),
    REMAT_TR("Start the run with remat-worker, which finds the right program."), ExitCode::DeviceError};

class CpuPassMachine : public PassMachine {
public:
    Result<MemoryFound> memory(const PassSetup& setup, const PassWatch& watch) override
    {
        return runMemoryPass(setup, watch);
    }
    Result<TimingFound> timing(
        const PassSetup& setup, std::int64_t steps, Bytes mostHeld, const PassWatch& watch) override
    {
        return runTimingPass(setup, steps, mostHeld, watch);
    }
    Result<GradientsFound> gradients(const PassSetup& setup, bool poisons, const PassWatch& watch) override
    {
        return runGradientPass(setup, poisons, watch);
    }
};

} // namespace

std::string passProgramOf(RunMachine machine)
{
    return machine == RunMachine::Cpu ? "remat-worker" : "remat-worker-" + std::string(toName(machine));
}

Result<std::unique_ptr<PassMachine>> openPassMachine(RunMachine machine, std::optional<Bytes> poolLimit)
{
    if (machine == RunMachine::Cpu)
        return std::unique_ptr<PassMachine>(std::make_unique<CpuPassMachine>());
    return openGpuPassMachine(machine, poolLimit);
}

Error machineNotHere(RunMachine machine)
{
    return Error{&kNotHere, "", {std::string(toName(machine))}};
}

} // namespace remat::worker
