// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/chain_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/checked.h"
#include "core/base/files.h"
#include "core/base/json_cursor.h"

namespace remat {

namespace {

constexpr MessageCode kNoStages{"chain-no-stages", REMAT_TR("The chain has no stages."),
    REMAT_TR("Give it at least one stage; a model's chain is printed by \"remat chain\".")};
constexpr MessageCode kNoOptions{"chain-no-options", REMAT_TR("Stage {0} has no options."),
    REMAT_TR("Give it at least one way to run: what it keeps, and what its backward then costs.")};
constexpr MessageCode kTooManyOptions{"chain-too-many-options", REMAT_TR("The chain has more than {0} options in all."),
    REMAT_TR("Drop options that others beat, or merge stages.")};
constexpr MessageCode kReservedOption{"chain-reserved-option",
    REMAT_TR("An option is called \"none\", which schedules use for a forward that keeps nothing."),
    REMAT_TR("Rename the option.")};
constexpr MessageCode kDoubleOption{"chain-double-option", REMAT_TR("Two options of stage {0} are called \"{1}\"."),
    REMAT_TR("Give every option of a stage its own name.")};
constexpr MessageCode kKindDiffers{"chain-kind-differs",
    REMAT_TR("Stages {0} and {1} are both of kind \"{2}\" but their numbers differ."),
    REMAT_TR("Stages of one kind must be identical; rename one kind or leave it out.")};
constexpr MessageCode kLossGradient{"chain-loss-gradient",
    REMAT_TR("The last stage has a gradient of {0} with respect to its output; it must be 0."),
    REMAT_TR("The last stage computes the loss, so nothing feeds a gradient into it.")};
constexpr MessageCode kSmallBackwardTemp{"chain-small-backward-temp",
    REMAT_TR("backward_temp_bytes is {0}, but what this backward makes beyond what it frees is {1}."),
    REMAT_TR("The temporary bytes of a backward include the gradients that it makes.")};
constexpr MessageCode kSumTooLarge{"chain-sum-too-large", REMAT_TR("The {0} of the chain add up to more than 2^61."),
    REMAT_TR("Use smaller numbers; sizes are in bytes and times in nanoseconds.")};

Option readOption(const JsonCursor& cursor)
{
    Option option;
    option.name = cursor["name"].string();
    option.savedBytes = cursor["saved_bytes"].bytes();
    option.needsInput = cursor["needs_input"].boolean();
    option.needsOutput = cursor["needs_output"].boolean();
    option.forwardTempBytes = cursor["forward_temp_bytes"].bytes();
    option.backwardTime = cursor["backward_ns"].nanoseconds();
    option.backwardTempBytes = cursor["backward_temp_bytes"].bytes();
    if (cursor.has("reruns"))
        option.reruns = cursor["reruns"].integer(0, kMaxQuantity);
    return option;
}

Stage readStage(const JsonCursor& cursor, std::size_t& optionsLeft)
{
    Stage stage;
    stage.name = cursor["name"].string();
    if (cursor.has("kind"))
        stage.kind = cursor["kind"].string();
    stage.outBytes = cursor["out_bytes"].bytes();
    stage.gradBytes = cursor["grad_bytes"].bytes();
    stage.weightGradBytes = cursor["weight_grad_bytes"].bytes();
    stage.forwardTime = cursor["forward_ns"].nanoseconds();
    stage.forwardTempBytes = cursor["forward_temp_bytes"].bytes();
    if (cursor.has("runs_once"))
        stage.runsOnce = cursor["runs_once"].boolean();

    const JsonCursor list = cursor["options"];
    const std::vector<JsonCursor> options = list.elements();
    if (options.empty())
        list.fail(kNoOptions, {stage.name});
    if (options.size() > optionsLeft) {
        list.fail(kTooManyOptions, {static_cast<std::int64_t>(kMaxChainOptions)});
        return stage;
    }
    optionsLeft -= options.size();
    std::set<std::string> names;
    for (const JsonCursor& one : options) {
        stage.options.push_back(readOption(one));
        const std::string& name = stage.options.back().name;
        if (name == "none")
            one["name"].fail(kReservedOption);
        else if (!names.insert(name).second)
            one["name"].fail(kDoubleOption, {stage.name, name});
    }
    return stage;
}

bool haveSameNumbers(const Stage& a, const Stage& b)
{
    return a.outBytes == b.outBytes && a.gradBytes == b.gradBytes && a.weightGradBytes == b.weightGradBytes
        && a.forwardTime == b.forwardTime && a.forwardTempBytes == b.forwardTempBytes && a.options == b.options;
}

void checkKinds(const Chain& chain, const std::vector<JsonCursor>& cursors)
{
    std::map<std::string, std::size_t> firstOfKind;
    for (std::size_t i = 0; i < chain.stages.size(); ++i) {
        const Stage& stage = chain.stages[i];
        if (stage.kind.empty())
            continue;
        const auto [found, isFirst] = firstOfKind.emplace(stage.kind, i);
        const Stage& other = chain.stages[found->second];
        if (!isFirst && !haveSameNumbers(stage, other))
            cursors[i].fail(kKindDiffers, {other.name, stage.name, stage.kind});
    }
}

/// A sum of untrusted, non-negative numbers that remembers when it left the range.
class CheckedSum {
public:
    void add(std::int64_t value)
    {
        if (m_sum)
            m_sum = checkedAdd(*m_sum, value);
    }
    bool isTooLarge() const { return !m_sum; }

private:
    std::optional<std::int64_t> m_sum = 0;
};

void checkSums(const Chain& chain, const JsonCursor& root)
{
    CheckedSum bytes;
    CheckedSum times;
    CheckedSum reruns;
    std::int64_t largestTemp = 0;
    bytes.add(chain.baseBytes.value);
    bytes.add(chain.stepEndBytes.value);
    for (const Stage& stage : chain.stages) {
        Option most;
        largestTemp = std::max(largestTemp, stage.forwardTempBytes.value);
        for (const Option& option : stage.options) {
            most.savedBytes = std::max(most.savedBytes, option.savedBytes);
            most.backwardTime = std::max(most.backwardTime, option.backwardTime);
            most.reruns = std::max(most.reruns, option.reruns);
            largestTemp = std::max({largestTemp, option.forwardTempBytes.value, option.backwardTempBytes.value});
        }
        for (const Bytes part : {stage.outBytes, stage.gradBytes, stage.weightGradBytes, most.savedBytes})
            bytes.add(part.value);
        times.add(stage.forwardTime.value);
        times.add(most.backwardTime.value);
        reruns.add(most.reruns);
    }
    bytes.add(largestTemp);
    if (bytes.isTooLarge())
        root.fail(kSumTooLarge, {std::string("bytes")});
    if (times.isTooLarge())
        root.fail(kSumTooLarge, {std::string("times")});
    if (reruns.isTooLarge())
        root.fail(kSumTooLarge, {std::string("reruns")});
}

/// What a backward makes beyond what it frees exists at its end, so its temporary bytes cannot be less.
void checkBackwardTemps(const Chain& chain, const std::vector<JsonCursor>& cursors)
{
    for (std::size_t i = 0; i < chain.stages.size(); ++i) {
        const Stage& stage = chain.stages[i];
        const Bytes made = stage.weightGradBytes + (i == 0 ? Bytes{} : chain.stages[i - 1].gradBytes);
        for (std::size_t o = 0; o < stage.options.size(); ++o) {
            const Option& option = stage.options[o];
            const Bytes least = made - stage.gradBytes - option.savedBytes;
            if (option.backwardTempBytes < least)
                cursors[i]["options"].elements()[o]["backward_temp_bytes"].fail(
                    kSmallBackwardTemp, {option.backwardTempBytes, least});
        }
    }
}

} // namespace

Chain readChain(const JsonCursor& object)
{
    Chain chain;
    object.requireFormat("remat-chain", 1);
    if (object.failed())
        return chain;
    chain.name = object["name"].string();
    chain.baseBytes = object["base_bytes"].bytes();
    if (object.has("step_end_bytes"))
        chain.stepEndBytes = object["step_end_bytes"].bytes();
    const JsonCursor list = object["stages"];
    const std::vector<JsonCursor> cursors = list.elements(kMaxChainStages);
    if (cursors.empty())
        list.fail(kNoStages);
    std::size_t optionsLeft = kMaxChainOptions;
    for (const JsonCursor& cursor : cursors) {
        chain.stages.push_back(readStage(cursor, optionsLeft));
        if (object.failed())
            return chain;
    }
    if (object.failed())
        return chain;
    if (const Bytes last = chain.stages.back().gradBytes; last != Bytes{})
        cursors.back()["grad_bytes"].fail(kLossGradient, {last});
    checkSums(chain, object);
    if (!object.failed()) {
        checkBackwardTemps(chain, cursors);
        checkKinds(chain, cursors);
    }
    return chain;
}

Result<Chain> parseChain(std::string_view text, const std::string& where)
{
    const Result<nlohmann::json> json = parseJson(text, where);
    if (!json)
        return json.error();
    const JsonCursor root(*json, where);
    Chain chain = readChain(root);
    if (root.failed())
        return root.error();
    return chain;
}

Result<Chain> readChain(const std::string& path)
{
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    return parseChain(*text, path);
}

nlohmann::json toJson(const Chain& chain)
{
    nlohmann::json stages = nlohmann::json::array();
    for (const Stage& stage : chain.stages) {
        nlohmann::json options = nlohmann::json::array();
        for (const Option& option : stage.options) {
            nlohmann::json one = {{"name", option.name}, {"saved_bytes", option.savedBytes.value},
                {"needs_input", option.needsInput}, {"needs_output", option.needsOutput},
                {"forward_temp_bytes", option.forwardTempBytes.value}, {"backward_ns", option.backwardTime.value},
                {"backward_temp_bytes", option.backwardTempBytes.value}};
            if (option.reruns != 0)
                one["reruns"] = option.reruns;
            options.push_back(std::move(one));
        }
        nlohmann::json one
            = {{"name", stage.name}, {"out_bytes", stage.outBytes.value}, {"grad_bytes", stage.gradBytes.value},
                {"weight_grad_bytes", stage.weightGradBytes.value}, {"forward_ns", stage.forwardTime.value},
                {"forward_temp_bytes", stage.forwardTempBytes.value}, {"options", std::move(options)}};
        if (!stage.kind.empty())
            one["kind"] = stage.kind;
        if (stage.runsOnce)
            one["runs_once"] = true;
        stages.push_back(std::move(one));
    }
    nlohmann::json json = {{"format", "remat-chain"}, {"version", 1}, {"name", chain.name},
        {"base_bytes", chain.baseBytes.value}, {"stages", std::move(stages)}};
    if (chain.stepEndBytes != Bytes{})
        json["step_end_bytes"] = chain.stepEndBytes.value;
    return json;
}

} // namespace remat
