// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/run/run_passes.h"
#include "core/run/run_report.h"
#include "core/run/run_request.h"

namespace remat::worker {

/// What the passes of one run found.
struct PassFindings {
    MemoryFound memory;
    TimingFound timing;
    std::optional<GradientsFound> gradients, keepAll; ///< both or none
};

/// Predicted beside measured.  What does not agree, though it should, becomes a warning.
RunReport assembleReport(const RunRequest& request, const PassFindings& findings);

} // namespace remat::worker
