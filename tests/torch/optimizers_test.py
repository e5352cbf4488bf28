# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""What optimizers of torch keep and what their steps allocate, measured on tiny real models: the second step, when states are
there.  A storage counts as the CUDA allocator hands it out, in multiples of 512 bytes."""
import json
import unittest

from command_line import CommandLineTest
from models import Live, batch
import torch
import transformers

# Tables are the largest weights, as in real models: inside a layer the simulation makes weights in another order than transformers,
# which decides what two neighbours Adafactor holds.
MODELS = {
    "GPT2LMHeadModel": dict(model_type="gpt2", n_layer=2, n_embd=32, n_head=4, n_positions=64, vocab_size=4000),
    "LlamaForCausalLM": dict(model_type="llama", num_hidden_layers=2, hidden_size=32, num_attention_heads=4, intermediate_size=96,
                             vocab_size=4000),
    "BertForMaskedLM": dict(model_type="bert", num_hidden_layers=2, hidden_size=32, num_attention_heads=4, intermediate_size=96,
                            vocab_size=4000),
}
OPTIMIZERS = {
    "sgd": lambda weights: torch.optim.SGD(weights, lr=0.1, foreach=True),
    "sgd-momentum": lambda weights: torch.optim.SGD(weights, lr=0.1, momentum=0.9, foreach=True),
    "adamw": lambda weights: torch.optim.AdamW(weights, foreach=True),
    "adafactor": torch.optim.Adafactor,
}


def allocated(size):
    return (size + 511) // 512 * 512


class Allocated(Live):
    def _add(self, storage):
        before = self.bytes
        super()._add(storage)
        if self.bytes != before:
            key = storage._cdata
            size = allocated(storage.nbytes())
            self.storages[key] = (size, self.storages[key][1])
            self.bytes = before + size
            self.peak = max(self.peak, self.bytes)


def measured(model, optimizer):
    """Bytes of all states that are on the model's device (a step counter that torch keeps on the CPU is none of them), and the
    most that the second step allocates at once."""
    model(**batch()).loss.backward()
    optimizer.step()
    states = sum(allocated(value.nbytes) for state in optimizer.state.values() for name, value in state.items() if name != "step")
    with Allocated() as live:
        optimizer.step()
    return states, live.peak


class Optimizers(CommandLineTest):
    def predicted(self, model, name):
        result = self.remat("describe", "--json", "--profile", "pytorch", "--config", self.write_config(model.config), "--precision",
                            "fp32", "--batch", 2, "--seq", 12, "--optimizer", name)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        step = json.loads(result.stdout)["keep_all"]
        # Of the loss, which is still there, an allocation of its own.
        return step["optimizer_bytes"], step["optimizer_peak_bytes"] - step["base_bytes"] - step["gradient_bytes"] - 512

    def check(self, family, name):
        model = getattr(transformers, family)(transformers.AutoConfig.for_model(**MODELS[family])).train()
        states, most = measured(model, OPTIMIZERS[name](model.parameters()))
        kept, allocates = self.predicted(model, name)
        self.assertEqual(kept, states)
        # Scalars beside the big tensors: learning rates and bias corrections as tensors of 512 bytes.
        self.assertLessEqual(abs(allocates - most), 0.01 * most + 1024, (allocates, most))

    def test_every_optimizer(self):
        for family in MODELS:
            for name in OPTIMIZERS:
                with self.subTest(family=family, optimizer=name):
                    self.check(family, name)


if __name__ == "__main__":
    unittest.main()
