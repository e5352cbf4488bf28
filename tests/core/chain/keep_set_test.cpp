// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/chain/keep_set.h"
#include "core/chain/op_times.h"
#include "tests/support/hand_stage.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

class KeepSetTest : public QObject {
    Q_OBJECT

private slots:
    /// GPT-2's block keeps norm1, qkv, attn_core, residual1, norm2, ffn_up and gelu; a name lists the shorter side.
    void namesListTheShorterSide()
    {
        const Variety variety;
        const StepTape step = buildStepTape(smallShape(variety, 1, 2, 4, 16, 20, 8), setupOf(variety, 2, 4), {});
        const StageTape& block = step.kinds[1];
        for (const char* name : {"all", "nothing", "qkv+attn_core", "gelu", "all-gelu", "all-ffn_up-gelu"}) {
            KeepSet set = 0;
            QVERIFY2(parseKeepSet(block, name, set), name);
            QCOMPARE(keepSetName(block, set), std::string(name));
        }
        KeepSet set = 0;
        QVERIFY(parseKeepSet(block, "all-norm1-qkv-attn_core-residual1", set)); // the longer side is read as well
        QCOMPARE(keepSetName(block, set), std::string("norm2+ffn_up+gelu"));
        for (const char* name : {"", "qkv+nonsense", "all-nonsense", "All", "qkv,gelu", "+qkv"}) {
            const bool isRead = parseKeepSet(block, name, set);
            QVERIFY2(!isRead || set == 0, name);
        }
    }

    void everySetComesBack()
    {
        std::mt19937 random(2);
        for (int i = 0; i < 20; ++i) {
            const Variety variety = randomVariety(random);
            const StepTape step = buildStepTape(randomShape(variety, random), randomSetup(variety, random), {});
            for (const StageTape& tape : step.kinds)
                for (int k = 0; k < 50; ++k) {
                    const KeepSet set = randomKeepSet(tape, random);
                    KeepSet read = 0;
                    QVERIFY(parseKeepSet(tape, keepSetName(tape, set), read));
                    QCOMPARE(read, set);
                }
        }
    }

    void candidatesAreWhatBackwardReads()
    {
        QCOMPARE(keepAll(handStage()), KeepSet{0b011}); // not down: its output is the stage's
    }

    /// roundCpu(): 1e11 FLOP/s, 2e10 bytes/s, 300 ns to launch.
    void opTimesAreRooflines()
    {
        StageTape tape = handStage();
        tape.ops[0].forwardFlops = {2'000'000}; // 20 us
        tape.ops[0].forwardBytes = {10'000};    // 0.5 us
        tape.ops[1].forwardBytes = {10'000};
        Device device = roundCpu();
        std::vector<OpTimes> times = opTimes(tape, device);
        QCOMPARE(times[0].forward, Nanoseconds{20'300});
        QCOMPARE(times[0].backward, Nanoseconds{0}); // does nothing, launches nothing
        QCOMPARE(times[1].forward, Nanoseconds{800});
        device.peak.bf16 = 4e11;
        device.peak.fp16 = 2e11;
        QCOMPARE(opTimes(tape, device)[0].forward, Nanoseconds{20'300});
        times = opTimes(tape, device, Precision::Half); // 16-bit numbers at the faster of the two rates
        QCOMPARE(times[0].forward, Nanoseconds{5'300});
        QCOMPARE(times[1].forward, Nanoseconds{800});
        device.peak.bf16 = device.peak.fp16 = 0; // a device without such units
        QCOMPARE(opTimes(tape, device, Precision::Half)[0].forward, Nanoseconds{20'300});
    }

    /// The op of the measured kind, sizes and storage takes what was measured, the others what their class takes.
    void measuredOpsTakeWhatTheyTook()
    {
        StageTape tape = handStage();
        tape.ops[0].forwardFlops = tape.ops[0].backwardFlops = {2'000'000}; // 20 us
        tape.ops[0].dims = {.rows = 10};
        tape.ops[1].forwardBytes = tape.ops[2].forwardBytes = {10'000}; // 0.5 us
        tape.ops[1].dims = {.rows = 11};
        tape.ops[2].dims = {.rows = 12};
        Device device = roundCpu();
        device.measuredOps = {{OpKind::Linear, {.rows = 10}, ElementType::Fp32, {17'000}, {41'000}},
            {OpKind::Activation, {.rows = 12}, ElementType::Fp32, {900}, {1900}}};
        std::vector<OpTimes> times = opTimes(tape, device);
        QCOMPARE(times[0].forward, Nanoseconds{17'000});
        QCOMPARE(times[0].backward, Nanoseconds{41'000});
        QCOMPARE(times[1].forward, Nanoseconds{800});
        QCOMPARE(times[2].forward, Nanoseconds{900});
        QCOMPARE(times[2].backward, Nanoseconds{0}); // does nothing: only the call was measured
        QCOMPARE(opTimes(tape, device, Precision::Half)[0].forward, Nanoseconds{20'300});
        // A file may say anything; 2e6 FLOP take 20 ms and a launch of 1 ms on the slowest device (step_bounds.h).
        device.measuredOps[0].forward = kLongestMeasuredOp;
        QCOMPARE(opTimes(tape, device)[0].forward, Nanoseconds{21'000'000});
    }
};

QTEST_APPLESS_MAIN(KeepSetTest)
#include "keep_set_test.moc"
