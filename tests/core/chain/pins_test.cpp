// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <optional>

#include "core/chain/pins.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

namespace {

StepTape smallTape(bool isBert = false, std::int64_t layers = 3)
{
    const Variety variety{.isBert = isBert, .hasDropout = true};
    return buildStepTape(smallShape(variety, layers, 2, 4, 16, 20, 8), setupOf(variety, 2, 4), {});
}

StepTape articleTape()
{
    const ModelShape shape = smallShape({}, 12, 2, 4, 16, 20, 8);
    TrainingSetup setup = setupOf({}, 2, 4);
    setup.profile = Profile::Article;
    return buildStepTape(shape, withDefaults(shape, setup), {});
}

std::vector<Pin> pinsOf(const QStringList& texts)
{
    std::vector<Pin> pins;
    for (const QString& text : texts)
        pins.push_back(parsePin(text.toStdString()).value());
    return pins;
}

QStringList textsOf(const std::vector<Pin>& pins)
{
    QStringList texts;
    for (const Pin& pin : pins)
        texts << QString::fromStdString(toText(pin));
    return texts;
}

/// Names of the set's ops, as the tape lists them.
QStringList opNames(const StageTape& tape, KeepSet set)
{
    QStringList result;
    for (std::size_t i = 0; i < tape.ops.size(); ++i)
        if (keeps(set, static_cast<int>(i)))
            result << QString::fromStdString(tape.ops[i].name);
    return result;
}

/// Number of the op in its stage.
KeepSet opSet(const StageTape& tape, const QStringList& wanted)
{
    KeepSet set = 0;
    for (std::size_t i = 0; i < tape.ops.size(); ++i)
        if (wanted.contains(QString::fromStdString(tape.ops[i].name)))
            set |= KeepSet{1} << i;
    return set;
}

} // namespace

class PinsTest : public QObject {
    Q_OBJECT

private slots:
    void everyFormIsReadAndWritten()
    {
        for (const char* text : {"L3.ffn_up=keep", "L0.ffn=recompute", "L12=keep", "*.gelu=recompute", "*=recompute",
                 "head.logits=keep", "head=recompute", "embedding.embedding_norm=keep"}) {
            const Result<Pin> pin = parsePin(text);
            QVERIFY2(pin, text);
            QCOMPARE(toText(*pin), std::string(text));
        }
        for (const char* text : {"", "=", "L3", "L3.=keep", "L3.ffn=drop", "L-1=keep", "L3x=keep", "L=keep",
                 "layer3=keep", ".ffn=keep", "L99999999999=keep", "L3.ffn=Keep", "l3=keep"}) {
            const Result<Pin> pin = parsePin(text);
            QVERIFY2(!pin, text);
            QCOMPARE(QString::fromUtf8(pin.error().code->name.data()), QString("bad-pin"));
            QCOMPARE(static_cast<int>(pin.error().exitCode()), 2);
        }
    }

    /// What of a GPT-2 block each target means, from the table in core/tape/block_builder.h: candidates are the ops
    /// with an output that some backward reads.
    void targetsNameOps_data()
    {
        QTest::addColumn<QString>("pin");
        QTest::addColumn<int>("stage");
        QTest::addColumn<QStringList>("ops");
        QTest::newRow("op") << "L1.ffn_up=keep" << 2 << QStringList{"ffn_up"};
        QTest::newRow("tensor") << "L1.attn_lse=keep" << 2 << QStringList{"attn_core"};
        QTest::newRow("sublayer") << "L1.ffn=keep" << 2 << QStringList{"ffn_up", "gelu"};
        QTest::newRow("sublayer in every layer") << "*.ffn=keep" << 3 << QStringList{"ffn_up", "gelu"};
        QTest::newRow("layer") << "L0=keep" << 1
                               << QStringList{"norm1", "qkv", "attn_core", "residual1", "norm2", "ffn_up", "gelu"};
        QTest::newRow("head") << "head=keep" << 4 << QStringList{"final_norm", "logits", "loss"};
    }

