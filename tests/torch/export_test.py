# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""What `remat export --to pytorch` writes, applied to models of the shape that was planned: the same bits as without."""
import json
import unittest

from command_line import CommandLineTest, load
from models import FFN, HEADS, LAYERS, VOCABULARY, WIDTH, different, make, same, step

PRESETS = {"gpt2": "gpt2", "bert": "bert-base", "llama": "llama-3.2-1b", "qwen2": "qwen2.5-0.5b"}
RULES = ["none", "full", "every-2", "ffn-only", "attention-only", "core-attention", "llmc-r2", "torchtitan-selective",
         "megatron-block-2"]
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

    def budgets(self, family, attention, dropout):
        """Some from the least to what keeping everything needs."""
        _, kept = self.plan(family, attention, dropout, "--strategy", "none")
        _, full = self.plan(family, attention, dropout, "--strategy", "full")
        high, low = kept["prediction"]["peak_bytes"], full["prediction"]["peak_bytes"]
        return [low + (high - low) * part // 6 for part in range(1, 6)]

    def check(self, family, attention, dropout):
        model = make(family, dropout=dropout, attention=attention)
        expected = step(model)
        kinds = set()
        hows = [["--strategy", rule] for rule in RULES + ORDERED]
        hows += [["--budget", budget] for budget in self.budgets(family, attention, dropout)]
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
        self.assertGreaterEqual(kinds, {"block", "attention", "ffn", "blocks"} | ({"core"} if attention == "eager" else set()))


for _family in PRESETS:
    # A CPU has no fused attention with dropout.
    for _kind, _dropout in (("eager", 0.1), ("sdpa", 0.0)):
        setattr(Exports, f"test_{_family}_{_kind}", lambda self, f=_family, k=_kind, d=_dropout: self.check(f, k, d))

if __name__ == "__main__":
    unittest.main()
