# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""Exported plans on real code of a fake CUDA device: what a layer keeps, peak and recomputed FLOPs.

Expected figures: measured with an implementation of regions other than this one (torch 2.15, transformers 5.24; six layers,
vocabulary 1024 so that layers bind; MB, peaks above what stands before the step), printed to a tenth.

`tests/data/torch/plans.json`, where it exists, is a list of planned steps: {"case", "plan", "budget_bytes" or null,
"prediction": {"peak_bytes", "saved_bytes"}}: the peak must stay within the budget and within 1 % of the prediction."""
import functools
import json
import os
import unittest

from models import ROOT, plan, runtime
from tracker import measure

RUNTIMES = {kind: runtime(kind) for kind in ("regions", "exact")}
PLANS = os.path.join(ROOT, "tests", "data", "torch", "plans.json")

LLAMA = dict(config=dict(model_type="llama", hidden_size=2048, intermediate_size=8192, num_attention_heads=32,
                         num_key_value_heads=8, head_dim=64, num_hidden_layers=6, vocab_size=1024, tie_word_embeddings=True),
             model_class="LlamaForCausalLM", precision="half", dtype="bf16", attention="sdpa", batch=4, seq=1024)
BERT = dict(config=dict(model_type="bert", num_hidden_layers=6, vocab_size=1024), model_class="BertForMaskedLM",
            precision="half", dtype="fp16", attention="sdpa", batch=16, seq=512, dropout=0.1)
BERT_EAGER = dict(BERT, attention="eager")
GPT2 = dict(config=dict(model_type="gpt2", n_layer=6, vocab_size=1024), model_class="GPT2LMHeadModel", precision="half",
            dtype="fp16", attention="sdpa", batch=8, seq=1024, dropout=0.1)
PATHS = {"llama": "model.layers", "bert": "bert.encoder.layer", "gpt2": "transformer.h"}


def each(case, regions_of):
    root = PATHS[case["config"]["model_type"]]
    layers = [dict(layer=f"{root}.{i}", regions=regions_of(f"{root}.{i}", i)) for i in range(6)]
    return plan("regions", layers)


@functools.cache
def measured(case, text):
    """Of a case and a plan, as texts."""
    case, a_plan = json.loads(case), json.loads(text)
    apply_plan = a_plan and (lambda model: RUNTIMES[a_plan["realization"]].apply(model, a_plan))
    return measure(case, apply_plan)


def result(case, a_plan=None):
    return measured(json.dumps(case), json.dumps(a_plan))


def llama_parts(p, save=()):
    mine = lambda part: {"save": [s for s in save if s.startswith(part)]} if save else {}
    attention = [s for s in save if s == "sdpa" or s.startswith("self_attn")]
    return [dict(kind="attention", path=p + ".self_attn", norm=p + ".input_layernorm", **({"save": attention} if save else {})),
            dict(kind="ffn", path=p + ".mlp", norm=p + ".post_attention_layernorm", **mine("mlp"))]


def groups(p, i, size, inside):
    """Runs of `size` blocks and a last shorter one."""
    if i % size:
        return []
    root = p.rpartition(".")[0]
    paths = [f"{root}.{j}" for j in range(i, min(i + size, 6))]
    return [dict(kind="blocks", paths=paths, inside=[dict(kind="block", path=q, layer=q) for q in paths] if inside else [])]


QKV = ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"]
UP = ["mlp.gate_proj", "mlp.up_proj"]
BERT_LINEARS = ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
                "intermediate.dense", "output.dense"]
GPT2_NORMS = lambda p, tails: [
    dict(kind="attention", path=p + ".attn", norm=p + ".ln_1", **({"tail": p + ".attn.resid_dropout"} if tails else {})),
    dict(kind="ffn", path=p + ".mlp", norm=p + ".ln_2", **({"tail": p + ".mlp.dropout"} if tails else {}))]
block = lambda p, i, **more: [dict(kind="block", path=p, **more)]

# case, what keeping everything keeps of a layer, name, regions of a layer, kept of a layer, recomputed share in percent, peak
FIGURES = [
    (LLAMA, 445.2, "block", block, 16.8, 74, 1259.2),
    (LLAMA, 445.2, "two regions without norms",
     lambda p, i: [dict(kind="attention", path=p + ".self_attn"), dict(kind="ffn", path=p + ".mlp")], 134.3, 68, 1263.0),
    (LLAMA, 445.2, "two regions with norms", lambda p, i: llama_parts(p), 33.6, 68, 1166.4),
    (LLAMA, 445.2, "block that saves the output product and attention",
     functools.partial(block, save=["self_attn.o_proj", "sdpa"]), 50.9, 61, 1259.2),
    (LLAMA, 445.2, "block that saves all products but the last, and attention",
     functools.partial(block, save=QKV + ["self_attn.o_proj", "sdpa"] + UP), 210.2, 0, 1702.2),
    (LLAMA, 445.2, "two blocks", lambda p, i: groups(p, i, 2, False), 8.4, 87, 1582.7),
    (LLAMA, 445.2, "four blocks, each again", lambda p, i: groups(p, i, 4, True), None, None, 1259.2),
    (BERT, 214.4, "block", block, 12.6, 100, 368.3),
    (BERT, 214.4, "block that saves all products and attention", functools.partial(block, save=BERT_LINEARS + ["sdpa"]), 138.8, 0,
     991.5),
    (BERT_EAGER, 465.7, "attention core",
     lambda p, i: [dict(kind="core", path=p + ".attention.self")], 214.0, 5, 1580.7),
    (BERT_EAGER, 465.7, "block that saves all products", functools.partial(block, save=BERT_LINEARS), 125.8, 10, 1177.8),
    (GPT2, None, "block", block, 12.6, 100, 555.9),
    (GPT2, None, "two regions with norms", lambda p, i: GPT2_NORMS(p, False), 25.2, 100, 541.1),
    (GPT2, None, "two regions with norms, tails outside", lambda p, i: GPT2_NORMS(p, True), 37.8, 66, 610.4),
]
KEPT_PEAKS = [(LLAMA, 2876.7), (BERT, 1406.3), (BERT_EAGER, 2913.9)]


def tenths(size):
    return round(size / 1e6, 1)


class Figures(unittest.TestCase):
    def peak(self, measurement):
        return measurement["peak_bytes"] - measurement["base_bytes"]

    def test_keeping_everything(self):
        for case, peak in KEPT_PEAKS:
            with self.subTest(model=case["model_class"], attention=case["attention"]):
                self.assertAlmostEqual(tenths(self.peak(result(case))), peak, delta=0.15)

    def test_regions(self):
        kept_block = {}
        for case, everything, name, regions_of, kept, share, peak in FIGURES:
            with self.subTest(model=case["model_class"], attention=case["attention"], regions=name):
                got = result(case, each(case, regions_of))
                self.assertAlmostEqual(tenths(self.peak(got)), peak, delta=0.15)
                # What six layers keep, above a plan whose figure is known: of keeping everything, or of the first row.
                known = (everything, result(case)["saved_bytes"]) if everything else (12.6, None)
                if known[1] is None:
                    known = (12.6, kept_block.setdefault(case["model_class"], got["saved_bytes"]))
                if kept is not None:
                    self.assertAlmostEqual(tenths((known[1] - got["saved_bytes"]) / 6), known[0] - kept, delta=0.15)
                if share is not None:
                    layers = got["flops"]["forward"] - self.head_flops(case)
                    self.assertAlmostEqual(100 * got["flops"]["recompute"] / layers, share, delta=0.7)

    def head_flops(self, case):
        """Products outside the layers: the logits, and BERT's dense before them."""
        config = case["config"]
        width = config.get("hidden_size", 768)
        rows = case["batch"] * case["seq"]
        return 2 * rows * width * config["vocab_size"] + (2 * rows * width * width if config["model_type"] == "bert" else 0)

    def test_the_same_kept_set_as_two_regions(self):
        # The output product ends the attention's region, where saving it would spare nothing.
        parts = lambda p, i: llama_parts(p, QKV + ["sdpa"] + UP)
        self.assertAlmostEqual(tenths(self.peak(result(LLAMA, each(LLAMA, parts)))), 1651.8, delta=0.15)

    def test_an_exact_plan_needs_less_than_regions_that_keep_as_much(self):
        # Tensors come back one at a time; regions bring their whole saved set back.
        exact = plan("exact", [dict(layer=f"model.layers.{i}", keep=["*/mm", "sdpa"]) for i in range(6)])
        regions = each(LLAMA, lambda p, i: llama_parts(p, QKV + ["sdpa"] + UP))
        self.assertLess(self.peak(result(LLAMA, exact)), self.peak(result(LLAMA, regions)))


class Predictions(unittest.TestCase):
    def test_peaks_of_planned_steps(self):
        if not os.path.exists(PLANS):
            self.skipTest("there are no predictions: " + PLANS)
        with open(PLANS, encoding="utf-8") as file:
            steps = json.load(file)
        for number, planned in enumerate(steps):
            with self.subTest(number=number, case=planned["case"]):
                got, predicted = result(planned["case"], planned["plan"]), planned["prediction"]
                if planned.get("budget_bytes"):
                    self.assertLessEqual(got["peak_bytes"], planned["budget_bytes"])
                self.assertAlmostEqual(got["peak_bytes"], predicted["peak_bytes"], delta=predicted["peak_bytes"] / 100)
                if "saved_bytes" in predicted:
                    self.assertAlmostEqual(got["saved_bytes"], predicted["saved_bytes"], delta=predicted["saved_bytes"] / 1000)


if __name__ == "__main__":
    unittest.main()