    void targetsNameOps()
    {
        QFETCH(QString, pin);
        QFETCH(int, stage);
        QFETCH(QStringList, ops);
        const StepTape step = smallTape();
        const auto rules = pinRules(step, pinsOf({pin}));
        QVERIFY(rules);
        QCOMPARE(opNames(step.tapeOf(stage), (*rules)[static_cast<std::size_t>(stage)].mustKeep), ops);
    }

    /// "embedding" is a stage, a sublayer and an op of it; "embedding.embedding" is the op alone.
    void opNameGoesBeforeSublayer()
    {
        const StepTape step = smallTape(true);
        const auto one = opsOfPin(step, parsePin("embedding.embedding=keep").value());
        const auto all = opsOfPin(step, parsePin("embedding=keep").value());
        QVERIFY(one && all);
        QCOMPARE(opNames(step.tapeOf(0), one->front().ops), QStringList{"embedding"});
        QCOMPARE(opNames(step.tapeOf(0), all->front().ops), (QStringList{"embedding", "embedding_norm"}));
    }

    void wrongPinsAreRefused_data()
    {
        QTest::addColumn<QStringList>("pins");
        QTest::addColumn<bool>("isArticle");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("text");
        QTest::newRow("layer") << QStringList{"L3=keep"} << false << "pin-no-such-layer"
                               << "There is no layer 3; the last one is 2.";
        QTest::newRow("target") << QStringList{"L0.nonsense=keep"} << false << "pin-no-such-target"
                                << "\"nonsense\" names nothing in this stage.";
        QTest::newRow("never kept") << QStringList{"L0.ffn_down=keep"} << false << "pin-nothing-to-keep"
                                    << "No backward reads what \"ffn_down\" makes, so it is never kept and never costs "
                                       "memory.";
        QTest::newRow("holds nothing") << QStringList{"embedding=keep"} << false << "pin-nothing-held"
                                       << "This stage holds nothing for its backward, so there is nothing to keep or "
                                          "to recompute.";
        QTest::newRow("contradiction") << QStringList{"*.ffn=keep", "L1.gelu=recompute"} << false << "pin-contradiction"
                                       << "\"layer 1: gelu\" is pinned to keep and to recompute.";
        QTest::newRow("no embedding") << QStringList{"embedding=keep"} << true << "pin-no-such-stage"
                                      << "The training step of the profile article has no stage \"embedding\" to pin.";
        QTest::newRow("no head") << QStringList{"head=keep"} << true << "pin-no-such-stage"
                                 << "The training step of the profile article has no stage \"head\" to pin.";
    }

    void wrongPinsAreRefused()
    {
        QFETCH(QStringList, pins);
        QFETCH(bool, isArticle);
        QFETCH(QString, code);
        QFETCH(QString, text);
        const auto rules = pinRules(isArticle ? articleTape() : smallTape(), pinsOf(pins));
        QVERIFY(!rules);
        QCOMPARE(QString::fromUtf8(rules.error().code->name.data()), code);
        QCOMPARE(QString::fromStdString(englishText(rules.error())), text);
        QCOMPARE(QString::fromStdString(rules.error().where), pins.back());
    }

