// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// What leaves the main window as picture, table or paper: its panels, each under a title and the configuration line.
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QPrintDialog>
#include <QPrinter>

#include "core/model/names.h"
#include "core/regions/region_plan_file.h"
#include "ui/charts/chart_panel.h"
#include "ui/export/export_panel.h"
#include "ui/export/table_csv.h"
#include "ui/painters/ruler_layout.h"
#include "ui/painters/ruler_painter.h"
#include "ui/painters/verdict_painter.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/grid_card.h"
#include "ui/state/answer_views.h"
#include "ui/tables/table_view.h"
#include "ui/widgets/ruler_widget.h"
#include "ui/widgets/verdict_widget.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

constexpr double kSheetWidth = 960.0, kChartHeight = 420.0;

template <class Part> Part* partOf(QWidget* page)
{
    auto* itself = qobject_cast<Part*>(page);
    return itself ? itself : page->findChild<Part*>();
}

/// A widget as it stands on the screen.
ExportPanel widgetPanel(const QString& name, const QString& title, QWidget* widget)
{
    return {name, title, QSizeF(widget->size()),
        [widget](QPainter& painter, const QRectF& rect) {
            painter.save();
            painter.translate(rect.topLeft());
            widget->render(&painter);
            painter.restore();
        },
        nullptr, widget};
}

} // namespace

std::vector<ExportPanel> MainWindow::exportPanels() const
{
    const Theme& theme = m_context.theme;
    std::vector<ExportPanel> panels;
    panels.push_back(widgetPanel(QStringLiteral("board"), tr("Board"), centralWidget()));
    const double verdict = verdictHeight(theme), ruler = rulerHeight(theme), gap = theme.px(8);
    panels.push_back(
        {QStringLiteral("budget"), tr("Budget and peak"), QSizeF(theme.px(kSheetWidth), verdict + gap + ruler),
            [this, verdict, gap](QPainter& painter, const QRectF& rect) {
                QRectF line = rect;
                line.setHeight(verdict);
                paintVerdict(painter, line, m_answer->verdict().view(), m_context.theme);
                paintRuler(painter, rect.adjusted(0, verdict + gap, 0, 0), m_answer->ruler().view(), m_context.theme);
            },
            nullptr, m_answer});
    const GridWidget& grid = m_grid->grid();
    panels.push_back({QStringLiteral("grid"), tr("What is kept, layer by layer"), grid.exportSize(),
        [&grid](QPainter& painter, const QRectF& rect) { grid.exportTo(painter, rect); }, nullptr, m_grid});
    panels.push_back(widgetPanel(QStringLiteral("details"), tr("Details"), m_details));
    for (QWidget* page : m_bottom->pages()) {
        if (auto* chart = partOf<ChartPanel>(page)) {
            panels.push_back(
                {page->objectName(), page->accessibleName(), QSizeF(theme.px(kSheetWidth), theme.px(kChartHeight)),
                    [chart](QPainter& painter, const QRectF& rect) { chart->exportTo(painter, rect); }, nullptr, page});
        } else if (auto* table = partOf<TableView>(page)) {
            const QAbstractItemModel* model = table->model();
            panels.push_back({page->objectName(), page->accessibleName(), tableSize(*model, theme),
                [this, model](
                    QPainter& painter, const QRectF& rect) { paintTable(painter, rect, *model, m_context.theme); },
                model, page});
        } else {
            panels.push_back(widgetPanel(page->objectName(), page->accessibleName(), page));
        }
    }
    return panels;
}

SheetText MainWindow::sheetText() const
{
    const Inputs& inputs = m_state.inputs();
    const NumberFormat format;
    const QString dot = QStringLiteral(" \u00b7 ");
    QStringList parts{QString::fromStdString(inputs.shape.name),
        tr("%n layer(s)", nullptr, static_cast<int>(inputs.shape.layers)), tr("width %1").arg(inputs.shape.hidden),
        tr("batch %1 \u00d7 %2 tokens").arg(inputs.setup.batch).arg(inputs.setup.sequence),
        inputs.isPytorch() ? QString::fromUtf8(toName(inputs.torch.precision))
                           : QString::fromUtf8(toName(effectivePrecision(inputs.setup))),
        tr("attention %1")
            .arg(inputs.isPytorch() ? QString::fromUtf8(toName(inputs.torch.attention))
                                    : QString::fromUtf8(toName(inputs.setup.attention))),
        inputs.isPytorch() ? QString::fromUtf8(toName(inputs.torch.optimizer))
                           : QString::fromUtf8(toName(inputs.setup.optimizer)),
        tr("budget %1").arg(format.bytes(inputs.budget)), strategyTitle(inputs.strategy)};
    if (inputs.isPytorch())
        parts << tr("profile pytorch");
    else if (!inputs.pins.empty())
        parts << tr("%n pin(s)", nullptr, static_cast<int>(inputs.pins.size()));
    parts << QString::fromStdString(m_state.device().title);
    return {parts.join(dot), QStringLiteral("RematScope ") + QApplication::applicationVersion()};
}

