// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "app/gui/check_lesson.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <cstdio>

#include "core/base/files.h"
#include "ui/lessons/lesson_dock.h"
#include "ui/lessons/lesson_file.h"
#include "ui/lessons/lesson_rehearsal.h"
#include "ui/theme/core_text.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

int fail(const Error& error)
{
    std::fprintf(stderr, "rematscope: %s\n", qPrintable(fullText(error)));
    return static_cast<int>(error.exitCode());
}

} // namespace

int checkLesson(const WindowContext& context, const QString& path)
{
    const Result<std::string> text = readFile(path.toStdString());
    if (!text)
        return fail(text.error());
    const Result<Lesson> lesson = parseLesson(*text, QFileInfo(path).fileName().toStdString(), context.devices);
    if (!lesson)
        return fail(lesson.error());
    MainWindow window(context);
    if (const Result<void> played = rehearse(window.lessons().player(), window.state(), window.runs(), *lesson);
        !played)
        return fail(played.error());
    const auto questions = std::count_if(
        lesson->steps.begin(), lesson->steps.end(), [](const LessonStep& step) { return step.question.has_value(); });
    std::printf("%s\n",
        qPrintable(QCoreApplication::translate("main", "%1: %2 steps, %3 questions; it plays to its end.")
                       .arg(lesson->title.text())
                       .arg(lesson->steps.size())
                       .arg(questions)));
    return 0;
}

} // namespace remat::ui
