// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// What ./dev gpu runs: the checks of a step on this machine's first GPU.  Exit code 0: all passed; 1: some failed; 11:
// CUDA is off, with the reason.
#include <cstdio>
#include <exception>

#include "cuda/device/cuda_gpu.h"
#include "cuda/device/find_gpus.h"
#include "tests/gpu/gpu_check.h"

using namespace remat;

namespace {

/// A pool of 64 MiB gives no 65th, and goes on.
bool poolHoldsItsLimit()
{
    cuda::CudaGpu gpu(0, Bytes{64 << 20});
    std::byte* const most = gpu.allocate({32 << 20});
    std::byte* const tooMuch = gpu.allocate({64 << 20});
    if (most)
        gpu.release(most);
    std::byte* const again = gpu.allocate({32 << 20});
    if (again)
        gpu.release(again);
    gpu.finish();
    return most && !tooMuch && again;
}

int check()
{
    cuda::CudaGpu gpu(0);
    std::printf("%s\n", gpu.name().c_str());
    const bool holds = poolHoldsItsLimit();
    std::printf("%s  a memory pool holds its limit\n", holds ? "ok    " : "FAILED");
    gpu.resetPeak();
    std::byte* const block = gpu.allocate({100'000'000});
    const cuda::PoolPeak peak = gpu.peak();
    if (block)
        gpu.release(block);
    std::printf("        one block of 100000000 bytes: the pool counts %lld used, %lld reserved\n",
        static_cast<long long>(peak.used.value), static_cast<long long>(peak.reserved.value));
    const int failed = testing::checkGpu(gpu, 24) + (holds ? 0 : 1);
    std::printf("%d checks failed\n", failed);
    return failed == 0 ? 0 : 1;
}

} // namespace

int main()
{
    if (const std::optional<Message> reason = whyCudaIsOff(cuda::findGpus())) {
        std::fprintf(stderr, "CUDA is off. %s %s\n", englishText(*reason).c_str(), reason->code->remedy);
        return static_cast<int>(ExitCode::DeviceError);
    }
    try {
        return check();
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "The GPU failed: %s\n", failure.what());
        return static_cast<int>(ExitCode::DeviceError);
    }
}
