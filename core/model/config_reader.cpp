// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_reader.h"

#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/model/activation_names.h"
#include "core/model/config_keys.h"
#include "core/model/rotary_keys.h"
#include "core/model/training_setup.h"
#include "core/model/window_layers.h"

namespace remat {

namespace {

constexpr MessageCode kChangesModel{"config-architecture-unsupported",
    REMAT_TR("{0} changes the architecture in a way that is not supported; only {1} is."),
    REMAT_TR("Set the key to {1} if that describes the model, or choose another model.")};
constexpr MessageCode kTwoValues{"config-two-values", REMAT_TR("The value {0} disagrees with {1}, which is {2}."),
    REMAT_TR("Keep one of the two keys.")};

constexpr MessageCode kFfnDefault{"config-ffn-default", REMAT_TR("{0} is not given: 4 x the width, {1}, is used."), ""};
constexpr MessageCode kPositionsFromContext{
    "config-positions-from-context", REMAT_TR("n_positions is not given: n_ctx, {0}, is used."), ""};
constexpr MessageCode kContextIgnored{
    "config-context-ignored", REMAT_TR("n_ctx is {0}; n_positions, {1}, counts."), ""};
constexpr MessageCode kKeyIgnored{
    "config-key-ignored", REMAT_TR("{0} is {1}, which the training step here does not depend on."), ""};
constexpr MessageCode kOtherHead{
    "config-other-head", REMAT_TR("The file names the class {0}; the training step of {1} is described."), ""};

/// Reads one config of a family and collects notes; mistakes go into the cursor.
class ConfigReader {
public:
    ConfigReader(const JsonCursor& root, const Family& family)
        : m_root(root),
          m_keys(root),
          m_family(family),
          m_shape(family.defaults)
    { }

