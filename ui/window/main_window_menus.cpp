// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// Menus of the main window; every action can be reached by key.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QStyle>
#include <QVBoxLayout>

#include "core/run/this_machine.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/grid_card.h"
#include "ui/panels/model_panel.h"
#include "ui/state/answer_views.h"
#include "ui/state/comparison.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

const QString kThemeKey = QStringLiteral("theme");
const QString kProjectorKey = QStringLiteral("projector");

} // namespace

void MainWindow::makeMenus()
{
    makeFileMenu();
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = m_state.undoStack().createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = m_state.undoStack().createRedoAction(this, tr("Redo"));
    redo->setShortcut(QKeySequence::Redo);
    edit->addActions({undo, redo});
    edit->addSeparator();
    edit->addAction(tr("Copy &picture"), QKeySequence(tr("Ctrl+Shift+C")), this,
        [this] { QApplication::clipboard()->setPixmap(centralWidget()->grab()); });
    makeViewMenu();
    makePlanMenu();
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    run->addAction(tr("&Run for real"), QKeySequence(Qt::Key_F5), this, [this] {
        if (!m_runs.isRunning())
            toggleRun();
    });
    run->addAction(tr("&Stop"), QKeySequence(Qt::SHIFT | Qt::Key_F5), this, [this] { m_runs.stop(); });
    if (m_context.measuredCpu) {
        QAction* plan = run->addAction(tr("&Plan with measured costs"), this, &MainWindow::planWithMeasuredCosts);
        plan->setObjectName(QStringLiteral("planWithMeasuredCosts"));
        const auto enable = [this, plan] {
            plan->setEnabled(m_runs.lastTimesOf(m_state.inputs().shape, m_state.inputs().setup) != nullptr);
        };
        connect(&m_runs, &RunController::runsChanged, plan, enable);
        connect(&m_state, &ExplorerState::inputsChanged, plan, enable);
        enable();
    }
    if (m_cpuMeasuring.isOffered()) {
        run->addSeparator();
        QAction* measure = run->addAction(tr("&Measure this CPU again"), this, [this] { m_cpuMeasuring.start(); });
        measure->setObjectName(QStringLiteral("measureCpu"));
        // Either would disturb the other's times.
        const auto enable
            = [this, measure] { measure->setEnabled(!m_cpuMeasuring.isRunning() && !m_runs.isRunning()); };
        connect(&m_cpuMeasuring, &CpuMeasuring::runningChanged, measure, enable);
        connect(&m_runs, &RunController::runningChanged, measure, enable);
    }
    makeLessonMenu();
    makeHelpMenu();
    // Menus hold every action; the window holds them too so that shortcuts work while the menu bar is hidden.
    for (QAction* menu : menuBar()->actions())
        if (menu->menu())
            addActions(menu->menu()->actions());
}

