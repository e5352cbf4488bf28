// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/presets.h"

#include <algorithm>
#include <tuple>

#include "core/base/text.h"
#include "core/model/catalog_files.h"
#include "core/model/model_json.h"
#include "core/model/nearest_names.h"

namespace remat {

namespace {

constexpr MessageCode kUnknownPreset{"unknown-preset", REMAT_TR("There is no model preset \"{0}\"."),
    REMAT_TR("Did you mean {1}? Known presets: {2}. Other models open with --config config.json."), ExitCode::Usage};

struct LoadedPresets {
    PresetCatalog catalog;
    std::vector<std::pair<std::string, Error>> broken; ///< stem of the file, what is wrong
};

void add(const CatalogFiles& files, LoadedPresets& result)
{
    auto& problems = result.catalog.problems;
    problems.insert(problems.end(), files.problems.begin(), files.problems.end());
    for (const CatalogFile& file : files.files) {
        Result<ModelShape> shape = parseModelFile(file.text, file.where);
        if (!shape) {
            problems.push_back(shape.error());
            result.broken.emplace_back(file.stem, shape.error());
            continue;
        }
        auto& shapes = result.catalog.shapes;
        const auto same = std::find_if(
            shapes.begin(), shapes.end(), [&](const ModelShape& known) { return known.name == shape->name; });
        if (same != shapes.end())
            *same = *std::move(shape);
        else
            shapes.push_back(*std::move(shape));
    }
}

LoadedPresets load(const std::string& configurationFolder)
{
    // Read once: they never change, and a sweep asks for the model of every study.
    static const LoadedPresets builtIn = [] {
        LoadedPresets result;
        add(catalogFiles("presets", {}), result);
        return result;
    }();
    LoadedPresets result = builtIn;
    add(ownFiles("presets", configurationFolder), result);
    std::sort(result.catalog.shapes.begin(), result.catalog.shapes.end(), [](const ModelShape& a, const ModelShape& b) {
        return std::tuple(a.modelType, a.layers * a.hidden, a.name)
            < std::tuple(b.modelType, b.layers * b.hidden, b.name);
    });
    return result;
}

} // namespace

PresetCatalog presets(const std::string& configurationFolder)
{
    return load(configurationFolder).catalog;
}

Result<ModelShape> findPreset(const std::string& name, const std::string& configurationFolder)
{
    const LoadedPresets loaded = load(configurationFolder);
    // A broken file of that name comes first: the built-in preset that it was to replace would be a silent surprise.
    for (const auto& [stem, error] : loaded.broken)
        if (stem == name)
            return error;
    std::vector<std::string> names;
    std::string list;
    for (const ModelShape& shape : loaded.catalog.shapes) {
        if (shape.name == name)
            return shape;
        names.push_back(shape.name);
        list += (list.empty() ? "" : ", ") + shape.name;
    }
    return Error{&kUnknownPreset, "", {shortened(name), nearestNames(name, names), list}};
}

} // namespace remat
