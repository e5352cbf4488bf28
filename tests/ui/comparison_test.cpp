// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <bit>

#include "core/base/files.h"
#include "core/base/index.h"
#include "core/model/presets.h"
#include "core/plan/plan_file.h"
#include "tests/support/run_samples.h"
#include "ui/panels/article_panel.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/map_panel.h"
#include "ui/state/comparison.h"
#include "ui/tables/article_table_model.h"
#include "ui/tables/compare_table_model.h"
#include "ui/tables/table_view.h"
#include "ui/theme/format.h"
#include "ui/widgets/batch_map_widget.h"

#include <QTemporaryDir>

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

/// Two steps side by side, the batch map and the article's table, in the window.
class ComparisonTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_window.reset(); }
    void aSnapshotIsComparedWithWhatComesAfterIt();
    void strategiesRunsAndFilesCanBeEitherSide();
    void otherModelsAreComparedByTheirFigures();
    void theModelKeepsTheContract();
    void decisionsPointAtTheirCells();
    void theMapFillsItselfAndTakesBatchAndBudget();
    void aQuestionGoesBeforeTheMap();
    void theArticlesTableIsFilledRowByRow();
    void theArticlesTableCountsHalfAsManyBytesInBf16();

private:
    MainWindow& window() { return *m_window; }
    ExplorerState& state() { return window().state(); }
    const Plan& plan() { return state().answer()->shown->plan; }
    Comparison& comparison() { return window().bottomTabs().comparison(); }
    ComparePanel& panel() { return *window().findChild<ComparePanel*>(); }
    void open(const char* page)
    {
        window().bottomTabs().showPage(QLatin1String(page));
        QCoreApplication::processEvents();
    }
    /// Texts of the comparison's line that begins with a name.
    QStringList line(const QString& what)
    {
        panel().refresh();
        const QAbstractItemModel& model = *panel().table().model();
        for (int row = 0; row < model.rowCount(); ++row) {
            QStringList texts;
            for (int column = 0; column < model.columnCount(); ++column)
                texts << model.index(row, column).data().toString();
            if (texts.first().startsWith(what))
                return texts;
        }
        return {};
    }
    std::unique_ptr<MainWindow> m_window;
};

void ComparisonTest::init()
{
    m_window = std::make_unique<MainWindow>(plainContext());
    window().resize(1440, 900);
    window().show();
    QVERIFY(waitForAnswer(state()));
}

void ComparisonTest::aSnapshotIsComparedWithWhatComesAfterIt()
{
    open("compare");
    QVERIFY(panel().isVisible());
    QCOMPARE(panel().table().model()->rowCount(), 0);
    const Plan before = plan();
    QTest::mouseClick(panel().findChild<QPushButton*>(QStringLiteral("setAsB")), Qt::LeftButton);
    QVERIFY(comparison().b());
    QVERIFY(!line(QStringLiteral("No difference")).isEmpty());
    state().setBudget(state().answer()->leastPeak());
    QVERIFY(waitForAnswer(state()));
    const NumberFormat format;
    QStringList peak = line(QStringLiteral("peak"));
    QCOMPARE(peak[1], format.bytes(plan().prediction.peak));
    QCOMPARE(peak[2], format.bytes(before.prediction.peak));
    QVERIFY(peak[3].startsWith(u'+') && peak[3].contains(u'%'));
    QVERIFY(line(QStringLiteral("No difference")).isEmpty());
    // One line for each flip, and the model has no more.
    const std::size_t flips = flipsBetween(plan(), before)->size();
    const std::size_t figures = compareFigures(figuresOf(plan()), figuresOf(before)).size();
    QCOMPARE(at(panel().table().model()->rowCount()), flips + figures);
    // Swapped, signs turn.
    QTest::mouseClick(panel().findChild<QToolButton*>(QStringLiteral("swapSides")), Qt::LeftButton);
    peak = line(QStringLiteral("peak"));
    QCOMPARE(peak[1], format.bytes(before.prediction.peak));
    QVERIFY(peak[3].startsWith(QChar(0x2212)));
}

