// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/plan/budget_steps.h"

using namespace remat;

class BudgetStepsTest : public QObject {
    Q_OBJECT

private slots:
    /// By hand: keeping everything takes 100, the plan 180; 160, 140, 120 and 100 are what is left of it in quarters.
    void quartersOfTheExtraTimeByHand()
    {
        const std::vector<BudgetStep> points{
            {{10}, {180}}, {{11}, {170}}, {{12}, {160}}, {{14}, {130}}, {{20}, {101}}, {{30}, {100}}};
        const std::vector<BudgetStep> steps = budgetSteps(points, {10}, {180}, {100});
        const std::vector<BudgetStep> expected{{{12}, {160}}, {{14}, {130}}, {{20}, {101}}, {{30}, {100}}};
        QVERIFY(steps == expected);
        // A budget between two points: those within it are behind.
        const std::vector<BudgetStep> later{{{14}, {130}}, {{20}, {101}}, {{30}, {100}}};
        QVERIFY(budgetSteps(points, {13}, {180}, {100}) == later);
        // One point that does several quarters together is one step.
        const std::vector<BudgetStep> once{{{30}, {100}}};
        QVERIFY(budgetSteps(std::vector<BudgetStep>{{{10}, {180}}, {{30}, {100}}}, {10}, {180}, {100}) == once);
    }

    void theEndOfTheFrontierHasNoSteps()
    {
        const std::vector<BudgetStep> points{{{10}, {180}}, {{30}, {100}}};
        QVERIFY(budgetSteps(points, {30}, {100}, {100}).empty());
        QVERIFY(budgetSteps(points, {40}, {100}, {100}).empty());
        QVERIFY(budgetSteps({}, {10}, {180}, {100}).empty());
        // A frontier that ends above keeping everything: the steps that it has.
        const std::vector<BudgetStep> part{{{20}, {150}}};
        QVERIFY(budgetSteps(std::vector<BudgetStep>{{{10}, {180}}, {{20}, {150}}}, {10}, {180}, {100}) == part);
    }
};

QTEST_APPLESS_MAIN(BudgetStepsTest)
#include "budget_steps_test.moc"
