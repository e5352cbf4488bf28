// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QWidget>
#include <memory>
#include <optional>

#include "core/export/article_table.h"
#include "ui/theme/theme.h"

class QComboBox;
class QLabel;

namespace remat::ui {

class ArticleTableModel;
class ArticleWork;
class ExplorerState;
class TableView;

/// The strategy table of the article that the project grew from, rebuilt on the device that is chosen: its claims
/// beside what comes out, and under the table why the chosen row differs.  Computed while it can be seen, a row at a
/// time.
class ArticlePanel : public QWidget {
    Q_OBJECT
public:
    ArticlePanel(ExplorerState& state, const Theme& theme, QWidget* parent = nullptr);
    ~ArticlePanel() override;
    void setTheme(const Theme& theme);
    TableView& table() const { return *m_table; }
    QString whyText() const;
    bool isComplete() const { return m_shown && m_shown->isComplete(); }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void follow();
    void take();
    void showTable();
    void showWhy();
    /// What the person chose, where the device can compute in it.
    Precision precision() const;

    ExplorerState& m_state;
    QLabel* m_heading;
    QComboBox* m_precision;
    ArticleTableModel* m_rows;
    TableView* m_table;
    QLabel* m_why;
    std::shared_ptr<ArticleWork> m_work;
    std::optional<ArticleTable> m_shown;
};

} // namespace remat::ui
