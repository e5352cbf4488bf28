// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "core/torch/node.h"

namespace remat::torch {

/// The code of a checkpointed region: positional tensors in, tensors out.  What it captures by value lives as long as
/// the region, like keyword arguments of a checkpointed Python function.
using RegionFunction = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

/// Which ops of a region are saved by policy: true for an op of a module.  Empty: none.
using SavePolicy = std::function<bool(int module, OpCode op)>;

struct RegionOptions {
    bool stopsEarly = true; ///< torch.utils.checkpoint(early_stop=...)
    bool isReentrant = false;
    SavePolicy saves;
};

/// One call of torch.utils.checkpoint.checkpoint(use_reentrant=False), as torch/utils/checkpoint.py has it.
///
/// Forward: every tensor that a node inside wants to save becomes a numbered slot; only the arguments (and outputs
/// saved by policy) stay.  The first slot that a backward asks for runs the function again, with slots filled in the
/// same order; with early stop the run ends at the last slot, before the kernel of an op that saves only its inputs.  A
/// slot is emptied when it is unpacked, and dropped when its node is released; with the last one the region goes, and
/// with it arguments and cached outputs.
struct Region {
    struct Slot {
        Tensor tensor;
        bool isWanted = true;
    };

    Machine* machine = nullptr;
    int references = 0;
    RegionFunction function;
    RegionOptions options;
    std::vector<Saved> arguments;
    std::vector<Slot> entries; ///< the numbered slots
    std::size_t packed = 0;    ///< slots seen by the recomputation
    bool isRecomputed = false;
    std::optional<DType> autocast;
    std::deque<Tensor> cached; ///< outputs of ops saved by policy

    void lastReferenceDropped();
    void recompute();
};

/// The saved-tensor hooks of the regions that are running.
class RegionStack {
public:
    explicit RegionStack(Machine& machine) : m_machine(machine) { }

    Saved pack(const Tensor& tensor);
    Tensor unpack(Saved& saved);
    /// In a recomputation: the cached output of an op that the policy saved; undefined where the op must run.
    Tensor takeCached(OpCode op);
    /// In a forward: keeps the output if the policy says so.
    void offer(OpCode op, const Tensor& output);

private:
    friend struct Region;
    friend std::vector<Tensor> checkpoint(Machine&, RegionFunction, const std::vector<Tensor>&, const RegionOptions&);

    struct Hook {
        Region* region;
        bool isRecomputation;
    };

    Machine& m_machine;
    std::vector<Hook> m_hooks;
    Pool<Region> m_regions;
};

/// torch.utils.checkpoint.checkpoint(function, *arguments).
std::vector<Tensor> checkpoint(
    Machine& machine, RegionFunction function, const std::vector<Tensor>& arguments, const RegionOptions& options);

} // namespace remat::torch
