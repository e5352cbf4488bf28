// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// remat-worker itself: its passes on other machines are other programs.
#include "app/worker/pass_machine.h"

namespace remat::worker {

std::optional<RunMachine> gpuMachineHere()
{
    return std::nullopt;
}

Result<std::unique_ptr<PassMachine>> openGpuPassMachine(RunMachine machine, std::optional<Bytes>)
{
    return machineNotHere(machine);
}

} // namespace remat::worker
