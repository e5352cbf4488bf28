// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/paper_choice.h"

#include "app/cli/given_flags.h"
#include "app/cli/parallel_choice.h"
#include "app/cli/step_choice.h"
#include "core/base/text.h"
#include "core/cost/start_budget.h"

namespace remat::cli {

namespace {

constexpr MessageCode kNotInPaper{"flag-not-in-paper",
    REMAT_TR("The paper's formulas have nothing that this flag changes."),
    REMAT_TR("Leave it out, or use --profile pytorch."), ExitCode::Usage};
constexpr MessageCode kHalfOnly{"paper-is-half-precision",
    REMAT_TR("The paper counts numbers of 16 bits; it has no {0}."),
    REMAT_TR("Use the precision half, or --profile pytorch."), ExitCode::Usage};
constexpr MessageCode kAdamOnly{"paper-optimizer-is-adam", REMAT_TR("The paper's optimizer is Adam; it has no {0}."),
    REMAT_TR("Use --optimizer adamw or none, or --profile pytorch."), ExitCode::Usage};
constexpr MessageCode kGpuOnly{"paper-on-cpu", REMAT_TR("The profile paper describes GPUs, not this machine's CPU."),
    REMAT_TR("Use a GPU of \"remat devices\"; left out it is a100-80."), ExitCode::Usage};
constexpr MessageCode kNoStrategy{"strategy-not-in-paper", REMAT_TR("The paper has no strategy {0}."),
    REMAT_TR("Use none, core-attention (its selective recomputation), full or optimal."), ExitCode::Usage};

/// The first flag that was given and means nothing here, or a choice that the paper does not have.
std::optional<Error> refuses(const SetupArguments& setup)
{
    if (const auto flag = firstGiven(setup,
            {"--attention", "--dropout", "--loss", "--head-chunks", "--variants", "--costs", "--dtype", "--early-stop",
                "--grads-resident", "--master-weights", "--keep-outputs", "--old-loss-shift", "--use-cache",
                "--reentrant"}))
        return Error{&kNotInPaper, *flag, {}};
    if (setup.precision.value_or("half") != "half")
        return Error{&kHalfOnly, "--precision", {shortened(*setup.precision)}};
    if (const std::string optimizer = setup.optimizer.value_or("adamw"); optimizer != "adamw" && optimizer != "none")
        return Error{&kAdamOnly, "--optimizer", {shortened(optimizer)}};
    return std::nullopt;
}

} // namespace

Result<PaperChoice> choosePaper(
    const ModelArguments& model, const SetupArguments& arguments, const Environment& environment)
{
    Result<ImportedModel> imported = chooseModel(model, environment);
    if (!imported)
        return imported.error();
    if (const std::optional<Error> refusal = refuses(arguments))
        return *refusal;
    const std::string name = arguments.device.value_or(kStartGpu);
    if (name == kThisCpu)
        return Error{&kGpuOnly, "--device", {}};
    Result<Device> device = findDevice(arguments, name, environment);
    if (!device)
        return device.error();
    PaperChoice choice;
    PaperRequest& request = choice.request;
    request.shape = std::move(imported->shape);
    request.batch = arguments.batch.value_or(1);
    request.sequence = arguments.sequence.value_or(std::min<std::int64_t>(request.shape.maxPositions, 1024));
    // A full pipeline holds as many micro-batches as it has stages.
    request.microBatches = arguments.microBatches.value_or(arguments.pipelineParallel.value_or(1));
    request.hasOptimizer = arguments.optimizer.value_or("adamw") == "adamw";
    request.parallelism = readParallelism(arguments);
    request.device = *std::move(device);
    // The degrees before the sizes: micro-batches that nobody gave follow from --pp.
    if (auto valid = validate(request.shape, request.parallelism); !valid)
        return withFlag(valid.error());
    if (auto valid = validate(request); !valid)
        return withFlag(valid.error());
    addDefaults(choice.defaults, arguments,
        {{"--batch", std::to_string(request.batch)}, {"--seq", std::to_string(request.sequence)},
            {"--device", request.device.name}, {"--precision", "half"}, {"--optimizer", "adamw"},
            {"--micro-batches", std::to_string(request.microBatches)}});
    for (const Message& note : imported->notes)
        choice.notes.push_back(englishText(note));
    return choice;
}

Result<std::optional<PaperRecompute>> readRecompute(const std::optional<std::string>& strategy)
{
    using Choice = std::optional<PaperRecompute>;
    if (!strategy || *strategy == "optimal")
        return Choice();
    for (const PaperRecompute recompute : {PaperRecompute::None, PaperRecompute::Selective, PaperRecompute::Full})
        if (*strategy == nameOf(recompute))
            return Choice(recompute);
    return Error{&kNoStrategy, "--strategy", {shortened(*strategy)}};
}

const char* nameOf(PaperRecompute recompute)
{
    switch (recompute) {
    case PaperRecompute::None:
        return "none";
    case PaperRecompute::Selective:
        return "core-attention";
    case PaperRecompute::Full:
        break;
    }
    return "full";
}

} // namespace remat::cli
