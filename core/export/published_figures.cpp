// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/published_figures.h"

#include <algorithm>
#include <cstdio>

#include "core/cost/devices.h"
#include "core/export/table.h"
#include "core/model/presets.h"
#include "core/paper/paper_step.h"
#include "core/regions/event_times.h"
#include "core/regions/region_plan.h"
#include "core/torch/torch_step.h"

namespace remat {

namespace {

using torch::TorchAttention;
using torch::TorchPrecision;
using torch::TorchSetup;

/// What all rows are computed from.
struct Sources {
    ModelShape bert, gpt2, gpt2Large;
    Device a100;
};

Result<Sources> readSources()
{
    Sources sources;
    for (const auto& [name, shape] :
        {std::pair{"bert-base", &sources.bert}, {"gpt2", &sources.gpt2}, {"gpt2-large", &sources.gpt2Large}}) {
        Result<ModelShape> preset = findPreset(name, "");
        if (!preset)
            return preset.error();
        *shape = *std::move(preset);
    }
    Result<Device> device = devices("").find("a100-80");
    if (!device)
        return device.error();
    sources.a100 = *std::move(device);
    return sources;
}

double megabytes(Bytes bytes)
{
    return static_cast<double>(bytes.value) / 1e6;
}

double milliseconds(Nanoseconds time)
{
    return static_cast<double>(time.value) / 1e6;
}

const char* nameOf(TorchAttention attention)
{
    return attention == TorchAttention::Eager ? "eager" : "SDPA";
}

/// A step of the benchmark of transformers' pull request 28802: the sum of logits, outputs held, no optimizer.
TorchSetup benchmarkSetup(std::int64_t batch, std::int64_t sequence, TorchAttention attention, TorchPrecision precision)
{
    TorchSetup setup;
    setup.batch = batch;
    setup.sequence = sequence;
    setup.attention = attention;
    setup.precision = precision;
    setup.half = torch::DType::Float16;
    setup.embeddingDropout = setup.attentionDropout = setup.residualDropout = 0.1;
    setup.loss = torch::TorchLoss::LogitsSum;
    setup.keepsOutputs = true;
    return setup;
}

/// What max_memory_allocated() says of a step: the peak and cuBLAS's workspace.
double allocated(const ModelShape& shape, const TorchSetup& setup, const Device& device)
{
    return megabytes(torch::simulateTorchStep(shape, setup).peak.bytes + cublasWorkspace(device));
}

double eleutherAi(const ModelShape& shape, std::int64_t batch, std::int64_t sequence)
{
    const std::int64_t h = shape.hidden, layers = shape.layers;
    const std::int64_t weights = 2 * shape.vocabulary * h + sequence * h + 8 * h * layers + 2 * h + 12 * h * h * layers;
    const PaperSizes sizes = PaperSizes::of(shape, batch, sequence);
    return megabytes({4 * weights + layers * (34 * sizes.sbh() + 5 * sizes.scores())});
}

double vramCalculator(const ModelShape& shape, std::int64_t parameters, std::int64_t batch, std::int64_t sequence)
{
    const PaperSizes sizes = PaperSizes::of(shape, batch, sequence);
    return megabytes({4 * parameters + shape.layers * (34 * sizes.sbh() + 5 * sizes.scores())
        + 8 * batch * sequence * shape.vocabulary});
}

PublishedTable halfPeaks(const Sources& sources)
{
    struct Row {
        std::int64_t batch, sequence;
        double eager, sdpa;
    };
    constexpr Row kRows[] = {{4, 256, 939.2, 764.8}, {4, 512, 1970.4, 1225.6}, {8, 256, 1594.3, 1225.1},
        {8, 512, 3629.4, 2134.3}, {16, 256, 2874.4, 2134.3}};
    PublishedTable table{"Peak allocated, BERT-base in fp16 on an A100",
        "transformers, pull request 28802: BertLMHeadModel, forward and backward of the sum of logits, "
        "max_memory_allocated.",
        "MB", 1, {"EleutherAI", "vram-calculator", "states alone"}, {}};
    for (const Row& row : kRows)
        for (const TorchAttention attention : {TorchAttention::Eager, TorchAttention::Sdpa}) {
            const TorchSetup setup = benchmarkSetup(row.batch, row.sequence, attention, TorchPrecision::Half);
            const std::int64_t parameters = torch::simulateTorchStep(sources.bert, setup).parameters;
            table.figures.push_back({"batch " + std::to_string(row.batch) + " x " + std::to_string(row.sequence) + ", "
                    + nameOf(attention),
                attention == TorchAttention::Eager ? row.eager : row.sdpa, allocated(sources.bert, setup, sources.a100),
                {eleutherAi(sources.bert, row.batch, row.sequence),
                    vramCalculator(sources.bert, parameters, row.batch, row.sequence), megabytes({4 * parameters})}});
        }
    return table;
}

PublishedTable fullPeaks(const Sources& sources)
{
    PublishedTable table{"The same in fp32", "The pull request's description.", "MB", 1, {}, {}};
    for (const auto& [batch, attention, published] : {std::tuple{1, TorchAttention::Eager, 1345.8},
             {2, TorchAttention::Eager, 2123.9}, {2, TorchAttention::Sdpa, 1370.1}})
        table.figures.push_back({"batch " + std::to_string(batch) + " x 512, " + nameOf(attention), published,
            allocated(sources.bert, benchmarkSetup(batch, 512, attention, TorchPrecision::Fp32), sources.a100), {}});
    return table;
}

PublishedTable playbook()
{
    PublishedTable table{"Activations of 16 layers, width 2048, 32 heads, batch 1 (profile paper)",
        "Ultra-Scale playbook, the chart without recomputation: layers and the embedding's mask.", "GiB", 4, {}, {}};
    for (const auto& [sequence, published] :
        {std::pair{1024, 3.5645}, {2048, 12.1289}, {4096, 44.2578}, {8192, 168.5156}}) {
        const PaperSizes sizes{sequence, 1, 2048, 32, 16, 1, 1};
        const Bytes bytes
            = 16 * paperLayer(sizes, {}, PaperRecompute::None).total() + paperOutsideLayers(sizes, {}, true, false, 1);
        table.figures.push_back(
            {std::to_string(sequence) + " tokens", published, static_cast<double>(bytes.value) / (1 << 30), {}});
    }
    return table;
}

/// The segment that the caching allocator asks the driver for, and that an out-of-memory text prints: from 10 MiB on
/// whole 2 MiB (c10/cuda/CUDACachingAllocator.cpp).
double requestedMebibytes(Bytes block)
{
    return static_cast<double>(roundUp(block, {2 << 20}).value) / (1 << 20);
}

/// The largest tensor that an op saves in a step of fp32 with stored scores.
Bytes largestSaved(const ModelShape& shape, std::int64_t batch, const char* op)
{
    TorchSetup setup;
    setup.batch = batch;
    setup.sequence = 1024;
    setup.precision = TorchPrecision::Fp32;
    setup.attention = TorchAttention::Eager;
    Bytes largest;
    for (const torch::SavedTensor& tensor : torch::simulateTorchStep(shape, setup).savedTensors)
        if (tensor.op == op)
            largest = std::max(largest, tensor.bytes);
    return largest;
}

PublishedTable requests(const Sources& sources)
{
    ModelShape padded = sources.gpt2Large;
    padded.vocabulary = 50304;
    return {"\"Tried to allocate\", fp32, 1024 tokens", "transformers, issues 7177 and 3360; Megatron-LM, issue 525.",
        "MiB", 2, {},
        {{"gpt2, batch 8: scores of a layer", 384.00, requestedMebibytes(largestSaved(sources.gpt2, 8, "_softmax")),
             {}},
            {"gpt2, batch 4: logits", 786.00, requestedMebibytes(largestSaved(sources.gpt2, 4, "_log_softmax")), {}},
            {"gpt2-large, vocabulary 50304, batch 4: logits", 786.00,
                requestedMebibytes(largestSaved(padded, 4, "_log_softmax")), {}}}};
}

PublishedTable bertTimes(const Sources& sources)
{
    PublishedTable table{"Forward and backward, BERT-base in fp16 on an A100, 512 tokens",
        "transformers, pull request 28802. At batch 4 the GPU waits for Python, which no roofline knows.", "ms", 0, {},
        {}};
    for (const auto& [batch, attention, published] : {std::tuple{4, TorchAttention::Eager, 23.0},
             {8, TorchAttention::Eager, 35.0}, {16, TorchAttention::Eager, 65.0}, {16, TorchAttention::Sdpa, 53.0}}) {
        const TorchSetup setup = benchmarkSetup(batch, 512, attention, TorchPrecision::Half);
        const StepTimes times = timesOf(torch::simulateTorchStep(sources.bert, setup), setup, sources.a100);
        table.figures.push_back({"batch " + std::to_string(batch) + ", " + nameOf(attention), published,
            milliseconds(times.microBatch()), {}});
    }
    return table;
}

/// The 22B model of Korthikanti et al. 2022, Table 3: a rank's layer, 4 x 2048 tokens.
PaperStep megatronStep(const Sources& sources, PaperRecompute recompute)
{
    PaperRequest request;
    request.shape = sources.gpt2;
    request.shape.layers = 48;
    request.shape.hidden = 6144;
    request.shape.heads = 64;
    request.shape.ffn = 4 * 6144;
    request.batch = 4;
    request.sequence = 2048;
    request.parallelism.tensor = 8;
    request.device = sources.a100;
    return paperStep(request, recompute);
}

PublishedTable layerTimes(const Sources& sources)
{
    const PaperLayerTimes none = megatronStep(sources, PaperRecompute::None).layerTimes;
    return {"A layer of Megatron-LM's 22B model on one of 8 A100 (profile paper)",
        "Korthikanti et al. 2022, Table 4. The ranks' all-reduces are in the published times and not in the predicted "
        "ones.",
        "ms", 1, {},
        {{"forward", 7.7, milliseconds(none.forward), {}}, {"backward", 11.9, milliseconds(none.backward), {}}}};
}

PublishedTable layerShares(const Sources& sources)
{
    const auto overhead = [&](PaperRecompute recompute) {
        const PaperLayerTimes times = megatronStep(sources, recompute).layerTimes;
        return 100 * ratio(times.recompute, times.forward + times.backward);
    };
    const auto spared = [](std::int64_t hidden, std::int64_t heads) {
        const PaperSizes sizes{2048, 1, hidden, heads, 1, 1, 1};
        const auto kept = [&](PaperRecompute recompute) { return paperLayer(sizes, {}, recompute).total(); };
        return 100 * (1 - ratio(kept(PaperRecompute::Selective), kept(PaperRecompute::None)));
    };
    return {"What recomputation costs and spares in Megatron-LM (profile paper)",
        "Korthikanti et al. 2022, Table 4 and section 6.1.", "%", 0, {},
        {{"the layer again: time", 39, overhead(PaperRecompute::Full), {}},
            {"scores, softmax and context again: time", 7, overhead(PaperRecompute::Selective), {}},
            {"the same: activations of GPT-3", 70, spared(12288, 96), {}},
            {"the same: activations of MT-NLG", 65, spared(20480, 128), {}}}};
}

std::string fixed(double value, int decimals)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string errorText(double error)
{
    const double percent = 100 * error;
    return std::abs(percent) < 0.05 ? "0 %" : (percent > 0 ? "+" : "") + fixed(percent, 1) + " %";
}

} // namespace

double PublishedTable::meanError() const
{
    double sum = 0;
    for (const PublishedFigure& figure : figures)
        sum += std::abs(figure.errorOf(figure.predicted));
    return figures.empty() ? 0 : sum / static_cast<double>(figures.size());
}

Result<std::vector<PublishedTable>> publishedFigures()
{
    const Result<Sources> sources = readSources();
    if (!sources)
        return sources.error();
    return std::vector<PublishedTable>{halfPeaks(*sources), fullPeaks(*sources), playbook(), requests(*sources),
        bertTimes(*sources), layerTimes(*sources), layerShares(*sources)};
}

std::string publishedMarkdown(const std::vector<PublishedTable>& tables)
{
    std::string text;
    for (const PublishedTable& table : tables) {
        Table rows{{table.title + ", " + table.unit, "published", "predicted", "error"}, {}};
        for (const std::string& calculator : table.calculators)
            rows.columns.push_back(calculator);
        for (const PublishedFigure& figure : table.figures) {
            rows.rows.push_back({figure.step, fixed(figure.published, table.decimals),
                fixed(figure.predicted, table.decimals), errorText(figure.errorOf(figure.predicted))});
            for (const double other : figure.others)
                rows.rows.back().push_back(errorText(figure.errorOf(other)));
        }
        text += (text.empty() ? "" : "\n") + toMarkdown(rows) + "\n" + table.remark + " Mean error "
            + fixed(100 * table.meanError(), 1) + " %.\n";
    }
    return text;
}

} // namespace remat
