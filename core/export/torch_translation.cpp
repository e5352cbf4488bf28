// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/torch_translation.h"

#include <algorithm>

#include "core/base/format_units.h"
#include "core/base/index.h"
#include "core/base/text.h"
#include "core/export/layer_regions.h"
#include "core/export/plan_table.h"
#include "core/export/torch_paths.h"
#include "core/model/families.h"
#include "core/model/names.h"
#include "core/plan/strategies_segments.h"

namespace remat {

namespace {

constexpr MessageCode kNoModules{"export-without-modules",
    REMAT_TR("Plans of the profile {0} describe no modules of PyTorch."),
    REMAT_TR("Make the plan with --profile runtime, or export it as csv or markdown.")};
constexpr MessageCode kNoNesting{"export-not-as-regions",
    REMAT_TR("This plan runs layers again in an order that regions of PyTorch cannot make."),
    REMAT_TR("Make a plan with --strategy optimal, chen-sqrt or megatron-uniform-K, and export that.")};
constexpr MessageCode kExactOrder{"export-not-exact",
    REMAT_TR("This plan runs whole layers again, which an exact realization cannot."),
    REMAT_TR("Export it with --realization regions, or make a plan with --strategy optimal.")};

/// Layers that run forward again together, read from the schedule: after the first sweep, backward reaches a layer that
/// runs once, or a run of layers goes forward again and then backward.  Nothing: the order is another one.
std::optional<std::vector<Segment>> segmentsOf(const Plan& plan)
{
    std::vector<ScheduleOp> ops;
    for (const ScheduleOp& op : plan.schedule)
        if (op.kind == ScheduleOp::Kind::Forward || op.kind == ScheduleOp::Kind::Backward)
            ops.push_back(op);
    const int stages = static_cast<int>(plan.keep.size());
    std::size_t next = 0;
    for (int s = 0; s < stages; ++s, ++next)
        if (next >= ops.size() || ops[next].kind != ScheduleOp::Kind::Forward || ops[next].stage != s)
            return std::nullopt;
    std::vector<Segment> segments;
    for (int last = stages - 1; last >= 0;) {
        int first = last;
        if (next < ops.size() && ops[next].kind == ScheduleOp::Kind::Forward) {
            first = ops[next].stage;
            for (int s = first; s <= last; ++s, ++next)
                if (next >= ops.size() || ops[next].kind != ScheduleOp::Kind::Forward || ops[next].stage != s)
                    return std::nullopt;
            segments.push_back({first, last});
        }
        for (; last >= first; --last, ++next)
            if (next >= ops.size() || ops[next].kind != ScheduleOp::Kind::Backward || ops[next].stage != last)
                return std::nullopt;
    }
    const auto isLayer = [&](int s) { return plan.step->tape.stages[at(s)].layer >= 0; };
    if (std::any_of(segments.begin(), segments.end(),
            [&](const Segment& segment) { return !isLayer(segment.first) || !isLayer(segment.last); }))
        return std::nullopt;
    return segments;
}

class Translator {
public:
    Translator(const Plan& plan, TorchRealization::Kind kind)
        : m_plan(plan),
          m_tape(plan.step->tape),
          m_paths(torchPathsOf(plan.shape())),
          m_hasDropout(effectiveDropout(plan.shape(), plan.setup()).residual > 0)
    {
        m_result.realization.kind = kind;
        if (const Family* family = findFamily(plan.shape().modelType))
            m_result.realization.modelClass = std::string(family->modelClass);
        for (std::size_t s = 0; s < plan.keep.size(); ++s)
            m_result.keep.push_back(
                m_tape.stages[s].layer < 0 ? keepAll(m_tape.tapeOf(static_cast<int>(s))) : plan.keep[s]);
    }

    Result<TorchTranslation> run()
    {
        if (m_plan.setup().profile == Profile::Article)
            return Error{&kNoModules, "--to", {std::string(toName(m_plan.setup().profile))}};
        const std::optional<std::vector<Segment>> segments = segmentsOf(m_plan);
        if (!segments)
            return Error{&kNoNesting, "--to", {}};
        if (isExact() && !segments->empty())
            return Error{&kExactOrder, "--realization", {}};
        for (std::size_t s = 0; s < m_tape.stages.size(); ++s)
            if (m_tape.stages[s].layer >= 0)
                m_result.realization.layers.push_back(layerOf(static_cast<int>(s), *segments));
        const Schedule order = m_plan.ownOrder();
        const Result<Plan> replayed = order.empty() ? Result<Plan>(derivePlan(m_tape, m_plan.device, m_result.keep))
                                                    : derivePlan(m_tape, m_plan.device, m_result.keep, order);
        if (!replayed)
            return replayed.error();
        m_result.replayed = replayed->prediction;
        describe();
        return std::move(m_result);
    }

private:
    bool isExact() const { return m_result.realization.kind == TorchRealization::Kind::Exact; }
    const std::string& moduleOf(int stage) const { return m_tape.stages[at(stage)].module; }

