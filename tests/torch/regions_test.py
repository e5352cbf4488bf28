# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""Exported regions on real models: the same bits as the unmodified model's, and the bytes that closed forms say."""
import sys
import unittest

from models import (FFN, HEADS, LAYER_PATHS, LAYERS, VOCABULARY, WIDTH, batch, different, live_bytes, make, per_layer, plan,
                    runtime, same, saved_bytes, step)
import torch

regions = runtime("regions")
ATTENTION = {"bert": "attention", "gpt2": "attn", "llama": "self_attn", "qwen2": "self_attn", "opt": "self_attn"}
CORE = {**ATTENTION, "bert": "attention.self"}
FFNS = {"bert": ":feed_forward_chunk", "gpt2": ".mlp", "llama": ".mlp", "qwen2": ".mlp"}  # OPT has no such module
NORMS = {"gpt2": ("ln_1", "ln_2"), "llama": ("input_layernorm", "post_attention_layernorm"),
         "qwen2": ("input_layernorm", "post_attention_layernorm"), "opt": ("self_attn_layer_norm", None)}
LINEARS = {
    "bert": ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
             "intermediate.dense"],
    "gpt2": ["attn.c_attn", "attn.c_proj", "mlp.c_fc"],
    "llama": ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj"],
    "qwen2": ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj"],
    "opt": ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj", "fc1"],
}


def block(family, layer, **more):
    return dict(kind="block", path=f"{LAYER_PATHS[family]}.{layer}", **more)


def attention(family, layer, norm=False, **more):
    path = f"{LAYER_PATHS[family]}.{layer}"
    return dict(kind="attention", path=f"{path}.{ATTENTION[family]}",
                **(dict(norm=f"{path}.{NORMS[family][0]}") if norm else {}), **more)


def ffn(family, layer, norm=False, **more):
    path = f"{LAYER_PATHS[family]}.{layer}"
    return dict(kind="ffn", path=path + FFNS[family], **(dict(norm=f"{path}.{NORMS[family][1]}") if norm else {}), **more)


def core(family, layer):
    return dict(kind="core", path=f"{LAYER_PATHS[family]}.{layer}.{CORE[family]}")


def blocks(family, first, count, inside=()):
    paths = [f"{LAYER_PATHS[family]}.{first + i}" for i in range(count)]
    return dict(kind="blocks", paths=paths, inside=[dict(part, layer=paths[i]) for i, part in inside])


def every(family, layers, make_regions):
    return plan("regions", [dict(layer=f"{LAYER_PATHS[family]}.{i}", regions=make_regions(i)) for i in range(layers)])


def kinds(family):
    """Every kind of region that the family has, by name: what each layer does."""
    f = family
    table = {
        "block": lambda i: [block(f, i)],
        "block to its end": lambda i: [block(f, i, early_stop=False)],
        "reentrant block": lambda i: [block(f, i, reentrant=True)],
        "attention": lambda i: [attention(f, i)],
        "core": lambda i: [core(f, i)],
        "saved products": lambda i: [block(f, i, save=LINEARS[f])],
        "two blocks": lambda i: [blocks(f, i, 2)] if i % 2 == 0 else [],
        "four blocks, each again": lambda i: [blocks(f, 0, 4, [(j, block(f, j)) for j in range(4)])] if i == 0 else [],
        "block, attention again": lambda i: [block(f, i, inside=[attention(f, i)])],
        "every layer another": lambda i: [[block(f, i)], [], [attention(f, i)], [block(f, i, save=LINEARS[f][:1])]][i],
    }
    if f in NORMS:
        table["norm and attention"] = lambda i: [attention(f, i, norm=True)]
    if f in FFNS:
        table["ffn"] = lambda i: [ffn(f, i)]
        table["both"] = lambda i: [attention(f, i), ffn(f, i)]
        table["both, saved products"] = lambda i: [attention(f, i, save=LINEARS[f][:1]), ffn(f, i, save=LINEARS[f][-1:])]
        table["two blocks, parts again"] = (
            lambda i: [blocks(f, i, 2, [(j, part(f, i + j)) for j in range(2) for part in (attention, ffn)])] if i % 2 == 0 else [])
    if f in FFNS and f in NORMS:
        table["both with norms"] = lambda i: [attention(f, i, norm=True), ffn(f, i, norm=True)]
        table["block, both with norms again"] = lambda i: [block(f, i, inside=[attention(f, i, True), ffn(f, i, True)])]
    if f == "gpt2":
        tails = lambda i, norm: [attention(f, i, norm, tail=f"transformer.h.{i}.attn.resid_dropout"),
                                 ffn(f, i, norm, tail=f"transformer.h.{i}.mlp.dropout")]
        table["tails"] = lambda i: tails(i, False)
        table["norms and tails"] = lambda i: tails(i, True)
    return table


