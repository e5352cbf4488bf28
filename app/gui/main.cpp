// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <QStyleFactory>
#include <QTimer>
#include <cstdio>
#include <memory>

#include "app/gui/screenshots.h"
#include "core/run/cpu_calibration.h"
#include "core/run/this_machine.h"
#include "ui/i18n/language.h"
#include "ui/window/main_window.h"

namespace {

using namespace remat;

/// Pictures and checks need no screen: without one, Qt's offscreen platform draws.
void choosePlatform(int argc, char** argv)
{
    bool drawsFiles = false;
    for (int i = 1; i < argc; ++i)
        drawsFiles = drawsFiles || QByteArray(argv[i]).startsWith("--export")
            || QByteArray(argv[i]).startsWith("--screenshots") || QByteArray(argv[i]) == "--version"
            || QByteArray(argv[i]) == "--help";
    const bool hasScreen = !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
    if (drawsFiles && !hasScreen && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

QString folderFor(QStandardPaths::StandardLocation location)
{
    const QString folder = QStandardPaths::writableLocation(location);
    QDir().mkpath(folder);
    return folder;
}

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

/// Shows the window, lets the planner answer, and writes the picture.
int exportBoard(QApplication& application, ui::MainWindow& window, const QString& path)
{
    QObject::connect(&window.state(), &ui::ExplorerState::answerChanged, &window, [&] {
        if (!window.state().answer()->isComplete || window.state().isBusy())
            return;
        // One turn of the event loop lays out and paints what the answer brought.
        QTimer::singleShot(0, &window, [&] { application.exit(window.exportPicture(path) ? 0 : 3); });
    });
    window.resize(1440, 900);
    window.show();
    return application.exec();
}

} // namespace

int main(int argc, char** argv)
{
    choosePlatform(argc, argv);
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
        QCoreApplication::translate("main", "Write a picture of the board (PNG, SVG or PDF by its suffix) and end."),
        QStringLiteral("picture"));
    const QCommandLineOption screenshotsOption(QStringLiteral("screenshots"),
        QCoreApplication::translate("main", "Write pictures of the window's states into a folder and end."),
        QStringLiteral("folder"));
    const QCommandLineOption noRestoreOption(QStringLiteral("no-restore"),
        QCoreApplication::translate("main", "Start with the first example instead of the last session."));
    const QCommandLineOption languageOption(QStringLiteral("language"),
        QCoreApplication::translate("main", "Speak this language instead of the desktop's, for example zh_CN."),
        QStringLiteral("language"));
    parser.addOptions({exportOption, screenshotsOption, noRestoreOption, languageOption});
    parser.process(application);

    const bool drawsFiles = parser.isSet(exportOption) || parser.isSet(screenshotsOption);
    QSettings settings;
    const auto themeChoice = static_cast<ui::ThemeChoice>(settings.value(QStringLiteral("theme"), 0).toInt());
    const QFont baseFont = QApplication::font();
    ui::WindowContext context{
        devices(QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation).toStdString()),
        drawsFiles ? nullptr : &settings,
        drawsFiles ? QString() : folderFor(QStandardPaths::AppDataLocation) + QStringLiteral("/session.json"),
        [] {
            return std::make_unique<ui::ProcessLauncher>(
                QCoreApplication::applicationDirPath() + QStringLiteral("/remat-worker"));
        },
        ui::Theme::fromDesktop(
            QApplication::palette(), baseFont, themeChoice, settings.value(QStringLiteral("projector")).toBool()),
    };
    const std::string cacheFolder = folderFor(QStandardPaths::CacheLocation).toStdString();
    context.devices.add(thisCpuDevice(cacheFolder));
    if (!drawsFiles)
        context.measureCpu = [cacheFolder] {
            const CpuMeasurement measurement = measureCpu(usableThreads());
            (void)writeCosts(thisCpuCostsPath(cacheFolder), measurement); // else it is measured again at the next start
            return thisCpuDevice(cacheFolder);
        };

    if (parser.isSet(screenshotsOption))
        return ui::writeScreenshots(application, context, baseFont, parser.value(screenshotsOption));
    ui::MainWindow window(context);
    const QStringList files = parser.positionalArguments();
    if (files.isEmpty() && !parser.isSet(noRestoreOption))
        window.restoreSession();
    for (const QString& file : files)
        if (!window.openFile(file) && drawsFiles) {
            std::fprintf(stderr, "rematscope: %s cannot be opened\n", qPrintable(file));
            return 3;
        }
    if (parser.isSet(exportOption))
        return exportBoard(application, window, parser.value(exportOption));
    window.show();
    return QApplication::exec();
}
