// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/model/model_shape.h"
#include "core/torch/modules.h"
#include "core/torch/torch_setup.h"

namespace remat::torch {

/// The modules of one attention: self attention, or a decoder's look at the encoder.
struct AttentionModules {
    int module = 0;          ///< what a region "attention" wraps
    int core = 0;            ///< where scores are made; BERT has a module of its own for it
    int outputModule = 0;    ///< BERT: dense, dropout and norm after it
    std::vector<Linear> qkv; ///< one fused, or three
    Norm queryNorm, keyNorm;
    Linear out;
    Tensor biasTable; ///< T5: the learned bias by distance, in a stack's first layer
    int biasModule = 0;
    bool isCausal = false;
    bool isCross = false; ///< keys and values come from the encoder
};

/// The modules of one layer.
struct LayerModules {
    int module = 0;
    int ffnModule = 0;
    int ffnOutputModule = 0;
    std::int64_t index = 0;
    AttentionModules self, cross;
    Norm norm1, norm2, norm3, norm4; ///< in the order of use; cross attention's is norm3 in a T5 decoder
    Linear gate, up, down;
    bool isDecoder = false;              ///< of two stacks
    int selfModule = 0, crossModule = 0; ///< T5: attention with its norm and residual sum
    Linear router;
    Tensor expertsUp, expertsDown; ///< (experts, out, in) of all
    int expertsModule = 0, expertsActivationModule = 0;
};

/// Tensors that every layer of a stack reads.
struct SharedTensors {
    Tensor positionIds, mask, cosine, sine, alibi;
};

/// What a T5 layer hands to the next besides its output.
struct PositionBiases {
    Tensor own, cross;
};

/// A Hugging Face model as transformers 5.24 writes it, on the symbolic machine: the constructor makes parameters and
/// buffers, forward() runs the modelling code op by op.  Features come from ModelShape, ways of writing from Dialect.
class Transformer {
public:
    Transformer(Machine& machine, const ModelShape& shape, const TorchSetup& setup);

    struct Inputs {
        Tensor ids, labels; ///< ids: pixels of an image model
    };
    struct Output {
        Tensor loss; ///< undefined where logits are to be summed
        Tensor logits;
        std::vector<Tensor> cache; ///< what else the output holds: keys and values, the encoder's output
    };
    Inputs makeInputs();
    Output forward(const Inputs& inputs);

    /// "flash", or "efficient+flash" where layers differ; empty without SDPA.
    std::string usedBackends() const;
    std::int64_t parameters() const { return m_parameters; }
    const std::vector<Tensor>& allParameters() const { return m_allParameters; }

private:
    // transformer_modules.cpp: construction
    int path(const std::string& name) { return m_machine.module(name); }
    Tensor parameter(const Dims& sizes);
    Linear makeLinear(const std::string& name, std::int64_t in, std::int64_t out, bool hasBias, bool isInOut = false);
    Norm makeNorm(const std::string& name, std::int64_t width);
    AttentionModules makeAttention(const std::string& layer, const char* const* names, bool isCausal);
    LayerModules makeLayer(std::int64_t index);
    void makeBuffers();

    // transformer_masks.cpp: what is made once for all layers
    Tensor positionIds();
    Tensor causalMask(bool hasWindow);
    Tensor attentionMask(bool hasWindow);
    void makeRotaryTables(SharedTensors& shared, int table);

    // transformer_attention.cpp
    struct Attended {
        Tensor output, weights;
    };
    struct Heads {
        Tensor query, key, value;
        std::vector<Tensor> held; ///< other names of the function, which live as long as it runs
    };
    Attended attend(const LayerModules& layer, const Tensor& hidden, const SharedTensors& shared, bool hasDropout);
    Heads project(const AttentionModules& modules, const Tensor& hidden);
    void turn(Heads& heads, const SharedTensors& shared);
    Attended interface(const AttentionModules& modules, const Heads& heads, const Tensor& mask, const Tensor& bias);
    void updateCache(Tensor& key, Tensor& value);
    Attended eager(const Heads& heads, const Tensor& mask, const Tensor& bias);
    Attended sdpa(const AttentionModules& modules, const Heads& heads, const Tensor& mask, const Tensor& bias);

    // transformer_own_attention.cpp: types that do not use the attention interface
    Attended attendGptNeo(const AttentionModules& modules, const Tensor& hidden, const SharedTensors& shared,
        const Tensor& triangle, bool hasDropout);
    Attended attendBloom(
        const AttentionModules& modules, const Tensor& hidden, const Tensor& residual, const SharedTensors& shared);
    std::vector<Tensor> bloomLayer(const LayerModules& layer, const Tensor& input, const SharedTensors& shared);
    Tensor alibiTensor(std::vector<Tensor>& held);