    /// The place is one or more ops of layer 1 of a GPT-2 of three layers (stage 2).
    void newPinReplacesWhatItContradicts_data()
    {
        QTest::addColumn<QStringList>("before");
        QTest::addColumn<QStringList>("ops");
        QTest::addColumn<QString>("wish");
        QTest::addColumn<QStringList>("after");
        const QStringList gelu{"gelu"}, ffn{"ffn_up", "gelu"};
        QTest::newRow("first") << QStringList{} << gelu << "keep" << QStringList{"L1.gelu=keep"};
        QTest::newRow("same op") << QStringList{"L1.gelu=recompute"} << gelu << "keep" << QStringList{"L1.gelu=keep"};
        QTest::newRow("same wish") << QStringList{"L1.gelu=keep"} << gelu << "keep" << QStringList{"L1.gelu=keep"};
        QTest::newRow("broader with the same wish")
            << QStringList{"*.ffn=keep"} << gelu << "keep" << QStringList{"*.ffn=keep"};
        QTest::newRow("other layer") << QStringList{"L0.gelu=recompute"} << gelu << "keep"
                                     << QStringList{"L0.gelu=recompute", "L1.gelu=keep"};
        QTest::newRow("sublayer") << QStringList{"L1.ffn=recompute"} << gelu << "keep"
                                  << QStringList{"L1.ffn_up=recompute", "L1.gelu=keep"};
        QTest::newRow("sublayer by both its ops")
            << QStringList{"L1.ffn=recompute"} << ffn << "keep" << QStringList{"L1.ffn_up=keep", "L1.gelu=keep"};
        QTest::newRow("layer") << QStringList{"L1=recompute"} << ffn << "keep"
                               << QStringList{"L1.norm1=recompute", "L1.qkv=recompute", "L1.attn_core=recompute",
                                      "L1.residual1=recompute", "L1.norm2=recompute", "L1.ffn_up=keep", "L1.gelu=keep"};
        QTest::newRow("every layer's sublayer")
            << QStringList{"*.ffn=recompute"} << gelu << "keep"
            << QStringList{"L0.ffn=recompute", "L1.ffn_up=recompute", "L2.ffn=recompute", "L1.gelu=keep"};
        QTest::newRow("tensor") << QStringList{"*.attn_lse=recompute"} << QStringList{"attn_core"} << "keep"
                                << QStringList{"L0.attn_lse=recompute", "L2.attn_lse=recompute", "L1.attn_core=keep"};
        QTest::newRow("released") << QStringList{"*.ffn=keep", "head=keep"} << ffn << "none"
                                  << QStringList{"L0.ffn=keep", "L2.ffn=keep", "head=keep"};
        QTest::newRow("of another model")
            << QStringList{"L9=keep", "*.nonsense=keep"} << gelu << "none" << QStringList{"L9=keep", "*.nonsense=keep"};
    }

    void newPinReplacesWhatItContradicts()
    {
        QFETCH(QStringList, before);
        QFETCH(QStringList, ops);
        QFETCH(QString, wish);
        QFETCH(QStringList, after);
        const StepTape step = smallTape();
        const std::optional<bool> isKeep = wish == "none" ? std::nullopt : std::optional(wish == "keep");
        const auto pins = replacePins(step, pinsOf(before), {{2, opSet(step.tapeOf(2), ops)}}, isKeep);
        QCOMPARE(textsOf(pins), after);
    }

    /// The law behind the table: whatever the pins said, the new one holds, contradicts none, and every op elsewhere is
    /// pinned as before.
    void everyReplacementHoldsAndTouchesNothingElse()
    {
        std::mt19937 random(11);
        const QStringList targets{"", ".ffn", ".attention", ".gelu", ".qkv", ".attn_lse", ".residual1", ".norm2"};
        int replaced = 0;
        for (int round = 0; round < 400; ++round) {
            const StepTape step = smallTape(round % 2 == 1);
            QStringList texts;
            for (int i = 0; i < 4; ++i) {
                const QString place = random() % 3 == 0 ? "*" : "L" + QString::number(random() % 3);
                texts << place + targets[static_cast<int>(random() % 8)] + (random() % 2 ? "=keep" : "=recompute");
            }
            const std::vector<Pin> before = pinsOf(texts);
            const auto old = pinRules(step, before);
            if (!old)
                continue;
            const int stage = 1 + static_cast<int>(random() % 3);
            const KeepSet ops = randomKeepSet(step.tapeOf(stage), random);
            const bool isKeep = random() % 2 == 0;
            const auto found = pinRules(step, replacePins(step, before, {{stage, ops}}, isKeep));
            QVERIFY2(found, found ? "" : englishSentence(found.error()).c_str());
            for (std::size_t s = 0; s < old->size(); ++s) {
                const KeepSet taken = static_cast<int>(s) == stage ? ops : 0;
                const KeepRule expected{((*old)[s].mustKeep & ~taken) | (isKeep ? taken : 0),
                    ((*old)[s].mustDrop & ~taken) | (isKeep ? 0 : taken)};
                QCOMPARE((*found)[s], expected);
            }
            ++replaced;
        }
        QVERIFY(replaced > 100);
    }
};

QTEST_APPLESS_MAIN(PinsTest)
#include "pins_test.moc"
