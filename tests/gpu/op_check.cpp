// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/op_check.h"

#include <array>
#include <map>

#include "core/model/names.h"
#include "tests/cuda/step_laws.h"

namespace remat::testing {

namespace {

/// What one operation wrote.
struct Written {
    std::string op; ///< "layer_norm forward"
    std::vector<std::vector<float>> values;
};

/// A machine that keeps what every operation writes.
class WatchedMachine : public Machine {
public:
    WatchedMachine(Machine& machine, const StepTape& tape) : m_machine(machine)
    {
        for (std::size_t k = 0; k < tape.kinds.size(); ++k)
            for (std::size_t i = 0; i < tape.kinds[k].ops.size(); ++i)
                m_places[&tape.kinds[k].ops[i]] = {&tape.kinds[k], &tape.flows[k].ops[i]};
    }

    std::vector<Written> written;

    std::string name() const override { return m_machine.name(); }
    MachineTraits traits() const override { return m_machine.traits(); }
    Result<std::byte*> allocate(Bytes bytes) override { return m_machine.allocate(bytes); }
    void release(std::byte* data, Bytes bytes) override { m_machine.release(data, bytes); }
    void useWorkspace(std::byte* data) override { m_machine.useWorkspace(data); }
    void forward(const OpRun& run) override
    {
        m_machine.forward(run);
        const StageTape& tape = *m_places[run.op].tape;
        Written seen{std::string(toName(classOf(run.op->kind))) + ": " + run.op->name + " forward", {}};
        for (std::size_t k = 0; k < run.writes.size(); ++k) {
            const Tensor& tensor = tape.tensors[static_cast<std::size_t>(run.op->writes[k])];
            seen.values.push_back(read(run.writes[k], elementsOf(tensor), tensor.element));
        }
        written.push_back(std::move(seen));
    }
    void backward(const OpRun& run) override
    {
        m_machine.backward(run);
        const auto [tape, gradients] = m_places[run.op];
        Written seen{std::string(toName(classOf(run.op->kind))) + ": " + run.op->name + " backward", {}};
        for (std::size_t k = 0; k < run.gradientsOut.size(); ++k)
            if (run.gradientsOut[k].data)
                seen.values.push_back(read(run.gradientsOut[k].data,
                    elementsOf(tape->tensors[static_cast<std::size_t>(gradients->outgoing[k].tensor)]), run.storage));
        for (std::size_t k = 0; k < run.weightGradients.size(); ++k)
            if (run.weightGradients[k].data)
                seen.values.push_back(read(run.weightGradients[k].data,
                    tape->parameters[static_cast<std::size_t>(run.op->parameters[k])].elements, run.storage));
        written.push_back(std::move(seen));
    }
    void update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update) override
    {
        m_machine.update(kind, step, update);
    }
    void initialize(const Parameter& parameter, ElementType storage, std::uint64_t seed, std::uint64_t stream,
        std::byte* data, float* master) override
    {
        m_machine.initialize(parameter, storage, seed, stream, data, master);
        written.push_back({"weights drawn", {read(data, parameter.elements, storage)}});
    }
    void fillZero(Bytes bytes, std::byte* data) override { m_machine.fillZero(bytes, data); }
    void drawTokens(std::uint64_t seed, std::uint64_t stream, std::int64_t count, std::int64_t vocabulary,
        std::int32_t* out) override
    {
        m_machine.drawTokens(seed, stream, count, vocabulary, out);
    }
    Result<void> finish() override { return m_machine.finish(); }
    Result<std::span<const std::byte>> onHost(std::span<const std::byte> data, std::vector<std::byte>& room) override
    {
        return m_machine.onHost(data, room);
    }

private:
    struct Place {
        const StageTape* tape;
        const OpGradients* gradients;
    };

    static std::int64_t elementsOf(const Tensor& tensor)
    {
        std::int64_t count = 1;
        for (const std::int64_t extent : tensor.shape)
            count *= extent;
        return count;
    }
    std::vector<float> read(const std::byte* data, std::int64_t count, ElementType type)
    {
        std::vector<std::byte> room;
        const auto shown = m_machine.onHost({data, static_cast<std::size_t>(count * bytesOf(type))}, room);
        return shown ? numbersOf(*shown, type) : std::vector<float>{};
    }

