# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""Regions on one tiny model of every supported model_type: the same bits, and which kinds a family has."""
import unittest

from models import batch, different, plan, runtime, same
import torch
import transformers

regions = runtime("regions")
TEXT = dict(vocab_size=61, pad_token_id=0)
SIZES = dict(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64, **TEXT)
GROUPED = dict(SIZES, num_key_value_heads=2, head_dim=8)
GPT = dict(n_layer=3, n_embd=32, n_head=4, **TEXT)
IMAGE = dict(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64, image_size=16, patch_size=8)
BERT_DROP = dict(hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1)
GPT_DROP = dict(resid_pdrop=0.1, attn_pdrop=0.1, embd_pdrop=0.1)

# model_type, class, configuration, layers, attention, FFN, norms before them, dropouts that end them, and what it has not
PRE = ("input_layernorm", "post_attention_layernorm")
FAMILIES = [
    ("bert", "BertForMaskedLM", dict(SIZES, **BERT_DROP), "bert.encoder.layer", "attention", ":feed_forward_chunk", None, None, ""),
    ("roberta", "RobertaForMaskedLM", dict(SIZES, **BERT_DROP), "roberta.encoder.layer", "attention", ":feed_forward_chunk", None,
     None, ""),
    ("electra", "ElectraForMaskedLM", dict(SIZES, **BERT_DROP), "electra.encoder.layer", "attention", ":feed_forward_chunk", None,
     None, ""),
    ("distilbert", "DistilBertForMaskedLM", dict(dim=32, n_layers=3, n_heads=4, hidden_dim=64, dropout=0.1, attention_dropout=0.1, **TEXT),
     "distilbert.transformer.layer", "attention", "ffn", None, (None, "ffn.dropout"), ""),
    ("gpt2", "GPT2LMHeadModel", dict(GPT, **GPT_DROP), "transformer.h", "attn", "mlp", ("ln_1", "ln_2"),
     ("attn.resid_dropout", "mlp.dropout"), ""),
    ("gpt_neo", "GPTNeoForCausalLM", dict(hidden_size=32, num_layers=3, num_heads=4, attention_types=[[["global"], 3]],
                                          resid_dropout=0.1, attention_dropout=0.1, embed_dropout=0.1, **TEXT),
     "transformer.h", "attn", "mlp", ("ln_1", "ln_2"), ("attn.attention.resid_dropout", "mlp.dropout"), "core blocks"),
    ("gpt_neox", "GPTNeoXForCausalLM", dict(SIZES, hidden_dropout=0.1, attention_dropout=0.1), "gpt_neox.layers", "attention", "mlp",
     None, None, ""),
    ("gptj", "GPTJForCausalLM", dict(GPT, rotary_dim=4, **GPT_DROP), "transformer.h", "attn", "mlp", None,
     ("attn.resid_dropout", "mlp.dropout"), ""),
    ("opt", "OPTForCausalLM", dict(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, ffn_dim=64, word_embed_proj_dim=32,
                                   dropout=0.1, attention_dropout=0.1, **TEXT),
     "model.decoder.layers", "self_attn", None, ("self_attn_layer_norm", None), None, ""),
    ("bloom", "BloomForCausalLM", dict(hidden_size=32, n_layer=3, n_head=4, hidden_dropout=0.1, attention_dropout=0.1, **TEXT),
     "transformer.h", "self_attention", "mlp", None, None, "core blocks"),
    ("falcon", "FalconForCausalLM", dict(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, hidden_dropout=0.1,
                                         attention_dropout=0.1, **TEXT),
     "transformer.h", "self_attention", "mlp", None, None, "core blocks"),
    ("phi", "PhiForCausalLM", dict(SIZES, resid_pdrop=0.1, attention_dropout=0.1), "model.layers", "self_attn", "mlp", None, None, ""),
    ("phi3", "Phi3ForCausalLM", dict(SIZES, resid_pdrop=0.1, attention_dropout=0.1), "model.layers", "self_attn", "mlp", PRE, None, ""),
    ("llama", "LlamaForCausalLM", dict(GROUPED, attention_dropout=0.1), "model.layers", "self_attn", "mlp", PRE, None, ""),
    ("mistral", "MistralForCausalLM", dict(GROUPED, attention_dropout=0.1), "model.layers", "self_attn", "mlp", PRE, None, ""),
    ("mixtral", "MixtralForCausalLM", dict(GROUPED, num_local_experts=4, attention_dropout=0.1), "model.layers", "self_attn", "mlp", PRE,
     None, ""),
    ("qwen2", "Qwen2ForCausalLM", dict(GROUPED, attention_dropout=0.1), "model.layers", "self_attn", "mlp", PRE, None, ""),
    ("qwen3", "Qwen3ForCausalLM", dict(GROUPED, attention_dropout=0.1), "model.layers", "self_attn", "mlp", PRE, None, ""),
    ("gemma", "GemmaForCausalLM", dict(GROUPED, attention_dropout=0.1), "model.layers", "self_attn", "mlp", PRE, None, ""),
    ("gemma2", "Gemma2ForCausalLM", dict(GROUPED, attention_dropout=0.1), "model.layers", "self_attn", "mlp",
     ("input_layernorm", "pre_feedforward_layernorm"), None, ""),
    ("gemma3_text", "Gemma3ForCausalLM", dict(GROUPED, attention_dropout=0.1), "model.layers", "self_attn", "mlp",
     ("input_layernorm", "pre_feedforward_layernorm"), None, ""),
    ("olmo2", "Olmo2ForCausalLM", dict(GROUPED, attention_dropout=0.1), "model.layers", "self_attn", "mlp", None, None, ""),
    ("starcoder2", "Starcoder2ForCausalLM", dict(SIZES, num_key_value_heads=2, residual_dropout=0.1, attention_dropout=0.1,
                                                 embedding_dropout=0.1),
     "model.layers", "self_attn", "mlp", PRE, ("self_attn.residual_dropout", "mlp.residual_dropout"), ""),
    ("vit", "ViTForImageClassification", dict(IMAGE, **BERT_DROP), "vit.layers", "attention", "mlp",
     ("layernorm_before", "layernorm_after"), None, ""),
    ("deit", "DeiTForImageClassification", dict(IMAGE, **BERT_DROP), "deit.layers", "attention", "mlp",
     ("layernorm_before", "layernorm_after"), None, ""),
    ("t5", "T5ForConditionalGeneration", dict(d_model=32, d_kv=8, d_ff=64, num_layers=3, num_heads=4, dropout_rate=0.1,
                                              decoder_start_token_id=0, **TEXT),
     "encoder.block", "layer.0", "layer.1", None, None, "blocks"),
]


