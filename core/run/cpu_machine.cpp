// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/cpu_machine.h"

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

#include "core/cost/device_traits.h"
#include "core/run/op_shapes.h"

namespace remat {

namespace {

static_assert(
    kCpuScratchPerThread.value == kernels::kScratchBytesPerWorker, "the tape counts the scratch that the kernels use");

constexpr MessageCode kNoMemory{"out-of-memory",
    REMAT_TR("The system gave no {0} for a buffer; {1} are in use already."),
    REMAT_TR("Lower the batch or the budget, or close other programs."), ExitCode::OutOfMemory};

constexpr std::size_t kAlignment = 64;

using kernels::Store;

/// The operands of an op as the fp32 numbers that they are.
template <class Byte> class FloatList {
public:
    using Float = std::conditional_t<std::is_const_v<Byte>, const float, float>;
    explicit FloatList(const std::vector<Byte*>& operands) : m_operands(operands) { }
    Float* operator[](std::size_t k) const { return reinterpret_cast<Float*>(m_operands[k]); }
    std::size_t size() const { return m_operands.size(); }

private:
    const std::vector<Byte*>& m_operands;
};

struct FloatTarget {
    float* data;
    bool accumulates;
};

Store storeOf(const FloatTarget& target)
{
    return target.accumulates ? Store::Add : Store::Write;
}

class TargetList {
public:
    explicit TargetList(const std::vector<GradientTarget>& targets) : m_targets(targets) { }
    FloatTarget operator[](std::size_t k) const
    {
        return {reinterpret_cast<float*>(m_targets[k].data), m_targets[k].accumulates};
    }
    FloatTarget back() const { return (*this)[m_targets.size() - 1]; }
    std::size_t size() const { return m_targets.size(); }

private:
    const std::vector<GradientTarget>& m_targets;
};

const float* biasOf(const OpRun& run)
{
    return run.parameters.size() > 1 ? FloatList(run.parameters)[1] : nullptr;
}

} // namespace

CpuMachine::CpuMachine(const CpuMachineOptions& options)
    : m_options(options),
      m_kernels(options.kernels ? *options.kernels : kernels::bestCpuKernels()),
      m_pool(options.threads)
{ }

CpuMachine::~CpuMachine()
{
    for (const auto& [size, data] : m_free)
        std::free(data);
}

std::string CpuMachine::name() const
{
    return "cpu, " + std::string(m_kernels.name()) + ", " + std::to_string(m_pool.threads()) + " threads";
}

MachineTraits CpuMachine::traits() const
{
    return {Bytes{kAlignment}, m_pool.threads() * kCpuScratchPerThread};
}

Result<std::byte*> CpuMachine::allocate(Bytes bytes)
{
    std::byte* data = nullptr;
    if (const auto free = m_free.find(bytes.value); free != m_free.end()) {
        data = free->second;
        m_free.erase(free);
    } else {
        returnFreeBlocks(bytes);
        if (hasRoomFor(bytes))
            data = static_cast<std::byte*>(std::aligned_alloc(kAlignment, static_cast<std::size_t>(bytes.value)));
        if (data)
            m_held += bytes;
    }
    if (!data)
        return Error{&kNoMemory, "", {bytes, m_held}};
    if (m_options.poisonsBlocks)
        fill(bytes, data, std::numeric_limits<float>::quiet_NaN());
    else if (m_options.touchesBlocks)
        fill(bytes, data, 0.0F);
    return data;
}

void CpuMachine::release(std::byte* data, Bytes bytes)
{
    if (m_options.poisonsBlocks)
        fill(bytes, data, std::numeric_limits<float>::quiet_NaN());
    if (m_options.reusesBlocks) {
        m_free.emplace(bytes.value, data);
    } else {
        std::free(data);
        m_held -= bytes;
    }
}

void CpuMachine::returnFreeBlocks(Bytes wanted)
{
    // The largest first: they make the most room for the fewest page faults later.
    while (!m_free.empty() && m_held + wanted > m_options.mostHeld) {
        const auto largest = std::prev(m_free.end());
        m_held -= Bytes{largest->first};
        std::free(largest->second);
        m_free.erase(largest);
    }
}

bool CpuMachine::hasRoomFor(Bytes bytes) const
{
    if (!m_options.room)
        return true;
    // Page tables take an eighth of a per cent more, and the kernel counts in batches of pages.
    const std::optional<Bytes> room = m_options.room();
    return !room || bytes.value + bytes.value / 512 + (std::int64_t{1} << 20) <= room->value;
}

void CpuMachine::fill(Bytes bytes, std::byte* data, float value)
{
    m_kernels.fill(
        workers(), bytes.value / static_cast<std::int64_t>(sizeof(float)), value, reinterpret_cast<float*>(data));
}

void CpuMachine::forward(const OpRun& run)
{
    const Op& op = *run.op;
    assert(run.storage == ElementType::Fp32);
    const FloatList in(run.reads), w(run.parameters);
    const FloatList out(run.writes);
    switch (op.kind) {
    case OpKind::Embedding: {
        const EmbeddingTables tables(op);
        m_kernels.embeddingForward(workers(), embeddingOf(op), run.tokens, w[0],
            tables.positions > 0 ? w[tables.positions] : nullptr, tables.types > 0 ? w[tables.types] : nullptr, out[0]);
        break;
    }
    case OpKind::LayerNorm:
        m_kernels.layerNormForward(
            workers(), rowsOf(op), static_cast<float>(op.dims.epsilon), in[0], w[0], w[1], out[0], out[1], out[2]);
        break;
    case OpKind::RmsNorm:
        m_kernels.rmsNormForward(
            workers(), rowsOf(op), static_cast<float>(op.dims.epsilon), in[0], w[0], out[0], out[1]);
        break;
    case OpKind::Rotary:
        m_kernels.rotary(workers(), rotaryOf(op), kernels::Turn::Forth, in[0], out[0]);
        break;
    case OpKind::Linear:
        m_kernels.linearForward(workers(), linearOf(op), in[0], w[0], biasOf(run), out[0]);
        break;
    case OpKind::Attention:
        m_kernels.attentionForward(workers(), attentionOf(op), dropoutOf(run), in[0], out[0], out[1]);
        break;
    case OpKind::AttentionProbs:
        m_kernels.probabilitiesForward(workers(), attentionOf(op), in[0], out[0]);
        break;
    case OpKind::AttentionContext:
        m_kernels.contextForward(workers(), attentionOf(op), dropoutOf(run), in[0], in[1], out[0]);
        break;
    case OpKind::Activation:
        m_kernels.activationForward(workers(), activationOf(op), op.dims.rows, in[0], out[0]);
        break;
    case OpKind::GatedActivation:
        m_kernels.gatedForward(workers(), activationOf(op), op.dims.rows, in[0], in[1], out[0]);
        break;
    case OpKind::Dropout:
        m_kernels.dropout(workers(), dropoutOf(run), op.dims.rows, in[0], out[0]);
        break;
    case OpKind::Add:
        m_kernels.add(workers(), op.dims.rows, in[0], in[1], out[0]);
        break;
    case OpKind::CrossEntropy:
        m_kernels.crossEntropyForward(workers(), {op.dims.rows, op.dims.out}, in[0], run.targets, out[1], out[0]);
        break;
    case OpKind::ChunkedHead:
        m_kernels.chunkedHead(workers(), headOf(op), in[0], w[0], biasOf(run), run.targets, run.lossScale, out[0],
            out[1], out[2], out.size() > 3 ? out[3] : nullptr, Store::Write, reinterpret_cast<float*>(run.workspace));
        break;
    }
}

void CpuMachine::backward(const OpRun& run)
{
    const Op& op = *run.op;
    assert(run.storage == ElementType::Fp32);
    const FloatList values(run.backwardReads), dy(run.gradientsIn), w(run.parameters);
    const TargetList dx(run.gradientsOut), dw(run.weightGradients);
    switch (op.kind) {
    case OpKind::Embedding: {
        const EmbeddingTables tables(op);
        m_kernels.embeddingBackward(workers(), embeddingOf(op), run.tokens, dy[0], dw[0].data, storeOf(dw[0]),
            tables.positions > 0 ? dw[tables.positions].data : nullptr,
            tables.types > 0 ? dw[tables.types].data : nullptr, storeOf(dw.back()));
        break;
    }
    case OpKind::LayerNorm:
        m_kernels.layerNormBackward(workers(), rowsOf(op), dy[0], values[0], values[1], values[2], w[0], dx[0].data,
            storeOf(dx[0]), dw[0].data, dw[1].data, storeOf(dw[0]));
        break;
    case OpKind::RmsNorm:
        m_kernels.rmsNormBackward(workers(), rowsOf(op), dy[0], values[0], values[1], w[0], dx[0].data, storeOf(dx[0]),
            dw[0].data, storeOf(dw[0]));
        break;
    case OpKind::Rotary:
        m_kernels.rotary(workers(), rotaryOf(op), kernels::Turn::Back, dy[0], dx[0].data);
        break;
    case OpKind::Linear:
        m_kernels.linearBackward(workers(), linearOf(op), dy[0], values[0], w[0], dx[0].data, storeOf(dx[0]),
            dw[0].data, dw.size() > 1 ? dw[1].data : nullptr, storeOf(dw[0]));
        break;
    case OpKind::Attention:
        m_kernels.attentionBackward(
            workers(), attentionOf(op), dropoutOf(run), dy[0], values[0], values[1], values[2], dx[0].data);
        break;
    case OpKind::AttentionProbs:
        m_kernels.probabilitiesBackward(workers(), attentionOf(op), dy[0], values[0], values[1], dx[0].data);
        break;
    case OpKind::AttentionContext:
        m_kernels.contextBackward(
            workers(), attentionOf(op), dropoutOf(run), dy[0], values[0], values[1], dx[0].data, dx[1].data);
        break;
    case OpKind::Activation:
        m_kernels.activationBackward(workers(), activationOf(op), op.dims.rows, dy[0], values[0], dx[0].data);
        break;
    case OpKind::GatedActivation:
        m_kernels.gatedBackward(
            workers(), activationOf(op), op.dims.rows, dy[0], values[0], values[1], dx[0].data, dx[1].data);
        break;
    case OpKind::Dropout:
        m_kernels.dropout(workers(), dropoutOf(run), op.dims.rows, dy[0], dx[0].data);
        break;
    case OpKind::Add:
        break; // Both gradients are the output's buffer.
    case OpKind::CrossEntropy:
        m_kernels.crossEntropyBackward(
            workers(), {op.dims.rows, op.dims.out}, values[0], values[1], run.targets, run.lossScale, dx[0].data);
        break;
    case OpKind::ChunkedHead:
        // Forward made the gradients; where the weight's gradient exists already, this adds to it.
        for (std::size_t k = 0; k < dw.size(); ++k)
            if (dw[k].accumulates)
                m_kernels.add(workers(), k == 0 ? op.dims.vocabulary * op.dims.in : op.dims.vocabulary, dw[k].data,
                    values[1 + k], dw[k].data);
        break;
    }
}

void CpuMachine::update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update)
{
    const std::int64_t count = update.parameter->elements;
    const auto* gradient = reinterpret_cast<const float*>(update.gradient);
    auto* weight = reinterpret_cast<float*>(update.weight);
    if (kind == OptimizerKind::Sgd) {
        m_kernels.sgd(workers(), kLearningRate, count, gradient, weight);
        return;
    }
    m_kernels.adamW(
        workers(), adamWOf(*update.parameter, step), count, gradient, weight, update.momentum, update.variance);
}

void CpuMachine::initialize(const Parameter& parameter, [[maybe_unused]] ElementType storage, std::uint64_t seed,
    std::uint64_t stream, std::byte* data, [[maybe_unused]] float* master)
{
    assert(storage == ElementType::Fp32 && !master);
    auto* weight = reinterpret_cast<float*>(data);
    switch (parameter.initialization) {
    case Initialization::Normal:
        m_kernels.fillNormal(workers(), {seed, stream}, parameter.elements, kInitialDeviation, weight);
        break;
    case Initialization::Zeros:
        m_kernels.fill(workers(), parameter.elements, 0.0F, weight);
        break;
    case Initialization::Ones:
        m_kernels.fill(workers(), parameter.elements, 1.0F, weight);
        break;
    }
}

void CpuMachine::fillZero(Bytes bytes, std::byte* data)
{
    fill(bytes, data, 0.0F);
}

void CpuMachine::drawTokens(
    std::uint64_t seed, std::uint64_t stream, std::int64_t count, std::int64_t vocabulary, std::int32_t* out)
{
    m_kernels.fillTokens(workers(), {seed, stream}, count, vocabulary, out);
}

} // namespace remat
