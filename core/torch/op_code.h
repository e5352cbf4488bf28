// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace remat::torch {

/// The ATen ops that make new storages, by the name that PyTorch's dispatcher gives them.  Ops that only look at a
/// storage in another way (view, transpose, expand, ...) cost nothing and have no code.
#define REMAT_TORCH_OPS(X)                                                                                             \
    X(Parameter, "parameter")                                                                                          \
    X(Buffer, "buffer")                                                                                                \
    X(Input, "input")                                                                                                  \
    X(Arange, "arange")                                                                                                \
    X(Ones, "ones")                                                                                                    \
    X(OnesLike, "ones_like")                                                                                           \
    X(Zeros, "zeros")                                                                                                  \
    X(ScalarTensor, "scalar_tensor")                                                                                   \
    X(Tril, "tril")                                                                                                    \
    X(Compare, "le")                                                                                                   \
    X(BitwiseAnd, "bitwise_and")                                                                                       \
    X(LogicalNot, "logical_not")                                                                                       \
    X(Where, "where")                                                                                                  \
    X(MaskedFill, "masked_fill")                                                                                       \
    X(Clone, "clone")                                                                                                  \
    X(ToCopy, "_to_copy")                                                                                              \
    X(Cat, "cat")                                                                                                      \
    X(Pad, "constant_pad_nd")                                                                                          \
    X(SliceBackward, "slice_backward")                                                                                 \
    X(SelectBackward, "select_backward")                                                                               \
    X(Add, "add")                                                                                                      \
    X(AddInPlace, "engine add_")                                                                                       \
    X(Sub, "sub")                                                                                                      \
    X(RSub, "rsub")                                                                                                    \
    X(Mul, "mul")                                                                                                      \
    X(Div, "div")                                                                                                      \
    X(Neg, "neg")                                                                                                      \
    X(Pow, "pow")                                                                                                      \
    X(Rsqrt, "rsqrt")                                                                                                  \
    X(Abs, "abs")                                                                                                      \
    X(Log, "log")                                                                                                      \
    X(Minimum, "minimum")                                                                                              \
    X(Cos, "cos")                                                                                                      \
    X(Sin, "sin")                                                                                                      \
    X(CumSum, "cumsum")                                                                                                \
    X(Stack, "stack")                                                                                                  \
    X(Mean, "mean")                                                                                                    \
    X(Sum, "sum")                                                                                                      \
    X(Gather, "gather")                                                                                                \
    X(Index, "index")                                                                                                  \
    X(IndexPut, "index_put")                                                                                           \
    X(Topk, "topk")                                                                                                    \
    X(Scatter, "scatter")                                                                                              \
    X(Sort, "sort")                                                                                                    \
    X(Histc, "histc")                                                                                                  \
    X(Embedding, "embedding")                                                                                          \
    X(EmbeddingBackward, "embedding_dense_backward")                                                                   \
    X(Mm, "mm")                                                                                                        \
    X(Addmm, "addmm")                                                                                                  \
    X(Bmm, "bmm")                                                                                                      \
    X(Baddbmm, "baddbmm")                                                                                              \
    X(GroupedMm, "_grouped_mm")                                                                                        \
    X(Convolution, "convolution")                                                                                      \
    X(ConvolutionBackward, "convolution_backward")                                                                     \
    X(LayerNorm, "native_layer_norm")                                                                                  \
    X(LayerNormBackward, "native_layer_norm_backward")                                                                 \
    X(Softmax, "_softmax")                                                                                             \
    X(SafeSoftmax, "_safe_softmax")                                                                                    \
    X(SoftmaxBackward, "_softmax_backward_data")                                                                       \
    X(LogSoftmax, "_log_softmax")                                                                                      \
    X(LogSoftmaxBackward, "_log_softmax_backward_data")                                                                \
    X(NllLoss, "nll_loss_forward")                                                                                     \
    X(NllLossBackward, "nll_loss_backward")                                                                            \
    X(Dropout, "native_dropout")                                                                                       \
    X(DropoutBackward, "native_dropout_backward")                                                                      \
    X(Gelu, "gelu")                                                                                                    \
    X(GeluBackward, "gelu_backward")                                                                                   \
    X(Silu, "silu")                                                                                                    \
    X(SiluBackward, "silu_backward")                                                                                   \
    X(Relu, "relu")                                                                                                    \
    X(ThresholdBackward, "threshold_backward")                                                                         \
    X(Tanh, "tanh")                                                                                                    \
    X(TanhBackward, "tanh_backward")                                                                                   \
    X(Sigmoid, "sigmoid")                                                                                              \
    X(SigmoidBackward, "sigmoid_backward")                                                                             \
    X(FlashAttention, "_scaled_dot_product_flash_attention")                                                           \
    X(FlashAttentionBackward, "_scaled_dot_product_flash_attention_backward")                                          \
    X(EfficientAttention, "_scaled_dot_product_efficient_attention")                                                   \
    X(EfficientAttentionBackward, "_scaled_dot_product_efficient_attention_backward")                                  \
    X(OptimizerStep, "optimizer step")

enum class OpCode : std::uint8_t {
#define REMAT_TORCH_CODE(code, name) code,
    REMAT_TORCH_OPS(REMAT_TORCH_CODE)
#undef REMAT_TORCH_CODE
};

std::string_view nameOf(OpCode code);

} // namespace remat::torch
