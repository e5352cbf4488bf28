// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/cost/device.h"

namespace remat {

/// The devices that can be picked by name, and what is wrong with files of the person's own.
///
///   DeviceCatalog catalog = devices(configurationFolder);
///   catalog.add(cpuDevice(measurement, memAvailable));
///   Result<Device> device = catalog.find(setup.device);
class DeviceCatalog {
public:
    /// In the order of their names; add() puts a device in place of one of the same name.
    const std::vector<Device>& devices() const& { return m_devices; }
    std::vector<Device> devices() && { return std::move(m_devices); }
    /// One per file that could not be read; the other devices are still there.
    const std::vector<Error>& problems() const { return m_problems; }
    void add(Device device);

    /// The device of that name.
    /// Errors: an unknown name, with the known ones (exit code 2); the person's own file for it is broken (3).
    Result<Device> find(const std::string& name) const;

private:
    friend DeviceCatalog devices(const std::string&);
    std::vector<Device> m_devices;
    std::vector<Error> m_problems;
    std::vector<std::pair<std::string, Error>> m_broken; ///< the file's name without .json, what is wrong
};

/// Every built-in device (resources/devices), with those of configurationFolder/devices/*.json
/// (core/cost/device_json.h) added, or in place of the built-in one of the same name.  "This CPU" is not among them
/// until it is added.
DeviceCatalog devices(const std::string& configurationFolder = {});

} // namespace remat
