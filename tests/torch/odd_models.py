# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""Models of every way of writing a layer, small and of odd sizes, for the tracker's fake CUDA device."""
SIZES = dict(hidden_size=96, num_hidden_layers=4, num_attention_heads=6, intermediate_size=200, vocab_size=515)
GROUPED = dict(SIZES, num_key_value_heads=2, head_dim=16)
GPT = dict(n_layer=4, n_embd=96, n_head=6, vocab_size=515)
# model_type: class, sizes.
ODD_MODELS = {
    "gpt2": ("GPT2LMHeadModel", GPT),
    "bert": ("BertForMaskedLM", SIZES),
    "llama": ("LlamaForCausalLM", GROUPED),
    "qwen2": ("Qwen2ForCausalLM", dict(SIZES, num_key_value_heads=2)),
    "roberta": ("RobertaForMaskedLM", SIZES),
    "electra": ("ElectraForMaskedLM", dict(SIZES, embedding_size=32)),
    "distilbert": ("DistilBertForMaskedLM", dict(dim=96, n_layers=4, n_heads=6, hidden_dim=200, vocab_size=515)),
    "gpt_neo": ("GPTNeoForCausalLM", dict(hidden_size=96, num_layers=4, num_heads=6, attention_types=[[["global", "local"], 2]],
                                          vocab_size=515)),
    "gpt_neox": ("GPTNeoXForCausalLM", SIZES),
    "gptj": ("GPTJForCausalLM", dict(GPT, rotary_dim=8)),
    "opt": ("OPTForCausalLM", dict(hidden_size=96, num_hidden_layers=4, num_attention_heads=6, ffn_dim=200, word_embed_proj_dim=96,
                                   vocab_size=515)),
    "bloom": ("BloomForCausalLM", dict(hidden_size=96, n_layer=4, n_head=6, vocab_size=515)),
    "falcon": ("FalconForCausalLM", dict(hidden_size=96, num_hidden_layers=4, num_attention_heads=6, vocab_size=515)),
    "phi": ("PhiForCausalLM", SIZES),
    "phi3": ("Phi3ForCausalLM", dict(SIZES, pad_token_id=0)),
    "mistral": ("MistralForCausalLM", GROUPED),
    "mixtral": ("MixtralForCausalLM", dict(GROUPED, num_local_experts=4)),
    "qwen3": ("Qwen3ForCausalLM", GROUPED),
    "gemma": ("GemmaForCausalLM", GROUPED),
    "gemma2": ("Gemma2ForCausalLM", GROUPED),
    "gemma3_text": ("Gemma3ForCausalLM", GROUPED),
    "olmo2": ("Olmo2ForCausalLM", dict(SIZES, num_key_value_heads=2)),
    "starcoder2": ("Starcoder2ForCausalLM", dict(SIZES, num_key_value_heads=2)),
    "t5": ("T5ForConditionalGeneration", dict(d_model=96, d_kv=16, d_ff=200, num_layers=4, num_heads=6, vocab_size=515,
                                              decoder_start_token_id=0)),
}


def odd_case(model_type, attention, **more):
    """A step of one of them, as the tracker takes it; `more` instead of half precision, two sequences of 128, dropout 0.1."""
    model_class, sizes = ODD_MODELS[model_type]
    return {**dict(model_class=model_class, config=dict(model_type=model_type, **sizes), precision="half", dtype="bf16",
                   attention=attention, batch=2, seq=128, dropout=0.1), **more}
