// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTimer>

#include "core/base/files.h"
#include "core/export/plan_table.h"
#include "core/plan/plan_file.h"
#include "ui/forms/inline_strip.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/details_panel.h"
#include "ui/state/grid_rows.h"
#include "ui/widgets/verdict_widget.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

/// What becomes of a person's work: kept over restarts, asked about before it is replaced, undone, exported.
class DocumentLifeTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<QSettings>(m_folder->filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
        m_window = open();
        QVERIFY(waitForAnswer(m_window->state()));
    }
    void cleanup() { m_window.reset(); }

    void theSessionSurvivesWithItsFileAndItsUnsavedMark()
    {
        const QString document = m_folder->filePath(QStringLiteral("mine.json"));
        QVERIFY(m_window->saveDocument(document));
        m_window->state().setBudget({305 << 20});
        m_window->bottomTabs().showPage(QStringLiteral("tensors"));
        m_window->bottomTabs().showPage(QStringLiteral("strategies"));
        const Inputs inputs = m_window->state().inputs();
        // No orderly end: what was written shortly after the last edit is what the next window finds.
        QTRY_VERIFY(QFileInfo::exists(sessionPath()));
        QTRY_VERIFY(parseDocument(readFile(sessionPath().toStdString()).value(), "session")->inputs == inputs);
        {
            const std::unique_ptr<MainWindow> next = open();
            QVERIFY(next->restoreSession());
            QVERIFY(next->state().inputs() == inputs);
            QVERIFY(next->windowTitle().contains(QStringLiteral("mine")));
            QVERIFY(next->isWindowModified());
        }
        // An orderly end keeps the open pages too, and asks about the named file.
        answerNextQuestion(QMessageBox::Save);
        m_window->close();
        const std::unique_ptr<MainWindow> last = open();
        QVERIFY(last->restoreSession());
        QVERIFY(!last->isWindowModified());
        QCOMPARE(
            last->bottomTabs().openPages(), (QStringList{QStringLiteral("tensors"), QStringLiteral("strategies")}));
        QVERIFY(parseDocument(readFile(document.toStdString()).value(), "mine")->inputs == inputs);
    }

    void aDamagedSessionIsPutAside()
    {
        m_window.reset();
        QVERIFY(writeFileAtomically(sessionPath().toStdString(), "{ damaged"));
        const std::unique_ptr<MainWindow> next = open();
        QVERIFY(!next->restoreSession());
        QVERIFY(!QFileInfo::exists(sessionPath()));
        // The next edit writes a new session, and the damaged one stays to be looked at.
        next->state().setBudget({307 << 20});
        QTRY_VERIFY(QFileInfo::exists(sessionPath()));
        QVERIFY(parseDocument(readFile(sessionPath().toStdString()).value(), "session"));
        QCOMPARE(readFile((sessionPath() + QStringLiteral(".bad")).toStdString()).value(), std::string("{ damaged"));
    }

    void newAsksBeforeItReplacesUnsavedWork()
    {
        m_window->state().setBudget({305 << 20});
        answerNextQuestion(QMessageBox::Cancel);
        trigger(QKeySequence::New);
        QCOMPARE(m_window->state().inputs().budget, Bytes{305 << 20});
        answerNextQuestion(QMessageBox::Discard);
        trigger(QKeySequence::New);
        QVERIFY(m_window->state().inputs() == firstInputs());
    }

    void undoReachesTheDocumentFromAFieldWhoseValueIsIn()
    {
        auto* batch = m_window->findChild<QSpinBox*>();
        for (QSpinBox* spin : m_window->findChildren<QSpinBox*>())
            if (spin->accessibleName().remove(u'&') == QLatin1String("Batch"))
                batch = spin;
        const std::int64_t before = m_window->state().inputs().setup.batch;
        m_window->activateWindow();
        batch->setFocus();
        batch->selectAll();
        QTest::keyClicks(batch, QStringLiteral("6"));
        QTest::keyClick(batch, Qt::Key_Return);
        QCOMPARE(m_window->state().inputs().setup.batch, 6);
        QTest::keyClick(batch, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->state().inputs().setup.batch, before);
    }

    /// What the sentence says is compared with plans that the planner's own chain gives for the two keep-sets.
    void whyIsSaidFromWhereThePlanStands()
    {
        ExplorerState& state = m_window->state();
        const Plan& plan = state.answer()->shown->plan;
        const StepChain& step = *plan.step;
        const std::vector<GridRowMeaning> rows = gridRows(step.tape.kinds[1]);
        int withBoth = 0;
        for (int row = 0; row < static_cast<int>(rows.size()); ++row)
            for (int layer = 0; layer < step.tape.shape.layers; ++layer) {
                const KeepSet ops = opsOfPlace(step.tape, {row, layer});
                const auto stage = static_cast<std::size_t>(stageOfLayer(step.tape, layer));
                const KeepSet kept = ops & plan.keep[stage], dropped = ops & ~plan.keep[stage];
                state.setSelection(GridPlace{row, layer});
                const QString why = m_window->findChild<DetailsPanel*>()->whyText().section(u'\n', 0, 0);
                QCOMPARE(why.contains(QStringLiteral("Recomputing saves")), dropped != 0);
                QCOMPARE(why.contains(QStringLiteral("would free")), kept != 0);
                withBoth += kept != 0 && dropped != 0;
                if (kept == 0)
                    continue;
                // Bytes that the plan for the smaller keep-set saves less, told in the sentence.
                std::vector<KeepSet> less = plan.keep;
                less[stage] &= ~ops;
                const Plan other = derivePlan(step.tape, plan.device, less);
                const Bytes freed = plan.prediction.saved - other.prediction.saved;
                QVERIFY2(why.contains(NumberFormat().bytes(freed)), qPrintable(why));
            }
        QVERIFY(withBoth > 0);
    }

    void wrongInputsDimTheBoardAndStartNoRun()
    {
        const Bytes budget = m_window->state().answer()->question.budget;
        Inputs inputs = m_window->state().inputs();
        inputs.shape.heads = 7;
        inputs.budget = {20LL << 30};
        m_window->state().edit(EditKind::Document, QString(), inputs);
        QVERIFY(waitForAnswer(m_window->state()));
        QVERIFY(m_window->state().answer()->inputError);
        // The figures still belong to the budget that they were computed for.
        QCOMPARE(m_window->state().answer()->question.budget, budget);
        QVERIFY(m_window->answerCard().findChild<VerdictWidget*>()->isStale());
        QVERIFY(!m_window->answerCard().strip().stripView().sentence.startsWith(QStringLiteral("heads")));
        m_window->toggleRun();
        QVERIFY(!m_window->runs().isRunning());
        m_window->state().undoStack().undo();
        QVERIFY(waitForAnswer(m_window->state()));
        QTRY_VERIFY(!m_window->answerCard().findChild<VerdictWidget*>()->isStale());
    }

    void plansAreExportedByTheirSuffix()
    {
        const Plan& shown = m_window->state().answer()->shown->plan;
        const auto exported = [&](const char* name) {
            const QString path = m_folder->filePath(QLatin1String(name));
            return m_window->exportPlan(path) ? readFile(path.toStdString()).value() : std::string();
        };
        const Result<Plan> plan = parsePlan(exported("plan.json"), "plan.json");
        QVERIFY2(plan, plan ? "" : englishSentence(plan.error()).c_str());
        QCOMPARE(plan->prediction.peak, shown.prediction.peak);
        QCOMPARE(exported("plan.csv"), planCsv(shown));
        QCOMPARE(exported("plan.MD"), planMarkdown(shown));
        QCOMPARE(exported("plan.txt"), std::string());
        QVERIFY(!QFileInfo::exists(m_folder->filePath(QStringLiteral("plan.txt"))));
        QVERIFY(m_window->answerCard().strip().stripView().sentence.contains(QStringLiteral(".csv")));
    }

private:
    QString sessionPath() const { return m_folder->filePath(QStringLiteral("session.json")); }

    std::unique_ptr<MainWindow> open()
    {
        WindowContext context = plainContext();
        context.sessionPath = sessionPath();
        context.settings = m_settings.get();
        auto window = std::make_unique<MainWindow>(context);
        window->resize(1440, 900);
        window->show();
        return window;
    }

    void answerNextQuestion(QMessageBox::StandardButton button)
    {
        QTimer::singleShot(0, this, [button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            box->button(button)->click();
        });
    }

    void trigger(QKeySequence::StandardKey key)
    {
        for (QAction* action : m_window->actions())
            if (action->shortcut() == QKeySequence(key))
                return action->trigger();
        QFAIL("no such action");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(DocumentLifeTest)
#include "document_life_test.moc"
