// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <QStyleFactory>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/gui/check_lesson.h"
#include "app/gui/platform.h"
#include "app/gui/screenshots.h"
#include "core/base/folders.h"
#include "core/run/cpu_calibration.h"
#include "core/run/cpu_profile.h"
#include "core/run/process_memory.h"
#include "core/run/this_machine.h"
#include "core/run/worker_client.h"
#include "ui/i18n/language.h"
#include "ui/theme/application_style.h"
#include "ui/theme/core_text.h"
#include "ui/theme/format.h"
#include "ui/window/main_window.h"
#include "ui/window/session_place.h"

namespace {

using namespace remat;

/// --language, before anything is said: the help that the parser prints is in it too.
QString languageOf(const QStringList& arguments)
{
    const QString flag = QStringLiteral("--language");
    for (qsizetype i = 1; i < arguments.size(); ++i) {
        if (arguments[i] == flag)
            return arguments.value(i + 1);
        if (arguments[i].startsWith(flag + u'='))
            return arguments[i].mid(flag.size() + 1);
    }
    return {};
}

int fail(const Error& error)
{
    std::fprintf(stderr, "rematscope: %s\n", qPrintable(ui::fullText(error)));
    return static_cast<int>(error.exitCode());
}

/// What the command line asks for twice or in two ways at once; empty when it is clear.
QString contradiction(const QCommandLineParser& parser, const QList<QCommandLineOption>& once)
{
    int drawings = 0;
    for (const QCommandLineOption& option : once)
        drawings += static_cast<int>(parser.values(option).size());
    return drawings > 1
        ? QCoreApplication::translate("main", "Give one of --export, --screenshots and --check-lesson, and once.")
        : QString();
}

/// Shows the window, lets the planner answer, and writes the panel.
int exportPanel(QApplication& application, ui::MainWindow& window, const QString& panel, const QString& path)
{
    QObject::connect(&window.state(), &ui::ExplorerState::answerChanged, &window, [&] {
        if (!window.state().answer()->isComplete || window.state().isBusy())
            return;
        // One turn of the event loop lays out and paints what the answer brought.
        QTimer::singleShot(0, &window, [&] {
            const Result<void> written = window.exportPanelTo(panel, path);
            application.exit(written ? 0 : fail(written.error()));
        });
    });
    window.resize(1440, 900);
    window.show();
    return application.exec();
}

} // namespace

