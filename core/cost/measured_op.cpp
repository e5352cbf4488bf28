// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/measured_op.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/text.h"
#include "core/cost/cost_json.h"
#include "core/model/names.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr const char* kCorrect = REMAT_TR("Correct the file, or measure again with \"remat profile\".");
constexpr MessageCode kUnknownKind{
    "measured-op-kind-unknown", REMAT_TR("There is no kind of op \"{0}\"."), REMAT_TR("Use one of: {1}.")};
constexpr MessageCode kUnknownStorage{
    "measured-op-storage-unknown", REMAT_TR("No op stores \"{0}\"."), REMAT_TR("Use \"fp32\" or \"bf16\".")};
constexpr MessageCode kBadFactor{"measured-op-size-out-of-bounds", REMAT_TR("{0} is outside {1} to {2}."), kCorrect};
constexpr MessageCode kUnknownKey{
    "measured-op-key-unknown", REMAT_TR("An op has no key \"{0}\"."), REMAT_TR("Use one of: {1}.")};
constexpr MessageCode kTwice{"measured-op-twice", REMAT_TR("This op is measured a second time here."), kCorrect};

/// In the order of OpKind.
constexpr std::array<std::string_view, 14> kKinds{"embedding", "layer_norm", "rms_norm", "linear", "rotary",
    "attention", "attention_probs", "attention_context", "activation", "gated_activation", "dropout", "add",
    "cross_entropy", "chunked_head"};
static_assert(static_cast<std::size_t>(OpKind::ChunkedHead) + 1 == kKinds.size());

template <class Field> struct Named {
    const char* key;
    Field OpDims::*field;
};
constexpr Named<std::int64_t> kSizes[]
    = {{"rows", &OpDims::rows}, {"in", &OpDims::in}, {"out", &OpDims::out}, {"batch", &OpDims::batch},
        {"sequence", &OpDims::sequence}, {"heads", &OpDims::heads}, {"key_value_heads", &OpDims::keyValueHeads},
        {"head_width", &OpDims::headWidth}, {"vocabulary", &OpDims::vocabulary}, {"positions", &OpDims::positions},
        {"token_types", &OpDims::tokenTypes}, {"chunks", &OpDims::chunks}};
constexpr Named<bool> kClaims[] = {{"causal", &OpDims::isCausal}, {"weight_is_out_in", &OpDims::weightIsOutIn}};
constexpr Named<double> kFactors[]
    = {{"dropout", &OpDims::dropout}, {"epsilon", &OpDims::epsilon}, {"rotary_base", &OpDims::rotaryBase}};
constexpr double kGreatestFactor = 1e12;

json opJson(const MeasuredOp& op)
{
    const OpDims none;
    json object{{"kind", kKinds[static_cast<std::size_t>(op.kind)]}, {"storage", toName(op.storage)},
        {"forward_ns", op.forward.value}, {"backward_ns", op.backward.value}};
    const auto add = [&](const auto& names) {
        for (const auto& name : names)
            if (op.dims.*name.field != none.*name.field)
                object[name.key] = op.dims.*name.field;
    };
    add(kSizes);
    add(kClaims);
    add(kFactors);
    if (op.dims.activation != none.activation)
        object["activation"] = toName(op.dims.activation);
    return object;
}

double readFactor(const JsonCursor& at)
{
    const double factor = at.number();
    if (!(factor >= 0 && factor <= kGreatestFactor))
        at.fail(kBadFactor, {factor, 0.0, kGreatestFactor});
    return factor;
}

OpDims readDims(const JsonCursor& at)
{
    OpDims dims;
    for (const auto& [key, field] : kSizes)
        if (at.has(key))
            dims.*field = at[key].integer(0, kMaxQuantity);
    for (const auto& [key, field] : kClaims)
        if (at.has(key))
            dims.*field = at[key].boolean();
    for (const auto& [key, field] : kFactors)
        if (at.has(key))
            dims.*field = readFactor(at[key]);
    if (at.has("activation"))
        dims.activation = readName<Activation>(at["activation"]);
    return dims;
}

/// A misspelt size would be read as 0, and the op never found.
std::vector<std::string> opKeys()
{
    std::vector<std::string> keys{"kind", "storage", "forward_ns", "backward_ns"};
    const auto add = [&](const auto& names) {
        for (const auto& name : names)
            keys.emplace_back(name.key);
    };
    add(kSizes);
    add(kClaims);
    add(kFactors);
    keys.emplace_back("activation");
    return keys;
}

MeasuredOp readOp(const JsonCursor& at)
{
    requireKnownKeys(at, opKeys(), kUnknownKey);
    MeasuredOp op;
    const std::string kind = at["kind"].string(), storage = at["storage"].string();
    if (const auto found = std::find(kKinds.begin(), kKinds.end(), kind); found != kKinds.end())
        op.kind = static_cast<OpKind>(found - kKinds.begin());
    else
        at["kind"].fail(kUnknownKind, {shortened(kind), joined({kKinds.begin(), kKinds.end()}, ", ")});
    op.storage = storage == toName(ElementType::Bf16) ? ElementType::Bf16 : ElementType::Fp32;
    if (storage != toName(op.storage))
        at["storage"].fail(kUnknownStorage, {shortened(storage)});
    op.dims = readDims(at);
    op.forward = {at["forward_ns"].integer(0, kLongestMeasuredOp.value)};
    op.backward = {at["backward_ns"].integer(0, kLongestMeasuredOp.value)};
    return op;
}

} // namespace

const MeasuredOp* findMeasuredOp(const std::vector<MeasuredOp>& ops, const Op& op, ElementType storage)
{
    const auto found = std::find_if(
        ops.begin(), ops.end(), [&](const MeasuredOp& row) { return row.isAlike(op.kind, op.dims, storage); });
    return found == ops.end() ? nullptr : &*found;
}

json toJson(const std::vector<MeasuredOp>& ops)
{
    json list = json::array();
    for (const MeasuredOp& op : ops)
        list.push_back(opJson(op));
    return list;
}

std::vector<MeasuredOp> readMeasuredOps(const JsonCursor& at)
{
    std::vector<MeasuredOp> ops;
    for (const JsonCursor& row : at.elements(kMostMeasuredOps)) {
        MeasuredOp op = readOp(row);
        const bool isThere = std::any_of(ops.begin(), ops.end(),
            [&](const MeasuredOp& other) { return other.isAlike(op.kind, op.dims, op.storage); });
        if (isThere)
            row.fail(kTwice);
        ops.push_back(op);
    }
    return ops;
}

} // namespace remat
