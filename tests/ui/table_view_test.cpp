// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QClipboard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest/QTest>
#include <algorithm>

#include "sample_rows.h"
#include "ui/tables/table_view.h"
#include "widget_pictures.h"

using namespace sample_rows;

/// Expected texts and orders are those of the sample rows.
class TableViewTest : public QObject {
    Q_OBJECT
private slots:
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
            QStringLiteral("tensor\tsublayer\tshape\tsize\tdecision\tread in backward by\trecompute\n"
                           "sum\tresidual\tB, T, C = 16, 1024, 768\t24.0 MiB\tfreed\tno backward\t9.00 µs\n"));
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
        QCOMPARE(view.columnWidth(RunsTableModel::Machine), 76);
        QCOMPARE(model.index(2, RunsTableModel::Machine).data(Qt::ToolTipRole).toString(), QStringLiteral("H200"));
        view.resize(2000, 180);
        QCoreApplication::processEvents();
        QVERIFY(view.columnWidth(RunsTableModel::Machine) > 76);
        view.setColumnWidth(RunsTableModel::Plan, 150);
        view.resize(440, 180);
        QCoreApplication::processEvents();
        QCOMPARE(view.columnWidth(RunsTableModel::Plan), 150);
    }

    /// The order is that of setColumnsThatGiveWay; a wide view shows all again, and Copy has them in any width.
    void columnsGiveWayInOrderUntilTheOthersAreWhole()
    {
        TensorTableModel model;
        model.setRows(tensors());
        TableView view(&model, pictures::themed(Lightness::Light));
        using M = TensorTableModel;
        view.setColumnsThatGiveWay({M::Shape, M::ReadBy, M::Sublayer});
        view.resize(1200, 200);
        view.show();
        QTRY_VERIFY(view.columnWidth(M::Shape) > 100);
        const QString whole = view.selectionAsTsv();
        std::vector<int> hidden;
        const QFontMetrics metrics(view.font());
        for (int width = 1200; width > 340; width -= 20) {
            view.resize(width, 200);
            QCoreApplication::processEvents();
            for (const int column : {M::Shape, M::ReadBy, M::Sublayer})
                if (view.isColumnHidden(column) && std::find(hidden.begin(), hidden.end(), column) == hidden.end())
                    hidden.push_back(column);
            for (int column = 0; column < model.columnCount(); ++column)
                for (int row = 0; row < model.rowCount() && !view.isColumnHidden(column); ++row)
                    QVERIFY(metrics.horizontalAdvance(text(model, row, column)) < view.columnWidth(column));
        }
        QCOMPARE(hidden, (std::vector<int>{M::Shape, M::ReadBy, M::Sublayer}));
        QVERIFY(!view.horizontalScrollBar()->isVisible());
        QCOMPARE(view.selectionAsTsv(), whole);
        view.resize(1200, 200);
        QCoreApplication::processEvents();
        for (const int column : hidden)
            QVERIFY(!view.isColumnHidden(column));
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

QTEST_MAIN(TableViewTest)
#include "table_view_test.moc"
