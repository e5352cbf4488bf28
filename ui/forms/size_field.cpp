// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/forms/size_field.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>

#include "core/base/format_units.h"
#include "ui/theme/core_text.h"
#include "ui/theme/format.h"

namespace remat::ui {

SizeField::SizeField(const QString& label, const Theme& startTheme, QWidget* parent)
    : FieldRow(label, startTheme, parent),
      m_edit(new QLineEdit(this))
{
    m_edit->setAlignment(Qt::AlignRight);
    setEditor(m_edit, m_edit);
    connect(m_edit, &QLineEdit::editingFinished, this, &SizeField::takeText);
    setTheme(startTheme);
    showValue();
}

QString SizeField::textOf(Bytes value)
{
    const ScaledQuantity scaled = scaleBytes(value, byteUnits());
    const bool isWhole = std::string_view(scaled.unit) == "B";
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    QString number = locale.toString(scaled.value, 'f', isWhole ? 0 : 3);
    if (!isWhole && number.endsWith(QLatin1Char('0')))
        number.chop(1);
    return number + QLatin1Char(' ') + QLatin1String(scaled.unit);
}

void SizeField::setTheme(const Theme& theme)
{
    FieldRow::setTheme(theme);
    m_edit->setFont(theme.font(FontRole::Text));
}

void SizeField::setValue(Bytes value)
{
    // A refresh with the old value must not wipe what the person is correcting.
    if (value == m_value && (hasError() || m_edit->isModified()))
        return;
    m_value = value;
    showError({});
    showValue();
}

void SizeField::setRange(Bytes least, Bytes most)
{
    m_least = least;
    m_most = most;
}

void SizeField::showValue()
{
    m_edit->setText(textOf(m_value));
    m_edit->setModified(false);
    m_edit->setToolTip(tr("%1 bytes. Units: B, KiB, MiB, GiB, TiB, kB, MB, GB, TB.").arg(m_value.value));
}

QString SizeField::withUnit(const QString& text) const
{
    const bool isBare = !text.isEmpty() && (text.back().isDigit() || text.back() == QLatin1Char('.'));
    return isBare ? text + QLatin1String(scaleBytes(m_value, byteUnits()).unit) : text;
}

void SizeField::takeText()
{
    if (!m_edit->isModified())
        return;
    QString text = m_edit->text().trimmed();
    if (QLocale().decimalPoint() != QLatin1String("."))
        text.replace(QLocale().decimalPoint(), QLatin1String("."));
    const Result<Bytes> parsed = parseBytes(withUnit(text).toStdString());
    const NumberFormat format;
    if (text.isEmpty())
        showError(tr("A size is needed, such as %1.").arg(textOf(m_value)));
    else if (!parsed)
        showError(sentenceOf(parsed.error()));
    else if (*parsed < m_least)
        showError(tr("%1 is too small: at least %2.").arg(format.bytes(*parsed), format.bytes(m_least)));
    else if (*parsed > m_most)
        showError(tr("%1 is too large: at most %2.").arg(format.bytes(*parsed), format.bytes(m_most)));
    else {
        const bool isNew = *parsed != m_value;
        m_value = *parsed;
        showError({});
        showValue();
        if (isNew)
            emit valueEdited(m_value);
    }
}

bool SizeField::eventFilter(QObject* watched, QEvent* event)
{
    const bool isEscape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (watched == m_edit && isEscape && (m_edit->isModified() || hasError())) {
        showError({});
        showValue();
        return true;
    }
    return FieldRow::eventFilter(watched, event);
}

} // namespace remat::ui
