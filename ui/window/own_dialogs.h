// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QDialog>
#include <QList>
#include <functional>

#include "core/base/result.h"
#include "core/cost/device.h"
#include "core/model/model_shape.h"
#include "ui/theme/theme.h"

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace remat::ui {

class SizeField;

/// A small form with a name, a line for what is wrong, Save and Cancel: what the preset's and the device's dialog
/// share.
class OwnDialog : public QDialog {
    Q_OBJECT
public:
    QLineEdit& name() const { return *m_name; }
    /// What is wrong with the form; empty: nothing.
    QString problem() const;

public slots: // NOLINT(readability-redundant-access-specifiers): moc reads it
    void save();

protected:
    OwnDialog(const QString& title, const QString& hint, const QString& name, const Theme& theme, QWidget* parent);
    void addField(const QString& label, QWidget* field);
    /// Writes it.  The error is shown, and the dialog stays open.
    virtual Result<void> write() = 0;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Texts that break into lines need more height than a layout's least size says: it does not know their width.
    void keepTextsWhole();

    QVBoxLayout* m_fields;
    QLineEdit* m_name;
    QLabel* m_problem;
};

/// Keeps the model that the window shows as a preset.
class PresetDialog : public OwnDialog {
    Q_OBJECT
public:
    using Save = std::function<Result<void>(const ModelShape& shape)>;
    PresetDialog(ModelShape shape, Save save, const Theme& theme, QWidget* parent);

protected:
    Result<void> write() override;

private:
    ModelShape m_shape;
    Save m_save;
};

/// Changes figures of a device, or makes another of it.  Rates are in TFLOP/s and GB/s, as data sheets print them.
class DeviceDialog : public OwnDialog {
    Q_OBJECT
public:
    using Save = std::function<Result<void>(const Device& device)>;
    DeviceDialog(Device device, Save save, const Theme& theme, QWidget* parent);

    QLineEdit& edit(const QString& objectName) const;

protected:
    Result<void> write() override;

private:
    QLineEdit* addEdit(const char* objectName, const QString& label, const QString& text);

    Device m_device;
    Save m_save;
    QLineEdit* m_title;
    QLineEdit* m_memory;
    QLineEdit* m_context;
    QLineEdit* m_fp32;
    QLineEdit* m_bf16;
    QLineEdit* m_bandwidth;
    QLineEdit* m_launch;
    QLineEdit* m_source;
};

} // namespace remat::ui
