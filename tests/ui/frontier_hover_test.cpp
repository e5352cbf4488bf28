// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QTest>
#include <set>

#include "core/base/index.h"
#include "tests/ui/state_fixture.h"
#include "tests/ui/widget_pictures.h"
#include "ui/charts/tradeoff_chart.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/state/grid_rows.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

namespace {

std::set<std::pair<int, int>> placesOf(const std::vector<GridPlace>& places)
{
    std::set<std::pair<int, int>> found;
    for (const GridPlace& place : places)
        found.insert({place.row, place.layer});
    return found;
}

} // namespace

/// The mouse over a point of the frontier lights the cells that its plan decides otherwise.
class FrontierHoverTest : public QObject {
    Q_OBJECT

private slots:
    /// Held against the two plans' keep-sets, op by op and stage by stage.
    void cellsThatWouldFlipLightUp()
    {
        std::optional<Bytes> pointed; // outlives the window that tells it
        MainWindow window(plainContext());
        window.resize(1440, 900);
        window.show();
        ExplorerState& state = window.state();
        QVERIFY(waitForAnswer(state));
        window.bottomTabs().showPage(QStringLiteral("tradeoff"));
        window.showNewestAnswer();
        const Answer& answer = *state.answer();
        const Plan& shown = answer.shown->plan;
        const auto* chart = window.findChild<TradeoffChart*>();
        const QRectF plot = chart->frameLayout().plot;
        QVERIFY(state.pointing().lit().empty());
        connect(chart, &TradeoffChart::planHovered, this, [&](std::optional<Bytes> peak) { pointed = peak; });
        int lit = 0;
        for (const double share : {0.3, 0.5, 0.9}) {
            const QPointF pointer(plot.left() + plot.width() * share, plot.top() + plot.height() * 0.2);
            pictures::moveMouse(*chart, pointer);
            QVERIFY(pointed);
            const Result<Plan> other = answer.study->cheapestWithin(*pointed);
            QVERIFY(other);
            std::set<std::pair<int, int>> expected;
            for (int stage = 0; stage < static_cast<int>(shown.keep.size()); ++stage) {
                const StageTape& tape = shown.step->tape.tapeOf(stage);
                // What no backward reads is kept by no plan.
                const KeepSet flips = (shown.keep[at(stage)] ^ other->keep[at(stage)]) & keepAll(tape);
                for (int op = 0; op < static_cast<int>(tape.ops.size()); ++op)
                    if (const auto place = placeOfOp(shown.step->tape, stage, op); place && keeps(flips, op))
                        expected.insert({place->row, place->layer});
            }
            QTRY_COMPARE(placesOf(state.pointing().lit()), expected);
            lit += expected.empty() ? 0 : 1;
        }
        QVERIFY(lit > 0);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(pictures::viewportOf(*chart)->parentWidget(), &leave);
        QTRY_VERIFY(state.pointing().lit().empty());
    }
};

QTEST_MAIN(FrontierHoverTest)
#include "frontier_hover_test.moc"
