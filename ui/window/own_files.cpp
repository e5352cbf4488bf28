// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/own_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/cost/device_json.h"
#include "core/model/model_json.h"

namespace remat::ui {

namespace {

constexpr MessageCode kBadName{"own-name-no-file-name", REMAT_TR("\"{0}\" can be no file's name."),
    REMAT_TR("Use letters, digits, dashes, points and spaces, and begin with a letter or a digit.")};
constexpr MessageCode kNoFolder{"own-no-folder", REMAT_TR("There is no configuration folder."),
    REMAT_TR("Set HOME or XDG_CONFIG_HOME and start again.")};

bool isFileName(const std::string& name)
{
    if (name.empty() || name.size() > 100 || name.find("..") != std::string::npos)
        return false;
    const auto isPlain = [](unsigned char c) { return std::isalnum(c) || c >= 0x80; };
    return isPlain(static_cast<unsigned char>(name.front())) && std::all_of(name.begin(), name.end(), [&](char c) {
        return isPlain(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' || c == ' ' || c == '('
            || c == ')';
    });
}

Result<std::string> write(
    const char* kind, const std::string& name, const std::string& text, const std::string& configurationFolder)
{
    if (configurationFolder.empty())
        return Error{&kNoFolder, name, {}};
    const std::filesystem::path folder = std::filesystem::path(configurationFolder) / kind;
    std::error_code problem; // what comes of it, writing says
    std::filesystem::create_directories(folder, problem);
    const std::string path = (folder / (name + ".json")).string();
    if (auto written = writeFileAtomically(path, text); !written)
        return written.error();
    return path;
}

} // namespace

Result<std::string> saveOwnPreset(const ModelShape& shape, const std::string& configurationFolder)
{
    if (!isFileName(shape.name))
        return Error{&kBadName, "name", {shortened(shape.name)}};
    const std::string text = modelFileText(shape);
    if (const Result<ModelShape> read = parseModelFile(text, shape.name); !read)
        return read.error();
    return write("presets", shape.name, text, configurationFolder);
}

Result<std::string> saveOwnDevice(const Device& device, const std::string& configurationFolder)
{
    if (!isFileName(device.name))
        return Error{&kBadName, "name", {shortened(device.name)}};
    const std::string text = deviceFileText(device);
    if (const Result<Device> read = parseDeviceFile(text, device.name); !read)
        return read.error();
    return write("devices", device.name, text, configurationFolder);
}

Result<std::string> saveOwnLaunch(const LaunchProfile& profile, const std::string& configurationFolder)
{
    if (!isFileName(profile.name))
        return Error{&kBadName, "name", {shortened(profile.name)}};
    const std::string text = launchFileText(profile);
    if (const Result<LaunchProfile> read = parseLaunchProfile(text, profile.name); !read)
        return read.error();
    return write("launch", profile.name, text, configurationFolder);
}

} // namespace remat::ui
