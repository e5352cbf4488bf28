// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/keys_sheet.h"

#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace remat::ui {

KeysSheet::KeysSheet(const QList<KeyGroup>& groups, QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("keysSheet"));
    setWindowTitle(tr("Keys"));
    setAttribute(Qt::WA_DeleteOnClose);
    QString html;
    for (const KeyGroup& group : groups) {
        html += QStringLiteral("<h3>%1</h3><table cellspacing=\"0\" cellpadding=\"2\">")
                    .arg(group.title.toHtmlEscaped());
        m_text += group.title + u'\n';
        for (const auto& [key, what] : group.keys) {
            html += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                        .arg(key.toHtmlEscaped(), what.toHtmlEscaped());
            m_text += key + u'\t' + what + u'\n';
        }
        html += QStringLiteral("</table>");
    }
    auto* sheet = new QTextBrowser;
    sheet->setAccessibleName(tr("Keys"));
    sheet->setHtml(html);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* rows = new QVBoxLayout(this);
    rows->addWidget(sheet);
    rows->addWidget(buttons);
    resize(560, 620);
}

} // namespace remat::ui
