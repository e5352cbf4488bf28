// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest/QTest>

#include "sample_rows.h"
#include "ui/tables/table_sorter.h"
#include "ui/tables/table_view.h"
#include "widget_pictures.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::literals;
using namespace sample_rows;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

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
        QCOMPARE(text(model, 2, M::State), QStringLiteral("failed"));
        QCOMPARE(tip(model, 2, M::State), QStringLiteral("failed: out of memory in backward of L7.ffn_up"));
        QCOMPARE(tone(model, 2, M::State), CellTone::Bad);
        QCOMPARE(text(model, 3, M::State), QStringLiteral("running"));
        QCOMPARE(tip(model, 3, M::State), QStringLiteral("running: step 3 of 5"));
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
};

QTEST_MAIN(ModelsTableTest)
#include "models_table_test.moc"
