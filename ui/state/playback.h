// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

#include "core/program/instants.h"

namespace remat::ui {

class ExplorerState;
struct ShownPlan;

/// Plays the step of the plan shown, op by op: forward, loss, backward, optimizer.  Each instant is pointed at in the
/// state, so that every view shows what is alive then.
///
/// A position is the number of an op.  The pace is that of the predicted times, stretched so that a step at speed 1
/// takes kStepSeconds, whatever it takes for real.  A new plan ends the play.
class Playback : public QObject {
    Q_OBJECT
public:
    static constexpr double kStepSeconds = 20.0;

    explicit Playback(ExplorerState& state, QObject* parent = nullptr);

    int count() const { return static_cast<int>(m_instants.size()); }
    /// -1 before the first op: nothing is pointed at.
    int position() const { return m_position; }
    bool isPlaying() const { return m_timer.isActive(); }
    double speed() const { return m_speed; }
    /// Where one is, for people: phase, layer and op, whether it runs again, what appeared and what left.
    QString sentence() const;

public slots: // NOLINT(readability-redundant-access-specifiers): moc reads it
    void play();
    void pause();
    void toggle() { isPlaying() ? pause() : play(); }
    void setPosition(int position);
    void stepBy(int ops) { setPosition(m_position + ops); }
    void setSpeed(double speed) { m_speed = speed; }
    /// Lets so much of the viewer's time pass; the timer does, and tests.
    void advance(double seconds);

signals:
    void changed();

private:
    void takeAnswer();
    void moveTo(int position);

    ExplorerState& m_state;
    std::shared_ptr<const ShownPlan> m_shown;
    std::vector<Instant> m_instants;
    std::vector<double> m_begins; ///< of each op, as a share of the step
    int m_position = -1;
    double m_share = 0.0; ///< of the step that has passed
    double m_speed = 1.0;
    QTimer m_timer;
    QElapsedTimer m_clock;
};

} // namespace remat::ui
