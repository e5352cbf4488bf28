// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/base/units.h"

namespace remat::cuda {

/// The driver's own count of a process's memory on a GPU: NVIDIA's management library, loaded where it is installed.
///
/// It counts contexts, modules and every allocation, in whole blocks of the driver's.  Nothing is linked: without the
/// library, or without one of its functions, nothing is told.
class Nvml {
public:
    /// `library`: a test names its own.
    explicit Nvml(const std::string& library = "libnvidia-ml.so.1");
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    /// On the device at that address ("0000:3b:00.0").  Containers may number processes otherwise than the driver does:
    /// a process that is alone on its device is taken for ours, else nothing is told.
    std::optional<Bytes> memoryOfThisProcess(const std::string& busId) const;

private:
    template <class Function> Function* function(const char* name) const;

    void* m_library = nullptr;
    bool m_isReady = false;
};

} // namespace remat::cuda
