// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_import.h"

#include <filesystem>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/file_kinds.h"
#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/config_reader.h"
#include "core/model/families.h"
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

constexpr MessageCode kTextPart{
    "config-text-part", REMAT_TR("This is a model of type {0}: its text part, of type {1}, is described alone."), ""};

/// Types whose class gives a text part without a model_type this one.
constexpr std::pair<std::string_view, std::string_view> kTextTypes[] = {
    {"gemma3", "gemma3_text"},
    {"llava", "llama"},
    {"llava_next", "llama"},
    {"mistral3", "mistral"},
    {"paligemma", "gemma"},
    {"video_llava", "llama"},
    {"vipllava", "llama"},
};

bool isGiven(const JsonCursor& at, const char* key)
{
    return at.raw().is_object() && at.has(key) && !at[key].isNull();
}

bool hasTextPart(const JsonCursor& root)
{
    return isGiven(root, "text_config") && root["text_config"].raw().is_object();
}

std::string rootType(const JsonCursor& root)
{
    return isGiven(root, "model_type") ? shownJson(root["model_type"].raw()) : std::string("null");
}

/// The file itself, or the text part of a model of several parts that is not supported as a whole.
JsonCursor describedPart(const JsonCursor& root)
{
    if (!hasTextPart(root))
        return root;
    const bool isWhole = isGiven(root, "model_type") && root["model_type"].raw().is_string()
        && findFamily(root["model_type"].string());
    return isWhole ? root : root["text_config"];
}

/// The part's own type, or the one that the whole's class gives it.
std::string typeOf(const JsonCursor& root, const JsonCursor& subject)
{
    if (isGiven(subject, "model_type") || !isGiven(root, "model_type"))
        return subject["model_type"].string();
    const std::string whole = root["model_type"].string();
    for (const auto& [type, text] : kTextTypes)
        if (type == whole)
            return std::string(text);
    return whole;
}

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
    if (json->is_object() && !isGiven(root, "model_type") && !hasTextPart(root))
        root.fail(kNoModelType, {supportedModelTypes()});
    const JsonCursor subject = describedPart(root);
    const std::string modelType = typeOf(root, subject);
    if (root.failed())
        return root.error();
    const Family* family = findFamily(modelType);
    if (!family) {
        (subject.has("model_type") ? subject : root)["model_type"].fail(
            kUnsupportedType, {shortened(modelType), supportedModelTypes(), std::string(nearestModelType(modelType))});
        return root.error();
    }
    ImportedModel model = readConfig(subject, *family, nameOf(file));
    if (root.failed())
        return root.error();
    if (&subject.raw() != &root.raw())
        model.notes.insert(model.notes.begin(), {&kTextPart, {rootType(root), modelType}});
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
