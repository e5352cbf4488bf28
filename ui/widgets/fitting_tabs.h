// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QTabWidget>
#include <vector>

class QToolButton;

namespace remat::ui {

/// Tabs whose bar is never scrolled or cut: where it is too narrow for all of them they draw closer, and those that
/// still find no room wait in a menu at its end.  The open one is always in the bar.
class FittingTabs : public QTabWidget {
    Q_OBJECT
public:
    explicit FittingTabs(QWidget* parent = nullptr);

    /// Opens a page whether its tab is in the bar or in the menu.
    void open(int index);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void tabInserted(int index) override;
    void tabRemoved(int index) override;

private:
    void setCompact(bool isCompact);
    std::vector<int> widths() const;
    void measure();
    void fit();
    void fillMenu();

    std::vector<int> m_roomy, m_compact; ///< widths of the tabs, in pixels
    QToolButton* m_more;
    bool m_isFitting = false;
};

} // namespace remat::ui