void ComparisonTest::strategiesRunsAndFilesCanBeEitherSide()
{
    open("strategies");
    // A strategy of the board, by the key of its table.
    auto* table = qobject_cast<TableView*>(window().findChild<QWidget*>(QStringLiteral("strategies")));
    QVERIFY(table);
    // The board is filled at the painters' pace.
    QTRY_VERIFY((table->selectModelRow(0), table->currentIndex().isValid()));
    auto* asB = table->findChild<QAction*>(QStringLiteral("compareAsB"));
    QVERIFY(asB);
    asB->trigger();
    QCOMPARE(comparison().bKey(), Comparison::strategyKey(QStringLiteral("none")));
    QVERIFY(panel().isVisible());
    const std::vector<ComparedStrategy>& board = state().answer()->strategies;
    QCOMPARE(line(QStringLiteral("peak"))[2], NumberFormat().bytes(board.front().plan->prediction.peak));
    QCOMPARE(line(QStringLiteral("reruns"))[2], QStringLiteral("0"));
    // A run.
    const RunReport report = remat::testing::sampleReport();
    window().runs().addReport(report, QStringLiteral("report.json"));
    comparison().setA(Comparison::runKey(1));
    QVERIFY(comparison().a() && comparison().a()->report);
    QCOMPARE(line(QStringLiteral("peak by the system"))[1], NumberFormat().bytes(*report.peak.system));
    QCOMPARE(line(QStringLiteral("peak by the system"))[2], QStringLiteral("\u2013"));
    QCOMPARE(line(QStringLiteral("peak by the system"))[3], QString());
    // A plan's file: its own plan becomes B, whatever the window solves.
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("plan.json"));
    const Plan filed = plan();
    QVERIFY(writeFileAtomically(path.toStdString(), planFileText(filed)));
    QVERIFY(window().openFile(path));
    QVERIFY(waitForAnswer(state()));
    QVERIFY(comparison().b() && comparison().b()->title.contains(QStringLiteral("plan.json")));
    QCOMPARE(comparison().b()->plan->keep, filed.keep);
    // Every choice is in both boxes, B's has one for nothing.
    panel().refresh();
    QCOMPARE(at(panel().sideA().count()), comparison().choices().size());
    QCOMPARE(at(panel().sideB().count()), comparison().choices().size() + 1);
    comparison().setB(QStringLiteral("gone"));
    panel().refresh();
    QCOMPARE(panel().table().model()->rowCount(), 0);
}

void ComparisonTest::otherModelsAreComparedByTheirFigures()
{
    open("compare");
    comparison().putAsideShown();
    Inputs inputs = state().inputs();
    inputs.shape.layers = 6;
    state().edit(EditKind::Model, QString(), inputs);
    QVERIFY(waitForAnswer(state()));
    QVERIFY(!line(QStringLiteral("Their layers are not alike")).isEmpty());
    QVERIFY(!line(QStringLiteral("step")).isEmpty());
    // No more than so many snapshots are held.
    for (std::size_t i = 0; i < Comparison::kMostAside + 5; ++i)
        comparison().putAsideShown();
    std::size_t aside = 0;
    for (const Comparand& choice : comparison().choices())
        aside += choice.key.startsWith(QStringLiteral("kept:"));
    QCOMPARE(aside, Comparison::kMostAside);
}

void ComparisonTest::theModelKeepsTheContract()
{
    CompareTableModel model;
    ArticleTableModel article;
    const auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;
    const QAbstractItemModelTester tester(&model, kFatal), articleTester(&article, kFatal);
    for (const int count : {5, 2, 9, 0}) {
        model.setRows(std::vector<CompareRow>(at(count), CompareRow{QStringLiteral("peak"), {}, {}, {}}));
        article.setRows(std::vector<ArticleRow>(at(count)));
        QCOMPARE(model.rowCount(), count);
        QCOMPARE(article.rowCount(), count);
    }
    // Less memory is better, fewer samples are worse; equal is neither.
    using Figure = FigurePair::Figure;
    const auto tone = [](Figure figure, double a, double b) {
        return CompareTableModel::figureRow({figure, a, b, b - a, std::nullopt}).tone;
    };
    QCOMPARE(tone(Figure::Peak, 10, 5), CellTone::Good);
    QCOMPARE(tone(Figure::SamplesPerSecond, 10, 5), CellTone::Bad);
    QCOMPARE(tone(Figure::Step, 5, 5), CellTone::Normal);
    const CompareRow row = CompareTableModel::figureRow({Figure::Step, 2e6, 3e6, 1e6, 0.5});
    QCOMPARE(row.change, QStringLiteral("+1.00 ms (+50 %)"));
}

