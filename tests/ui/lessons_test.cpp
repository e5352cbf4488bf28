// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <random>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/model/catalog_files.h"
#include "ui/forms/inline_strip.h"
#include "ui/i18n/language.h"
#include "ui/lessons/lesson_card.h"
#include "ui/lessons/lesson_dock.h"
#include "ui/lessons/lesson_file.h"
#include "ui/lessons/lesson_rehearsal.h"
#include "ui/lessons/lesson_spotlights.h"
#include "ui/lessons/spotlight.h"
#include "ui/theme/core_text.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

namespace {

QByteArray builtIn(const std::string& stem)
{
    for (const CatalogFile& file : catalogFiles("lessons", {}).files)
        if (file.stem == stem)
            return QByteArray::fromStdString(file.text);
    return {};
}

/// A lesson of one question that a test then spoils.
QJsonObject smallLesson()
{
    return QJsonDocument::fromJson(R"({
        "format": "remat-lesson", "version": 1, "name": "small", "title": {"en": "Small"},
        "steps": [{
            "text": {"en": "One step."}, "spotlight": "ruler",
            "configuration": {"budget": "300 MiB"},
            "question": {
                "text": {"en": "More budget?"}, "hint": {"en": "Type it."},
                "check": [{"fact": "budget", "at_least": "310 MiB"}],
                "solution": {"budget": "320 MiB"}}}]})")
        .object();
}

/// Sets the value at "steps.0.question.hint"; undefined takes the key away.
QJsonValue withValue(const QJsonValue& value, const QStringList& path, const QJsonValue& replacement)
{
    if (path.isEmpty())
        return replacement;
    if (value.isArray()) {
        QJsonArray array = value.toArray();
        const int index = path.first().toInt();
        array[index] = withValue(array[index], path.mid(1), replacement);
        return array;
    }
    QJsonObject object = value.toObject();
    const QJsonValue changed = withValue(object[path.first()], path.mid(1), replacement);
    if (changed.isUndefined())
        object.remove(path.first());
    else
        object[path.first()] = changed;
    return object;
}

WindowContext lessonContext()
{
    WindowContext context = plainContext();
    context.makeLauncher = [](const WorkerLaunch&) {
        return std::make_unique<WorkerLauncher>(WorkerLaunch{{REMAT_BIN "/remat-worker"}, {}});
    };
    return context;
}

} // namespace

/// Lessons: every built-in one plays to its end in both languages; a teacher's mistakes are named; nothing traps.
class LessonsTest : public QObject {
    Q_OBJECT

private slots:
    void sevenLessonsAreThere();
    void mistakesAreNamedByTheirKey_data();
    void mistakesAreNamedByTheirKey();
    void spoiledLessonsNeverSurprise();
    void aRehearsalFindsWhatReadingCannot_data();
    void aRehearsalFindsWhatReadingCannot();
    void everySpotlightIsInTheWindow();
    void nothingTraps();
    void thePersonsDocumentComesBack();
    void aLessonIsReadAgainWhenItIsSaved();
    void theCardSaysWhatIsRight();
    void lessonsOfThePersonReplaceBuiltInOnes();
    // Last: a translator that is installed stays.
    void everyLessonPlaysToItsEnd_data();
    void everyLessonPlaysToItsEnd();

private:
    QTemporaryDir m_folder;
};

void LessonsTest::sevenLessonsAreThere()
{
    const LessonCatalog catalog = lessons({}, fixedDevices());
    for (const Error& problem : catalog.problems)
        qWarning("%s", qPrintable(fullText(problem)));
    QVERIFY(catalog.problems.empty());
    // The seven of the specification, in its order.
    const QStringList names{"where-memory-goes", "what-backward-needs", "all-against-nothing",
        "not-all-bytes-cost-alike", "beat-the-planner", "trust-but-measure", "out-of-memory-on-purpose"};
    QCOMPARE(static_cast<qsizetype>(catalog.lessons.size()), names.size());
    for (qsizetype i = 0; i < names.size(); ++i) {
        const Lesson& lesson = catalog.lessons[static_cast<std::size_t>(i)];
        QCOMPARE(QString::fromStdString(lesson.name), names[i]);
        // Both languages everywhere: a file of ours has no half.
        std::vector<LessonText> texts{lesson.title};
        for (const LessonStep& step : lesson.steps) {
            texts.push_back(step.text);
            if (step.question) {
                texts.insert(texts.end(), {step.question->text, step.question->hint, step.question->because});
                texts.insert(texts.end(), step.question->choices.begin(), step.question->choices.end());
            }
        }
        static const QRegularExpression kHan(QStringLiteral("\\p{Han}"));
        for (const LessonText& text : texts) {
            QVERIFY2(!text.english.isEmpty() && !text.english.contains(kHan), qPrintable(text.english));
            QVERIFY2(text.chinese.contains(kHan) || text.chinese == text.english, qPrintable(text.english));
        }
    }
}

