// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QAbstractButton>
#include <QLabel>

#include "core/export/published_figures.h"
#include "core/model/presets.h"
#include "core/regions/rank_view.h"
#include "tests/ui/state_fixture.h"
#include "ui/forms/choice_field.h"
#include "ui/forms/integer_slider.h"
#include "ui/panels/field_help.h"
#include "ui/panels/rank_group.h"
#include "ui/theme/format.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

/// One GPU of several, in the left column: GPT-2 on an A100, 4 x 1024 tokens.
class RankGroupTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_state = std::make_unique<ExplorerState>(fixedDevices());
        m_group = std::make_unique<RankGroup>(*m_state, Theme(Lightness::Light, QFont()));
        Inputs inputs;
        inputs.shape = findPreset("gpt2").value();
        inputs.setup.batch = 4;
        inputs.setup.sequence = 1024;
        inputs.setup.device = "a100-80";
        inputs.setup = withDefaults(inputs.shape, inputs.setup);
        inputs.budget = {std::int64_t{60} << 30};
        m_state->edit(EditKind::Document, QString(), inputs);
        QVERIFY(waitForAnswer(*m_state));
        m_group->findChild<QAbstractButton*>()->click();
        QVERIFY(m_group->isOpen());
    }
    void cleanup()
    {
        m_group.reset();
        m_state.reset();
    }

    /// sbh(34 + 5as/h) of Korthikanti et al. 2022 with s 1024, b 4, h 768, a 12: 3145728 * 114 bytes; over 4 GPUs with
    /// sequence parallelism a quarter. Selective 34, full 2.
    void aLayerInClosedForms()
    {
        choose("rankSource", "paper");
        QVERIFY(waitForNumbers());
        const std::int64_t sbh = std::int64_t{1024} * 4 * 768;
        for (const std::int64_t factor : {114, 34, 2})
            QVERIFY2(m_group->text().contains(layerKeeps(factor * sbh)), qPrintable(m_group->text()));
        QVERIFY(m_group->text().contains(QStringLiteral("no closed form")));
        edit("tensorParallel", 4);
        choose("sequenceParallel", "on");
        QVERIFY(waitForNumbers());
        QVERIFY2(m_group->text().contains(layerKeeps(114 * sbh / 4)), qPrintable(m_group->text()));
        QVERIFY(forms().contains(QStringLiteral("Narayanan")) && forms().contains(QStringLiteral("not a plan")));
    }

    /// The figures are those of core, which its own tests hold against the simulated step and the papers.
    void theFourNumbersOfAGpu()
    {
        edit("pipelineParallel", 2);
        edit("dataParallel", 4);
        choose("zeroStage", "1");
        QVERIFY(waitForNumbers());
        const Inputs& inputs = m_state->inputs();
        QCOMPARE(inputs.ranks.parallelism.ranks(), std::int64_t{8});
        RegionRequest request = regionRequestOf(inputs.shape, inputs.setup, inputs.torch, m_state->device());
        const RankView view = rankView(request, inputs.ranks.parallelism);
        const ReservedBytes reserved = reservedFor(view.fullest().peak, m_state->device());
        for (const Bytes bytes :
            {view.fullest().saved, view.fullest().peak, reserved.least, reserved.most, reserved.onDevice})
            QVERIFY2(m_group->text().contains(NumberFormat().bytes(bytes)), qPrintable(m_group->text()));
        QVERIFY2(m_group->text().contains(QStringLiteral("stage %1").arg(view.fullest().stage)),
            qPrintable(m_group->text()));
        for (const char* part : {"Simulated", "Closed form", "ZeRO", "1F1B", "for one GPU"})
            QVERIFY2(forms().contains(QLatin1String(part)), part);
    }

    /// The plan is for one GPU: dividing the step solves nothing again, is undone like any edit, and is saved.
    void degreesAreAnEditLikeAnyOther()
    {
        const quint64 generation = m_state->generation();
        const Inputs before = m_state->inputs();
        edit("tensorParallel", 2);
        QCOMPARE(m_state->generation(), generation);
        const Result<Document> read = parseDocument(documentText(m_state->document()), "d.json");
        QVERIFY(read);
        QVERIFY(read->inputs.ranks == m_state->inputs().ranks);
        QVERIFY(read->unknown.empty());
        m_state->undoStack().undo();
        QVERIFY(m_state->inputs() == before);
        QCOMPARE(field<IntegerSlider>("tensorParallel").value(), 1);
        std::string bad = documentText(read.value());
        bad.replace(bad.find("\"zero\": 0"), 9, "\"zero\": 4");
        QVERIFY(!parseDocument(bad, "d.json"));
    }

    void whatDoesNotDivideIsToldAtItsField()
    {
        edit("tensorParallel", 5); // of 12 heads
        QVERIFY(waitForNumbers());
        QVERIFY(field<IntegerSlider>("tensorParallel").hasError());
        QVERIFY(m_group->text().isEmpty());
        edit("tensorParallel", 3);
        QVERIFY(waitForNumbers());
        QVERIFY(!field<IntegerSlider>("tensorParallel").hasError());
        // A gated FFN is not the paper's.
        m_state->useShape(EditKind::Model, QString(), findPreset("tiny-llama").value());
        edit("tensorParallel", 1);
        choose("rankSource", "paper");
        QVERIFY(waitForNumbers());
        QVERIFY(!m_group->text().isEmpty() && !m_group->text().contains(QStringLiteral("saved")));
    }

    void aCpuIsNoGpu()
    {
        Inputs inputs = m_state->inputs();
        inputs.setup.device = kThisCpu;
        inputs.setup.precision = Precision::Fp32;
        m_state->edit(EditKind::Device, QString(), inputs);
        QVERIFY(waitForNumbers());
        QVERIFY(m_group->text().contains(QStringLiteral("Choose a GPU")));
    }

    /// The help of the device quotes what docs/memory-model.md finds beside published times.
    void theRooflinesErrorIsQuoted()
    {
        const Result<std::vector<PublishedTable>> tables = publishedFigures();
        QVERIFY(tables);
        for (const char* title : {"Forward and backward, BERT-base", "A layer of Megatron-LM"})
            for (const PublishedTable& table : *tables)
                if (table.title.starts_with(title)) {
                    const QString percent = QStringLiteral("%1 %").arg(std::lround(100 * table.meanError()));
                    QVERIFY2(fieldHelp(QStringLiteral("device")).contains(percent), qPrintable(percent));
                }
    }

private:
    template <class Field> Field& field(const char* name) const
    {
        return *m_group->findChild<Field*>(QLatin1String(name));
    }
    void edit(const char* name, int value) { emit field<IntegerSlider>(name).valueEdited(value, false); }
    void choose(const char* name, const char* key) { emit field<ChoiceField>(name).choiceEdited(QLatin1String(key)); }
    bool waitForNumbers()
    {
        return QTest::qWaitFor([&] { return m_group->isComplete(); }, 30'000);
    }
    static QString layerKeeps(std::int64_t bytes)
    {
        return QStringLiteral("a layer keeps %1").arg(NumberFormat().bytes({bytes}));
    }
    QString forms() const { return m_group->findChild<QLabel*>(QStringLiteral("rankForms"))->text(); }

    std::unique_ptr<ExplorerState> m_state;
    std::unique_ptr<RankGroup> m_group;
};

QTEST_MAIN(RankGroupTest)
#include "rank_group_test.moc"
