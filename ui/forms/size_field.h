// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>

#include "core/base/units.h"
#include "ui/forms/field_row.h"

class QLineEdit;

namespace remat::ui {

/// A size that the person types: "8GiB", "3.5 GiB", "24 GB"; a bare number takes the unit that the field shows.
///
/// Enter or leaving the field takes the text over.  What cannot be read, or lies outside the range, keeps the last good
/// value and says why below; Escape brings the good text back.
class SizeField : public FieldRow {
    Q_OBJECT
public:
    SizeField(const QString& label, const Theme& theme, QWidget* parent = nullptr);

    Bytes value() const { return m_value; }
    /// Does not emit; an error is taken away, unless the value is the one that was there before it.
    void setValue(Bytes value);
    void setRange(Bytes least, Bytes most);
    void setTheme(const Theme& theme) override;
    QLineEdit& edit() const { return *m_edit; }

    /// Up to three decimals, so that what is shown can be typed: "3.50 GiB", "3.437 GiB".
    static QString textOf(Bytes value);

signals:
    void valueEdited(remat::Bytes value);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void takeText();
    void showValue();
    QString withUnit(const QString& text) const;

    QLineEdit* m_edit;
    Bytes m_value{};
    Bytes m_least{};
    Bytes m_most{kMaxQuantity};
};

} // namespace remat::ui
