// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/launch_profile.h"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
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

std::vector<std::string> launchProfileNames(const std::string& configurationFolder)
{
    std::vector<std::string> names;
    std::error_code problem; // without the folder there are no profiles
    for (std::filesystem::directory_iterator entry(configurationFolder + "/launch", problem), end;
         !configurationFolder.empty() && !problem && entry != end; entry.increment(problem))
        if (entry->path().extension() == ".json")
            names.push_back(entry->path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string launchFileText(const LaunchProfile& profile)
{
    nlohmann::json json{
        {"format", kLaunchFormat}, {"version", kLaunchVersion}, {"prefix", profile.prefix}, {"worker", profile.worker}};
    if (!profile.stop.empty())
        json["stop"] = profile.stop;
    return jsonText(json, 2) + "\n";
}

std::string queuedJobIn(std::string_view words)
{
    constexpr std::string_view kBefore = "job ", kAfter = " queued and waiting for resources";
    const std::size_t end = words.find(kAfter);
    const std::size_t before = end == std::string_view::npos ? end : words.rfind(kBefore, end);
    if (before == std::string_view::npos)
        return {};
    return std::string(words.substr(before + kBefore.size(), end - before - kBefore.size()));
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
