// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/layer_bars_chart.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <QBarSet>
#include <QChart>
#include <QPainter>
#include <QStackedBarSeries>
#include <QValueAxis>

namespace remat::ui {

namespace {

constexpr std::array<Role, 4> kTints{Role::Keep, Role::Keep2, Role::Keep3, Role::Keep4};
constexpr double kWidestBar = 120;
constexpr double kLeastSmoothBar = 8;
constexpr int kMostGappedBars = 48;
constexpr double kHeadroom = 1.06;

std::array<Bytes, 4> partsOf(const LayerBar& bar)
{
    return {bar.attention, bar.ffn, bar.norm, bar.residual};
}

/// Then an axis would have no scale.
bool keepNothing(std::span<const LayerBar> layers)
{
    return std::all_of(layers.begin(), layers.end(), [](const LayerBar& layer) { return layer.total() == Bytes{}; });
}

/// The label rule that the grid has too: all to 14, every 4th to 40, every 8th to 64, every 16th above.
int labelDistance(int layers)
{
    return layers <= 14 ? 1 : layers <= 40 ? 4 : layers <= 64 ? 8 : 16 * ((layers + 255) / 256);
}

} // namespace

LayerBarsChart::LayerBarsChart(const Theme& startTheme, QWidget* parent)
    : ChartPanel(startTheme, parent),
      m_series(new QStackedBarSeries(this))
{
    chart().addSeries(m_series);
    m_series->attachAxis(&xAxis());
    m_series->attachAxis(&yAxis());
    rebuild();
}

void LayerBarsChart::setLayerBarsView(LayerBarsView view)
{
    m_view = std::move(view);
    m_layersPerBar = std::max(1, (layerCount() + kMostBars - 1) / kMostBars);
    Bytes largest{};
    for (const LayerBar& layer : m_view.layers)
        largest = std::max(largest, layer.total());
    m_bytes = columnUnit(largest);

    m_bars.assign(static_cast<std::size_t>((layerCount() + m_layersPerBar - 1) / m_layersPerBar), {});
    for (int bar = 0; bar < barCount(); ++bar) {
        const int first = bar * m_layersPerBar;
        const int count = std::min(m_layersPerBar, layerCount() - first);
        for (int layer = first; layer < first + count; ++layer) {
            const std::array<Bytes, kSets> parts = partsOf(m_view.layers[static_cast<std::size_t>(layer)]);
            for (std::size_t set = 0; set < kSets; ++set)
                m_bars[static_cast<std::size_t>(bar)][set] += inUnits(parts[set], m_bytes) / count;
        }
    }
    setHasData(!keepNothing(m_view.layers));
    rebuild();
}

void LayerBarsChart::setSelected(std::optional<int> layer)
{
    if (m_view.selected == layer)
        return;
    m_view.selected = layer;
    rebuild();
}

double LayerBarsChart::barShare() const
{
    const double slot = frameLayout().plot.width() / std::max(1, barCount());
    const double wished = barCount() > kMostGappedBars ? 1.0 : 0.86;
    return slot > 0 ? std::min(wished, theme().px(kWidestBar) / slot) : wished;
}

bool LayerBarsChart::isSmooth() const
{
    return frameLayout().plot.width() / std::max(1, barCount()) >= kLeastSmoothBar;
}

std::vector<AxisTick> LayerBarsChart::layerTicks() const
{
    std::vector<AxisTick> ticks;
    const int distance = labelDistance(layerCount());
    for (int layer = 0; layer < layerCount(); ++layer) {
        const bool isSelected = m_view.selected == layer;
        const bool isEnd = layer == 0 || layer == layerCount() - 1;
        if (!isSelected && !isEnd && layer % distance != 0)
            continue;
        const int bar = layer / m_layersPerBar;
        ticks.push_back({double(bar), QString::number(layer),
            isSelected  ? TickRank::Selected
                : isEnd ? TickRank::End
                        : TickRank::Plain});
    }
    return ticks;
}

ChartFrame LayerBarsChart::makeFrame(const std::optional<std::pair<double, double>>&) const
{
    ChartFrame frame;
    frame.x = {-0.5, std::max(1, barCount()) - 0.5,
        m_layersPerBar == 1 ? tr("layer") : tr("layer, mean of %n neighbours", nullptr, m_layersPerBar), QString(),
        layerTicks(), false};
    double tallest = 0;
    for (const auto& bar : m_bars)
        tallest = std::max(tallest, std::accumulate(bar.begin(), bar.end(), 0.0));
    frame.y = {0, tallest > 0 ? tallest * kHeadroom : 1, tr("kept"), m_bytes.name};

    // Each name stands beside its segment of the last bar.
    const std::array<QString, kSets> names{tr("attention"), tr("FFN"), tr("norm"), tr("residual")};
    double foot = 0;
    for (std::size_t set = 0; set < kSets; ++set) {
        const double part = m_bars.empty() ? 0 : m_bars.back()[set];
        frame.legend.push_back({names[set], Swatch::Area, theme().colour(kTints[set]), foot + part / 2});
        foot += part;
    }
    // From the top down; segments of no height keep the stacking order then.
    std::reverse(frame.legend.begin(), frame.legend.end());
    return frame;
}

void LayerBarsChart::fillSeries()
{
    // Whole sets at once: replacing values one by one took 0.5 s at 96 x 24 bars.
    QList<QBarSet*> sets;
    for (std::size_t set = 0; set < kSets; ++set) {
        QList<qreal> values;
        values.reserve(barCount());
        for (const auto& bar : m_bars)
            values.append(bar[set]);
        auto* barSet = new QBarSet(QString::number(set));
        barSet->append(values);
        sets.append(barSet);
    }
    m_series->clear();
    m_series->append(sets);
    m_series->setBarWidth(barShare());
    colourSeries();
}

void LayerBarsChart::colourSeries()
{
    const QList<QBarSet*> sets = m_series->barSets();
    for (qsizetype set = 0; set < sets.size(); ++set) {
        sets[set]->setPen(Qt::NoPen);
        sets[set]->setBrush(theme().colour(kTints[static_cast<std::size_t>(set)]));
    }
}

QRectF LayerBarsChart::barRect(int bar) const
{
    const auto& parts = m_bars[static_cast<std::size_t>(bar)];
    const double half = barShare() / 2;
    return QRectF(toWidget(bar - half, std::accumulate(parts.begin(), parts.end(), 0.0)), toWidget(bar + half, 0));
}

QRectF LayerBarsChart::columnRect(int layer) const
{
    QRectF rect = barRect(layer / m_layersPerBar);
    rect.setTop(frameLayout().plot.top());
    return rect;
}

void LayerBarsChart::paintOverSeries(QPainter& painter)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (m_hovered && *m_hovered >= 0 && *m_hovered < layerCount()) {
        painter.setPen(QPen(theme().colour(Role::Text), 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(columnRect(*m_hovered).adjusted(-1, 0, 1, 0));
    }
    // Neighbouring tints are only 1.4 to 1.9 : 1 apart; a line in the ground's colour keeps them separate.
    painter.setPen(QPen(theme().colour(Role::Panel), 1));
    for (int bar = 0; bar < barCount(); ++bar) {
        const QRectF rect = barRect(bar);
        double foot = 0;
        for (std::size_t set = 0; set + 1 < kSets; ++set) {
            const double part = m_bars[static_cast<std::size_t>(bar)][set];
            foot += part;
            const double y = toWidget(0, foot).y();
            const bool isVisible = part > 0 && y > rect.top() + 2 && y < rect.bottom() - 2;
            if (isVisible)
                painter.drawLine(QPointF(rect.left(), std::round(y)), QPointF(rect.right(), std::round(y)));
        }
    }
    if (m_view.selected && *m_view.selected >= 0 && *m_view.selected < layerCount()) {
        QRectF ring = barRect(*m_view.selected / m_layersPerBar);
        ring.setTop(std::min(ring.top(), ring.bottom() - theme().px(4)));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().colour(Role::Panel), 4, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(ring);
        painter.setPen(QPen(theme().colour(Role::Text), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(ring);
    }
    painter.restore();
}

QString LayerBarsChart::name() const
{
    return tr("Kept bytes of every layer");
}

QString LayerBarsChart::emptyText() const
{
    return m_view.layers.empty() ? tr("What every layer keeps appears here with the first plan.")
                                 : tr("No layer keeps anything inside for its backward.");
}

QString LayerBarsChart::describe() const
{
    if (keepNothing(m_view.layers))
        return emptyText();
    const NumberFormat format;
    const auto [least, most] = std::minmax_element(m_view.layers.begin(), m_view.layers.end(),
        [](const LayerBar& a, const LayerBar& b) { return a.total() < b.total(); });
    Bytes sum{};
    for (const LayerBar& layer : m_view.layers)
        sum += layer.total();
    QString text = tr("%n layers keep %1 together, between %2 and %3 each.", nullptr, layerCount())
                       .arg(format.bytes(sum), format.bytes(least->total()), format.bytes(most->total()));
    if (m_view.selected && *m_view.selected >= 0 && *m_view.selected < layerCount())
        text += QLatin1Char(' ')
            + tr("Layer %1 keeps %2.")
                  .arg(*m_view.selected)
                  .arg(format.bytes(m_view.layers[static_cast<std::size_t>(*m_view.selected)].total()));
    return text;
}

std::optional<int> LayerBarsChart::layerAt(const QPointF& at) const
{
    const QRectF& plot = frameLayout().plot;
    if (m_bars.empty() || at.x() < plot.left() || at.x() > plot.right())
        return std::nullopt;
    const int bar = std::clamp(static_cast<int>(std::lround(frameLayout().xAt(frame(), at.x()))), 0, barCount() - 1);
    return std::min(bar * m_layersPerBar, layerCount() - 1);
}

void LayerBarsChart::clicked(const QPointF& at)
{
    if (const std::optional<int> layer = layerAt(at))
        emit layerSelected(*layer);
}

QStringList LayerBarsChart::readoutAt(const QPointF& at)
{
    const std::optional<int> layer = layerAt(at);
    emit layerHovered(layer);
    if (!layer)
        return {};
    const NumberFormat format;
    const LayerBar& bar = m_view.layers[static_cast<std::size_t>(*layer)];
    QStringList lines{tr("layer %1 keeps %2").arg(*layer).arg(format.bytes(bar.total())),
        tr("residual %1").arg(format.bytes(bar.residual)), tr("norm %1").arg(format.bytes(bar.norm)),
        tr("FFN %1").arg(format.bytes(bar.ffn)), tr("attention %1").arg(format.bytes(bar.attention))};
    if (bar.measured)
        lines << (bar.predicted
                ? tr("last run: %1, predicted %2").arg(format.duration(*bar.measured), format.duration(*bar.predicted))
                : tr("last run: %1").arg(format.duration(*bar.measured)));
    return lines;
}

void LayerBarsChart::setHovered(std::optional<int> layer)
{
    if (m_hovered == layer)
        return;
    m_hovered = layer;
    repaintMarks();
}

void LayerBarsChart::pointerLeft()
{
    emit layerHovered(std::nullopt);
}

Qt::CursorShape LayerBarsChart::cursorAt(const QPointF& at) const
{
    return layerAt(at) ? Qt::PointingHandCursor : Qt::ArrowCursor;
}

bool LayerBarsChart::keyStep(int direction)
{
    if (direction == 0 || m_view.layers.empty())
        return false;
    const int from = m_view.selected.value_or(direction > 0 ? -1 : layerCount());
    const int to = std::clamp(from + direction, 0, layerCount() - 1);
    if (to != from)
        emit layerSelected(to);
    return true;
}

} // namespace remat::ui