void LessonsTest::everyLessonPlaysToItsEnd_data()
{
    QTest::addColumn<QString>("stem");
    QTest::addColumn<QString>("language");
    for (const char* language : {"en_US", "zh_CN"})
        for (const CatalogFile& file : catalogFiles("lessons", {}).files)
            QTest::addRow("%s %s", file.stem.c_str(), language)
                << QString::fromStdString(file.stem) << QString::fromLatin1(language);
}

void LessonsTest::everyLessonPlaysToItsEnd()
{
    QFETCH(QString, stem);
    QFETCH(QString, language);
    useLanguage(QLocale(language));
    MainWindow window(lessonContext());
    window.resize(1440, 900);
    window.show();
    QVERIFY(waitForAnswer(window.state()));
    const Inputs before = window.state().inputs();
    const Result<Lesson> lesson
        = parseLesson(builtIn(stem.toStdString()).toStdString(), stem.toStdString(), fixedDevices());
    QVERIFY2(lesson, lesson ? "" : qPrintable(fullText(lesson.error())));
    const Result<void> played = rehearse(window.lessons().player(), window.state(), window.runs(), *lesson);
    QVERIFY2(played, played ? "" : qPrintable(fullText(played.error())));
    QVERIFY(!window.lessons().player().isPlaying());
    QVERIFY(window.state().inputs() == before);
    useLanguage(QLocale::c());
}

void LessonsTest::mistakesAreNamedByTheirKey_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
    const QJsonValue gone = QJsonValue::Undefined;
    QTest::newRow("no title") << "title" << gone << "title"
                              << "missing";
    QTest::newRow("empty text") << "steps.0.text" << QJsonValue(QJsonObject()) << "steps[0].text"
                                << "missing";
    QTest::newRow("no steps") << "steps" << QJsonValue(QJsonArray()) << "steps"
                              << "nothing";
    QTest::newRow("unknown key") << "steps.0.spotligth" << QJsonValue("ruler") << "steps[0]"
                                 << "spotlight";
    QTest::newRow("unknown spotlight") << "steps.0.spotlight" << QJsonValue("rular") << "steps[0].spotlight"
                                       << "ruler";
    QTest::newRow("unknown fact") << "steps.0.question.check.0.fact" << QJsonValue("budgt")
                                  << "steps[0].question.check[0].fact"
                                  << "budget";
    QTest::newRow("no relation") << "steps.0.question.check.0.at_least" << gone << "steps[0].question.check[0]"
                                 << "exactly one";
    QTest::newRow("two relations") << "steps.0.question.check.0.is" << QJsonValue("1 GiB")
                                   << "steps[0].question.check[0]"
                                   << "exactly one";
    QTest::newRow("no size") << "steps.0.question.check.0.at_least" << QJsonValue("many")
                             << "steps[0].question.check[0].at_least"
                             << "many";
    QTest::newRow("of where there is one")
        << "steps.0.question.check.0.of" << QJsonValue("ffn") << "steps[0].question.check[0]"
        << "of";
    QTest::newRow("no hint") << "steps.0.question.hint" << gone << "steps[0].question.hint"
                             << "missing";
    QTest::newRow("no solution") << "steps.0.question.solution" << gone << "steps[0].question"
                                 << "solution";
    QTest::newRow("choice of none") << "steps.0.question.solution" << QJsonValue(QJsonObject{{"choice", 1}})
                                    << "steps[0].question.solution.choice"
                                    << "1";
    QTest::newRow("unknown model") << "steps.0.configuration.model" << QJsonValue("gpt5")
                                   << "steps[0].configuration.model"
                                   << "gpt5";
    QTest::newRow("unknown device") << "steps.0.configuration.setup" << QJsonValue(QJsonObject{{"device", "l5"}})
                                    << "steps[0].configuration.setup.device"
                                    << "l5";
    QTest::newRow("unknown setup key") << "steps.0.configuration.setup" << QJsonValue(QJsonObject{{"bacth", 4}})
                                       << "steps[0].configuration.setup"
                                       << "batch";
    QTest::newRow("batch of none") << "steps.0.configuration.setup" << QJsonValue(QJsonObject{{"batch", 0}})
                                   << "steps[0].configuration: setup.batch"
                                   << "0";
    QTest::newRow("unknown strategy") << "steps.0.configuration.strategy" << QJsonValue("fulll")
                                      << "steps[0].configuration: strategy"
                                      << "fulll";
    QTest::newRow("pin of nothing") << "steps.0.configuration.pins" << QJsonValue(QJsonArray{"L99.ffn=keep"})
                                    << "steps[0].configuration.pins"
                                    << "99";
    QTest::newRow("no such cell") << "steps.0.question.solution.select" << QJsonValue("L3.fnn")
                                  << "steps[0].question.solution.select"
                                  << "L3.fnn";
    QTest::newRow("metric") << "steps.0.configuration.metric" << QJsonValue("byte") << "steps[0].configuration.metric"
                            << "bytes";
    QTest::newRow("other version") << "version" << QJsonValue(2) << ""
                                   << "version";
}

