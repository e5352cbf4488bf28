// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <bit>

#include "core/base/index.h"
#include "core/model/presets.h"
#include "core/program/timeline.h"
#include "ui/state/answer_views.h"
#include "ui/state/grid_builder.h"
#include "ui/state/grid_rows.h"
#include "ui/state/why_views.h"
#include "ui/theme/core_text.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

/// The window's one state: questions and answers, undo, pins, errors, and the views that are made of an answer.
class ExplorerStateTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_state.reset(); }
    void firstExampleFitsByRecomputing();
    void dragIsOneUndoStep();
    void wrongShapeKeepsTheLastPlan();
    void tooSmallBudgetSaysWhatFits();
    void pinIsObeyedAndReleased();
    void wholeRowsAndLayersAreOnePinEach();
    void everyInstantIsNamedAndItsCellsAreKnown();
    void whyNamesTheTermsAndWhatWouldFlip();
    void onlyPinsThatCureAreOffered();
    void viewsAddUpToThePrediction();
    void aBudgetAboveTheDeviceIsNoLicence();
    void everyStrategyIsCompared();
    void documentKeepsWhatItDoesNotKnow();
    void damagedDocumentsAreRefused_data();
    void damagedDocumentsAreRefused();

private:
    const Plan& plan() const { return m_state->answer()->shown->plan; }
    std::unique_ptr<ExplorerState> m_state;
};

void ExplorerStateTest::init()
{
    m_state = std::make_unique<ExplorerState>(fixedDevices());
    QVERIFY(waitForAnswer(*m_state));
}

void ExplorerStateTest::firstExampleFitsByRecomputing()
{
    QVERIFY(!m_state->answer()->doesNotFit);
    QVERIFY(plan().fits());
    QVERIFY(plan().prediction.reruns > 0);
    QVERIFY(plan().prediction.peak < m_state->answer()->study->keepAllPeak());
}

void ExplorerStateTest::dragIsOneUndoStep()
{
    const Bytes before = m_state->inputs().budget;
    for (int i = 1; i <= 20; ++i)
        m_state->setBudget(before + Bytes{i << 20}, true);
    m_state->setBudget(before + Bytes{20 << 20}, false);
    QCOMPARE(m_state->undoStack().count(), 1);
    m_state->setBudget(before + Bytes{30 << 20});
    QCOMPARE(m_state->undoStack().count(), 2);
    m_state->undoStack().undo();
    m_state->undoStack().undo();
    QCOMPARE(m_state->inputs().budget, before);
}

void ExplorerStateTest::wrongShapeKeepsTheLastPlan()
{
    const auto shown = m_state->answer()->shown;
    Inputs inputs = m_state->inputs();
    inputs.shape.heads = 7;
    m_state->edit(EditKind::Model, QString(), inputs);
    QVERIFY(waitForAnswer(*m_state));
    QVERIFY(m_state->answer()->inputError.has_value());
    QVERIFY(QString::fromStdString(m_state->answer()->inputError->where).contains(QLatin1String("heads")));
    QCOMPARE(m_state->answer()->shown, shown);
    QVERIFY(!fullText(*m_state->answer()->inputError).contains(u'{'));
}

void ExplorerStateTest::tooSmallBudgetSaysWhatFits()
{
    const Bytes least = m_state->answer()->study->leastPeak();
    m_state->setBudget(least - Bytes{1});
    QVERIFY(waitForAnswer(*m_state));
    QVERIFY(m_state->answer()->doesNotFit.has_value());
    QCOMPARE(plan().prediction.peak, least);
    // The batch that is offered fits, and one more does not.
    const std::int64_t batch = m_state->answer()->batchThatFits.value();
    QVERIFY(batch < m_state->inputs().setup.batch);
    for (const std::int64_t more : {0, 1}) {
        StudyRequest request = m_state->answer()->question.request;
        request.setup.batch = batch + more;
        QCOMPARE(Study::solve(request)->leastPeak() <= m_state->inputs().budget, more == 0);
    }
    m_state->setBudget(least);
    QVERIFY(waitForAnswer(*m_state));
    QVERIFY(!m_state->answer()->doesNotFit.has_value());
}

