// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/lessons/lesson.h"

#include <QLocale>

namespace remat::ui {

QString LessonText::text() const
{
    const bool isChinese = QLocale().language() == QLocale::Chinese;
    const QString& first = isChinese ? chinese : english;
    return first.isEmpty() ? (isChinese ? english : chinese) : first;
}

bool LessonCondition::isMetBy(const LessonValue& actual) const
{
    if (relation == LessonRelation::Is)
        return actual == value;
    const double* const is = std::get_if<double>(&actual);
    const double* const bound = std::get_if<double>(&value);
    if (!is || !bound)
        return false;
    switch (relation) {
    case LessonRelation::Below:
        return *is < *bound;
    case LessonRelation::Above:
        return *is > *bound;
    case LessonRelation::AtMost:
        return *is <= *bound;
    case LessonRelation::AtLeast:
    case LessonRelation::Is:
        break;
    }
    return *is >= *bound;
}

} // namespace remat::ui