def inputs(model_type):
    if model_type in ("vit", "deit"):
        generator = torch.Generator().manual_seed(3)
        return {"pixel_values": torch.randn(2, 3, 16, 16, generator=generator), "labels": torch.tensor([0, 1])}
    return batch()


def step(model, given):
    torch.manual_seed(11)
    model.zero_grad(set_to_none=True)
    loss = model(**given).loss
    loss.backward()
    return loss.detach(), {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}


def kinds(root, attention, ffn, norms, tails, lacks):
    """Name of a way to run the layers, and the regions of layer i."""
    path = lambda i: f"{root}.{i}"
    join = lambda i, part: path(i) + (part if part.startswith(":") else "." + part)
    mine = lambda i, place, kind, part, **more: dict(kind=kind, path=join(i, part), **more)
    yield "block", lambda i: [dict(kind="block", path=path(i))]
    yield "attention", lambda i: [mine(i, 0, "attention", attention)]
    if ffn:
        yield "both", lambda i: [mine(i, 0, "attention", attention), mine(i, 1, "ffn", ffn)]
        yield "block, both again", lambda i: [
            dict(kind="block", path=path(i), inside=[mine(i, 0, "attention", attention), mine(i, 1, "ffn", ffn)])]
    if norms:
        parts = [(0, "attention", attention)] + ([(1, "ffn", ffn)] if ffn else [])
        yield "norms", lambda i: [mine(i, p, kind, part, norm=join(i, norms[p])) for p, kind, part in parts]
    if tails:
        parts = [(p, kind, part) for p, kind, part in ((0, "attention", attention), (1, "ffn", ffn)) if tails[p]]
        yield "tails", lambda i: [mine(i, p, kind, part, tail=join(i, tails[p])) for p, kind, part in parts]
    if "blocks" not in lacks:
        yield "two blocks", lambda i: [dict(kind="blocks", paths=[path(i), path(i + 1)])] if i == 0 else []


def core_path(model, root, attention):
    """The module that has a projection of queries: it calls the attention function."""
    for name, module in model.get_submodule(f"{root}.0.{attention}").named_modules():
        if any(isinstance(part, (torch.nn.Linear, transformers.pytorch_utils.Conv1D)) for part in module.children()):
            return f"{attention}.{name}" if name else attention
    raise LookupError(attention)


class Families(unittest.TestCase):
    def check(self, model_type, class_name, sizes, root, attention, ffn, norms, tails, lacks):
        torch.manual_seed(7)
        config = transformers.AutoConfig.for_model(model_type, **sizes)
        config.use_cache, config._attn_implementation = False, "eager"
        model = getattr(transformers, class_name)(config).train()
        given = inputs(model_type)
        expected = step(model, given)
        self.assertTrue(same(expected, step(model, given)), "a step is not even the same twice")
        ways = list(kinds(root, attention, ffn, norms, tails, lacks))
        core = [dict(kind="core", path=f"{root}.0.{core_path(model, root, attention)}")]
        if "core" in lacks:
            with self.assertRaisesRegex(regions.RematError, "calls no attention function"):
                regions.apply(model, plan("regions", [dict(layer=f"{root}.0", regions=core)]))
        else:
            ways.append(("core", lambda i: core if i == 0 else []))
        for name, regions_of in ways:
            with self.subTest(model_type=model_type, kind=name):
                applied = regions.apply(model, plan("regions", [
                    dict(layer=f"{root}.{i}", regions=regions_of(i)) for i in range(3)]))
                got = step(model, given)
                applied.remove()
                self.assertTrue(same(expected, got), different(expected, got))
        if "blocks" in lacks:
            paths = [f"{root}.{i}" for i in range(2)]
            applied = regions.apply(model, plan("regions", [dict(layer=paths[0], regions=[dict(kind="blocks", paths=paths)])]))
            # T5 unpacks three values from a block and fails by itself; elsewhere the next block sees another tensor.
            with self.assertRaisesRegex((regions.RematError, ValueError), "return one tensor|reads or changes|unpack"):
                step(model, given)
            applied.remove()
        self.assertTrue(same(expected, step(model, given)), "remove() left something behind")


for _row in FAMILIES:
    setattr(Families, f"test_{_row[0]}", lambda self, row=_row: self.check(*row))

if __name__ == "__main__":
    unittest.main()
