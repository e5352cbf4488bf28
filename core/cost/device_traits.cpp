// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/device_traits.h"

#include <string>

#include "core/model/names.h"

namespace remat {

namespace {

constexpr MessageCode kNotOnCpu{"precision-not-on-cpu",
    REMAT_TR("The CPU's kernels store numbers in fp32; only a GPU's have {0}."),
    REMAT_TR("Use the precision fp32, or a GPU as the device, such as a100-80."), ExitCode::Usage};

} // namespace

Result<void> checkPrecision(const TrainingSetup& setup, const Device& device)
{
    const Precision precision = effectivePrecision(setup);
    if (setup.profile == Profile::Runtime && device.kind == DeviceKind::Cpu && precision != Precision::Fp32)
        return Error{&kNotOnCpu, "precision", {std::string(toName(precision))}};
    return {};
}

} // namespace remat
