// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The check of a GPU, on the emulated one: a check that fails here is wrong itself.  Its report must have every
// section, and a pool that counts other bytes must turn it red.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "cuda/emulator/emulated_gpu.h"
#include "tests/gpu/gpu_check.h"
#include "tests/gpu/step_check.h"

using namespace remat;

namespace {

/// Counts 512 B more than it should once something was freed.
class MiscountingGpu : public cuda::EmulatedGpu {
public:
    using EmulatedGpu::EmulatedGpu;
    PoolPeak peak() override
    {
        PoolPeak peak = EmulatedGpu::peak();
        if (m_hasFreed)
            peak.used += Bytes{512};
        return peak;
    }
    void release(std::byte* data) override
    {
        m_hasFreed = true;
        EmulatedGpu::release(data);
    }

private:
    bool m_hasFreed = false;
};

} // namespace

int main()
{
    const auto open = [](std::optional<Bytes> cap) { return std::make_unique<cuda::EmulatedGpu>(cap); };
    const testing::GpuCheckSize size = testing::sizeForTheEmulator();
    const nlohmann::json report = testing::checkGpu(open, size);
    std::printf("%s\n", report.dump(1).c_str());
    if (report["failed"] != 0 || report["sections"].size() != 7)
        return 1;
    for (const nlohmann::json& section : report["sections"])
        if (!section.contains("checks") || section["checks"].empty())
            return 1;
    const auto miscount = [](std::optional<Bytes> cap) { return std::make_unique<MiscountingGpu>(cap); };
    testing::Tally tally(size.mostSeconds);
    tally.section("memory", [&] { testing::checkMemory(miscount, {size.steps.front()}, tally); });
    return tally.report()["failed"] > 0 ? 0 : 1;
}
