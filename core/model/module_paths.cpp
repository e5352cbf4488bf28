// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/module_paths.h"

#include <string_view>

#include "core/model/model_shape.h"

namespace remat {

namespace {

// modeling_bert.py, BertForMaskedLM; modeling_roberta.py and modeling_electra.py name the layers' modules alike.
constexpr const char* kBertQkv[] = {"attention.self.query", "attention.self.key", "attention.self.value"};
constexpr ModulePaths bertLayers()
{
    return {.attention = "attention",
        .norm1 = "attention.output.LayerNorm",
        .norm2 = "output.LayerNorm",
        .qkv = kBertQkv,
        .attentionOut = "attention.output.dense",
        .ffnUp = "intermediate.dense",
        .ffnDown = "output.dense"};
}
constexpr ModulePaths kBert = [] {
    ModulePaths paths = bertLayers();
    paths.embedding = "bert.embeddings";
    paths.layers = "bert.encoder.layer.";
    paths.head = "cls.predictions";
    paths.tokenTable = "word_embeddings";
    paths.positionTable = "position_embeddings";
    paths.typeTable = "token_type_embeddings";
    paths.embeddingNorm = "LayerNorm";
    paths.headDense = "transform.dense";
    paths.headNorm = "transform.LayerNorm";
    paths.logits = "decoder";
    paths.headBias = "bias";
    paths.positionIds = "bert.embeddings.position_ids";
    paths.typeIds = "bert.embeddings.token_type_ids";
    return paths;
}();
// RobertaForMaskedLM
constexpr ModulePaths kRoberta = [] {
    ModulePaths paths = kBert;
    paths.embedding = "roberta.embeddings";
    paths.layers = "roberta.encoder.layer.";
    paths.head = "lm_head";
    paths.headDense = "dense";
    paths.headNorm = "layer_norm";
    paths.positionIds = "roberta.embeddings.position_ids";
    paths.typeIds = "roberta.embeddings.token_type_ids";
    return paths;
}();
// ElectraForMaskedLM, the generator: the head's parts stand in two modules beside each other.
constexpr ModulePaths kElectra = [] {
    ModulePaths paths = bertLayers();
    paths.embedding = "electra";
    paths.layers = "electra.encoder.layer.";
    paths.tokenTable = "embeddings.word_embeddings";
    paths.positionTable = "embeddings.position_embeddings";
    paths.typeTable = "embeddings.token_type_embeddings";
    paths.embeddingNorm = "embeddings.LayerNorm";
    paths.embeddingProjection = "embeddings_project";
    paths.headDense = "generator_predictions.dense";
    paths.headNorm = "generator_predictions.LayerNorm";
    paths.logits = "generator_lm_head";
    paths.positionIds = "electra.embeddings.position_ids";
    paths.typeIds = "electra.embeddings.token_type_ids";
    return paths;
}();
// DistilBertForMaskedLM
constexpr const char* kDistilBertQkv[] = {"attention.q_lin", "attention.k_lin", "attention.v_lin"};
constexpr ModulePaths kDistilBert{.embedding = "distilbert.embeddings",
    .layers = "distilbert.transformer.layer.",
    .tokenTable = "word_embeddings",
    .positionTable = "position_embeddings",
    .embeddingNorm = "LayerNorm",
    .attention = "attention",
    .ffn = "ffn",
    .norm1 = "sa_layer_norm",
    .norm2 = "output_layer_norm",
    .qkv = kDistilBertQkv,
    .attentionOut = "attention.out_lin",
    .ffnUp = "ffn.lin1",
    .ffnDown = "ffn.lin2",
    .headDense = "vocab_transform",
    .headNorm = "vocab_layer_norm",
    .logits = "vocab_projector",
    .positionIds = "distilbert.embeddings.position_ids"};

// GPT2LMHeadModel: the final norm stands in the transformer, the head beside it.
constexpr const char* kGpt2Qkv[] = {"attn.c_attn"};
constexpr ModulePaths kGpt2{.embedding = "transformer",
    .layers = "transformer.h.",
    .tokenTable = "wte",
    .positionTable = "wpe",
    .attention = "attn",
    .ffn = "mlp",
    .norm1 = "ln_1",
    .norm2 = "ln_2",
    .qkv = kGpt2Qkv,
    .attentionOut = "attn.c_proj",
    .ffnUp = "mlp.c_fc",
    .ffnDown = "mlp.c_proj",
    .headNorm = "transformer.ln_f",
    .logits = "lm_head"};
// GPTNeoForCausalLM
constexpr const char* kGptNeoQkv[] = {"attn.attention.q_proj", "attn.attention.k_proj", "attn.attention.v_proj"};
constexpr ModulePaths kGptNeo = [] {
    ModulePaths paths = kGpt2;
    paths.qkv = kGptNeoQkv;
    paths.attentionOut = "attn.attention.out_proj";
    paths.causalMask = "attn.attention.bias";
    return paths;
}();
// GPTJForCausalLM
constexpr const char* kGptjQkv[] = {"attn.q_proj", "attn.k_proj", "attn.v_proj"};
constexpr ModulePaths kGptj = [] {
    ModulePaths paths = kGpt2;
    paths.positionTable = "";
    paths.norm2 = "";
    paths.qkv = kGptjQkv;
    paths.attentionOut = "attn.out_proj";
    paths.ffnUp = "mlp.fc_in";
    paths.ffnDown = "mlp.fc_out";
    paths.rotaryTable = "transformer.rotary_emb.embed_positions";
    return paths;
}();
// GPTNeoXForCausalLM
constexpr const char* kNeoxQkv[] = {"attention.query_key_value"};
constexpr ModulePaths kGptNeox{.embedding = "gpt_neox",
    .layers = "gpt_neox.layers.",
    .tokenTable = "embed_in",
    .attention = "attention",
    .ffn = "mlp",
    .norm1 = "input_layernorm",
    .norm2 = "post_attention_layernorm",
    .qkv = kNeoxQkv,
    .attentionOut = "attention.dense",
    .ffnUp = "mlp.dense_h_to_4h",
    .ffnDown = "mlp.dense_4h_to_h",
    .headNorm = "gpt_neox.final_layer_norm",
    .logits = "lm_head",
    .rotary = "gpt_neox.rotary_emb"};
// BloomForCausalLM
constexpr const char* kBloomQkv[] = {"self_attention.query_key_value"};
constexpr ModulePaths kBloom{.embedding = "transformer",
    .layers = "transformer.h.",
    .tokenTable = "word_embeddings",
    .embeddingNorm = "word_embeddings_layernorm",
    .attention = "self_attention",
    .ffn = "mlp",
    .norm1 = "input_layernorm",
    .norm2 = "post_attention_layernorm",
    .qkv = kBloomQkv,
    .attentionOut = "self_attention.dense",
    .ffnUp = "mlp.dense_h_to_4h",
    .ffnDown = "mlp.dense_4h_to_h",
    .headNorm = "transformer.ln_f",
    .logits = "lm_head"};
// FalconForCausalLM: the norms of two parallel branches have names of their own.
constexpr ModulePaths kFalcon = [] {
    ModulePaths paths = kBloom;
    paths.embeddingNorm = "";
    paths.rotary = "transformer.rotary_emb";
    return paths;
}();
constexpr ModulePaths kFalconTwoNorms = [] {
    ModulePaths paths = kFalcon;
    paths.norm1 = "ln_attn";
    paths.norm2 = "ln_mlp";
    return paths;
}();
// OPTForCausalLM: no module holds the FFN.
constexpr const char* kSelfAttentionQkv[] = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"};
constexpr ModulePaths kOpt{.embedding = "model.decoder",
    .layers = "model.decoder.layers.",
    .tokenTable = "embed_tokens",
    .positionTable = "embed_positions",
    .embeddingProjection = "project_in",
    .attention = "self_attn",
    .norm1 = "self_attn_layer_norm",
    .norm2 = "final_layer_norm",
    .qkv = kSelfAttentionQkv,
    .attentionOut = "self_attn.out_proj",
    .ffnUp = "fc1",
    .ffnDown = "fc2",
    .headNorm = "model.decoder.final_layer_norm",
    .headProjection = "model.decoder.project_out",
    .logits = "lm_head"};

// LlamaForCausalLM; Mistral, Qwen2 and Gemma name theirs alike.
constexpr ModulePaths kLlama{.embedding = "model",
    .layers = "model.layers.",
    .tokenTable = "embed_tokens",
    .attention = "self_attn",
    .ffn = "mlp",
    .norm1 = "input_layernorm",
    .norm2 = "post_attention_layernorm",
    .qkv = kSelfAttentionQkv,
    .attentionOut = "self_attn.o_proj",
    .ffnGate = "mlp.gate_proj",
    .ffnUp = "mlp.up_proj",
    .ffnDown = "mlp.down_proj",
    .headNorm = "model.norm",
    .logits = "lm_head",
    .rotary = "model.rotary_emb"};
// Qwen3ForCausalLM
constexpr ModulePaths kQwen3 = [] {
    ModulePaths paths = kLlama;
    paths.queryNorm = "self_attn.q_norm";
    paths.keyNorm = "self_attn.k_norm";
    return paths;
}();
// Gemma2ForCausalLM, and Gemma3ForCausalLM, which alone has norms of queries and keys.
constexpr ModulePaths kGemma3 = [] {
    ModulePaths paths = kQwen3;
    paths.postNorm1 = "post_attention_layernorm";
    paths.norm2 = "pre_feedforward_layernorm";
    paths.postNorm2 = "post_feedforward_layernorm";
    return paths;
}();
// Olmo2ForCausalLM: both norms stand behind their branch.
constexpr ModulePaths kOlmo2 = [] {
    ModulePaths paths = kQwen3;
    paths.norm1 = "post_attention_layernorm";
    paths.norm2 = "post_feedforward_layernorm";
    return paths;
}();
// MixtralForCausalLM: the experts' weights are two parameters of three dimensions.
constexpr ModulePaths kMixtral = [] {
    ModulePaths paths = kLlama;
    paths.router = "mlp.gate";
    paths.ffnGate = "";
    paths.ffnUp = "mlp.experts.gate_up_proj";
    paths.ffnDown = "mlp.experts.down_proj";
    return paths;
}();
// Phi3ForCausalLM
constexpr const char* kPhi3Qkv[] = {"self_attn.qkv_proj"};
constexpr ModulePaths kPhi3 = [] {
    ModulePaths paths = kLlama;
    paths.qkv = kPhi3Qkv;
    paths.ffnGate = "";
    paths.ffnUp = "mlp.gate_up_proj";
    return paths;
}();
// PhiForCausalLM
constexpr ModulePaths kPhi = [] {
    ModulePaths paths = kLlama;
    paths.norm2 = "";
    paths.queryNorm = "self_attn.q_layernorm";
    paths.keyNorm = "self_attn.k_layernorm";
    paths.attentionOut = "self_attn.dense";
    paths.ffnGate = "";
    paths.ffnUp = "mlp.fc1";
    paths.ffnDown = "mlp.fc2";
    paths.headNorm = "model.final_layernorm";
    return paths;
}();
// Starcoder2ForCausalLM
constexpr ModulePaths kStarcoder2 = [] {
    ModulePaths paths = kLlama;
    paths.ffnGate = "";
    paths.ffnUp = "mlp.c_fc";
    paths.ffnDown = "mlp.c_proj";
    return paths;
}();

// ViTForImageClassification
constexpr const char* kVitQkv[] = {"attention.q_proj", "attention.k_proj", "attention.v_proj"};
constexpr ModulePaths kVit{.embedding = "vit.embeddings",
    .layers = "vit.layers.",
    .positionTable = "position_embeddings",
    .patches = "patch_embeddings.projection",
    .classToken = "cls_token",
    .attention = "attention",
    .ffn = "mlp",
    .norm1 = "layernorm_before",
    .norm2 = "layernorm_after",
    .qkv = kVitQkv,
    .attentionOut = "attention.o_proj",
    .ffnUp = "mlp.fc1",
    .ffnDown = "mlp.fc2",
    .headNorm = "vit.layernorm",
    .logits = "classifier"};
// DeiTForImageClassification
constexpr ModulePaths kDeit = [] {
    ModulePaths paths = kVit;
    paths.embedding = "deit.embeddings";
    paths.layers = "deit.layers.";
    paths.distillationToken = "distillation_token";
    paths.headNorm = "deit.layernorm";
    return paths;
}();

// T5ForConditionalGeneration: parts of a layer are numbered, and the decoder has one more.
constexpr const char* kT5Qkv[] = {"layer.0.SelfAttention.q", "layer.0.SelfAttention.k", "layer.0.SelfAttention.v"};
constexpr const char* kT5CrossQkv[]
    = {"layer.1.EncDecAttention.q", "layer.1.EncDecAttention.k", "layer.1.EncDecAttention.v"};
constexpr ModulePaths t5Decoder(bool isGated)
{
    return {.layers = "decoder.block.",
        .attention = "layer.0",
        .ffn = "layer.2",
        .norm1 = "layer.0.layer_norm",
        .norm2 = "layer.2.layer_norm",
        .qkv = kT5Qkv,
        .attentionOut = "layer.0.SelfAttention.o",
        .relativeBias = "layer.0.SelfAttention.relative_attention_bias",
        .ffnGate = isGated ? "layer.2.DenseReluDense.wi_0" : "",
        .ffnUp = isGated ? "layer.2.DenseReluDense.wi_1" : "layer.2.DenseReluDense.wi",
        .ffnDown = "layer.2.DenseReluDense.wo",
        .headNorm = "decoder.final_layer_norm",
        .logits = "lm_head",
        .crossNorm = "layer.1.layer_norm",
        .crossQkv = kT5CrossQkv,
        .crossOut = "layer.1.EncDecAttention.o"};
}
constexpr ModulePaths t5Encoder(bool isGated, const ModulePaths& decoder)
{
    return {.embedding = "",
        .layers = "encoder.block.",
        .tokenTable = "shared",
        .attention = "layer.0",
        .ffn = "layer.1",
        .norm1 = "layer.0.layer_norm",
        .norm2 = "layer.1.layer_norm",
        .qkv = kT5Qkv,
        .attentionOut = "layer.0.SelfAttention.o",
        .relativeBias = "layer.0.SelfAttention.relative_attention_bias",
        .ffnGate = isGated ? "layer.1.DenseReluDense.wi_0" : "",
        .ffnUp = isGated ? "layer.1.DenseReluDense.wi_1" : "layer.1.DenseReluDense.wi",
        .ffnDown = "layer.1.DenseReluDense.wo",
        .headNorm = "encoder.final_layer_norm",
        .logits = "lm_head",
        .decoder = &decoder};
}
constexpr ModulePaths kT5Decoder = t5Decoder(false), kT5GatedDecoder = t5Decoder(true);
constexpr ModulePaths kT5 = t5Encoder(false, kT5Decoder), kT5Gated = t5Encoder(true, kT5GatedDecoder);

struct Named {
    std::string_view modelType;
    const ModulePaths* paths;
};
constexpr Named kByType[] = {
    {"bert", &kBert},
    {"roberta", &kRoberta},
    {"electra", &kElectra},
    {"distilbert", &kDistilBert},
    {"gpt2", &kGpt2},
    {"gpt_neo", &kGptNeo},
    {"gpt_neox", &kGptNeox},
    {"gptj", &kGptj},
    {"opt", &kOpt},
    {"bloom", &kBloom},
    {"phi", &kPhi},
    {"phi3", &kPhi3},
    {"llama", &kLlama},
    {"mistral", &kLlama},
    {"mixtral", &kMixtral},
    {"qwen2", &kLlama},
    {"qwen3", &kQwen3},
    {"gemma", &kLlama},
    {"gemma2", &kGemma3},
    {"gemma3_text", &kGemma3},
    {"olmo2", &kOlmo2},
    {"starcoder2", &kStarcoder2},
    {"vit", &kVit},
    {"deit", &kDeit},
};

} // namespace

const ModulePaths& modulePathsOf(const ModelShape& shape)
{
    if (shape.modelType == "falcon")
        return shape.block == BlockKind::ParallelTwoNorms ? kFalconTwoNorms : kFalcon;
    if (shape.modelType == "t5")
        return shape.ffnKind == FfnKind::Gated ? kT5Gated : kT5;
    for (const Named& named : kByType)
        if (named.modelType == shape.modelType)
            return *named.paths;
    return shape.normPlace == NormPlace::Post ? kBert : kGpt2;
}

} // namespace remat
