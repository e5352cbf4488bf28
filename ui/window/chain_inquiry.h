// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <QString>
#include <optional>
#include <thread>

#include "core/chain/chain.h"
#include "core/plan/frontier.h"

namespace remat::ui {

/// The two ends of a chain's frontier: what a chain without a model can tell in the window.
struct ChainSummary {
    QString file;
    std::size_t stages = 0, plans = 0;
    FrontierPoint least, fastest;
};

/// Solves a chain that was opened, on a thread of its own; another one takes its place.
class ChainInquiry : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// `file`: its name, for the answer.  Precondition: the chain is valid.
    void ask(Chain chain, const QString& file);

signals:
    void answered(const remat::ui::ChainSummary& summary);

private:
    quint64 m_asked = 0;
    std::jthread m_thread; ///< last: it ends before what it works with goes
};

/// "decoder.chain.json: 12 stages, 84 plans, from 1.20 GiB ... "
QString sentenceOf(const ChainSummary& summary);

} // namespace remat::ui
