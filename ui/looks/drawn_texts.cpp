// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/looks/drawn_texts.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QWidget>
#include <algorithm>
#include <utility>

namespace remat::ui {

namespace {

/// A paint engine of which nothing but its memory of texts remains.
class TextEngine : public QPaintEngine {
public:
    TextEngine() : QPaintEngine(AllFeatures) { }

    std::vector<DrawnText> take() { return std::exchange(m_texts, {}); }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState& now) override
    {
        m_transform = now.transform();
        m_pen = now.pen().color();
        m_brush = now.brush();
        m_opacity = now.opacity();
    }

    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        QString text = item.text();
        double width = item.width();
        const QFontMetricsF metrics(item.font());
        while (text.endsWith(u' ')) {
            width -= metrics.horizontalAdvance(u' ');
            text.chop(1);
        }
        if (text.trimmed().isEmpty())
            return;
        // From side to side as the item says, which knows of other fonts' glyphs; from top to bottom its letters.
        const QRectF tight = metrics.tightBoundingRect(text);
        DrawnText drawn{text, m_transform.mapRect(QRectF(at.x(), at.y() + tight.top(), width, tight.height())),
            QRectF(systemClip().boundingRect()), m_pen, QFontInfo(item.font()).pixelSize()};
        if (painter()->hasClipping())
            drawn.clip &= m_transform.mapRect(painter()->clipBoundingRect());
        drawn.colour.setAlphaF(static_cast<float>(drawn.colour.alphaF() * m_opacity));
        m_texts.push_back(std::move(drawn));
    }

    void drawPath(const QPainterPath& path) override { cover(path); }
    void drawRects(const QRectF* rects, int count) override
    {
        for (const QRectF* rect = rects; rect != rects + count; ++rect) {
            QPainterPath path;
            path.addRect(*rect);
            cover(path);
        }
    }
    void drawRects(const QRect* rects, int count) override
    {
        for (const QRect* rect = rects; rect != rects + count; ++rect) {
            QPainterPath path;
            path.addRect(*rect);
            cover(path);
        }
    }

    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override { }
    void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override { }
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override { }
    void drawLines(const QLine*, int) override { }
    void drawLines(const QLineF*, int) override { }
    void drawEllipse(const QRectF&) override { }
    void drawEllipse(const QRect&) override { }
    void drawPoints(const QPointF*, int) override { }
    void drawPoints(const QPoint*, int) override { }
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override { }
    void drawPolygon(const QPoint*, int, PolygonDrawMode) override { }

private:
    void cover(const QPainterPath& shape)
    {
        if (m_brush.style() != Qt::SolidPattern || m_brush.color().alpha() < 255 || m_opacity < 1)
            return;
        const QPainterPath covered = m_transform.map(shape);
        const bool isFloating = shape.elementCount() > 5;
        std::erase_if(m_texts, [&](const DrawnText& text) { return covered.contains(text.ink); });
        for (DrawnText& text : m_texts)
            text.isBared = text.isBared && (isFloating || !covered.intersects(text.ink.adjusted(1, 1, -1, -1)));
    }

    std::vector<DrawnText> m_texts;
    QTransform m_transform;
    QColor m_pen;
    QBrush m_brush;
    double m_opacity = 1;
};

class TextDevice : public QPaintDevice {
public:
    explicit TextDevice(const QWidget& widget) : m_widget(widget) { }

    QPaintEngine* paintEngine() const override { return &m_engine; }
    std::vector<DrawnText> take() { return m_engine.take(); }

protected:
    /// As large and as dense as the screen that the widget is on.
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
            return m_widget.width();
        case PdmHeight:
            return m_widget.height();
        case PdmWidthMM:
            return m_widget.widthMM();
        case PdmHeightMM:
            return m_widget.heightMM();
        case PdmNumColors:
            return m_widget.colorCount();
        case PdmDepth:
            return m_widget.depth();
        case PdmDpiX:
        case PdmPhysicalDpiX:
            return m_widget.logicalDpiX();
        case PdmDpiY:
        case PdmPhysicalDpiY:
            return m_widget.logicalDpiY();
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        }
        return 0;
    }

private:
    const QWidget& m_widget;
    mutable TextEngine m_engine;
};

} // namespace

std::vector<DrawnText> drawnTexts(QWidget& widget)
{
    TextDevice device(widget);
    widget.render(&device, QPoint(), QRegion(), QWidget::RenderFlags());
    return device.take();
}

} // namespace remat::ui
