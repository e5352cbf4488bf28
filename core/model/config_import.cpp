// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_import.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/base/file_kinds.h"
#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/config_reader.h"
#include "core/model/training_setup.h"

namespace remat {

namespace {

constexpr MessageCode kNoModelType{"config-no-model-type",
    REMAT_TR("The config has no model_type, so its keys could mean anything."),
    REMAT_TR("Add \"model_type\" with one of: {0}.")};
constexpr MessageCode kOwnFile{"config-is-own-file",
    REMAT_TR("This is a file of format \"{0}\", not the config.json of a model."), REMAT_TR("It is read by: {1}.")};
constexpr MessageCode kOwnAnswer{"config-is-own-answer",
    REMAT_TR("This is what \"{0}\" printed, not the config.json of a model."),
    REMAT_TR("Give the model's own config.json, or a preset with --model.")};
constexpr MessageCode kUnsupportedType{"config-model-type-unsupported",
    REMAT_TR("Models of type \"{0}\" are not supported."),
    REMAT_TR("Supported are {1}; nearest is \"{2}\": describe the model with its keys, or pick a preset.")};

std::string nameOf(const std::string& file)
{
    const std::filesystem::path path(file);
    std::string name = path.filename().string();
    for (const std::string_view ending : {".json", ".config"})
        if (name.size() > ending.size() && name.ends_with(ending))
            name.resize(name.size() - ending.size());
    if (name == "config" && path.has_parent_path() && !path.parent_path().filename().empty())
        name = path.parent_path().filename().string();
    return name.empty() ? "config" : validUtf8(name, kMaxNameLength);
}

/// A file of ours is told apart from a config without model_type, with what takes it.
void refuseOwnFile(const JsonCursor& root)
{
    if (!root.raw().is_object() || !root.has("format") || !root["format"].raw().is_string())
        return;
    const FileKind* kind = fileKindOf(root["format"].string());
    if (!kind)
        return;
    if (*kind->takers)
        root.fail(kOwnFile, {std::string(kind->format), std::string(kind->takers)});
    else
        root.fail(kOwnAnswer, {std::string(kind->source)});
}

} // namespace

Result<ImportedModel> importConfig(std::string_view text, const std::string& file)
{
    const Result<nlohmann::json> json = parseJson(text, file);
    if (!json)
        return json.error();
    const JsonCursor root(*json, file);
    refuseOwnFile(root);
    if (json->is_object() && (!root.has("model_type") || root["model_type"].isNull()))
        root.fail(kNoModelType, {supportedModelTypes()});
    const std::string modelType = root["model_type"].string();
    if (root.failed())
        return root.error();
    const Family* family = findFamily(modelType);
    if (!family) {
        root["model_type"].fail(
            kUnsupportedType, {shortened(modelType), supportedModelTypes(), std::string(nearestModelType(modelType))});
        return root.error();
    }
    ImportedModel model = readConfig(root, *family, nameOf(file));
    if (root.failed())
        return root.error();
    return model;
}

Result<ImportedModel> importConfigFile(const std::string& path)
{
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    return importConfig(*text, path);
}

} // namespace remat
