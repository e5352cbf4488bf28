// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include "core/run/launch_profile.h"
#include "ui/window/own_dialogs.h"

class QPlainTextEdit;

namespace remat::ui {

/// How a worker is started elsewhere: a program with its arguments, one a line, so that no shell has to cut them.
class LaunchDialog : public OwnDialog {
    Q_OBJECT
public:
    using Save = std::function<Result<void>(const LaunchProfile& profile)>;
    LaunchDialog(const LaunchProfile& profile, Save save, const Theme& theme, QWidget* parent);

    QPlainTextEdit& prefix() const { return *m_prefix; }
    QLineEdit& worker() const { return *m_worker; }
    QPlainTextEdit& stop() const { return *m_stop; }

protected:
    Result<void> write() override;

private:
    QPlainTextEdit* addWords(const char* objectName, const QString& label, const std::vector<std::string>& words);

    Save m_save;
    QPlainTextEdit* m_prefix;
    QLineEdit* m_worker;
    QPlainTextEdit* m_stop;
};

} // namespace remat::ui
