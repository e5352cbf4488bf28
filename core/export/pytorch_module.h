// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/plan/torch_realization.h"

namespace remat {

/// A Python module (0BSD: it belongs to whoever exports it) that carries a plan out in PyTorch:
///
///   import remat_plan
///   remat_plan.apply(model)          # a Hugging Face model of the plan's class; .remove() takes it back
///
/// `heading` is what its docstring says, a paragraph each: what the plan is, and what differs from it.  Then come the
/// runtime of the realization's kind (resources/export), which needs torch alone, and the plan as PLAN.  Any text in
/// names and headings gives valid Python: it stands in ASCII JSON and in escaped strings.
std::string pytorchModule(const TorchRealization& realization, const std::vector<std::string>& heading);

/// JSON as an expression of Python that reads it again, json.loads(r'''...'''): no quote, backslash or line end of the
/// JSON's strings can end it.
std::string pythonExpression(const nlohmann::json& value);

} // namespace remat