Result<void> MainWindow::exportPanelTo(const QString& name, const QString& path)
{
    const std::vector<ExportPanel> panels = exportPanels();
    const Result<const ExportPanel*> panel = findPanel(panels, name);
    Result<void> written = panel ? Result<void>() : Result<void>(panel.error());
    if (panel)
        withPageOpen(name, [&] {
            // Sizes follow what the page shows.
            const std::vector<ExportPanel> fresh = exportPanels();
            written = exportPanel(**findPanel(fresh, name), sheetText(), m_context.theme, path);
        });
    if (!written)
        reportError(written.error());
    else
        m_bottom->log(tr("%1 written to %2").arg((*panel)->title, path), false);
    return written;
}

void MainWindow::withPageOpen(const QString& name, const std::function<void()>& work)
{
    const QStringList before = m_bottom->openPages();
    m_bottom->showPage(name);
    showNewestAnswer();
    work();
    for (const QString& page : before)
        m_bottom->showPage(page);
}

Result<void> MainWindow::exportPicture(const QString& path)
{
    return exportPanelTo(QStringLiteral("board"), path);
}

QString MainWindow::focusedPanel() const
{
    QString name = QStringLiteral("board");
    for (const ExportPanel& panel : exportPanels())
        if (panel.widget != centralWidget() && panel.widget->isAncestorOf(QApplication::focusWidget()))
            name = panel.name;
    return name;
}

void MainWindow::copyPicture()
{
    const QString name = focusedPanel();
    withPageOpen(name, [&] {
        const std::vector<ExportPanel> panels = exportPanels();
        QApplication::clipboard()->setImage(sheetImage(**findPanel(panels, name), sheetText(), m_context.theme));
    });
}

void MainWindow::copyTable()
{
    const TableView* table = nullptr;
    for (QWidget* at = QApplication::focusWidget(); at && !table; at = at->parentWidget())
        table = qobject_cast<TableView*>(at);
    for (const QString& name : m_bottom->openPages())
        for (QWidget* page : m_bottom->pages())
            if (!table && page->objectName() == name)
                table = partOf<TableView>(page);
    if (!table)
        return showNotice(tr("No table is open: choose Tensors, Strategies, Runs or Log first."));
    table->copySelection();
}

void MainWindow::printPanel(const QString& name, QPrinter& printer)
{
    withPageOpen(name, [&] {
        const std::vector<ExportPanel> panels = exportPanels();
        printSheet(printer, **findPanel(panels, name), sheetText(), m_context.theme);
    });
}

void MainWindow::askAndPrint()
{
    QPrinter printer(QPrinter::HighResolution);
    printer.setPageOrientation(QPageLayout::Landscape);
    printer.setDocName(windowTitle().remove(QStringLiteral("[*]")));
    const QString name = focusedPanel();
    QPrintDialog dialog(&printer, this);
    if (dialog.exec() == QDialog::Accepted)
        printPanel(name, printer);
}

void MainWindow::makeExportMenu(QMenu& file)
{
    QMenu* menu = file.addMenu(tr("Export pane&l"));
    menu->setObjectName(QStringLiteral("exportPanels"));
    for (const ExportPanel& panel : exportPanels()) {
        QAction* action = menu->addAction(panel.title + QStringLiteral("\u2026"));
        action->setStatusTip(tr("Writes it with title, axes and configuration as PNG, SVG or PDF; tables as CSV too."));
        const bool isTable = panel.table != nullptr;
        connect(action, &QAction::triggered, this, [this, name = panel.name, isTable] {
            QStringList filters{tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)")};
            if (isTable)
                filters.prepend(tr("Table for other programs (*.csv)"));
            const QString path = chooseFileToWrite(
                tr("Export panel"), name + (isTable ? QStringLiteral(".csv") : QStringLiteral(".png")), filters);
            if (!path.isEmpty())
                (void)exportPanelTo(name, path); // a failure is shown in place
        });
    }
}

} // namespace remat::ui
