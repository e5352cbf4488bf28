// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest/QTest>

#include "ui/tables/log_list_model.h"
#include "ui/tables/runs_table_model.h"
#include "ui/tables/strategy_table_model.h"
#include "ui/tables/table_sorter.h"
#include "ui/tables/table_view.h"
#include "ui/tables/tensor_table_model.h"
#include "widget_pictures.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::literals;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

StrategyRow strategy(const char* name, bool fits, Bytes peak, Bytes saved, double overhead, std::int64_t reruns)
{
    return {QString::fromLatin1(name), QString::fromLatin1(name),
        StrategyFigures{fits, peak, saved, {static_cast<std::int64_t>(212e6 * (1 + overhead))}, overhead, reruns}, {},
        false};
}

std::vector<StrategyRow> strategies()
{
    return {strategy("optimal", true, 3522_MiB, 2324_MiB, 0.034, 42),
        strategy("keep everything", false, 5826_MiB, 4628_MiB, 0, 0),
        strategy("full layer", true, 1761_MiB, 600_MiB, 0.38, 156),
        strategy("attention only", false, 96_MiB, 64_MiB, -0.002, 24),
        {QStringLiteral("llmc-r2"), QStringLiteral("llm.c -r 2"), std::nullopt,
            QStringLiteral("needs GELU and LayerNorm"), false}};
}

