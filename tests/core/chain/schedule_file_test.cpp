// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/schedule_file.h"

#include <QtTest/QTest>
#include <nlohmann/json.hpp>

using namespace remat;

namespace {

Chain twoStages()
{
    Chain chain;
    chain.stages.resize(2);
    chain.stages[0].name = "layer";
    chain.stages[0].options = {Option{"all"}, Option{"lean"}};
    chain.stages[1].name = "loss";
    chain.stages[1].options = {Option{"all"}};
    return chain;
}

} // namespace

class ScheduleFileTest : public QObject {
    Q_OBJECT
private slots:
    void readsEveryOp()
    {
        const char* text = R"([{"op": "forward", "stage": 1, "option": "lean"},
            {"op": "forward", "stage": 2, "option": "none"}, {"op": "free", "object": "x", "stage": 2},
            {"op": "free", "object": "s", "stage": 1}, {"op": "backward", "stage": 2}])";
        const auto schedule = parseSchedule(text, twoStages(), "s");
        QVERIFY(static_cast<bool>(schedule));
        using Kind = ScheduleOp::Kind;
        const Schedule expected{{Kind::Forward, 0, 1}, {Kind::Forward, 1, ScheduleOp::kNoOption}, {Kind::FreeOutput, 1},
            {Kind::FreeSaved, 0}, {Kind::Backward, 1}};
        QVERIFY(*schedule == expected);
        // The same list under the key "schedule" of any object.
        const auto wrapped
            = parseSchedule(std::string(R"({"format": "any", "schedule": )") + text + "}", twoStages(), "s");
        QVERIFY(static_cast<bool>(wrapped));
        QVERIFY(*wrapped == expected);
        const auto again = parseSchedule(toJson(expected, twoStages()).dump(), twoStages(), "s");
        QVERIFY(static_cast<bool>(again));
        QVERIFY(*again == expected);
    }

    void refusesAndNamesTheOp_data()
    {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("where");
        QTest::addRow("op") << R"({"op": "recompute", "stage": 1})"
                            << "schedule-unknown-op"
                            << "s: [1].op";
        QTest::addRow("object") << R"({"op": "free", "object": "y", "stage": 1})"
                                << "schedule-unknown-object"
                                << "s: [1].object";
        QTest::addRow("option") << R"({"op": "forward", "stage": 2, "option": "lean"})"
                                << "schedule-unknown-option"
                                << "s: [1].option";
        QTest::addRow("stage 0") << R"({"op": "backward", "stage": 0})"
                                 << "json-out-of-range"
                                 << "s: [1].stage";
        QTest::addRow("stage 3") << R"({"op": "backward", "stage": 3})"
                                 << "json-out-of-range"
                                 << "s: [1].stage";
        QTest::addRow("no stage") << R"({"op": "backward"})"
                                  << "json-missing-key"
                                  << "s: [1].stage";
        QTest::addRow("no option") << R"({"op": "forward", "stage": 1})"
                                   << "json-missing-key"
                                   << "s: [1].option";
        QTest::addRow("a text") << R"("backward")"
                                << "json-wrong-type"
                                << "s: [1]";
    }
    void refusesAndNamesTheOp()
    {
        QFETCH(QString, op);
        const std::string text = R"([{"op": "forward", "stage": 1, "option": "all"}, )" + op.toStdString() + "]";
        const auto schedule = parseSchedule(text, twoStages(), "s");
        QVERIFY(!schedule);
        QTEST(QString::fromStdString(std::string(schedule.error().code->name)), "code");
        QTEST(QString::fromStdString(schedule.error().where), "where");
    }

    void refusesWhatHoldsNoSchedule()
    {
        QVERIFY(!parseSchedule("{}", twoStages(), "s"));
        QVERIFY(!parseSchedule(R"({"schedule": 3})", twoStages(), "s"));
        QVERIFY(!parseSchedule("[", twoStages(), "s"));
        QVERIFY(!parseSchedule("17", twoStages(), "s"));
    }
};

QTEST_APPLESS_MAIN(ScheduleFileTest)
#include "schedule_file_test.moc"
