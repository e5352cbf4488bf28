// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/kernels.h"

#ifdef REMAT_NATIVE_PROCESSOR
#include <fstream>
#include <string>
#endif

namespace remat::kernels {

// One namespace for each set that CMakeLists.txt compiles the kernels for.
namespace baseline {
const CpuKernels& allKernels();
}
#ifdef REMAT_HAVE_LEVELS
namespace level3 {
const CpuKernels& allKernels();
}
namespace level4 {
const CpuKernels& allKernels();
}
#endif
#ifdef REMAT_NATIVE_PROCESSOR
namespace native {
const CpuKernels& allKernels();
}
#endif

namespace {

#ifdef REMAT_HAVE_LEVELS
bool hasLevel3()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi")
        && __builtin_cpu_supports("bmi2");
}

bool hasLevel4()
{
    return hasLevel3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl");
}
#endif

#ifdef REMAT_NATIVE_PROCESSOR
/// Whether this processor's features are exactly those that the build saw: a program may have been copied.
bool isTheProcessorOfTheBuild()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("flags"))
            return line.ends_with(": " REMAT_NATIVE_PROCESSOR);
    return false;
}
#endif

} // namespace

std::int64_t chunkedHeadWorkspaceBytes(const HeadShape& shape)
{
    const std::int64_t rows = (shape.rows + shape.chunks - 1) / shape.chunks;
    return ((rows * shape.vocabulary + 15) / 16 * 16 + rows) * 4;
}

const CpuKernels* cpuKernels(InstructionSet set)
{
    switch (set) {
    case InstructionSet::Baseline:
        return &baseline::allKernels();
#ifdef REMAT_HAVE_LEVELS
    case InstructionSet::Level3:
        return hasLevel3() ? &level3::allKernels() : nullptr;
    case InstructionSet::Level4:
        return hasLevel4() ? &level4::allKernels() : nullptr;
#endif
#ifdef REMAT_NATIVE_PROCESSOR
    case InstructionSet::Native: {
        static const bool isHere = isTheProcessorOfTheBuild();
        return isHere ? &native::allKernels() : nullptr;
    }
#endif
    default:
        return nullptr;
    }
}

const CpuKernels& bestCpuKernels()
{
    const CpuKernels* best = nullptr;
    for (const InstructionSet set : kInstructionSets)
        if (const CpuKernels* kernels = cpuKernels(set))
            best = kernels;
    return *best;
}

} // namespace remat::kernels
