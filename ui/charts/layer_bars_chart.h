// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "core/base/units.h"
#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_panel.h"

class QStackedBarSeries;

namespace remat::ui {

/// What one layer keeps for its backward, by sublayer.
struct LayerBar {
    Bytes attention{};
    Bytes ffn{};
    Bytes norm{};
    Bytes residual{};
    std::optional<Nanoseconds> predicted, measured; ///< forward, what is made again, and backward, in the last run

    Bytes total() const { return attention + ffn + norm + residual; }
};

struct LayerBarsView {
    std::vector<LayerBar> layers;
    std::optional<int> selected;
};

/// Kept bytes of every layer as stacked bars in the four sublayer tints.  A click or an arrow key selects a layer.
///
/// Bars stand at whole numbers of a value axis: Qt's category axis elides its labels to "..." and needs unique names.
/// Above kMostBars layers neighbours are shown as one bar with their mean, and the axis says so.
class LayerBarsChart : public ChartPanel {
    Q_OBJECT
public:
    static constexpr int kMostBars = 256;

    explicit LayerBarsChart(const Theme& theme, QWidget* parent = nullptr);
    void setLayerBarsView(LayerBarsView view);
    void setSelected(std::optional<int> layer);
    /// The layer that is pointed at elsewhere.
    void setHovered(std::optional<int> layer);
    /// The column of a layer in widget coordinates, over the plot's whole height.
    QRectF columnRect(int layer) const;

signals:
    void layerSelected(int layer);
    void layerHovered(std::optional<int> layer);

protected:
    ChartFrame makeFrame(const std::optional<std::pair<double, double>>& window) const override;
    void fillSeries() override;
    void colourSeries() override;
    bool isSmooth() const override;
    void paintOverSeries(QPainter& painter) override;
    QString name() const override;
    QString emptyText() const override;
    QString describe() const override;
    void clicked(const QPointF& at) override;
    QStringList readoutAt(const QPointF& at) override;
    Qt::CursorShape cursorAt(const QPointF& at) const override;
    bool keyStep(int direction) override;
    void pointerLeft() override;

private:
    static constexpr std::size_t kSets = 4;

    int layerCount() const { return static_cast<int>(m_view.layers.size()); }
    int barCount() const { return static_cast<int>(m_bars.size()); }
    double barShare() const;
    std::optional<int> layerAt(const QPointF& at) const;
    std::vector<AxisTick> layerTicks() const;
    QRectF barRect(int bar) const;

    LayerBarsView m_view;
    std::optional<int> m_hovered;
    int m_layersPerBar = 1;
    ColumnUnit m_bytes;
    std::vector<std::array<double, kSets>> m_bars; ///< In axis units, from the bottom up.
    QStackedBarSeries* m_series;
};

} // namespace remat::ui
