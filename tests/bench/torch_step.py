# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""A training step in PyTorch for torch_bench.cpp: eager fp32 on the CPU, transformers' model, foreach AdamW.

One line of JSON in, the shape; one line of JSON out when the model is there; then a step for every line that comes in,
answered by a line with its seconds (wall and processor time of all threads).  Dropout is off, loss is the mean cross
entropy of every token, as in the step it is compared with.
"""
import json
import sys
import time

try:
    import torch
    import transformers
except ImportError as problem:
    print(json.dumps({"missing": str(problem)}), flush=True)
    sys.exit(0)


def make_model(shape):
    if shape["type"] == "gpt2":
        config = transformers.GPT2Config(
            vocab_size=shape["vocabulary"], n_positions=shape["positions"], n_embd=shape["hidden"],
            n_layer=shape["layers"], n_head=shape["heads"], n_inner=shape["ffn"],
            resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, use_cache=False)
        return transformers.GPT2LMHeadModel(config)
    if shape["type"] == "bert":
        config = transformers.BertConfig(
            vocab_size=shape["vocabulary"], max_position_embeddings=shape["positions"], hidden_size=shape["hidden"],
            num_hidden_layers=shape["layers"], num_attention_heads=shape["heads"], intermediate_size=shape["ffn"],
            hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
        return transformers.BertForMaskedLM(config)
    config = transformers.LlamaConfig(
        vocab_size=shape["vocabulary"], max_position_embeddings=shape["positions"], hidden_size=shape["hidden"],
        num_hidden_layers=shape["layers"], num_attention_heads=shape["heads"],
        num_key_value_heads=shape["key_value_heads"], intermediate_size=shape["ffn"],
        tie_word_embeddings=shape["tied"], use_cache=False)
    return transformers.LlamaForCausalLM(config)


def main():
    shape = json.loads(sys.stdin.readline())
    torch.set_num_threads(shape["threads"])
    torch.manual_seed(1)
    model = make_model(shape).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01, foreach=True)
    print(json.dumps({
        "parameters": sum(p.numel() for p in model.parameters()),
        "torch": torch.__version__, "transformers": transformers.__version__}), flush=True)
    for _ in sys.stdin:
        tokens, targets = (torch.randint(shape["vocabulary"], (shape["batch"], shape["sequence"])) for _ in range(2))
        times, processor = [time.perf_counter()], time.process_time()
        logits = model(tokens).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        times.append(time.perf_counter())
        loss.backward()
        times.append(time.perf_counter())
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        times.append(time.perf_counter())
        print(json.dumps({
            "seconds": times[3] - times[0], "processor": time.process_time() - processor,
            "forward": times[1] - times[0], "backward": times[2] - times[1], "optimizer": times[3] - times[2],
            "loss": loss.item()}), flush=True)


main()
