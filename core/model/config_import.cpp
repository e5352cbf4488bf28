// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_import.h"

#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/base/file_kinds.h"
#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/families.h"
#include "core/model/training_setup.h"

namespace remat {

namespace {

constexpr MessageCode kNoModelType{"config-no-model-type",
    REMAT_TR("The config has no model_type, so its keys could mean anything."),
    REMAT_TR("Add \"model_type\": \"gpt2\" or \"model_type\": \"bert\".")};
constexpr MessageCode kOwnFile{"config-is-own-file",
    REMAT_TR("This is a file of format \"{0}\", not the config.json of a model."), REMAT_TR("It is read by: {1}.")};
constexpr MessageCode kOwnAnswer{"config-is-own-answer",
    REMAT_TR("This is what \"{0}\" printed, not the config.json of a model."),
    REMAT_TR("Give the model's own config.json, or a preset with --model.")};
constexpr MessageCode kUnsupportedType{"config-model-type-unsupported",
    REMAT_TR("Models of type \"{0}\" are not supported."),
    REMAT_TR("Supported are {1}; nearest is \"{2}\": describe the model with its keys, or pick a preset.")};
constexpr MessageCode kChangesModel{"config-architecture-unsupported",
    REMAT_TR("{0} changes the architecture in a way that is not supported; only {1} is."),
    REMAT_TR("Set the key to {1} if that describes the model, or choose another model.")};
constexpr MessageCode kUnknownActivation{"config-activation-unsupported",
    REMAT_TR("The activation \"{0}\" is not supported."), REMAT_TR("Supported are {1}.")};
constexpr MessageCode kTwoValues{"config-two-values", REMAT_TR("The value {0} disagrees with {1}, which is {2}."),
    REMAT_TR("Keep one of the two keys.")};

constexpr MessageCode kDefaultUsed{
    "config-default-used", REMAT_TR("{0} is not given: transformers' default {1} is used."), ""};
constexpr MessageCode kFfnDefault{"config-ffn-default", REMAT_TR("{0} is not given: 4 x the width, {1}, is used."), ""};
constexpr MessageCode kPositionsFromContext{
    "config-positions-from-context", REMAT_TR("n_positions is not given: n_ctx, {0}, is used."), ""};
constexpr MessageCode kContextIgnored{
    "config-context-ignored", REMAT_TR("n_ctx is {0}; n_positions, {1}, counts."), ""};
constexpr MessageCode kKeyIgnored{
    "config-key-ignored", REMAT_TR("{0} is {1}, which the training step here does not depend on."), ""};
constexpr MessageCode kOtherHead{
    "config-other-head", REMAT_TR("The file names the class {0}; the training step of {1} is described."), ""};

struct NamedActivation {
    std::string_view name;
    Activation activation;
};

/// transformers' ACT2FN: gelu_new, gelu_fast and gelu_pytorch_tanh are one function, computed by different kernels.
constexpr NamedActivation kActivations[] = {
    {"gelu", Activation::Gelu},
    {"gelu_new", Activation::GeluTanh},
    {"gelu_fast", Activation::GeluTanh},
    {"gelu_pytorch_tanh", Activation::GeluTanh},
    {"relu", Activation::Relu},
};

/// Reads one config of a family and collects notes; mistakes go into the cursor.
class ConfigReader {
public:
    ConfigReader(const JsonCursor& root, const Family& family)
        : m_root(root),
          m_family(family),
          m_shape(family.defaults)
    { }

    void read()
    {
        refuseUnsupported();
        for (const SizeKey& size : m_family.sizes)
            readSize(size);
        readFfn();
        readActivation();
        m_shape.normEpsilon = numberOr(m_family.epsilonKey, m_shape.normEpsilon);
        for (const DropoutKey& dropout : m_family.dropouts) {
            const double probability = numberOr(dropout.key, m_shape.dropout.*dropout.field);
            m_shape.dropout.*dropout.field = probability;
            if (dropout.alsoField)
                m_shape.dropout.*dropout.alsoField = probability;
        }
        if (isGiven("tie_word_embeddings"))
            m_shape.hasTiedHead = m_root["tie_word_embeddings"].boolean();
        else
            noteDefault("tie_word_embeddings", "true");
        noteIgnored();
    }
    /// Asks the rules that join several keys, and blames the key of this file.
    void validate(const std::string& name)
    {
        m_shape.name = name;
        if (m_root.failed())
            return;
        if (const Result<void> valid = validateShape(m_shape, ValueOrigin::File); !valid)
            blame(valid.error());
    }
    ImportedModel take() { return {std::move(m_shape), std::move(m_notes)}; }

private:
    bool isGiven(const char* key) const { return m_root.has(key) && !m_root[key].isNull(); }
    void noteDefault(const char* key, std::string value)
    {
        m_notes.push_back({&kDefaultUsed, {std::string(key), std::move(value)}});
    }
    double numberOr(const char* key, double otherwise)
    {
        if (isGiven(key))
            return m_root[key].number();
        noteDefault(key, shownJson(otherwise));
        return otherwise;
    }

