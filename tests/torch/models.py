# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""Tiny real Hugging Face models of five families, one training step of them, and the export's runtime as a module."""
import gc
import os
import sys
import types
import weakref

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
try:
    import torch
    import transformers
except ImportError as missing:
    print(f"Skipped: {missing}. REMAT_TORCH=1 ./dev test installs PyTorch and transformers into an environment of its own.")
    sys.exit(77)
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

torch.set_num_threads(1)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAYERS, WIDTH, HEADS, FFN, VOCABULARY = 4, 32, 4, 96, 61
LAYER_PATHS = {
    "bert": "bert.encoder.layer",
    "gpt2": "transformer.h",
    "llama": "model.layers",
    "qwen2": "model.layers",
    "opt": "model.decoder.layers",
}


def runtime(kind):
    """The text that `remat export --to pytorch` writes, without a plan: kind is "regions" or "exact"."""
    module = types.ModuleType(f"remat_{kind}")
    text = ""
    for name in ("pytorch_plan.py", f"pytorch_{kind}.py"):
        with open(os.path.join(ROOT, "resources", "export", name), encoding="utf-8") as file:
            text += file.read()
    exec(compile(text, f"remat_{kind}.py", "exec"), module.__dict__)
    return module


def make(family, dropout=0.1, attention="eager", layers=LAYERS, **more):
    """A model with weights of its own seed."""
    torch.manual_seed(7)
    common = {
        "bert": dict(num_hidden_layers=layers, hidden_size=WIDTH, num_attention_heads=HEADS, intermediate_size=FFN,
                     hidden_dropout_prob=dropout, attention_probs_dropout_prob=dropout),
        "gpt2": dict(n_layer=layers, n_embd=WIDTH, n_head=HEADS, n_inner=FFN, resid_pdrop=dropout, embd_pdrop=dropout,
                     attn_pdrop=dropout),
        "llama": dict(num_hidden_layers=layers, hidden_size=WIDTH, num_attention_heads=HEADS, num_key_value_heads=2,
                      intermediate_size=FFN, attention_dropout=dropout),
        "qwen2": dict(num_hidden_layers=layers, hidden_size=WIDTH, num_attention_heads=HEADS, num_key_value_heads=2,
                      intermediate_size=FFN, attention_dropout=dropout),
        "opt": dict(num_hidden_layers=layers, hidden_size=WIDTH, num_attention_heads=HEADS, ffn_dim=FFN, word_embed_proj_dim=WIDTH,
                    dropout=dropout, attention_dropout=dropout),
    }[family]
    config = transformers.AutoConfig.for_model(
        family, vocab_size=VOCABULARY, max_position_embeddings=64, **{**common, **more})
    config.pad_token_id = 0
    config.use_cache = False  # as apply() sets it; with a cache other kernels run, whose last bits differ
    config._attn_implementation = attention
    classes = {"bert": "BertForMaskedLM", "gpt2": "GPT2LMHeadModel", "llama": "LlamaForCausalLM", "qwen2": "Qwen2ForCausalLM",
               "opt": "OPTForCausalLM"}
    return getattr(transformers, classes[family])(config).train()


def batch(rows=2, length=12):
    generator = torch.Generator().manual_seed(3)
    ids = torch.randint(1, VOCABULARY, (rows, length), generator=generator)
    return {"input_ids": ids, "labels": ids.clone()}


def step(model, inputs=None, seed=11):
    """One forward and backward from a fixed generator: loss and gradients."""
    torch.manual_seed(seed)
    model.zero_grad(set_to_none=True)
    loss = model(**(inputs or batch())).loss
    loss.backward()
    return loss.detach(), {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}


def same(a, b):
    """Bit for bit."""
    return torch.equal(a[0], b[0]) and a[1].keys() == b[1].keys() and all(torch.equal(a[1][n], b[1][n]) for n in a[1])


def different(a, b):
    return [name for name in a[1] if not torch.equal(a[1][name], b[1][name])]


def plan(realization, layers, **more):
    return dict(format="remat-torch", version=1, realization=realization, layers=layers, **more)


def _outside(model, inputs):
    tensors = [*model.parameters(), *model.buffers(), *inputs.values()]
    return {tensor.untyped_storage()._cdata for tensor in tensors}


def saved_bytes(model, inputs=None):
    """Bytes of the distinct storages that saved_tensors_hooks see in a forward, weights, buffers and inputs left out."""
    inputs = inputs or batch()
    outside, seen = _outside(model, inputs), {}

    def pack(tensor):
        storage = tensor.untyped_storage()
        if storage._cdata not in outside:
            seen[storage._cdata] = (storage.nbytes(), storage)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        model(**inputs)
    return sum(size for size, _ in seen.values())


class Live(TorchDispatchMode):
    """Bytes of the storages that ops made and that still exist."""

    def __init__(self):
        super().__init__()
        self.storages, self.bytes, self.peak, self.ops = {}, 0, 0, []

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        out = op(*args, **(kwargs or {}))
        self.ops.append(op._schema.name)
        inputs = {t.untyped_storage()._cdata for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)}
        for tensor in tree_leaves(out):
            if isinstance(tensor, torch.Tensor) and tensor.untyped_storage()._cdata not in inputs:
                self._add(tensor.untyped_storage())
        return out

    def _add(self, storage):
        key = storage._cdata
        if key in self.storages:
            return
        self.storages[key] = (storage.nbytes(), weakref.ref(storage, lambda _: self._drop(key)))
        self.bytes += storage.nbytes()
        self.peak = max(self.peak, self.bytes)

    def _drop(self, key):
        self.bytes -= self.storages.pop(key)[0]


def live_bytes(model, inputs=None):
    """What a forward leaves behind besides its loss: a measure that knows nothing of hooks."""
    gc.collect()
    inputs = inputs or batch()
    with Live() as live:
        loss = model(**inputs).loss
        gc.collect()
    return live.bytes - loss.untyped_storage().nbytes()


def per_layer(measure, family, apply_to, **options):
    """The bytes that one layer adds: a model of three layers less one of two."""
    sizes = []
    for layers in (2, 3):
        model = make(family, layers=layers, **options)
        apply_to(model, layers)
        sizes.append(measure(model))
    return sizes[1] - sizes[0]
