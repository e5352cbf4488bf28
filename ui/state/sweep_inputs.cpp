// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/sweep_inputs.h"

#include <array>
#include <charconv>
#include <set>

#include "core/base/format_units.h"
#include "core/base/text.h"
#include "core/cost/start_budget.h"
#include "core/model/names.h"
#include "core/model/presets.h"
#include "core/model/runtime_shapes.h"
#include "core/regions/region_plan_file.h"

namespace remat::ui {

namespace {

constexpr MessageCode kNoField{"sweep-flag-without-field", REMAT_TR("The window has no field for --{0}."),
    REMAT_TR("Plan this point on the command line: remat plan, with the flags of the point.")};
constexpr MessageCode kNoNumber{"sweep-flag-no-number", REMAT_TR("\"{0}\" is no number."), REMAT_TR("Write one.")};

/// Takes flags one by one; what nobody took has no field.
class Flags {
public:
    explicit Flags(const GridFlags& flags) : m_flags(flags) { }

    /// The value of a flag; a switch that is on has the value "true".
    std::optional<std::string> text(const std::string& flag)
    {
        const auto found = m_flags.find(flag);
        if (found == m_flags.end())
            return std::nullopt;
        m_taken.insert(flag);
        return found->second.empty() ? "true" : found->second.front();
    }
    template <class Number> void number(const std::string& flag, Number& place)
    {
        const std::optional<std::string> value = text(flag);
        Number read{};
        if (!value)
            return;
        const auto [end, problem] = std::from_chars(value->data(), value->data() + value->size(), read);
        if (problem != std::errc() || end != value->data() + value->size())
            fail(Error{&kNoNumber, "--" + flag, {shortened(*value)}});
        else
            place = read;
    }
    template <class E> std::optional<E> name(const std::string& flag)
    {
        const std::optional<std::string> value = text(flag);
        if (!value)
            return std::nullopt;
        const Result<E> read = fromName<E>(*value);
        if (!read)
            fail(read.error());
        return read ? std::optional(*read) : std::nullopt;
    }
    void fail(Error error)
    {
        if (!m_error)
            m_error = std::move(error);
    }
    /// The first mistake, or a flag that was not taken.
    std::optional<Error> error() const
    {
        if (m_error)
            return m_error;
        for (const auto& [flag, values] : m_flags)
            if (!m_taken.contains(flag) || values.size() > 1)
                return Error{&kNoField, "", {flag}};
        return std::nullopt;
    }

private:
    const GridFlags& m_flags;
    std::set<std::string> m_taken;
    std::optional<Error> m_error;
};

void readShape(Flags& flags, ModelShape& shape, const std::string& configurationFolder)
{
    const Result<ModelShape> preset = findPreset(flags.text("model").value_or(""), configurationFolder);
    if (!preset)
        return flags.fail(preset.error());
    shape = *preset;
    const bool areStacksAlike = shape.decoderLayers == shape.layers;
    flags.number("layers", shape.layers);
    if (areStacksAlike)
        shape.decoderLayers = shape.layers;
}

void readRuntime(Flags& flags, Inputs& inputs)
{
    TrainingSetup& setup = inputs.setup;
    setup.attention = flags.name<AttentionKind>("attention").value_or(setup.attention);
    setup.optimizer = flags.name<OptimizerKind>("optimizer").value_or(setup.optimizer);
    setup.loss = flags.name<LossKind>("loss").value_or(setup.loss);
    setup.precision = flags.name<Precision>("precision");
    flags.number("head-chunks", setup.headChunks);
    setup.masterWeights = flags.text("master-weights").has_value();
    setup.gradientsResident = flags.text("grads-resident").has_value();
}

void readTorch(Flags& flags, TorchChoices& torch)
{
    const auto choose = [&](const char* flag, auto& place, const auto& known) {
        const std::optional<std::string> value = flags.text(flag);
        for (const auto each : known)
            if (value && *value == toName(each))
                return void(place = each);
        if (value)
            flags.fail(Error{&kNoField, "", {flag + (" " + *value)}});
    };
    choose("precision", torch.precision,
        std::array{torch::TorchPrecision::Half, torch::TorchPrecision::Amp, torch::TorchPrecision::Fp32});
    choose("attention", torch.attention, std::array{torch::TorchAttention::Sdpa, torch::TorchAttention::Eager});
    choose("optimizer", torch.optimizer,
        std::array{torch::TorchOptimizer::AdamW, torch::TorchOptimizer::AdamWFused, torch::TorchOptimizer::Sgd,
            torch::TorchOptimizer::Adafactor, torch::TorchOptimizer::AdamW8Bit, torch::TorchOptimizer::None});
    torch.usesCache = flags.text("use-cache").has_value();
    torch.keepsOutputs = flags.text("keep-outputs").has_value();
    torch.hasResidentGrads = flags.text("grads-resident").has_value();
}

} // namespace

Result<Inputs> inputsOfFlags(
    const GridFlags& given, const Inputs& before, const std::string& configurationFolder, const DeviceCatalog& devices)
{
    Flags flags(given);
    Inputs inputs;
    readShape(flags, inputs.shape, configurationFolder);
    const std::string profile = flags.text("profile").value_or(runtimeLacks(inputs.shape) ? "pytorch" : "runtime");
    if (profile != "pytorch" && profile != "runtime")
        flags.fail(Error{&kNoField, "", {"profile " + profile}});
    inputs.profile = profile == "pytorch" ? StepProfile::Pytorch : StepProfile::Runtime;
    flags.number("batch", inputs.setup.batch);
    flags.number("seq", inputs.setup.sequence);
    flags.number("micro-batches", inputs.setup.microBatches);
    if (given.contains("dropout"))
        flags.number("dropout", inputs.setup.dropout.emplace());
    inputs.setup.device = flags.text("device").value_or(inputs.isPytorch() ? kStartGpu : kThisCpu);
    if (inputs.isPytorch())
        readTorch(flags, inputs.torch);
    else
        readRuntime(flags, inputs);
    inputs.setup = withDefaults(inputs.shape, inputs.setup);
    const Result<Strategy> strategy = parseStrategy(flags.text("strategy").value_or("optimal"));
    if (strategy)
        inputs.strategy = *strategy;
    else
        flags.fail(strategy.error());
    const Result<Device> device = devices.find(inputs.setup.device);
    if (!device)
        flags.fail(device.error());
    inputs.budget = device && device->kind == DeviceKind::Cuda ? startBudget(*device).budget : before.budget;
    if (const std::optional<std::string> text = flags.text("budget")) {
        const Result<Bytes> budget = parseBytes(*text);
        if (budget)
            inputs.budget = *budget;
        else
            flags.fail(budget.error());
    }
    std::optional<Error> error = flags.error();
    if (!error) {
        const Result<void> valid = inputs.isPytorch()
            ? validate(regionRequestOf(inputs.shape, inputs.setup, inputs.torch, *device))
            : validate(inputs.shape, inputs.setup);
        if (!valid)
            error = valid.error();
    }
    if (!error)
        return inputs;
    error->exit = ExitCode::BadInput;
    return *error;
}

} // namespace remat::ui
