// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

#include "core/base/result.h"
#include "core/run/gpu_answer.h"

namespace remat::ui {

/// What GPUs real runs could use, asked once, on a thread of its own, because starting CUDA takes its time.
class GpuInquiry : public QObject {
    Q_OBJECT
public:
    using Ask = std::function<Result<GpuAnswer>(const std::stop_token&)>;
    /// Asks at once; never where `ask` is empty.
    explicit GpuInquiry(const Ask& ask, QObject* parent = nullptr);

    /// Short, for the status bar; empty until there is an answer.
    QString summary() const;
    /// Why CUDA is off and what to do, or what was found; empty until there is an answer.
    QString explanation() const;

    /// The GPU that runs can use, once it is known.
    std::optional<GpuFound> gpu() const;

signals:
    void answered();

private:
    std::optional<Result<GpuAnswer>> m_answer;
    std::jthread m_thread; ///< last: it ends before what it works with goes
};

} // namespace remat::ui
