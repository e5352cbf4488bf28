// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/launch_dialog.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <utility>

namespace remat::ui {

namespace {

/// The words of an argument list; lines that are empty are none.
std::vector<std::string> wordsOf(const QPlainTextEdit& edit)
{
    std::vector<std::string> words;
    for (const QString& line : edit.toPlainText().split(u'\n', Qt::SkipEmptyParts))
        words.push_back(line.toStdString());
    return words;
}

} // namespace

LaunchDialog::LaunchDialog(const LaunchProfile& profile, Save save, const Theme& theme, QWidget* parent)
    : OwnDialog(tr("Launch profile"),
        tr("How the worker of a real run is started elsewhere. One word a line, handed over as it stands, without a "
           "shell: srun and its options for Slurm; ssh, -T, -o, BatchMode=yes and the host for another computer. "
           "\"remat run --launch\" takes the same profiles."),
        QString::fromStdString(profile.name), theme, parent),
      m_save(std::move(save)),
      m_prefix(addWords("launchPrefix", tr("Program and its words, before the worker's path"), profile.prefix)),
      m_worker(new QLineEdit(QString::fromStdString(profile.worker))),
      m_stop(nullptr)
{
    setObjectName(QStringLiteral("launchDialog"));
    m_worker->setObjectName(QStringLiteral("launchWorker"));
    addField(tr("remat-worker there"), m_worker);
    m_stop = addWords("launchStop", tr("What ends a job, {job} being its number; empty: only a signal"), profile.stop);
}

QPlainTextEdit* LaunchDialog::addWords(
    const char* objectName, const QString& label, const std::vector<std::string>& words)
{
    QStringList lines;
    for (const std::string& word : words)
        lines << QString::fromStdString(word);
    auto* edit = new QPlainTextEdit(lines.join(u'\n'));
    edit->setObjectName(QLatin1String(objectName));
    edit->setTabChangesFocus(true);
    edit->setFixedHeight(edit->fontMetrics().lineSpacing() * 5);
    addField(label, edit);
    return edit;
}

Result<void> LaunchDialog::write()
{
    return m_save({name().text().trimmed().toStdString(), wordsOf(*m_prefix), m_worker->text().trimmed().toStdString(),
        wordsOf(*m_stop)});
}

} // namespace remat::ui
