// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/looks/look_faults.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAction>
#include <QComboBox>
#include <QGraphicsView>
#include <QHash>
#include <QImage>
#include <QLineEdit>
#include <QPixmap>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/forms/form_text.h"
#include "ui/lessons/spotlight.h"
#include "ui/looks/drawn_texts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/painted_widget.h"

namespace remat::ui {

namespace {

constexpr double kLeastContrast = 4.5;
constexpr int kLeastPixels = 10, kLeastProjectorPixels = 15;
/// Antialiased edges and rounded positions stay within this.
constexpr double kTolerance = 1.5;
/// Smaller areas may well be of one colour.
constexpr int kLeastPicture = 40;

QString nameOf(const QWidget& widget)
{
    QStringList path;
    for (const QWidget* at = &widget; at && path.size() < 3; at = at->parentWidget()) {
        const bool isNamed = !at->objectName().isEmpty();
        path.prepend(isNamed ? at->objectName() : QString::fromLatin1(at->metaObject()->className()).section(u':', -1));
    }
    return path.join(u'/');
}

bool leaves(const QRectF& inner, const QRectF& outer)
{
    return inner.left() < outer.left() - kTolerance || inner.right() > outer.right() + kTolerance
        || inner.top() < outer.top() - kTolerance || inner.bottom() > outer.bottom() + kTolerance;
}

/// The scroll area of which a widget is the viewport; null for any other.
const QAbstractScrollArea* areaOf(const QWidget& viewport)
{
    const auto* area = qobject_cast<const QAbstractScrollArea*>(viewport.parentWidget());
    return area && area->viewport() == &viewport ? area : nullptr;
}

bool canScrollTo(const QAbstractScrollArea& area, const QRectF& text, const QRectF& edge)
{
    const auto moves = [](const QScrollBar& bar) { return bar.minimum() < bar.maximum(); };
    const bool isCutAside = text.left() < edge.left() - kTolerance || text.right() > edge.right() + kTolerance;
    return !isCutAside && moves(*area.verticalScrollBar());
}

/// A hand-painted widget that scrolls by a bar of its own.
bool scrollsItself(const QWidget& widget)
{
    for (const QObject* child : widget.children())
        if (const auto* bar = qobject_cast<const QScrollBar*>(child); bar && bar->isVisible())
            return true;
    return false;
}

bool isStale(const QWidget& widget)
{
    const auto* painted = qobject_cast<const PaintedWidget*>(&widget);
    return painted && painted->isStale();
}

/// The colour that most of a rectangle has.
QColor groundOf(const QImage& picture, const QRectF& logical)
{
    const double scale = picture.devicePixelRatio();
    const QRect rect = QRectF(logical.topLeft() * scale, logical.size() * scale).toAlignedRect() & picture.rect();
    QHash<QRgb, int> counts;
    QRgb most = 0;
    int best = 0;
    for (int y = rect.top(); y <= rect.bottom(); ++y)
        for (int x = rect.left(); x <= rect.right(); ++x)
            if (const int count = ++counts[picture.pixel(x, y)]; count > best) {
                best = count;
                most = picture.pixel(x, y);
            }
    return QColor::fromRgb(most);
}

bool isOneColour(const QImage& picture, const QRectF& logical)
{
    const double scale = picture.devicePixelRatio();
    const QRect rect = QRectF(logical.topLeft() * scale, logical.size() * scale).toAlignedRect() & picture.rect();
    for (int y = rect.top(); y <= rect.bottom(); ++y)
        for (int x = rect.left(); x <= rect.right(); ++x)
            if (picture.pixel(x, y) != picture.pixel(rect.topLeft()))
                return false;
    return true;
}

class LookCheck {
public:
    LookCheck(QWidget& window, const Theme& theme)
        : m_window(window),
          m_theme(theme),
          m_picture(window.grab().toImage())
    {
        const QWidget* root = &window;
        while (root->parentWidget())
            root = root->parentWidget();
        for (const QAction* action : root->findChildren<QAction*>())
            noteWritten(action->text());
        for (const QAbstractButton* button : root->findChildren<QAbstractButton*>())
            noteWritten(button->text());
        for (const Spotlight* spotlight : window.findChildren<Spotlight*>())
            m_isDimmed = m_isDimmed || spotlight->isVisible();
    }

