// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace remat {

class JsonCursor;

/// One call that torch.utils.checkpoint runs again in the backward.
///
///   block      a layer's forward
///   attention  an attention module's forward, optionally with the norm before it (`norm`) and without the dropout that
///   ffn        ends it (`tail`); "layer:method" names another method of a module (BERT's feed_forward_chunk)
///   core       softmax(Q K^T) V, the attention function that an attention module calls
///   blocks     k consecutive layers together
///
/// Everything outside regions is kept as autograd keeps it.
struct TorchRegion {
    enum class Kind { Block, Attention, Ffn, Core, Blocks };
    Kind kind = Kind::Block;
    std::vector<std::string> paths; ///< full module paths: one, or those of k layers in their order
    std::string norm, tail;         ///< full module paths; empty: none
    std::vector<std::string>
        save;                 ///< Linear layers, by path inside the layer, and "sdpa"; only where nothing is nested
    bool stopsEarly = true;   ///< false: to the region's end, also where nobody needs that
    bool isReentrant = false; ///< the older kind of checkpoint; not with `save`
    std::string layer;        ///< of a part of several blocks: the layer that it is in
    std::vector<TorchRegion> inside; ///< regions within this one

    bool operator==(const TorchRegion&) const = default;
};

/// What one layer does in PyTorch.
struct TorchLayer {
    std::string path;                 ///< "transformer.h.3"
    std::vector<TorchRegion> regions; ///< of kind Regions; a region of several blocks stands at its first
    /// Of kind Exact: ops whose outputs stay from forward to backward, "module/op" or "module/op#n" for the n-th such
    /// op of the layer, the module's path inside the layer, * as in file names; "sdpa" is the fused attention.
    /// Everything else that the backward reads runs again.
    std::vector<std::string> keep;

    bool operator==(const TorchLayer&) const = default;
};

/// A plan as PyTorch can carry it out: what `remat export --to pytorch` writes and resources/export/*.py apply.
///
/// A plan of the pytorch profile is such a thing by itself, and its prediction is of it; a plan of the runtime profile
/// is translated (core/export/runtime_regions.h).
struct TorchRealization {
    enum class Kind { Regions, Exact };
    Kind kind = Kind::Regions;
    std::string modelClass; ///< "GPT2LMHeadModel"
    std::vector<TorchLayer> layers;

    bool operator==(const TorchRealization&) const = default;
};

/// "regions", "exact": the plan file's `realization`.
const char* toName(TorchRealization::Kind kind);

/// The object `remat-torch` (docs/file-formats.md).
nlohmann::json toJson(const TorchRealization& realization);
/// Errors: other format, missing or mistyped keys, an unknown kind, a region without a path, saving inside or around
/// another region or in one that cannot.
TorchRealization readTorchRealization(const JsonCursor& object);

} // namespace remat
