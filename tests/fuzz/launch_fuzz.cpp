// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/launch_profile.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    const Result<LaunchProfile> profile = parseLaunchProfile(fuzz::textOf(data, size), "launch.json");
    if (!profile)
        return 0;
    const WorkerLaunch launch = launchOf(*profile);
    const bool hasProgram = !launch.command.empty() && !launch.command.front().empty();
    if (!hasProgram || (!launch.stopCommand.empty() && launch.stopCommand.front().empty()))
        fuzz::broken("a launch profile names programs", launch.command.empty() ? "" : launch.command.front());
    return 0;
}
