// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/step_choice.h"

#include <array>

#include <nlohmann/json.hpp>

#include "app/cli/parallel_choice.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/base/text.h"
#include "core/cost/cpu_measurement.h"
#include "core/cost/device_traits.h"
#include "core/cost/devices.h"
#include "core/model/config_import.h"
#include "core/model/model_json.h"
#include "core/model/names.h"
#include "core/model/nearest_names.h"
#include "core/model/presets.h"
#include "core/model/setup_json.h"
#include "core/model/weights.h"
#include "core/run/cpu_calibration.h"
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

/// Flags of the fields that validate() blames.
constexpr std::array<std::pair<std::string_view, const char*>, 15> kFlagOfField{{
    {"layers", "--layers"},
    {"hidden", "--hidden"},
    {"heads", "--heads"},
    {"key_value_heads", "--kv-heads"},
    {"ffn", "--ffn"},
    {"vocabulary", "--vocab"},
    {"max_positions", "--max-positions"},
    {"batch", "--batch"},
    {"sequence", "--seq"},
    {"micro_batches", "--micro-batches"},
    {"head_chunks", "--head-chunks"},
    {"dropout", "--dropout"},
    {"precision", "--precision"},
    {"master_weights", "--master-weights"},
    {"profile", "--profile"},
}};

Error withFlag(Error error)
{
    for (const auto& [field, flag] : kFlagOfField)
        if (error.where == field)
            error.where = flag;
    return error;
}

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

/// The first flag that was given and means nothing in the article's model.
std::optional<Error> articleRefuses(const SetupArguments& setup)
{
    const std::array<std::pair<bool, const char*>, 9> given{{
        {setup.attention.has_value(), "--attention"},
        {setup.loss.has_value(), "--loss"},
        {setup.optimizer.has_value(), "--optimizer"},
        {setup.variants.has_value(), "--variants"},
        {setup.dropout.has_value(), "--dropout"},
        {setup.headChunks.has_value(), "--head-chunks"},
        {setup.microBatches.has_value(), "--micro-batches"},
        {setup.gradientsResident, "--grads-resident"},
        {setup.masterWeights, "--master-weights"},
    }};
    for (const auto& [isGiven, flag] : given)
        if (isGiven)
            return Error{&kNotInArticle, flag, {}};
    return std::nullopt;
}

/// Names the profiles that this file does not choose from too (app/cli/torch_choice.h, app/cli/paper_choice.h).
Error unknownProfile(const std::string& name)
{
    const std::vector<std::string> profiles{"runtime", "pytorch", "paper", "article"};
    const std::string nearest = nearestNames(name, profiles, 1);
    return Error{&kUnknownProfile, "--profile",
        {shortened(name), nearest.empty() ? profiles.front() : nearest, joined(profiles, ", ")}};
}

/// The first flag that was given and belongs to the profile pytorch.
std::optional<Error> belongsToPytorch(const SetupArguments& setup)
{
    const std::array<std::pair<bool, const char*>, 6> given{{
        {setup.dtype.has_value(), "--dtype"},
        {setup.earlyStop.has_value(), "--early-stop"},
        {setup.keepsOutputs, "--keep-outputs"},
        {setup.hasOldLossShift, "--old-loss-shift"},
        {setup.usesCache, "--use-cache"},
        {setup.isReentrant, "--reentrant"},
    }};
    for (const auto& [isGiven, flag] : given)
        if (isGiven)
            return Error{&kOnlyInPytorch, flag, {}};
    return std::nullopt;
}

Result<TrainingSetup> chooseSetup(const SetupArguments& arguments, const ModelShape& shape)
{
    if (const std::optional<Error> refusal = belongsToPytorch(arguments))
        return *refusal;
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
        if (const std::optional<Error> refusal = articleRefuses(arguments))
            return *refusal;
        setup.optimizer = OptimizerKind::None;
    }
    setup.device = arguments.device.value_or(isArticle ? "a100-80" : kThisCpu);
    setup = withDefaults(shape, setup);
    if (auto valid = validate(shape, setup); !valid)
        return withFlag(valid.error());
    return setup;
}

/// Flags that were left out, with what they mean then.
std::vector<std::string> defaultsOf(const SetupArguments& given, const StudyRequest& request)
{
    const TrainingSetup& setup = request.setup;
    std::vector<std::string> list;
    const auto add = [&](bool isGiven, const char* flag, const std::string& value) {
        if (!isGiven)
            list.push_back(std::string(flag) + " " + value);
    };
    const auto name = [](auto value) { return std::string(toName(value)); };
    add(given.batch.has_value(), "--batch", std::to_string(setup.batch));
    add(given.sequence.has_value(), "--seq", std::to_string(setup.sequence));
    add(given.profile.has_value(), "--profile", name(setup.profile));
    add(given.device.has_value(), "--device", setup.device);
    add(given.precision.has_value(), "--precision", name(effectivePrecision(setup)));
    if (setup.profile == Profile::Article)
        return list;
    add(given.attention.has_value(), "--attention", name(setup.attention));
    add(given.loss.has_value(), "--loss", name(setup.loss));
    add(given.optimizer.has_value(), "--optimizer", name(setup.optimizer));
    add(given.dropout.has_value(), "--dropout", "of the model");
    add(given.microBatches.has_value(), "--micro-batches", std::to_string(setup.microBatches));
    add(given.headChunks.has_value(), "--head-chunks", std::to_string(setup.headChunks));
    add(given.variants.has_value(), "--variants", name(setup.variants));
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
        catalog.add(environment.thisCpu ? *environment.thisCpu : thisCpuDevice(environment.cacheFolder));
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
    const ScaledQuantity count = scaleFlops({parameterCount(shape)});
    // The scale of FLOPs is that of plain numbers: its unit without the word is the prefix.
    const std::string unit = count.unit;
    const std::string prefix = unit.substr(0, unit.size() - std::string_view("FLOP").size());
    std::string text = shape.name + " (" + formatThreeDigits(count.value) + " " + prefix + (prefix.empty() ? "" : " ")
        + "parameters), batch " + std::to_string(setup.batch);
    if (setup.microBatches > 1)
        text += " x " + std::to_string(setup.microBatches) + " micro-batches";
    return text + " x " + std::to_string(setup.sequence) + " tokens, profile " + std::string(toName(setup.profile))
        + ", device " + setup.device + "\n";
}

std::string stepHeading(const StepChoice& choice)
{
    return stepHeading(choice.request.shape, choice.request.setup);
}

std::string defaultsLine(const StepChoice& choice)
{
    std::string line;
    for (const std::string& entry : choice.defaults)
        line += (line.empty() ? "defaults: " : ", ") + entry;
    return line.empty() ? line : line + "\n";
}

} // namespace remat::cli