void LessonsTest::mistakesAreNamedByTheirKey()
{
    QFETCH(QString, path);
    QFETCH(QJsonValue, value);
    QFETCH(QString, where);
    QFETCH(QString, says);
    const auto textOf
        = [](const QJsonValue& lesson) { return QJsonDocument(lesson.toObject()).toJson().toStdString(); };
    QVERIFY(parseLesson(textOf(smallLesson()), "small.json", fixedDevices()));
    const Result<Lesson> lesson
        = parseLesson(textOf(withValue(smallLesson(), path.split(u'.'), value)), "small.json", fixedDevices());
    QVERIFY(!lesson);
    QCOMPARE(lesson.error().exitCode(), ExitCode::BadInput);
    const QString text = fullText(lesson.error());
    QVERIFY2(text.startsWith(QStringLiteral("small.json: ") + where), qPrintable(text));
    QVERIFY2(text.contains(says), qPrintable(text));
}

/// Whatever somebody's file holds: a lesson, or words with the place.  In place of a fuzzer's target, since the reader
/// of lessons is the one that needs Qt.
void LessonsTest::spoiledLessonsNeverSurprise()
{
    using nlohmann::json;
    std::vector<json> whole;
    for (const CatalogFile& file : catalogFiles("lessons", {}).files)
        whole.push_back(json::parse(file.text));
    const std::vector<json> strange{nullptr, true, 0, -1, 3, 0.5, 1e300, INT64_MAX, INT64_MIN, UINT64_MAX, "", "L3.ffn",
        "L99999999999.ffn", "head", "300 MiB", "-1 B", "9e99 GiB", "optimal", "\u6A21", json::array(), json::object(),
        json::array({1, "x", nullptr}), {{"fact", "kept"}}, {{"fact", "budget"}, {"is", "1 GiB"}, {"below", 1}}};
    std::mt19937 random(61);
    const auto below = [&](std::size_t count) { return random() % count; };
    // Somewhere in the document, the deeper the rarer to stop on the way.
    const auto anywhere = [&](json& document) -> json& {
        json* at = &document;
        while (at->is_structured() && !at->empty() && below(12) != 0)
            at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(below(at->size())));
        return *at;
    };
    const int count = qEnvironmentVariableIsSet("REMAT_LONG") ? 1'000'000 : 1'000;
    int read = 0;
    for (int i = 0; i < count; ++i) {
        json lesson = whole[below(whole.size())];
        for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
            const json other = below(2) == 0 ? strange[below(strange.size())] : anywhere(whole[below(whole.size())]);
            anywhere(lesson) = other;
        }
        const Result<Lesson> result = parseLesson(lesson.dump(), "spoiled.json", fixedDevices());
        if (result) {
            ++read;
            continue;
        }
        QCOMPARE(result.error().exitCode(), ExitCode::BadInput);
        QVERIFY2(result.error().where.starts_with("spoiled.json"), lesson.dump().c_str());
        QVERIFY2(!fullText(result.error()).isEmpty(), lesson.dump().c_str());
    }
    QVERIFY2(read > count / 50 && read < count, qPrintable(QString::number(read)));
}

