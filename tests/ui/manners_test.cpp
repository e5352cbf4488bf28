// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>

#include "core/cost/start_budget.h"
#include "core/model/presets.h"
#include "ui/forms/choice_field.h"
#include "ui/forms/inline_strip.h"
#include "ui/forms/integer_slider.h"
#include "ui/forms/size_field.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/model_panel.h"
#include "ui/theme/format.h"
#include "ui/widgets/verdict_widget.h"
#include "ui/window/command_palette.h"
#include "ui/window/fit_dialog.h"
#include "ui/window/keys_sheet.h"
#include "ui/window/own_dialogs.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

namespace {

/// Every action that a menu leads to, submenus included.
QList<QAction*> actionsOf(const QMenu& menu)
{
    QList<QAction*> actions;
    for (QAction* action : menu.actions()) {
        if (action->isSeparator())
            continue;
        if (action->menu())
            actions += actionsOf(*action->menu());
        else
            actions << action;
    }
    return actions;
}

QList<QAction*> actionsOf(const MainWindow& window)
{
    QList<QAction*> actions;
    for (QAction* entry : window.menuBar()->actions())
        actions += actionsOf(*entry->menu());
    return actions;
}

/// What a person can put the focus on and change or press.
bool isControl(const QWidget& widget)
{
    return qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget)
        || qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QLineEdit*>(&widget)
        || (qobject_cast<const QAbstractSlider*>(&widget) && !qobject_cast<const QScrollBar*>(&widget))
        || qobject_cast<const QAbstractItemView*>(&widget);
}

/// Parts that Qt makes inside a control belong to it.
bool isPartOfControl(const QWidget& widget)
{
    for (const QWidget* at = widget.parentWidget(); at; at = at->parentWidget())
        if (qobject_cast<const QAbstractSpinBox*>(at) || qobject_cast<const QComboBox*>(at)
            || qobject_cast<const QAbstractItemView*>(at) || at->inherits("QTabBar") || at->inherits("QDockWidgetTitle")
            || at->inherits("QMenuBar"))
            return true;
    return widget.inherits("QDockWidgetTitleButton") || widget.objectName().startsWith(QLatin1String("qt_"));
}

QString pathOf(const QWidget& widget)
{
    QStringList path;
    for (const QWidget* at = &widget; at; at = at->parentWidget())
        path.prepend(QString::fromLatin1(at->metaObject()->className()) + u'#' + at->objectName());
    return path.join(u'/');
}

} // namespace

/// How the window treats a person: everything is named, explained, reachable; units, own presets, a three-field start.
class MannersTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<QSettings>(m_folder->filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
        WindowContext context = plainContext();
        context.settings = m_settings.get();
        context.configurationFolder = m_folder->path().toStdString();
        context.measureCpu = [] { return remat::testing::roundCpu(2); };
        context.measuredCpu = [](const RunReport&) -> Result<Device> { return remat::testing::roundCpu(2); };
        m_window = std::make_unique<MainWindow>(context);
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(waitForAnswer(m_window->state()));
    }
    void cleanup()
    {
        m_window.reset();
        useByteUnits(ByteUnits::Binary);
    }

    void everyActionSaysWhatItIs();
    void everyFieldIsNamedAndExplained();
    void everyKeyIsOnTheSheet();
    void theProjectorEnlargesOnceAndBack();
    void thePaletteFindsByLetters_data();
    void thePaletteFindsByLetters();
    void thePaletteRunsWhatIsChosen();
    void diagnosticsAreCopied();
    void unitsAreSwitched();
    void threeFieldsEndInAPlan();
    void ownPresetsAreKept();
    void ownDevicesAreKept();
    void missingRecentFilesCanBeForgotten();

