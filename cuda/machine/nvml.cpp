// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/machine/nvml.h"

#include <array>
#include <dlfcn.h>
#include <unistd.h>

namespace remat::cuda {

namespace {

// What is used of nvml.h (NVML API reference, driver 530 and later); its functions return 0 for success.
struct NvmlDevice;
struct NvmlProcess {
    unsigned int pid;
    unsigned long long usedGpuMemory; // all bits set where it is not known
    unsigned int gpuInstanceId, computeInstanceId;
};
using Start = int();
using DeviceByBus = int(const char*, NvmlDevice**);
using Processes = int(NvmlDevice*, unsigned int*, NvmlProcess*);

constexpr unsigned int kMostProcesses = 256;
constexpr unsigned long long kUnknown = ~0ULL;

} // namespace

template <class Function> Function* Nvml::function(const char* name) const
{
    return m_library ? reinterpret_cast<Function*>(::dlsym(m_library, name)) : nullptr;
}

Nvml::Nvml(const std::string& library) : m_library(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL))
{
    auto* const start = function<Start>("nvmlInit_v2");
    m_isReady = start && start() == 0;
}

Nvml::~Nvml()
{
    if (auto* const stop = function<Start>("nvmlShutdown"); m_isReady && stop)
        stop();
    if (m_library)
        ::dlclose(m_library);
}

std::optional<Bytes> Nvml::memoryOfThisProcess(const std::string& busId) const
{
    auto* const deviceByBus = function<DeviceByBus>("nvmlDeviceGetHandleByPciBusId_v2");
    auto* const list = function<Processes>("nvmlDeviceGetComputeRunningProcesses_v3");
    NvmlDevice* device = nullptr;
    if (!m_isReady || !deviceByBus || !list || deviceByBus(busId.c_str(), &device) != 0)
        return std::nullopt;
    std::array<NvmlProcess, kMostProcesses> processes{};
    unsigned int count = kMostProcesses;
    if (list(device, &count, processes.data()) != 0)
        return std::nullopt;
    for (unsigned int i = 0; i < count; ++i) {
        const NvmlProcess& process = processes[i];
        const bool isOurs = process.pid == static_cast<unsigned int>(::getpid()) || count == 1;
        if (isOurs && process.usedGpuMemory != kUnknown)
            return Bytes{static_cast<std::int64_t>(process.usedGpuMemory)};
    }
    return std::nullopt;
}

} // namespace remat::cuda
