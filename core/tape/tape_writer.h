// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "core/tape/machine_traits.h"
#include "core/tape/tape.h"

namespace remat {

/// A named dimension: "3C" with its value, so that a shape is written once and printed as the paper writes it.
struct Dim {
    const char* name;
    std::int64_t size;
};

/// Appends rows to a StageTape: the vocabulary in which block_builder.cpp writes a model down.
class TapeWriter {
public:
    TapeWriter(std::string kind, ElementType storage, MachineTraits traits);

    void enter(Sublayer sublayer) { m_sublayer = sublayer; }
    int tensor(std::string name, TensorRole role, std::initializer_list<Dim> dims);
    /// The scalar that training starts its backward from.
    int loss();
    int weight(std::string name, std::initializer_list<std::int64_t> shape, Initialization initialization);
    /// A matrix that stands in another stage too.
    int sharedWeight(
        std::string name, std::string sharedName, std::initializer_list<std::int64_t> shape, bool gradientIsMadeLater);

    // An op whose module path is empty, because the family has no such part, is called by its own name.
    int layerNorm(const std::string& name, const std::string& module, int x, const char* outputName, TensorRole role,
        std::int64_t width, double epsilon);
    int rmsNorm(const std::string& name, const std::string& module, int x, const char* outputName, TensorRole role,
        std::int64_t width, double epsilon);
    int linear(const std::string& name, std::vector<std::string> modules, int x, Dim out, std::int64_t batch,
        std::int64_t sequence, std::int64_t in, bool hasBias);
    int dropout(const std::string& name, int x, double probability);
    int add(const std::string& name, int skip, int branch, const char* outputName, TensorRole role);
    int activation(int x, Activation kind);
    int gatedActivation(int gate, int up, Activation kind);

    Op& append(Op op);
    std::int64_t elements(int tensor) const;
    /// So many numbers in the storage type: memory or traffic.
    Bytes stored(std::int64_t count) const { return {count * bytesOf(m_storage)}; }
    StageTape finish(int input, int output, bool outputIsLoss);

private:
    int like(int tensor, std::string name, TensorRole role);

    StageTape m_tape;
    ElementType m_storage;
    MachineTraits m_traits;
    Sublayer m_sublayer = Sublayer::Embedding;
};

} // namespace remat