    TorchLayer layerOf(int stage, const std::vector<Segment>& segments)
    {
        TorchLayer layer{.path = moduleOf(stage)};
        if (isExact()) {
            layer.keep = exactKeep(stage);
            return layer;
        }
        const auto segment = std::find_if(segments.begin(), segments.end(),
            [&](const Segment& candidate) { return candidate.first <= stage && stage <= candidate.last; });
        if (segment == segments.end())
            layer.regions = regionsOf(stage, true);
        else if (segment->first == segment->last)
            layer.regions = {{.kind = TorchRegion::Kind::Block,
                .paths = {layer.path},
                .stopsEarly = false,
                .inside = regionsOf(stage, false)}};
        else if (segment->first == stage)
            layer.regions = {together(*segment)};
        return layer;
    }

    std::vector<TorchRegion> regionsOf(int stage, bool canSave)
    {
        const StageFacts facts = m_plan.step->factsOf(stage);
        LayerRegions nearest
            = nearestRegions(facts, m_plan.keep[at(stage)], moduleOf(stage), m_paths, m_hasDropout, canSave);
        m_result.keep[at(stage)] = nearest.keep;
        return std::move(nearest.regions);
    }

    TorchRegion together(const Segment& segment)
    {
        TorchRegion region{.kind = TorchRegion::Kind::Blocks, .stopsEarly = false};
        for (int s = segment.first; s <= segment.last; ++s) {
            region.paths.push_back(moduleOf(s));
            for (TorchRegion part : regionsOf(s, false)) {
                part.layer = moduleOf(s);
                region.inside.push_back(std::move(part));
            }
        }
        return region;
    }

    std::vector<std::string> exactKeep(int stage) const
    {
        std::vector<std::string> names;
        const StageTape& tape = m_tape.tapeOf(stage);
        for (const int op : tape.candidates())
            if (keeps(m_plan.keep[at(stage)], op))
                for (std::string& name : torchOpsOf(tape.ops[at(op)], m_paths))
                    names.push_back(std::move(name));
        return names;
    }

    /// "gelu, norm2": what the plan keeps and the translation does not.
    std::string lost(std::size_t stage) const
    {
        const StageTape& tape = m_tape.tapeOf(static_cast<int>(stage));
        std::vector<std::string> names;
        for (const int op : tape.candidates())
            if (keeps(m_plan.keep[stage] & ~m_result.keep[stage], op))
                names.push_back(tape.ops[at(op)].name);
        return joined(names, ", ");
    }

    void describe()
    {
        const TrainingSetup& setup = m_plan.setup();
        std::vector<std::string>& text = m_result.heading;
        text.push_back("What " + m_plan.shape().name + " keeps and recomputes in training: batch "
            + std::to_string(setup.batch) + ", sequence " + std::to_string(setup.sequence) + ", strategy "
            + toName(m_plan.strategy) + ", planned by RematScope for " + m_plan.device.name + ".");
        text.push_back("Use: import this file and call apply(model) on a " + m_result.realization.modelClass
            + " of Hugging Face before it is wrapped or compiled; remove() of what it returns takes it back. "
            + (isExact() ? "Eager mode alone, one backward for each forward."
                         : "Regions that save ops do not trace under torch.compile."));
        text.push_back("The plan (profile runtime): " + verdict(m_plan) + ". Replayed with what this file keeps: peak "
            + formatBytes(m_result.replayed.peak) + ", "
            + formatPercent(shareAbove(
                m_result.replayed.keepAll, m_result.replayed.time, m_result.replayed.optimizer, setup.microBatches))
            + " time.");
        text.push_back("These are figures of RematScope's own executor. PyTorch needs other bytes: it keeps dropout "
                       "masks and more "
                       "tensors of an activation, and "
            + std::string(
                isExact() ? "ops that it has not fused." : "a region brings all that it dropped back at once.")
            + " Measure a step before relying on the budget.");
        describeLayers();
        for (std::size_t s = 0; s < m_tape.stages.size(); ++s)
            if (m_tape.stages[s].layer < 0 && m_plan.keep[s] != m_result.keep[s])
                text.push_back(
                    "The " + m_tape.stages[s].name + " keeps everything here; the plan recomputes some of it.");
    }

    /// Runs of layers that lose the same, a paragraph each.
    void describeLayers()
    {
        std::vector<std::string>& text = m_result.heading;
        bool isSame = true;
        for (std::size_t s = 0; s < m_tape.stages.size();) {
            std::size_t end = s + 1;
            const auto layer = [&](std::size_t stage) { return m_tape.stages[stage].layer; };
            while (end < m_tape.stages.size() && layer(s) >= 0 && layer(end) >= 0 && lost(end) == lost(s))
                ++end;
            if (layer(s) >= 0 && !lost(s).empty()) {
                isSame = false;
                text.push_back(
                    (end - s == 1 ? "Layer " + std::to_string(layer(s))
                                  : "Layers " + std::to_string(layer(s)) + " to " + std::to_string(layer(end - 1)))
                    + " recompute here, beside what the plan does, what no region can keep: " + lost(s) + ".");
            }
            s = end;
        }
        if (isSame)
            text.emplace_back("Every layer keeps here what the plan keeps.");
    }

    const Plan& m_plan;
    const StepTape& m_tape;
    TorchPaths m_paths;
    bool m_hasDropout;
    TorchTranslation m_result;
};

} // namespace

Result<TorchTranslation> translateToTorch(const Plan& plan, TorchRealization::Kind kind)
{
    return Translator(plan, kind).run();
}

} // namespace remat
