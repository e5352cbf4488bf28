// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include "core/chain/schedule.h"
#include "core/chain/step_chain.h"
#include "core/program/program.h"

namespace remat {

/// Lowers a schedule of stages to a program of ops and buffers.
///
/// Gradients of boundaries keep their buffer from one stage to the next; what a chunked head made in forward changes
/// its name without moving.  Precondition: the schedule replays on step.chain (core/chain/chain_replay.h).
Program lower(const StepChain& step, const Schedule& schedule);

} // namespace remat
