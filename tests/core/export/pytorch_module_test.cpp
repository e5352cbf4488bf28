// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/pytorch_module.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace remat;

/// The written module is Python, whatever names stand in it.
class PytorchModuleTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_python = QStandardPaths::findExecutable(QStringLiteral("python3"));

    QString write(const std::string& text, const QString& name = QStringLiteral("module.py")) const
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text.data(), qint64(text.size())) == qint64(text.size())
            ? path
            : QString();
    }

    QByteArray python(const QStringList& arguments, int* exit) const
    {
        QProcess process;
        process.start(m_python, arguments);
        process.waitForFinished(60000);
        *exit = process.exitCode();
        return process.readAllStandardOutput() + process.readAllStandardError();
    }

    /// Names that would end a string, a docstring, a comment or a line, and what is not UTF-8.
    static std::vector<std::string> awkwardNames()
    {
        return {"plain", "it's", "'''", "\"\"\"", "\\", "\\'''", "new\nline", "\r", "\\u0027", "\xff\xfe", "模型",
            "{\"layer\":", "r'''", "''')\nimport os", "tab\t", std::string("nul\0", 4)};
    }

private slots:
    void everyNameGivesPython()
    {
        if (m_python.isEmpty())
            QSKIP("there is no python3");
        QStringList arguments{"-I", "-m", "py_compile"};
        for (const std::string& name : awkwardNames())
            for (const auto kind : {TorchRealization::Kind::Regions, TorchRealization::Kind::Exact}) {
                TorchRealization realization{.kind = kind, .modelClass = name};
                realization.layers = {{.path = name, .regions = {{.paths = {name}, .save = {name}}}, .keep = {name}}};
                arguments.append(write(pytorchModule(realization, {"For " + name, name, "Last " + name + "."}),
                    QStringLiteral("module%1.py").arg(arguments.size())));
            }
        int exit = -1;
        const QByteArray said = python(arguments, &exit);
        QVERIFY2(exit == 0, said);
    }

    /// What Python reads back is what was written: names come through json.loads unchanged, in ASCII.
    void namesComeThrough()
    {
        if (m_python.isEmpty())
            QSKIP("there is no python3");
        nlohmann::json names = nlohmann::json::array();
        for (const std::string& name : awkwardNames())
            if (name != "\xff\xfe") // no JSON: replaced
                names.push_back(name);
        const std::string expression = pythonExpression(names);
        QVERIFY(std::all_of(
            expression.begin(), expression.end(), [](char c) { return c == '\n' || (c >= ' ' && c < '\x7f'); }));
        const std::string script = "import json\nnames = " + expression + "\nprint(json.dumps(names))\n";
        int exit = -1;
        const QByteArray said = python({"-I", write(script)}, &exit);
        QVERIFY2(exit == 0, said);
        QVERIFY2(nlohmann::json::parse(said.toStdString()) == names, said);
    }

    /// One licence, one runtime, no mention of another kind.
    void aModuleIsSelfContained()
    {
        TorchRealization realization{.modelClass = "GPT2LMHeadModel"};
        const std::string regions = pytorchModule(realization, {"A plan."});
        realization.kind = TorchRealization::Kind::Exact;
        const std::string exact = pytorchModule(realization, {"A plan."});
        for (const std::string& text : {regions, exact}) {
            const auto count = [&](const std::string& part) {
                int found = 0;
                for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
                    ++found;
                return found;
            };
            QCOMPARE(count("SPDX-License-Identifier"), 1);
            QCOMPARE(count("\ndef apply("), 1);
            QCOMPARE(count("\ndef _apply_layer("), 1);
            QCOMPARE(count("\nPLAN = "), 1);
            QVERIFY(text.find("Apache") == std::string::npos);
        }
        QVERIFY(regions.find("_REALIZATION = \"regions\"") != std::string::npos);
        QVERIFY(exact.find("_REALIZATION = \"exact\"") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(PytorchModuleTest)
#include "pytorch_module_test.moc"