void MainWindow::makeFileMenu()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&New"), QKeySequence::New, this, &MainWindow::newDocument);
    file->addAction(tr("&Open\u2026"), QKeySequence::Open, this,
        [this] { chooseAndOpen(tr("Open"), tr("Documents, plans, reports, config.json (*.json)")); });
    m_recent = file->addMenu(tr("Open &recent"));
    fillRecentMenu();
    file->addSeparator();
    file->addAction(tr("&Save"), QKeySequence::Save, this, &MainWindow::save);
    file->addAction(tr("Save &as\u2026"), QKeySequence::SaveAs, this, &MainWindow::saveAs);
    file->addSeparator();
    file->addAction(tr("Export &plan\u2026"), QKeySequence(tr("Ctrl+E")), this, [this] {
        const QString path = chooseFileToWrite(tr("Export plan"), QStringLiteral("plan.json"),
            {tr("Plan (*.json)"), tr("Table of layers (*.csv)"), tr("Report in Markdown (*.md)")});
        if (!path.isEmpty())
            exportPlan(path);
    });
    file->addAction(tr("Export p&icture\u2026"), QKeySequence(tr("Ctrl+Shift+E")), this, [this] {
        const QString path = chooseFileToWrite(tr("Export picture"), QStringLiteral("board.png"),
            {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)")});
        if (!path.isEmpty())
            (void)exportPicture(path); // a failure is shown in place
    });
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::makeViewMenu()
{
    QMenu* view = menuBar()->addMenu(tr("&View"));
    auto* group = new QActionGroup(this);
    const std::pair<QString, ThemeChoice> choices[] = {{tr("&Follow the desktop"), ThemeChoice::FollowDesktop},
        {tr("&Light"), ThemeChoice::Light}, {tr("&Dark"), ThemeChoice::Dark}};
    const int chosen = m_context.settings ? m_context.settings->value(kThemeKey, 0).toInt() : 0;
    for (const auto& [name, choice] : choices) {
        QAction* action = view->addAction(name);
        action->setCheckable(true);
        action->setChecked(static_cast<int>(choice) == chosen);
        group->addAction(action);
        connect(action, &QAction::triggered, this,
            [this, choice = choice] { chooseTheme(choice, m_context.theme.isProjector()); });
    }
    view->addSeparator();
    m_projector = view->addAction(tr("&Projector"));
    m_projector->setShortcut(QKeySequence(tr("Ctrl+Shift+P")));
    m_projector->setCheckable(true);
    m_projector->setChecked(m_context.theme.isProjector());
    connect(m_projector, &QAction::toggled, this, [this](bool isOn) {
        const int choice = m_context.settings ? m_context.settings->value(kThemeKey, 0).toInt() : 0;
        chooseTheme(static_cast<ThemeChoice>(choice), isOn);
    });
    view->addSeparator();
    int number = 1;
    for (QWidget* page : m_bottom->pages()) {
        // The tenth page and those after it are reached by their tabs.
        const QKeySequence keys = number <= 9 ? QKeySequence(tr("Ctrl+%1").arg(number)) : QKeySequence();
        ++number;
        view->addAction(
            page->accessibleName(), keys, this, [this, name = page->objectName()] { m_bottom->showPage(name); });
    }
    view->addSeparator();
    view->addAction(tr("Full &screen"), QKeySequence(Qt::Key_F11), this,
        [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    view->addAction(tr("&Restore default layout"), QKeySequence(tr("Ctrl+0")), this, [this] {
        resize(usualSize());
        m_bottom->showPage(QStringLiteral("timeline"));
        m_bottom->showPage(QStringLiteral("tradeoff"));
        m_grid->grid().setGrouping(LayerGrouping::Automatic);
    });
}

void MainWindow::chooseTheme(ThemeChoice choice, bool isProjector)
{
    if (m_context.settings) {
        m_context.settings->setValue(kThemeKey, static_cast<int>(choice));
        m_context.settings->setValue(kProjectorKey, isProjector);
    }
    applyTheme(Theme::fromDesktop(QApplication::style()->standardPalette(), QFont(), choice, isProjector));
}

void MainWindow::makePlanMenu()
{
    QMenu* plan = menuBar()->addMenu(tr("&Plan"));
    plan->addAction(
        tr("&Next larger budget that buys time"), QKeySequence(tr("Ctrl+Right")), this, [this] { stepBudget(1); });
    plan->addAction(tr("&Previous budget"), QKeySequence(tr("Ctrl+Left")), this, [this] { stepBudget(-1); });
    plan->addAction(tr("&Least memory"), QKeySequence(tr("Ctrl+Home")), this, [this] {
        if (m_state.answer() && m_state.answer()->study)
            m_state.setBudget(m_state.answer()->leastPeak());
    });
    plan->addAction(tr("Keep &everything"), QKeySequence(tr("Ctrl+End")), this, [this] {
        if (m_state.answer() && m_state.answer()->study)
            m_state.setBudget(m_state.answer()->study->keepAllPeak());
    });
    plan->addSeparator();
    plan->addAction(tr("Wh&y this plan"), QKeySequence(tr("Ctrl+I")), this, &MainWindow::showWhy)
        ->setObjectName(QStringLiteral("why"));
    QAction* aside = plan->addAction(tr("Set as &B to compare with"), QKeySequence(tr("Ctrl+B")), this, [this] {
        m_bottom->comparison().putAsideShown();
        m_bottom->showPage(QStringLiteral("compare"));
    });
    aside->setObjectName(QStringLiteral("setAsB"));
    plan->addAction(
        tr("S&wap A and B"), QKeySequence(tr("Ctrl+Shift+B")), this, [this] { m_bottom->comparison().swap(); });
    plan->addSeparator();
    plan->addAction(tr("&Release all pins"), QKeySequence(tr("Ctrl+Shift+R")), this,
        [this] { m_state.setPin({}, tr("release pins")); });
}

void MainWindow::showWhy()
{
    // In a narrow window the details are a tab.
    m_bottom->showPage(m_details->objectName());
    m_details->showWhy();
}

void MainWindow::stepBudget(int direction)
{
    if (!m_state.answer() || !m_state.answer()->shown)
        return;
    const RulerView view = makeRulerView(m_state);
    const std::optional<Bytes> next
        = direction > 0 ? nextFrontierBudget(view, view.budget) : previousFrontierBudget(view, view.budget);
    if (next)
        m_state.setBudget(*next);
}

void MainWindow::makeHelpMenu()
{
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Keys"), QKeySequence(tr("Ctrl+/")), this, &MainWindow::showShortcuts);
    help->addAction(tr("&Diagnostics"), this, &MainWindow::showDiagnostics);
    help->addAction(tr("&About"), this, [this] {
        QMessageBox::about(this, tr("About RematScope"),
            tr("<b>RematScope %1</b><p>Where the memory of a Transformer training step goes, the cheapest way to make "
               "it fit, and a real run "
               "that proves it.</p><p>The window is free software under the GNU GPL, version 3.</p>")
                .arg(QApplication::applicationVersion()));
    });
}

void MainWindow::showShortcuts()
{
    QStringList lines;
    for (QAction* menu : menuBar()->actions())
        for (QAction* action : menu->menu()->actions())
            if (!action->shortcut().isEmpty())
                lines << QStringLiteral("%1\t%2").arg(
                    action->shortcut().toString(QKeySequence::NativeText), action->text().remove(u'&'));
    lines << tr(
        "Grid: arrows select; K keeps, R recomputes, A lets the planner decide, Space goes through the three; dragging "
        "along a row pins all cells like the last; + and \u2212 open and fold a row");
    lines << tr("Ruler: \u2190 and \u2192 go from plan to plan, with Shift by 0.1 GiB, Home and End to the ends");
    QMessageBox::information(this, tr("Keys"), lines.join(u'\n'));
}

void MainWindow::showDiagnostics()
{
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Diagnostics"));
    auto* text = new QPlainTextEdit;
    text->setReadOnly(true);
    QStringList lines{
        tr("RematScope %1, Qt %2").arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()))};
    for (const Device& device : m_state.devices().devices())
        lines << tr("%1: %2, %3")
                     .arg(QString::fromStdString(device.name), QString::fromStdString(device.title),
                         NumberFormat().bytes(device.memory));
    if (const QString gpus = m_gpus.explanation(); !gpus.isEmpty())
        lines << m_gpus.summary() << gpus;
    text->setPlainText(lines.join(u'\n'));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    connect(copy, &QPushButton::clicked, text, [text] { QApplication::clipboard()->setText(text->toPlainText()); });
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog->resize(640, 360);
    dialog->show();
}

} // namespace remat::ui
