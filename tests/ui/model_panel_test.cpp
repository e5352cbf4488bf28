// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include "core/model/presets.h"
#include "ui/forms/integer_slider.h"
#include "ui/panels/model_panel.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

/// The left column's field of key/value heads, on tiny-llama: width 128, 4 heads, 2 of keys and values.
class ModelPanelTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void keyValueHeadsAreShownAndEdited();
    void asManyAsHeadsFollowTheHeads();
    void dragPastTheKeyValueHeadsLeavesThem();
    void keyValueHeadsThatDoNotDivideAreMarked();
    void headWidthIsBlamedOnTheHeads();

private:
    IntegerSlider& field(const char* label) const;
    void edit(IntegerSlider& slider, int value);

    std::unique_ptr<ExplorerState> m_state;
    std::unique_ptr<RunController> m_runs;
    std::unique_ptr<ModelPanel> m_panel;
};

void ModelPanelTest::init()
{
    m_state = std::make_unique<ExplorerState>(fixedDevices());
    m_runs = std::make_unique<RunController>([](const WorkerLaunch&) { return std::make_unique<FakeLauncher>(); });
    m_panel = std::make_unique<ModelPanel>(*m_state, *m_runs, std::string(), Theme(Lightness::Light, QFont()));
    m_state->useShape(EditKind::Model, QString(), *findPreset("tiny-llama"));
    QVERIFY(waitForAnswer(*m_state));
}

void ModelPanelTest::cleanup()
{
    m_panel.reset();
    m_runs.reset();
    m_state.reset();
}

IntegerSlider& ModelPanelTest::field(const char* label) const
{
    for (IntegerSlider* slider : m_panel->findChildren<IntegerSlider*>())
        if (slider->label() == QLatin1String(label))
            return *slider;
    qFatal("no field %s", label);
}

void ModelPanelTest::edit(IntegerSlider& slider, int value)
{
    emit slider.valueEdited(value, false);
    QVERIFY(waitForAnswer(*m_state));
}

void ModelPanelTest::keyValueHeadsAreShownAndEdited()
{
    QCOMPARE(field("K/V heads").value(), 2);
    edit(field("K/V heads"), 1);
    QCOMPARE(m_state->inputs().shape.groups(), std::int64_t{1});
    QCOMPARE(field("K/V heads").value(), 1);
    QCOMPARE(field("Heads").value(), 4);
    QVERIFY(!m_state->answer()->inputError);
    m_state->undoStack().undo();
    QCOMPARE(field("K/V heads").value(), 2);
}

/// A model whose heads share nothing keeps that while its heads change; one of as many key/value heads as heads shares
/// nothing.
void ModelPanelTest::asManyAsHeadsFollowTheHeads()
{
    edit(field("Heads"), 2);
    QCOMPARE(field("K/V heads").value(), 2);
    QVERIFY(!m_state->answer()->inputError);
    edit(field("Heads"), 8);
    QCOMPARE(field("K/V heads").value(), 8);
    QCOMPARE(m_state->inputs().shape.keyValueHeads, std::int64_t{0});
}

void ModelPanelTest::dragPastTheKeyValueHeadsLeavesThem()
{
    for (const int heads : {4, 2, 4, 8})
        emit field("Heads").valueEdited(heads, true);
    edit(field("Heads"), 8);
    QCOMPARE(field("K/V heads").value(), 2);
}

void ModelPanelTest::keyValueHeadsThatDoNotDivideAreMarked()
{
    edit(field("K/V heads"), 3);
    QVERIFY(m_state->answer()->inputError);
    for (const IntegerSlider* slider : m_panel->findChildren<IntegerSlider*>())
        QCOMPARE(slider->hasError(), slider->label() == QLatin1String("K/V heads"));
    QVERIFY(field("K/V heads").errorLine().startsWith(QLatin1String("3 key/value heads do not divide")));
    edit(field("K/V heads"), 2);
    QVERIFY(!field("K/V heads").hasError());
}

/// A head width of its own has no field: 7 is odd, and rotary positions turn pairs.
void ModelPanelTest::headWidthIsBlamedOnTheHeads()
{
    Inputs inputs = m_state->inputs();
    inputs.shape.ownHeadWidth = 7;
    m_state->edit(EditKind::Model, QString(), inputs);
    QVERIFY(waitForAnswer(*m_state));
    QVERIFY(field("Heads").errorLine().endsWith(QLatin1String("the head width 7 is odd.")));
}

QTEST_MAIN(ModelPanelTest)
#include "model_panel_test.moc"
