# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""Exported exact keep-sets on real models: the same bits, the bytes that closed forms say, and each op at most once more."""
import collections
import gc
import unittest

from models import (FFN, HEADS, LAYER_PATHS, LAYERS, WIDTH, Live, batch, different, live_bytes, make, per_layer, plan, runtime,
                    same, step)
import torch

exact = runtime("exact")

KEEP_SETS = {
    "nothing": lambda family: [],
    "everything": lambda family: ["*"],
    "first ones": lambda family: ["*#0"],
    "products": lambda family: ["*/addmm"] if family in ("bert", "gpt2", "opt") else ["*mm"],
    "norms": lambda family: ["*orm*/*"] if family != "gpt2" else ["ln_?/*"],
    "activations": lambda family: {"bert": ["*/gelu"], "gpt2": ["mlp.act/*"], "opt": ["*/relu"]}.get(family, ["*/silu"]),
}


def every(family, layers, keep):
    return plan("exact", [dict(layer=f"{LAYER_PATHS[family]}.{i}", keep=keep) for i in range(layers)])


class SameBits(unittest.TestCase):
    def check(self, family, attention, dropout):
        model = make(family, dropout=dropout, attention=attention)
        expected = step(model)
        for name, keep in KEEP_SETS.items():
            with self.subTest(family=family, attention=attention, keep=name):
                applied = exact.apply(model, every(family, LAYERS, keep(family)))
                got = step(model)
                applied.remove()
                self.assertTrue(same(expected, got), different(expected, got))
        self.assertTrue(same(expected, step(model)), "remove() left something behind")

    def test_layers_of_their_own_and_fused_attention(self):
        model = make("gpt2", dropout=0.0, attention="sdpa")
        expected = step(model)
        keeps = [["sdpa"], [], ["sdpa", "mlp.c_fc/addmm"], ["attn.c_attn/addmm#0"]]
        exact.apply(model, plan("exact", [dict(layer=f"transformer.h.{i}", keep=k) for i, k in enumerate(keeps)]))
        self.assertTrue(same(expected, step(model)))

    def test_autocast(self):
        model = make("bert")

        def cast():
            torch.manual_seed(5)
            model.zero_grad(set_to_none=True)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = model(**batch()).loss
            loss.backward()
            return loss.detach(), {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}

        expected = cast()
        exact.apply(model, every("bert", LAYERS, ["*/addmm"]))
        got = cast()
        self.assertTrue(same(expected, got), different(expected, got))


for _family in LAYER_PATHS:
    for _kind, _dropout in (("eager", 0.1), ("sdpa", 0.0)):
        setattr(SameBits, f"test_{_family}_{_kind}",
                lambda self, f=_family, k=_kind, d=_dropout: self.check(f, k, d))


class Bytes(unittest.TestCase):
    """N = rows x length, C = width, F = FFN width, 4 bytes a number."""

    N, C, F = 2 * 12, WIDTH, FFN

    def check(self, family, keep, numbers, **options):
        apply_to = lambda model, layers: exact.apply(model, every(family, layers, keep))
        self.assertEqual(per_layer(live_bytes, family, apply_to, **options), 4 * numbers)

    def test_nothing_kept_is_the_input(self):
        for family in LAYER_PATHS:
            with self.subTest(family=family):
                self.check(family, [], self.N * self.C)

    def test_kept_products_are_kept(self):
        self.check("gpt2", ["attn.c_attn/addmm", "mlp.c_fc/addmm"], self.N * (self.C + 3 * self.C + self.F))

    def test_fused_attention_is_its_output_and_one_number_a_row_and_head(self):
        self.check("gpt2", ["sdpa"], 2 * self.N * self.C + HEADS * self.N, dropout=0.0, attention="sdpa")

    def test_what_no_backward_reads_is_not_kept(self):
        # The product that ends GPT-2's FFN goes into a dropout, whose backward reads factors alone, and a sum, whose
        # backward reads nothing. That of its attention is read when the sum behind it, the second norm's input, is made
        # again.
        self.check("gpt2", ["mlp.c_proj/addmm"], self.N * self.C)
        self.check("gpt2", ["attn.c_proj/addmm"], 2 * self.N * self.C)

    def test_everything_kept_is_what_autograd_keeps(self):
        nothing = lambda model, layers: None
        for family in LAYER_PATHS:
            with self.subTest(family=family):
                expected = per_layer(live_bytes, family, nothing)
                everything = lambda model, layers: exact.apply(model, every(family, layers, ["*"]))
                self.assertEqual(per_layer(live_bytes, family, everything), expected)

    def test_tensors_come_back_one_by_one(self):
        # A block region has its whole saved set again at once; here each tensor lives from just before its first reader
        # to its last, so the peak of one layer's backward is lower.
        regions = runtime("regions")
        peaks = []
        for apply_plan in (
            lambda model: regions.apply(model, plan("regions", [
                dict(layer="transformer.h.0", regions=[dict(kind="block", path="transformer.h.0")])])),
            lambda model: exact.apply(model, every("gpt2", 1, [])),
        ):
            model = make("gpt2", layers=1, n_inner=32 * WIDTH)
            apply_plan(model)
            torch.manual_seed(1)
            gc.collect()
            with Live() as live:
                loss = model(**batch()).loss
                live.peak = 0
                loss.backward()
            peaks.append(live.peak)
        self.assertLess(peaks[1], peaks[0])