std::vector<TensorRow> tensors()
{
    return {{QStringLiteral("qkv"), QStringLiteral("attention"), QStringLiteral("B, T, 3C = 16, 1024, 2304"), 72_MiB,
                true, QStringLiteral("attention"), {410'000}, false},
        {QStringLiteral("up"), QStringLiteral("FFN"), QStringLiteral("B, T, 4C = 16, 1024, 3072"), 96_MiB, true,
            QStringLiteral("gelu, down"), {410'000}, true},
        {QStringLiteral("gelu"), QStringLiteral("FFN"), QStringLiteral("B, T, 4C = 16, 1024, 3072"), 1_GiB, false,
            QStringLiteral("down"), {28'000}, false},
        {QStringLiteral("sum"), QStringLiteral("residual"), QStringLiteral("B, T, C = 16, 1024, 768"), 24_MiB, false,
            {}, {9'000}, false}};
}

std::vector<RunRow> runs()
{
    RunRow done{1, QStringLiteral("optimal, 3.50 GiB"), QStringLiteral("CPU, 2 threads"), RunState::Done, {}, 3522_MiB,
        3522_MiB, 3701_MiB, Nanoseconds{9'100'000'000}, true, 10.9512};
    RunRow off = done;
    off.number = 2;
    off.trackedPeak = 3523_MiB;
    off.gradientsEqual = false;
    RunRow failed{3, QStringLiteral("keep everything"), QStringLiteral("H200"), RunState::Failed,
        QStringLiteral("out of memory in backward of L7.ffn_up"), 5826_MiB, {}, {}, {}, {}, {}};
    RunRow running{4, QStringLiteral("full layer"), QStringLiteral("CPU, 2 threads"), RunState::Running,
        QStringLiteral("step 3 of 5"), 1761_MiB, {}, {}, {}, {}, {}};
    RunRow waiting = running;
    waiting.number = 5;
    waiting.state = RunState::Waiting;
    return {done, off, failed, running, waiting};
}

QString text(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

CellTone tone(const QAbstractItemModel& model, int row, int column)
{
    return static_cast<CellTone>(model.index(row, column).data(ToneRole).toInt());
}

QStringList columnTexts(const QAbstractItemModel& model, int column)
{
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts.append(text(model, row, column));
    return texts;
}

} // namespace

/// Models under QAbstractItemModelTester; expected texts follow the formats of
/// the window's page (three digits, unit, U+2212), expected orders the raw
/// values written in the rows above.
class ModelsTableTest : public QObject {
    Q_OBJECT
private slots:
    void modelsKeepTheContractThroughAllChanges()
    {
        StrategyTableModel strategyModel;
        TensorTableModel tensorModel;
        RunsTableModel runsModel;
        LogListModel logModel;
        const QAbstractItemModelTester strategyTester(&strategyModel, kFatal), tensorTester(&tensorModel, kFatal);
        const QAbstractItemModelTester runsTester(&runsModel, kFatal), logTester(&logModel, kFatal);
        TableSorter sorter(&strategyModel);
        const QAbstractItemModelTester sorterTester(&sorter, kFatal);
        sorter.sort(StrategyTableModel::Peak, Qt::DescendingOrder);
        for (int count : {5, 2, 4, 0, 5}) {
            auto rows = strategies();
            rows.resize(static_cast<std::size_t>(count));
            strategyModel.setRows(rows);
            QCOMPARE(strategyModel.rowCount(), count);
            auto moreRows = tensors();
            moreRows.resize(static_cast<std::size_t>(std::min(count, 4)));
            tensorModel.setRows(moreRows);
        }
        runsModel.setRows(runs());
        for (int i = 0; i < 5; ++i)
            logModel.append({QTime(14, 2, i), QStringLiteral("line"), false});
        strategyModel.retranslate();
        QCOMPARE(logModel.rowCount(), 5);
    }

    void setRowsKeepsTheSelection()
    {
        StrategyTableModel model;
        model.setRows(strategies());
        TableView view(&model, pictures::themed(Lightness::Light));
        view.selectModelRow(2);
        auto rows = strategies();
        rows[2].figures->peak = 1_GiB;
        model.setRows(rows);
        QCOMPARE(view.modelRow(view.currentIndex()), 2);
    }

    void strategyCellsSayTheirFigures()
    {
        StrategyTableModel model;
        model.setRows(strategies());
        QVERIFY(!model.index(0, 0).data(Qt::FontRole).isValid());
        auto rows = strategies();
        rows[0].isCurrent = true;
        model.setRows(rows);
        QVERIFY(model.index(0, 0).data(Qt::FontRole).value<QFont>().bold());
        QCOMPARE(text(model, 0, StrategyTableModel::Fits), QStringLiteral("fits"));
        QCOMPARE(text(model, 0, StrategyTableModel::Peak), QStringLiteral("3.44 GiB"));
        QCOMPARE(text(model, 0, StrategyTableModel::Overhead), QStringLiteral("+3.4 %"));
        QCOMPARE(text(model, 3, StrategyTableModel::Overhead), QStringLiteral("\u22120.2 %"));
        QCOMPARE(text(model, 0, StrategyTableModel::Reruns), QStringLiteral("42"));
        QCOMPARE(tone(model, 0, StrategyTableModel::Fits), CellTone::Good);
        QCOMPARE(tone(model, 1, StrategyTableModel::Fits), CellTone::Bad);
        QCOMPARE(text(model, 4, StrategyTableModel::Fits), QStringLiteral("not applicable: needs GELU and LayerNorm"));
        QVERIFY(text(model, 4, StrategyTableModel::Peak).isEmpty());
        QCOMPARE(model.index(0, StrategyTableModel::Peak).data(Qt::TextAlignmentRole).value<Qt::Alignment>(),
            Qt::AlignRight | Qt::AlignVCenter);
    }

    void sortingGoesByRawValuesAndLeavesReasonsLast()
    {
        StrategyTableModel model;
        model.setRows(strategies());
        TableSorter sorter(&model);
        const QStringList ascending{QStringLiteral("attention only"), QStringLiteral("full layer"),
            QStringLiteral("optimal"), QStringLiteral("keep everything"), QStringLiteral("llm.c -r 2")};
        sorter.sort(StrategyTableModel::Peak, Qt::AscendingOrder);
        QCOMPARE(columnTexts(sorter, StrategyTableModel::Name), ascending);
        sorter.sort(StrategyTableModel::Peak, Qt::DescendingOrder);
        QCOMPARE(columnTexts(sorter, StrategyTableModel::Name),
            (QStringList{QStringLiteral("keep everything"), QStringLiteral("optimal"), QStringLiteral("full layer"),
                QStringLiteral("attention only"), QStringLiteral("llm.c -r 2")}));
        sorter.sort(-1);
        QCOMPARE(text(sorter, 0, 0), QStringLiteral("optimal"));

        TensorTableModel tensorModel;
        tensorModel.setRows(tensors());
        TableSorter tensorSorter(&tensorModel);
        tensorSorter.sort(TensorTableModel::Size, Qt::AscendingOrder);
        QCOMPARE(columnTexts(tensorSorter, TensorTableModel::Tensor),
            (QStringList{QStringLiteral("sum"), QStringLiteral("qkv"), QStringLiteral("up"), QStringLiteral("gelu")}));
    }

    void tensorCellsSayTheDecision()
    {
        TensorTableModel model;
        model.setRows(tensors());
        QCOMPARE(text(model, 0, TensorTableModel::Decision), QStringLiteral("kept"));
        QCOMPARE(text(model, 1, TensorTableModel::Decision), QStringLiteral("kept, pinned"));
        QCOMPARE(text(model, 2, TensorTableModel::Decision), QStringLiteral("recomputed"));
        QCOMPARE(text(model, 2, TensorTableModel::RecomputeTime), QStringLiteral("28.0 µs"));
        QCOMPARE(text(model, 3, TensorTableModel::ReadBy), QStringLiteral("no backward"));
    }

    void runsShowWhatTheyHaveNotMeasuredAsDash()
    {
        RunsTableModel model;
        model.setRows(runs());
        using M = RunsTableModel;
        const QString dash(QChar(0x2013));
        QCOMPARE(text(model, 0, M::State), QStringLiteral("done"));
        QCOMPARE(text(model, 0, M::Difference), QStringLiteral("0 B"));
        QCOMPARE(tone(model, 0, M::Difference), CellTone::Good);
        QCOMPARE(text(model, 1, M::Difference), QStringLiteral("+1.00 MiB"));
        QCOMPARE(tone(model, 1, M::Difference), CellTone::Bad);
        QCOMPARE(text(model, 1, M::Gradients), QStringLiteral("differ"));
        QCOMPARE(text(model, 2, M::State), QStringLiteral("failed: out of memory in backward of L7.ffn_up"));
        QCOMPARE(tone(model, 2, M::State), CellTone::Bad);
        QCOMPARE(text(model, 3, M::State), QStringLiteral("running: step 3 of 5"));
        for (int column : {M::Tracked, M::System, M::Difference, M::StepTime, M::Gradients, M::Loss}) {
            QCOMPARE(text(model, 3, column), dash);
            QVERIFY(!model.index(3, column).data(RawValueRole).isValid());
        }
        QCOMPARE(text(model, 0, M::StepTime), QStringLiteral("9.10 s"));
        QCOMPARE(text(model, 0, M::Loss), QStringLiteral("10.9512"));
    }

    void theLogForgetsItsOldestLines()
    {
        LogListModel model;
        for (std::size_t i = 0; i < LogListModel::kLimit + 3; ++i)
            model.append({QTime(14, 2, 0), QString::number(i), i % 2 == 0});
        QCOMPARE(model.rowCount(), static_cast<int>(LogListModel::kLimit));
        QCOMPARE(text(model, 0, LogListModel::Text), QStringLiteral("3"));
        QCOMPARE(text(model, 0, LogListModel::Time), QStringLiteral("14:02:00"));
    }

    void copyGivesTabSeparatedRowsWithHeader()
    {
        TensorTableModel model;
        model.setRows(tensors());
        TableView view(&model, pictures::themed(Lightness::Light));
        view.resize(800, 200);
        view.show();
        view.sortByColumn(TensorTableModel::Size, Qt::AscendingOrder);
        view.selectRow(0);
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(),
            QStringLiteral("tensor\tsublayer\tshape\tsize\tdecision\tread in backward by\trecompute time\n"
                           "sum\tresidual\tB, T, C = 16, 1024, 768\t24.0 MiB\trecomputed\tno backward\t9.00 µs\n"));
        view.clearSelection();
        QCOMPARE(view.selectionAsTsv().count(QLatin1Char('\n')), 5);
    }

    void tabsInTextsDoNotBreakColumns()
    {
        LogListModel model;
        model.append({QTime(1, 2, 3), QStringLiteral("a\tb\nc"), false});
        TableView view(&model, pictures::themed(Lightness::Light));
        QCOMPARE(view.selectionAsTsv(), QStringLiteral("time\ttext\n01:02:03\ta b c\n"));
    }

    void rowsAreToldByTheirNumberInTheModel()
    {
        TensorTableModel model;
        model.setRows(tensors());
        TableView view(&model, pictures::themed(Lightness::Light));
        view.sortByColumn(TensorTableModel::Size, Qt::DescendingOrder);
        QSignalSpy chosen(&view, &TableView::rowChosen);
        QSignalSpy activated(&view, &TableView::rowActivated);
        view.setCurrentIndex(view.model()->index(0, 0));
        QCOMPARE(chosen.takeFirst(), QVariantList{2}); // gelu, 1 GiB
        view.selectModelRow(1);
        QCOMPARE(chosen.count(), 0);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(activated.takeFirst(), QVariantList{1});
    }

    void aLogFollowsItsEndUntilThePersonLooksBack()
    {
        LogListModel model;
        TableView view(&model, pictures::themed(Lightness::Light));
        view.setFollowsEnd(true);
        view.resize(300, 120);
        view.show();
        for (int i = 0; i < 100; ++i)
            model.append({QTime(14, 2, 0), QString::number(i), false});
        QTRY_VERIFY(view.verticalScrollBar()->maximum() > 0);
        QTRY_COMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
        view.verticalScrollBar()->setValue(10);
        model.append({QTime(14, 3, 0), QStringLiteral("new"), false});
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        QCOMPARE(view.verticalScrollBar()->value(), 10);
    }

    void reasonsTakeTheRestOfTheRow()
    {
        StrategyTableModel model;
        model.setRows(strategies());
        TableView view(&model, pictures::themed(Lightness::Light));
        view.resize(520, 200);
        view.show();
        QTRY_COMPARE(view.columnSpan(4, StrategyTableModel::Fits), 6);
        QCOMPARE(view.columnSpan(0, StrategyTableModel::Fits), 1);
        view.sortByColumn(StrategyTableModel::Name, Qt::DescendingOrder);
        int row = 0;
        while (view.model()->index(row, 0).data().toString() != QStringLiteral("llm.c -r 2"))
            ++row;
        QTRY_COMPARE(view.columnSpan(row, StrategyTableModel::Fits), 6);
    }

    void wordsGiveWayToFiguresWhereItIsNarrow()
    {
        RunsTableModel model;
        model.setRows(runs());
        TableView view(&model, pictures::themed(Lightness::Light));
        view.resize(440, 180);
        view.show();
        QCoreApplication::processEvents();
        const QFontMetrics metrics(view.font());
        for (int column : {RunsTableModel::Predicted, RunsTableModel::Tracked, RunsTableModel::Difference})
            QVERIFY(metrics.horizontalAdvance(text(model, 0, column)) < view.columnWidth(column));
        // 12 px font: 76 px is the least that words keep.
        QCOMPARE(view.columnWidth(RunsTableModel::State), 76);
        QCOMPARE(model.index(2, RunsTableModel::Machine).data(Qt::ToolTipRole).toString(), QStringLiteral("H200"));
        view.resize(2000, 180);
        QCoreApplication::processEvents();
        QVERIFY(view.columnWidth(RunsTableModel::State) > 200);
        view.setColumnWidth(RunsTableModel::Plan, 150);
        view.resize(440, 180);
        QCoreApplication::processEvents();
        QCOMPARE(view.columnWidth(RunsTableModel::Plan), 150);
    }

    void noColumnCutsItsText()
    {
        StrategyTableModel model;
        model.setRows(strategies());
        for (bool projector : {false, true}) {
            TableView view(&model, pictures::themed(Lightness::Light, projector));
            view.resize(projector ? 900 : 600, 200);
            view.show();
            QCoreApplication::processEvents();
            QTRY_VERIFY(view.columnWidth(StrategyTableModel::Peak) > 20);
            const QFontMetrics metrics(view.font());
            for (int row = 0; row < 4; ++row)
                for (int column = 0; column < model.columnCount(); ++column)
                    QVERIFY(metrics.horizontalAdvance(text(*view.model(), row, column)) < view.columnWidth(column));
        }
    }

    void pictures()
    {
        for (const auto& [lightness, ratio, suffix] : pictures::looks()) {
            const Theme look = pictures::themed(lightness);
            StrategyTableModel strategyModel;
            strategyModel.setRows(strategies());
            TensorTableModel tensorModel;
            tensorModel.setRows(tensors());
            RunsTableModel runsModel;
            runsModel.setRows(runs());
            LogListModel logModel;
            logModel.append({QTime(14, 2, 1), QStringLiteral("worker 1 started"), false});
            logModel.append({QTime(14, 2, 4), QStringLiteral("error 35: no driver"), true});
            RunsTableModel none;
            const std::initializer_list<std::pair<const char*, QAbstractItemModel*>> all{{"strategies", &strategyModel},
                {"tensors", &tensorModel}, {"runs", &runsModel}, {"log", &logModel}, {"no-runs", &none}};
            for (const auto& [name, model] : all) {
                TableView view(model, look);
                view.setStretchColumn(model == &logModel ? 1 : model == &runsModel ? 3 : 0);
                view.setEmptyText(QStringLiteral("No run yet. A run of this plan takes about 9 s and 3.6 GiB here."));
                view.resize(model == &runsModel ? 1100 : 640, 180);
                view.show();
                QCoreApplication::processEvents();
                view.selectModelRow(1);
                if (model == &strategyModel)
                    view.sortByColumn(StrategyTableModel::Peak, Qt::AscendingOrder);
                QCoreApplication::processEvents();
                const QImage image = pictures::of(view, ratio);
                QVERIFY(pictures::colourCount(image) > 5);
                pictures::save(image, QStringLiteral("table-") + QLatin1String(name) + suffix);
            }
        }
    }
};

QTEST_MAIN(ModelsTableTest)
#include "models_table_test.moc"
