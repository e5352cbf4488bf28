// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/field_help.h"

#include <QCoreApplication>

namespace remat::ui {

namespace {

/// The context of this file's texts, where lupdate sees it.
struct FieldHelpText {
    Q_DECLARE_TR_FUNCTIONS(FieldHelpText)
};

struct FieldHelp {
    const char* name;
    QString (*text)();
};

constexpr FieldHelp kHelp[] = {
    {"preset",
        [] {
            return FieldHelpText::tr(
                "The shape of a model that can be picked by name. Source: its authors' config.json, one file each in "
                "resources/presets; files in the presets folder of your configuration join them.");
        }},
    {"layers",
        [] {
            return FieldHelpText::tr(
                "L, the number of blocks. Weights, saved activations and time grow in proportion to it; embedding and "
                "head do not.");
        }},
    {"width",
        [] {
            return FieldHelpText::tr(
                "C, the width of the residual stream. A block has 4 C² weights in attention and 2 C F in its FFN; a "
                "tensor of the stream has B T C numbers.");
        }},
    {"heads",
        [] {
            return FieldHelpText::tr(
                "H, the heads of attention; each has C / H columns. Where the scores are stored, each head keeps T × T "
                "numbers of every sequence.");
        }},
    {"keyValueHeads",
        [] {
            return FieldHelpText::tr(
                "Heads of keys and values: as many as heads, or fewer that groups of heads share. Source: Ainslie et "
                "al., 2023 (grouped-query attention).");
        }},
    {"ffn",
        [] {
            return FieldHelpText::tr(
                "F, the width inside the FFN, usually 4 C. Its tensors of B T F numbers are the largest of a block; a "
                "gated FFN (SwiGLU) has three.");
        }},
    {"vocabulary",
        [] {
            return FieldHelpText::tr(
                "V, the rows of the embedding. The head's logits have B T V numbers and often set the peak; chunks of "
                "the loss head divide them.");
        }},
    {"positions",
        [] {
            return FieldHelpText::tr("The longest sequence that the model has positions for. Learned positions are "
                                     "weights: C numbers each.");
        }},
    {"device",
        [] {
            return FieldHelpText::tr(
                "Where the step would run: memory, context and rates. An operation takes the greater of FLOPs / (peak "
                "× efficiency) and bytes / (bandwidth × efficiency), plus the launch overhead (roofline: Williams et "
                "al., 2009). Source of the figures: the device's tooltip; this CPU was measured. Beside published "
                "times "
                "on A100s the roofline is 16 % off for BERT-base's step in PyTorch and 10 % for a layer of "
                "Megatron-LM, "
                "on average and most often below (docs/memory-model.md).");
        }},
    {"budget",
        [] {
            return FieldHelpText::tr(
                "The most bytes that may be allocated at any instant of the step: weights, gradients, optimizer, saved "
                "activations and working memory. On a card it starts at capacity − context − reserve.");
        }},
    {"batch",
        [] {
            return FieldHelpText::tr(
                "B, the sequences of one micro-batch. Activations and time grow in proportion to it, weights and "
                "optimizer do not.");
        }},
    {"sequence",
        [] {
            return FieldHelpText::tr(
                "T, the tokens of one sequence. Tensors of the stream grow with T, stored scores with T², and so does "
                "the time of attention.");
        }},
    {"precision",
        [] {
            return FieldHelpText::tr(
                "How numbers are stored. fp32 takes 4 bytes; bf16 takes 2 for weights, activations and gradients, "
                "while "
                "statistics, loss and the optimizer's moments stay fp32. Master weights add 4 bytes for every weight "
                "(Micikevicius et al., 2018).");
        }},
    {"attention",
        [] {
            return FieldHelpText::tr("Blocked: the T × T scores exist only in small blocks; B H T numbers are kept for "
                                     "backward (Dao et al., "
                                     "2022). Scores stored: B H T² numbers are kept.");
        }},
    {"head",
        [] {
            return FieldHelpText::tr(
                "Whole: all B T V logits at once. k chunks: B T V / k at a time, gradients at once, and nothing of the "
                "head runs again.");
        }},
    {"dropout",
        [] {
            return FieldHelpText::tr(
                "Masks are made from a counter instead of being stored, so that a second forward drops the same "
                "elements; they take no memory.");
        }},
    {"optimizer",
        [] {
            return FieldHelpText::tr(
                "What is kept of every weight between steps: AdamW two fp32 moments, 8 bytes (Loshchilov and Hutter, "
                "2019); SGD and none nothing.");
        }},
    {"profile",
        [] {
            return FieldHelpText::tr(
                "Whose training step is described. Own run: this program's executor, every byte of which a run here "
                "can "
                "confirm. PyTorch: what the code of transformers asks of the CUDA allocator, replayed op by op; it was "
                "held against records of real steps (docs/memory-model.md).");
        }},
    {"microBatches",
        [] {
            return FieldHelpText::tr(
                "Forward and backward passes of one step, whose gradients are added up. From two on, the gradients of "
                "the first stay while the others run.");
        }},
    {"torchPrecision",
        [] {
            return FieldHelpText::tr(
                "bf16, fp16: weights, values and gradients in 2 bytes. AMP: fp32 weights; autocast casts them for each "
                "product and keeps the copies until forward ends. fp32: 4 bytes, TF32 off. Source: PyTorch's autocast "
                "lists.");
        }},
    {"torchAttention",
        [] {
            return FieldHelpText::tr(
                "SDPA: flash where half precision and no mask allow it, efficient or math where not, as PyTorch "
                "chooses. Eager: scores and probabilities of B H T² numbers are tensors, and are saved.");
        }},
    {"torchLoss",
        [] {
            return FieldHelpText::tr(
                "The model's own loss turns the logits into fp32 and saves their log softmax: B T V numbers of 4 bytes "
                "often set the peak. The sum of logits saves nothing.");
        }},
    {"torchOptimizer",
        [] {
            return FieldHelpText::tr(
                "AdamW takes the roots of all second moments at once (foreach), as many bytes as the weights; fused "
                "AdamW makes nothing on the way. Both keep two moments of every weight in its own type.");
        }},
    {"torchRegion",
        [] {
            return FieldHelpText::tr(
                "How torch.utils.checkpoint ends a second run: at the last tensor that backward asks for, at the end "
                "of the function, or in the older reentrant way, where nothing inside can be saved by choice.");
        }},
    {"torchGradients",
        [] {
            return FieldHelpText::tr(
                "Whether gradients of the weights exist before the step, as after zero_grad(set_to_none=False): then "
                "they are in memory during forward too.");
        }},
    {"torchOutputs",
        [] {
            return FieldHelpText::tr(
                "Whether the script still holds the model's output, with its logits, when backward "
                "runs: outputs = model(...); outputs.loss.backward().");
        }},
    {"torchCache",
        [] {
            return FieldHelpText::tr("use_cache: keys and values of every layer are part of the output. Training wants "
                                     "it off; many scripts forget it.");
        }},
    {"torchShift",
        [] {
            return FieldHelpText::tr("Older versions of transformers return fp32 logits and copy them to shift them by "
                                     "one token; current ones shift the labels.");
        }},
    {"strategy",
        [] {
            return FieldHelpText::tr(
                "The rule by which the step decides what to keep. Optimal: the least time within the budget, proved, "
                "when each layer runs forward once. The others are rules that people use; all are judged by the same "
                "replay. Source of each: docs/planner.md.");
        }},
    {"rankSource",
        [] {
            return FieldHelpText::tr(
                "Who counts what one GPU of several holds. PyTorch: the simulation of a rank's step, with closed forms "
                "for what ranks share. Paper: sbh(34 + 5as/h) a layer and its forms for TP and SP (Korthikanti et al., "
                "2022), which know three points: none, selective, full. Communication is not counted.");
        }},
    {"tensorParallel",
        [] {
            return FieldHelpText::tr(
                "Tensor parallel, t: the GPUs of a group hold 1/t of each product's columns or rows; t divides heads "
                "and FFN width. Source: Shoeybi et al., 2019 (Megatron-LM).");
        }},
    {"sequenceParallel",
        [] {
            return FieldHelpText::tr(
                "Sequence parallel: the t GPUs of a group share by tokens what lies between the products, so that all "
                "of a layer's saved bytes are divided by t. Source: Korthikanti et al., 2022, table 2.");
        }},
    {"pipelineParallel",
        [] {
            return FieldHelpText::tr("Pipeline stages, p, of L / p layers each. By the schedule 1F1B stage i holds "
                                     "what min(m, p \u2212 i) of m "
                                     "micro-batches save: the first one has the most. Source: Narayanan et al., 2021.");
        }},
    {"dataParallel",
        [] {
            return FieldHelpText::tr(
                "Copies of the model that each train on batches of their own; alone it spares no memory, with ZeRO the "
                "copies divide their states. Samples per second grow in proportion to it.");
        }},
    {"zeroStage",
        [] {
            return FieldHelpText::tr(
                "What the data parallel copies divide among themselves: 1 the optimizer's states, 2 gradients as well, "
                "3 "
                "weights as well, as FSDP does. Source: Rajbhandari et al., 2020 (ZeRO), section 5.");
        }},
    {"place",
        [] {
            return FieldHelpText::tr(
                "Where the step really runs: on this computer, or where a launch profile of yours starts the worker, "
                "by ssh or through Slurm. \"Launch profiles\" in the menu Run writes them; the command line takes the "
                "same ones (--launch). Source: docs/runs.md.");
        }},
    {"machine",
        [] {
            return FieldHelpText::tr("What really runs the step: this CPU in fp32; a GPU, whose memory pool tells what "
                                     "it took; or the GPU's "
                                     "kernels emulated on this CPU, for tiny steps. Source: docs/runs.md.");
        }},
};

} // namespace

QString fieldHelp(const QString& name)
{
    for (const FieldHelp& help : kHelp)
        if (name == QLatin1String(help.name))
            return help.text();
    return {};
}

} // namespace remat::ui
