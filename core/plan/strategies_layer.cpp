// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/strategies_layer.h"

#include <algorithm>

namespace remat {

namespace {

template <class Claim> KeepSet opsWhere(const StageTape& tape, const Claim& claim)
{
    KeepSet ops = 0;
    for (std::size_t i = 0; i < tape.ops.size(); ++i)
        if (claim(tape.ops[i]))
            ops |= KeepSet{1} << i;
    return ops;
}

bool endsWithNorm(const StageTape& tape)
{
    return std::any_of(tape.ops.begin(), tape.ops.end(),
        [&](const Op& op) { return op.sublayer == Sublayer::Norm2 && op.writes[0] == tape.output; });
}

/// The whole layer from its input: Chen et al. 2016 (arXiv 1604.06174) with one segment a layer, which is also
/// gradient checkpointing of Hugging Face and Megatron's granularity "full" with one layer a group.
KeepSet wholeLayer(const StageTape& tape)
{
    return opsWhere(tape, [](const Op&) { return true; });
}

/// The FFN; a post-norm layer (BERT) together with the residual and norm that close it, as feed_forward_chunk of
/// Hugging Face's BERT does.
KeepSet ffn(const StageTape& tape)
{
    const bool isPost = endsWithNorm(tape);
    return opsWhere(tape, [&](const Op& op) {
        return op.sublayer == Sublayer::Ffn
            || (isPost && (op.sublayer == Sublayer::Residual2 || op.sublayer == Sublayer::Norm2));
    });
}

/// The attention; a post-norm layer together with the residual that closes it.
KeepSet attention(const StageTape& tape)
{
    const bool isPost = endsWithNorm(tape);
    return opsWhere(tape, [&](const Op& op) {
        return op.sublayer == Sublayer::Attention || (isPost && op.sublayer == Sublayer::Residual1);
    });
}

/// Selective recomputation of Korthikanti et al. 2022 (arXiv 2205.05198): the attention core alone.  That is the stored
/// probabilities, or the output of the blocked core.
KeepSet attentionCore(const StageTape& tape)
{
    return opsWhere(
        tape, [](const Op& op) { return op.kind == OpKind::Attention || op.kind == OpKind::AttentionProbs; });
}

/// llm.c, train_gpt2 -r 1: the output of the GELU, from the FFN's first product.
KeepSet llmcGelu(const StageTape& tape)
{
    return opsWhere(
        tape, [](const Op& op) { return op.kind == OpKind::Activation || op.kind == OpKind::GatedActivation; });
}

/// llm.c, train_gpt2 -r 2: the GELU and the outputs of the layer's norms.  llm.c keeps the norms' mean and rstd, which
/// here go and come with the outputs.  A norm that makes the layer's output stays: llm.c knows no such layer.
KeepSet llmcGeluAndNorms(const StageTape& tape)
{
    return llmcGelu(tape) | opsWhere(tape, [&](const Op& op) {
        const bool isNorm = op.kind == OpKind::LayerNorm || op.kind == OpKind::RmsNorm;
        return isNorm && op.writes[0] != tape.output;
    });
}

/// torchtitan's selective activation checkpointing of ops as it was with the option "op" and `mm_count % 2`
/// (torchtitan/distributed/activation_checkpoint.py; since then a list of names, sac_save_list, says what is saved):
/// keep what matrix products and fused attention make, except every second product counted from the layer's start.  Its
/// list names aten.mm, the product without bias of the models that it trains; a product with bias counts here too.
/// Attention with stored scores is batched products and a softmax, which are not on its list.  Turned queries and keys
/// stand for the product that they come from: what is turned again needs as many bytes.
KeepSet everySecondProduct(const StageTape& tape)
{
    int products = 0;
    return opsWhere(tape, [&](const Op& op) {
        products += op.kind == OpKind::Linear;
        const bool isProduct = op.kind == OpKind::Linear || op.kind == OpKind::Rotary;
        const bool isSaved = isProduct ? products % 2 == 1 : op.kind == OpKind::Attention;
        return !isSaved;
    });
}

} // namespace

KeepSet recomputedOps(Strategy::Kind kind, const StageTape& tape)
{
    switch (kind) {
    case Strategy::Kind::Full:
    case Strategy::Kind::EveryK:
    case Strategy::Kind::MegatronBlock:
        return wholeLayer(tape);
    case Strategy::Kind::FfnOnly:
    case Strategy::Kind::ArticleGreedy:
        return ffn(tape);
    case Strategy::Kind::AttentionOnly:
        return attention(tape);
    case Strategy::Kind::CoreAttention:
        return attentionCore(tape);
    case Strategy::Kind::LlmcR1:
        return llmcGelu(tape);
    case Strategy::Kind::LlmcR2:
        return llmcGeluAndNorms(tape);
    case Strategy::Kind::TorchtitanSelective:
        return everySecondProduct(tape);
    default:
        return 0;
    }
}

} // namespace remat
