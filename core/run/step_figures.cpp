// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/step_figures.h"

#include "core/base/rates.h"

namespace remat {

namespace {

/// `setup`: TrainingSetup or TorchSetup.
template <class Setup> void addRates(StepFigures& figures, const Setup& setup)
{
    figures.samplesPerSecond = perSecond(setup.batch * setup.microBatches, figures.step);
    figures.tokensPerSecond = figures.samplesPerSecond * static_cast<double>(setup.sequence);
}

template <class T> std::optional<double> number(const std::optional<T>& quantity)
{
    return quantity ? std::optional(static_cast<double>(quantity->value)) : std::nullopt;
}

} // namespace

StepFigures figuresOf(const Plan& plan)
{
    const Prediction& p = plan.prediction;
    StepFigures figures;
    figures.peak = p.peak;
    figures.base = p.base;
    figures.saved = p.saved;
    figures.step = p.stepTime(plan.setup());
    figures.extraTime = plan.extraTime();
    figures.reruns = p.reruns;
    addRates(figures, plan.setup());
    return figures;
}

StepFigures figuresOf(const RegionPlan& plan)
{
    const RegionPrediction& p = plan.prediction;
    StepFigures figures;
    figures.peak = p.peak;
    figures.base = p.base;
    figures.saved = p.saved;
    figures.step = p.stepTime(plan.request.setup.microBatches);
    figures.extraTime = plan.extraTime();
    addRates(figures, plan.request.setup);
    return figures;
}

StepFigures figuresOf(const RunReport& report)
{
    StepFigures figures;
    figures.peak = report.peak.tracked;
    figures.system = report.peak.system;
    figures.base = report.peak.base;
    figures.step = report.time.step;
    figures.reruns = report.reruns.measured;
    addRates(figures, report.setup);
    return figures;
}

std::vector<FigurePair> compareFigures(const StepFigures& a, const StepFigures& b)
{
    using Figure = FigurePair::Figure;
    std::vector<FigurePair> pairs;
    const auto add = [&](Figure figure, std::optional<double> x, std::optional<double> y) {
        if (!x && !y)
            return;
        FigurePair pair{figure, x, y, std::nullopt, std::nullopt};
        if (x && y) {
            pair.difference = *y - *x;
            if (*x != 0 && figure != Figure::ExtraTime)
                pair.share = *pair.difference / *x;
        }
        pairs.push_back(pair);
    };
    add(Figure::Peak, number(std::optional(a.peak)), number(std::optional(b.peak)));
    add(Figure::System, number(a.system), number(b.system));
    add(Figure::Base, number(std::optional(a.base)), number(std::optional(b.base)));
    add(Figure::Saved, number(a.saved), number(b.saved));
    add(Figure::Step, number(std::optional(a.step)), number(std::optional(b.step)));
    add(Figure::ExtraTime, a.extraTime, b.extraTime);
    add(Figure::SamplesPerSecond, a.samplesPerSecond, b.samplesPerSecond);
    add(Figure::TokensPerSecond, a.tokensPerSecond, b.tokensPerSecond);
    const auto count = [](const std::optional<std::int64_t>& reruns) {
        return reruns ? std::optional(static_cast<double>(*reruns)) : std::nullopt;
    };
    add(Figure::Reruns, count(a.reruns), count(b.reruns));
    return pairs;
}

} // namespace remat