void ExplorerStateTest::pinIsObeyedAndReleased()
{
    const StepTape& tape = plan().step->tape;
    const std::vector<GridRowMeaning> rows = gridRows(tape.kinds[1]);
    int gelu = -1;
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (rows[r].op >= 0 && tape.kinds[1].ops[static_cast<std::size_t>(rows[r].op)].name == "gelu")
            gelu = static_cast<int>(r);
    QVERIFY(gelu >= 0);
    m_state->setPin(withPin({}, tape, gelu, 2, 3, ui::Pin::Keep), QString());
    QVERIFY(waitForAnswer(*m_state));
    const int op = gridRows(plan().step->tape.kinds[1])[static_cast<std::size_t>(gelu)].op;
    QVERIFY(keeps(plan().keep[3], op) && keeps(plan().keep[4], op)); // stage 0 is the embedding
    QCOMPARE(makeGridView(*m_state).cell(gelu, 3).pin, ui::Pin::Keep);
    m_state->setPin(withPin(m_state->inputs().pins, plan().step->tape, gelu, 2, 3, ui::Pin::None), QString());
    QVERIFY(m_state->inputs().pins.empty());
}

void ExplorerStateTest::wholeRowsAndLayersAreOnePinEach()
{
    const StepTape& tape = plan().step->tape;
    const std::vector<GridRowMeaning> rows = gridRows(tape.kinds[1]);
    int ffn = -1;
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (rows[r].op < 0 && rows[r].sublayer == Sublayer::Ffn)
            ffn = static_cast<int>(r);
    const int last = static_cast<int>(tape.shape.layers) - 1;
    const auto texts = [](const std::vector<remat::Pin>& pins) {
        QStringList list;
        for (const remat::Pin& pin : pins)
            list << QString::fromStdString(toText(pin));
        return list;
    };
    const auto pinned = [&](const std::vector<remat::Pin>& pins, int row, int from, int to, ui::Pin wish) {
        return withPin(pins, tape, row, from, to, wish);
    };
    const std::vector<remat::Pin> row = pinned({}, ffn, 0, last, ui::Pin::Keep);
    QCOMPARE(texts(row), QStringList{QStringLiteral("*.ffn=keep")});
    QCOMPARE(texts(pinned({}, kEveryRow, 3, 3, ui::Pin::Recompute)), QStringList{QStringLiteral("L3=recompute")});
    QCOMPARE(texts(pinned({}, ffn, 3, 3, ui::Pin::Keep)), QStringList{QStringLiteral("L3.ffn=keep")});
    // What is said already stays as it is; what contradicts gives way.
    QCOMPARE(pinned(row, ffn, 3, 3, ui::Pin::Keep), row);
    const std::vector<remat::Pin> turned = pinned(row, kEveryRow, 3, 3, ui::Pin::Recompute);
    QCOMPARE(turned.size(), at(last) + 1);
    QVERIFY(pinRules(tape, turned).operator bool());
    QVERIFY(pinned(row, ffn, 0, last, ui::Pin::None).empty());
    // However they are written, rules say what the cells ask for: by each op of the sublayer.
    const std::vector<KeepRule> rules = pinRules(tape, row).value();
    for (int layer = 0; layer <= last; ++layer) {
        const int stage = stageOfLayer(tape, layer);
        QCOMPARE(rules[at(stage)].mustKeep, opsOfPlace(tape, {ffn, layer}));
    }
}

void ExplorerStateTest::everyInstantIsNamedAndItsCellsAreKnown()
{
    const ShownPlan& shown = *m_state->answer()->shown;
    const int peak = shown.timeline.peakInstruction;
    Bytes sum;
    double share = 0;
    for (const AliveRow& row : makeAliveRows(*m_state, peak)) {
        sum += row.bytes;
        share += row.share;
    }
    QCOMPARE(sum.value, plan().prediction.peak.value);
    QVERIFY(std::abs(share - 1.0) < 1e-9);
    QVERIFY(instantTitle(*m_state, peak).contains(QStringLiteral("layer"))
        || instantTitle(*m_state, peak).contains(QStringLiteral("head")));

    // At the end of the forward exactly the cells that hold something are lit.
    int end = -1;
    for (int i = 0; i < static_cast<int>(shown.program.instructions.size()) && end < 0; ++i)
        if (shown.program.instructions[at(i)].kind == Instruction::Kind::Backward)
            end = i - 1;
    while (shown.program.instructions[at(end)].kind != Instruction::Kind::Forward)
        --end; // before what the first backward allocates
    const std::vector<GridPlace> lit = placesAlive(shown.program, shown.plan.step->tape, end);
    const GridView grid = makeGridView(*m_state);
    const std::vector<GridRowMeaning> rows = gridRows(shown.plan.step->tape.kinds[1]);
    for (int layer = 0; layer < grid.layerCount; ++layer)
        for (int row = 0; row < grid.rowCount(); ++row) {
            if (rows[at(row)].op < 0)
                continue;
            const bool holds = grid.cell(row, grid.columnOf(layer)).kept > Bytes{};
            const bool isLit = std::find(lit.begin(), lit.end(), GridPlace{row, layer}) != lit.end();
            QVERIFY2(
                holds == isLit, qPrintable(QStringLiteral("layer %1, %2").arg(layer).arg(grid.rows[at(row)].label)));
        }
    // Another plan has other instants.
    m_state->pointing().setInstant(peak);
    m_state->setBudget(m_state->inputs().budget + Bytes{40 << 20});
    QVERIFY(waitForAnswer(*m_state));
    QVERIFY(!m_state->pointing().instant());
}

