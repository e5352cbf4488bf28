// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/widgets/fitting_tabs.h"

#include <QEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>
#include <numeric>

namespace remat::ui {

namespace {

/// A bar that tells how wide its tabs would be, hidden ones too.
class MeasuredBar : public QTabBar {
public:
    using QTabBar::QTabBar;
    int widthOf(int index) const { return tabSizeHint(index).width(); }
};

int sum(const std::vector<int>& widths)
{
    return std::accumulate(widths.begin(), widths.end(), 0);
}

} // namespace

FittingTabs::FittingTabs(QWidget* parent) : QTabWidget(parent), m_more(new QToolButton)
{
    setTabBar(new MeasuredBar);
    m_more->setObjectName(QStringLiteral("moreTabs"));
    m_more->setText(QStringLiteral("\u00bb"));
    m_more->setToolTip(tr("More tabs"));
    m_more->setAccessibleName(tr("More tabs"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_more);
    m_more->setMenu(menu);
    setCornerWidget(m_more);
    m_more->hide();
    connect(menu, &QMenu::aboutToShow, this, &FittingTabs::fillMenu);
    connect(this, &QTabWidget::currentChanged, this, &FittingTabs::fit);
}

void FittingTabs::open(int index)
{
    setTabVisible(index, true);
    setCurrentIndex(index);
}

void FittingTabs::showEvent(QShowEvent* event)
{
    // Before it is shown for the first time a widget has not met its style sheet.
    QTabWidget::showEvent(event);
    measure();
}

void FittingTabs::resizeEvent(QResizeEvent* event)
{
    QTabWidget::resizeEvent(event);
    fit();
}

void FittingTabs::changeEvent(QEvent* event)
{
    QTabWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        measure();
}

void FittingTabs::tabInserted(int index)
{
    QTabWidget::tabInserted(index);
    measure();
}

void FittingTabs::tabRemoved(int index)
{
    QTabWidget::tabRemoved(index);
    measure();
}

void FittingTabs::setCompact(bool isCompact)
{
    if (tabBar()->property("compact").toBool() == isCompact)
        return;
    tabBar()->setProperty("compact", isCompact);
    // A style sheet looks at properties only when a widget is polished.
    tabBar()->style()->unpolish(tabBar());
    tabBar()->style()->polish(tabBar());
}

std::vector<int> FittingTabs::widths() const
{
    std::vector<int> widths;
    for (int i = 0; i < count(); ++i)
        widths.push_back(static_cast<const MeasuredBar*>(tabBar())->widthOf(i));
    return widths;
}

void FittingTabs::measure()
{
    // Polishing the bar sends a style change in its turn.
    if (m_isFitting)
        return;
    {
        const QScopedValueRollback guard(m_isFitting, true);
        setCompact(true);
        m_compact = widths();
        setCompact(false);
        m_roomy = widths();
    }
    fit();
}

void FittingTabs::fit()
{
    if (m_isFitting || static_cast<int>(m_roomy.size()) != count() || count() == 0)
        return;
    const QScopedValueRollback guard(m_isFitting, true);
    const bool isRoomy = sum(m_roomy) <= width();
    setCompact(!isRoomy);
    const std::vector<int>& widths = isRoomy ? m_roomy : m_compact;
    const bool fitsAll = sum(widths) <= width();
    m_more->setVisible(!fitsAll);
    int room = width() - (fitsAll ? 0 : m_more->sizeHint().width());
    // The open tab has its place whatever comes before it.
    const int open = currentIndex();
    if (open >= 0)
        room -= widths[static_cast<std::size_t>(open)];
    for (int i = 0; i < count(); ++i) {
        if (i == open)
            continue;
        const int wanted = widths[static_cast<std::size_t>(i)];
        const bool isShown = fitsAll || wanted <= room;
        // What follows a tab that found no room is in the menu too, however narrow: the order stays.
        room = isShown ? room - wanted : 0;
        setTabVisible(i, isShown);
    }
    if (open >= 0)
        setTabVisible(open, true);
}

void FittingTabs::fillMenu()
{
    m_more->menu()->clear();
    for (int i = 0; i < count(); ++i)
        if (!isTabVisible(i))
            m_more->menu()->addAction(tabText(i), this, [this, i] { open(i); });
}

} // namespace remat::ui
