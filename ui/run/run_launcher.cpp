// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/run/run_launcher.h"

namespace remat::ui {

namespace {
constexpr int kGraceMilliseconds = 2000;
}

ProcessLauncher::ProcessLauncher(QString workerPath, QObject* parent)
    : RunLauncher(parent),
      m_workerPath(std::move(workerPath))
{
    m_killTimer.setSingleShot(true);
    m_killTimer.setInterval(kGraceMilliseconds);
    connect(&m_killTimer, &QTimer::timeout, &m_process, &QProcess::kill);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &ProcessLauncher::readOutput);
    connect(&m_process, &QProcess::readyReadStandardError, this, [this] {
        const QList<QByteArray> lines = m_process.readAllStandardError().split('\n');
        for (const QByteArray& line : lines)
            if (!line.trimmed().isEmpty())
                emit logLine(QString::fromUtf8(line));
    });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        m_killTimer.stop();
        readOutput();
        if (const QByteArray rest = m_process.readAllStandardOutput(); !rest.trimmed().isEmpty())
            emit outputLine(rest);
        const bool crashed = status == QProcess::CrashExit;
        emit finished(crashed ? 0 : code, crashed ? code : 0);
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            emit failedToStart(tr("%1 cannot be started: %2").arg(m_workerPath, m_process.errorString()));
    });
}

ProcessLauncher::~ProcessLauncher()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(kGraceMilliseconds);
}

void ProcessLauncher::start(const QByteArray& requestLine)
{
    m_process.start(m_workerPath, QStringList());
    m_process.write(requestLine + '\n');
}

void ProcessLauncher::stop()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.terminate();
    m_killTimer.start();
}

void ProcessLauncher::readOutput()
{
    while (m_process.canReadLine())
        emit outputLine(m_process.readLine().trimmed());
}

} // namespace remat::ui
