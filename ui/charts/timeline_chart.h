// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "core/base/units.h"
#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_panel.h"

class QAreaSeries;
class QLineSeries;

namespace remat::ui {

/// From `at` until the next sample, `live` bytes are allocated.
struct TimelineSample {
    Nanoseconds at{};
    Bytes live{};
    int op = -1; ///< What TimelineView::opName is asked for; -1 for none.
};

struct TimelinePhase {
    QString name; ///< Translated: forward, loss, backward, optimizer.
    Nanoseconds begin{};
    Nanoseconds end{};
};

struct TimelineSpan {
    Nanoseconds begin{};
    Nanoseconds end{};
};

/// The memory of one training step over its time.  Samples ascend in time.
struct TimelineView {
    std::vector<TimelineSample> predicted;
    std::vector<TimelineSample> measured; ///< Of the last run, its clock stretched to end with the prediction.
    Nanoseconds measuredStep{};           ///< What that run's step really took.
    Nanoseconds end{};                    ///< The last sample holds until here.
    std::optional<Bytes> budget;
    std::vector<TimelinePhase> phases;
    std::optional<TimelineSample> peak;    ///< The instant that decides whether the step fits.
    std::function<QString(int op)> opName; ///< Translated; asked for under the pointer only.
    /// The largest of what is alive at a predicted sample, a line each, and how much more there is; translated.
    std::function<QStringList(int sample)> stackAt;
    std::vector<TimelineSpan> highlighted; ///< When the selected layer works: forward, backward.
};

/// Predicted live bytes over step time (filled), measured ones (thin line), budget (dashes), phases, and the peak as a
/// ring.  Every instant can be named: under the pointer stands what runs and what is alive, a click (or Enter at the
/// cursor of the arrow keys) chooses the instant, Escape or a click on it again leaves it.  Any number of samples: at
/// most 5,000 corner points reach the module.
class TimelineChart : public ChartPanel {
    Q_OBJECT
public:
    explicit TimelineChart(const Theme& theme, QWidget* parent = nullptr);
    void setTimelineView(TimelineView view);
    /// Changes with every selection; cheaper than a whole view.
    void setHighlighted(std::vector<TimelineSpan> spans);
    /// When the layer that is pointed at works.
    void setHovered(std::vector<TimelineSpan> spans);
    /// The predicted sample that is looked at.
    void setInstant(std::optional<int> sample);
    QPointF peakPosition() const; ///< In widget coordinates.

signals:
    /// The peak was chosen; what is alive there follows with instantActivated().
    void peakActivated();
    void instantActivated(std::optional<int> sample);
    /// What runs under the pointer, as TimelineSample::op; -1: nothing.
    void opHovered(int op);

protected:
    ChartFrame makeFrame(const std::optional<std::pair<double, double>>& window) const override;
    void fillSeries() override;
    void colourSeries() override;
    void paintUnderSeries(QPainter& painter) override;
    void paintOverSeries(QPainter& painter) override;
    QString name() const override;
    QString emptyText() const override;
    QString describe() const override;
    void clicked(const QPointF& at) override;
    QStringList readoutAt(const QPointF& at) override;
    Qt::CursorShape cursorAt(const QPointF& at) const override;
    bool keyStep(int direction) override;
    void pointerLeft() override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// The highest sample that a pixel or two at this x show.
    std::optional<int> sampleAt(double x) const;
    void choose(std::optional<int> sample);
    void paintSpans(QPainter& painter, const std::vector<TimelineSpan>& spans, double strength) const;
    bool isOnPeak(const QPointF& at) const;
    void paintOverBudget(QPainter& painter) const;
    void paintPhases(QPainter& painter) const;
    void fill(QLineSeries* series, const std::vector<QPointF>& points) const;

    TimelineView m_view;
    ColumnUnit m_bytes;
    ColumnUnit m_time;
    std::vector<QPointF> m_predictedPoints; ///< In axis units.
    std::vector<QPointF> m_measuredPoints;
    double m_end = 1;
    QLineSeries* m_predicted;
    QLineSeries* m_fillTop;
    QLineSeries* m_measured;
    QAreaSeries* m_fill;
    std::optional<double> m_cursor; ///< Time under the pointer, in axis units.
    std::vector<TimelineSpan> m_hovered;
    std::optional<int> m_instant;
    std::optional<int> m_keySample; ///< where the arrow keys are
};

} // namespace remat::ui
