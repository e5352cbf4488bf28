// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace remat {

/// What decides how a block is built.  A new model_type is a row that maps config keys to these features; the one block
/// builder (core/tape/block_builder.h) reads nothing else.
enum class NormPlace { Pre, Post };
enum class Activation { Gelu, GeluTanh, Relu };
enum class HeadKind { CausalLm, MaskedLm };

/// Dropout probabilities of the training step, each in [0, 1).
struct Dropouts {
    double embedding = 0.0;
    double attention = 0.0;
    double residual = 0.0;

    bool operator==(const Dropouts&) const = default;
};

/// The architecture of a Transformer: sizes and features, nothing about the batch.
///
/// B, T, C, H, L, V, F of the comments are batch, sequence, hidden width, heads, layers, vocabulary, FFN width
/// (core/notation.md).
struct ModelShape {
    std::string name;      ///< preset name, or the file name of a config
    std::string modelType; ///< "gpt2" or "bert": Hugging Face's model_type
    std::int64_t layers = 0;
    std::int64_t hidden = 0; ///< C
    std::int64_t heads = 0;
    std::int64_t ffn = 0; ///< F
    std::int64_t vocabulary = 0;
    std::int64_t maxPositions = 0;
    std::int64_t tokenTypes = 0; ///< rows of the token type embedding; 0 = none
    NormPlace normPlace = NormPlace::Pre;
    Activation activation = Activation::Gelu;
    HeadKind head = HeadKind::CausalLm;
    bool isCausal = true;
    bool hasTiedHead = true;
    double normEpsilon = 1e-5;
    Dropouts dropout;

    std::int64_t headWidth() const { return heads > 0 ? hidden / heads : 0; }
    bool operator==(const ModelShape&) const = default;
};

} // namespace remat
