// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/device_json.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    fuzz::roundTrip(
        fuzz::textOf(data, size), [](std::string_view text) { return parseDeviceFile(text, "device.json"); },
        [](const Device& device) { return deviceFileText(device); });
    return 0;
}
