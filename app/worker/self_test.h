// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
namespace remat::worker {

/// Checks, in a few seconds and without a test library, that runs can be trusted on this machine: kernels against a
/// plain reference, the same bits at every thread count and under recomputation, tracked against predicted memory, and
/// the system's memory readings.  Prints one line a check; returns the exit code.
int runSelfTest();

} // namespace remat::worker
