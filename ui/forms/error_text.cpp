// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/forms/error_text.h"

#include <QCoreApplication>

namespace remat::ui {

namespace {

QString translated(const char* text, const std::vector<MessageArgument>& arguments)
{
    const QByteArray inLanguage = QCoreApplication::translate("core", text).toUtf8();
    return QString::fromStdString(formatMessage(inLanguage.constData(), arguments));
}

} // namespace

QString errorText(const Error& error)
{
    const QString remedy = translated(error.code->remedy, error.arguments);
    const QString text = translated(error.code->text, error.arguments);
    return remedy.isEmpty() ? text : text + QLatin1Char(' ') + remedy;
}

} // namespace remat::ui
