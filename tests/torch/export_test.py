# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""What `remat export --to pytorch` writes, applied to models of the shape that was planned: the same bits as without."""
import json
import os
import unittest

from command_line import CommandLineTest, load
from models import FFN, HEADS, LAYERS, VOCABULARY, WIDTH, different, make, same, step

PRESETS = {"gpt2": "gpt2", "bert": "bert-base", "llama": "llama-3.2-1b", "qwen2": "qwen2.5-0.5b"}
RULES = ["none", "full", "every-2", "ffn-only", "attention-only", "core-attention", "llmc-r2", "torchtitan-selective",
         "megatron-block-2"]
LONG = bool(os.environ.get("REMAT_LONG"))
ORDERED = ["full-no-early-stop", "chen-sqrt", "megatron-uniform-2", "megatron-uniform-4"]


class Exports(CommandLineTest):
    def plan(self, family, attention, dropout, *how):
        path = self.path("plan.json")
        sizes = ["--layers", LAYERS, "--hidden", WIDTH, "--heads", HEADS, "--ffn", FFN, "--vocab", VOCABULARY,
                 "--max-positions", 64, "--batch", 2, "--seq", 12]
        if family in ("llama", "qwen2"):
            sizes += ["--kv-heads", 2]
        result = self.remat("plan", "--model", PRESETS[family], *sizes, "--device", "a100-80", "--attention", attention,
                            "--dropout", dropout, "--out", path, *how)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(path, encoding="utf-8") as file:
            return path, json.load(file)

    def module(self, path, realization):
        """The exported module; none where the plan cannot be one of that kind."""
        out = self.path("exported.py")
        result = self.remat("export", path, "--to", "pytorch", "--realization", realization, "--out", out)
        if result.returncode == 3:
            return None, result.stderr
        self.assertEqual(result.returncode, 0, result.stderr)
        return load(out), ""

    def budgets(self, family, attention, dropout, parts):
        """Some from the least to what keeping everything needs."""
        _, kept = self.plan(family, attention, dropout, "--strategy", "none")
        _, full = self.plan(family, attention, dropout, "--strategy", "full")
        high, low = kept["prediction"]["peak_bytes"], full["prediction"]["peak_bytes"]
        return [low + (high - low) * part // 6 for part in parts]

    def check(self, family, attention, dropout, strategies, parts):
        model = make(family, dropout=dropout, attention=attention)
        expected = step(model)
        kinds = set()
        hows = [["--strategy", rule] for rule in strategies]
        hows += [["--budget", budget] for budget in self.budgets(family, attention, dropout, parts)]
        for how in hows:
            path, plan = self.plan(family, attention, dropout, *how)
            for realization in ("regions", "exact"):
                with self.subTest(family=family, attention=attention, how=how, realization=realization):
                    module, why = self.module(path, realization)
                    if module is None:
                        self.assertTrue(realization == "exact" and how[1] in ORDERED, why)
                        continue
                    if realization == "regions":
                        kinds |= {region["kind"] for layer in module.PLAN["layers"] for region in layer["regions"]}
                    applied = module.apply(model)
                    got = step(model)
                    applied.remove()
                    self.assertTrue(same(expected, got), different(expected, got))
        if strategies != ORDERED:
            self.assertGreaterEqual(kinds, {"block", "attention", "ffn"} | ({"core"} if attention == "eager" else set()))
        if strategies != RULES:
            self.assertIn("blocks", kinds)


for _number, _family in enumerate(PRESETS):
    # A CPU has no fused attention with dropout.
    for _kind, _dropout in (("eager", 0.1), ("sdpa", 0.0)):
        # In the short form each family has one kind of attention with RULES and the other with ORDERED, by turns, and
        # budgets that together are those of the long form.
        _has_rules = (_number % 2 == 0) == (_kind == "eager")
        _strategies = RULES + ORDERED if LONG else RULES if _has_rules else ORDERED
        _parts = range(1, 6) if LONG else (2, 4) if _has_rules else (1, 3, 5)
        setattr(Exports, f"test_{_family}_{_kind}",
                lambda self, f=_family, k=_kind, d=_dropout, s=_strategies, p=_parts: self.check(f, k, d, s, p))

if __name__ == "__main__":
    unittest.main()
