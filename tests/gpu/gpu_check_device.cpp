// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// What ./dev gpu runs: every check of gpu_check.h on this machine's first GPU, within six minutes, and one JSON report
// in the file that is named (gpu-check.json).  Exit code 0: all passed; 1: some failed; 11: CUDA is off, with the
// reason.
#include <cstdio>
#include <exception>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "cuda/device/cuda_gpu.h"
#include "cuda/device/find_gpus.h"
#include "tests/gpu/gpu_check.h"

using namespace remat;

namespace {

int check(const char* file)
{
    const auto open = [](std::optional<Bytes> cap) { return std::make_unique<cuda::CudaGpu>(cuda::usedDevice(), cap); };
    nlohmann::json report = testing::checkGpu(open, testing::sizeForGpus());
    const GpuAnswer gpus = cuda::findGpus();
    report["driver_version"] = gpus.driverVersion;
    report["runtime_version"] = gpus.runtimeVersion;
    const int failed = report["failed"];
    std::printf("%d checks failed; the report is %s\n", failed, file);
    if (auto written = writeFileAtomically(file, report.dump(1) + "\n"); !written) {
        std::fprintf(stderr, "%s\n", englishSentence(written.error()).c_str());
        return static_cast<int>(ExitCode::DeviceError);
    }
    return failed == 0 ? 0 : 1;
}

} // namespace

int main(int count, char** words)
{
    if (const std::optional<Message> reason = whyCudaIsOff(cuda::findGpus())) {
        std::fprintf(stderr, "CUDA is off. %s %s\n", englishText(*reason).c_str(), reason->code->remedy);
        return static_cast<int>(ExitCode::DeviceError);
    }
    try {
        return check(count > 1 ? words[1] : "gpu-check.json");
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "The GPU failed: %s\n", failure.what());
        return static_cast<int>(ExitCode::DeviceError);
    }
}
