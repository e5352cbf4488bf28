// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include "tests/ui/state_fixture.h"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QDropEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPointer>
#include <QTimer>
#include <QWheelEvent>
#include <random>

#include "core/base/files.h"
#include "core/model/presets.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/state/comparison.h"

namespace remat::ui::testing {

/// Somebody who does anything at all to a window: edits, actions, keys, mouse, good and bad files dropped.  Every
/// choice follows from the seed, save where a dialog is met at another moment.
class RandomHands {
public:
    /// What is dropped, and what a chance save writes, lies in the folder.
    RandomHands(MainWindow& window, QString folder, std::uint32_t seed)
        : m_window(window),
          m_folder(std::move(folder)),
          m_random(seed)
    {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QObject::connect(&m_impatience, &QTimer::timeout, &window, [this] { closeWhatWaits(); });
    }

    /// One undoable change of the inputs, or of what is compared.
    void edit();
    /// Anything, and the events that follow from it.
    void step();
    /// A dialog or a menu that waits for a person is sent away, now in one way, now in another.
    void beImpatient() { m_impatience.start(5); }

private:
    int below(int bound) { return bound < 1 ? 0 : std::uniform_int_distribution<int>(0, bound - 1)(m_random); }
    template <class List> auto& oneOf(List& list)
    {
        return list[static_cast<typename List::size_type>(below(static_cast<int>(list.size())))];
    }

    void action();
    void key();
    void mouse();
    void drop();
    QWidget* randomWidget();
    void closeWhatWaits();

    MainWindow& m_window;
    QString m_folder;
    std::mt19937 m_random;
    QTimer m_impatience;
};

inline void RandomHands::edit()
{
    ExplorerState& state = m_window.state();
    Inputs inputs = state.inputs();
    switch (below(11)) {
    case 0:
        state.setBudget({(std::int64_t{200} << 20) + below(400 << 20)});
        break;
    case 1: {
        // A drag is one step however many budgets it passes.
        for (int i = 0; i < 3; ++i) {
            inputs.budget = {(std::int64_t{200} << 20) + below(400 << 20)};
            state.edit(EditKind::Budget, QStringLiteral("drag"), inputs, i < 2);
        }
        break;
    }
    case 2:
        inputs.setup.batch = 1 + below(16);
        state.edit(EditKind::Batch, QStringLiteral("batch"), inputs);
        break;
    case 3:
        inputs.setup.sequence = 1 + below(128);
        state.edit(EditKind::Sequence, QStringLiteral("sequence"), inputs);
        break;
    case 4: {
        const std::vector<Strategy> strategies = inputs.isPytorch() ? regionStrategies() : comparedStrategies();
        inputs.strategy = oneOf(strategies);
        state.edit(EditKind::Strategy, QStringLiteral("strategy"), inputs);
        break;
    }
    case 5: {
        static const char* const kPins[] = {"L0.ffn=recompute", "L1.gelu=keep", "*.norm1=recompute", "L2=keep"};
        std::vector<remat::Pin> pins = inputs.pins;
        if (below(3) == 0)
            pins.clear();
        else
            pins.push_back(parsePin(kPins[below(4)]).value());
        state.setPin(pins, QStringLiteral("pin"));
        break;
    }
    case 6: {
        static const char* const kModels[] = {"tiny-gpt2", "tiny-bert", "tiny-llama", "gpt2"};
        state.useShape(EditKind::Model, QStringLiteral("model"), findPreset(kModels[below(4)]).value());
        break;
    }
    case 7:
        state.useProfile(below(2) == 0 ? StepProfile::Runtime : StepProfile::Pytorch);
        break;
    case 8: {
        inputs.torch.precision = static_cast<torch::TorchPrecision>(below(3));
        inputs.torch.attention = static_cast<torch::TorchAttention>(below(2));
        inputs.torch.loss = static_cast<torch::TorchLoss>(below(2));
        inputs.torch.isReentrant = below(2) == 0;
        inputs.setup.microBatches = 1 + below(3);
        state.edit(EditKind::Setup, QStringLiteral("torch"), inputs);
        break;
    }
    case 9: {
        // What is compared is no part of the document.
        Comparison& comparison = m_window.bottomTabs().comparison();
        if (below(4) == 0)
            comparison.putAsideShown();
        else if (const std::vector<Comparand> choices = comparison.choices(); !choices.empty())
            below(2) == 0 ? comparison.setA(oneOf(choices).key) : comparison.setB(oneOf(choices).key);
        break;
    }
    default: {
        std::vector<Device> devices = state.devices().devices();
        inputs.setup.device = oneOf(devices).name;
        state.edit(EditKind::Device, QStringLiteral("device"), inputs);
        break;
    }
    }
}

inline QWidget* RandomHands::randomWidget()
{
    QList<QWidget*> visible;
    for (QWidget* widget : m_window.findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && widget->width() > 2 && widget->height() > 2
            && widget->window() == &m_window)
            visible << widget;
    return visible.isEmpty() ? &m_window : oneOf(visible);
}

inline void RandomHands::action()
{
    QList<QAction*> actions;
    const std::function<void(const QMenu&)> collect = [&](const QMenu& menu) {
        for (QAction* action : menu.actions()) {
            if (action->menu())
                collect(*action->menu());
            else if (!action->isSeparator() && action->isEnabled())
                actions << action;
        }
    };
    for (QAction* entry : m_window.menuBar()->actions())
        collect(*entry->menu());
    oneOf(actions)->trigger();
}

inline void RandomHands::key()
{
    static constexpr Qt::Key kKeys[] = {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home,
        Qt::Key_End, Qt::Key_Tab, Qt::Key_Backtab, Qt::Key_Space, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Delete,
        Qt::Key_Backspace, Qt::Key_K, Qt::Key_R, Qt::Key_A, Qt::Key_0, Qt::Key_1, Qt::Key_9, Qt::Key_Plus,
        Qt::Key_Minus, Qt::Key_Period, Qt::Key_G, Qt::Key_PageUp, Qt::Key_PageDown};
    static constexpr Qt::KeyboardModifiers kModifiers[]
        = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier};
    QWidget* focus = QApplication::focusWidget();
    if (!focus || below(4) == 0) {
        focus = randomWidget();
        focus->setFocus();
    }
    QTest::keyClick(focus, kKeys[below(std::size(kKeys))], kModifiers[below(std::size(kModifiers))]);
}

