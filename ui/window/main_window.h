// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QMainWindow>
#include <QSize>
#include <QString>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "core/cost/device.h"
#include "core/sweep/sweep_table.h"
#include "ui/export/export_panel.h"
#include "ui/run/run_controller.h"
#include "ui/state/explorer_state.h"
#include "ui/theme/theme.h"
#include "ui/window/chain_inquiry.h"
#include "ui/window/cpu_measuring.h"
#include "ui/window/gpu_inquiry.h"

class QAction;
class QBoxLayout;
class QMenu;
class QLabel;
class QPrinter;
class QSettings;

namespace remat::ui {

class AnswerCard;
class BottomTabs;
class DetailsPanel;
class GridCard;
class LessonDock;
class ModelPanel;

/// What the window is given from outside; a test passes its own.
struct WindowContext {
    DeviceCatalog devices;
    QSettings* settings = nullptr; ///< window state, recent files, theme; null: nothing is remembered
    QString sessionPath;           ///< where the last document is kept; empty: nowhere
    RunController::MakeLauncher makeLauncher;
    Theme theme;
    /// Measures this CPU anew, in about a second; a thread calls it.  Empty: not offered.
    std::function<Device()> measureCpu = {};
    /// What GPUs there are, as the worker says; a thread calls it.  Empty: not asked.
    GpuInquiry::Ask askGpus = {};
    /// This CPU with the times of a run's ops.  Error: the run was of another machine.  Empty: not offered.
    std::function<Result<Device>(const RunReport&)> measuredCpu = {};
    /// Where the person's own presets, devices and lessons lie; empty: nowhere.
    std::string configurationFolder = {};
};

/// The explorer's window: what the person chooses at the left, the answer in the middle, details at the right, charts
/// and tables below.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(WindowContext context, QWidget* parent = nullptr);
    ~MainWindow() override;

    ExplorerState& state() { return m_state; }
    RunController& runs() { return m_runs; }
    AnswerCard& answerCard() const { return *m_answer; }
    GridCard& gridCard() const { return *m_grid; }
    ModelPanel& modelPanel() const { return *m_model; }
    BottomTabs& bottomTabs() const { return *m_bottom; }
    LessonDock& lessons() const { return *m_lessons; }

    /// Opens a document, a plan, a report, or a Hugging Face config.json, by what the file is.  What is wrong with it
    /// is shown in the answer card; the document stays as it was, and the error is returned.  False: the person chose
    /// not to.
    Result<bool> openFile(const QString& path);
    bool saveDocument(const QString& path);
    /// JSON, CSV, Markdown or a Python module for PyTorch by the file's suffix; of PyTorch's step JSON or the module.
    bool exportPlan(const QString& path);
    /// What follows answers at its own pace catches up; a picture is about to be taken.
    void showNewestAnswer();
    /// PNG, SVG or PDF by the file's suffix; the whole window's content.
    Result<void> exportPicture(const QString& path);
    /// What can be taken out of the window, as it is now; valid while the window stays as it is.
    std::vector<ExportPanel> exportPanels() const;
    /// A panel as PNG, SVG or PDF, a table also as CSV, by the file's suffix.
    Result<void> exportPanelTo(const QString& name, const QString& path);
    void printPanel(const QString& name, QPrinter& printer);
    /// What --diagnostics prints and Help, Diagnostics shows.
    QString diagnostics() const;
    /// Reads the session that the last window left; false when there is none that can be read.
    bool restoreSession();
    void applyTheme(const Theme& theme);
    bool isWide() const { return m_isWide; }

public slots: // NOLINT(readability-redundant-access-specifiers): moc reads it
    void toggleRun();
    /// With the newest run of this step that tells what its ops took.
    void planWithMeasuredCosts();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeMenus();
    void makeFileMenu();
    void makeViewMenu();
    void makePlanMenu();
    void makeLessonMenu();
    void makeHelpMenu();
    void arrange();
    /// What the window starts with, and goes back to.
    QSize usualSize() const;
    void showStatus();
    void showTitle();
    void rememberFile(const QString& path);
    void forgetFile(const QString& path);
    void fillRecentMenu();
    void newDocument();
    /// Whether it was opened: the person may want to keep what is there.
    Result<bool> openText(const QString& path, const std::string& text);
    Result<bool> openDocument(const QString& path, const std::string& text);
    Result<bool> openPlan(const std::string& name, const std::string& text);
    Result<bool> openRegionPlan(const std::string& name, const std::string& text);
    Result<bool> openReport(const std::string& name, const std::string& text);
    Result<bool> openSweep(const std::string& name, const std::string& text);
    void openSweepPoint(const SweepPoint& point);
    Result<bool> openConfig(const QString& path, const std::string& text);
    Result<bool> openLesson(const QString& path);
    Result<bool> openChain(const std::string& name, const std::string& text);
    Result<bool> openModel(const std::string& name, const std::string& text);
    Result<bool> openDevice(const std::string& name, const std::string& text);
    /// Once the answer to an opened plan is there: is it that plan?
    void compareOpenedPlan();
    /// Asks what to do with unsaved edits before something else takes their place; the session keeps them on closing.
    bool mayReplace();
    bool mayClose();
    bool save();
    bool saveAs();
    /// Empty when the person cancels; `filters` as of QFileDialog, the first one's suffix is the default.
    QString chooseFileToWrite(const QString& title, const QString& suggested, const QStringList& filters);
    void chooseAndOpen(const QString& title, const QString& filter);
    void chooseTheme(ThemeChoice choice, bool isProjector);
    void stepBudget(int direction);
    void showWhy();
    void makeExportMenu(QMenu& file);
    SheetText sheetText() const;
    /// Does something while a page is the open one, then opens again what was open.
    void withPageOpen(const QString& name, const std::function<void()>& work);
    /// The panel in which the keyboard is; the board where it is in none.
    QString focusedPanel() const;
    void copyPicture();
    void copyTable();
    void askAndPrint();
    void chooseUnits(bool isDecimal);
    void showFitDialog();
    void showPresetDialog();
    void showDeviceDialog();
    void showLaunchDialog();
    void showKeys();
    void showPalette();
    void showDiagnostics();
    void reportError(const Error& error);
    void showNotice(const QString& text);
    bool saveSession();
    void putSessionAside(const Error& reason);

    /// What a plan file said, to compare with the answer that the window gives to its inputs.
    struct OpenedPlan {
        QString file;
        std::vector<KeepSet> keep;
        Bytes peak;
        quint64 generation = 0;
    };

    WindowContext m_context;
    ExplorerState m_state;
    RunController m_runs;
    CpuMeasuring m_cpuMeasuring;
    GpuInquiry m_gpus;
    ChainInquiry m_chains;
    QTimer m_autosave;
    QString m_path;
    std::optional<OpenedPlan> m_openedPlan; ///< until its answer is there
    bool m_isWide = true;
    ModelPanel* m_model;
    AnswerCard* m_answer;
    GridCard* m_grid;
    DetailsPanel* m_details;
    BottomTabs* m_bottom;
    LessonDock* m_lessons;
    QBoxLayout* m_columns;
    QLabel* m_solverStatus;
    QLabel* m_workerStatus;
    QMenu* m_recent = nullptr;
    QAction* m_projector = nullptr;
};

} // namespace remat::ui
