// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/playback.h"

#include <algorithm>

#include "core/base/index.h"
#include "ui/state/explorer_state.h"
#include "ui/theme/format.h"

namespace remat::ui {

namespace {

constexpr int kTickMilliseconds = 33;
constexpr std::size_t kMostNamed = 3;

} // namespace

Playback::Playback(ExplorerState& state, QObject* parent) : QObject(parent), m_state(state)
{
    m_timer.setInterval(kTickMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, [this] { advance(static_cast<double>(m_clock.restart()) / 1000.0); });
    connect(&m_state, &ExplorerState::answerChanged, this, &Playback::takeAnswer);
    // Whoever points elsewhere, or at nothing, takes the play along.
    connect(&m_state.pointing(), &Pointing::instantChanged, this, [this] {
        const std::optional<int> instant = m_state.pointing().instant();
        if (!instant) {
            pause();
            m_position = -1;
            m_share = 0.0;
            emit changed();
            return;
        }
        const auto found = std::lower_bound(m_instants.begin(), m_instants.end(), *instant,
            [](const Instant& op, int instruction) { return op.instruction < instruction; });
        const auto position = static_cast<int>(found - m_instants.begin());
        if (position >= count() || position == m_position)
            return;
        m_position = position;
        m_share = m_begins[at(position)];
        emit changed();
    });
    takeAnswer();
}

void Playback::takeAnswer()
{
    const Answer* answer = m_state.answer();
    const std::shared_ptr<const ShownPlan> shown = answer ? answer->shown : nullptr;
    if (shown == m_shown)
        return;
    pause();
    m_shown = shown;
    m_position = -1;
    m_share = 0.0;
    m_instants = shown ? instantsOf(shown->program) : std::vector<Instant>();
    m_begins.clear();
    const double whole = shown
        ? std::max(1.0, static_cast<double>((shown->timeline.time + shown->plan.prediction.optimizer).value))
        : 1;
    Nanoseconds before;
    for (const Instant& instant : m_instants) {
        m_begins.push_back(static_cast<double>(before.value) / whole);
        before = shown->timeline.points[at(instant.instruction)].time;
    }
    emit changed();
}

void Playback::play()
{
    if (count() == 0)
        return;
    if (m_position + 1 >= count()) {
        m_share = 0.0;
        moveTo(0);
    }
    m_clock.start();
    m_timer.start();
    emit changed();
}

void Playback::pause()
{
    if (!m_timer.isActive())
        return;
    m_timer.stop();
    emit changed();
}

void Playback::advance(double seconds)
{
    if (count() == 0)
        return;
    m_share = std::min(1.0, m_share + seconds * m_speed / kStepSeconds);
    const auto after = std::upper_bound(m_begins.begin(), m_begins.end(), m_share);
    moveTo(std::max(0, static_cast<int>(after - m_begins.begin()) - 1));
    if (m_share >= 1.0)
        pause();
}

void Playback::setPosition(int position)
{
    if (count() == 0)
        return;
    pause();
    position = std::clamp(position, 0, count() - 1);
    m_share = m_begins[at(position)];
    moveTo(position);
}

void Playback::moveTo(int position)
{
    if (m_position == position)
        return;
    m_position = position;
    m_state.pointing().setInstant(m_instants[at(position)].instruction);
    emit changed();
}

QString Playback::sentence() const
{
    if (m_position < 0 || !m_shown)
        return tr("Play the step, or go through it op by op: cells light up while they hold something.");
    const Instant& instant = m_instants[at(m_position)];
    const Program& program = m_shown->program;
    const Instruction& op = program.instructions[at(instant.instruction)];
    const StepTape& tape = m_shown->plan.step->tape;
    const NumberFormat format;
    QString what = tr("optimizer step");
    if (op.stage >= 0) {
        const QString pattern = op.kind == Instruction::Kind::Backward ? tr("%1, backward of %2")
            : op.isRerun                                               ? tr("%1, %2 again")
                                                                       : tr("%1, forward of %2");
        what = pattern.arg(QString::fromStdString(tape.stages[at(op.stage)].name),
            QString::fromStdString(tape.tapeOf(op.stage).ops[at(op.op)].name));
    }
    const auto list = [&](const std::vector<int>& buffers, const QString& sign) {
        QStringList names;
        for (std::size_t i = 0; i < std::min(buffers.size(), kMostNamed); ++i) {
            const Buffer& buffer = program.buffers[at(buffers[i])];
            // "layer 3: gelu": the layer was said already.
            const QString name = QString::fromStdString(buffer.name).section(QStringLiteral(": "), -1);
            names << QStringLiteral("%1 %2 %3").arg(sign, name, format.bytes(buffer.bytes));
        }
        if (buffers.size() > kMostNamed)
            names << tr("%1 %n more", "sign of what appears or leaves", static_cast<int>(buffers.size() - kMostNamed))
                         .arg(sign);
        return names;
    };
    QStringList parts{what, tr("%1 alive").arg(format.bytes(m_shown->timeline.points[at(instant.instruction)].live))};
    parts += list(instant.appeared, QStringLiteral("+"));
    parts += list(instant.left, QString(QChar(0x2212)));
    return parts.join(QStringLiteral(" \u00b7 "));
}

} // namespace remat::ui
