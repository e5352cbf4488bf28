// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_reader.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/training_setup.h"

namespace remat {

namespace {

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
constexpr MessageCode kRotaryScaled{"config-rotary-scaled",
    REMAT_TR("{0} is {1}: it changes the angles of the positions, not memory or time; plain angles are used."), ""};
constexpr MessageCode kUnknownRotary{"config-rotary-unsupported",
    REMAT_TR("Rotary positions of type \"{0}\" are not supported."), REMAT_TR("Supported are {1}.")};
constexpr MessageCode kRotaryNotPlain{"config-rotary-not-plain",
    REMAT_TR("Settings of rotary positions are one object for all layers here, not {0}."),
    REMAT_TR("Give one object with rope_type and rope_theta, or leave the key out.")};
constexpr MessageCode kOtherHead{
    "config-other-head", REMAT_TR("The file names the class {0}; the training step of {1} is described."), ""};

struct NamedActivation {
    std::string_view name;
    Activation activation;
    ActivationForm form = ActivationForm::Fused;
};

/// transformers' ACT2FN: gelu_new, gelu_fast and gelu_pytorch_tanh are one function, computed in different ways.
constexpr NamedActivation kActivations[] = {
    {"gelu", Activation::Gelu},
    {"gelu_new", Activation::GeluTanh, ActivationForm::GeluNew},
    {"gelu_fast", Activation::GeluTanh, ActivationForm::GeluFast},
    {"gelu_pytorch_tanh", Activation::GeluTanh},
    {"quick_gelu", Activation::QuickGelu},
    {"relu", Activation::Relu},
    {"silu", Activation::Silu},
    {"swish", Activation::Silu},
};

/// The kinds of transformers' modeling_rope_utils.py; they differ in the angles alone.
constexpr std::string_view kRotaryTypes[] = {"default", "linear", "dynamic", "yarn", "longrope", "llama3"};

/// Qwen2Config's max_window_layers: layers before it see every token.
constexpr std::int64_t kMaxWindowLayersDefault = 28;

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
        readAttention();
        readFfn();
        readActivation();
        m_shape.normEpsilon = numberOr(m_family.epsilonKey, m_shape.normEpsilon);
        for (const DropoutKey& dropout : m_family.dropouts) {
            const double probability = numberOr(dropout.key, m_shape.dropout.*dropout.field);
            m_shape.dropout.*dropout.field = probability;
            if (dropout.alsoField)
                m_shape.dropout.*dropout.alsoField = probability;
        }
        readFlag("tie_word_embeddings", m_shape.hasTiedHead);
        for (const BiasKey& bias : m_family.biases) {
            readFlag(bias.key, m_shape.*bias.field);
            if (bias.alsoField)
                m_shape.*bias.alsoField = m_shape.*bias.field;
        }
        if (m_shape.positions == PositionKind::Rotary)
            readRotary();
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

