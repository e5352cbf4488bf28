// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/units.h"
#include "core/cost/op_class.h"
#include "core/model/model_shape.h"
#include "core/paper/parallelism.h"

namespace remat {

/// What a layer runs again in backward: nothing; scores, softmax, its dropout and their product with the values
/// ("selective"); the whole layer.
enum class PaperRecompute { None, Selective, Full };

/// One micro-batch of a model that the paper's formulas know.
struct PaperSizes {
    std::int64_t sequence = 1, batch = 1, hidden = 1, heads = 1; ///< s, b, h, a
    std::int64_t layers = 1, vocabulary = 1, positions = 1;      ///< L, v, rows of the table of positions

    static PaperSizes of(const ModelShape& shape, std::int64_t batch, std::int64_t sequence)
    {
        return {sequence, batch, shape.hidden, shape.heads, shape.layers, shape.vocabulary, shape.maxPositions};
    }
    std::int64_t sbh() const { return sequence * batch * hidden; }
    std::int64_t scores() const { return heads * sequence * sequence * batch; }
};

/// Whether a shape is the paper's: one stack of serial blocks over tokens, as many key/value heads as heads, whose
/// widths together are h, and a plain FFN of width 4h.
bool isPaperShape(const ModelShape& shape);

/// What a rank keeps of one layer, by Korthikanti et al. 2022 ("Reducing activation recomputation in large transformer
/// models", arXiv 2205.05198), section 4.1: 2 bytes a number, 1 a dropout mask's.
///
///   attention  input 2sbh, Q and K 4sbh, softmax 2as²b, its mask 1as²b, its dropout 2as²b, V 2sbh, the output
///              product's input 2sbh, mask 1sbh                                                       11sbh + 5as²b
///   mlp        input 2sbh, GELU's input 8sbh, the second product's 8sbh, mask 1sbh                           19sbh
///   norms      an input of 2sbh each                                                                          4sbh
///
/// Table 2, with t the tensor parallel degree:       none                            selective            full
///   one rank, or t ranks without sequence parallel   sbh(10 + 24/t + 5as/(ht))       sbh(10 + 24/t)       2sbh
///   with it                                          sbh(34/t + 5as/(ht))            sbh 34/t             2sbh
struct PaperLayer {
    Bytes attention, mlp, norms;
    Bytes input; ///< all that full recomputation keeps

    Bytes total() const { return attention + mlp + norms + input; }
};
PaperLayer paperLayer(const PaperSizes& sizes, const Parallelism& parallelism, PaperRecompute recompute);

/// What the paper counts beside the layers of a stage, in its section 4.3 with sequence parallelism:
///   first stage  the embedding's dropout mask, sbh/t a micro-batch in flight
///   last stage   final norm 2sbh/t, the logits' input 2sbh/t, fp32 logits 4sbv/t; the vocabulary is cut without it too
Bytes paperOutsideLayers(
    const PaperSizes& sizes, const Parallelism& parallelism, bool isFirst, bool isLast, std::int64_t inFlight);

/// One op of a layer on a rank, for the roofline: products in FLOPs, and every op's tensors read and written once.
struct PaperOp {
    const char* name;
    OpClass opClass;
    Flops forward;
    Bytes forwardBytes, backwardBytes; ///< backward's FLOPs are twice forward's
    bool isCore = false;               ///< run again by selective recomputation
};
/// The layer's ops in order; sums of their FLOPs are the paper's 24bsh² + 4bs²h, over t.
std::vector<PaperOp> paperLayerOps(const PaperSizes& sizes, const Parallelism& parallelism);

/// Model FLOPs of a step's micro-batch, the paper's section 5: 72bLsh²(1 + s/6h + v/12hL).
Flops paperModelFlops(const PaperSizes& sizes);
/// Weights by Narayanan et al. 2021, section 2: L(12h² + 13h) + (v + positions)h.
std::int64_t paperParameters(const PaperSizes& sizes);

} // namespace remat