    Machine& m_machine;
    std::map<const Op*, Place> m_places;
};

/// The largest distance as a share of the largest number that the operation wrote; infinite where one alone is no
/// number. What an operation leaves to others to write is poisoned on both machines.
double distanceOf(const Written& a, const Written& b)
{
    double largest = 1e-12, distance = 0;
    for (std::size_t v = 0; v < b.values.size(); ++v) {
        if (v >= a.values.size() || a.values[v].size() != b.values[v].size())
            return HUGE_VAL;
        for (std::size_t i = 0; i < b.values[v].size(); ++i) {
            const double x = a.values[v][i], y = b.values[v][i];
            if (std::isnan(x) && std::isnan(y))
                continue;
            largest = std::max(largest, std::abs(y));
            distance = std::isfinite(x - y) ? std::max(distance, std::abs(x - y)) : HUGE_VAL;
        }
    }
    return distance / largest;
}

std::vector<Written> writtenBy(Machine& machine, const StepTape& tape, const Device& device)
{
    // The executor has a tape of its own in the chain; operations are told apart by their place in that one.
    const StepChain step = buildFixedChain(tape, device, keepEverything(tape));
    const Program program = lower(step, flatSchedule(step.chain, std::vector<int>(step.chain.stages.size(), 0)));
    WatchedMachine watched(machine, step.tape);
    ExecutorOptions options;
    options.clock = steadyClock;
    auto executor = Executor::create(step.tape, program, watched, options);
    if (!executor || !(*executor)->runStep())
        return {};
    return std::move(watched.written);
}

/// A block of the GPU's memory, written by drawing and read back.
class Matrix {
public:
    Matrix(cuda::CudaMachine& machine, ElementType storage, std::int64_t count, std::uint64_t stream)
        : m_machine(machine),
          m_storage(storage),
          m_bytes(roundUp({count * bytesOf(storage)}, {512})),
          m_data(machine.allocate(m_bytes).value())
    {
        Parameter parameter;
        parameter.elements = count;
        machine.initialize(parameter, storage, 7, stream, m_data, nullptr);
    }
    ~Matrix() { m_machine.release(m_data, m_bytes); }
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;

    std::byte* data() const { return m_data; }
    std::vector<float> numbers(std::int64_t count) const
    {
        std::vector<std::byte> room;
        const auto bytes = m_machine.onHost({m_data, static_cast<std::size_t>(count * bytesOf(m_storage))}, room);
        return bytes ? numbersOf(*bytes, m_storage) : std::vector<float>{};
    }

private:
    cuda::CudaMachine& m_machine;
    ElementType m_storage;
    Bytes m_bytes;
    std::byte* m_data;
};

/// The largest |C - (bias or old C) - sum over k| against double, as a share of the largest |C|.
double productError(cuda::Gpu& gpu, const kernels::Gemm& gemm, ElementType storage, kernels::Store store)
{
    cuda::CudaMachine machine(gpu, {});
    const auto [m, n, k, transposeA, transposeB] = gemm;
    const Matrix a(machine, storage, m * k, 1), b(machine, storage, k * n, 2), bias(machine, storage, n, 3),
        c(machine, storage, m * n, 4);
    const bool adds = store == kernels::Store::Add;
    const std::vector<float> old = c.numbers(m * n);
    std::byte* const room = machine.allocate(kCudaWorkspace).value();
    gpu.multiply({gemm, storage, a.data(), b.data(), adds ? nullptr : bias.data(), c.data(), store}, room);
    const std::vector<float> left = a.numbers(m * k), right = b.numbers(k * n), shift = bias.numbers(n),
                             got = c.numbers(m * n);
    machine.release(room, kCudaWorkspace);
    double worst = 0, largest = 0;
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            const auto at = static_cast<std::size_t>(i * n + j);
            double sum = adds ? old[at] : shift[static_cast<std::size_t>(j)];
            for (std::int64_t l = 0; l < k; ++l)
                sum += static_cast<double>(left[static_cast<std::size_t>(transposeA ? l * m + i : i * k + l)])
                    * static_cast<double>(right[static_cast<std::size_t>(transposeB ? j * k + l : l * n + j)]);
            worst = std::max(worst, std::abs(static_cast<double>(got[at]) - sum));
            largest = std::max(largest, std::abs(sum));
        }
    return worst / largest;
}

} // namespace

void checkProducts(cuda::Gpu& gpu, Tally& tally)
{
    for (const ElementType storage : {ElementType::Fp32, ElementType::Bf16})
        for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{1, 1, 1}, {33, 17, 65}, {64, 192, 128}})
            for (int bits = 0; bits < 8; ++bits) {
                const kernels::Gemm gemm{m, n, k, (bits & 1) != 0, (bits & 2) != 0};
                const auto store = (bits & 4) != 0 ? kernels::Store::Add : kernels::Store::Write;
                const double error = productError(gpu, gemm, storage, store);
                // bf16 rounds the result to 8 bits; fp32 sums of up to 128 terms err by less than 1e-5.
                const bool isGood = error < (storage == ElementType::Bf16 ? 0x1p-8 : 1e-5);
                if (!isGood || bits == 7)
                    tally.note(isGood,
                        "products " + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k)
                            + (storage == ElementType::Bf16 ? ", bf16" : ", fp32") + ", the last one's error "
                            + std::to_string(error));
            }
}

