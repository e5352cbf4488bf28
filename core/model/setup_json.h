// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/model/training_setup.h"

namespace remat {

class JsonCursor;

/// A setup as plan and document files hold it: every field, snake_case keys; "dropout" and "precision" are left out
/// when the model's and the profile's own count.
///
///   {"batch": 8, "sequence": 1024, "profile": "runtime", "attention": "sdpa", "loss": "cross_entropy",
///    "head_chunks": 1, "optimizer": "adamw", "micro_batches": 1, "gradients_resident": false, "master_weights": false,
///    "variants": "fixed",
///    "device": "cpu"}
nlohmann::json toJson(const TrainingSetup& setup);

/// The setup at `at`; mistakes are recorded there.  "batch" and "sequence" are required (0 is allowed for the sequence:
/// withDefaults() fills it), every other key defaults to what TrainingSetup says.  Whether it suits a model is for
/// validate() to say.
TrainingSetup readTrainingSetup(const JsonCursor& at);

} // namespace remat
