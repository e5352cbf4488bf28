// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/why_views.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/base/index.h"
#include "ui/theme/format.h"

namespace remat::ui {

namespace {

/// The context of this file's texts, where lupdate sees it.
struct WhyText {
    Q_DECLARE_TR_FUNCTIONS(WhyText)
};

constexpr std::size_t kMostFlips = 4; ///< that a sentence can bear

/// Runs of neighbouring numbers: "3, 5–7".
QString runsText(const std::vector<int>& numbers)
{
    QStringList runs;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i;
        while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1)
            ++end;
        runs << (end == i ? QString::number(numbers[i])
                          : QStringLiteral("%1\u2013%2").arg(numbers[i]).arg(numbers[end]));
        i = end + 1;
    }
    return runs.join(QStringLiteral(", "));
}

QString moveText(const ExplorerState& state, const BudgetMove& move)
{
    const Plan& plan = state.answer()->shown->plan;
    QString text = moveSentence(move.peak, move.extraTime, plan.extraTime());
    if (const QString flips = flipsText(plan.step->tape, move.flips); !flips.isEmpty())
        text += u' ' + WhyText::tr("The plan would then %1.").arg(flips);
    return text;
}

} // namespace

QString moveSentence(Bytes peak, double thenExtra, double nowExtra)
{
    const NumberFormat format;
    const QString then = format.percent(thenExtra), now = format.percent(nowExtra);
    if (then != now)
        return WhyText::tr("With %1 the step takes %2 instead of %3.").arg(format.bytes(peak), then, now);
    const QString apart = format.percent(std::abs(thenExtra - nowExtra)).mid(1);
    return apart == format.percent(0).mid(1)
        ? WhyText::tr("With %1 the step takes as long: %2.").arg(format.bytes(peak), now)
        : (thenExtra < nowExtra ? WhyText::tr("With %1 the step takes %2 less.")
                                : WhyText::tr("With %1 the step takes %2 more."))
              .arg(format.bytes(peak), apart);
}

QString layersText(const std::vector<int>& layers, std::size_t layerCount)
{
    return layers.size() == 1         ? WhyText::tr("layer %1").arg(layers.front())
        : layers.size() == layerCount ? WhyText::tr("all layers")
                                      : WhyText::tr("layers %1").arg(runsText(layers));
}

QString stagesText(const StepTape& tape, const std::vector<int>& stages)
{
    std::vector<int> layers;
    QStringList parts;
    for (const int stage : stages) {
        const int layer = tape.stages[at(stage)].layer;
        if (layer >= 0)
            layers.push_back(layer);
        else
            parts << (stage == 0 ? WhyText::tr("the embedding") : WhyText::tr("the head"));
    }
    if (!layers.empty())
        parts.prepend(layersText(layers, static_cast<std::size_t>(tape.shape.layers)));
    return parts.join(QStringLiteral(", "));
}

QString flipsText(const StepTape& tape, std::span<const OpFlip> flips)
{
    QStringList parts;
    for (const OpFlip& flip : flips.first(std::min(flips.size(), kMostFlips)))
        parts << (flip.isKeptBySecond ? WhyText::tr("keep %1 in %2") : WhyText::tr("recompute %1 in %2"))
                     .arg(QString::fromStdString(flip.op), stagesText(tape, flip.stages));
    if (flips.size() > kMostFlips)
        parts << WhyText::tr("change %n more", nullptr, static_cast<int>(flips.size() - kMostFlips));
    return parts.join(QStringLiteral("; "));
}

QString peakPartTitle(PeakPart::Kind kind)
{
    switch (kind) {
    case PeakPart::Kind::Base:
        return WhyText::tr("resident throughout");
    case PeakPart::Kind::Boundaries:
        return WhyText::tr("outputs of layers");
    case PeakPart::Kind::Interiors:
        return WhyText::tr("kept inside layers");
    case PeakPart::Kind::Gradient:
        return WhyText::tr("gradient between layers");
    case PeakPart::Kind::WeightGradients:
        return WhyText::tr("weight gradients so far");
    case PeakPart::Kind::Work:
        return WhyText::tr("working memory of this op");
    }
    return {};
}

QString peakTable(const ExplorerState& state)
{
    const Answer& answer = *state.answer();
    const Plan& plan = answer.shown->plan;
    const NumberFormat format;
    QString rows;
    const auto add = [&](const QString& name, const QString& figure, bool isStrong) {
        const QString open = isStrong ? QStringLiteral("<b>") : QString(),
                      close = isStrong ? QStringLiteral("</b>") : QString();
        rows += QStringLiteral(
            "<tr><td>%1%2%3</td><td align=right style='padding-left:10px; white-space:pre'>%1%4%3</td></tr>")
                    .arg(open, name.toHtmlEscaped(), close, figure.toHtmlEscaped());
    };
    for (const PeakPart& part : peakParts(plan.step->chain, plan.schedule))
        if (part.bytes != Bytes{})
            add(peakPartTitle(part.kind), format.bytes(part.bytes), false);
    add(WhyText::tr("peak"), format.bytes(plan.prediction.peak), true);
    const Bytes slack = answer.question.budget - plan.prediction.peak;
    add(slack.value >= 0 ? WhyText::tr("slack below the budget") : WhyText::tr("over the budget"),
        format.bytes(slack.value >= 0 ? slack : -slack), false);
    return QStringLiteral("<table width=100% cellspacing=0>%1</table>").arg(rows);
}

QString moreBudgetText(const ExplorerState& state)
{
    const std::optional<BudgetMove>& move = state.answer()->moves.more;
    return move ? moveText(state, *move) : QString();
}

QString lessBudgetText(const ExplorerState& state)
{
    const std::optional<BudgetMove>& move = state.answer()->moves.less;
    return move ? moveText(state, *move) : QString();
}

} // namespace remat::ui
