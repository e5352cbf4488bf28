// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QVBoxLayout>

#include "core/run/local_plan.h"
#include "core/run/process_memory.h"
#include "ui/forms/inline_strip.h"
#include "ui/lessons/lesson_dock.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/grid_card.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/sweep_panel.h"
#include "ui/state/answer_views.h"
#include "ui/theme/application_style.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

constexpr int kWideFrom = 1200; ///< below, the details become a tab
constexpr int kTallFrom = 800;  ///< below, the bottom is lower
constexpr int kStateVersion = 1;
constexpr int kAutosaveMilliseconds = 300; ///< after the last edit, so that a drag writes once
const QString kPlaceKey = QStringLiteral("launchProfile");

} // namespace

MainWindow::MainWindow(WindowContext context, QWidget* parent)
    : QMainWindow(parent),
      m_context(std::move(context)),
      m_state(m_context.devices),
      m_runs(m_context.makeLauncher),
      m_cpuMeasuring(m_context.measureCpu),
      m_gpus(m_context.askGpus)
{
    const Theme& theme = m_context.theme;
    setAcceptDrops(true);
    m_model = new ModelPanel(m_state, m_runs, m_context.configurationFolder, theme);
    m_answer = new AnswerCard(m_state, theme);
    m_grid = new GridCard(m_state, theme);
    m_details = new DetailsPanel(m_state, theme);
    m_bottom = new BottomTabs(m_state, m_runs, theme);

    auto* middle = new QVBoxLayout;
    middle->addWidget(m_answer);
    middle->addWidget(m_grid, 1);
    middle->addWidget(m_bottom);
    auto* central = new QWidget;
    m_columns = new QHBoxLayout(central);
    m_columns->addWidget(m_model);
    m_columns->addLayout(middle, 1);
    m_columns->addWidget(m_details);
    setCentralWidget(central);

    m_lessons = new LessonDock(m_state, m_runs, m_context.configurationFolder, theme, this);
    addDockWidget(Qt::RightDockWidgetArea, m_lessons);
    m_solverStatus = new QLabel;
    m_workerStatus = new QLabel;
    m_workerStatus->setObjectName(QStringLiteral("workerStatus"));
    statusBar()->addWidget(m_solverStatus, 1);
    statusBar()->addPermanentWidget(m_workerStatus);
    makeMenus();

    connect(m_answer, &AnswerCard::staleChanged, m_grid, &GridCard::setStale);
    connect(m_answer, &AnswerCard::whyRequested, this, &MainWindow::showWhy);
    connect(m_model, &ModelPanel::openConfigRequested, this,
        [this] { chooseAndOpen(tr("Open config.json"), tr("Hugging Face configuration (*.json)")); });
    connect(m_model, &ModelPanel::runRequested, this, &MainWindow::toggleRun);
    connect(&m_runs, &RunController::machineChanged, this, [this] {
        if (m_context.settings)
            m_context.settings->setValue(kPlaceKey, m_runs.place());
    });
    connect(m_bottom, &BottomTabs::runRequested, this, &MainWindow::toggleRun);
    connect(&m_bottom->sweep(), &SweepPanel::chosen, this, &MainWindow::openSweepPoint);
    connect(m_bottom, &BottomTabs::measuredCostsRequested, this, &MainWindow::planWithMeasuredCosts);
    m_bottom->setOffersMeasuredCosts(static_cast<bool>(m_context.measuredCpu));
    connect(&m_state, &ExplorerState::answerChanged, this, &MainWindow::showStatus);
    connect(&m_state, &ExplorerState::answerChanged, this, &MainWindow::compareOpenedPlan);
    connect(&m_state, &ExplorerState::noticed, this, &MainWindow::showNotice);
    connect(&m_cpuMeasuring, &CpuMeasuring::runningChanged, this, &MainWindow::showStatus);
    connect(&m_chains, &ChainInquiry::answered, this,
        [this](const ChainSummary& summary) { showNotice(sentenceOf(summary)); });
    connect(&m_gpus, &GpuInquiry::answered, this, [this] {
        m_runs.setGpu(m_gpus.gpu(), m_gpus.explanation());
        showStatus();
    });
    connect(&m_cpuMeasuring, &CpuMeasuring::measured, this, [this](const Device& device) {
        m_state.replaceDevice(device);
        m_bottom->log(tr("this CPU was measured again"), false);
    });
    m_autosave.setSingleShot(true);
    m_autosave.setInterval(kAutosaveMilliseconds);
    connect(&m_autosave, &QTimer::timeout, this, &MainWindow::saveSession);
    connect(&m_state, &ExplorerState::inputsChanged, &m_autosave, qOverload<>(&QTimer::start));
    connect(&m_runs, &RunController::runsChanged, this, &MainWindow::showStatus);
    connect(&m_state.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::showTitle);
    applyTheme(theme);
    resize(usualSize());
    if (m_context.settings) {
        restoreGeometry(m_context.settings->value(QStringLiteral("geometry")).toByteArray());
        restoreState(m_context.settings->value(QStringLiteral("state")).toByteArray(), kStateVersion);
    }
    arrange();
    if (m_context.settings)
        for (const QString& page : m_context.settings->value(QStringLiteral("openPages")).toStringList())
            m_bottom->showPage(page);
    if (m_context.settings)
        if (const QString place = m_context.settings->value(kPlaceKey).toString();
            findLaunchProfile(place.toStdString(), m_context.configurationFolder))
            m_runs.setPlace(place);
    showTitle();
    showStatus();
}

