// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// Menus of the main window; every action can be reached by key.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMenuBar>
#include <QSettings>
#include <QStyle>

#include "ui/panels/bottom_tabs.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/grid_card.h"
#include "ui/state/answer_views.h"
#include "ui/state/comparison.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

const QString kThemeKey = QStringLiteral("theme");
const QString kProjectorKey = QStringLiteral("projector");
const QString kDecimalUnitsKey = QStringLiteral("decimalUnits");

/// Every action says in the status bar what it does.
QAction* told(QAction* action, const QString& tip)
{
    action->setStatusTip(tip);
    return action;
}

} // namespace

void MainWindow::makeMenus()
{
    makeFileMenu();
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = m_state.undoStack().createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = m_state.undoStack().createRedoAction(this, tr("Redo"));
    redo->setShortcut(QKeySequence::Redo);
    told(undo, tr("Takes the last edit back."));
    told(redo, tr("Does what was taken back again."));
    edit->addActions({undo, redo});
    edit->addSeparator();
    told(edit->addAction(tr("Copy &picture"), QKeySequence(tr("Ctrl+Shift+C")), this, &MainWindow::copyPicture),
        tr("Copies the panel that has the focus, or the board, with title and configuration."));
    told(edit->addAction(tr("Copy &table"), QKeySequence(tr("Ctrl+Alt+C")), this, &MainWindow::copyTable),
        tr("Copies the table that has the focus, or the open one, for a spreadsheet."));
    makeViewMenu();
    makePlanMenu();
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    told(run->addAction(tr("&Run for real"), QKeySequence(Qt::Key_F5), this,
             [this] {
                 if (!m_runs.isRunning())
                     toggleRun();
             }),
        tr("Trains a step of the plan shown, here or where the field Where says, and measures it."));
    told(run->addAction(tr("&Stop"), QKeySequence(Qt::SHIFT | Qt::Key_F5), this, [this] { m_runs.stop(); }),
        tr("Ends the run under way."));
    QAction* places = run->addAction(tr("&Launch profiles\u2026"), this, &MainWindow::showLaunchDialog);
    places->setObjectName(QStringLiteral("launchProfiles"));
    told(places, tr("Says how a run starts elsewhere, by ssh or through Slurm; in your configuration folder."));
    if (m_context.measuredCpu) {
        QAction* plan = run->addAction(tr("&Plan with measured costs"), this, &MainWindow::planWithMeasuredCosts);
        plan->setObjectName(QStringLiteral("planWithMeasuredCosts"));
        told(plan, tr("Times each operation as the last run of this step did."));
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
        told(measure, tr("Measures rates and bandwidth anew, in about a second; plans for this CPU follow."));
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
    told(file->addAction(tr("&New"), QKeySequence::New, this, &MainWindow::newDocument),
        tr("Starts from the first example."));
    told(file->addAction(tr("&Open\u2026"), QKeySequence::Open, this,
             [this] { chooseAndOpen(tr("Open"), tr("Documents, plans, reports, lessons, config.json (*.json)")); }),
        tr("Opens any file of the project, or a Hugging Face config.json; dropping it on the window does the same."));
    m_recent = file->addMenu(tr("Open &recent"));
    fillRecentMenu();
    file->addSeparator();
    told(file->addAction(tr("&Save"), QKeySequence::Save, this, &MainWindow::save),
        tr("Saves model, step, budget, strategy, pins and view as a document."));
    told(file->addAction(tr("Save &as\u2026"), QKeySequence::SaveAs, this, &MainWindow::saveAs),
        tr("Saves the document under another name."));
    file->addSeparator();
    told(file->addAction(tr("Export &plan\u2026"), QKeySequence(tr("Ctrl+E")), this,
             [this] {
                 const QString path = chooseFileToWrite(tr("Export plan"), QStringLiteral("plan.json"),
                     {tr("Plan (*.json)"), tr("Python module for PyTorch (*.py)"), tr("Table of layers (*.csv)"),
                         tr("Report in Markdown (*.md)")});
                 if (!path.isEmpty())
                     exportPlan(path);
             }),
        tr("Writes the plan shown: as a file that can be verified and run, as code for PyTorch, as a table, or as a "
           "report."));
    told(file->addAction(tr("Export p&icture\u2026"), QKeySequence(tr("Ctrl+Shift+E")), this,
             [this] {
                 const QString path = chooseFileToWrite(tr("Export picture"), QStringLiteral("board.png"),
                     {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)")});
                 if (!path.isEmpty())
                     (void)exportPicture(path); // a failure is shown in place
             }),
        tr("Writes the whole board with title and configuration."));
    makeExportMenu(*file);
    told(file->addAction(tr("Prin&t\u2026"), QKeySequence::Print, this, &MainWindow::askAndPrint),
        tr("Prints the panel that has the focus, or the board."));
    file->addSeparator();
    told(file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close),
        tr("Closes the window; what is open comes back at the next start."));
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
        told(action, tr("Chooses the colours of the window."));
        group->addAction(action);
        connect(action, &QAction::triggered, this,
            [this, choice = choice] { chooseTheme(choice, m_context.theme.isProjector()); });
    }
    view->addSeparator();
    m_projector = view->addAction(tr("&Projector"));
    m_projector->setShortcut(QKeySequence(tr("Ctrl+Shift+P")));
    m_projector->setObjectName(QStringLiteral("projector"));
    m_projector->setCheckable(true);
    told(m_projector, tr("Everything 1.5 times as large, for the back rows."));
    QAction* decimal = view->addAction(tr("Sizes in &GB instead of GiB"));
    decimal->setObjectName(QStringLiteral("decimalUnits"));
    decimal->setCheckable(true);
    decimal->setChecked(byteUnits() == ByteUnits::Decimal);
    told(decimal, tr("Powers of 1000 (kB, MB, GB) instead of 1024 (KiB, MiB, GiB), everywhere in the window."));
    connect(decimal, &QAction::toggled, this, &MainWindow::chooseUnits);
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
        told(view->addAction(
                 page->accessibleName(), keys, this, [this, name = page->objectName()] { m_bottom->showPage(name); }),
            tr("Opens this tab."));
    }
    view->addSeparator();
    QAction* play = told(view->addAction(tr("Pl&ay the step"), QKeySequence(tr("Ctrl+Space")), this,
                             [this] {
                                 m_bottom->showPage(QStringLiteral("timeline"));
                                 m_bottom->playback().toggle();
                             }),
        tr("Plays forward and backward over the timeline and the grid, or pauses."));
    play->setObjectName(QStringLiteral("playStep"));
    told(view->addAction(
             tr("One operation &on"), QKeySequence(tr("Ctrl+.")), this, [this] { m_bottom->playback().stepBy(1); }),
        tr("Goes to the next operation of the step."));
    told(view->addAction(
             tr("One operation &back"), QKeySequence(tr("Ctrl+,")), this, [this] { m_bottom->playback().stepBy(-1); }),
        tr("Goes to the operation before."));
    view->addSeparator();
    told(view->addAction(tr("Full &screen"), QKeySequence(Qt::Key_F11), this,
             [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); }),
        tr("The window alone, and back."));
    told(view->addAction(tr("&Restore default layout"), QKeySequence(tr("Ctrl+0")), this,
             [this] {
                 resize(usualSize());
                 m_bottom->showPage(QStringLiteral("timeline"));
                 m_bottom->showPage(QStringLiteral("tradeoff"));
                 m_grid->grid().setGrouping(LayerGrouping::Automatic);
             }),
        tr("Size, tabs and grid as at the first start."));
}

