// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/step_text.h"

#include <string_view>

#include "core/base/format_units.h"

namespace remat::cli {

std::string textOf(const StepTitle& title)
{
    const ScaledQuantity count = scaleFlops({title.parameters});
    // The scale of FLOPs is that of plain numbers: its unit without the word is the prefix.
    const std::string unit = count.unit;
    const std::string prefix = unit.substr(0, unit.size() - std::string_view("FLOP").size());
    std::string text = title.model + " (" + formatThreeDigits(count.value) + " " + prefix + (prefix.empty() ? "" : " ")
        + "parameters), batch " + std::to_string(title.batch);
    if (title.microBatches > 1)
        text += " x " + std::to_string(title.microBatches) + " micro-batches";
    return text + " x " + std::to_string(title.sequence) + " tokens, profile " + title.profile + ", device "
        + title.device + "\n";
}

std::string defaultsLine(const std::vector<std::string>& defaults)
{
    std::string line;
    for (const std::string& entry : defaults)
        line += (line.empty() ? "defaults: " : ", ") + entry;
    return line.empty() ? line : line + "\n";
}

} // namespace remat::cli