MainWindow::~MainWindow() = default;

void MainWindow::applyTheme(const Theme& theme)
{
    m_context.theme = theme;
    if (auto* application = qobject_cast<QApplication*>(QApplication::instance()))
        ui::applyTheme(*application, theme);
    const int gap = static_cast<int>(theme.px(8));
    m_columns->setContentsMargins(gap, gap, gap, gap);
    m_columns->setSpacing(gap);
    m_columns->itemAt(1)->layout()->setSpacing(gap);
    m_model->setTheme(theme);
    m_answer->setTheme(theme);
    m_grid->setTheme(theme);
    m_details->setTheme(theme);
    m_bottom->setTheme(theme);
    m_lessons->setTheme(theme);
    statusBar()->setContentsMargins(gap, 0, gap, 0);
    m_model->setFixedWidth(static_cast<int>(theme.px(236)));
    m_details->setFixedWidth(static_cast<int>(theme.px(256)));
    arrange();
}

void MainWindow::arrange()
{
    const Theme& theme = m_context.theme;
    // The lesson's dock takes its width from the columns.
    const int columns = width() - (m_lessons->player().isPlaying() ? m_lessons->sizeHint().width() : 0);
    const bool isWide = columns >= theme.px(kWideFrom);
    if (isWide != m_isWide) {
        m_isWide = isWide;
        if (isWide) {
            m_bottom->arrange(true, nullptr);
            m_details->setFixedWidth(static_cast<int>(theme.px(256)));
            m_columns->addWidget(m_details);
            m_details->show();
        } else {
            m_columns->removeWidget(m_details);
            m_details->setMinimumWidth(0);
            m_details->setMaximumWidth(QWIDGETSIZE_MAX);
            m_bottom->arrange(false, m_details);
        }
    }
    m_bottom->setFixedHeight(static_cast<int>(theme.px(height() >= theme.px(kTallFrom) ? 264 : 204)));
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    arrange();
}

QSize MainWindow::usualSize() const
{
    // All three columns; with room for the frame on a smaller screen.
    return QSize(1440, 900).boundedTo(screen()->availableSize() * 0.94);
}

void MainWindow::showStatus()
{
    const Answer* answer = m_state.answer();
    if (answer && answer->regions) {
        m_solverStatus->setText(tr("solved in %1 \u00b7 regions, every plan simulated whole \u00b7 profile: PyTorch")
                                    .arg(NumberFormat().duration(answer->solveTime)));
    } else if (answer && answer->study) {
        const NumberFormat format;
        QString quality = answer->isExact() ? tr("exact") : tr("within %1 of exact").arg(format.percent(answer->gap()));
        if (answer->nested)
            quality += QStringLiteral(" (%1)").arg(QLatin1String(nameOf(answer->nested->solvedClass())));
        else if (m_state.inputs().strategy.kind == Strategy::Kind::OptimalNested && !answer->isComplete)
            quality += QStringLiteral(" \u00b7 ") + tr("solving with layers that run again");
        m_solverStatus->setText(
            tr("solved in %1 \u00b7 %2 \u00b7 profile: own run").arg(format.duration(answer->solveTime), quality));
    } else {
        m_solverStatus->setText(tr("solving"));
    }
    QStringList worker{m_cpuMeasuring.isRunning() ? tr("measuring this CPU")
            : m_runs.isRunning()                  ? tr("worker: %1").arg(m_runs.runs().back().row.stage)
                                                  : tr("worker idle")};
    if (const QString gpus = m_gpus.summary(); !gpus.isEmpty())
        worker << gpus;
    m_workerStatus->setText(worker.join(QStringLiteral(" \u00b7 ")));
    m_workerStatus->setToolTip(m_gpus.explanation());
}

