// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tape/tape_writer.h"

#include <cassert>
#include <cstdlib>
#include <utility>

#include "core/base/text.h"

namespace remat {

namespace {

std::int64_t product(const std::vector<std::int64_t>& shape)
{
    std::int64_t result = 1;
    for (const std::int64_t n : shape)
        result *= n;
    return result;
}

const char* nameOf(Activation kind)
{
    switch (kind) {
    case Activation::Gelu:
    case Activation::GeluTanh:
        return "gelu";
    case Activation::Relu:
        return "relu";
    case Activation::Silu:
        return "silu";
    case Activation::QuickGelu:
        return "quick_gelu";
    }
    std::abort();
}

/// "attn.c_attn", or "attention.self.{query,key,value}" for several modules of one parent.
std::string bracedName(const std::vector<std::string>& modules)
{
    if (modules.size() == 1)
        return modules.front();
    const std::size_t parent = modules.front().rfind('.') + 1;
    std::vector<std::string> own;
    own.reserve(modules.size());
    for (const std::string& module : modules)
        own.push_back(module.substr(parent));
    return modules.front().substr(0, parent) + "{" + joined(own, ",") + "}";
}

} // namespace

TapeWriter::TapeWriter(std::string kind, ElementType storage, MachineTraits traits)
    : m_storage(storage),
      m_traits(traits)
{
    m_tape.kind = std::move(kind);
}

int TapeWriter::tensor(std::string name, TensorRole role, std::initializer_list<Dim> dims)
{
    Tensor tensor{.name = std::move(name), .sublayer = m_sublayer, .role = role, .element = m_storage};
    if (role == TensorRole::Statistic)
        tensor.element = ElementType::Fp32;
    for (const Dim& dim : dims) {
        tensor.shapeText += (tensor.shapeText.empty() ? "" : ",") + std::string(dim.name);
        tensor.shape.push_back(dim.size);
    }
    tensor.bytes = roundUp({product(tensor.shape) * bytesOf(tensor.element)}, m_traits.granule);
    m_tape.tensors.push_back(std::move(tensor));
    return static_cast<int>(m_tape.tensors.size()) - 1;
}

int TapeWriter::loss()
{
    m_tape.tensors.push_back({.name = "loss",
        .sublayer = m_sublayer,
        .shapeText = "1",
        .shape = {1},
        .bytes = roundUp({bytesOf(ElementType::Fp32)}, m_traits.granule),
        .role = TensorRole::Output});
    return static_cast<int>(m_tape.tensors.size()) - 1;
}

int TapeWriter::weight(std::string name, std::initializer_list<std::int64_t> shape, Initialization initialization)
{
    StageParameter parameter{.name = std::move(name), .shape = shape, .initialization = initialization};
    parameter.elements = product(parameter.shape);
    parameter.bytes = roundUp(stored(parameter.elements), m_traits.granule);
    parameter.decays = parameter.shape.size() > 1;
    m_tape.parameters.push_back(std::move(parameter));
    return static_cast<int>(m_tape.parameters.size()) - 1;
}

int TapeWriter::sharedWeight(
    std::string name, std::string sharedName, std::initializer_list<std::int64_t> shape, bool gradientIsMadeLater)
{
    const int index = weight(std::move(name), shape, Initialization::Normal);
    StageParameter& parameter = m_tape.parameters[static_cast<std::size_t>(index)];
    parameter.isShared = true;
    parameter.sharedName = std::move(sharedName);
    parameter.gradientIsMadeLater = gradientIsMadeLater;
    return index;
}

Op& TapeWriter::append(Op op)
{
    op.sublayer = m_sublayer;
    const int index = static_cast<int>(m_tape.ops.size());
    for (const int t : op.writes)
        m_tape.tensors[static_cast<std::size_t>(t)].producer = index;
    m_tape.ops.push_back(std::move(op));
    assert(index < kMaxOpsOfStage);
    return m_tape.ops.back();
}

std::int64_t TapeWriter::elements(int tensor) const
{
    return product(m_tape.tensors[static_cast<std::size_t>(tensor)].shape);
}

int TapeWriter::layerNorm(const std::string& name, const std::string& module, int x, const char* outputName,
    TensorRole role, std::int64_t width, double epsilon)
{
    const std::string path = module.empty() ? name : module;
    const Tensor input = m_tape.tensors[static_cast<std::size_t>(x)];
    const std::int64_t rows = input.shape[0] * input.shape[1];
    const int y = tensor(outputName, role, {{"B", input.shape[0]}, {"T", input.shape[1]}, {"C", width}});
    const int mean = tensor(name + "_mean", TensorRole::Statistic, {{"B", input.shape[0]}, {"T", input.shape[1]}});
    const int rstd = tensor(name + "_rstd", TensorRole::Statistic, {{"B", input.shape[0]}, {"T", input.shape[1]}});
    const int gamma = weight(path + ".weight", {width}, Initialization::Ones);
    const int beta = weight(path + ".bias", {width}, Initialization::Zeros);
    append({.kind = OpKind::LayerNorm,
        .name = name,
        .modules = {path},
        .reads = {x},
        .writes = {y, mean, rstd},
        .backwardReads = {x, mean, rstd},
        .parameters = {gamma, beta},
        .forwardBytes = stored(2 * rows * width),
        .backwardBytes = stored(4 * rows * width),
        .dims = {.rows = rows, .in = width, .out = width, .epsilon = epsilon}});
    return y;
}

int TapeWriter::rmsNorm(const std::string& name, const std::string& module, int x, const char* outputName,
    TensorRole role, std::int64_t width, double epsilon)
{
    const std::string path = module.empty() ? name : module;
    const Tensor input = m_tape.tensors[static_cast<std::size_t>(x)];
    const std::int64_t rows = input.shape[0] * input.shape[1];
    const int y = tensor(outputName, role, {{"B", input.shape[0]}, {"T", input.shape[1]}, {"C", width}});
    const int rstd = tensor(name + "_rstd", TensorRole::Statistic, {{"B", input.shape[0]}, {"T", input.shape[1]}});
    append({.kind = OpKind::RmsNorm,
        .name = name,
        .modules = {path},
        .reads = {x},
        .writes = {y, rstd},
        .backwardReads = {x, rstd},
        .parameters = {weight(path + ".weight", {width}, Initialization::Ones)},
        .forwardBytes = stored(2 * rows * width),
        .backwardBytes = stored(4 * rows * width),
        .dims = {.rows = rows, .in = width, .out = width, .epsilon = epsilon}});
    return y;
}

int TapeWriter::linear(const std::string& name, std::vector<std::string> modules, int x, Dim out, std::int64_t batch,
    std::int64_t sequence, std::int64_t in, bool hasBias)
{
    if (modules.front().empty())
        modules.front() = name;
    const std::string path = bracedName(modules);
    const std::int64_t rows = batch * sequence;
    const int y = tensor(name, TensorRole::Activation, {{"B", batch}, {"T", sequence}, out});
    std::vector<int> parameters{weight(path + ".weight", {in, out.size}, Initialization::Normal)};
    if (hasBias)
        parameters.push_back(weight(path + ".bias", {out.size}, Initialization::Zeros));
    append({.kind = OpKind::Linear,
        .name = name,
        .modules = std::move(modules),
        .reads = {x},
        .writes = {y},
        .backwardReads = {x},
        .parameters = std::move(parameters),
        .forwardFlops = {2 * rows * in * out.size},
        .backwardFlops = {4 * rows * in * out.size},
        .forwardBytes = stored(rows * in + rows * out.size + in * out.size),
        .backwardBytes = stored(2 * (rows * in + rows * out.size + in * out.size)),
        .dims = {.rows = rows, .in = in, .out = out.size}});
    return y;
}

int TapeWriter::dropout(const std::string& name, int x, double probability)
{
    if (probability == 0.0)
        return x;
    const int y = like(x, name, TensorRole::Activation);
    append({.kind = OpKind::Dropout,
        .name = name,
        .reads = {x},
        .writes = {y},
        .forwardBytes = stored(2 * elements(x)),
        .backwardBytes = stored(2 * elements(x)),
        .isRandom = true,
        .dims = {.rows = elements(x), .dropout = probability}});
    return y;
}

int TapeWriter::add(const std::string& name, int skip, int branch, const char* outputName, TensorRole role)
{
    const int y = like(skip, outputName, role);
    append({.kind = OpKind::Add,
        .name = name,
        .reads = {skip, branch},
        .writes = {y},
        .forwardBytes = stored(3 * elements(skip)),
        .dims = {.rows = elements(skip)}});
    return y;
}

int TapeWriter::activation(int x, Activation kind)
{
    const std::string name = nameOf(kind);
    const int y = like(x, name, TensorRole::Activation);
    append({.kind = OpKind::Activation,
        .name = name,
        .reads = {x},
        .writes = {y},
        .backwardReads = {x},
        .forwardBytes = stored(2 * elements(x)),
        .backwardBytes = stored(3 * elements(x)),
        .dims = {.rows = elements(x), .activation = kind}});
    return y;
}

int TapeWriter::gatedActivation(int gate, int up, Activation kind)
{
    // SwiGLU, GeGLU, ReGLU (Shazeer 2020, arXiv 2002.05202).
    const std::string name = kind == Activation::Silu ? "swiglu" : kind == Activation::Relu ? "reglu" : "geglu";
    const int y = like(gate, name, TensorRole::Activation);
    append({.kind = OpKind::GatedActivation,
        .name = name,
        .reads = {gate, up},
        .writes = {y},
        .backwardReads = {gate, up},
        .forwardBytes = stored(3 * elements(gate)),
        .backwardBytes = stored(5 * elements(gate)),
        .dims = {.rows = elements(gate), .activation = kind}});
    return y;
}

/// A tensor of the same shape.
int TapeWriter::like(int tensor, std::string name, TensorRole role)
{
    Tensor output = m_tape.tensors[static_cast<std::size_t>(tensor)];
    output.name = std::move(name);
    output.sublayer = m_sublayer;
    output.role = role;
    output.producer = -1;
    m_tape.tensors.push_back(std::move(output));
    return static_cast<int>(m_tape.tensors.size()) - 1;
}

StageTape TapeWriter::finish(int input, int output, bool outputIsLoss)
{
    m_tape.input = input;
    m_tape.output = output;
    m_tape.outputIsLoss = outputIsLoss;
    return std::move(m_tape);
}

} // namespace remat
