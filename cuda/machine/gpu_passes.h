// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/run_passes.h"
#include "cuda/machine/gpu.h"

namespace remat::cuda {

/// The passes of a run on a GPU, real or emulated (core/run/run_passes.h has the CPU's).  A budget is enforced by the
/// Gpu's own pool, not by the executor.

/// Three steps in one process: the first loads modules and chooses the products' algorithms, the second is measured,
/// the third says whether it would be measured the same again.
///
/// Before each phase of a measured step the stream is empty and the pool's high-water marks are reset, so that every
/// phase has its own.  What the driver counts is read with the pool still empty and after the steps, when the pool
/// still holds the most that it ever took.
Result<MemoryFound> runMemoryPass(Gpu& gpu, const PassSetup& setup, const PassWatch& watch);

/// A step that warms up and `steps` more.  Steps are timed by the host's clock, which waits for their end; ops by
/// events on the GPU, which do not make it wait.
Result<TimingFound> runTimingPass(Gpu& gpu, const PassSetup& setup, std::int64_t steps, const PassWatch& watch);

/// One step whose gradients are hashed; `poisons` as on the CPU.
Result<GradientsFound> runGradientPass(Gpu& gpu, const PassSetup& setup, bool poisons, const PassWatch& watch);

} // namespace remat::cuda
