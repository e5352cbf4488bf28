// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/model/model_shape.h"

namespace remat {

/// Trainers with settings of their own for recomputation.
///
///   Megatron    Megatron-LM: nothing; --recompute-granularity selective with --recompute-modules out of core_attn, mlp
///               and layernorm, in all layers; full, uniform in groups of K layers; full, the first K layers (block)
///   Torchtitan  [activation_checkpoint]: mode none or full; selective with selective_ac_option "op" (every second
///               product) or "K" (layers K-1, 2K-1, ... counted from 0)
enum class Trainer { Megatron, Torchtitan };

/// What a plan and a setting are compared by.
struct SettingsFigures {
    Bytes peak;
    Nanoseconds step;
    double extraTime = 0.0;
};

/// The plan that settings come near to.
struct SettingsSubject {
    const ModelShape& shape;
    std::int64_t batch, sequence;
    std::string device, verdict;
    SettingsFigures figures;
};

/// A trainer's settings as text: remarks in comments, with the differences in peak and time to the plan, then `lines`.
/// `limit` is given where no settings keep the step within it.
std::string settingsText(const SettingsSubject& plan, Trainer trainer, const std::vector<std::string>& lines,
    const SettingsFigures& setting, std::optional<Bytes> limit);

} // namespace remat