    // transformer_falcon.cpp
    Heads splitFalcon(const Tensor& fused);
    Attended attendFalcon(const AttentionModules& modules, const Tensor& hidden, const SharedTensors& shared);
    std::vector<Tensor> falconLayer(const LayerModules& layer, const Tensor& input, const SharedTensors& shared);
    Tensor falconAlibiMask(const Tensor& causal, const Tensor& alibi);

    // transformer_layer.cpp
    std::vector<Tensor> runLayer(const LayerModules& layer, const Tensor& input, const SharedTensors& shared);
    std::vector<Tensor> layerForward(const LayerModules& layer, const Tensor& input, const SharedTensors& shared);
    Attended attentionModule(
        const LayerModules& layer, const Tensor& hidden, const SharedTensors& shared, const Norm* norm = nullptr);
    Tensor ffnModule(const LayerModules& layer, Tensor hidden, const Norm* norm = nullptr);
    Tensor ffn(const LayerModules& layer, Tensor hidden, bool hasDropout);
    Tensor runLayers(Tensor hidden, const SharedTensors& shared, const SharedTensors& windowed);
    Tensor postNormLayer(const LayerModules& layer, const Tensor& input, const SharedTensors& shared);
    Tensor parallelLayer(const LayerModules& layer, const Tensor& input, const SharedTensors& shared);
    std::vector<Tensor> serialLayer(const LayerModules& layer, const Tensor& input, const SharedTensors& shared);
    double branchDropout() const;
    const LayerRegions* regionsOf(const LayerModules& layer) const;
    RegionOptions regionOptions(const LayerRegions& regions) const;

    // transformer_experts.cpp: several FFNs, of which each token takes some
    Chosen route(const LayerModules& layer, const Tensor& rows, Tensor& scores);
    Tensor groupedExperts(const LayerModules& layer, const Tensor& rows, const Chosen& chosen);
    Tensor expertsFfn(const LayerModules& layer, const Tensor& hidden);

    // transformer_two_stacks.cpp: encoder and decoder (T5)
    void makeStacks();
    LayerModules makeStackLayer(const std::string& stack, std::int64_t index, bool isDecoder);
    Tensor runStack(const Tensor& ids, const Tensor& encoderOutput);
    std::vector<Tensor> stackLayer(const LayerModules& layer, const std::vector<Tensor>& arguments, const Tensor& mask);
    std::vector<Tensor> stackAttention(const LayerModules& layer, const AttentionModules& modules, int module,
        const Norm& norm, const Tensor& hidden, const Tensor& keyValues, const Tensor& mask, const Tensor& bias);
    std::vector<Tensor> biasedAttention(const AttentionModules& modules, const Tensor& hidden, const Tensor& keyValues,
        const Tensor& mask, const Tensor& bias);
    Tensor distanceBias(const AttentionModules& modules, std::int64_t queries, std::int64_t keys);
    Tensor stackFfn(const LayerModules& layer, const Tensor& hidden);
    Output forwardTwoStacks(const Inputs& inputs);

    // transformer.cpp
    struct Embedded;
    Embedded embedMasked(const Tensor& ids);
    Embedded embedCausal(const Tensor& ids, SharedTensors& shared, SharedTensors& windowed);
    Embedded embedImage(const Tensor& pixels);
    Tensor paddedPositions(const Tensor& ids);
    Tensor countedPositions(std::vector<Tensor>& held);
    bool hasTwoKindsOfLayers() const;
    Tensor baseModel(const Inputs& inputs);
    Tensor head(const Tensor& hidden);
    Tensor lossOf(const Tensor& logits, const Tensor& labels);

    Machine& m_machine;
    const ModelShape& m_shape;
    const TorchSetup& m_setup;
    Dialect m_dialect;
    DType m_type; ///< of the parameters
    std::int64_t m_parameters = 0;
    std::vector<Tensor> m_allParameters; ///< that the model reads
    Tensor m_unusedBias;
    std::set<SdpaBackend> m_backends; ///< of the layers that ran

    int m_baseModule = 0, m_embeddingModule = 0, m_rotaryModule = 0, m_lossModule = 0;
    Tensor m_tokenTable, m_positionTable, m_typeTable, m_classToken, m_extraToken;
    Linear m_patches, m_embeddingIn, m_embeddingOut;
    Norm m_embeddingNorm, m_finalNorm, m_decoderNorm, m_headNorm;
    Linear m_headDense, m_logits;
    int m_tokenModule = 0, m_positionModule = 0, m_typeModule = 0;
    std::vector<Tensor> m_buffers;
    std::vector<LayerModules> m_layers;
    std::vector<Tensor> m_cache; ///< of the forward that runs
};

} // namespace remat::torch
