// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/torch_choice.h"

#include <algorithm>
#include <array>

#include "app/cli/budget.h"
#include "app/cli/given_flags.h"
#include "app/cli/parallel_choice.h"
#include "app/cli/step_choice.h"
#include "core/base/text.h"
#include "core/cost/start_budget.h"
#include "core/model/runtime_shapes.h"
#include "core/regions/region_plan_file.h"

namespace remat::cli {

namespace {

using torch::TorchAttention;
using torch::TorchLoss;
using torch::TorchOptimizer;
using torch::TorchPrecision;
using torch::TorchSetup;

constexpr MessageCode kUnknownChoice{"unknown-torch-choice", REMAT_TR("\"{0}\" is no choice of the profile pytorch."),
    REMAT_TR("Use one of {1}."), ExitCode::Usage};
constexpr MessageCode kNotInTorch{"flag-not-in-pytorch",
    REMAT_TR("The profile pytorch has nothing that this flag changes."),
    REMAT_TR("Leave it out, or use --profile runtime."), ExitCode::Usage};
constexpr MessageCode kLossOfOther{"loss-of-other-class",
    REMAT_TR("The loss {0} does not belong to the model's class; its own is {1}."),
    REMAT_TR("Use --loss {1} or --loss logits_sum."), ExitCode::Usage};
constexpr MessageCode kCpuOnly{"torch-on-cpu", REMAT_TR("The profile pytorch describes a GPU, not this machine's CPU."),
    REMAT_TR("Use a GPU of \"remat devices\"; left out it is a100-80."), ExitCode::Usage};
constexpr MessageCode kReentrantEarly{"reentrant-early-stop", REMAT_TR("A reentrant region has no early stop."),
    REMAT_TR("Leave out --early-stop on or --reentrant."), ExitCode::Usage};

template <class E> struct Choice {
    const char* name;
    E value;
};

/// Sets `target` to what a flag names; the first of the choices is the default.
template <class E, std::size_t N>
Result<void> choose(
    const std::optional<std::string>& given, const char* flag, const std::array<Choice<E>, N>& choices, E& target)
{
    target = choices[0].value;
    if (!given)
        return {};
    std::string known;
    for (const Choice<E>& choice : choices) {
        if (*given == choice.name) {
            target = choice.value;
            return {};
        }
        known += (known.empty() ? "" : ", ") + std::string(choice.name);
    }
    return Error{&kUnknownChoice, flag, {shortened(*given), known}};
}

Result<void> chooseLoss(const std::optional<std::string>& given, const ModelShape& shape, TorchLoss& loss)
{
    // Image classifiers have a loss of a few numbers a picture; logits.sum() stands for it.
    const bool isImage = shape.head == HeadKind::ImageClassifier;
    loss = isImage ? TorchLoss::LogitsSum : TorchLoss::ModelLoss;
    if (!given)
        return {};
    if (*given == "logits_sum") {
        loss = TorchLoss::LogitsSum;
        return {};
    }
    const std::string own = lossName(TorchLoss::ModelLoss, shape);
    if (*given == own && !isImage)
        return {};
    if (*given == "lm_hf" || *given == "mlm_hf")
        return Error{&kLossOfOther, "--loss", {*given, isImage ? "logits_sum" : own}};
    return Error{&kUnknownChoice, "--loss", {shortened(*given), "lm_hf, mlm_hf, logits_sum"}};
}

Result<TorchSetup> chooseSetup(const SetupArguments& arguments, const ModelShape& shape)
{
    if (const auto flag = firstGiven(arguments, {"--head-chunks", "--variants", "--costs", "--master-weights"}))
        return Error{&kNotInTorch, *flag, {}};
    TorchSetup setup;
    setup.batch = arguments.batch.value_or(1);
    const std::int64_t fixed = shape.fixedSequence();
    setup.sequence = fixed > 0 ? fixed : arguments.sequence.value_or(std::min<std::int64_t>(shape.maxPositions, 1024));
    // A full pipeline holds as many micro-batches as it has stages.
    setup.microBatches = arguments.microBatches.value_or(arguments.pipelineParallel.value_or(1));
    constexpr std::array<Choice<TorchPrecision>, 3> kPrecisions{
        {{"half", TorchPrecision::Half}, {"amp", TorchPrecision::Amp}, {"fp32", TorchPrecision::Fp32}}};
    constexpr std::array<Choice<torch::DType>, 2> kTypes{
        {{"bf16", torch::DType::BFloat16}, {"fp16", torch::DType::Float16}}};
    constexpr std::array<Choice<TorchAttention>, 2> kAttentions{
        {{"sdpa", TorchAttention::Sdpa}, {"eager", TorchAttention::Eager}}};
    constexpr std::array<Choice<TorchOptimizer>, 7> kOptimizers{
        {{"adamw", TorchOptimizer::AdamW}, {"none", TorchOptimizer::None}, {"sgd", TorchOptimizer::Sgd},
            {"sgd-momentum", TorchOptimizer::SgdMomentum}, {"adamw-fused", TorchOptimizer::AdamWFused},
            {"adafactor", TorchOptimizer::Adafactor}, {"adamw-8bit", TorchOptimizer::AdamW8Bit}}};
    constexpr std::array<Choice<bool>, 2> kSwitch{{{"on", true}, {"off", false}}};
    const Result<void> chosen[] = {
        choose(arguments.precision, "--precision", kPrecisions, setup.precision),
        choose(arguments.dtype, "--dtype", kTypes, setup.half),
        choose(arguments.attention, "--attention", kAttentions, setup.attention),
        choose(arguments.optimizer, "--optimizer", kOptimizers, setup.optimizer),
        choose(arguments.earlyStop, "--early-stop", kSwitch, setup.stopsEarly),
        chooseLoss(arguments.loss, shape, setup.loss),
    };
    for (const Result<void>& result : chosen)
        if (!result)
            return result.error();
    if (arguments.isReentrant && arguments.earlyStop == "on")
        return Error{&kReentrantEarly, "--early-stop", {}};
    setup.isReentrant = arguments.isReentrant;
    setup.stopsEarly = setup.stopsEarly && !arguments.isReentrant;
    TrainingSetup dropout;
    dropout.dropout = arguments.dropout;
    const Dropouts used = effectiveDropout(shape, dropout);
    setup.embeddingDropout = used.embedding;
    setup.attentionDropout = used.attention;
    setup.residualDropout = used.residual;
    setup.hasOldLossShift = arguments.hasOldLossShift;
    setup.keepsOutputs = arguments.keepsOutputs;
    setup.usesCache = arguments.usesCache;
    setup.hasResidentGrads = arguments.gradientsResident;
    return setup;
}

std::vector<std::string> defaultsOf(const SetupArguments& given, const RegionRequest& request)
{
    const TorchSetup& setup = request.setup;
    std::vector<std::string> list;
    addDefaults(list, given,
        {{"--batch", std::to_string(setup.batch)}, {"--seq", std::to_string(setup.sequence)}, {"--profile", "pytorch"},
            {"--device", request.device.name}, {"--precision", toName(setup.precision)}});
    if (setup.precision != TorchPrecision::Fp32)
        addDefaults(list, given, {{"--dtype", setup.half == torch::DType::BFloat16 ? "bf16" : "fp16"}});
    addDefaults(list, given,
        {{"--attention", toName(setup.attention)}, {"--loss", lossName(setup.loss, request.shape)},
            {"--optimizer", toName(setup.optimizer)}, {"--dropout", "of the model"},
            {"--micro-batches", std::to_string(setup.microBatches)}});
    return list;
}

} // namespace

bool asksForTorch(const Arguments& arguments, const Environment& environment)
{
    if (arguments.setup.profile)
        return *arguments.setup.profile == "pytorch";
    const Result<ImportedModel> model = chooseModel(arguments.model, environment);
    return model && runtimeLacks(model->shape).has_value();
}

Result<TorchChoice> chooseTorch(
    const ModelArguments& model, const SetupArguments& arguments, const Environment& environment)
{
    Result<ImportedModel> imported = chooseModel(model, environment);
    if (!imported)
        return imported.error();
    const Result<TorchSetup> setup = chooseSetup(arguments, imported->shape);
    if (!setup)
        return setup.error();
    const std::string name = arguments.device.value_or(kStartGpu);
    if (name == kThisCpu)
        return Error{&kCpuOnly, "--device", {}};
    Result<Device> device = findDevice(arguments, name, environment);
    if (!device)
        return device.error();
    TorchChoice choice;
    choice.request = {std::move(imported->shape), *setup, *std::move(device)};
    choice.parallelism = readParallelism(arguments);
    // The degrees before the sizes: micro-batches that nobody gave follow from --pp.
    if (auto valid = validate(choice.request.shape, choice.parallelism); !valid)
        return withFlag(valid.error());
    if (auto valid = validate(choice.request); !valid)
        return withFlag(valid.error());
    choice.defaults = defaultsOf(arguments, choice.request);
    for (const Message& note : imported->notes)
        choice.notes.push_back(englishText(note));
    if (const std::int64_t fixed = choice.request.shape.fixedSequence();
        fixed > 0 && arguments.sequence && *arguments.sequence != fixed)
        choice.notes.push_back("--seq is ignored: the sequence of an image model follows from its image, "
            + std::to_string(fixed) + " tokens.");
    return choice;
}

Result<Bytes> torchBudget(const Arguments& arguments, TorchChoice& choice)
{
    const Device& device = choice.request.device;
    return budgetOrDevice(arguments, device, choice.defaults, cublasWorkspace(device));
}

} // namespace remat::cli