    void readFlag(const char* key, bool& flag)
    {
        if (isGiven(key))
            flag = m_root[key].boolean();
        else
            noteDefault(key, flag ? "true" : "false");
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

    void readAttention()
    {
        const AttentionKeys& keys = m_family.attention;
        if (keys.groups && isGiven(keys.groups)) {
            setGroups(m_shape, m_root[keys.groups].integer(1, kMaxWidth));
        } else if (keys.groups && !m_root.has(keys.groups)) {
            if (keys.groupsDefault > 0)
                setGroups(m_shape, keys.groupsDefault);
            noteDefault(keys.groups, std::to_string(m_shape.groups()));
        }
        if (keys.headWidth && isGiven(keys.headWidth))
            setHeadWidth(m_shape, m_root[keys.headWidth].integer(1, kMaxWidth));
        else if (keys.headWidth && !m_root.has(keys.headWidth))
            noteDefault(keys.headWidth, std::to_string(m_shape.headWidth()));
        if (keys.window && seesWindow(keys)) {
            if (isGiven(keys.window)) {
                m_shape.slidingWindow = m_root[keys.window].integer(1, kMaxPositions);
            } else if (!m_root.has(keys.window)) {
                m_shape.slidingWindow = keys.windowDefault;
                noteDefault(keys.window, std::to_string(keys.windowDefault));
            }
        }
    }
    /// Whether any layer sees a window alone: layer_types says it of each, max_window_layers of those before.
    bool seesWindow(const AttentionKeys& keys)
    {
        if (!keys.windowSwitch)
            return true;
        bool isOn = false;
        readFlag(keys.windowSwitch, isOn);
        if (!isOn)
            return false;
        if (isGiven("layer_types") && m_root["layer_types"].raw().is_array()) {
            const nlohmann::json& types = m_root["layer_types"].raw();
            return std::find(types.begin(), types.end(), "sliding_attention") != types.end();
        }
        std::int64_t before = kMaxWindowLayersDefault;
        if (isGiven("max_window_layers"))
            before = m_root["max_window_layers"].integer(0, kMaxLayers);
        else
            noteDefault("max_window_layers", std::to_string(before));
        return before < m_shape.layers;
    }

    /// The angles' base stands beside the other keys, or since transformers 5 with the scaling in rope_parameters.
    void readRotary()
    {
        std::optional<double> base;
        if (isGiven("rope_theta"))
            base = m_root["rope_theta"].number();
        for (const char* key : {"rope_scaling", "rope_parameters"}) {
            if (!isGiven(key))
                continue;
            const JsonCursor at = m_root[key];
            if (!isPlainRotary(at))
                continue;
            if (at.has("rope_theta")) {
                const double nested = at["rope_theta"].number();
                if (base && *base != nested)
                    at["rope_theta"].fail(kTwoValues, {nested, std::string("rope_theta"), *base});
                base = nested;
            }
            if (at.has("partial_rotary_factor") && at["partial_rotary_factor"].number() != 1.0)
                at["partial_rotary_factor"].fail(
                    kChangesModel, {shownJson(at["partial_rotary_factor"].raw()), std::string("1.0")});
            const char* typeKey = at.has("rope_type") ? "rope_type" : "type";
            const std::string type = at.has(typeKey) ? at[typeKey].string() : "default";
            if (std::find(std::begin(kRotaryTypes), std::end(kRotaryTypes), type) == std::end(kRotaryTypes))
                at[typeKey].fail(kUnknownRotary,
                    {shortened(type),
                        joined(std::vector<std::string>(std::begin(kRotaryTypes), std::end(kRotaryTypes)), ", ")});
            else if (type != "default")
                m_notes.push_back({&kRotaryScaled, {std::string(key), type}});
        }
        m_shape.rotaryBase = base.value_or(m_shape.rotaryBase);
        if (!base)
            noteDefault("rope_theta", shownJson(m_shape.rotaryBase));
    }
    /// One object of settings for all layers; some families give one to each kind of layer.
    static bool isPlainRotary(const JsonCursor& at)
    {
        const nlohmann::json& settings = at.raw();
        if (settings.is_object()
            && std::none_of(settings.begin(), settings.end(), [](const auto& value) { return value.is_object(); }))
            return true;
        at.fail(kRotaryNotPlain, {shownJson(settings)});
        return false;
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
            const auto* row
                = std::find_if(std::begin(kActivations), std::end(kActivations), [&](const NamedActivation& known) {
                      return known.activation == m_shape.activation && known.form == m_shape.activationForm;
                  });
            noteDefault(m_family.activationKey, std::string(row->name));
            return;
        }
        const JsonCursor at = m_root[m_family.activationKey];
        const std::string name = at.string();
        std::string known;
        for (const NamedActivation& row : kActivations) {
            if (row.name == name) {
                m_shape.activation = row.activation;
                m_shape.activationForm = row.form;
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
        if (error.where == "key_value_heads" && m_family.attention.groups)
            key = m_family.attention.groups;
        if (error.where == "head_width" && m_family.attention.headWidth)
            key = m_family.attention.headWidth;
        if (error.where == "sliding_window" && m_family.attention.window)
            key = m_family.attention.window;
        (m_root.has(key) ? m_root[key] : m_root).fail(*error.code, error.arguments);
    }

    const JsonCursor& m_root;
    const Family& m_family;
    ModelShape m_shape;
    std::vector<Message> m_notes;
};

} // namespace

ImportedModel readConfig(const JsonCursor& root, const Family& family, const std::string& name)
{
    ConfigReader reader(root, family);
    reader.read();
    reader.validate(name);
    return reader.take();
}

} // namespace remat