void LessonsTest::aRehearsalFindsWhatReadingCannot_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("code");
    QTest::newRow("solved before it is asked")
        << "steps.0.question.check.0.at_least" << QJsonValue("290 MiB") << "lesson-solved-too-soon";
    QTest::newRow("the solution is none")
        << "steps.0.question.solution.budget" << QJsonValue("305 MiB") << "lesson-solution-fails";
    QTest::newRow("a wrong choice passes") << "steps.0.question"
                                           << QJsonValue(QJsonDocument::fromJson(R"({
        "text": {"en": "?"}, "hint": {"en": "!"}, "choices": [{"en": "a"}, {"en": "b"}],
        "check": [{"fact": "choice", "at_least": 1}], "solution": {"choice": 2}})")
                                                             .object())
                                           << "lesson-wrong-choice-passes";
}

void LessonsTest::aRehearsalFindsWhatReadingCannot()
{
    QFETCH(QString, path);
    QFETCH(QJsonValue, value);
    QFETCH(QString, code);
    MainWindow window(lessonContext());
    const auto played = [&](const QJsonValue& json) {
        const Result<Lesson> lesson
            = parseLesson(QJsonDocument(json.toObject()).toJson().toStdString(), "small.json", fixedDevices());
        return lesson ? rehearse(window.lessons().player(), window.state(), window.runs(), *lesson)
                      : Result<void>(lesson.error());
    };
    QVERIFY(played(smallLesson()));
    const Result<void> spoilt = played(withValue(smallLesson(), path.split(u'.'), value));
    QVERIFY(!spoilt);
    QCOMPARE(std::string(spoilt.error().code->name), code.toStdString());
    QVERIFY2(spoilt.error().where.find("steps[0].question") != std::string::npos, spoilt.error().where.c_str());
}

void LessonsTest::everySpotlightIsInTheWindow()
{
    MainWindow window(lessonContext());
    window.resize(1440, 900);
    window.show();
    QVERIFY(waitForAnswer(window.state()));
    Lesson lesson
        = parseLesson(QJsonDocument(smallLesson()).toJson().toStdString(), "small.json", fixedDevices()).value();
    for (const LessonSpotlight& spot : lessonSpotlights()) {
        lesson.steps.front().spotlight = spot.name;
        window.lessons().play(lesson);
        QVERIFY2(window.lessons().spotlight().target(), spot.name);
        QTRY_VERIFY2(!window.lessons().spotlight().ring().isEmpty(), spot.name);
        QVERIFY(window.rect().contains(window.lessons().spotlight().ring()));
    }
    QVERIFY(window.lessons().spotlight().hasVeil());
    QTest::mouseClick(&window, Qt::LeftButton);
    QVERIFY(!window.lessons().spotlight().hasVeil());
    window.lessons().player().stop();
    QVERIFY(!window.lessons().spotlight().isVisible());
}

void LessonsTest::nothingTraps()
{
    MainWindow window(lessonContext());
    QVERIFY(waitForAnswer(window.state()));
    LessonPlayer& player = window.lessons().player();
    const Lesson lesson = parseLesson(builtIn("1-where-memory-goes").toStdString(), "1", fixedDevices()).value();
    player.start(lesson);
    // Next leads on without an answer, Back returns to the step's own start, whatever was changed.
    player.next();
    player.next();
    QCOMPARE(player.stepIndex(), 2);
    window.state().setBudget({1 << 20});
    player.reset();
    QVERIFY(window.state().inputs() == lesson.steps[2].state.inputs);
    player.back();
    QCOMPARE(player.stepIndex(), 1);
    QVERIFY(window.state().inputs() == lesson.steps[1].state.inputs);
    player.back();
    player.back();
    QCOMPARE(player.stepIndex(), 0);
    // Undo works inside a lesson as ever.
    window.state().setBudget({2 << 20});
    window.state().undoStack().undo();
    QVERIFY(window.state().inputs() == lesson.steps[0].state.inputs);
    for (int i = 0; i < 10; ++i)
        player.next();
    QVERIFY(!player.isPlaying());
    // What comes too late is nothing.
    player.reset();
    player.choose(1);
    player.showSolution();
    player.back();
    QVERIFY(!player.isPlaying());
}