void ComparisonTest::decisionsPointAtTheirCells()
{
    open("compare");
    comparison().setB(Comparison::strategyKey(QStringLiteral("full")));
    panel().refresh();
    const auto* sorted = panel().table().model();
    int flipRow = -1;
    for (int row = 0; row < sorted->rowCount(); ++row)
        if (sorted->index(row, CompareTableModel::B).data().toString() == QStringLiteral("recomputed"))
            flipRow = row;
    QVERIFY(flipRow >= 0);
    panel().table().setCurrentIndex(sorted->index(flipRow, 0));
    QVERIFY(state().selection().has_value());
    QVERIFY(state().pointing().hover().has_value());

    // In the grid: just the cells that differ, while the page can be seen.
    QVERIFY(state().pointing().lit().empty());
    panel().inGrid().setChecked(true);
    const std::vector<ComparedStrategy>& board = state().answer()->strategies;
    const auto full = std::find_if(board.begin(), board.end(),
        [](const ComparedStrategy& row) { return row.strategy.kind == Strategy::Kind::Full; });
    std::size_t differing = 0;
    for (std::size_t stage = 0; stage < plan().keep.size(); ++stage)
        differing += at(std::popcount((plan().keep[stage] ^ full->plan->keep[stage])
            & keepAll(plan().step->tape.tapeOf(static_cast<int>(stage)))));
    QVERIFY(differing > 0);
    QCOMPARE(state().pointing().lit().size(), differing);
    comparison().setB(Comparison::shownKey());
    panel().refresh();
    QVERIFY(state().pointing().lit().empty());
    QVERIFY(!panel().inGrid().isEnabled());
    comparison().setB(Comparison::strategyKey(QStringLiteral("full")));
    panel().refresh();
    QCOMPARE(state().pointing().lit().size(), differing);
    open("timeline");
    QVERIFY(state().pointing().lit().empty());
}

