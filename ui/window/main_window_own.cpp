// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// The dialogs of the main window that plan for a card, and that keep models and devices of the person's own.
#include "core/model/presets.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/model_panel.h"
#include "ui/window/fit_dialog.h"
#include "ui/window/launch_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/own_dialogs.h"
#include "ui/window/own_files.h"

namespace remat::ui {

void MainWindow::showFitDialog()
{
    (new FitDialog(m_state, presets(m_context.configurationFolder), m_context.theme, this))->show();
}

void MainWindow::showPresetDialog()
{
    const auto save = [this](const ModelShape& shape) -> Result<void> {
        const Result<std::string> path = saveOwnPreset(shape, m_context.configurationFolder);
        if (!path)
            return path.error();
        m_bottom->log(tr("preset written to %1").arg(QString::fromStdString(*path)), false);
        m_model->readPresets();
        m_state.useShape(EditKind::Model, tr("change model"), shape);
        return {};
    };
    (new PresetDialog(m_state.inputs().shape, save, m_context.theme, this))->show();
}

void MainWindow::showDeviceDialog()
{
    const auto save = [this](const Device& device) -> Result<void> {
        const Result<std::string> path = saveOwnDevice(device, m_context.configurationFolder);
        if (!path)
            return path.error();
        m_bottom->log(tr("device written to %1").arg(QString::fromStdString(*path)), false);
        m_state.replaceDevice(device);
        Inputs inputs = m_state.inputs();
        inputs.setup.device = device.name;
        m_state.edit(EditKind::Device, tr("change device"), inputs);
        return {};
    };
    (new DeviceDialog(m_state.device(), save, m_context.theme, this))->show();
}

void MainWindow::showLaunchDialog()
{
    const auto save = [this](const LaunchProfile& profile) -> Result<void> {
        const Result<std::string> path = saveOwnLaunch(profile, m_context.configurationFolder);
        if (!path)
            return path.error();
        m_bottom->log(tr("launch profile written to %1").arg(QString::fromStdString(*path)), false);
        m_model->readPlaces();
        m_runs.setPlace(QString::fromStdString(profile.name));
        return {};
    };
    LaunchProfile start{
        .name = "cluster", .prefix = {"srun", "--gres=gpu:1", "--time=30"}, .stop = {"scancel", "{job}"}};
    if (const auto chosen = findLaunchProfile(m_runs.place().toStdString(), m_context.configurationFolder))
        start = *chosen;
    (new LaunchDialog(start, save, m_context.theme, this))->show();
}

} // namespace remat::ui