void LessonsTest::thePersonsDocumentComesBack()
{
    const QString path = m_folder.filePath(QStringLiteral("mine.json"));
    WindowContext context = lessonContext();
    context.sessionPath = m_folder.filePath(QStringLiteral("session.json"));
    MainWindow window(context);
    QVERIFY(waitForAnswer(window.state()));
    window.state().setBudget({333 << 20});
    const Inputs mine = window.state().inputs();
    QVERIFY(window.saveDocument(path));
    const std::string saved = *readFile(path.toStdString());
    window.lessons().play(parseLesson(builtIn("3-all-against-nothing").toStdString(), "3", fixedDevices()).value());
    QVERIFY(!(window.state().inputs() == mine));
    // A copy may be saved; the person's file and session keep the person's document.
    QVERIFY(window.saveDocument(m_folder.filePath(QStringLiteral("copy.json"))));
    QCOMPARE(*readFile(path.toStdString()), saved);
    QTRY_VERIFY(QFile::exists(context.sessionPath));
    window.close();
    const Result<std::string> session = readFile(context.sessionPath.toStdString());
    QVERIFY(session && session->find("349175808") != std::string::npos); // 333 MiB
}

void LessonsTest::aLessonIsReadAgainWhenItIsSaved()
{
    const std::string path = m_folder.filePath(QStringLiteral("mine.lesson.json")).toStdString();
    const auto write = [&](const QJsonValue& json) {
        return static_cast<bool>(writeFileAtomically(path, QJsonDocument(json.toObject()).toJson().toStdString()));
    };
    QVERIFY(write(smallLesson()));
    MainWindow window(lessonContext());
    window.show();
    QVERIFY(waitForAnswer(window.state()));
    QVERIFY(window.openFile(QString::fromStdString(path)));
    auto* text = window.findChild<QLabel*>(QStringLiteral("lessonText"));
    QCOMPARE(text->text(), QStringLiteral("One step."));
    QVERIFY(write(withValue(smallLesson(), {"steps", "0", "text", "en"}, QStringLiteral("Another."))));
    QTRY_COMPARE(text->text(), QStringLiteral("Another."));
    // A mistake is shown beside the last good lesson, and goes when it is mended.
    const auto problems = [&] {
        QStringList sentences;
        for (const InlineStrip* strip : window.lessons().card().findChildren<InlineStrip*>())
            if (strip->isVisible() && strip->stripView().kind == StripKind::Error)
                sentences << strip->stripView().sentence;
        return sentences.join(u'\n');
    };
    QVERIFY(write(withValue(smallLesson(), {"steps", "0", "spotlight"}, QStringLiteral("rular"))));
    QTRY_VERIFY2(problems().contains(QLatin1String("steps[0].spotlight")), qPrintable(problems()));
    QCOMPARE(text->text(), QStringLiteral("Another."));
    QVERIFY(write(smallLesson()));
    QTRY_COMPARE(text->text(), QStringLiteral("One step."));
    QCOMPARE(problems(), QString());
}

void LessonsTest::theCardSaysWhatIsRight()
{
    MainWindow window(lessonContext());
    window.resize(1440, 900);
    window.show();
    QVERIFY(waitForAnswer(window.state()));
    window.lessons().play(parseLesson(builtIn("1-where-memory-goes").toStdString(), "1", fixedDevices()).value());
    LessonCard& card = window.lessons().card();
    card.next().click();
    const auto choose
        = [&](int choice) { card.findChild<QPushButton*>(QStringLiteral("lessonChoice%1").arg(choice))->click(); };
    choose(1);
    QVERIFY(!window.lessons().player().isSolved());
    QCOMPARE(card.outcome().stripView().kind, StripKind::Warning);
    choose(3);
    QVERIFY(window.lessons().player().isSolved());
    QCOMPARE(card.outcome().stripView().kind, StripKind::Info);
    QVERIFY(card.outcome().isVisible());
}

void LessonsTest::lessonsOfThePersonReplaceBuiltInOnes()
{
    QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("lessons")));
    const auto write = [&](const char* name, const QByteArray& text) {
        QFile file(m_folder.filePath(QStringLiteral("lessons/") + QLatin1String(name)));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    QVERIFY(write("mine.json", QJsonDocument(smallLesson()).toJson()));
    QJsonObject other = smallLesson();
    other["name"] = "beat-the-planner";
    other["order"] = 5;
    QVERIFY(write("other.json", QJsonDocument(other).toJson()));
    QVERIFY(write("broken.json", "{"));
    const LessonCatalog catalog = lessons(m_folder.path().toStdString(), fixedDevices());
    QCOMPARE(catalog.lessons.size(), 8u);
    QCOMPARE(catalog.problems.size(), 1u);
    const auto replaced = std::find_if(catalog.lessons.begin(), catalog.lessons.end(),
        [](const Lesson& lesson) { return lesson.name == "beat-the-planner"; });
    QCOMPARE(replaced->title.english, QStringLiteral("Small"));
}

QTEST_MAIN(LessonsTest)
#include "lessons_test.moc"
