// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/settings_text.h"

#include "core/base/format_units.h"
#include "core/base/plain_text.h"

namespace remat {

namespace {

/// "0.46 GiB above the plan".
std::string peakDifference(Bytes setting, Bytes plan)
{
    if (setting == plan)
        return "as the plan";
    return setting > plan ? formatBytes(setting - plan) + " above the plan"
                          : formatBytes(plan - setting) + " below the plan";
}

std::string timeDifference(Nanoseconds of, Nanoseconds planned)
{
    if (of == planned)
        return "as fast as the plan";
    const Nanoseconds difference = of > planned ? of - planned : planned - of;
    return formatDuration(difference) + " a step (" + formatThreeDigits(100 * ratio(difference, planned)) + " %) "
        + (of > planned ? "slower" : "faster") + " than the plan";
}

std::vector<std::string> remarksOf(const ModelShape& shape, Trainer trainer)
{
    if (trainer == Trainer::Megatron)
        return {"Megatron-LM has one rule for all layers, or the first ones; a plan chooses for each layer and op.",
            "Its \"block\" and \"uniform\" count the layers of one pipeline stage; here that is all of them."};
    std::vector<std::string> remarks{
        "torchtitan has one rule for all layers, or every K-th; a plan chooses for each layer and op.",
        "selective_ac_option is of releases that save every second product; later ones list what to save by name."};
    if (shape.norm != NormKind::RmsNorm)
        remarks.push_back(
            "torchtitan trains models like LLaMA: of " + shape.modelType + " this is what its rule would do.");
    return remarks;
}

} // namespace

std::string settingsText(const SettingsSubject& plan, Trainer trainer, const std::vector<std::string>& settings,
    const SettingsFigures& setting, std::optional<Bytes> limit)
{
    const std::string name = trainer == Trainer::Megatron ? "Megatron-LM" : "torchtitan";
    std::vector<std::string> lines{
        name + ": the settings nearest to a plan of RematScope for " + plan.shape.name + ", batch "
            + std::to_string(plan.batch) + ", sequence " + std::to_string(plan.sequence) + ", on " + plan.device,
        "The plan: " + plan.verdict,
        "These settings, replayed on the same model and device: peak " + formatBytes(setting.peak) + ", "
            + peakDifference(setting.peak, plan.figures.peak) + "; " + formatPercent(setting.extraTime) + " time, "
            + timeDifference(setting.step, plan.figures.step),
    };
    if (limit)
        lines.push_back("No settings of " + name + " keep the step within " + formatBytes(*limit)
            + ": these have the lowest peak.");
    for (const std::string& remark : remarksOf(plan.shape, trainer))
        lines.push_back(remark);
    std::string text;
    for (const std::string& line : lines)
        text += "# " + plainText(line) + "\n";
    if (settings.empty())
        text += "# No flags: nothing is recomputed.\n";
    for (const std::string& line : settings)
        text += line + "\n";
    return text;
}

} // namespace remat
