// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/export_regions.h"
#include "app/cli/table_export.h"
#include "app/cli/verbs.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/export/plan_table.h"
#include "core/export/pytorch_module.h"
#include "core/export/torch_translation.h"
#include "core/export/trainer_settings.h"
#include "core/plan/plan_file.h"
#include "core/regions/region_plan_file.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr const char* kTakesPlans
    = "\"remat export\" takes the file of \"remat plan --out FILE\"; for a comparison use \"remat compare --to csv\", "
      "for a frontier \"remat frontier --csv\".";

constexpr MessageCode kUnknownRealization{"unknown-realization", REMAT_TR("There is no realization \"{0}\"."),
    REMAT_TR("Use regions or exact."), ExitCode::Usage};
constexpr MessageCode kOtherTarget{"realization-without-pytorch", REMAT_TR("--realization is of --to pytorch alone."),
    REMAT_TR("Leave it out."), ExitCode::Usage};

const std::vector<std::string> kTargets{"pytorch", "megatron", "torchtitan", "csv", "markdown"};

/// The kind of realization that was asked for, if any was.
Result<std::optional<TorchRealization::Kind>> realizationOf(const Arguments& arguments)
{
    if (arguments.realization && *arguments.to != "pytorch")
        return Error{&kOtherTarget, "--realization", {}};
    if (!arguments.realization)
        return std::optional<TorchRealization::Kind>();
    for (const TorchRealization::Kind kind : {TorchRealization::Kind::Regions, TorchRealization::Kind::Exact})
        if (*arguments.realization == toName(kind))
            return std::optional(kind);
    return Error{&kUnknownRealization, "--realization", {shortened(*arguments.realization)}};
}

Result<Answer> pytorchAnswer(const Arguments& arguments, const Plan& plan, TorchRealization::Kind kind)
{
    const Result<TorchTranslation> translation = translateToTorch(plan, kind);
    if (!translation)
        return translation.error();
    const Prediction& replayed = translation->replayed;
    return exportAnswer(arguments, pytorchModule(translation->realization, translation->heading),
        {{"realization", toJson(translation->realization)}, {"replayed_peak_bytes", replayed.peak.value},
            {"replayed_step_ns", replayed.stepTime(plan.setup()).value}});
}

Result<Answer> settingsAnswer(const Arguments& arguments, const Plan& plan, Trainer trainer)
{
    const Result<TrainerSettings> settings = nearestSettings(plan, trainer);
    if (!settings)
        return settings.error();
    const Prediction &theirs = settings->plan.prediction, &own = plan.prediction;
    const Nanoseconds step = theirs.stepTime(plan.setup());
    return exportAnswer(arguments, settings->text,
        {{"fits", settings->fits}, {"peak_bytes", theirs.peak.value}, {"step_ns", step.value},
            {"peak_difference_bytes", (theirs.peak - own.peak).value},
            {"step_difference_ns", (step - own.stepTime(plan.setup())).value}});
}

} // namespace

Result<Answer> runExport(const Arguments& arguments)
{
    if (auto known = checkTarget(*arguments.to, kTargets); !known)
        return known.error();
    const Result<std::optional<TorchRealization::Kind>> kind = realizationOf(arguments);
    if (!kind)
        return kind.error();
    if (const Result<std::string> text = readFile(arguments.files[0]); text && isRegionPlan(*text))
        return exportRegions(arguments, *text, *kind);
    const Result<Plan> plan = readPlan(arguments.files[0]);
    if (!plan) {
        json error = errorObject(plan.error());
        if (plan.error().code->name == "wrong-format")
            error["remedy"] = kTakesPlans;
        return errorAnswer(std::move(error), static_cast<int>(plan.error().exitCode()), arguments.isJson);
    }
    if (*arguments.to == "pytorch")
        return pytorchAnswer(arguments, *plan, kind->value_or(TorchRealization::Kind::Regions));
    if (*arguments.to == "megatron")
        return settingsAnswer(arguments, *plan, Trainer::Megatron);
    if (*arguments.to == "torchtitan")
        return settingsAnswer(arguments, *plan, Trainer::Torchtitan);
    return exportAnswer(arguments, *arguments.to == "csv" ? planCsv(*plan) : planMarkdown(*plan));
}

} // namespace remat::cli
