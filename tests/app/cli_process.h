// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

namespace remat::test {

/// What the command line answered.
struct CliResult {
    int exit = -1;
    QByteArray out, err;

    /// Standard output as one JSON object, empty where it is none; const, so that [] reads through nested values.
    const QJsonObject json() const // NOLINT(readability-const-return-type)
    {
        return QJsonDocument::fromJson(out).object();
    }
    QString errorCode() const { return json()["error"]["code"].toString(); }
    QString errorWhere() const { return json()["error"]["where"].toString(); }
};

/// Runs build/bin/remat in a home of its own, so that neither this machine's speed nor its files matter.
class Cli {
public:
    Cli()
    {
        m_environment = QProcessEnvironment::systemEnvironment();
        m_environment.insert("HOME", path("home"));
        m_environment.insert("XDG_CONFIG_HOME", path("config"));
        m_environment.insert("XDG_CACHE_HOME", path("cache"));
        write("costs.json", kCosts);
    }

    CliResult operator()(const QStringList& arguments, int timeoutSeconds = 120) const
    {
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.setWorkingDirectory(m_workingFolder);
        process.start(QStringLiteral(REMAT_BIN "/remat"), arguments);
        process.closeWriteChannel();
        if (!process.waitForFinished(timeoutSeconds * 1000)) {
            process.kill();
            process.waitForFinished();
            return {};
        }
        const bool isNormal = process.exitStatus() == QProcess::NormalExit;
        return {isNormal ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
    }

    void setEnvironment(const QString& name, const QString& value) { m_environment.insert(name, value); }
    /// Relative paths are then those of path().
    void runInItsFolder() { m_workingFolder = m_folder.path(); }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString write(const QString& name, const QByteArray& content) const
    {
        QFile file(path(name));
        const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
        return isWritten ? path(name) : QString();
    }
    /// Flags of a small step on a CPU of fixed speed.
    QStringList smallStep() const
    {
        return {"--model", "tiny-gpt2", "--batch", "16", "--seq", "64", "--costs", path("costs.json")};
    }

private:
    static constexpr const char* kCosts = R"({"format": "remat-costs", "version": 1, "device": "cpu",
 "processor": "test", "threads": 2, "launch_overhead_ns": 300, "rates": {
 "gemm": {"flops_per_second": 1.9e11, "bytes_per_second": 0},
 "elementwise": {"flops_per_second": 0, "bytes_per_second": 2e10}}})";

    QTemporaryDir m_folder;
    QString m_workingFolder;
    QProcessEnvironment m_environment;
};

inline QByteArray readTestData(const QString& name)
{
    QFile file(QStringLiteral(REMAT_TEST_DATA "/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace remat::test