private:
    QAction* action(const char* text)
    {
        for (QAction* action : actionsOf(*m_window))
            if (action->text() == QString::fromUtf8(text))
                return action;
        return nullptr;
    }
    template <class Dialog> Dialog* dialog(const char* action)
    {
        this->action(action)->trigger();
        return m_window->findChild<Dialog*>();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

void MannersTest::everyActionSaysWhatItIs()
{
    QHash<QString, QString> keys;
    const QList<QAction*> actions = actionsOf(*m_window);
    for (const QAction* action : actions) {
        QVERIFY(!action->text().isEmpty());
        QVERIFY2(!action->statusTip().isEmpty(), qPrintable(action->text()));
        QVERIFY2(action->statusTip() != action->text(), qPrintable(action->text()));
        for (const QKeySequence& key : action->shortcuts()) {
            QVERIFY2(!keys.contains(key.toString()),
                qPrintable(action->text() + QStringLiteral(" and ") + keys.value(key.toString())));
            keys.insert(key.toString(), action->text());
        }
    }
    QVERIFY(actions.size() > 60);
    QVERIFY(keys.size() > 30);
    // Two mnemonics of one menu would need two presses.
    for (QAction* entry : m_window->menuBar()->actions()) {
        QSet<QString> letters;
        for (const QAction* item : entry->menu()->actions()) {
            const QString letter = QKeySequence::mnemonic(item->text()).toString();
            QVERIFY2(letter.isEmpty() || !letters.contains(letter), qPrintable(entry->text() + item->text()));
            letters.insert(letter);
        }
    }
}

void MannersTest::everyFieldIsNamedAndExplained()
{
    int controls = 0;
    QStringList nameless, unexplained;
    for (const QString& page : {QStringLiteral("timeline"), QStringLiteral("perLayer"), QStringLiteral("tensors"),
             QStringLiteral("tradeoff"), QStringLiteral("strategies"), QStringLiteral("runs"), QStringLiteral("log")})
        m_window->bottomTabs().showPage(page);
    for (QWidget* widget : m_window->findChildren<QWidget*>()) {
        // What is hidden for good has no words yet: buttons of a strip that says nothing.
        const auto* strip = qobject_cast<InlineStrip*>(widget->parentWidget());
        if (!isControl(*widget) || isPartOfControl(*widget) || widget->isHidden() || (strip && strip->isHidden()))
            continue;
        ++controls;
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
        if (!face || face->text(QAccessible::Name).isEmpty())
            nameless << pathOf(*widget);
        // A button's own words may say enough; a field never does.
        const bool isButton = qobject_cast<QAbstractButton*>(widget) != nullptr;
        bool isExplained = isButton && !widget->property("text").toString().isEmpty();
        for (const QWidget* at = widget; at && !at->isWindow() && !isExplained; at = at->parentWidget())
            isExplained = !at->whatsThis().isEmpty() || !at->toolTip().isEmpty();
        const bool isTable = qobject_cast<QAbstractItemView*>(widget) != nullptr;
        if (!isExplained && !isTable)
            unexplained << pathOf(*widget);
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(u'\n')));
    QVERIFY2(unexplained.isEmpty(), qPrintable(unexplained.join(u'\n')));
    QVERIFY(controls > 40);
    // Each field of the left column: what, by which formula, from where.
    int fields = 0;
    for (FieldRow* field : m_window->modelPanel().findChildren<FieldRow*>()) {
        ++fields;
        QVERIFY2(field->whatsThis().size() > 60, qPrintable(field->objectName()));
        QHelpEvent question(QEvent::QueryWhatsThis, {}, {});
        QApplication::sendEvent(field, &question);
        QVERIFY(question.isAccepted());
    }
    QVERIFY(fields >= 17);
}

/// 1.5 times, as its help says, however often colours are chosen meanwhile; and what it was, afterwards.
void MannersTest::theProjectorEnlargesOnceAndBack()
{
    auto* projector = m_window->findChild<QAction*>(QStringLiteral("projector"));
    const auto pixels = [] { return QFontInfo(QApplication::font()).pixelSize(); };
    action("&Light")->trigger(); // the test's windows come up before their theme is the application's
    const int usual = pixels();
    for (int turn = 0; turn < 3; ++turn) {
        projector->setChecked(true);
        for (const char* theme : {"&Dark", "&Light"}) {
            action(theme)->trigger();
            QCOMPARE(pixels(), qRound(usual * 1.5));
        }
        projector->setChecked(false);
        QCOMPARE(pixels(), usual);
    }
}

void MannersTest::everyKeyIsOnTheSheet()
{
    const auto* sheet = dialog<KeysSheet>("&Keys");
    QVERIFY(sheet && sheet->isVisible());
    for (const QAction* action : actionsOf(*m_window))
        for (const QKeySequence& key : action->shortcuts())
            QVERIFY2(sheet->text().contains(key.toString(QKeySequence::NativeText)), qPrintable(action->text()));
}

