// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDirIterator>
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QTabBar>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include "ui/forms/field_row.h"
#include "ui/i18n/language.h"
#include "ui/state/answer_views.h"
#include "ui/theme/core_text.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

namespace {

const QString kRoot = QStringLiteral(REMAT_TEST_DATA "/../..");
const QString kFolder = kRoot + QStringLiteral("/ui/i18n");

/// One text of a catalogue with all forms of its translation.
struct Entry {
    QString key; ///< context, source and comment
    QString source;
    QStringList translations;
    bool isFinished = true;
};

std::vector<Entry> entriesOf(const QString& path)
{
    std::vector<Entry> entries;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return entries;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QStringView name = xml.name();
        if (name == QLatin1String("name"))
            context = xml.readElementText();
        else if (name == QLatin1String("message"))
            entries.emplace_back().key = context;
        else if (name == QLatin1String("source"))
            entries.back().key += u'\n' + (entries.back().source = xml.readElementText());
        else if (name == QLatin1String("comment"))
            entries.back().key += u'\n' + xml.readElementText();
        else if (name == QLatin1String("translation")) {
            entries.back().isFinished = !xml.attributes().hasAttribute(QLatin1String("type"));
            const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements);
            if (!text.trimmed().isEmpty())
                entries.back().translations << text;
        }
    }
    return entries;
}

QSet<QString> keysOf(const QString& path)
{
    QSet<QString> keys;
    for (const Entry& entry : entriesOf(path))
        keys.insert(entry.key);
    return keys;
}

/// %1, {0}, ... of a text, each once, in order.
QStringList placeholdersOf(const QString& text)
{
    static const QRegularExpression kPlace(QStringLiteral("%[0-9]|\\{[0-9]\\}"));
    QStringList places;
    for (auto match = kPlace.globalMatch(text); match.hasNext();)
        places << match.next().captured();
    places.removeDuplicates();
    places.sort();
    return places;
}

bool hasMnemonic(const QString& text)
{
    static const QRegularExpression kMnemonic(QStringLiteral("&\\w"));
    return text.contains(kMnemonic);
}

bool isChinese(const QString& text)
{
    static const QRegularExpression kHan(QStringLiteral("\\p{Han}"));
    return text.contains(kHan);
}

} // namespace

/// The catalogues are whole and say what the sources say.
class TranslationsTest : public QObject {
    Q_OBJECT

private slots:
    void everyTextIsALiteral();
    void cataloguesHoldEveryText_data();
    void cataloguesHoldEveryText();
    void everyTextIsTranslated_data() { cataloguesHoldEveryText_data(); }
    void everyTextIsTranslated();
    void placeholdersAgree();
    void englishCountsInWords();
    void theWindowSpeaksChinese();
};

