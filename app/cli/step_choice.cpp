// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/step_choice.h"

#include <nlohmann/json.hpp>

#include "app/cli/given_flags.h"
#include "app/cli/parallel_choice.h"
#include "app/cli/step_text.h"
#include "app/cli/this_cpu.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/cost/cpu_measurement.h"
#include "core/cost/device_traits.h"
#include "core/cost/devices.h"
#include "core/cost/start_budget.h"
#include "core/model/config_import.h"
#include "core/model/model_json.h"
#include "core/model/names.h"
#include "core/model/nearest_names.h"
#include "core/model/presets.h"
#include "core/model/setup_json.h"
#include "core/model/weights.h"
#include "core/run/process_memory.h"
#include "core/run/this_machine.h"

namespace remat::cli {

namespace {

constexpr MessageCode kNoModel{"no-model", REMAT_TR("The command line names no model."),
    REMAT_TR("Add --model PRESET (\"remat models\" lists them) or --config config.json."), ExitCode::Usage};
constexpr MessageCode kNoTokens{"sequence-is-zero", REMAT_TR("A sequence has at least 1 token."),
    REMAT_TR("Use a whole number from 1."), ExitCode::Usage};
constexpr MessageCode kNoGroups{"no-key-value-heads", REMAT_TR("A model has at least 1 key/value head."),
    REMAT_TR("Use a whole number from 1 that divides the heads."), ExitCode::Usage};
constexpr MessageCode kCostsOfGpu{"costs-against-device",
    REMAT_TR("The measured costs time the device {1}, but the device is {0}."),
    REMAT_TR("Leave out --costs or --device."), ExitCode::Usage};
constexpr MessageCode kChunksOfPlainLoss{"head-chunks-against-loss",
    REMAT_TR("{0} head chunks need the chunked loss, but --loss says {1}."),
    REMAT_TR("Use --loss chunked_cross_entropy, or leave out one of the two flags."), ExitCode::Usage};
constexpr MessageCode kUnknownProfile{"unknown-profile", REMAT_TR("There is no profile \"{0}\"."),
    REMAT_TR("Did you mean {1}? The profiles are {2}."), ExitCode::Usage};
constexpr MessageCode kOnlyInPytorch{"flag-only-in-pytorch",
    REMAT_TR("Only the profile pytorch has what this flag changes."),
    REMAT_TR("Leave it out, or use --profile pytorch."), ExitCode::Usage};
constexpr MessageCode kNotInArticle{"flag-not-in-article",
    REMAT_TR("The article's model counts a layer's activations alone and has nothing that this flag changes."),
    REMAT_TR("Leave it out, or use --profile runtime."), ExitCode::Usage};

/// The precisions that the profiles of this release have (validate()).
constexpr const char* kPrecisions = "fp32, half";

/// Reads the choice of an enumeration by its flag.
template <class E> Result<void> choose(const std::optional<std::string>& name, const char* flag, E& target)
{
    if (!name)
        return {};
    Result<E> value = fromName<E>(*name);
    if (!value) {
        Error error = value.error();
        error.where = flag;
        return error;
    }
    target = *value;
    return {};
}

/// Names the profiles that this file does not choose from too (app/cli/torch_choice.h, app/cli/paper_choice.h).
Error unknownProfile(const std::string& name)
{
    const std::vector<std::string> profiles{"runtime", "pytorch", "paper", "article"};
    const std::string nearest = nearestNames(name, profiles, 1);
    return Error{&kUnknownProfile, "--profile",
        {shortened(name), nearest.empty() ? profiles.front() : nearest, joined(profiles, ", ")}};
}

Result<TrainingSetup> chooseSetup(const SetupArguments& arguments, const ModelShape& shape)
{
    if (const auto flag = firstGiven(
            arguments, {"--dtype", "--early-stop", "--keep-outputs", "--old-loss-shift", "--use-cache", "--reentrant"}))
        return Error{&kOnlyInPytorch, *flag, {}};
    if (const std::optional<Error> refusal = refuseParallel(arguments))
        return *refusal;
    TrainingSetup setup;
    setup.batch = arguments.batch.value_or(setup.batch);
    // A sequence of 0 stands for "not given" inside; as a flag's value it is a mistake.
    if (arguments.sequence == 0)
        return Error{&kNoTokens, "--seq", {}};
    setup.sequence = arguments.sequence.value_or(0);
    setup.microBatches = arguments.microBatches.value_or(setup.microBatches);
    setup.headChunks = arguments.headChunks.value_or(setup.headChunks);
    setup.dropout = arguments.dropout;
    setup.gradientsResident = arguments.gradientsResident;
    setup.masterWeights = arguments.masterWeights;
    Precision precision{};
    const Result<void> chosen[] = {
        choose(arguments.profile, "--profile", setup.profile),
        choose(arguments.precision, "--precision", precision),
        choose(arguments.attention, "--attention", setup.attention),
        choose(arguments.loss, "--loss", setup.loss),
        choose(arguments.optimizer, "--optimizer", setup.optimizer),
        choose(arguments.variants, "--variants", setup.variants),
    };
    for (const Result<void>& result : chosen)
        if (!result) {
            Error error = result.error();
            if (error.where == "--profile")
                return unknownProfile(*arguments.profile);
            // Of the names that exist, those that a profile has are of use.
            if (error.where == "--precision")
                error.arguments.back() = std::string(kPrecisions);
            return error;
        }
    if (arguments.precision)
        setup.precision = precision;
    if (setup.headChunks > 1 && arguments.loss && setup.loss != LossKind::ChunkedCrossEntropy)
        return Error{&kChunksOfPlainLoss, "--head-chunks", {setup.headChunks, *arguments.loss}};
    const bool isArticle = setup.profile == Profile::Article;
    if (isArticle) {
        if (const auto flag = firstGiven(arguments,
                {"--attention", "--loss", "--optimizer", "--variants", "--dropout", "--head-chunks", "--micro-batches",
                    "--grads-resident", "--master-weights"}))
            return Error{&kNotInArticle, *flag, {}};
        setup.optimizer = OptimizerKind::None;
    }
    setup.device = arguments.device.value_or(isArticle ? kStartGpu : kThisCpu);
    setup = withDefaults(shape, setup);
    if (auto valid = validate(shape, setup); !valid)
        return withFlag(valid.error());
    return setup;
}

/// Flags that were left out, with what they mean then.
std::vector<std::string> defaultsOf(const SetupArguments& given, const StudyRequest& request)
{
    const TrainingSetup& setup = request.setup;
    const auto name = [](auto value) { return std::string(toName(value)); };
    std::vector<std::string> list;
    addDefaults(list, given,
        {{"--batch", std::to_string(setup.batch)}, {"--seq", std::to_string(setup.sequence)},
            {"--profile", name(setup.profile)}, {"--device", setup.device},
            {"--precision", name(effectivePrecision(setup))}});
    if (setup.profile == Profile::Article)
        return list;
    addDefaults(list, given,
        {{"--attention", name(setup.attention)}, {"--loss", name(setup.loss)}, {"--optimizer", name(setup.optimizer)},
            {"--dropout", "of the model"}, {"--micro-batches", std::to_string(setup.microBatches)},
            {"--head-chunks", std::to_string(setup.headChunks)}, {"--variants", name(setup.variants)}});
    return list;
}

} // namespace

Result<ImportedModel> chooseModel(const ModelArguments& arguments, const Environment& environment)
{
    if (!arguments.preset && !arguments.config)
        return Error{&kNoModel, "", {}};
    ImportedModel model;
    if (arguments.config) {
        Result<ImportedModel> imported = importConfigFile(*arguments.config);
        if (!imported)
            return imported.error();
        model = *std::move(imported);
    } else {
        Result<ModelShape> preset = findPreset(*arguments.preset, environment.configurationFolder);
        if (!preset) {
            Error error = preset.error();
            if (error.where.empty())
                error.where = "--model";
            return error;
        }
        model.shape = *std::move(preset);
    }
    ModelShape& shape = model.shape;
    const bool ffnFollowsWidth = shape.ffn == 4 * shape.hidden;
    const bool areStacksAlike = shape.decoderLayers == shape.layers;
    const std::int64_t headWidth = shape.headWidth();
    const auto replace
        = [](std::int64_t& size, const std::optional<std::int64_t>& given) { size = given.value_or(size); };
    replace(shape.layers, arguments.layers);
    if (areStacksAlike)
        shape.decoderLayers = shape.layers;
    replace(shape.heads, arguments.heads);
    if (arguments.keyValueHeads) {
        if (*arguments.keyValueHeads < 1)
            return Error{&kNoGroups, "--kv-heads", {}};
        setGroups(shape, *arguments.keyValueHeads);
    }
    replace(shape.vocabulary, arguments.vocabulary);
    replace(shape.maxPositions, arguments.maxPositions);
    replace(shape.hidden, arguments.hidden);
    // Out of bounds a width is refused below; four times it must not overflow before that.
    if (arguments.hidden && ffnFollowsWidth && shape.hidden > 0 && shape.hidden <= kMaxWidth)
        shape.ffn = 4 * shape.hidden;
    replace(shape.ffn, arguments.ffn);
    settleHeads(shape);
    setEmbeddingWidth(shape, shape.embeddingWidth());
    // The share of a head that is turned stays.
    if (shape.rotaryWidth > 0 && headWidth > 0 && shape.heads > 0)
        shape.rotaryWidth = shape.rotaryWidth * shape.headWidth() / headWidth / 2 * 2;
    if (auto valid = validateShape(shape); !valid)
        return withFlag(valid.error());
    return model;
}

Result<Device> findDevice(const SetupArguments& setup, const std::string& name, const Environment& environment)
{
    if (setup.costs) {
        Result<CpuMeasurement> costs = readCosts(*setup.costs);
        if (!costs)
            return costs.error();
        Device timed = costs->isGpu() ? gpuDevice(*costs) : cpuDevice(*costs, installedMemory().value_or(Bytes{}));
        // Who leaves --device out means the one that was measured.
        if (name != timed.name && setup.device)
            return Error{&kCostsOfGpu, "--costs", {name, timed.name}};
        return timed;
    }
    DeviceCatalog catalog = devices(environment.configurationFolder);
    if (name == kThisCpu)
        catalog.add(deviceOfThisCpu(environment));
    Result<Device> device = catalog.find(name);
    if (!device) {
        Error error = device.error();
        if (error.where.empty())
            error.where = "--device";
        return error;
    }
    return device;
}

Result<StepChoice> chooseStep(const ModelArguments& model, const SetupArguments& arguments,
    const Environment& environment, const std::optional<Device>& onDevice)
{
    Result<ImportedModel> imported = chooseModel(model, environment);
    if (!imported)
        return imported.error();
    Result<TrainingSetup> setup = chooseSetup(arguments, imported->shape);
    if (!setup)
        return setup.error();
    Result<Device> device
        = onDevice && !arguments.device ? Result<Device>(*onDevice) : findDevice(arguments, setup->device, environment);
    if (!device)
        return device.error();
    setup->device = device->name;
    if (auto stored = checkPrecision(*setup, *device); !stored)
        return withFlag(stored.error());
    StepChoice choice;
    choice.request = {std::move(imported->shape), *setup, *std::move(device), {}};
    choice.defaults = defaultsOf(arguments, choice.request);
    for (const Message& note : imported->notes)
        choice.notes.push_back(englishText(note));
    if (const Device& used = choice.request.device; arguments.costs && used.kind == DeviceKind::Cpu
        && (used.title.find(processorName()) == std::string::npos || used.threads != usableThreads()))
        choice.notes.push_back("The costs were measured elsewhere: " + used.title + ", " + std::to_string(used.threads)
            + " threads. Times are that machine's.");
    return choice;
}

void addStep(nlohmann::json& object, const StepChoice& choice)
{
    const StudyRequest& request = choice.request;
    object["model"] = toJson(request.shape);
    object["model"]["parameters"] = parameterCount(request.shape);
    object["setup"] = toJson(request.setup);
    object["device"] = request.device.name;
    object["defaults"] = choice.defaults;
    object["notes"] = choice.notes;
}

std::string stepHeading(const ModelShape& shape, const TrainingSetup& setup)
{
    return textOf(StepTitle{shape.name, parameterCount(shape), setup.batch, setup.microBatches, setup.sequence,
        std::string(toName(setup.profile)), setup.device});
}

std::string stepHeading(const StepChoice& choice)
{
    return stepHeading(choice.request.shape, choice.request.setup);
}

} // namespace remat::cli
