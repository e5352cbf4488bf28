// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/setup_json.h"

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/model/names.h"

namespace remat {

namespace {

constexpr MessageCode kBadDevice{"device-name-out-of-bounds",
    REMAT_TR("A device name of {0} bytes is outside 1 to {1}."), REMAT_TR("Use a name that \"remat devices\" prints.")};

template <class E> void readInto(E& value, const JsonCursor& at, const char* key)
{
    if (at.has(key))
        value = readName<E>(at[key]);
}

} // namespace

nlohmann::json toJson(const TrainingSetup& setup)
{
    nlohmann::json json{
        {"batch", setup.batch},
        {"sequence", setup.sequence},
        {"profile", toName(setup.profile)},
        {"attention", toName(setup.attention)},
        {"loss", toName(setup.loss)},
        {"head_chunks", setup.headChunks},
        {"optimizer", toName(setup.optimizer)},
        {"micro_batches", setup.microBatches},
        {"gradients_resident", setup.gradientsResident},
        {"master_weights", setup.masterWeights},
        {"variants", toName(setup.variants)},
        {"device", setup.device},
    };
    if (setup.precision)
        json["precision"] = toName(*setup.precision);
    if (setup.dropout)
        json["dropout"] = *setup.dropout;
    return json;
}

TrainingSetup readTrainingSetup(const JsonCursor& at)
{
    TrainingSetup setup;
    setup.batch = at["batch"].integer(1, kMaxBatch);
    setup.sequence = at["sequence"].integer(0, kMaxPositions);
    readInto(setup.profile, at, "profile");
    readInto(setup.attention, at, "attention");
    readInto(setup.loss, at, "loss");
    readInto(setup.optimizer, at, "optimizer");
    readInto(setup.variants, at, "variants");
    if (at.has("precision") && !at["precision"].isNull())
        setup.precision = readName<Precision>(at["precision"]);
    if (at.has("head_chunks"))
        setup.headChunks = at["head_chunks"].integer(1, kMaxQuantity);
    if (at.has("micro_batches"))
        setup.microBatches = at["micro_batches"].integer(1, kMaxBatch);
    if (at.has("gradients_resident"))
        setup.gradientsResident = at["gradients_resident"].boolean();
    if (at.has("master_weights"))
        setup.masterWeights = at["master_weights"].boolean();
    if (at.has("dropout") && !at["dropout"].isNull()) {
        const double dropout = at["dropout"].number();
        if (!(dropout >= 0 && dropout < 1))
            at["dropout"].fail(kDropoutOutOfBounds, {dropout});
        setup.dropout = dropout;
    }
    if (at.has("device")) {
        setup.device = at["device"].string();
        if (setup.device.empty() || setup.device.size() > kMaxNameLength)
            at["device"].fail(kBadDevice,
                {static_cast<std::int64_t>(setup.device.size()), static_cast<std::int64_t>(kMaxNameLength)});
    }
    return setup;
}

} // namespace remat
