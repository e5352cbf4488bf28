// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/launch_profile.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/base/text.h"

namespace remat {

namespace {

constexpr MessageCode kNoProfile{"unknown-launch-profile", REMAT_TR("There is no launch profile \"{0}\"."),
    REMAT_TR("Write it as {1} (docs/runs.md), or leave out --launch to run here."), ExitCode::Usage};
constexpr MessageCode kNoWord{"launch-empty-word", REMAT_TR("The first word names no program."),
    REMAT_TR("Begin with the program, such as srun or ssh.")};

constexpr std::size_t kMostWords = 200;

std::vector<std::string> readWords(const JsonCursor& at)
{
    std::vector<std::string> words;
    for (const JsonCursor& element : at.elements(kMostWords))
        words.push_back(element.string());
    if (words.empty() || words.front().empty())
        at.fail(kNoWord);
    return words;
}

} // namespace

Result<LaunchProfile> parseLaunchProfile(std::string_view text, const std::string& where)
{
    const Result<nlohmann::json> json = parseJson(text, where);
    if (!json)
        return json.error();
    const JsonCursor root(*json, where);
    root.requireFormat(kLaunchFormat, kLaunchVersion);
    LaunchProfile profile;
    profile.name = std::filesystem::path(where).stem().string();
    profile.prefix = readWords(root["prefix"]);
    if (root.has("worker")) {
        profile.worker = root["worker"].string();
        if (profile.worker.empty())
            root["worker"].fail(kNoWord);
    }
    if (root.has("stop"))
        profile.stop = readWords(root["stop"]);
    if (root.failed())
        return root.error();
    return profile;
}

Result<LaunchProfile> findLaunchProfile(const std::string& name, const std::string& configurationFolder)
{
    const std::string path = configurationFolder + "/launch/" + name + ".json";
    std::error_code ignored;
    const bool isName = !name.empty() && name.find('/') == std::string::npos && !configurationFolder.empty();
    if (!isName || !std::filesystem::exists(path, ignored))
        return Error{&kNoProfile, "--launch",
            {shortened(name), isName ? path : std::string("~/.config/rematscope/launch/NAME.json")}};
    const Result<std::string> text = readFile(path);
    return text ? parseLaunchProfile(*text, path) : text.error();
}

WorkerLaunch launchOf(const LaunchProfile& profile)
{
    WorkerLaunch launch{profile.prefix, profile.stop, true};
    launch.command.push_back(profile.worker);
    launch.command.emplace_back("--lease");
    launch.command.push_back(std::to_string(kLease.count()));
    return launch;
}

} // namespace remat
