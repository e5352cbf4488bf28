// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <vector>

#include "core/base/units.h"
#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_panel.h"

class QLineSeries;

namespace remat::ui {

/// A plan's two prices.
struct TradeoffPoint {
    Bytes peak{};
    double extraTime = 0; ///< Over keeping everything, as a part of that time: 0.034 = +3.4 %.
};

struct RivalPoint {
    QString key;  ///< Returned by rivalActivated.
    QString name; ///< Translated.
    TradeoffPoint point;
    bool fits = true; ///< Within the budget.
};

struct TradeoffView {
    std::vector<TradeoffPoint> frontier; ///< Ascending peaks, falling extra time.
    std::vector<RivalPoint> rivals;
    std::optional<TradeoffPoint> plan;
    std::optional<Bytes> budget;
};

/// Least extra time for every budget as a step curve, the rival strategies as labelled markers, this plan and the
/// budget.
///
/// Press on the curve or on the budget's line and drag: budgetRequested while moving, with isLast at the end.  Drag
/// anywhere else: zoom x; double click or 0: all.  Left and right: the next frontier point.  Labels are placed by us
/// (the module's overlap); one that finds no free place is left to the readout.
class TradeoffChart : public ChartPanel {
    Q_OBJECT
public:
    explicit TradeoffChart(const Theme& theme, QWidget* parent = nullptr);
    void setTradeoffView(TradeoffView view);
    /// The budget alone moves while it is dragged; fits of the rivals follow with the next view.
    void setBudget(std::optional<Bytes> budget);
    /// The rival that is pointed at elsewhere: a ring round its marker, its label in the text colour.
    void setPointedRival(const QString& key);

    /// The label boxes now shown, this plan's last when there is one; for tests.
    std::vector<QRectF> labelBoxes() const;

signals:
    void budgetRequested(remat::Bytes budget, bool isLast);
    void rivalActivated(const QString& key);
    /// Empty: none.
    void rivalHovered(const QString& key);
    /// The peak of the frontier's plan under the pointer.
    void planHovered(std::optional<remat::Bytes> peak);

protected:
    ChartFrame makeFrame(const std::optional<std::pair<double, double>>& window) const override;
    void fillSeries() override;
    void colourSeries() override;
    void paintOverSeries(QPainter& painter) override;
    QString name() const override;
    QString emptyText() const override;
    QString describe() const override;
    bool takesPress(const QPointF& at) override;
    void dragTo(const QPointF& at, bool isLast) override;
    void clicked(const QPointF& at) override;
    QStringList readoutAt(const QPointF& at) override;
    Qt::CursorShape cursorAt(const QPointF& at) const override;
    bool keyStep(int direction) override;
    void pointerLeft() override;

private:
    struct Label {
        QString text;
        QPointF anchor;
        std::optional<QRectF> box;
        bool isPlan = false;
        QString key = {}; ///< of a rival
    };

    QPointF toWidget(const TradeoffPoint& point) const;
    double extraAt(double budget) const;
    bool isOnCurve(const QPointF& at) const;
    std::optional<std::size_t> rivalAt(const QPointF& at) const;
    std::vector<QRectF> curveObstacles() const;
    void placeMarkerLabels();
    void paintMarkers(QPainter& painter) const;
    void paintBudget(QPainter& painter) const;

    TradeoffView m_view;
    ColumnUnit m_bytes;
    double m_least = 0; ///< Range of all peaks, in axis units.
    double m_most = 1;
    double m_highest = 1;         ///< Per cent.
    std::vector<QPointF> m_curve; ///< Axis units and per cent.
    std::vector<Label> m_labels;
    QString m_pointedRival;
    QLineSeries* m_series;
};

} // namespace remat::ui