void MannersTest::thePaletteFindsByLetters_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("first");
    QTest::newRow("words") << "run for"
                           << "Run for real";
    QTest::newRow("initials") << "kev"
                              << "Keep everything";
    QTest::newRow("a field") << "seq"
                             << "Sequence";
    QTest::newRow("a tab") << "strat"
                           << "Strategies";
    QTest::newRow("upper case") << "FIT MY"
                                << "Fit my model on my GPU\u2026";
}

void MannersTest::thePaletteFindsByLetters()
{
    QFETCH(QString, typed);
    QFETCH(QString, first);
    auto* palette = dialog<CommandPalette>("&Command palette\u2026");
    QVERIFY(palette && palette->offered().size() > 60);
    QTest::keyClicks(&palette->edit(), typed);
    QVERIFY(!palette->offered().isEmpty());
    QCOMPARE(palette->offered().front(), first);
    palette->edit().setText(QStringLiteral("zzzz"));
    QVERIFY(palette->offered().isEmpty());
    QTest::keyClick(&palette->edit(), Qt::Key_Return); // nothing to run
    QVERIFY(palette->isVisible());
}

void MannersTest::thePaletteRunsWhatIsChosen()
{
    auto* palette = dialog<CommandPalette>("&Command palette\u2026");
    QTest::keyClicks(&palette->edit(), QStringLiteral("least memory"));
    QTest::keyClick(&palette->edit(), Qt::Key_Return);
    QCOMPARE(m_window->state().inputs().budget, m_window->state().answer()->leastPeak());
    QTRY_VERIFY(!m_window->findChild<CommandPalette*>());
}

void MannersTest::diagnosticsAreCopied()
{
    const auto* diagnostics = dialog<QDialog>("&Diagnostics");
    QVERIFY(diagnostics);
    m_window->bottomTabs().log(QStringLiteral("said before"), false);
    auto* copy = m_window->findChild<QPushButton*>(QStringLiteral("copyDiagnostics"));
    copy->click();
    const QString text = QApplication::clipboard()->text();
    for (const QString& part : {QString::fromLatin1(qVersion()), QStringLiteral("rtx-4090"), m_folder->path()})
        QVERIFY2(text.contains(part), qPrintable(part));
    QVERIFY(m_window->diagnostics().contains(QStringLiteral("said before")));
}