void ExplorerStateTest::whyNamesTheTermsAndWhatWouldFlip()
{
    // The terms are core's and add up (explanation_test); here all of them are shown, with the sum and the slack.
    const QString table = peakTable(*m_state);
    for (const PeakPart& part : peakParts(plan().step->chain, plan().schedule))
        if (part.bytes != Bytes{})
            QVERIFY(table.contains(NumberFormat().bytes(part.bytes)));
    QVERIFY(table.contains(NumberFormat().bytes(plan().prediction.peak)));
    QVERIFY(table.contains(NumberFormat().bytes(m_state->inputs().budget - plan().prediction.peak)));
    // What would flip: moving there shows that plan, and the flips are where the two differ.
    const BudgetMoves moves = m_state->answer()->moves;
    QVERIFY(moves.more && moves.less);
    const std::vector<KeepSet> before = plan().keep;
    for (const BudgetMove& move : {*moves.more, *moves.less}) {
        m_state->setBudget(move.peak);
        QVERIFY(waitForAnswer(*m_state));
        QCOMPARE(plan().prediction.peak.value, move.peak.value);
        QCOMPARE(plan().extraTime(), move.extraTime);
        std::size_t flipped = 0, named = 0;
        for (std::size_t stage = 0; stage < before.size(); ++stage) {
            const KeepSet all = keepAll(plan().step->tape.tapeOf(static_cast<int>(stage)));
            flipped += at(std::popcount((before[stage] ^ plan().keep[stage]) & all));
        }
        for (const OpFlip& flip : move.flips)
            named += flip.stages.size();
        QCOMPARE(named, flipped);
        QVERIFY(named > 0);
    }
    QVERIFY(moves.more->extraTime < moves.less->extraTime);
    QCOMPARE(stagesText(plan().step->tape, {1, 3, 4, 5, 8}), QStringLiteral("layers 0, 2\u20134, 7"));
}

void ExplorerStateTest::onlyPinsThatCureAreOffered()
{
    // Two pins: one that holds much, and one that asks for what the leanest plan does anyway.
    const Bytes least = m_state->answer()->study->leastPeak();
    const remat::Pin holds = parsePin("*.ffn=keep").value(), harmless = parsePin("L0.gelu=recompute").value();
    Inputs inputs = m_state->inputs();
    inputs.budget = least + Bytes{1 << 20};
    inputs.pins = {holds};
    m_state->edit(EditKind::Pins, QString(), inputs);
    QVERIFY(waitForAnswer(*m_state));
    QVERIFY(m_state->answer()->doesNotFit.has_value());
    QVERIFY(m_state->answer()->pinsToRelease == std::vector{holds});
    // Below what any plan needs, no pin is to blame.
    inputs.budget = least - Bytes{1};
    m_state->edit(EditKind::Pins, QString(), inputs);
    QVERIFY(waitForAnswer(*m_state));
    QVERIFY(m_state->answer()->doesNotFit.has_value());
    QVERIFY(m_state->answer()->pinsToRelease.empty());
    inputs.pins = {harmless};
    m_state->edit(EditKind::Pins, QString(), inputs);
    QVERIFY(waitForAnswer(*m_state));
    QVERIFY(m_state->answer()->pinsToRelease.empty());
}

