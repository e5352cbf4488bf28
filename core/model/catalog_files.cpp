// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/catalog_files.h"

#include <algorithm>
#include <filesystem>

#include "core/base/files.h"
#include "resources/embedded_files.h"

namespace remat {

namespace {

constexpr MessageCode kCannotList{"folder-cannot-be-listed", REMAT_TR("The folder cannot be listed: {0}."),
    REMAT_TR("Check its permissions, or remove it to use the built-in files alone.")};
constexpr MessageCode kTooManyFiles{"folder-too-many-files", REMAT_TR("The folder has more than {0} JSON files."),
    REMAT_TR("Keep only the presets and devices that you use.")};

void addBuiltIn(const std::string& kind, CatalogFiles& result)
{
    for (const EmbeddedFile& file : embeddedFiles()) {
        if (!file.path.starts_with(kind + "/"))
            continue;
        const std::filesystem::path path(file.path);
        result.files.push_back({"built-in " + path.string(), path.stem().string(), std::string(file.text)});
    }
}

void addFolder(const std::string& kind, const std::string& configurationFolder, CatalogFiles& result)
{
    const std::filesystem::path folder = std::filesystem::path(configurationFolder) / kind;
    std::error_code problem;
    if (configurationFolder.empty() || !std::filesystem::is_directory(folder, problem))
        return;
    std::vector<std::filesystem::path> paths;
    for (std::filesystem::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem))
        if (entry->path().extension() == ".json")
            paths.push_back(entry->path());
    if (problem)
        result.problems.push_back({&kCannotList, folder.string(), {problem.message()}});
    std::sort(paths.begin(), paths.end());
    if (paths.size() > kMaxCatalogFiles) {
        result.problems.push_back({&kTooManyFiles, folder.string(), {static_cast<std::int64_t>(kMaxCatalogFiles)}});
        paths.resize(kMaxCatalogFiles);
    }
    for (const std::filesystem::path& path : paths) {
        Result<std::string> text = readFile(path.string());
        if (text)
            result.files.push_back({path.string(), path.stem().string(), *std::move(text)});
        else
            result.problems.push_back(text.error());
    }
}

} // namespace

CatalogFiles catalogFiles(const std::string& kind, const std::string& configurationFolder)
{
    CatalogFiles result;
    addBuiltIn(kind, result);
    addFolder(kind, configurationFolder, result);
    return result;
}

CatalogFiles ownFiles(const std::string& kind, const std::string& configurationFolder)
{
    CatalogFiles result;
    addFolder(kind, configurationFolder, result);
    return result;
}

} // namespace remat