inline void RandomHands::mouse()
{
    QWidget* widget = randomWidget();
    const auto point = [&] { return QPoint(below(widget->width()), below(widget->height())); };
    switch (below(4)) {
    case 0:
        QTest::mouseClick(widget, below(5) == 0 ? Qt::RightButton : Qt::LeftButton, Qt::NoModifier, point());
        break;
    case 1: {
        QPointer<QWidget> guard(widget);
        QTest::mousePress(widget, Qt::LeftButton, Qt::NoModifier, point());
        for (int i = 0; i < 4 && guard; ++i)
            QTest::mouseMove(widget, point());
        if (guard)
            QTest::mouseRelease(widget, Qt::LeftButton, Qt::NoModifier, point());
        break;
    }
    case 2:
        QTest::mouseDClick(widget, Qt::LeftButton, Qt::NoModifier, point());
        break;
    default: {
        const QPointF at = point();
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, below(2) == 0 ? 120 : -120}, Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
        break;
    }
    }
}

inline void RandomHands::drop()
{
    static const char* const kTexts[] = {"", "{", "[]", "{\"format\": \"remat-document\", \"version\": 1}",
        "{\"format\": \"remat-lesson\", \"version\": 1, \"steps\": 3}", "{\"model_type\": \"gpt2\", \"n_layer\": -1}",
        "{\"format\": \"remat-plan\", \"version\": 99}", "\xff\xfe\x00garbage"};
    QStringList paths;
    const QDir configs(QStringLiteral(REMAT_TEST_DATA "/configs"));
    for (const QString& name : configs.entryList({QStringLiteral("*.json")}))
        paths << configs.filePath(name);
    for (std::size_t i = 0; i < std::size(kTexts); ++i) {
        paths << QDir(m_folder).filePath(QStringLiteral("bad%1.json").arg(i));
        (void)writeFileAtomically(paths.back().toStdString(), kTexts[i]);
    }
    paths << m_folder << QStringLiteral("/nonexistent.json");
    QMimeData data;
    QList<QUrl> urls{QUrl::fromLocalFile(oneOf(paths))};
    if (below(4) == 0)
        urls << QUrl::fromLocalFile(oneOf(paths));
    data.setUrls(urls);
    const QPoint at(below(m_window.width()), below(m_window.height()));
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&m_window, &enter);
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&m_window, &event);
}

inline void RandomHands::step()
{
    switch (below(10)) {
    case 0:
        action();
        break;
    case 1:
    case 2:
    case 3:
        key();
        break;
    case 4:
        drop();
        break;
    case 5:
        edit();
        break;
    default:
        mouse();
        break;
    }
    QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    for (QDialog* dialog : m_window.findChildren<QDialog*>())
        if (below(3) == 0)
            dialog->close();
    if (!m_window.isVisible())
        m_window.show(); // Quit closed it
}

inline void RandomHands::closeWhatWaits()
{
    if (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
    if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
        below(2) == 0 ? dialog->reject() : QTest::keyClick(dialog, Qt::Key_Escape);
}

} // namespace remat::ui::testing
