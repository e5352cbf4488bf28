# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""`remat plan --profile pytorch --exact`, exported and applied to real code.

On a fake CUDA device: what hooks and keep-sets save is what was predicted to the byte, the peak is within 1 % of the prediction
and within the budget.  On the CPU, with dropout: loss and gradients are those of the unmodified model bit for bit, and the bytes
that stay are those that the simulation lists."""
import json
import os
import unittest

from command_line import CommandLineTest
from models import FFN, HEADS, LAYERS, VOCABULARY, WIDTH, different, make, same, step
from odd_models import ODD_MODELS, odd_case
from tracker import measure
import transformers

LONG = bool(os.environ.get("REMAT_LONG"))

# Exact plans refuse these.
REFUSED = {"mixtral", "t5"}
BUDGETS = 8 if LONG else 2
# The others with REMAT_LONG=1.
SHORT = {("gpt2", "eager"), ("llama", "sdpa")}


class Remat(CommandLineTest):
    def plan(self, flags, *how):
        """An exact plan, and its exported module."""
        path = self.path("plan.json")
        planned = self.remat("plan", "--profile", "pytorch", "--exact", *flags, "--device", "a100-80", "--out", path, *how)
        self.assertEqual(planned.returncode, 0, planned.stderr)
        return self.exported(path)

    def budgets(self, flags, count):
        """From the least that has a plan to just below what keeping everything needs."""
        kept, _ = self.plan(flags, "--strategy", "none")
        high = kept["prediction"]["peak_bytes"]
        refused = self.remat("plan", "--profile", "pytorch", "--exact", *flags, "--device", "a100-80", "--budget", 1, "--json")
        low = json.loads(refused.stdout)["error"]["least_budget_bytes"]
        return [low + (high - low) * part // count for part in range(count)]


class Predictions(Remat):
    def check(self, case):
        config = self.write_config(transformers.AutoConfig.for_model(**case["config"]))
        flags = ["--config", config, "--batch", case["batch"], "--seq", case["seq"], "--precision", case["precision"], "--dtype",
                 case["dtype"], "--attention", case["attention"], "--dropout", case["dropout"], "--optimizer", "none"]
        for budget in self.budgets(flags, BUDGETS):
            with self.subTest(model_type=case["config"]["model_type"], attention=case["attention"], budget=budget):
                planned, module = self.plan(flags, "--budget", budget)
                self.assertEqual(planned["realization"], "exact")
                self.assertEqual(module.PLAN["realization"], "exact")
                got, predicted = measure(case, module.apply), planned["prediction"]
                self.assertEqual(got["saved_bytes"], predicted["saved_bytes"])
                self.assertAlmostEqual(got["peak_bytes"], predicted["peak_bytes"], delta=predicted["peak_bytes"] / 100)
                self.assertLessEqual(got["peak_bytes"], budget)


for _type in ODD_MODELS.keys() - REFUSED:
    for _attention in ("eager", "sdpa"):
        if _attention == "sdpa" and _type in ("gpt_neo", "gemma2"):
            continue
        for _precision in ("half", "amp", "fp32") if LONG else ("half",):
            if LONG or (_type, _attention) in SHORT:
                setattr(Predictions, f"test_{_type}_{_attention}_{_precision}",
                        lambda self, case=odd_case(_type, _attention, precision=_precision): self.check(case))

PRESETS = {"gpt2": "gpt2", "bert": "bert-base", "llama": "llama-3.2-1b", "qwen2": "qwen2.5-0.5b", "opt": "opt-125m"}


class SameBits(Remat):
    def check(self, family):
        flags = ["--model", PRESETS[family], "--layers", LAYERS, "--hidden", WIDTH, "--heads", HEADS, "--ffn", FFN, "--vocab",
                 VOCABULARY, "--max-positions", 64, "--batch", 2, "--seq", 12, "--precision", "fp32", "--attention", "eager",
                 "--dropout", 0.1, "--optimizer", "none"]
        if family in ("llama", "qwen2"):
            flags += ["--kv-heads", 2]
        model = make(family, dropout=0.1, attention="eager")
        expected = step(model)
        for budget in self.budgets(flags, BUDGETS):
            with self.subTest(family=family, budget=budget):
                _, module = self.plan(flags, "--budget", budget)
                applied = module.apply(model)
                got = step(model)
                applied.remove()
                self.assertTrue(same(expected, got), different(expected, got))


for _family in PRESETS:
    setattr(SameBits, f"test_{_family}", lambda self, family=_family: self.check(family))


if __name__ == "__main__":
    unittest.main()
