// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QRegularExpression>
#include <QTest>
#include <tuple>

#include <cmath>
#include <functional>

#include "core/model/presets.h"
#include "core/model/runtime_shapes.h"
#include "core/model/step_bounds.h"
#include "core/model/training_setup.h"

using namespace remat;

namespace {

TrainingSetup setupOf(std::int64_t batch, std::int64_t sequence)
{
    TrainingSetup setup;
    setup.batch = batch;
    setup.sequence = sequence;
    return setup;
}

QString whereOf(const Result<void>& result)
{
    return result ? QString("valid") : QString::fromStdString(result.error().where);
}

} // namespace

class TrainingSetupTest : public QObject {
    Q_OBJECT
private slots:
    void ordinaryStepsAreValid()
    {
        for (const ModelShape& shape : presets().shapes)
            if (!runtimeLacks(shape))
                QCOMPARE(whereOf(validate(shape, withDefaults(shape, setupOf(64, 0)))), QString("valid"));
    }

    /// The executor runs five families; of the others the runtime profile says so, as bad input whoever asked.
    void otherFamiliesAreNotOfTheRuntime()
    {
        const QStringList run{"bert", "gpt2", "llama", "mistral", "qwen2"};
        for (const ModelShape& shape : presets().shapes) {
            const bool isRun = run.contains(QString::fromStdString(shape.modelType));
            QCOMPARE(!runtimeLacks(shape), isRun);
            const Result<void> valid = validate(shape, withDefaults(shape, setupOf(1, 0)));
            if (isRun)
                continue;
            QCOMPARE(whereOf(valid), QString("profile"));
            QCOMPARE(valid.error().exitCode(), ExitCode::BadInput);
            QVERIFY(englishText(valid.error()).find("\"" + shape.modelType + "\"") != std::string::npos);
            QVERIFY(englishRemedy(valid.error()).find("bert, gpt2, llama, mistral, qwen2") != std::string::npos);
        }
        // A feature that the executor lacks is refused in a family that it runs, by its key in the model file.
        ModelShape capped = *findPreset("llama-3-8b");
        capped.attentionSoftcap = 50;
        const Result<void> refused = validate(capped, withDefaults(capped, setupOf(1, 128)));
        QCOMPARE(whereOf(refused), QString("profile"));
        QVERIFY(englishText(refused.error()).find("attention_softcap") != std::string::npos);
    }

    /// ViT-B/16 cuts 224 x 224 pixels into 14 x 14 patches and adds a class token (Dosovitskiy et al. 2021).
    void imagesFixTheSequence()
    {
        const ModelShape shape = *findPreset("vit-base-patch16-224");
        QCOMPARE(withDefaults(shape, setupOf(1, 0)).sequence, std::int64_t{197});
        QCOMPARE(withDefaults(shape, setupOf(1, 512)).sequence, std::int64_t{197});
    }

    /// LLaMA-2 70B's sizes as a GPT-2, B=8, T=4096: larger than one device runs, and still described.
    void largeModelsAreValid()
    {
        ModelShape shape = *findPreset("gpt2");
        shape.layers = 80;
        shape.hidden = 8192;
        shape.heads = 64;
        shape.ffn = 28672;
        shape.maxPositions = 4096;
        QCOMPARE(whereOf(validate(shape, setupOf(8, 4096))), QString("valid"));
    }

