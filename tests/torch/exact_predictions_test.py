# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""`remat plan --profile pytorch --exact`, exported and applied to real code.

On a fake CUDA device: what hooks and keep-sets save is what was predicted to the byte, the peak is within 1 % of the prediction
and within the budget.  On the CPU, with dropout: loss and gradients are those of the unmodified model bit for bit, and the bytes
that stay are those that the simulation lists."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

from models import FFN, HEADS, LAYERS, VOCABULARY, WIDTH, different, make, same, step
from tracker import measure
import transformers

REMAT = os.path.join(os.environ.get("REMAT_BIN", ""), "remat")
if not os.path.exists(REMAT):
    print(f"Skipped: {REMAT} is not built.")
    sys.exit(77)
LONG = bool(os.environ.get("REMAT_LONG"))

SIZES = dict(hidden_size=96, num_hidden_layers=4, num_attention_heads=6, intermediate_size=200, vocab_size=515)
GROUPED = dict(SIZES, num_key_value_heads=2, head_dim=16)
GPT = dict(n_layer=4, n_embd=96, n_head=6, vocab_size=515)
# model_type, class, sizes.
TYPES = [
    ("gpt2", "GPT2LMHeadModel", GPT),
    ("bert", "BertForMaskedLM", SIZES),
    ("llama", "LlamaForCausalLM", GROUPED),
    ("qwen2", "Qwen2ForCausalLM", dict(SIZES, num_key_value_heads=2)),
    ("opt", "OPTForCausalLM", dict(hidden_size=96, num_hidden_layers=4, num_attention_heads=6, ffn_dim=200, word_embed_proj_dim=96,
                                   vocab_size=515)),
    ("roberta", "RobertaForMaskedLM", SIZES),
    ("electra", "ElectraForMaskedLM", dict(SIZES, embedding_size=32)),
    ("distilbert", "DistilBertForMaskedLM", dict(dim=96, n_layers=4, n_heads=6, hidden_dim=200, vocab_size=515)),
    ("gpt_neo", "GPTNeoForCausalLM", dict(hidden_size=96, num_layers=4, num_heads=6, attention_types=[[["global", "local"], 2]],
                                          vocab_size=515)),
    ("gpt_neox", "GPTNeoXForCausalLM", SIZES),
    ("gptj", "GPTJForCausalLM", dict(GPT, rotary_dim=8)),
    ("falcon", "FalconForCausalLM", dict(hidden_size=96, num_hidden_layers=4, num_attention_heads=6, vocab_size=515)),
    ("phi", "PhiForCausalLM", SIZES),
    ("phi3", "Phi3ForCausalLM", dict(SIZES, pad_token_id=0)),
    ("mistral", "MistralForCausalLM", GROUPED),
    ("qwen3", "Qwen3ForCausalLM", GROUPED),
    ("gemma", "GemmaForCausalLM", GROUPED),
    ("gemma2", "Gemma2ForCausalLM", GROUPED),
    ("gemma3_text", "Gemma3ForCausalLM", GROUPED),
    ("olmo2", "Olmo2ForCausalLM", dict(SIZES, num_key_value_heads=2)),
    ("starcoder2", "Starcoder2ForCausalLM", dict(SIZES, num_key_value_heads=2)),
]
BUDGETS = 8 if LONG else 2
# The others with REMAT_LONG=1.
SHORT = {("gpt2", "eager"), ("llama", "sdpa")}


class Remat(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.environment = {**os.environ, "HOME": cls.folder.name, "XDG_CACHE_HOME": cls.folder.name, "XDG_CONFIG_HOME": cls.folder.name}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def remat(self, *arguments):
        return subprocess.run([REMAT, *map(str, arguments)], env=self.environment, capture_output=True, text=True, check=False)

    def plan(self, flags, *how):
        """An exact plan, and its exported module."""
        path, out = (os.path.join(self.folder.name, name) for name in ("plan.json", "exported.py"))
        planned = self.remat("plan", "--profile", "pytorch", "--exact", *flags, "--device", "a100-80", "--out", path, *how)
        self.assertEqual(planned.returncode, 0, planned.stderr)
        exported = self.remat("export", path, "--to", "pytorch", "--out", out)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        spec = importlib.util.spec_from_file_location("exported", out)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        with open(path, encoding="utf-8") as file:
            return json.load(file), module

    def budgets(self, flags, count):
        """From the least that has a plan to just below what keeping everything needs."""
        kept, _ = self.plan(flags, "--strategy", "none")
        high = kept["prediction"]["peak_bytes"]
        refused = self.remat("plan", "--profile", "pytorch", "--exact", *flags, "--device", "a100-80", "--budget", 1, "--json")
        low = json.loads(refused.stdout)["error"]["least_budget_bytes"]
        return [low + (high - low) * part // count for part in range(count)]


class Predictions(Remat):
    def check(self, case):
        config = os.path.join(self.folder.name, "config.json")
        with open(config, "w", encoding="utf-8") as file:
            json.dump(transformers.AutoConfig.for_model(**case["config"]).to_dict(), file)
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


def case_of(model_type, model_class, sizes, attention, **more):
    return {**dict(model_class=model_class, config=dict(model_type=model_type, **sizes), precision="half", dtype="bf16",
                   attention=attention, batch=2, seq=128, dropout=0.1), **more}


for _type, _class, _sizes in TYPES:
    for _attention in ("eager", "sdpa"):
        if _attention == "sdpa" and _type in ("gpt_neo", "gemma2"):
            continue
        for _precision in ("half", "amp", "fp32") if LONG else ("half",):
            if LONG or (_type, _attention) in SHORT:
                setattr(Predictions, f"test_{_type}_{_attention}_{_precision}",
                        lambda self, case=case_of(_type, _class, _sizes, _attention, precision=_precision): self.check(case))

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
