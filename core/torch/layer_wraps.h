// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/model/model_shape.h"

namespace remat::torch {

/// What torch.utils.checkpoint can wrap in a layer (transformers 5.24), by path inside the layer: what core/regions
/// offers, the simulated step replays and core/export writes.  Empty where a model has no such thing.
struct LayerWraps {
    std::string attention; ///< "self_attn"; T5's holds norm and sum too
    /// The module that calls the attention function of Hugging Face's interface; Falcon, BLOOM and GPT-Neo call none.
    std::string core;
    std::string ffn;                    ///< "mlp"; BERT has a method instead, ":feed_forward_chunk", OPT neither
    std::string norm1, norm2;           ///< that stand before attention and FFN, which alone read them
    std::string attentionTail, ffnTail; ///< dropouts that end attention and FFN (core/torch/dialect.h)
    bool hasTensorBlocks = true;        ///< a layer returns one tensor, so that several can be one region
};

/// Of the layers of the first stack, or of the decoder behind it.
LayerWraps layerWrapsOf(const ModelShape& shape, bool isDecoder = false);

/// Layers of both stacks: a setup's regions are one entry for each, the decoder's behind the encoder's.
inline std::size_t layerCount(const ModelShape& shape)
{
    return static_cast<std::size_t>(shape.layers + shape.decoderLayers);
}
/// The path of one of them: "model.layers.3", "decoder.block.0".
std::string layerPath(const ModelShape& shape, std::size_t layer);

} // namespace remat::torch