class SameBits(unittest.TestCase):
    """Loss and gradients equal those of the unmodified model, with dropout, and again after remove()."""

    def check(self, family, attention_kind):
        model = make(family, attention=attention_kind)
        expected = step(model)
        for name, regions_of in kinds(family).items():
            with self.subTest(family=family, attention=attention_kind, kind=name):
                applied = regions.apply(model, every(family, LAYERS, regions_of))
                got = step(model)
                applied.remove()
                self.assertTrue(same(expected, got), different(expected, got))
        self.assertTrue(same(expected, step(model)), "remove() left something behind")

    def test_saved_fused_attention(self):
        for family in LAYER_PATHS:
            with self.subTest(family=family):
                model = make(family, dropout=0.0, attention="sdpa")
                expected = step(model)
                save = LINEARS[family] + ["sdpa"]
                regions.apply(model, every(family, LAYERS, lambda i: [block(family, i, save=save)]))
                self.assertTrue(same(expected, step(model)))


for _family in LAYER_PATHS:
    for _kind in ("eager", "sdpa"):
        setattr(SameBits, f"test_{_family}_{_kind}", lambda self, f=_family, k=_kind: self.check(f, k))


class Bytes(unittest.TestCase):
    """What a layer keeps, by closed form: what saved_tensors_hooks see, and what is really alive after the forward.

    N = rows x length, C = width, F = FFN width, 4 bytes a number; a CPU's dropout keeps its factors as numbers, N C."""

    N, C, F = 2 * 12, WIDTH, FFN

    def check(self, family, regions_of, numbers, **options):
        def apply_to(model, layers):
            regions.apply(model, every(family, layers, regions_of))

        self.assertEqual(per_layer(saved_bytes, family, apply_to, **options), 4 * numbers, "seen by hooks")
        self.assertEqual(per_layer(live_bytes, family, apply_to, **options), 4 * numbers, "alive")

    def test_a_block_keeps_its_input(self):
        for family in LAYER_PATHS:
            with self.subTest(family=family):
                self.check(family, lambda i: [block(family, i)], self.N * self.C)

    def test_two_regions_with_norms_keep_two_inputs(self):
        for family in ("gpt2", "llama", "qwen2"):
            with self.subTest(family=family):
                both = lambda i: [attention(family, i, True), ffn(family, i, True)]
                self.check(family, both, 2 * self.N * self.C)

    def test_norms_outside_keep_their_inputs_outputs_and_statistics(self):
        both = lambda i: [attention("gpt2", i), ffn("gpt2", i)]
        self.check("gpt2", both, 4 * self.N * self.C + 4 * self.N)

    def test_a_tail_keeps_its_dropout(self):
        tails = kinds("gpt2")["norms and tails"]
        self.check("gpt2", tails, 4 * self.N * self.C)

    def test_saved_products_are_kept_beside_the_input(self):
        save = lambda i: [block("gpt2", i, save=["attn.c_attn", "mlp.c_fc"])]
        self.check("gpt2", save, self.N * (self.C + 3 * self.C + self.F))

    def test_saved_attention_keeps_its_output_and_one_number_a_row_and_head(self):
        save = lambda i: [block("gpt2", i, save=["sdpa"])]
        self.check("gpt2", save, self.N * (self.C + self.C) + HEADS * self.N, dropout=0.0, attention="sdpa")

    def test_a_core_keeps_queries_keys_values_and_what_is_around_it(self):
        # Around it: the block's input, two norms' outputs and statistics, context, the sum, the FFN's product, the four
        # values of GPT-2's GELU and its output, and two dropouts.
        around = 7 * self.N * self.C + 4 * self.N + 5 * self.N * self.F
        self.check("gpt2", lambda i: [core("gpt2", i)], 3 * self.N * self.C + around)

    def test_k_blocks_keep_one_input(self):
        sizes = []
        for layers in (2, 4):
            model = make("llama", layers=layers)
            regions.apply(model, plan("regions", [
                dict(layer=f"model.layers.{i}", regions=[blocks("llama", i, 2)] if i % 2 == 0 else []) for i in range(layers)]))
            sizes.append(saved_bytes(model))
        self.assertEqual(sizes[1] - sizes[0], 4 * self.N * self.C)


