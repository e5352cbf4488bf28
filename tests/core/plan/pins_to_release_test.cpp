// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <set>

#include "core/plan/pins_to_release.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

StudyRequest request(const QStringList& pins)
{
    StudyRequest request{smallShape({}, 4, 2, 16, 128, 300, 32), setupOf({}, 4, 32), roundCpu(), {}};
    for (const QString& pin : pins)
        request.pins.push_back(parsePin(pin.toStdString()).value());
    return request;
}

Bytes leastPeak(StudyRequest request, const std::vector<Pin>& pins)
{
    request.pins = pins;
    return Study::solve(request)->leastPeak();
}

std::vector<Pin> without(std::vector<Pin> pins, const std::vector<Pin>& released)
{
    std::erase_if(
        pins, [&](const Pin& pin) { return std::find(released.begin(), released.end(), pin) != released.end(); });
    return pins;
}

/// Size of the smallest release that cures, by trying every subset; -1 for none.
int fewest(const StudyRequest& request, Bytes budget)
{
    int best = -1;
    for (unsigned released = 0; released < 1u << request.pins.size(); ++released) {
        std::vector<Pin> kept;
        for (std::size_t i = 0; i < request.pins.size(); ++i)
            if (!(released >> i & 1))
                kept.push_back(request.pins[i]);
        if ((best < 0 || std::popcount(released) < best) && leastPeak(request, kept) <= budget)
            best = std::popcount(released);
    }
    return best;
}

} // namespace

class PinsToReleaseTest : public QObject {
    Q_OBJECT

private slots:
    void feasibleOrHopelessNamesNone()
    {
        const StudyRequest pinned = request({"*.gelu=keep", "*.ffn_up=keep"});
        const Bytes with = leastPeak(pinned, pinned.pins), free = leastPeak(pinned, {});
        QVERIFY(free < with);
        QVERIFY(pinsToRelease(pinned, with, {}).empty());
        QVERIFY(pinsToRelease(pinned, free - 1_B, {}).empty());
        QVERIFY(pinsToRelease(request({}), free - 1_B, {}).empty());
    }

    void oneGuiltyPinIsNamed()
    {
        const StudyRequest pinned = request({"L0.norm1=keep", "*.ffn=keep", "L1.attention=recompute"});
        const Bytes budget = leastPeak(pinned, without(pinned.pins, {pinned.pins[1]}));
        QVERIFY(budget < leastPeak(pinned, pinned.pins));
        QCOMPARE(pinsToRelease(pinned, budget, {}), std::vector<Pin>{pinned.pins[1]});
    }

    /// At every budget between free and pinned: the answer cures, and none is smaller.  Five pins: every subset is
    /// tried here.
    void noSmallerReleaseCures()
    {
        const StudyRequest pinned
            = request({"L0.ffn=keep", "L1.ffn=keep", "L2.attention=keep", "L3=keep", "head.logits=keep"});
        const Bytes with = leastPeak(pinned, pinned.pins), free = leastPeak(pinned, {});
        QVERIFY(free < with);
        std::set<int> sizes;
        for (int i = 0; i < 12; ++i) {
            const Bytes budget{free.value + (with.value - free.value) * i / 12};
            const std::vector<Pin> released = pinsToRelease(pinned, budget, {});
            QVERIFY(!released.empty());
            QVERIFY(leastPeak(pinned, without(pinned.pins, released)) <= budget);
            const int least = fewest(pinned, budget);
            if (least <= 2)
                QCOMPARE(static_cast<int>(released.size()), least);
            for (const Pin& pin : released) {
                std::vector<Pin> all = without(pinned.pins, released);
                all.push_back(pin);
                QVERIFY2(leastPeak(pinned, all) > budget, toText(pin).c_str());
            }
            sizes.insert(least);
        }
        QVERIFY(sizes.size() >= 3);
    }

    void demandGivenTwiceIsOne()
    {
        const StudyRequest pinned = request({"*.ffn=keep", "*.ffn=keep"});
        QCOMPARE(pinsToRelease(pinned, leastPeak(pinned, {}), {}), std::vector<Pin>{pinned.pins[0]});
    }

    void cancelledSearchNamesNone()
    {
        std::stop_source stop;
        stop.request_stop();
        FlatLimits limits;
        limits.cancel = stop.get_token();
        const StudyRequest pinned = request({"*.ffn=keep"});
        QVERIFY(pinsToRelease(pinned, leastPeak(pinned, {}), limits).empty());
    }
};

QTEST_APPLESS_MAIN(PinsToReleaseTest)
#include "pins_to_release_test.moc"
