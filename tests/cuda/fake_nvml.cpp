// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// A management library with two devices: on 0000:01:00.0 this process and another, on 0000:02:00.0 a single one under a
// number that is not ours, as containers have it.
#include <cstring>
#include <unistd.h>

extern "C" {

struct FakeProcess {
    unsigned int pid;
    unsigned long long used;
    unsigned int gpuInstance, computeInstance;
};

int nvmlInit_v2()
{
    return 0;
}

int nvmlShutdown()
{
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, const char** device)
{
    const bool isThere = std::strcmp(bus, "0000:01:00.0") == 0 || std::strcmp(bus, "0000:02:00.0") == 0;
    *device = bus;
    return isThere ? 0 : 6; // NVML_ERROR_NOT_FOUND
}

int nvmlDeviceGetComputeRunningProcesses_v3(const char* device, unsigned int* count, FakeProcess* processes)
{
    if (std::strcmp(device, "0000:02:00.0") == 0) {
        processes[0] = {4'000'000, 222, 0, 0};
        *count = 1;
        return 0;
    }
    processes[0] = {4'000'000, 111, 0, 0};
    processes[1] = {static_cast<unsigned int>(::getpid()), 333, 0, 0};
    *count = 2;
    return 0;
}

} // extern "C"