class Generator(unittest.TestCase):
    """A saved op that draws random numbers leaves the generator where it would be."""

    @classmethod
    def setUpClass(cls):
        # The CPU has no fused attention with dropout, so this one stands for a GPU's: one op, random, saved as "sdpa".
        @torch.library.custom_op("remat_test::attention", mutates_args=(), tags=[torch.Tag.nondeterministic_seeded])
        def fused(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            mask = torch.nn.functional.dropout(torch.ones(*q.shape[:-1], k.shape[-2]), 0.3)
            return (torch.softmax(q @ k.transpose(-1, -2), -1) * mask) @ v, mask

        def setup(ctx, inputs, output):
            ctx.save_for_backward(*inputs, output[1])

        def backward(ctx, gradient, _):
            q, k, v, mask = ctx.saved_tensors
            with torch.enable_grad():
                q, k, v = (t.detach().requires_grad_() for t in (q, k, v))
                out = (torch.softmax(q @ k.transpose(-1, -2), -1) * mask) @ v
            return torch.autograd.grad(out, (q, k, v), gradient)

        fused.register_autograd(backward, setup_context=setup)
        interface = sys.modules["transformers.models.gpt2.modeling_gpt2"].ALL_ATTENTION_FUNCTIONS
        interface["remat_test"] = lambda module, q, k, v, mask, **_: (fused(q, k, v)[0].transpose(1, 2), None)

    def gradients(self, runtime_of):
        model = make("gpt2", attention="eager")
        model.config._attn_implementation = "remat_test"
        runtime_of._FUSED_ATTENTION = ("attention",)
        expected = step(model)
        runtime_of.apply(model, every("gpt2", LAYERS, lambda i: [block("gpt2", i, save=["sdpa"])]))
        return expected, step(model)

    def test_masks_behind_a_saved_random_op_are_the_same(self):
        expected, got = self.gradients(runtime("regions"))
        self.assertTrue(same(expected, got), different(expected, got))

    def test_a_generator_left_where_it_is_gives_other_gradients(self):
        unfixed = runtime("regions")
        unfixed._SetGenerators.__torch_dispatch__ = lambda self, op, types, args=(), kwargs=None: op(*args, **(kwargs or {}))
        expected, got = self.gradients(unfixed)
        self.assertTrue(torch.equal(expected[0], got[0]))
        self.assertFalse(same(expected, got))

    def test_masks_that_a_region_draws_again_without_its_generator_differ(self):
        careless = runtime("regions")
        careful = careless.checkpoint
        careless.checkpoint = lambda *args, **options: careful(*args, **options, preserve_rng_state=False)
        model = make("bert")
        expected = step(model)
        careless.apply(model, every("bert", LAYERS, lambda i: [block("bert", i)]))
        self.assertFalse(same(expected, step(model)))


class Refusals(unittest.TestCase):
    """What does not fit is said, and the model is left as it was."""

    def refused(self, family, layers, words, run=True, **options):
        model = make(family, **options)
        expected = step(model)
        with self.assertRaisesRegex(regions.RematError, words):
            regions.apply(model, layers if isinstance(layers, dict) else plan("regions", layers))
            if run:
                step(model)
            self.fail("nothing was refused")
        return model, expected

    def one(self, family, *parts):
        return [dict(layer=f"{LAYER_PATHS[family]}.0", regions=list(parts))]

    def test_a_path_that_is_not_there(self):
        model, expected = self.refused("gpt2", self.one("gpt2", block("gpt2", 1), dict(kind="ffn", path="transformer.h.0.mpl")),
                                       r"transformer\.h\.0\.mpl.*transformer\.h\.0\.mlp", run=False)
        self.assertTrue(same(expected, step(model)), "half of a plan is taken back")

    def test_a_saved_name_that_runs_no_product(self):
        self.refused("gpt2", self.one("gpt2", block("gpt2", 0, save=["mlp.act"])), "mlp.act.*no product.*tanh")

    def test_fused_attention_that_never_runs(self):
        self.refused("gpt2", self.one("gpt2", block("gpt2", 0, save=["sdpa"])), "no fused attention ran")

    def test_a_product_in_place(self):
        model = make("opt")
        class InPlace(torch.nn.Linear):
            def forward(self, x):
                return x.new_zeros(*x.shape[:-1], self.out_features).addmm_(x, self.weight.t())
        layer = model.model.decoder.layers[0]
        layer.fc1 = InPlace(WIDTH, FFN)
        regions.apply(model, plan("regions", self.one("opt", block("opt", 0, save=["fc1"]))))
        with self.assertRaisesRegex(regions.RematError, "fc1.*in place"):
            step(model)

    def test_blocks_that_return_tuples(self):
        import transformers
        torch.manual_seed(1)
        config = transformers.BloomConfig(n_layer=2, hidden_size=32, n_head=4, vocab_size=VOCABULARY, use_cache=False)
        model = transformers.BloomForCausalLM(config).train()
        paths = ["transformer.h.0", "transformer.h.1"]
        regions.apply(model, plan("regions", [dict(layer=paths[0], regions=[dict(kind="blocks", paths=paths)])]))
        with self.assertRaisesRegex(regions.RematError, "return one tensor|reads or changes"):
            step(model)

    def test_a_norm_with_two_readers(self):
        import transformers
        torch.manual_seed(1)
        config = transformers.PhiConfig(num_hidden_layers=2, hidden_size=32, num_attention_heads=4, intermediate_size=64,
                                        vocab_size=VOCABULARY, use_cache=False, pad_token_id=0)
        model = transformers.PhiForCausalLM(config).train()
        path = "model.layers.0"
        regions.apply(model, plan("regions", [dict(layer=path, regions=[
            dict(kind="attention", path=path + ".self_attn", norm=path + ".input_layernorm")])]))
        with self.assertRaisesRegex(regions.RematError, "PhiMLP reads it too"):
            step(model)

    def test_a_dropout_that_ends_nothing(self):
        tail = attention("gpt2", 0, tail="transformer.h.0.mlp.dropout")
        self.refused("gpt2", self.one("gpt2", tail), "does not end its region")

    def test_saving_inside_or_around_a_region(self):
        inner = attention("gpt2", 0, save=["attn.c_attn"])
        self.refused("gpt2", self.one("gpt2", block("gpt2", 0, inside=[inner])), "held twice", run=False)
        outer = block("gpt2", 0, inside=[attention("gpt2", 0)], save=["attn.c_attn"])
        self.refused("gpt2", self.one("gpt2", outer), "held twice", run=False)
        both = block("gpt2", 0, reentrant=True, save=["attn.c_attn"])
        self.refused("gpt2", self.one("gpt2", both), "cannot save", run=False)

    def test_shards_inside_a_region(self):
        class FSDPModule:
            pass
        model = make("llama")
        mlp = model.model.layers[0].mlp
        mlp.__class__ = type("Sharded", (FSDPModule, type(mlp)), {})
        with self.assertRaisesRegex(regions.RematError, "FSDP unit"):
            regions.apply(model, plan("regions", self.one("llama", block("llama", 0))))
        regions.apply(model, plan("regions", self.one("llama", ffn("llama", 0))))  # the unit equals the region

    def test_a_model_that_checkpoints_already_and_a_second_plan(self):
        model = make("gpt2")
        model.gradient_checkpointing_enable()
        some = plan("regions", self.one("gpt2", block("gpt2", 0)))
        with self.assertRaisesRegex(regions.RematError, "gradient_checkpointing_disable"):
            regions.apply(model, some)
        model.gradient_checkpointing_disable()
        regions.apply(model, some)
        with self.assertRaisesRegex(regions.RematError, "has a plan already"):
            regions.apply(model, some)

    def test_plans_of_another_class_or_kind(self):
        self.refused("gpt2", plan("regions", [], model_class="LlamaForCausalLM"), "LlamaForCausalLM.*GPT2LMHeadModel", run=False)
        self.refused("gpt2", plan("exact", []), "of kind 'exact'", run=False)
        self.refused("gpt2", dict(format="remat-plan"), "no plan that this module can read", run=False)

    def test_the_cache_is_switched_off_and_on_again(self):
        model = make("llama")
        model.config.use_cache = True
        applied = regions.apply(model, plan("regions", self.one("llama", block("llama", 0))))
        self.assertFalse(model.config.use_cache)
        applied.remove()
        self.assertTrue(model.config.use_cache)


if __name__ == "__main__":
    unittest.main()