void TranslationsTest::everyTextIsALiteral()
{
    // What is no literal, lupdate cannot see; these translate texts that are marked elsewhere.
    const QStringList marked{QStringLiteral("core_text.cpp"), QStringLiteral("run_controller.cpp")};
    static const QRegularExpression kHidden(
        QStringLiteral("(?<!\\w)(?:tr\\(|translate\\(\\s*\"\\w+\",)\\s*(?![\"\\s])[^\\n]*"));
    int files = 0;
    for (const char* folder : {"/ui", "/app/gui"}) {
        QDirIterator sources(kRoot + QLatin1String(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
            QDir::Files, QDirIterator::Subdirectories);
        while (sources.hasNext()) {
            QFile file(sources.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            ++files;
            const QRegularExpressionMatch hidden = kHidden.match(QString::fromUtf8(file.readAll()));
            QVERIFY2(!hidden.hasMatch() || marked.contains(sources.fileName()),
                qPrintable(sources.fileName() + QStringLiteral(": ") + hidden.captured()));
        }
    }
    QVERIFY(files > 100);
}

void TranslationsTest::cataloguesHoldEveryText_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("zh_CN") << QStringLiteral("rematscope_zh_CN.ts");
    QTest::newRow("en") << QStringLiteral("rematscope_en.ts");
}

void TranslationsTest::cataloguesHoldEveryText()
{
    QFETCH(QString, file);
    QTemporaryDir folder;
    for (const char* name : {"rematscope_zh_CN.ts", "rematscope_en.ts"})
        QVERIFY(QFile::copy(kFolder + u'/' + QLatin1String(name), folder.filePath(QLatin1String(name))));
    QProcess update;
    update.start(kFolder + QStringLiteral("/update_catalogues.sh"), {folder.path()});
    QVERIFY(update.waitForFinished(120'000));
    QVERIFY2(update.exitCode() == 0, update.readAllStandardError().constData());
    const QSet<QString> ours = keysOf(kFolder + u'/' + file), sources = keysOf(folder.filePath(file));
    QVERIFY(!sources.isEmpty());
    const QString missing = QStringList((sources - ours).values()).join(u'|');
    QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("run ui/i18n/update_catalogues.sh, translate: ") + missing));
    const QString gone = QStringList((ours - sources).values()).join(u'|');
    QVERIFY2(gone.isEmpty(), qPrintable(QStringLiteral("run ui/i18n/update_catalogues.sh, no source has: ") + gone));
}

void TranslationsTest::everyTextIsTranslated()
{
    QFETCH(QString, file);
    for (const Entry& entry : entriesOf(kFolder + u'/' + file))
        QVERIFY2(entry.isFinished && !entry.translations.isEmpty(), qPrintable(entry.key));
}

void TranslationsTest::placeholdersAgree()
{
    for (const Entry& entry : entriesOf(kFolder + QStringLiteral("/rematscope_zh_CN.ts")))
        for (const QString& translation : entry.translations) {
            QVERIFY2(placeholdersOf(translation) == placeholdersOf(entry.source), qPrintable(entry.key));
            QCOMPARE(translation.contains(QLatin1String("%n")), entry.source.contains(QLatin1String("%n")));
            QVERIFY2(hasMnemonic(translation) == hasMnemonic(entry.source), qPrintable(entry.key));
        }
}

void TranslationsTest::englishCountsInWords()
{
    useLanguage(QLocale(QLocale::English, QLocale::UnitedStates));
    QCOMPARE(strategyTitle({Strategy::Kind::EveryK, 2}), QStringLiteral("every 2 layers"));
    QCOMPARE(strategyTitle({Strategy::Kind::EveryK, 1}), QStringLiteral("every layer"));
}

void TranslationsTest::theWindowSpeaksChinese()
{
    useLanguage(QLocale(QLocale::Chinese, QLocale::China));
    QCOMPARE(strategyTitle({Strategy::Kind::Optimal}), QStringLiteral("\u6700\u4f18"));
    const Result<Device> unknown = fixedDevices().find("rtx-9090");
    QVERIFY2(isChinese(translated(unknown.error())) && isChinese(remedy(unknown.error())),
        qPrintable(fullText(unknown.error())));

    MainWindow window(plainContext());
    window.resize(1440, 900);
    window.show();
    QVERIFY(waitForAnswer(window.state()));
    QStringList texts;
    for (const QLabel* label : window.findChildren<QLabel*>())
        texts << label->text();
    for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
        texts << button->text();
    for (const QAction* action : window.findChildren<QAction*>())
        texts << action->text();
    for (const QComboBox* box : window.findChildren<QComboBox*>())
        if (box->parent() && box->count() > 0)
            texts << box->currentText();
    for (const QTabBar* tabs : window.findChildren<QTabBar*>())
        for (int i = 0; i < tabs->count(); ++i)
            texts << tabs->tabText(i);
    QVERIFY(texts.size() > 80);
    // Names and units stay as they are.
    static const QRegularExpression kEnglish(QStringLiteral("[a-z]{3}"));
    const QStringList names{QStringLiteral("small gpt2"), QStringLiteral("AdamW"), QStringLiteral("Dropout")};
    for (const QString& text : texts)
        QVERIFY2(isChinese(text) || names.contains(text) || !text.contains(kEnglish), qPrintable(text));
}

QTEST_MAIN(TranslationsTest)
#include "translations_test.moc"