void ComparisonTest::theMapFillsItselfAndTakesBatchAndBudget()
{
    auto* panel = window().findChild<MapPanel*>();
    QVERIFY(panel->map().view().rows.empty()); // nobody looks, nothing is solved
    open("batchMap");
    const std::vector<std::int64_t> batches = mapBatches(state().inputs().setup.batch);
    QVERIFY(QTest::qWaitFor([&] { return panel->map().view().rows.size() == batches.size(); }, 30'000));
    QCOMPARE(panel->map().view().left, std::size_t{0});
    // The person's own row is the study's.
    const Bytes own = panel->map().view().rowOf(state().inputs().setup.batch)->leastPeak();
    QCOMPARE(own.value, state().answer()->study->leastPeak().value);
    // Another batch keeps the rows that both maps have.
    const std::int64_t before = state().inputs().setup.batch;
    const Bytes budget = panel->map().view().rowOf(before / 2)->leastPeak();
    emit panel->map().chosen(before / 2, budget);
    QCOMPARE(state().inputs().setup.batch, before / 2);
    QCOMPARE(state().inputs().budget, budget);
    QVERIFY(waitForAnswer(state()));
    QVERIFY(panel->map().view().rowOf(before) != nullptr);
    QCOMPARE(panel->map().view().batch, before / 2);
    state().undoStack().undo();
    QCOMPARE(state().inputs().setup.batch, before);
    // Another model starts anew.
    Inputs inputs = state().inputs();
    inputs.shape.layers = 2;
    state().edit(EditKind::Model, QString(), inputs);
    QVERIFY(waitForAnswer(state()));
    QVERIFY(QTest::qWaitFor([&] { return panel->map().view().rows.size() == batches.size(); }, 30'000));
    QVERIFY(panel->map().view().rowOf(before)->leastPeak() < own);
}

void ComparisonTest::aQuestionGoesBeforeTheMap()
{
    // A model whose map takes long: answers to a moving budget still come at once.
    Inputs inputs = state().inputs();
    inputs.shape = findPreset("bert-large").value();
    inputs.setup.batch = 16;
    inputs.setup.sequence = 512;
    inputs.setup = withDefaults(inputs.shape, inputs.setup);
    inputs.budget = Bytes{std::int64_t{30} << 30};
    state().edit(EditKind::Document, QString(), inputs);
    QVERIFY(waitForAnswer(state()));
    auto* panel = window().findChild<MapPanel*>();
    open("batchMap");
    for (int i = 1; i <= 5; ++i) {
        state().setBudget(inputs.budget + Bytes{std::int64_t{i} << 28});
        QVERIFY(waitForAnswer(state()));
    }
    QVERIFY(QTest::qWaitFor([&] { return panel->map().view().left == 0; }, 60'000));
    QCOMPARE(panel->map().view().rows.size(), mapBatches(16).size());
}

void ComparisonTest::theArticlesTableIsFilledRowByRow()
{
    auto* panel = window().findChild<ArticlePanel*>();
    // A GPU: every figure is from its own record, not from this machine.
    Inputs inputs = state().inputs();
    inputs.setup.device = "t4";
    state().edit(EditKind::Device, QString(), inputs);
    QVERIFY(waitForAnswer(state()));
    open("article");
    QVERIFY(QTest::qWaitFor([&] { return panel->isComplete(); }, 60'000));
    ArticleTable expected
        = ArticleTable::make(state().device(), state().device().memory - state().device().context, "").value();
    QVERIFY(expected.computeNext({}));
    const QAbstractItemModel& model = *panel->table().model();
    QCOMPARE(model.rowCount(), 12);
    QCOMPARE(model.index(0, ArticleTableModel::Batch).data().toString(),
        QString::number(expected.rows().front().largestBatch));
    QCOMPARE(model.index(0, ArticleTableModel::ClaimedBatch).data().toString(), QStringLiteral("32"));
    QCOMPARE(model.index(1, ArticleTableModel::ClaimedThroughput).data().toString(), QStringLiteral("1.29\u00d7"));
    // BERT-large has no claims.
    QCOMPARE(model.index(4, ArticleTableModel::ClaimedBatch).data().toString(), QStringLiteral("\u2013"));
    for (int row = 0; row < model.rowCount(); ++row) {
        panel->table().setCurrentIndex(model.index(row, 0));
        QVERIFY2(panel->whyText().size() > 40, qPrintable(panel->whyText()));
    }
}

/// A number of bf16 has half the bytes of one of fp32: where both fit, half precision takes the larger batch.
void ComparisonTest::theArticlesTableCountsHalfAsManyBytesInBf16()
{
    auto* panel = window().findChild<ArticlePanel*>();
    auto* precision = panel->findChild<QComboBox*>(QStringLiteral("articlePrecision"));
    Inputs inputs = state().inputs();
    inputs.setup.device = "t4";
    state().edit(EditKind::Device, QString(), inputs);
    QVERIFY(waitForAnswer(state()));
    open("article");
    QVERIFY(precision->isEnabled());
    const auto firstBatch = [&] {
        const QModelIndex cell = panel->table().model()->index(0, ArticleTableModel::Batch);
        return cell.data().toString().toInt(); // 0 until it is computed
    };
    const auto heading = [&] {
        for (const QLabel* label : panel->findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("rates against")))
                return label->text();
        return QString();
    };
    QVERIFY(QTest::qWaitFor([&] { return firstBatch() > 0; }, 30'000));
    const int batchOfFp32 = firstBatch();
    QVERIFY2(heading().contains(QStringLiteral("fp32")), qPrintable(heading()));
    precision->setCurrentIndex(1);
    QVERIFY2(heading().contains(QStringLiteral("bf16")), qPrintable(heading()));
    QVERIFY(QTest::qWaitFor([&] { return firstBatch() > 0; }, 30'000));
    QVERIFY2(firstBatch() > batchOfFp32, qPrintable(QString::number(firstBatch())));
}

QTEST_MAIN(ComparisonTest)
#include "comparison_test.moc"
