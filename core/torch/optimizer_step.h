// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/torch/machine.h"
#include "core/torch/torch_setup.h"

namespace remat::torch {

/// What an optimizer keeps of the parameters, each tensor an allocation of its own (sources: torch/optim, and
/// bitsandbytes/optim/optimizer.py; numbers a parameter, E its type's bytes):
///
///   sgd          nothing; with momentum one copy
///   adamw        two copies; fused also its step, one fp32 number, on the device
///   adafactor    of a matrix one row and one column, of a vector one copy (torch.optim.Adafactor)
///   adamw-8bit   from 4096 numbers on two bytes each and two fp32 maxima of every 256, else two fp32 copies
///                (bitsandbytes.optim.AdamW8bit); two tables of 256 fp32 once
void makeOptimizerStates(
    Machine& machine, const std::vector<Tensor>& parameters, TorchOptimizer optimizer, std::vector<Tensor>& states);

/// The step behind a backward: what it allocates, and the bytes that it reads and writes.
///
///   adamw        foreach: the roots of all second moments before the first parameter moves, one copy of the parameters
///   adafactor    one parameter after the other; the update of the one before lives until the next one is there
///   others       nothing
void runOptimizerStep(Machine& machine, const std::vector<Tensor>& parameters, TorchOptimizer optimizer);

} // namespace remat::torch
