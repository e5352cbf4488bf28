// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "app/gui/platform.h"

#include <QByteArray>
#include <QString>
#include <QtGlobal>
#include <cstdio>
#include <cstdlib>

#include "core/base/message.h"

namespace remat::ui {

namespace {

QtMessageHandler previousHandler = nullptr;

void tellPlainly(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    // Said on every start without a desktop; it means nothing to a person.  Of a display that cannot be reached, what
    // comes last says all.
    for (const char* noise : {"propagateSizeHints", "XDG_RUNTIME_DIR not set", "could not connect to display",
             "Could not load the Qt platform plugin"})
        if (text.contains(QLatin1String(noise)))
            return;
    if (type == QtFatalMsg && text.contains(QLatin1String("platform plugin"))) {
        std::fprintf(stderr,
            "rematscope: no window can be opened here: no display answers. Set DISPLAY or "
            "WAYLAND_DISPLAY; --export board.png and the command line remat need none.\n");
        std::_Exit(static_cast<int>(ExitCode::DeviceError));
    }
    previousHandler(type, context, text);
}

} // namespace

void choosePlatform(int argc, char** argv)
{
    bool needsNoScreen = false;
    for (int i = 1; i < argc; ++i) {
        const QByteArray word(argv[i]);
        needsNoScreen = needsNoScreen || word.startsWith("--export") || word.startsWith("--screenshots")
            || word.startsWith("--check-lesson") || word == "--diagnostics" || word == "--version" || word == "-v"
            || word == "--help" || word == "-h";
    }
    if (needsNoScreen)
        qputenv("QT_QPA_PLATFORM", "offscreen");
    previousHandler = qInstallMessageHandler(tellPlainly);
}

} // namespace remat::ui