    void refuseUnsupported()
    {
        for (const FixedKey& fixed : m_family.fixed) {
            if (!isGiven(fixed.key))
                continue;
            const JsonCursor at = m_root[fixed.key];
            if (at.raw() != nlohmann::json::parse(fixed.supported))
                at.fail(kChangesModel, {shownJson(at.raw()), std::string(fixed.supported)});
        }
    }

    void readSize(const SizeKey& size)
    {
        std::int64_t& value = m_shape.*size.field;
        const std::int64_t least = size.field == &ModelShape::tokenTypes ? 0 : 1;
        const bool hasAlias = size.alias && isGiven(size.alias);
        if (hasAlias)
            value = m_root[size.alias].integer(least, size.most);
        if (isGiven(size.key)) {
            const std::int64_t ofAlias = value;
            value = m_root[size.key].integer(least, size.most);
            if (hasAlias && value != ofAlias)
                m_root[size.alias].fail(kTwoValues, {ofAlias, std::string(size.key), value});
        } else if (!hasAlias && !(size.field == &ModelShape::maxPositions && readContext(size))) {
            noteDefault(size.key, std::to_string(value));
            return;
        }
        const bool isContextIdle = size.field == &ModelShape::maxPositions && isGptContextGiven() && isGiven(size.key);
        if (isContextIdle && m_root["n_ctx"].raw() != value)
            m_notes.push_back({&kContextIgnored, {shownJson(m_root["n_ctx"].raw()), value}});
    }
    bool isGptContextGiven() const { return m_shape.modelType == "gpt2" && isGiven("n_ctx"); }
    /// Configs of the first GPT-2 releases have n_ctx alone.
    bool readContext(const SizeKey& size)
    {
        if (!isGptContextGiven())
            return false;
        m_shape.maxPositions = m_root["n_ctx"].integer(1, size.most);
        m_notes.push_back({&kPositionsFromContext, {m_shape.maxPositions}});
        return true;
    }

    void readFfn()
    {
        if (isGiven(m_family.ffnKey)) {
            m_shape.ffn = m_root[m_family.ffnKey].integer(1, kMaxFfn);
        } else if (m_family.ffnDefault == 0) {
            m_shape.ffn = 4 * m_shape.hidden;
            m_notes.push_back({&kFfnDefault, {std::string(m_family.ffnKey), m_shape.ffn}});
        } else {
            m_shape.ffn = m_family.ffnDefault;
            noteDefault(m_family.ffnKey, std::to_string(m_shape.ffn));
        }
    }

    void readActivation()
    {
        if (!isGiven(m_family.activationKey)) {
            noteDefault(m_family.activationKey, m_shape.activation == Activation::Gelu ? "gelu" : "gelu_new");
            return;
        }
        const JsonCursor at = m_root[m_family.activationKey];
        const std::string name = at.string();
        std::string known;
        for (const NamedActivation& row : kActivations) {
            if (row.name == name) {
                m_shape.activation = row.activation;
                return;
            }
            known += (known.empty() ? "" : ", ") + std::string(row.name);
        }
        at.fail(kUnknownActivation, {shortened(name), known});
    }

    void noteIgnored()
    {
        for (const IgnoredKey& ignored : m_family.ignored)
            if (isGiven(ignored.key) && m_root[ignored.key].raw() != nlohmann::json::parse(ignored.usual))
                m_notes.push_back({&kKeyIgnored, {std::string(ignored.key), shownJson(m_root[ignored.key].raw())}});
        if (!isGiven("architectures") || !m_root["architectures"].raw().is_array())
            return;
        for (const nlohmann::json& name : m_root["architectures"].raw())
            if (name.is_string() && name.get_ref<const std::string&>() != m_family.modelClass) {
                m_notes.push_back({&kOtherHead, {shownJson(name), std::string(m_family.modelClass)}});
                return;
            }
    }

    void blame(const Error& error)
    {
        std::string key = error.where;
        for (const SizeKey& size : m_family.sizes)
            if (error.where == size.fieldName)
                key = isGiven(size.key) || !size.alias ? size.key : size.alias;
        for (const DropoutKey& dropout : m_family.dropouts)
            if (error.where == dropout.fieldName)
                key = dropout.key;
        if (error.where == "norm_epsilon")
            key = m_family.epsilonKey;
        (m_root.has(key) ? m_root[key] : m_root).fail(*error.code, error.arguments);
    }

    const JsonCursor& m_root;
    const Family& m_family;
    ModelShape m_shape;
    std::vector<Message> m_notes;
};

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
        root.fail(kNoModelType);
    const std::string modelType = root["model_type"].string();
    if (root.failed())
        return root.error();
    const Family* family = findFamily(modelType);
    if (!family) {
        root["model_type"].fail(
            kUnsupportedType, {shortened(modelType), supportedModelTypes(), std::string(nearestModelType(modelType))});
        return root.error();
    }
    ConfigReader reader(root, *family);
    reader.read();
    reader.validate(nameOf(file));
    if (root.failed())
        return root.error();
    return reader.take();
}

Result<ImportedModel> importConfigFile(const std::string& path)
{
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    return importConfig(*text, path);
}

} // namespace remat
