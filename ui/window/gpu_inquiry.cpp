// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/gpu_inquiry.h"

#include <utility>

#include "ui/theme/core_text.h"
#include "ui/theme/format.h"

namespace remat::ui {

GpuInquiry::GpuInquiry(const Ask& ask, QObject* parent) : QObject(parent)
{
    if (!ask)
        return;
    m_thread = std::jthread([this, ask](const std::stop_token& stop) {
        QMetaObject::invokeMethod(
            this,
            [this, answer = ask(stop)]() mutable {
                m_answer = std::move(answer);
                emit answered();
            },
            Qt::QueuedConnection);
    });
}

QString GpuInquiry::summary() const
{
    if (!m_answer)
        return {};
    return gpu() ? tr("GPU found") : tr("CUDA off");
}

std::optional<GpuFound> GpuInquiry::gpu() const
{
    if (!m_answer || !*m_answer)
        return std::nullopt;
    Result<GpuFound> found = usableGpu(**m_answer);
    return found ? std::optional(*std::move(found)) : std::nullopt;
}

QString GpuInquiry::explanation() const
{
    if (!m_answer)
        return {};
    if (!*m_answer)
        return sentenceOf(m_answer->error());
    if (const std::optional<Message> reason = whyCudaIsOff(**m_answer))
        return sentenceOf(Error{reason->code, "", reason->arguments});
    QStringList gpus;
    for (const GpuFound& gpu : (*m_answer)->gpus)
        gpus << tr("%1: %2 of %3 free")
                    .arg(QString::fromStdString(gpu.name), NumberFormat().bytes(gpu.free),
                        NumberFormat().bytes(gpu.memory));
    return gpus.join(u'\n');
}

} // namespace remat::ui