    /// Within its window attention is the full one; beyond it, another kind.
    void sequencesBeyondTheWindowAreRefused()
    {
        const ModelShape shape = *findPreset("mistral-7b");
        QVERIFY(validate(shape, setupOf(1, 4096)));
        const Result<void> beyond = validate(shape, setupOf(1, 4097));
        QCOMPARE(whereOf(beyond), QString("sequence"));
        QVERIFY(englishRemedy(beyond.error()).find("4096") != std::string::npos);
        // Beyond the 32,768 positions too, the remedy names what both limits allow; so with a window wider than those.
        const Result<void> beyondBoth = validate(shape, setupOf(1, 40'000));
        QVERIFY(englishRemedy(beyondBoth.error()).find("4096") != std::string::npos);
        ModelShape wide = shape;
        wide.slidingWindow = 65'536;
        QVERIFY(englishRemedy(validate(wide, setupOf(1, 70'000)).error()).find("32768") != std::string::npos);
        ModelShape narrow = shape;
        narrow.slidingWindow = 77;
        QCOMPARE(withDefaults(narrow, setupOf(1, 0)).sequence, std::int64_t{77});
    }

    void wrongFieldsAreNamed_data()
    {
        QTest::addColumn<QString>("where");
        QTest::addColumn<std::function<void(ModelShape&, TrainingSetup&)>>("change");
        int rows = 0;
        const auto row = [&](const char* where, const std::function<void(ModelShape&, TrainingSetup&)>& change) {
            QTest::addRow("%s, row %d", where, ++rows) << QString(where) << change;
        };
        row("layers", [](ModelShape& m, TrainingSetup&) { m.layers = 0; });
        row("key_value_heads", [](ModelShape& m, TrainingSetup&) { m.keyValueHeads = 5; });
        row("key_value_heads", [](ModelShape& m, TrainingSetup&) { m.keyValueHeads = 24; });
        row("head_width", [](ModelShape& m, TrainingSetup&) { m.ownHeadWidth = kMaxWidth; });
        row("rotary_base", [](ModelShape& m, TrainingSetup&) { m.rotaryBase = -1; });
        row("rotary_base", [](ModelShape& m, TrainingSetup&) { m.rotaryBase = 1e-320; });
        row("profile", [](ModelShape& m, TrainingSetup& s) {
            m.ffnKind = FfnKind::Gated;
            s.profile = Profile::Article;
        });
        row("profile", [](ModelShape& m, TrainingSetup& s) {
            m.keyValueHeads = 4;
            s.profile = Profile::Article;
        });
        row("sliding_window", [](ModelShape& m, TrainingSetup&) { m.slidingWindow = -1; });
        row("layers", [](ModelShape& m, TrainingSetup&) { m.layers = 1'000'000'000; });
        row("hidden", [](ModelShape& m, TrainingSetup&) { m.hidden = -768; });
        row("hidden", [](ModelShape& m, TrainingSetup&) { m.hidden = INT64_MAX; });
        row("heads", [](ModelShape& m, TrainingSetup&) { m.heads = 0; });
        row("heads", [](ModelShape& m, TrainingSetup&) { m.heads = 7; });
        row("heads", [](ModelShape& m, TrainingSetup&) { m.heads = 769; });
        row("ffn", [](ModelShape& m, TrainingSetup&) { m.ffn = 0; });
        row("vocabulary", [](ModelShape& m, TrainingSetup&) { m.vocabulary = 0; });
        row("max_positions", [](ModelShape& m, TrainingSetup&) { m.maxPositions = 0; });
        row("token_types", [](ModelShape& m, TrainingSetup&) { m.tokenTypes = -1; });
        row("norm_epsilon", [](ModelShape& m, TrainingSetup&) { m.normEpsilon = std::nan(""); });
        row("dropout.residual", [](ModelShape& m, TrainingSetup&) { m.dropout.residual = 1.0; });
        row("dropout.attention", [](ModelShape& m, TrainingSetup&) { m.dropout.attention = std::nan(""); });
        row("name", [](ModelShape& m, TrainingSetup&) { m.name.assign(kMaxNameLength + 1, 'x'); });
        row("batch", [](ModelShape&, TrainingSetup& s) { s.batch = 0; });
        row("batch", [](ModelShape&, TrainingSetup& s) { s.batch = INT64_MIN; });
        row("sequence", [](ModelShape&, TrainingSetup& s) { s.sequence = 0; });
        row("sequence", [](ModelShape&, TrainingSetup& s) { s.sequence = 1025; });
        row("micro_batches", [](ModelShape&, TrainingSetup& s) { s.microBatches = 0; });
        row("head_chunks", [](ModelShape&, TrainingSetup& s) { s.headChunks = 0; });
        row("head_chunks", [](ModelShape&, TrainingSetup& s) {
            s.loss = LossKind::ChunkedCrossEntropy;
            s.headChunks = 2 * 64 + 1;
        });
        row("head_chunks", [](ModelShape&, TrainingSetup& s) { s.headChunks = 2; });
        row("dropout", [](ModelShape&, TrainingSetup& s) { s.dropout = -0.1; });
        row("dropout", [](ModelShape&, TrainingSetup& s) { s.dropout = 1.0; });
        row("device", [](ModelShape&, TrainingSetup& s) { s.device.clear(); });
        row("precision", [](ModelShape&, TrainingSetup& s) { s.precision = Precision::Amp; });
        row("master_weights", [](ModelShape&, TrainingSetup& s) { s.masterWeights = true; });
        row("master_weights", [](ModelShape&, TrainingSetup& s) {
            s.device = "a100-80";
            s.precision = Precision::Half;
            s.optimizer = OptimizerKind::None;
            s.masterWeights = true;
        });
    }
    void wrongFieldsAreNamed()
    {
        QFETCH(QString, where);
        QFETCH(std::function<void(ModelShape&, TrainingSetup&)>, change);
        ModelShape shape = *findPreset("gpt2");
        TrainingSetup setup = setupOf(2, 64);
        QVERIFY(validate(shape, setup));
        change(shape, setup);
        const Result<void> ofFlags = validate(shape, setup);
        QCOMPARE(whereOf(ofFlags), where);
        QCOMPARE(ofFlags.error().exitCode(), ExitCode::Usage);
        QVERIFY(!englishRemedy(ofFlags.error()).empty());
        const Result<void> ofFile = validate(shape, setup, ValueOrigin::File);
        QCOMPARE(whereOf(ofFile), where);
        QCOMPARE(ofFile.error().exitCode(), ExitCode::BadInput);
        QCOMPARE(englishSentence(ofFile.error()), englishSentence(ofFlags.error()));
    }

    void remediesForHeadsWork()
    {
        int remedies = 0;
        ModelShape shape = *findPreset("gpt2"); // width 768
        shape.heads = 7;
        const Result<void> result = validateShape(shape);
        QCOMPARE(englishRemedy(result.error()), std::string("Use 6 or 8 heads, or the width 770."));

        // Every number that a remedy names for a grouped or rotary model is tried.
        for (const auto& [name, heads, width] : {std::tuple("qwen2.5-0.5b", 5, 0), {"qwen2.5-0.5b", 13, 0},
                 {"tiny-llama", 7, 20}, {"tiny-llama", 5, 45}, {"llama-3-8b", 24, 0}, {"llama-3-8b", 12, 0}}) {
            ModelShape grouped = *findPreset(name);
            grouped.heads = heads;
            grouped.hidden = width > 0 ? width : grouped.hidden;
            if (width > 0)
                setGroups(grouped, heads);
            const Result<void> refused = validateShape(grouped);
            QVERIFY2(!refused, name);
            const QString remedy = QString::fromStdString(englishRemedy(refused.error()));
            if (whereOf(refused) != "heads")
                continue;
            QRegularExpressionMatchIterator numbers = QRegularExpression("(width )?(\\d+)").globalMatch(remedy);
            int tried = 0;
            for (; numbers.hasNext(); ++tried) {
                const QRegularExpressionMatch number = numbers.next();
                ModelShape mended = grouped;
                (number.captured(1).isEmpty() ? mended.heads : mended.hidden) = number.captured(2).toLongLong();
                QVERIFY2(validateShape(mended), qPrintable(QString(name) + ": " + remedy));
            }
            QVERIFY2(tried > 0, qPrintable(remedy));
            ++remedies;
        }
        QVERIFY(remedies >= 4);
    }

    void remedyForLongSequenceNamesThePositions()
    {
        const Result<void> result = validate(*findPreset("bert-base"), setupOf(1, 513));
        QCOMPARE(englishRemedy(result.error()),
            std::string("Use at most 512 tokens, or a model with max_positions of 513."));
    }

    /// The greatest value that the remedy names is valid, and one more is not.
    void tooLargeStepsNameTheGreatestValueThatFits_data()
    {
        QTest::addColumn<QString>("where");
        QTest::newRow("micro") << "micro_batches";
        QTest::newRow("batch") << "batch";
        QTest::newRow("sequence") << "sequence";
        QTest::newRow("layers") << "layers";
    }
    void tooLargeStepsNameTheGreatestValueThatFits()
    {
        QFETCH(QString, where);
        ModelShape shape = *findPreset("gpt2");
        TrainingSetup setup = setupOf(1, 1024);
        std::int64_t* field = nullptr;
        if (where == "micro_batches") {
            setup.microBatches = kMaxBatch;
            field = &setup.microBatches;
        } else if (where == "batch") {
            setup.batch = kMaxBatch;
            field = &setup.batch;
        } else if (where == "sequence") {
            shape.maxPositions = kMaxPositions;
            setup.sequence = kMaxPositions;
            field = &setup.sequence;
        } else {
            shape.layers = kMaxLayers;
            shape.hidden = kMaxWidth;
            shape.heads = 1;
            shape.ffn = kMaxFfn;
            setup.sequence = 1;
            field = &shape.layers;
        }
        const Result<void> refused = validate(shape, setup);
        QCOMPARE(whereOf(refused), where);
        *field = std::get<std::int64_t>(refused.error().arguments.at(1));
        QVERIFY(*field >= 1);
        QCOMPARE(whereOf(validate(shape, setup)), QString("valid"));
        ++*field;
        QCOMPARE(whereOf(validate(shape, setup)), where);
    }

    /// Some remedy always exists: the largest sizes that pass the single checks fit with one layer and one token.
    void oneLayerOfTheLargestSizesFits()
    {
        ModelShape shape = *findPreset("bert-base");
        shape.layers = 1;
        shape.hidden = kMaxWidth;
        shape.heads = kMaxWidth;
        shape.ffn = kMaxFfn;
        shape.vocabulary = kMaxVocabulary;
        shape.maxPositions = kMaxPositions;
        shape.tokenTypes = kMaxVocabulary;
        QCOMPARE(whereOf(validateShape(shape)), QString("valid"));
    }

    /// Model FLOPs of a step with full recomputation: 96 B L s h^2 (1 + s/6h + v/16hL) (Narayanan et al. 2021,
    /// arXiv 2104.04473, section 5.1); saved bytes of a layer: s b h (34 + 5 a s / h) in half precision (Korthikanti et
    /// al. 2022, equation 1), twice in fp32; weights, gradients and AdamW: 16 bytes per parameter.
    void boundsLieAboveThePapersFormulas()
    {
        for (const ModelShape& shape : presets().shapes) {
            const TrainingSetup setup = withDefaults(shape, setupOf(4, 0));
            const double b = 4, s = double(setup.sequence), h = double(shape.hidden), L = double(shape.layers);
            const auto v = double(shape.vocabulary), a = double(shape.heads);
            const double flops = 96 * b * L * s * h * h * (1 + s / (6 * h) + v / (16 * h * L));
            const double saved = 2 * L * s * b * h * (34 + 5 * a * s / h) + 14 * b * s * v;
            const double states = 16 * (12 * L * h * h + v * h);
            const auto bounds = stepBounds(shape, setup);
            QVERIFY(bounds);
            QVERIFY(double(bounds->flops.value) > flops);
            QVERIFY(double(bounds->memory.value) > saved + states);
            QVERIFY(double(bounds->time.value) > double(bounds->flops.value) * 1e9 / kSlowestFlopsPerSecond * 0.999);
        }
    }

    void boundsLieAboveTheFormulasOfGatedModels_data()
    {
        QTest::addColumn<ModelShape>("shape");
        QTest::addColumn<qint64>("sequence");
        for (const ModelShape& shape : presets().shapes)
            if (shape.ffnKind == FfnKind::Gated)
                QTest::newRow(shape.name.c_str()) << shape << qint64(0);
        // One term outweighs all others in each of these.
        const ModelShape tiny = *findPreset("tiny-llama");
        ModelShape narrow = tiny;
        narrow.hidden = 8; // weights are few, so that activations count
        ModelShape ffn = narrow, heads = narrow, longer = tiny, vocabulary = narrow;
        ffn.ffn = 1 << 20;
        QTest::newRow("wide FFN") << ffn << qint64(0);
        heads.ownHeadWidth = 1 << 16;
        QTest::newRow("wide heads") << heads << qint64(0);
        longer.maxPositions = 1 << 20;
        QTest::newRow("long sequence") << longer << qint64(1 << 20);
        vocabulary.vocabulary = 1 << 24;
        QTest::newRow("large vocabulary") << vocabulary << qint64(0);
    }

    /// A block's forward is 2N (2 C HD + 2 C KD + 3 CF) + 4 N T HD FLOPs, backward and recomputation three times that;
    /// the head 6 N V C.  A block that keeps all holds normed inputs 2C, residual C, queries and keys turned, values
    /// and context (2H + 2K) D, gate, up and product 3F of each token, and the T^2 probabilities of each head; the head
    /// logits and their gradient.  16 bytes per parameter.
    void boundsLieAboveTheFormulasOfGatedModels()
    {
        QFETCH(ModelShape, shape);
        QFETCH(qint64, sequence);
        TrainingSetup setup = withDefaults(shape, setupOf(4, sequence));
        setup.attention = AttentionKind::Stored;
        const double n = 4 * double(setup.sequence), t = double(setup.sequence), c = double(shape.hidden);
        const auto layers = double(shape.layers), f = double(shape.ffn), v = double(shape.vocabulary);
        const auto d = double(shape.ownHeadWidth > 0 ? shape.ownHeadWidth : shape.hidden / shape.heads);
        const double hd = double(shape.heads) * d;
        const double kd = shape.keyValueHeads > 0 ? double(shape.keyValueHeads) * d : hd;
        const double matrices = 2 * c * hd + 2 * c * kd + 3 * c * f;
        const double flops = layers * 4 * (2 * n * matrices + 4 * n * t * hd) + 6 * n * v * c;
        const double saved
            = layers * 4 * (n * (3 * c + 2 * hd + 2 * kd + 3 * f) + n * t * double(shape.heads)) + 8 * n * v;
        const double states = 16 * (layers * matrices + (shape.hasTiedHead ? 1 : 2) * v * c);
        const auto bounds = stepBounds(shape, setup);
        QVERIFY(bounds);
        QVERIFY(double(bounds->flops.value) > flops);
        QVERIFY(double(bounds->memory.value) > saved + states);
    }

    void defaultsFillSequencePrecisionAndLoss()
    {
        const ModelShape bert = *findPreset("bert-base");
        QCOMPARE(withDefaults(bert, {}).sequence, std::int64_t{512});
        ModelShape longer = *findPreset("gpt2");
        longer.maxPositions = 8192;
        QCOMPARE(withDefaults(longer, {}).sequence, std::int64_t{1024});
        QCOMPARE(withDefaults(longer, setupOf(1, 2048)).sequence, std::int64_t{2048});
        QVERIFY(withDefaults(bert, {}).precision == Precision::Fp32);
        TrainingSetup setup;
        setup.profile = Profile::Article;
        setup.headChunks = 4;
        QVERIFY(withDefaults(bert, setup).precision == Precision::Half);
        QCOMPARE(withDefaults(bert, setup).loss, LossKind::ChunkedCrossEntropy);
        QCOMPARE(withDefaults(bert, {}).loss, LossKind::CrossEntropy);
    }

    void givenDropoutReplacesEveryOne()
    {
        ModelShape shape = *findPreset("gpt2");
        shape.dropout = {0.1, 0.2, 0.3};
        TrainingSetup setup;
        QCOMPARE(effectiveDropout(shape, setup), (Dropouts{0.1, 0.2, 0.3}));
        setup.dropout = 0.0;
        QCOMPARE(effectiveDropout(shape, setup), Dropouts{});
        // Only attention_dropout is a key of LlamaConfig.
        setup.dropout = 0.3;
        QCOMPARE(effectiveDropout(*findPreset("llama-3-8b"), setup), (Dropouts{0, 0.3, 0}));
        QCOMPARE(effectiveDropout(shape, setup), (Dropouts{0.3, 0.3, 0.3}));
    }
};

QTEST_APPLESS_MAIN(TrainingSetupTest)
#include "training_setup_test.moc"
