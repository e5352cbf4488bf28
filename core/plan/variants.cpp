// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/variants.h"

#include <algorithm>

#include "core/chain/op_times.h"

namespace remat {

namespace {

bool isOpen(const TrainingSetup& setup)
{
    return setup.variants == VariantChoice::Auto && setup.profile == Profile::Runtime;
}

TrainingSetup variantOf(TrainingSetup setup, AttentionKind attention, std::int64_t chunks)
{
    setup.attention = attention;
    setup.loss = chunks == 1 ? LossKind::CrossEntropy : LossKind::ChunkedCrossEntropy;
    setup.headChunks = chunks;
    return setup;
}

/// The setup with each attention kind and each of these chunk counts that has a row a chunk.
std::vector<TrainingSetup> product(const TrainingSetup& setup, std::initializer_list<std::int64_t> chunkCounts)
{
    std::vector<TrainingSetup> variants;
    for (const AttentionKind attention : {AttentionKind::Blocked, AttentionKind::Stored})
        for (const std::int64_t chunks : chunkCounts)
            if (chunks <= setup.batch * setup.sequence)
                variants.push_back(variantOf(setup, attention, chunks));
    return variants;
}

Nanoseconds ownTime(const StepTape& tape, const Device& device)
{
    std::vector<Nanoseconds> timeOfKind;
    for (const StageTape& kind : tape.kinds) {
        Nanoseconds sum;
        for (const OpTimes& op : opTimes(kind, device, effectivePrecision(tape.setup)))
            sum += op.forward + op.backward;
        timeOfKind.push_back(sum);
    }
    Nanoseconds total;
    for (const StageInstance& stage : tape.stages)
        total += timeOfKind[static_cast<std::size_t>(stage.kind)];
    return total;
}

} // namespace

std::vector<TrainingSetup> variantsOf(const TrainingSetup& setup)
{
    std::vector<TrainingSetup> variants{setup};
    if (isOpen(setup))
        for (const TrainingSetup& variant : product(setup, {1, 4, 16, 64}))
            if (variant != setup)
                variants.push_back(variant);
    return variants;
}

Nanoseconds keepAllTime(const StepTape& tape, const Device& device)
{
    Nanoseconds least = ownTime(tape, device);
    if (!isOpen(tape.setup))
        return least;
    // A chunked head takes the same time whatever the number of its chunks, so this does not depend on which variant of
    // a setup is asked: a plan file holds the chosen one alone.
    for (const TrainingSetup& variant : product(tape.setup, {1, 2}))
        least = std::min(least, ownTime(buildStepTape(tape.shape, variant, tape.traits), device));
    return least;
}

} // namespace remat