void MainWindow::showTitle()
{
    const QString name = m_path.isEmpty() ? tr("untitled") : QFileInfo(m_path).fileName();
    setWindowTitle(QStringLiteral("%1[*] \u2013 RematScope").arg(name));
    setWindowModified(!m_state.undoStack().isClean());
}

void MainWindow::toggleRun()
{
    if (m_runs.isRunning()) {
        m_runs.stop();
        return;
    }
    const Answer* answer = m_state.answer();
    if (answer && answer->regions)
        return showNotice(tr("A step of PyTorch is not run here; the profile \"own run\" is."));
    if (!answer || !answer->shown || answer->inputError)
        return;
    m_bottom->showPage(QStringLiteral("runs"));
    RunRequest request{.plan = answer->shown->plan};
    request.checksGradients = true;
    const QString title
        = tr("%1, %2").arg(strategyTitle(request.plan.strategy), NumberFormat().bytes(request.plan.prediction.peak));
    if (!m_runs.place().isEmpty()) {
        // Read anew: what the file says now is what the command line would do.
        const Result<LaunchProfile> profile
            = findLaunchProfile(m_runs.place().toStdString(), m_context.configurationFolder);
        request.machine = m_runs.machine();
        return profile ? m_runs.startElsewhere(request, title, *profile) : reportError(profile.error());
    }
    const Device thisCpu = m_state.devices().find(kThisCpu).value();
    request.machine = m_runs.machine();
    Bytes available = usableMemory().value_or(thisCpu.memory);
    if (request.machine == RunMachine::Cpu && m_state.device().kind == DeviceKind::Cpu)
        request.device = timedFor(request.plan, thisCpu);
    if (request.machine == RunMachine::Cuda && m_runs.gpu()) {
        request.device = timedFor(request.plan, *m_runs.gpu());
        available = m_runs.gpu()->free;
    }
    m_runs.start(request, title, available);
}

void MainWindow::planWithMeasuredCosts()
{
    const RunReport* report = m_runs.lastTimesOf(m_state.inputs().shape, m_state.inputs().setup);
    if (!report || !m_context.measuredCpu)
        return;
    Result<Device> device = m_context.measuredCpu(*report);
    if (!device)
        return reportError(device.error());
    if (report->machineKind == RunMachine::Cuda && m_runs.gpu())
        device->memory = m_runs.gpu()->memory;
    m_state.useMeasuredCpu(*device);
    showNotice(tr("Times are now those that the run measured, operation by operation; others follow their kind. "
                  "Undo, or another device, leads back."));
}

void MainWindow::reportError(const Error& error)
{
    m_answer->showNotice(StripKind::Error, fullText(error));
    m_bottom->log(fullText(error), true);
}

void MainWindow::showNotice(const QString& text)
{
    m_answer->showNotice(StripKind::Info, text);
    m_bottom->log(text, false);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_lessons->player().stop(); // the person's own document is what there is to save
    if (!mayClose()) {
        event->ignore();
        return;
    }
    saveSession();
    if (m_context.settings) {
        m_context.settings->setValue(QStringLiteral("geometry"), saveGeometry());
        m_context.settings->setValue(QStringLiteral("state"), saveState(kStateVersion));
        m_context.settings->setValue(QStringLiteral("openPages"), m_bottom->openPages());
    }
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    for (const QUrl& url : urls)
        if (url.isLocalFile())
            (void)openFile(url.toLocalFile()); // what is wrong is shown in place
}

} // namespace remat::ui