    void read()
    {
        refuseUnsupported();
        for (const SizeKey& size : m_family.sizes)
            readSize(size);
        readHeads();
        readWindow(m_keys, m_family.attention, m_shape);
        readFfn();
        if (m_family.activationKey)
            setActivation(m_shape, m_keys, m_family.activationKey,
                m_keys.text(m_family.activationKey, activationName(m_shape).c_str()));
        if (m_family.epsilonKey)
            m_shape.normEpsilon = m_keys.number(m_family.epsilonKey, m_shape.normEpsilon);
        for (const DropoutKey& dropout : m_family.dropouts)
            readDropout(dropout);
        if (m_family.hasTieKey)
            m_shape.hasTiedHead = m_keys.flag("tie_word_embeddings", m_shape.hasTiedHead);
        for (const FlagKey& flag : m_family.flags)
            readFlag(flag);
        for (const NumberKey& number : m_family.numbers)
            m_shape.*number.field = m_keys.isNull(number.key) ? 0 : m_keys.number(number.key, m_shape.*number.field);
        if (m_shape.positions == PositionKind::Rotary)
            readRotary(m_keys, m_family.rotary, m_shape);
        // The rules of one family may divide by sizes: they come after mistakes in those.
        if (m_family.readOwnKeys && !m_root.failed())
            m_family.readOwnKeys(m_keys, m_shape);
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
    ImportedModel take() { return {std::move(m_shape), m_keys.takeNotes()}; }

private:
    void refuseUnsupported()
    {
        for (const FixedKey& fixed : m_family.fixed) {
            if (!m_keys.isGiven(fixed.key))
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
        const bool hasAlias = size.alias && m_keys.isGiven(size.alias);
        if (hasAlias)
            value = m_root[size.alias].integer(least, size.most);
        if (m_keys.isGiven(size.key)) {
            const std::int64_t ofAlias = value;
            value = m_root[size.key].integer(least, size.most);
            if (hasAlias && value != ofAlias)
                m_root[size.alias].fail(kTwoValues, {ofAlias, std::string(size.key), value});
        } else if (!hasAlias && !(size.field == &ModelShape::maxPositions && readContext(size))) {
            m_keys.noteDefault(size.key, std::to_string(value));
            return;
        }
        const bool isContextIdle
            = size.field == &ModelShape::maxPositions && isGptContextGiven() && m_keys.isGiven(size.key);
        if (isContextIdle && m_root["n_ctx"].raw() != value)
            m_keys.note({&kContextIgnored, {shownJson(m_root["n_ctx"].raw()), value}});
    }
    bool isGptContextGiven() const { return m_shape.modelType == "gpt2" && m_keys.isGiven("n_ctx"); }
    /// Configs of the first GPT-2 releases have n_ctx alone.
    bool readContext(const SizeKey& size)
    {
        if (!isGptContextGiven())
            return false;
        m_shape.maxPositions = m_root["n_ctx"].integer(1, size.most);
        m_keys.note({&kPositionsFromContext, {m_shape.maxPositions}});
        return true;
    }

    void readHeads()
    {
        const AttentionKeys& keys = m_family.attention;
        if (keys.groups && m_keys.isGiven(keys.groups)) {
            setGroups(m_shape, m_root[keys.groups].integer(1, kMaxWidth));
        } else if (keys.groups && !(keys.isNullGroupsAsHeads && m_keys.isNull(keys.groups))) {
            if (keys.groupsDefault > 0)
                setGroups(m_shape, keys.groupsDefault);
            m_keys.noteDefault(keys.groups, std::to_string(m_shape.groups()));
        }
        if (keys.headWidth && m_keys.isGiven(keys.headWidth)) {
            setHeadWidth(m_shape, m_root[keys.headWidth].integer(1, kMaxWidth));
        } else if (keys.headWidth && keys.headWidthDefault > 0) {
            setHeadWidth(m_shape, m_keys.integer(keys.headWidth, keys.headWidthDefault, 1, kMaxWidth));
        } else if (keys.headWidth && keys.isHeadWidthOwnKey && !m_keys.isNull(keys.headWidth)) {
            m_keys.noteDefault(keys.headWidth, std::to_string(m_shape.headWidth()));
        }
    }

    void readFfn()
    {
        if (m_family.ffnKey && m_keys.isGiven(m_family.ffnKey)) {
            m_shape.ffn = m_root[m_family.ffnKey].integer(1, kMaxFfn);
        } else if (m_family.ffnDefault == 0) {
            m_shape.ffn = 4 * m_shape.hidden;
            if (m_family.ffnKey)
                m_keys.note({&kFfnDefault, {std::string(m_family.ffnKey), m_shape.ffn}});
        } else {
            m_shape.ffn = m_family.ffnDefault;
            m_keys.noteDefault(m_family.ffnKey, std::to_string(m_shape.ffn));
        }
    }

    void readDropout(const DropoutKey& dropout)
    {
        const double probability = m_keys.number(dropout.key, m_shape.dropout.*dropout.fields[0]);
        for (double Dropouts::*field : dropout.fields)
            if (field)
                m_shape.dropout.*field = probability;
    }

    void readFlag(const FlagKey& flag)
    {
        const bool isSet = m_keys.flag(flag.key, m_shape.*flag.fields[0]);
        for (bool ModelShape::*field : flag.fields)
            if (field)
                m_shape.*field = isSet;
    }

    void noteIgnored()
    {
        for (const IgnoredKey& ignored : m_family.ignored)
            if (m_keys.isGiven(ignored.key) && m_root[ignored.key].raw() != nlohmann::json::parse(ignored.usual))
                m_keys.note({&kKeyIgnored, {std::string(ignored.key), shownJson(m_root[ignored.key].raw())}});
        if (!m_keys.isGiven("architectures") || !m_root["architectures"].raw().is_array())
            return;
        for (const nlohmann::json& name : m_root["architectures"].raw())
            if (name.is_string() && name.get_ref<const std::string&>() != m_family.modelClass) {
                m_keys.note({&kOtherHead, {shownJson(name), std::string(m_family.modelClass)}});
                return;
            }
    }

    /// The key of this file behind a field that validateShape() blames.
    std::string keyOf(const std::string& field) const
    {
        for (const SizeKey& size : m_family.sizes)
            if (field == size.fieldName)
                return m_keys.isGiven(size.key) || !size.alias ? size.key : size.alias;
        for (const DropoutKey& dropout : m_family.dropouts)
            if (field == dropout.fieldName)
                return dropout.key;
        const AttentionKeys& attention = m_family.attention;
        const std::pair<const char*, const char*> others[] = {
            {"norm_epsilon", m_family.epsilonKey},
            {"ffn", m_family.ffnKey},
            {"key_value_heads", attention.groups},
            {"head_width", attention.headWidth},
            {"sliding_window", attention.window},
            {"rotary_base", m_family.rotary.base},
            {"rotary_width", m_family.rotary.part ? m_family.rotary.part : "rotary_dim"},
            {"attention_softcap", "attn_logit_softcapping"},
            {"final_softcap", "final_logit_softcapping"},
            {"image.patch_height", "patch_size"},
            {"image.patch_width", "patch_size"},
            {"image", "patch_size"},
        };
        for (const auto& [name, key] : others)
            if (key && field == name)
                return key;
        return field;
    }

    void blame(const Error& error)
    {
        const std::string key = keyOf(error.where);
        (m_root.has(key) ? m_root[key] : m_root).fail(*error.code, error.arguments);
    }

    const JsonCursor& m_root;
    ConfigKeys m_keys;
    const Family& m_family;
    ModelShape m_shape;
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