class Reruns(unittest.TestCase):
    def test_an_op_runs_again_at_most_once_and_only_if_read(self):
        model = make("bert", layers=1)
        counts = []
        for keep in (None, []):
            if keep is not None:
                exact.apply(model, every("bert", 1, keep))
            torch.manual_seed(1)
            with Live() as live:
                model(**batch()).loss.backward()
            counts.append(collections.Counter(live.ops))
        # BERT's last dense runs again: the sum behind it is read by the last norm's backward, which also reads the two
        # numbers a row that the norm makes beside the block's output.
        self.assertEqual(counts[1]["aten::native_layer_norm"] - counts[0]["aten::native_layer_norm"], 2)
        self.assertEqual(counts[1]["aten::gelu"] - counts[0]["aten::gelu"], 1)
        self.assertEqual(counts[1]["aten::addmm"] - counts[0]["aten::addmm"], 6)
        self.assertEqual(counts[1]["aten::_softmax"] - counts[0]["aten::_softmax"], 1)


class Generator(unittest.TestCase):
    def test_masks_drawn_again_without_their_generator_differ(self):
        careless = runtime("exact")
        careless._generators = lambda values: []
        model = make("gpt2")
        expected = step(model)
        careless.apply(model, every("gpt2", LAYERS, []))
        got = step(model)
        self.assertTrue(torch.equal(expected[0], got[0]))
        self.assertFalse(same(expected, got))

    def test_backward_leaves_the_generator_alone(self):
        model = make("gpt2")
        after = []
        for _ in range(2):
            step(model)
            after.append(torch.rand(4))
            if len(after) == 1:
                exact.apply(model, every("gpt2", LAYERS, []))
        self.assertTrue(torch.equal(after[0], after[1]))


class Refusals(unittest.TestCase):
    def test_a_name_that_never_ran(self):
        model = make("gpt2")
        exact.apply(model, every("gpt2", 1, ["mlp.c_fc/admm"]))
        with self.assertRaisesRegex(exact.RematError, r"mlp\.c_fc/admm.*never ran.*mlp\.c_fc/addmm#0"):
            step(model)

    def test_a_second_backward(self):
        model = make("gpt2")
        exact.apply(model, every("gpt2", LAYERS, []))
        loss = model(**batch()).loss
        loss.backward(retain_graph=True)
        with self.assertRaisesRegex(exact.RematError, "one backward for each forward"):
            loss.backward()

    def test_a_tensor_from_outside_changed_in_place(self):
        model = make("opt")
        layer = model.model.decoder.layers[0]
        inner = layer.fc1.forward
        counter = torch.zeros(1)

        def counting(x):
            counter.add_(1)
            return inner(x)

        layer.fc1.forward = counting
        exact.apply(model, every("opt", 1, []))
        with self.assertRaisesRegex(exact.RematError, "from outside in place"):
            step(model)

    def test_a_value_changed_in_place_after_it_was_read(self):
        model = make("opt")
        layer = model.model.decoder.layers[0]
        inner = layer.fc1.forward

        def changing(x):
            y = inner(x)
            z = y * y.detach().sin()
            with torch.no_grad():
                y.detach().neg_()
            return z

        layer.fc1.forward = changing
        exact.apply(model, every("opt", 1, []))
        with self.assertRaisesRegex((exact.RematError, RuntimeError), "changed in place|modified by an inplace"):
            step(model)

    def test_shards_and_compilation(self):
        class FSDPModule:
            pass
        model = make("llama")
        mlp = model.model.layers[0].mlp
        mlp.__class__ = type("Sharded", (FSDPModule, type(mlp)), {})
        with self.assertRaisesRegex(exact.RematError, "FSDP unit"):
            exact.apply(model, every("llama", 1, []))


if __name__ == "__main__":
    unittest.main()
