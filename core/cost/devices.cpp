// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/devices.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/cost/device_json.h"
#include "core/model/catalog_files.h"
#include "core/model/nearest_names.h"

namespace remat {

namespace {

constexpr MessageCode kUnknownDevice{"unknown-device", REMAT_TR("There is no device \"{0}\"."),
    REMAT_TR("Did you mean {1}? Known devices: {2}."), ExitCode::Usage};

} // namespace

void DeviceCatalog::add(Device device)
{
    const auto place = std::lower_bound(
        m_devices.begin(), m_devices.end(), device, [](const Device& a, const Device& b) { return a.name < b.name; });
    if (place != m_devices.end() && place->name == device.name)
        *place = std::move(device);
    else
        m_devices.insert(place, std::move(device));
}

Result<Device> DeviceCatalog::find(const std::string& name) const
{
    // A broken file of that name comes first: the built-in device that it was to replace would be a silent surprise.
    for (const auto& [stem, error] : m_broken)
        if (stem == name)
            return error;
    std::vector<std::string> names;
    std::string list;
    for (const Device& device : m_devices) {
        if (device.name == name)
            return device;
        names.push_back(device.name);
        list += (list.empty() ? "" : ", ") + device.name;
    }
    return Error{&kUnknownDevice, "", {shortened(name), nearestNames(name, names), list}};
}

DeviceCatalog devices(const std::string& configurationFolder)
{
    const auto addAll = [](const CatalogFiles& files, DeviceCatalog& catalog) {
        catalog.m_problems.insert(catalog.m_problems.end(), files.problems.begin(), files.problems.end());
        for (const CatalogFile& file : files.files) {
            Result<Device> device = parseDeviceFile(file.text, file.where);
            if (device) {
                catalog.add(*std::move(device));
            } else {
                catalog.m_problems.push_back(device.error());
                catalog.m_broken.emplace_back(file.stem, device.error());
            }
        }
    };
    // Read once: they never change, and a sweep asks for the device of every study.
    static const DeviceCatalog builtIn = [&] {
        DeviceCatalog catalog;
        addAll(catalogFiles("devices", {}), catalog);
        return catalog;
    }();
    DeviceCatalog catalog = builtIn;
    addAll(ownFiles("devices", configurationFolder), catalog);
    return catalog;
}

} // namespace remat