namespace {

/// A weight's update with a gradient that is drawn, where no rounding of earlier operations turns the sign of a number
/// near 0, which AdamW's first step takes as a whole step.
std::vector<float> updated(Machine& machine, OptimizerKind kind, ElementType storage, std::int64_t count)
{
    Parameter parameter;
    parameter.elements = count;
    const Bytes bytes = roundUp({count * bytesOf(storage)}, {512}), state = roundUp({count * 4}, {512});
    std::byte *const weight = machine.allocate(bytes).value(), *const gradient = machine.allocate(bytes).value();
    std::byte *const first = machine.allocate(state).value(), *const second = machine.allocate(state).value();
    machine.initialize(parameter, storage, 3, 1, weight, nullptr);
    machine.initialize(parameter, storage, 3, 2, gradient, nullptr);
    machine.fillZero(state, first);
    machine.fillZero(state, second);
    for (std::int64_t step = 1; step <= 3; ++step)
        machine.update(kind, step,
            {&parameter, storage, weight, gradient, reinterpret_cast<float*>(first), reinterpret_cast<float*>(second)});
    std::vector<std::byte> room;
    const auto shown = machine.onHost({weight, static_cast<std::size_t>(count * bytesOf(storage))}, room);
    std::vector<float> values = shown ? numbersOf(*shown, storage) : std::vector<float>{};
    machine.release(weight, bytes);
    machine.release(gradient, bytes);
    machine.release(first, state);
    machine.release(second, state);
    return values;
}

void checkUpdates(cuda::Gpu& gpu, Tally& tally)
{
    cuda::CudaMachine onGpu(gpu, {});
    CpuMachine onCpu({});
    for (const OptimizerKind kind : {OptimizerKind::Sgd, OptimizerKind::AdamW})
        for (const bool isHalf : {false, true}) {
            double worst = 0;
            for (const std::int64_t count : {1, 31, 32, 33, 4099})
                worst = std::max(worst,
                    distanceOf({"", {updated(onGpu, kind, isHalf ? ElementType::Bf16 : ElementType::Fp32, count)}},
                        {"", {updated(onCpu, kind, ElementType::Fp32, count)}}));
            tally.note(worst < (isHalf ? 0.05 : 1e-6),
                std::string("optimizer: ") + std::string(toName(kind)) + (isHalf ? ", bf16" : ", fp32") + ": within "
                    + std::to_string(worst) + " of the CPU's",
                {{"operation", toName(kind)}, {"storage", isHalf ? "bf16" : "fp32"}, {"distance", worst}});
        }
}

} // namespace

void checkOperations(cuda::Gpu& gpu, Tally& tally)
{
    checkUpdates(gpu, tally);
    struct Size {
        std::int64_t batch, sequence, heads, headWidth;
    };
    // Tails of warps and of tiles of 64, one token alone, and heads of one and of two slices.
    constexpr std::array<Size, 6> kSizes{
        {{1, 1, 1, 8}, {1, 31, 2, 16}, {2, 32, 2, 8}, {1, 33, 3, 12}, {1, 65, 1, 80}, {2, 70, 2, 20}}};
    for (const bool isHalf : {false, true}) {
        std::map<std::string, double> worst;
        for (int i = 0; i < static_cast<int>(3 * kSizes.size()); ++i) {
            const Size& size = kSizes[static_cast<std::size_t>(i) % kSizes.size()];
            const int family = i / static_cast<int>(kSizes.size());
            const bool isStored = i % 2 == 1;
            const GpuCase c{{.isBert = family == 1,
                                .attention = isStored ? AttentionKind::Stored : AttentionKind::Blocked,
                                .headChunks = isStored ? 3 : 1,
                                .hasDropout = true,
                                .optimizer = OptimizerKind::None,
                                .isLlama = family == 2},
                isHalf};
            const ModelShape shape = smallShape(c.variety, 1, size.heads, size.headWidth, 40, 37, 128);
            const StepTape onGpu = tapeOf(c, shape, size.batch, size.sequence);
            const StepTape onCpu
                = buildStepTape(shape, setupOf(c.variety, size.batch, size.sequence), machineTraits(roundCpu()));
            cuda::CudaMachine gpuMachine(gpu, {.poisonsBlocks = true});
            CpuMachine cpuMachine({.poisonsBlocks = true});
            const std::vector<Written> found = writtenBy(gpuMachine, onGpu, roundGpu());
            const std::vector<Written> expected = writtenBy(cpuMachine, onCpu, roundCpu());
            if (found.size() != expected.size() || found.empty()) {
                worst["steps of the same operations"] = HUGE_VAL;
                continue;
            }
            for (std::size_t k = 0; k < found.size(); ++k) {
                double& most = worst[expected[k].op];
                most = std::max(most, distanceOf(found[k], expected[k]));
            }
        }
        for (const auto& [op, distance] : worst)
            // In fp32 the order of sums differs alone; bf16 keeps 8 bits, and an operation reads what those before it
            // rounded.
            tally.note(distance < (isHalf ? 0.1 : 2e-5),
                op + (isHalf ? ", bf16" : ", fp32") + ": within " + std::to_string(distance) + " of the CPU's",
                {{"operation", op}, {"storage", isHalf ? "bf16" : "fp32"}, {"distance", distance}});
    }
}

} // namespace remat::testing
