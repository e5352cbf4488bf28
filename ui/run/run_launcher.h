// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QTimer>

namespace remat::ui {

/// Starts a worker and hands its lines on; a test puts a fake in its place.
class RunLauncher : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    virtual void start(const QByteArray& requestLine) = 0;
    /// Asks the worker to end, and ends it two seconds later.
    virtual void stop() = 0;

signals:
    void outputLine(const QByteArray& line);
    void logLine(const QString& text);
    /// `signal` is 0 when the process ended by itself.
    void finished(int exitCode, int signal);
    void failedToStart(const QString& reason);
};

/// remat-worker as a child process.  It reads the request from its standard input, which stays open as its lease: when
/// this program ends, however it ends, the worker ends too.
class ProcessLauncher : public RunLauncher {
    Q_OBJECT
public:
    explicit ProcessLauncher(QString workerPath, QObject* parent = nullptr);
    ~ProcessLauncher() override;
    void start(const QByteArray& requestLine) override;
    void stop() override;

private:
    void readOutput();

    QString m_workerPath;
    QProcess m_process;
    QTimer m_killTimer;
};

} // namespace remat::ui
