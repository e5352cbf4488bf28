// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
namespace remat::worker {

/// Takes from this process, and from all that it starts, what no run needs: new privileges (set-user-ID programs and
/// file capabilities give none any more) and core dumps, which would hold a model's weights.
///
/// A run opens no network socket and writes no file; its report leaves on standard output.  tests/app/confinement_test
/// watches the system calls of real runs for that.
void confine();

} // namespace remat::worker