/// 24 GiB are 25.8 GB: 24 * 1024^3 / 1000^3 = 25.77.
void MannersTest::unitsAreSwitched()
{
    m_window->state().setBudget({std::int64_t{24} << 30});
    QVERIFY(waitForAnswer(m_window->state()));
    auto* budget = m_window->findChild<SizeField*>(QStringLiteral("budget"));
    QCOMPARE(budget->edit().text(), QStringLiteral("24.00 GiB"));
    QAction* decimal = action("Sizes in &GB instead of GiB");
    decimal->setChecked(true);
    QCOMPARE(budget->edit().text(), QStringLiteral("25.77 GB"));
    const VerdictView& verdict = m_window->answerCard().verdict().view();
    QVERIFY(verdictText(verdict).sentence().contains(QStringLiteral("25.8 GB")));
    QVERIFY(m_window->answerCard().verdict().accessibleName().contains(QStringLiteral("25.8 GB"))
        || m_window->answerCard().verdict().accessibleDescription().contains(QStringLiteral("25.8 GB")));
    // A bare number has the unit that the field shows.
    budget->edit().selectAll();
    QTest::keyClicks(&budget->edit(), QStringLiteral("10"));
    QTest::keyClick(&budget->edit(), Qt::Key_Return);
    QCOMPARE(m_window->state().inputs().budget, Bytes{10'000'000'000});
    QVERIFY(m_settings->value(QStringLiteral("decimalUnits")).toBool());
    decimal->setChecked(false);
    QCOMPARE(budget->edit().text(), QStringLiteral("9.313 GiB"));
}

/// The subtraction is one: its parts, read from the sentence's own device, add up to the byte.
void MannersTest::threeFieldsEndInAPlan()
{
    auto* fit = dialog<FitDialog>("&Fit my model on my GPU\u2026");
    QVERIFY(fit);
    fit->model().setCurrentKey(QStringLiteral("gpt2-medium"));
    fit->gpu().setCurrentKey(QStringLiteral("l4"));
    fit->batch().setValue(24);
    const Device l4 = m_window->state().devices().find("l4").value();
    const StartBudget start = startBudget(l4);
    QCOMPARE(start.budget + start.reserve + start.context, start.capacity);
    QCOMPARE(start.capacity, Bytes{24'000'000'000}); // its file
    QCOMPARE(start.reserve, Bytes{480'000'000});     // a fiftieth
    emit fit->gpu().choiceEdited(QStringLiteral("l4"));
    for (const Bytes part : {start.capacity, start.context, start.reserve, start.budget})
        QVERIFY2(fit->subtraction().contains(NumberFormat().bytes(part)), qPrintable(fit->subtraction()));
    fit->findChild<QPushButton*>(QStringLiteral("fitPlan"))->click();
    QVERIFY(waitForAnswer(m_window->state()));
    const Plan& plan = m_window->state().answer()->shown->plan;
    QCOMPARE(plan.shape().name, std::string("gpt2-medium"));
    QCOMPARE(plan.device.name, std::string("l4"));
    QCOMPARE(plan.setup().batch, 24);
    QCOMPARE(plan.budget.value(), start.budget);
    m_window->state().undoStack().undo();
    QVERIFY(m_window->state().inputs() == firstInputs());
}

void MannersTest::ownPresetsAreKept()
{
    Inputs inputs = m_window->state().inputs();
    inputs.shape.layers = 7;
    m_window->state().edit(EditKind::Model, QString(), inputs);
    auto* preset = dialog<PresetDialog>("Save model as pre&set\u2026");
    preset->name().setText(QStringLiteral("../evil"));
    preset->save();
    QVERIFY(!preset->problem().isEmpty());
    QVERIFY(preset->isVisible());
    preset->name().setText(QStringLiteral("seven layers"));
    preset->save();
    // The command line finds it too.
    const Result<ModelShape> found = findPreset("seven layers", m_folder->path().toStdString());
    QVERIFY(found);
    QCOMPARE(found->layers, 7);
    auto* field = m_window->findChild<ChoiceField*>(QStringLiteral("preset"));
    QCOMPARE(field->currentKey(), QStringLiteral("seven layers"));
    field->setCurrentKey(QStringLiteral("gpt2"));
    emit field->choiceEdited(QStringLiteral("gpt2"));
    emit field->choiceEdited(QStringLiteral("seven layers"));
    QCOMPARE(m_window->state().inputs().shape.layers, 7);
}

void MannersTest::ownDevicesAreKept()
{
    Inputs inputs = m_window->state().inputs();
    inputs.setup.device = "l4";
    m_window->state().edit(EditKind::Device, QString(), inputs);
    auto* dialog = this->dialog<DeviceDialog>("E&dit device\u2026");
    dialog->name().setText(QStringLiteral("my-card"));
    dialog->edit(QStringLiteral("deviceMemory")).setText(QStringLiteral("much"));
    dialog->save();
    QVERIFY2(dialog->problem().contains(QStringLiteral("much")), qPrintable(dialog->problem()));
    dialog->edit(QStringLiteral("deviceMemory")).setText(QStringLiteral("48 GB"));
    dialog->edit(QStringLiteral("deviceBf16")).setText(QStringLiteral("200"));
    dialog->save();
    const Result<Device> found = devices(m_folder->path().toStdString()).find("my-card");
    QVERIFY(found);
    QCOMPARE(found->memory, Bytes{48'000'000'000});
    QCOMPARE(found->peak.bf16, 200e12);
    // What was not touched is the card's own to the last digit.
    const Device l4 = devices().find("l4").value();
    QCOMPARE(found->peak.fp32, l4.peak.fp32);
    QCOMPARE(found->bytesPerSecond, l4.bytesPerSecond);
    QCOMPARE(found->context, l4.context);
    QCOMPARE(m_window->state().device().name, std::string("my-card"));
    m_window->state().undoStack().undo();
    QCOMPARE(m_window->state().device().name, std::string("l4"));
}

void MannersTest::missingRecentFilesCanBeForgotten()
{
    const QString path = m_folder->filePath(QStringLiteral("gone.json"));
    QVERIFY(m_window->saveDocument(path));
    QVERIFY(QFile::remove(path));
    QVERIFY(m_window->saveDocument(m_folder->filePath(QStringLiteral("there.json"))));
    const auto entry = [&] {
        for (QAction* action : actionsOf(*m_window))
            if (action->text().startsWith(path))
                return action;
        return static_cast<QAction*>(nullptr);
    };
    QVERIFY(entry() && entry()->text().contains(QStringLiteral("missing")));
    entry()->trigger();
    QVERIFY(!entry());
}

QTEST_MAIN(MannersTest)
#include "manners_test.moc"
