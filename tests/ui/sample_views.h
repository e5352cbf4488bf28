// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QApplication>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/painters/grid_view.h"
#include "ui/painters/ruler_view.h"
#include "ui/painters/verdict_painter.h"
#include "ui/theme/theme.h"

/// Views with the proportions of a GPT-2 step, made by hand: no planner is needed to look at a painter.
namespace samples {

using namespace remat;
using namespace remat::ui;

struct SampleTensor {
    const char* name;
    double share; ///< of B*T*C elements of 2 bytes
    double flopShare, recomputeShare;
};
struct SampleSublayer {
    const char* name;
    std::vector<SampleTensor> tensors;
};

inline const std::vector<SampleSublayer>& sublayers()
{
    static const std::vector<SampleSublayer> all{{"norm 1", {{"ln1", 1.0, 0.02, 0.05}}},
        {"attention", {{"qkv", 3.0, 6.0, 1.0}, {"context", 1.0, 2.0, 1.4}}},
        {"residual 1", {{"projection", 1.0, 2.0, 0.4}, {"mask", 0.5, 0.01, 0.02}}},
        {"norm 2", {{"ln2", 1.0, 0.02, 0.05}}}, {"FFN", {{"up", 4.0, 8.0, 1.4}, {"gelu", 4.0, 0.05, 0.1}}},
        {"residual 2", {{"mask", 0.5, 8.0, 1.4}}}};
    return all;
}

/// One letter per tensor of a layer, in order: K kept, R recomputed.  The default keeps attention and FFN's up.
using Decisions = std::function<QByteArray(int layer)>;
inline QByteArray usual(int layer, int layers)
{
    if (layer >= layers - layers / 6)
        return "RKRRRRKRR";
    return layer < layers / 4 ? "RKKKRRKRK" : "RKKRRRKRR";
}

inline GridView grid(int layers, const Decisions& decisions = {}, bool withEnds = true, std::int64_t unit = 24LL << 20)
{
    GridView view;
    view.layerCount = layers;
    const auto bytes = [&](double share) { return Bytes{std::llround(share * static_cast<double>(unit))}; };
    if (withEnds)
        view.columns.push_back({-1, -1, QStringLiteral("emb"), true});
    for (int layer = 0; layer < layers; ++layer)
        view.columns.push_back({layer, layer, {}, false});
    if (withEnds)
        view.columns.push_back({layers, layers, QStringLiteral("head"), true});
    for (const SampleSublayer& sublayer : sublayers()) {
        const int parent = view.rowCount();
        GridRow row;
        row.label = QString::fromLatin1(sublayer.name);
        row.canOpen = sublayer.tensors.size() > 1;
        view.rows.push_back(row);
        if (row.canOpen)
            for (const SampleTensor& tensor : sublayer.tensors) {
                GridRow child;
                child.label = QString::fromLatin1(tensor.name);
                child.parent = parent;
                view.rows.push_back(child);
            }
    }
    view.cells.resize(view.rows.size() * view.columns.size());
    for (int column = 0; column < view.columnCount(); ++column) {
        if (view.columns[static_cast<std::size_t>(column)].isWhole) {
            GridCell& cell = view.cell(0, column);
            const bool isHead = view.columns[static_cast<std::size_t>(column)].first > 0;
            cell.all = cell.kept = bytes(isHead ? 2.0 : 0.5);
            cell.flops = Flops{isHead ? 80000000000 : 1000000};
            view.total.kept += cell.kept;
            view.total.all += cell.all;
            view.total.flops += cell.flops;
            continue;
        }
        const int layer = view.columns[static_cast<std::size_t>(column)].first;
        const QByteArray letters = decisions ? decisions(layer) : usual(layer, layers);
        int row = 0, tensorIndex = 0;
        for (const SampleSublayer& sublayer : sublayers()) {
            const int parent = row++;
            GridCell& whole = view.cell(parent, column);
            for (const SampleTensor& tensor : sublayer.tensors) {
                GridCell cell;
                cell.all = bytes(tensor.share);
                const bool isKept = letters.at(tensorIndex++) == 'K';
                cell.kept = isKept ? cell.all : Bytes{0};
                cell.isRecomputed = !isKept;
                cell.flops = Flops{std::llround(tensor.flopShare * 9.6e9)};
                cell.recomputeTimeOfAll = Nanoseconds{std::llround(tensor.recomputeShare * 3e5)};
                if (!isKept) {
                    cell.recomputedFlops = Flops{cell.flops.value / 3};
                    cell.recomputeTime = cell.recomputeTimeOfAll;
                }
                whole.all += cell.all;
                whole.kept += cell.kept;
                whole.isRecomputed = whole.isRecomputed || cell.isRecomputed;
                whole.flops += cell.flops;
                whole.recomputedFlops += cell.recomputedFlops;
                whole.recomputeTime += cell.recomputeTime;
                whole.recomputeTimeOfAll += cell.recomputeTimeOfAll;
                if (sublayer.tensors.size() > 1)
                    view.cell(row++, column) = cell;
            }
            view.total.kept += whole.kept;
            view.total.all += whole.all;
            view.total.flops += whole.flops;
            view.total.recomputedFlops += whole.recomputedFlops;
        }
    }
    for (int row = 0; row < view.rowCount(); ++row)
        for (int column = 0; column < view.columnCount(); ++column) {
            if (!view.isLayer(column))
                continue;
            const GridCell& cell = view.cell(row, column);
            GridRow& sum = view.rows[static_cast<std::size_t>(row)];
            sum.kept += cell.kept;
            sum.all += cell.all;
            sum.flops += cell.flops;
            sum.recomputedFlops += cell.recomputedFlops;
        }
    return view;
}

inline int rowOf(const GridView& view, const char* label)
{
    for (int row = 0; row < view.rowCount(); ++row)
        if (view.rows[static_cast<std::size_t>(row)].label == QLatin1String(label))
            return row;
    return -1;
}

/// weights, gradients, optimizer 0.23, 0.23, 0.93 GiB times `scale`; a convex frontier of `points` plans.
inline RulerView ruler(double scale = 1.0, double budgetGiB = 3.5, int points = 120)
{
    const auto gib = [](double value) { return Bytes{std::llround(value * 1073741824.0)}; };
    RulerView view;
    view.weights = gib(0.16 * scale);
    view.gradients = gib(0.16 * scale);
    view.optimizer = gib(0.64 * scale);
    view.inputs = gib(0.01 * scale);
    view.keepEverything = gib(5.69 * scale);
    view.least = gib(1.45 * scale);
    view.budget = gib(budgetGiB);
    for (int i = 0; i < points; ++i) {
        const double t = static_cast<double>(i) / (points - 1);
        const double extra = 0.33 * std::pow(1.0 - t, 2.2);
        view.frontier.push_back({gib((1.45 + (5.69 - 1.45) * t) * scale), extra});
    }
    view.fits = view.budget >= view.least;
    const Bytes peak = view.fits ? std::prev(
                           std::find_if(view.frontier.begin(), view.frontier.end(),
                               [&](const RulerPoint& p) {
                                   return p.peak > view.budget;
                               }))->peak
                                 : view.least;
    view.working = gib(0.21 * scale);
    view.saved = peak - view.fixed() - view.working;
    return view;
}

inline VerdictView verdict(const RulerView& ruler)
{
    VerdictView view;
    view.answer = ruler.fits ? VerdictView::Answer::Fits : VerdictView::Answer::DoesNotFit;
    view.peak = ruler.peak();
    view.budget = ruler.budget;
    view.least = ruler.least;
    view.extraTime = extraTimeAt(ruler, ruler.budget).value_or(0.0);
    view.moreBudget = Bytes{1LL << 29};
    view.moreTime = -0.019;
    return view;
}

inline Theme theme(Lightness lightness, bool projector = false)
{
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(12);
    return Theme(lightness, font, projector);
}

/// An image at a device pixel ratio, on the panel's ground.
inline QImage render(const Theme& theme, QSize size, double ratio, const std::function<void(QPainter&, QRectF)>& paint)
{
    QImage image(size * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(theme.colour(Role::Panel));
    QPainter painter(&image);
    paint(painter, QRectF(QPointF(0, 0), QSizeF(size)));
    return image;
}

/// Pictures for a person's eyes: written where REMAT_SCREENSHOTS points, nowhere else.
inline void save(const QImage& image, const QString& name)
{
    const QString folder = qEnvironmentVariable("REMAT_SCREENSHOTS");
    if (!folder.isEmpty() && QDir().mkpath(folder))
        image.save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

/// How many pixels of a rectangle (logical) have exactly a colour.
inline int countColour(const QImage& image, const QRectF& rect, const QColor& colour)
{
    const double ratio = image.devicePixelRatio();
    const QRect pixels = QRectF(rect.topLeft() * ratio, rect.size() * ratio).toRect().intersected(image.rect());
    int count = 0;
    for (int y = pixels.top(); y <= pixels.bottom(); ++y)
        for (int x = pixels.left(); x <= pixels.right(); ++x)
            count += image.pixelColor(x, y).rgb() == colour.rgb();
    return count;
}

} // namespace samples
