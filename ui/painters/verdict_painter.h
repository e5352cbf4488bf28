// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QRectF>
#include <QString>
#include <optional>

#include "core/base/units.h"
#include "ui/theme/format.h"

class QPainter;

namespace remat::ui {

class Theme;

/// The answer in one line: does it fit, by how much, at what price, and what would more budget buy.
struct VerdictView {
    enum class Answer {
        None, ///< nothing solved yet
        Fits,
        FitsWithoutRecomputing, ///< the budget holds everything, so nothing is recomputed
        DoesNotFit
    };
    Answer answer = Answer::None;
    Bytes peak; ///< of the plan shown
    Bytes budget;
    Bytes least;            ///< least feasible peak; shown when it does not fit
    double extraTime = 0.0; ///< of the plan over keeping everything, as a ratio
    /// What the device holds beside its driver's context, where the plan meets the budget but not this.
    std::optional<Bytes> deviceLimit;
    Bytes moreBudget;       ///< 0 when more budget buys nothing
    double moreTime = 0.0;  ///< the change of time that moreBudget buys; negative
    quint64 generation = 0; ///< of the result shown; painters ignore it

    bool operator==(const VerdictView&) const = default;
};

/// The line's words, apart from their painting: the accessible text and the tests read them too.
struct VerdictText {
    QString word;    ///< "Fits"
    QString figures; ///< "peak 3.44 GiB of 3.50 GiB"
    QString price;   ///< "+3.4 % time"
    QString more;    ///< "with 0.50 GiB more: -1.9 % time", or empty
    QString sentence() const;
};
VerdictText verdictText(const VerdictView& view, const NumberFormat& format = {});

/// How high the line wants to be.
double verdictHeight(const Theme& theme);

/// The word at the left in green or red, figures after it, what more would buy at the right end.  Where the line is
/// too narrow the right end gives way first, then the price.
void paintVerdict(QPainter& painter, const QRectF& rect, const VerdictView& view, const Theme& theme);

} // namespace remat::ui
