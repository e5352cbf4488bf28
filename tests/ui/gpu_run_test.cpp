// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QComboBox>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTest>

#include "core/run/run_events.h"
#include "tests/support/run_samples.h"
#include "tests/ui/state_fixture.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/tables/run_memory_table_model.h"
#include "ui/tables/table_view.h"
#include "ui/window/main_window.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

/// Runs with a GPU's kernels, as the window offers and shows them; the worker is a fake.
class GpuRunTest : public QObject {
    Q_OBJECT

private slots:
    void init() { m_launcher = nullptr; }

    /// Every state of CUDA that whyCudaIsOff() tells apart greys the choice and says why.
    void withoutAGpuTheChoiceIsGreyAndSaysWhy_data()
    {
        QTest::addColumn<bool>("isBuiltIn");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("driver");
        QTest::addColumn<bool>("hasOldGpu");
        QTest::addColumn<QString>("reason");
        QTest::newRow("not built in") << false << 0 << 0 << false << "without CUDA";
        QTest::newRow("no driver") << true << 35 << 0 << false << "Install the driver";
        QTest::newRow("old driver") << true << 35 << 12040 << false << "12.4";
        QTest::newRow("no device") << true << 100 << 13000 << false << "no GPU";
        QTest::newRow("mismatch") << true << 803 << 13000 << false << "driver";
        QTest::newRow("compatibility") << true << 804 << 13000 << false << "driver";
        QTest::newRow("does not start") << true << 3 << 13000 << false << "error 3";
        QTest::newRow("old GPU") << true << 0 << 13000 << true << "8.0";
    }
    void withoutAGpuTheChoiceIsGreyAndSaysWhy()
    {
        QFETCH(bool, isBuiltIn);
        QFETCH(int, status);
        QFETCH(int, driver);
        QFETCH(bool, hasOldGpu);
        QFETCH(QString, reason);
        GpuAnswer answer{isBuiltIn, status, "x", driver, 13000, {}};
        if (hasOldGpu)
            answer.gpus.push_back({"Old GPU", "7.5", {1}, {1}});
        MainWindow window(context(answer));
        auto* combo = window.findChild<QWidget*>(QStringLiteral("machine"))->findChild<QComboBox*>();
        QTRY_VERIFY(!window.runs().whyNoGpu().isEmpty());
        const int row = combo->findData(QStringLiteral("cuda"));
        QVERIFY(!qobject_cast<QStandardItemModel*>(combo->model())->item(row)->isEnabled());
        const QString tip = combo->itemData(row, Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(reason), qPrintable(tip));
        window.runs().setMachine(RunMachine::Cuda);
        QCOMPARE(window.runs().machine(), RunMachine::Cpu);
    }

    void aRunOnTheGpuIsShownPhaseByPhase()
    {
        GpuAnswer answer{true, 0, "", 13000, 13000, {}};
        answer.gpus.push_back({"NVIDIA H200", "9.0", {150'000'000'000}, {149'000'000'000}});
        MainWindow window(context(answer));
        window.resize(1440, 900);
        window.show();
        QVERIFY(waitForAnswer(window.state()));
        auto* combo = window.findChild<QWidget*>(QStringLiteral("machine"))->findChild<QComboBox*>();
        QTRY_VERIFY(window.runs().gpu().has_value());
        const int row = combo->findData(QStringLiteral("cuda"));
        QVERIFY(combo->itemText(row).contains(QLatin1String("H200")));
        combo->setCurrentIndex(row);
        emit combo->activated(row);
        QCOMPARE(window.runs().machine(), RunMachine::Cuda);
        QCOMPARE(combo->currentData().toString(), QStringLiteral("cuda"));

        window.toggleRun();
        QTRY_VERIFY_WITH_TIMEOUT(m_launcher != nullptr, 10'000);
        QVERIFY(m_launcher->request.contains("\"machine\":\"cuda\""));
        QCOMPARE(window.runs().runs().back().row.machine, QStringLiteral("NVIDIA H200"));
        const RunReport report = remat::testing::sampleGpuReport();
        m_launcher->say(QByteArray::fromStdString(toLine(ResultEvent{report})));
        m_launcher->end({0, 0});
        QVERIFY(window.runs().runs().back().report.has_value());

        window.bottomTabs().showPage(QStringLiteral("runMemory"));
        TableView* table = nullptr;
        for (const QWidget* page : window.bottomTabs().pages())
            if (page->objectName() == QLatin1String("runMemory"))
                table = page->findChild<TableView*>();
        QVERIFY(table);
        const std::vector<WaterfallStep> way = waterfall(report.peak);
        QCOMPARE(table->model()->rowCount(), static_cast<int>(way.size()));
        const auto cell = [&](int at, RunMemoryTableModel::Column column) {
            return table->model()->index(at, column).data().toString();
        };
        const int last = static_cast<int>(way.size()) - 1;
        QCOMPARE(cell(last, RunMemoryTableModel::Name), QStringLiteral("this process, by the driver"));
        QCOMPARE(cell(last, RunMemoryTableModel::Sum), NumberFormat().bytes(*report.peak.pool->processAfter));
        const QString phases = RunMemoryTableModel::phaseText(report.peak);
        QVERIFY2(phases.contains(QLatin1String("backward")) && phases.contains(QLatin1String("as predicted"))
                && phases.contains(QLatin1String("Measured twice, and equal.")),
            qPrintable(phases));
    }

    /// The emulated GPU is always there, and refuses what would take it hours before a worker starts.
    void theEmulatorRefusesLargeSteps()
    {
        MainWindow window(context({}));
        QVERIFY(waitForAnswer(window.state()));
        Inputs inputs = window.state().inputs();
        inputs.setup.batch = 64;
        inputs.setup.sequence = 512;
        inputs.budget = {std::int64_t{1} << 50};
        window.state().edit(EditKind::Batch, QString(), inputs);
        QVERIFY(waitForAnswer(window.state()));
        window.runs().setMachine(RunMachine::Emulated);
        window.toggleRun();
        QTRY_VERIFY_WITH_TIMEOUT(!window.runs().isRunning(), 30'000);
        QVERIFY(!m_launcher);
        QCOMPARE(window.runs().runs().back().failure->code, std::string("emulated-step-too-large"));
    }

private:
    WindowContext context(const GpuAnswer& answer)
    {
        WindowContext context = plainContext();
        context.askGpus = [answer](const std::stop_token&) { return answer; };
        context.makeLauncher = [this](const WorkerLaunch&) {
            auto launcher = std::make_unique<FakeLauncher>();
            m_launcher = launcher.get();
            return launcher;
        };
        return context;
    }

    FakeLauncher* m_launcher = nullptr;
};

QTEST_MAIN(GpuRunTest)
#include "gpu_run_test.moc"
