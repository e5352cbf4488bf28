// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/names.h"

#include <algorithm>
#include <optional>
#include <span>

#include "core/base/json_cursor.h"
#include "core/base/text.h"

namespace remat {

namespace {

constexpr MessageCode kUnknown{"unknown-name", REMAT_TR("\"{0}\" is unknown here."), REMAT_TR("Use one of: {1}.")};
constexpr MessageCode kOfOther{"name-of-absent-profile",
    REMAT_TR("\"{0}\" belongs to the profiles pytorch and paper, which this cannot use."),
    REMAT_TR("Use one of: {1}.")};

template <class E> struct Named {
    E value;
    std::string_view name;
};

/// The names of one enumeration, in the order of its values.
template <class E> constexpr std::span<const Named<E>> kNames{};
/// Names that only other profiles have (app/cli/torch_choice.h, app/cli/paper_choice.h).
template <class E> constexpr std::span<const std::string_view> kOtherNames{};

constexpr Named<Profile> kProfiles[] = {{Profile::Runtime, "runtime"}, {Profile::Article, "article"}};
template <> constexpr std::span<const Named<Profile>> kNames<Profile> = kProfiles;
constexpr std::string_view kOtherProfiles[] = {"pytorch", "paper"};
template <> constexpr std::span<const std::string_view> kOtherNames<Profile> = kOtherProfiles;

constexpr Named<AttentionKind> kAttentions[] = {{AttentionKind::Blocked, "sdpa"}, {AttentionKind::Stored, "eager"}};
template <> constexpr std::span<const Named<AttentionKind>> kNames<AttentionKind> = kAttentions;

constexpr Named<LossKind> kLosses[]
    = {{LossKind::CrossEntropy, "cross_entropy"}, {LossKind::ChunkedCrossEntropy, "chunked_cross_entropy"}};
template <> constexpr std::span<const Named<LossKind>> kNames<LossKind> = kLosses;
constexpr std::string_view kOtherLosses[] = {"lm_hf", "mlm_hf", "logits_sum"};
template <> constexpr std::span<const std::string_view> kOtherNames<LossKind> = kOtherLosses;

constexpr Named<OptimizerKind> kOptimizers[]
    = {{OptimizerKind::None, "none"}, {OptimizerKind::Sgd, "sgd"}, {OptimizerKind::AdamW, "adamw"}};
template <> constexpr std::span<const Named<OptimizerKind>> kNames<OptimizerKind> = kOptimizers;
constexpr std::string_view kOtherOptimizers[] = {"sgd-momentum", "adamw-fused", "adafactor", "adamw-8bit"};
template <> constexpr std::span<const std::string_view> kOtherNames<OptimizerKind> = kOtherOptimizers;

constexpr Named<VariantChoice> kVariants[] = {{VariantChoice::Fixed, "fixed"}, {VariantChoice::Auto, "auto"}};
template <> constexpr std::span<const Named<VariantChoice>> kNames<VariantChoice> = kVariants;

constexpr Named<Precision> kPrecisions[]
    = {{Precision::Fp32, "fp32"}, {Precision::Half, "half"}, {Precision::Amp, "amp"}};
template <> constexpr std::span<const Named<Precision>> kNames<Precision> = kPrecisions;

constexpr Named<NormPlace> kNormPlaces[] = {{NormPlace::Pre, "pre"}, {NormPlace::Post, "post"},
    {NormPlace::Sandwich, "sandwich"}, {NormPlace::Branch, "branch"}};
template <> constexpr std::span<const Named<NormPlace>> kNames<NormPlace> = kNormPlaces;

constexpr Named<NormKind> kNorms[] = {{NormKind::LayerNorm, "layer_norm"}, {NormKind::RmsNorm, "rms_norm"},
    {NormKind::RmsNormPlusOne, "rms_norm_plus_one"}};
template <> constexpr std::span<const Named<NormKind>> kNames<NormKind> = kNorms;

constexpr Named<BlockKind> kBlocks[] = {{BlockKind::Serial, "serial"}, {BlockKind::Parallel, "parallel"},
    {BlockKind::ParallelTwoNorms, "parallel_two_norms"}};
template <> constexpr std::span<const Named<BlockKind>> kNames<BlockKind> = kBlocks;

constexpr Named<PositionKind> kPositions[] = {{PositionKind::Learned, "learned"}, {PositionKind::Rotary, "rotary"},
    {PositionKind::Alibi, "alibi"}, {PositionKind::RelativeBias, "relative_bias"}};
template <> constexpr std::span<const Named<PositionKind>> kNames<PositionKind> = kPositions;

constexpr Named<QkNorm> kQkNorms[] = {{QkNorm::None, "none"}, {QkNorm::Head, "head"}, {QkNorm::Width, "width"}};
template <> constexpr std::span<const Named<QkNorm>> kNames<QkNorm> = kQkNorms;

constexpr Named<Activation> kActivations[] = {{Activation::Gelu, "gelu"}, {Activation::GeluTanh, "gelu_tanh"},
    {Activation::Relu, "relu"}, {Activation::Silu, "silu"}, {Activation::QuickGelu, "quick_gelu"}};
template <> constexpr std::span<const Named<Activation>> kNames<Activation> = kActivations;

constexpr Named<ActivationForm> kForms[] = {{ActivationForm::Fused, "fused"}, {ActivationForm::GeluNew, "gelu_new"},
    {ActivationForm::GeluFast, "gelu_fast"}, {ActivationForm::BloomGelu, "bloom_gelu"}};
template <> constexpr std::span<const Named<ActivationForm>> kNames<ActivationForm> = kForms;

constexpr Named<FfnKind> kFfns[] = {{FfnKind::Plain, "plain"}, {FfnKind::Gated, "gated"}};
template <> constexpr std::span<const Named<FfnKind>> kNames<FfnKind> = kFfns;

constexpr Named<HeadKind> kHeads[] = {{HeadKind::CausalLm, "causal_lm"}, {HeadKind::MaskedLm, "masked_lm"},
    {HeadKind::ImageClassifier, "image_classifier"}, {HeadKind::SeqToSeqLm, "seq_to_seq_lm"}};
template <> constexpr std::span<const Named<HeadKind>> kNames<HeadKind> = kHeads;

constexpr Named<BranchDropout> kBranchDropouts[]
    = {{BranchDropout::Residual, "residual"}, {BranchDropout::Attention, "attention"}, {BranchDropout::None, "none"}};
template <> constexpr std::span<const Named<BranchDropout>> kNames<BranchDropout> = kBranchDropouts;

template <class E> std::string_view nameOf(E value)
{
    return kNames<E>[static_cast<std::size_t>(value)].name;
}

template <class E> constexpr bool isOrdered()
{
    for (std::size_t i = 0; i < kNames<E>.size(); ++i)
        if (static_cast<std::size_t>(kNames<E>[i].value) != i)
            return false;
    return !kNames<E>.empty();
}

template <class E> std::optional<E> find(std::string_view name)
{
    static_assert(isOrdered<E>());
    for (const Named<E>& row : kNames<E>)
        if (row.name == name)
            return row.value;
    return std::nullopt;
}

template <class E> bool isOfOther(std::string_view name)
{
    return std::find(kOtherNames<E>.begin(), kOtherNames<E>.end(), name) != kOtherNames<E>.end();
}

} // namespace

std::string_view toName(Profile value)
{
    return nameOf(value);
}
std::string_view toName(AttentionKind value)
{
    return nameOf(value);
}
std::string_view toName(LossKind value)
{
    return nameOf(value);
}
std::string_view toName(OptimizerKind value)
{
    return nameOf(value);
}
std::string_view toName(VariantChoice value)
{
    return nameOf(value);
}
std::string_view toName(Precision value)
{
    return nameOf(value);
}
std::string_view toName(NormPlace value)
{
    return nameOf(value);
}
std::string_view toName(NormKind value)
{
    return nameOf(value);
}
std::string_view toName(PositionKind value)
{
    return nameOf(value);
}
std::string_view toName(FfnKind value)
{
    return nameOf(value);
}
std::string_view toName(Activation value)
{
    return nameOf(value);
}
std::string_view toName(HeadKind value)
{
    return nameOf(value);
}
std::string_view toName(BlockKind value)
{
    return nameOf(value);
}
std::string_view toName(QkNorm value)
{
    return nameOf(value);
}
std::string_view toName(ActivationForm value)
{
    return nameOf(value);
}
std::string_view toName(BranchDropout value)
{
    return nameOf(value);
}

template <class E> std::string knownNames()
{
    std::string list;
    for (const Named<E>& row : kNames<E>)
        list += (list.empty() ? "" : ", ") + std::string(row.name);
    return list;
}

template <class E> Result<E> fromName(std::string_view name)
{
    if (const std::optional<E> value = find<E>(name))
        return *value;
    return Error{isOfOther<E>(name) ? &kOfOther : &kUnknown, "", {shortened(name), knownNames<E>()}, ExitCode::Usage};
}

template <class E> E readName(const JsonCursor& at)
{
    const std::string name = at.string();
    const std::optional<E> value = find<E>(name);
    if (!value)
        at.fail(isOfOther<E>(name) ? kOfOther : kUnknown, {shortened(name), knownNames<E>()});
    return value.value_or(E{});
}

#define REMAT_NAMES_OF(E)                                                                                              \
    template std::string knownNames<E>();                                                                              \
    template Result<E> fromName<E>(std::string_view);                                                                  \
    template E readName<E>(const JsonCursor&);
REMAT_NAMES_OF(Profile)
REMAT_NAMES_OF(AttentionKind)
REMAT_NAMES_OF(LossKind)
REMAT_NAMES_OF(OptimizerKind)
REMAT_NAMES_OF(VariantChoice)
REMAT_NAMES_OF(Precision)
REMAT_NAMES_OF(NormPlace)
REMAT_NAMES_OF(NormKind)
REMAT_NAMES_OF(PositionKind)
REMAT_NAMES_OF(Activation)
REMAT_NAMES_OF(FfnKind)
REMAT_NAMES_OF(HeadKind)
REMAT_NAMES_OF(BlockKind)
REMAT_NAMES_OF(QkNorm)
REMAT_NAMES_OF(ActivationForm)
REMAT_NAMES_OF(BranchDropout)
#undef REMAT_NAMES_OF

} // namespace remat