    QStringList find()
    {
        QList<QWidget*> widgets{&m_window};
        for (QWidget* widget : m_window.findChildren<QWidget*>())
            if (widget->isVisible() && widget->window() == &m_window)
                widgets << widget;
        for (QWidget* widget : widgets) {
            checkTexts(*widget);
            checkChildren(*widget);
            checkTabs(*widget);
            checkPicture(*widget);
        }
        checkOverlaps();
        return m_faults;
    }

private:
    struct Placed {
        DrawnText drawn;
        QRectF inWindow;
        const QWidget* owner;
    };

    /// An ellipsis that was written is no elision, wherever the text is shown.
    void noteWritten(const QString& text)
    {
        if (text.contains(u'\u2026'))
            m_written << withoutMnemonic(text);
    }
    bool isElided(const QString& text) const
    {
        return text.contains(u'\u2026')
            && std::none_of(m_written.begin(), m_written.end(), [&](const QString& written) {
                   return text.contains(written) || written.contains(text); // in Chinese a part of it, in another font
               });
    }

    /// A closed list or a line to write in, whose help tells the whole of its text.
    static bool isToldInFull(const QWidget& widget)
    {
        if (const auto* edit = qobject_cast<const QLineEdit*>(&widget))
            return !edit->text().isEmpty() && edit->toolTip().contains(edit->text());
        const auto* box = qobject_cast<const QComboBox*>(&widget);
        return box && box->toolTip().contains(box->currentText());
    }

    void say(const QWidget& widget, const QString& what) { m_faults << nameOf(widget) + QStringLiteral(": ") + what; }
    static QString quoted(const QString& text) { return u'"' + text + u'"'; }

    void checkTexts(QWidget& widget)
    {
        for (DrawnText& drawn : drawnTexts(widget)) {
            const Seen seen = seenOf(widget, drawn);
            if (seen == Seen::ScrolledAway)
                continue;
            if (seen == Seen::Cut && !isToldInFull(widget))
                say(widget, QStringLiteral("%1 is cut off").arg(quoted(drawn.text)));
            if (isElided(drawn.text) && !isToldInFull(widget))
                say(widget, QStringLiteral("%1 is elided").arg(quoted(drawn.text)));
            if (!drawn.isBared)
                say(widget, QStringLiteral("%1 is partly covered").arg(quoted(drawn.text)));
            if (drawn.pixels < (m_theme.isProjector() ? kLeastProjectorPixels : kLeastPixels))
                say(widget, QStringLiteral("%1 has only %2 px").arg(quoted(drawn.text)).arg(drawn.pixels));
            const QRectF place = drawn.ink.translated(widget.mapTo(&m_window, QPoint()));
            checkContrast(widget, drawn, place);
            m_texts.push_back({std::move(drawn), place, &widget});
        }
    }

    enum class Seen { Whole, Cut, ScrolledAway };

    /// Whether the widget's own edge and those of all that it stands in leave a text whole.
    Seen seenOf(const QWidget& widget, const DrawnText& drawn) const
    {
        Seen seen = Seen::Whole;
        QRectF edge = drawn.clip;
        QPoint offset;
        for (const QWidget* at = &widget; at; at = at == &m_window ? nullptr : at->parentWidget()) {
            const QRectF ink = drawn.ink.translated(offset);
            if (at != &widget)
                edge = at->rect();
            if (leaves(ink, edge)) {
                const QAbstractScrollArea* area = areaOf(*at);
                if ((area && canScrollTo(*area, ink, edge)) || (at == &widget && scrollsItself(widget)))
                    return Seen::ScrolledAway;
                seen = Seen::Cut;
            }
            offset += at->pos();
        }
        return seen;
    }