void MainWindow::chooseTheme(ThemeChoice choice, bool isProjector)
{
    if (m_context.settings) {
        m_context.settings->setValue(kThemeKey, static_cast<int>(choice));
        m_context.settings->setValue(kProjectorKey, isProjector);
    }
    applyTheme(
        Theme::fromDesktop(QApplication::style()->standardPalette(), m_context.theme.base(), choice, isProjector));
}

void MainWindow::chooseUnits(bool isDecimal)
{
    useByteUnits(isDecimal ? ByteUnits::Decimal : ByteUnits::Binary);
    if (m_context.settings)
        m_context.settings->setValue(kDecimalUnitsKey, isDecimal);
    // Views keep what they printed until they are told that words mean something else now.
    for (QWidget* widget : findChildren<QWidget*>()) {
        QEvent event(QEvent::LanguageChange);
        QApplication::sendEvent(widget, &event);
        widget->update();
    }
    m_state.announce();
}

void MainWindow::makePlanMenu()
{
    QMenu* plan = menuBar()->addMenu(tr("&Plan"));
    QAction* fit = told(plan->addAction(tr("&Fit my model on my GPU\u2026"), QKeySequence(tr("Ctrl+G")), this,
                            &MainWindow::showFitDialog),
        tr("Three fields: model, GPU, batch; the budget follows from the card."));
    fit->setObjectName(QStringLiteral("fitModel"));
    plan->addSeparator();
    told(plan->addAction(
             tr("&Next larger budget that buys time"), QKeySequence(tr("Ctrl+Right")), this, [this] { stepBudget(1); }),
        tr("Goes to the next plan of the frontier with more memory."));
    told(plan->addAction(tr("&Previous budget"), QKeySequence(tr("Ctrl+Left")), this, [this] { stepBudget(-1); }),
        tr("Goes to the next plan of the frontier with less memory."));
    told(plan->addAction(tr("&Least memory"), QKeySequence(tr("Ctrl+Home")), this,
             [this] {
                 if (m_state.answer() && m_state.answer()->hasPlan())
                     m_state.setBudget(m_state.answer()->leastPeak());
             }),
        tr("The smallest budget that any plan meets."));
    told(plan->addAction(tr("Keep &everything"), QKeySequence(tr("Ctrl+End")), this,
             [this] {
                 if (m_state.answer() && m_state.answer()->hasPlan())
                     m_state.setBudget(m_state.answer()->keepAllPeak());
             }),
        tr("The budget at which nothing is recomputed."));
    plan->addSeparator();
    told(plan->addAction(tr("Wh&y this plan"), QKeySequence(tr("Ctrl+I")), this, &MainWindow::showWhy),
        tr("What sets the peak, term by term, and what more or less budget would change."))
        ->setObjectName(QStringLiteral("why"));
    told(plan->addAction(tr("Set as &B to compare with"), QKeySequence(tr("Ctrl+B")), this,
             [this] {
                 m_bottom->comparison().putAsideShown();
                 m_bottom->showPage(QStringLiteral("compare"));
             }),
        tr("Puts the plan shown aside; the tab Compare holds it against what is shown from now on."))
        ->setObjectName(QStringLiteral("setAsB"));
    told(plan->addAction(
             tr("S&wap A and B"), QKeySequence(tr("Ctrl+Shift+B")), this, [this] { m_bottom->comparison().swap(); }),
        tr("Exchanges the two sides of the comparison."));
    plan->addSeparator();
    told(plan->addAction(tr("&Release all pins"), QKeySequence(tr("Ctrl+Shift+R")), this,
             [this] { m_state.setPin({}, tr("release pins")); }),
        tr("Leaves every cell to the planner again."));
    plan->addSeparator();
    told(plan->addAction(tr("Save model as pre&set\u2026"), this, &MainWindow::showPresetDialog),
        tr("Keeps the shape shown under a name, in your configuration folder."))
        ->setObjectName(QStringLiteral("savePreset"));
    QAction* device = told(plan->addAction(tr("E&dit device\u2026"), this, &MainWindow::showDeviceDialog),
        tr("Changes memory and rates of the device chosen, or makes another of it, in your configuration folder."));
    device->setObjectName(QStringLiteral("editDevice"));
}

void MainWindow::showWhy()
{
    // In a narrow window the details are a tab.
    m_bottom->showPage(m_details->objectName());
    m_details->showWhy();
}

void MainWindow::stepBudget(int direction)
{
    if (!m_state.answer() || !m_state.answer()->hasPlan())
        return;
    const RulerView view = makeRulerView(m_state);
    const std::optional<Bytes> next
        = direction > 0 ? nextFrontierBudget(view, view.budget) : previousFrontierBudget(view, view.budget);
    if (next)
        m_state.setBudget(*next);
}

} // namespace remat::ui