int main(int argc, char** argv)
{
    // A file-size limit is then an error of the write, with its message, and not the end.
    std::signal(SIGXFSZ, SIG_IGN);
    configureAllocator(kWindowArenas);
    ui::choosePlatform(argc, argv);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("rematscope"));
    QApplication::setApplicationVersion(QStringLiteral(REMAT_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("rematscope"));

    const QString languageName = languageOf(QApplication::arguments());
    const QLocale language = languageName.isEmpty() ? QLocale() : QLocale(languageName);
    ui::useLanguage(language);

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Explorer for activation recomputation in Transformer training"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("file"),
        QCoreApplication::translate("main", "Documents, plans, reports or config.json files to open"),
        QStringLiteral("[file…]"));
    const QCommandLineOption exportOption(QStringLiteral("export"),
        QCoreApplication::translate("main",
            "Write the board, or the panel that is named before the file, as PNG, SVG or PDF, a table also as CSV, by "
            "the file's suffix, and end."),
        QStringLiteral("[panel] file"));
    const QCommandLineOption diagnosticsOption(QStringLiteral("diagnostics"),
        QCoreApplication::translate("main", "Print versions, devices and folders, and end."));
    const QCommandLineOption screenshotsOption(QStringLiteral("screenshots"),
        QCoreApplication::translate("main",
            "Write pictures of the window's states, or of those that are named, into a folder, say what looks wrong, "
            "and "
            "end."),
        QStringLiteral("folder"));
    const QCommandLineOption noRestoreOption(QStringLiteral("no-restore"),
        QCoreApplication::translate("main", "Start with the first example instead of the last session."));
    const QCommandLineOption languageOption(QStringLiteral("language"),
        QCoreApplication::translate("main", "Speak this language instead of the desktop's, for example zh_CN."),
        QStringLiteral("language"));
    const QCommandLineOption checkLessonOption(QStringLiteral("check-lesson"),
        QCoreApplication::translate(
            "main", "Read a lesson file, play it to its end without a screen, and say what is wrong with it."),
        QStringLiteral("lesson"));
    parser.addOptions(
        {exportOption, screenshotsOption, checkLessonOption, diagnosticsOption, noRestoreOption, languageOption});
    const bool isRead = parser.parse(QApplication::arguments());
    if (isRead && parser.isSet(QStringLiteral("version")))
        parser.showVersion();
    if (isRead && parser.isSet(QStringLiteral("help")))
        parser.showHelp();
    const QString mistake
        = isRead ? contradiction(parser, {exportOption, screenshotsOption, checkLessonOption}) : parser.errorText();
    if (!mistake.isEmpty()) {
        std::fprintf(stderr, "rematscope: %s %s\n", qPrintable(mistake),
            qPrintable(QCoreApplication::translate("main", "rematscope --help lists the flags.")));
        return static_cast<int>(ExitCode::Usage);
    }

    // "--export grid grid.svg gpt2.json": a word without a suffix names a panel, and the next one its file.
    QStringList files = parser.positionalArguments();
    QString panel = QStringLiteral("board"), picture = parser.value(exportOption);
    if (!picture.isEmpty() && QFileInfo(picture).suffix().isEmpty() && !files.isEmpty()) {
        panel = picture;
        picture = files.takeFirst();
    }
    const bool drawsFiles = parser.isSet(exportOption) || parser.isSet(screenshotsOption)
        || parser.isSet(checkLessonOption) || parser.isSet(diagnosticsOption);
    QSettings settings;
    if (!drawsFiles && settings.value(QStringLiteral("decimalUnits")).toBool())
        ui::useByteUnits(ByteUnits::Decimal);
    std::optional<ui::SessionPlace> session;
    if (!drawsFiles)
        session.emplace(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation));
    const auto themeChoice = static_cast<ui::ThemeChoice>(settings.value(QStringLiteral("theme"), 0).toInt());
    const QFont baseFont = QApplication::font();
    ui::WindowContext context{
        devices(configurationFolder()),
        drawsFiles ? nullptr : &settings,
        session ? session->path() : QString(),
        [](const WorkerLaunch& launch) { return std::make_unique<ui::WorkerLauncher>(launch); },
        ui::Theme::fromDesktop(
            QApplication::palette(), baseFont, themeChoice, settings.value(QStringLiteral("projector")).toBool()),
    };
    context.configurationFolder = configurationFolder();
    context.devices.add(thisCpuDevice(cacheFolder()));
    context.measuredCpu = [](const RunReport& report) {
        return profiledDevice(report, thisCpu(cacheFolder()), installedMemory().value_or(Bytes{1}));
    };
    if (!drawsFiles) {
        context.askGpus
            = [](const std::stop_token& stop) { return askWorkerForGpus({workerPathBesideThisProgram()}, stop); };
        context.measureCpu = [] {
            const CpuMeasurement measurement = measureCpu(usableThreads());
            (void)writeCosts(thisCpuCostsPath(cacheFolder()), measurement); // else the next start measures again
            return thisCpuDevice(cacheFolder());
        };
    }

    // Before the first widget is made: what is made under another font keeps parts of it.
    ui::applyTheme(application, context.theme);
    if (parser.isSet(screenshotsOption))
        return ui::writeScreenshots(context, baseFont, parser.value(screenshotsOption), files);
    if (parser.isSet(checkLessonOption))
        return ui::checkLesson(context, parser.value(checkLessonOption));
    ui::MainWindow window(context);
    if (parser.isSet(diagnosticsOption)) {
        std::printf("%s\n", qPrintable(window.diagnostics()));
        return 0;
    }
    if (files.isEmpty() && !parser.isSet(noRestoreOption))
        window.restoreSession();
    for (const QString& file : files)
        if (const Result<bool> opened = window.openFile(file); !opened && drawsFiles)
            return fail(opened.error());
    if (parser.isSet(exportOption))
        return exportPanel(application, window, panel, picture);
    window.show();
    return QApplication::exec();
}