void ExplorerStateTest::viewsAddUpToThePrediction()
{
    const Prediction& prediction = plan().prediction;
    const RulerView ruler = makeRulerView(*m_state);
    QCOMPARE(ruler.peak(), prediction.peak);
    const GridView grid = makeGridView(*m_state);
    // The grid counts what lies between forward and backward; the loss scalar (one granule) is the rest.
    QCOMPARE(grid.total.kept.value + plan().step->tape.traits.granule.value, prediction.saved.value);
    std::int64_t flops = 0;
    for (int s = 0; s < static_cast<int>(plan().step->tape.stages.size()); ++s)
        for (const Op& op : plan().step->tape.tapeOf(s).ops)
            flops += op.forwardFlops.value + op.backwardFlops.value;
    QCOMPARE(grid.total.flops.value, flops);
    // What a person can add up by eye: the rows shown, and the line under them.
    GridRow sum = grid.ends;
    for (const GridRow& row : grid.rows)
        if (!row.isTensor()) {
            sum.kept += row.kept;
            sum.all += row.all;
            sum.flops += row.flops;
        }
    QCOMPARE(sum.kept, grid.total.kept);
    QCOMPARE(sum.all, grid.total.all);
    QCOMPARE(sum.flops, grid.total.flops);
    const TimelineView timeline = makeTimelineView(*m_state);
    Bytes highest;
    for (const TimelineSample& sample : timeline.predicted)
        highest = std::max(highest, sample.live);
    QCOMPARE(highest, prediction.peak);
    QCOMPARE(timeline.end, prediction.stepTime(plan().setup()));
    QVERIFY(grid.peak.has_value());
}

/// An RTX 4090 has 23.65 GiB (resources/devices/rtx-4090.json), of which the driver's context takes 512 MiB.
void ExplorerStateTest::aBudgetAboveTheDeviceIsNoLicence()
{
    Inputs inputs = m_state->inputs();
    inputs.shape = remat::findPreset("gpt2-medium").value();
    inputs.setup.device = "rtx-4090";
    inputs.setup.batch = 16;
    inputs.setup.sequence = 1024;
    inputs.budget = {24LL << 30};
    m_state->edit(EditKind::Document, QString(), inputs);
    QVERIFY(waitForAnswer(*m_state));
    QVERIFY(plan().fits());
    const VerdictView view = makeVerdictView(*m_state);
    QVERIFY(view.deviceLimit.has_value());
    QCOMPARE(*view.deviceLimit, m_state->device().memory - m_state->device().context);
    QVERIFY(!verdictText(view).word.startsWith(QStringLiteral("Fits,")));
    m_state->setBudget(*view.deviceLimit);
    QVERIFY(waitForAnswer(*m_state));
    QVERIFY(!makeVerdictView(*m_state).deviceLimit);
}

void ExplorerStateTest::everyStrategyIsCompared()
{
    const std::vector<StrategyRow> rows = makeStrategyRows(*m_state);
    QCOMPARE(rows.size(), comparedStrategies().size());
    double least = 1e9;
    for (const StrategyRow& row : rows)
        if (row.figures && row.figures->fits)
            least = std::min(least, row.figures->overhead);
    // No rule that fits is cheaper than the planner's plan.
    QVERIFY(least >= plan().extraTime());
}

void ExplorerStateTest::documentKeepsWhatItDoesNotKnow()
{
    nlohmann::json json = nlohmann::json::parse(documentText(m_state->document()));
    json["somebody_elses"] = {{"note", "keep me"}};
    const Result<Document> read = parseDocument(json.dump(), "document.json");
    QVERIFY(read);
    QVERIFY(read->inputs == m_state->inputs());
    QVERIFY(nlohmann::json::parse(documentText(*read)) == json);
}

void ExplorerStateTest::damagedDocumentsAreRefused_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::newRow("format") << QByteArray(R"({"format": "remat-plan"})");
    QTest::newRow("version") << QByteArray(R"({"version": 99})");
    QTest::newRow("budget") << QByteArray(R"({"budget_bytes": -1})");
    QTest::newRow("pins") << QByteArray(R"({"pins": ["L1.gelu=perhaps"]})");
    QTest::newRow("strategy") << QByteArray(R"({"strategy": "hope"})");
    QTest::newRow("setup") << QByteArray(R"({"setup": null})");
    QTest::newRow("view") << QByteArray(R"({"view": {"metric": 12, "open_sublayers": []}})");
}

void ExplorerStateTest::damagedDocumentsAreRefused()
{
    QFETCH(QByteArray, change);
    nlohmann::json json = nlohmann::json::parse(documentText(m_state->document()));
    json.update(nlohmann::json::parse(change.toStdString()));
    const Result<Document> read = parseDocument(json.dump(), "document.json");
    QVERIFY(!read);
    QVERIFY(englishSentence(read.error()).find("document.json") != std::string::npos);
    QCOMPARE(read.error().exitCode(), ExitCode::BadInput);
}

QTEST_MAIN(ExplorerStateTest)
#include "explorer_state_test.moc"
