// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/rotary_keys.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/json_text.h"
#include "core/base/text.h"

namespace remat {

namespace {

constexpr MessageCode kTwoBases{"config-two-rotary-values", REMAT_TR("The value {0} disagrees with {1}, which is {2}."),
    REMAT_TR("Keep one of the two keys.")};
constexpr MessageCode kRotaryScaled{"config-rotary-scaled",
    REMAT_TR("{0} is {1}: it changes the angles of the positions, not memory or time; plain angles are used."), ""};
constexpr MessageCode kUnknownRotary{"config-rotary-unsupported",
    REMAT_TR("Rotary positions of type \"{0}\" are not supported."), REMAT_TR("Supported are {1}.")};
constexpr MessageCode kRotaryNotPlain{"config-rotary-not-plain",
    REMAT_TR("Settings of rotary positions are one object for all layers here, not {0}."),
    REMAT_TR("Give one object with rope_type and rope_theta, or leave the key out.")};
constexpr MessageCode kBadPart{"config-rotary-part-unsupported",
    REMAT_TR("A turned part of {0} of a head that is {1} wide leaves no pair to turn."),
    REMAT_TR("Use a share of the head above 0 and at most 1, such as 0.5.")};

constexpr MessageCode kWholeHeads{"config-rotary-whole-heads",
    REMAT_TR("A share {0} of each head is to be turned, but models of this type turn whole heads."),
    REMAT_TR("Set the key to 1.0, or leave it out.")};

constexpr const char* kPartKey = "partial_rotary_factor";

/// The kinds of transformers' modeling_rope_utils.py; they differ in the angles alone.
constexpr std::string_view kRotaryTypes[] = {"default", "linear", "dynamic", "yarn", "longrope", "llama3"};
/// Phi3Config reads this older name as longrope.
constexpr std::string_view kOlderType = "su";

bool isPlain(const nlohmann::json& settings)
{
    return settings.is_object()
        && std::none_of(settings.begin(), settings.end(), [](const auto& value) { return value.is_object(); });
}

class RotaryReader {
public:
    RotaryReader(ConfigKeys& keys, const RotaryKeys& rotary, ModelShape& shape)
        : m_keys(keys),
          m_rotary(rotary),
          m_shape(shape)
    { }

    void read()
    {
        m_base = given(m_rotary.base);
        if (m_rotary.part)
            m_part = given(m_rotary.part);
        else
            refusePart(m_keys.root());
        for (const char* key : {"rope_scaling", "rope_parameters"})
            if (m_keys.isGiven(key))
                readSettings(key);
        if (m_rotary.base && !m_base)
            m_keys.noteDefault(m_rotary.base, shownJson(m_shape.rotaryBase));
        m_shape.rotaryBase = m_base.value_or(m_shape.rotaryBase);
        setPart();
    }

private:
    std::optional<double> given(const char* key)
    {
        return key && m_keys.isGiven(key) ? std::optional(m_keys[key].number()) : std::nullopt;
    }

    void readSettings(const char* key)
    {
        const JsonCursor at = m_keys[key];
        if (isPlain(at.raw()))
            readObject(key, at);
        else if (!m_rotary.isPerLayerKind || !at.raw().is_object())
            at.fail(kRotaryNotPlain, {shownJson(at.raw())});
        else if (at.has("full_attention") && !at["full_attention"].isNull())
            readObject(key, at["full_attention"]);
    }

    void readObject(const char* key, const JsonCursor& at)
    {
        if (!at.raw().is_object())
            return at.fail(kRotaryNotPlain, {shownJson(at.raw())});
        agree(at, "rope_theta", m_rotary.base, m_base);
        if (m_rotary.part)
            agree(at, kPartKey, m_rotary.part, m_part);
        else
            refusePart(at);
        const auto isGiven = [&](const char* name) { return at.has(name) && !at[name].isNull(); };
        const char* typeKey = isGiven("rope_type") ? "rope_type" : "type";
        const std::string type = isGiven(typeKey) ? at[typeKey].string() : "default";
        const bool isKnown = type == kOlderType
            || std::find(std::begin(kRotaryTypes), std::end(kRotaryTypes), type) != std::end(kRotaryTypes);
        if (!isKnown)
            at[typeKey].fail(kUnknownRotary,
                {shortened(type),
                    joined(std::vector<std::string>(std::begin(kRotaryTypes), std::end(kRotaryTypes)), ", ")});
        else if (type != "default")
            m_keys.note({&kRotaryScaled, {std::string(key), type}});
    }

    /// The modelling code of such a family turns whole heads whatever the key says.
    static void refusePart(const JsonCursor& at)
    {
        if (at.has(kPartKey) && !at[kPartKey].isNull() && at[kPartKey].number() != 1)
            at[kPartKey].fail(kWholeHeads, {at[kPartKey].number()});
    }

    void agree(const JsonCursor& at, const char* name, const char* outer, std::optional<double>& value)
    {
        if (!at.has(name) || at[name].isNull())
            return;
        const double nested = at[name].number();
        if (value && *value != nested)
            at[name].fail(kTwoBases, {nested, std::string(outer ? outer : name), *value});
        value = nested;
    }

    /// As in the modelling code, int(head width x part) and one more where that is odd: pairs are turned.
    void setPart()
    {
        if (!m_rotary.part)
            return;
        if (!m_part && m_rotary.partDefault != 1)
            m_keys.noteDefault(m_rotary.part, shownJson(m_rotary.partDefault));
        const double part = m_part.value_or(m_rotary.partDefault);
        const double width = static_cast<double>(m_shape.headWidth()) * part;
        const bool isGood = part > 0 && part <= 1 && width >= 1;
        if (!isGood && m_shape.headWidth() >= 2) {
            const JsonCursor& root = m_keys.root();
            (root.has(m_rotary.part) ? root[m_rotary.part] : root).fail(kBadPart, {part, m_shape.headWidth()});
            return;
        }
        const auto whole = static_cast<std::int64_t>(width);
        m_shape.rotaryWidth = part == 1 ? 0 : whole + whole % 2;
    }

    ConfigKeys& m_keys;
    const RotaryKeys& m_rotary;
    ModelShape& m_shape;
    std::optional<double> m_base, m_part;
};

} // namespace

void readRotary(ConfigKeys& keys, const RotaryKeys& rotary, ModelShape& shape)
{
    RotaryReader(keys, rotary, shape).read();
}

} // namespace remat
