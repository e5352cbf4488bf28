// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "app/gui/screenshots.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QStyle>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "app/gui/contact_sheet.h"
#include "app/gui/window_states.h"
#include "core/base/message.h"
#include "ui/looks/look_faults.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

int complain(const QString& sentence)
{
    std::fprintf(stderr, "rematscope: %s\n", qPrintable(sentence));
    return static_cast<int>(ExitCode::BadInput);
}

/// The states of those names, all where none is given; the first name that there is not goes to `unknown`.
std::vector<WindowState> statesNamed(const QStringList& names, QString& unknown)
{
    std::vector<WindowState> all = planStates();
    for (WindowState& state : otherStates())
        all.push_back(std::move(state));
    for (const QString& name : names)
        if (std::none_of(all.begin(), all.end(), [&](const WindowState& state) { return state.name == name; }))
            unknown = name;
    if (!names.isEmpty())
        std::erase_if(all, [&](const WindowState& state) { return !names.contains(state.name); });
    return all;
}

} // namespace

int writeScreenshots(
    const WindowContext& context, const QFont& baseFont, const QString& folder, const QStringList& names)
{
    QString unknown;
    const std::vector<WindowState> states = statesNamed(names, unknown);
    if (!unknown.isEmpty())
        return complain(QCoreApplication::translate("main", "There is no state %1 of the window.").arg(unknown));
    if (!QDir().mkpath(folder))
        return complain(QCoreApplication::translate("main", "The folder %1 cannot be made.").arg(folder));
    int faults = 0;
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        const QString tone = choice == ThemeChoice::Dark ? QStringLiteral("dark") : QStringLiteral("light");
        std::vector<Thumbnail> thumbnails;
        QString scale;
        const auto save = [&](const QString& name, const QImage& picture) {
            return picture.save(QStringLiteral("%1/%2-%3%4.png").arg(folder, name, tone, scale));
        };
        for (const WindowState& state : states) {
            WindowContext own = context;
            own.theme
                = Theme::fromDesktop(QApplication::style()->standardPalette(), baseFont, choice, state.isProjector);
            if (state.surround)
                state.surround(own);
            MainWindow window(own);
            window.resize(state.size);
            window.show();
            state.prepare(window);
            if (state.isMoment) {
                // What is shown is laid out, and nothing that is under way arrives.
                QApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            } else {
                if (!waitForAnswer(window))
                    return complain(QCoreApplication::translate("main", "The state %1 has no answer.").arg(state.name));
                // What the events bring is shown too, and then laid out.
                QApplication::processEvents();
                window.showNewestAnswer();
                QApplication::processEvents();
            }
            QWidget* dialog = window.findChild<QDialog*>();
            QWidget& shown = dialog ? *dialog : static_cast<QWidget&>(window);
            const QImage picture = shown.grab().toImage();
            scale = picture.devicePixelRatio() > 1.5 ? QStringLiteral("@2x") : QString();
            if (!save(state.name, picture))
                return complain(QCoreApplication::translate("main", "%1 cannot be written.").arg(state.name));
            thumbnails.push_back(thumbnailOf(state.name, picture));
            for (const QString& fault : lookFaults(shown, own.theme)) {
                std::printf(
                    "%s-%s%s: %s\n", qPrintable(state.name), qPrintable(tone), qPrintable(scale), qPrintable(fault));
                ++faults;
            }
        }
        if (!save(QStringLiteral("contact-sheet"), contactSheet(thumbnails)))
            return complain(QCoreApplication::translate("main", "%1 cannot be written.").arg(folder));
    }
    return faults == 0 ? 0 : 1;
}

} // namespace remat::ui