    void checkContrast(const QWidget& widget, const DrawnText& drawn, const QRectF& place)
    {
        if (!widget.isEnabled() || isStale(widget) || m_isDimmed)
            return;
        const QColor ground = groundOf(m_picture, place.adjusted(-2, -2, 2, 2));
        QColor pen = drawn.colour;
        pen.setAlpha(255);
        pen = mixed(ground, pen, drawn.colour.alphaF());
        const double contrast = contrastRatio(ground, pen);
        if (contrast < kLeastContrast)
            say(widget,
                QStringLiteral("%1 has a contrast of %2 (%3 on %4)")
                    .arg(quoted(drawn.text))
                    .arg(contrast, 0, 'f', 1)
                    .arg(pen.name(), ground.name()));
    }

    void checkOverlaps()
    {
        for (std::size_t i = 0; i < m_texts.size(); ++i)
            for (std::size_t j = i + 1; j < m_texts.size(); ++j) {
                const QRectF common = m_texts[i].inWindow & m_texts[j].inWindow;
                const bool isHalo = m_texts[i].drawn.text == m_texts[j].drawn.text
                    && (m_texts[i].inWindow.topLeft() - m_texts[j].inWindow.topLeft()).manhattanLength() <= 4;
                if (common.width() > kTolerance && common.height() > kTolerance && !isHalo)
                    say(*m_texts[j].owner,
                        QStringLiteral("%1 lies over %2")
                            .arg(quoted(m_texts[j].drawn.text), quoted(m_texts[i].drawn.text)));
            }
    }

    void checkChildren(const QWidget& parent)
    {
        // These stack their parts on purpose.
        if (parent.inherits("QTabWidget") || parent.inherits("QAbstractScrollArea") || parent.inherits("QTabBar")
            || parent.inherits("QAbstractSpinBox") || parent.inherits("QComboBox") || parent.inherits("QLineEdit"))
            return;
        QList<const QWidget*> shown;
        for (const QObject* child : parent.children()) {
            const auto* widget = qobject_cast<const QWidget*>(child);
            if (widget && widget->isVisible() && !widget->isWindow()
                && !widget->testAttribute(Qt::WA_TransparentForMouseEvents))
                shown << widget;
        }
        for (qsizetype i = 0; i < shown.size(); ++i)
            for (qsizetype j = i + 1; j < shown.size(); ++j) {
                const QRect common = shown[i]->geometry() & shown[j]->geometry();
                if (common.width() > kTolerance && common.height() > kTolerance)
                    say(*shown[j], QStringLiteral("overlaps %1").arg(nameOf(*shown[i])));
            }
    }

    void checkTabs(const QWidget& widget)
    {
        if (!qobject_cast<const QTabBar*>(&widget))
            return;
        for (const QToolButton* button : widget.findChildren<QToolButton*>())
            if (button->isVisible() && button->objectName().startsWith(QLatin1String("Scroll")))
                return say(widget, QStringLiteral("the tabs do not fit"));
    }

    void checkPicture(const QWidget& widget)
    {
        const bool isPicture = qobject_cast<const PaintedWidget*>(&widget)
            || (areaOf(widget) && qobject_cast<const QGraphicsView*>(areaOf(widget)))
            || (qobject_cast<const QTabWidget*>(
                widget.parentWidget() ? widget.parentWidget()->parentWidget() : nullptr));
        const QRect place(widget.mapTo(&m_window, QPoint()), widget.size());
        if (isPicture && place.width() >= kLeastPicture && place.height() >= kLeastPicture
            && isOneColour(m_picture, QRectF(place)))
            say(widget, QStringLiteral("is of one colour"));
    }

    QWidget& m_window;
    const Theme& m_theme;
    QImage m_picture;
    QStringList m_written;
    bool m_isDimmed = false; ///< a lesson's spotlight pales all that it is not on
    std::vector<Placed> m_texts;
    QStringList m_faults;
};

} // namespace

QStringList lookFaults(QWidget& window, const Theme& theme)
{
    return LookCheck(window, theme).find();
}

} // namespace remat::ui
