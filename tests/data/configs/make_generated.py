# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""Makes generated.json: configs of every supported model_type with odd sizes and flipped flags, and what transformers
makes of each: class, number of parameters, every parameter by name and shape, buffers.

Ran once with torch 2.15.0 and transformers 5.24.0 (models on the meta device, no weights):

    python make_generated.py > generated.json
"""
import json
import random

import torch
import transformers
from transformers import CONFIG_MAPPING

CLASSES = {
    "bert": "BertForMaskedLM", "roberta": "RobertaForMaskedLM", "distilbert": "DistilBertForMaskedLM",
    "electra": "ElectraForMaskedLM", "gpt2": "GPT2LMHeadModel", "gpt_neo": "GPTNeoForCausalLM",
    "gpt_neox": "GPTNeoXForCausalLM", "gptj": "GPTJForCausalLM", "opt": "OPTForCausalLM", "bloom": "BloomForCausalLM",
    "falcon": "FalconForCausalLM", "phi": "PhiForCausalLM", "phi3": "Phi3ForCausalLM", "llama": "LlamaForCausalLM",
    "mistral": "MistralForCausalLM", "mixtral": "MixtralForCausalLM", "qwen2": "Qwen2ForCausalLM",
    "qwen3": "Qwen3ForCausalLM", "gemma": "GemmaForCausalLM", "gemma2": "Gemma2ForCausalLM",
    "gemma3_text": "Gemma3ForCausalLM", "olmo2": "Olmo2ForCausalLM", "starcoder2": "Starcoder2ForCausalLM",
    "vit": "ViTForImageClassification", "deit": "DeiTForImageClassification", "t5": "T5ForConditionalGeneration",
}
COUNT = 6  # configs of each type; the first is the class's own default but for fewer layers


def own_keys(kind, pick, flip):
    """Sizes and flags of one type. Heads, width and groups are chosen so that they divide."""
    heads = pick([2, 3, 4, 6])
    width = heads * pick([4, 6, 10])
    groups = pick([g for g in (1, 2, 3, 6) if heads % g == 0])
    layers = pick([1, 2, 3, 5])
    ffn = pick([17, 40, 64, 99])
    vocab = pick([101, 128, 257])
    positions = pick([33, 64, 100])
    drop = pick([0.0, 0.1, 0.25])
    plain = {"num_hidden_layers": layers, "hidden_size": width, "num_attention_heads": heads,
             "intermediate_size": ffn, "vocab_size": vocab, "max_position_embeddings": positions}
    tie = {"tie_word_embeddings": flip()}
    llama = {**plain, **tie, "num_key_value_heads": groups, "attention_dropout": drop}
    bert = {**plain, **tie, "type_vocab_size": pick([1, 2, 3]), "hidden_dropout_prob": drop,
            "attention_probs_dropout_prob": pick([0.0, 0.1]), "hidden_act": pick(["gelu", "relu", "gelu_new"]),
            "pad_token_id": pick([0, 1, 3])}
    gpt2 = {**tie, "n_layer": layers, "n_head": heads, "n_embd": width, "n_inner": pick([None, ffn]),
            "vocab_size": vocab, "n_positions": positions, "resid_pdrop": drop, "attn_pdrop": pick([0.0, 0.1]),
            "embd_pdrop": pick([0.0, 0.1]), "activation_function": pick(["gelu", "gelu_new", "gelu_fast"])}
    own_width = {"head_dim": pick([4, 8, 14])}
    window = {"sliding_window": pick([None, 16])}
    layer_kinds = {"layer_types": [pick(["sliding_attention", "full_attention"]) for _ in range(layers)]}
    image = pick([16, 30, [24, 32]])
    if kind in ("bert", "roberta"):
        return bert
    if kind == "electra":
        return {**bert, "embedding_size": pick([width, 12])}
    if kind == "distilbert":
        return {**tie, "n_layers": layers, "n_heads": heads, "dim": width, "hidden_dim": ffn, "vocab_size": vocab,
                "max_position_embeddings": positions, "dropout": drop, "attention_dropout": 0.1,
                "activation": pick(["gelu", "relu"]), "sinusoidal_pos_embds": flip()}
    if kind == "gpt2":
        return gpt2
    if kind == "gptj":
        return {**gpt2, "rotary_dim": pick([2, 4])}
    if kind == "gpt_neo":
        return {**tie, "num_layers": 2 * layers, "num_heads": heads, "hidden_size": width, "vocab_size": vocab,
                "intermediate_size": pick([None, ffn]), "max_position_embeddings": positions,
                "attention_types": [[pick([["global", "local"], ["local", "local"], ["global", "global"]]), layers]],
                "window_size": 16, "resid_dropout": drop, "embed_dropout": 0.0, "attention_dropout": 0.1}
    if kind == "gpt_neox":
        return {**plain, **tie, "use_parallel_residual": flip(), "attention_bias": flip(), "hidden_dropout": drop,
                "rotary_pct": pick([0.5, 1.0])}
    if kind == "opt":
        return {**tie, "num_hidden_layers": layers, "hidden_size": width, "num_attention_heads": heads, "ffn_dim": ffn,
                "vocab_size": vocab, "max_position_embeddings": positions, "do_layer_norm_before": flip(),
                "_remove_final_layer_norm": pick([False, False, True]), "word_embed_proj_dim": pick([None, width, 11]),
                "enable_bias": flip(), "layer_norm_elementwise_affine": pick([True, True, False]), "dropout": drop}
    if kind == "bloom":
        return {**tie, "n_layer": layers, "n_head": heads, "hidden_size": width, "vocab_size": vocab,
                "hidden_dropout": drop, "apply_residual_connection_post_layernorm": flip()}
    if kind == "falcon":
        new = flip()
        return {**{k: v for k, v in plain.items() if k != "intermediate_size"}, **tie,
                "ffn_hidden_size": pick([None, ffn]), "new_decoder_architecture": new,
                "multi_query": flip(), "parallel_attn": True if new else flip(), "bias": flip(), "alibi": flip(),
                "num_kv_heads": pick([None, groups]), "num_ln_in_parallel_attn": pick([None, 1, 2]) if new else None,
                "hidden_dropout": drop}
    if kind == "phi":
        return {**llama, "qk_layernorm": flip(), "resid_pdrop": drop, "partial_rotary_factor": pick([0.5, 1.0])}
    if kind == "phi3":
        return {**llama, **window, "resid_pdrop": drop, "pad_token_id": 0}
    if kind == "llama":
        return {**llama, **pick([{}, own_width]), "attention_bias": flip(), "mlp_bias": flip()}
    if kind == "mistral":
        return {**llama, **pick([{}, own_width]), **window}
    if kind == "mixtral":
        return {**llama, **pick([{}, own_width]), **window, "num_local_experts": pick([2, 3, 8]),
                "num_experts_per_tok": pick([1, 2])}
    if kind == "qwen2":
        return {**llama, "use_sliding_window": flip(), "sliding_window": 16, "max_window_layers": 2}
    if kind == "qwen3":
        return {**llama, **own_width, "attention_bias": flip(), "use_sliding_window": flip(), **layer_kinds}
    if kind == "gemma":
        return {**llama, **own_width, "attention_bias": flip(), "hidden_act": pick(["gelu", "gelu_pytorch_tanh"])}
    if kind in ("gemma2", "gemma3_text"):
        return {**llama, **own_width, **pick([{}, layer_kinds]), "attention_bias": flip(), "sliding_window": 16,
                "query_pre_attn_scalar": pick([4, 144]), "attn_logit_softcapping": pick([None, 50.0]),
                "final_logit_softcapping": pick([None, 30.0])}
    if kind == "olmo2":
        return {**llama, "attention_bias": flip()}
    if kind == "starcoder2":
        return {**llama, **window, "use_bias": flip(), "residual_dropout": drop, "embedding_dropout": 0.0}
    if kind in ("vit", "deit"):
        labels = pick([0, 1, 2, 7])
        keys = {k: plain[k] for k in ("num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size")}
        return {**keys, "image_size": image, "patch_size": pick([4, 7, [8, 5]]), "num_channels": pick([1, 3]),
                "qkv_bias": flip(), "id2label": {str(i): f"LABEL_{i}" for i in range(labels)},
                "hidden_dropout_prob": drop}
    if kind == "t5":
        return {"num_layers": layers, "num_decoder_layers": pick([None, 1, 4]), "d_model": width, "num_heads": heads,
                "d_kv": pick([4, 6]), "d_ff": ffn, "vocab_size": vocab, "relative_attention_num_buckets": pick([8, 32]),
                "feed_forward_proj": pick(["relu", "gated-gelu", "gated-silu"]), "dropout_rate": drop,
                "tie_word_embeddings": flip()}
    raise ValueError(kind)


FEWER = {"gpt2": "n_layer", "gptj": "n_layer", "bloom": "n_layer", "distilbert": "n_layers", "t5": "num_layers",
         "gpt_neo": "num_layers"}


def default_keys(kind):
    keys = {FEWER.get(kind, "num_hidden_layers"): 2}
    if kind == "gpt_neo":
        keys["attention_types"] = [[["global", "local"], 1]]
    return keys


def described(kind, keys):
    config = CONFIG_MAPPING[kind].from_dict({"model_type": kind, **keys})
    with torch.device("meta"):
        model = getattr(transformers, CLASSES[kind])(config)
    parameters = {name: list(p.shape) for name, p in model.named_parameters()}
    buffers = {name: [list(b.shape), str(b.dtype).removeprefix("torch.")] for name, b in model.named_buffers()}
    return {"config": {"model_type": kind, **keys}, "class": CLASSES[kind],
            "parameters": sum(p.numel() for p in model.parameters()), "weights": parameters, "buffers": buffers}


def compact(record):
    """Layers of one stack are alike, but for T5's first: its first two are kept, of the others the first alone."""
    most = 2 if record["config"]["model_type"] == "t5" else 1

    def kept(name):
        for stack in ("decoder.block.", "encoder.block.", "layers.", ".h.", ".layer."):
            if stack in "." + name:
                number = name.split(stack.lstrip("."), 1)[1].split(".")[0]
                if number.isdigit():
                    return int(number) < most
        return True
    record["weights"] = {name: shape for name, shape in record["weights"].items() if kept(name)}
    record["buffers"] = {name: shape for name, shape in record["buffers"].items() if kept(name)}
    return record


def main():
    rng = random.Random(7)
    records = []
    for kind in CLASSES:
        records.append(compact(described(kind, default_keys(kind))))
        while sum(r["config"]["model_type"] == kind for r in records) < COUNT:
            keys = own_keys(kind, rng.choice, lambda: rng.random() < 0.5)
            records.append(compact(described(kind, keys)))
    print("[" + ",\n".join(json.dumps(r) for r in records) + "]")


if __name__ == "__main__":
    main()
