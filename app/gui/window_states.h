// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QSize>
#include <QString>
#include <functional>
#include <vector>

#include "core/base/units.h"

namespace remat::ui {

class MainWindow;
struct Inputs;
struct WindowContext;

/// A state of the window that was designed: how to reach it, and how large the window is.
struct WindowState {
    QString name;
    QSize size;
    std::function<void(MainWindow&)> prepare;
    /// What surrounds the window there: a GPU, a worker that says what it is told.  Empty: the machine as it is.
    std::function<void(WindowContext&)> surround = {};
    bool isProjector = false;
    /// Shown as it is when `prepare` returns, whether or not the planner has answered.
    bool isMoment = false;
};

/// Plans, comparisons, other profiles, what does not fit, the edges: one layer, 126 layers.
std::vector<WindowState> planStates();
/// Runs, GPUs, dialogs, lessons, the projector.
std::vector<WindowState> otherStates();

// How both files reach their states.

constexpr QSize kUsualWindow(1440, 900), kSmallestWindow(1024, 700);

/// Lets events run until `isDone`, or gives up after two minutes.
bool waitFor(const std::function<bool()>& isDone);
bool waitForAnswer(MainWindow& window);
void edit(MainWindow& window, const std::function<void(Inputs&)>& change);
void useModel(Inputs& inputs, const char* preset, std::int64_t batch, std::int64_t sequence);
/// The middle between the least and the keep-everything peak, and the answer to it.
void useMiddleBudget(MainWindow& window);
/// As a menu entry does.
void trigger(MainWindow& window, const char* action);

} // namespace remat::ui
