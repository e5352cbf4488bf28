// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/core_text.h"

#include <QCoreApplication>

namespace remat::ui {

namespace {

QString argumentText(const MessageArgument& argument, const NumberFormat& format)
{
    struct Printer {
        const NumberFormat& format;
        QString operator()(const std::string& s) const { return QString::fromStdString(s); }
        QString operator()(std::int64_t n) const { return QString::number(n); }
        QString operator()(double d) const { return format.number(d); }
        QString operator()(Bytes b) const { return format.bytes(b); }
        QString operator()(Nanoseconds t) const { return format.duration(t); }
        QString operator()(Flops f) const { return format.flops(f); }
    };
    return std::visit(Printer{format}, argument);
}

QString filled(const char* text, const std::vector<MessageArgument>& arguments, const NumberFormat& format)
{
    const QString pattern = QCoreApplication::translate("core", text);
    QString result;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const bool isPlace
            = i + 2 < pattern.size() && pattern[i] == u'{' && pattern[i + 1].isDigit() && pattern[i + 2] == u'}';
        const auto index = isPlace ? static_cast<std::size_t>(pattern[i + 1].digitValue()) : arguments.size();
        if (index < arguments.size()) {
            result += argumentText(arguments[index], format);
            i += 2;
        } else {
            result += pattern[i];
        }
    }
    return result;
}

} // namespace

QString translated(const Message& message, const NumberFormat& format)
{
    return filled(message.code->text, message.arguments, format);
}

QString translated(const Error& error, const NumberFormat& format)
{
    return filled(error.code->text, error.arguments, format);
}

QString remedy(const Error& error, const NumberFormat& format)
{
    return filled(error.code->remedy, error.arguments, format);
}

QString sentenceOf(const Error& error, const NumberFormat& format)
{
    const QString text = translated(error, format), cure = remedy(error, format);
    return cure.isEmpty() ? text : text + u' ' + cure;
}

QString fullText(const Error& error, const NumberFormat& format)
{
    const QString where = error.where.empty() ? QString() : QString::fromStdString(error.where) + QStringLiteral(": ");
    return where + sentenceOf(error, format);
}

} // namespace remat::ui
