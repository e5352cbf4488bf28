// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/own_dialogs.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/format_units.h"
#include "core/base/text.h"
#include "ui/forms/form_text.h"
#include "ui/forms/size_field.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

constexpr MessageCode kBadFigure{"device-figure-unreadable", REMAT_TR("\"{0}\" is no such figure."),
    REMAT_TR("Write a number greater than 0, with a point.")};

constexpr double kTera = 1e12, kGiga = 1e9;

QString figure(double value)
{
    return value > 0 ? QString::number(value, 'g', 6) : QString();
}

/// A positive number; an empty text is 0 where that is allowed.
Result<double> readFigure(const QLineEdit& edit, bool mayBeEmpty)
{
    const QString text = edit.text().trimmed();
    if (text.isEmpty() && mayBeEmpty)
        return 0.0;
    bool isNumber = false;
    const double value = QLocale::c().toDouble(text, &isNumber);
    if (!isNumber || !std::isfinite(value) || value <= 0)
        return Error{&kBadFigure, edit.accessibleName().toStdString(), {shortened(text.toStdString())}};
    return value;
}

Result<Bytes> readSize(const QLineEdit& edit)
{
    Result<Bytes> size = parseBytes(edit.text().trimmed().toStdString());
    if (size)
        return size;
    Error error = size.error();
    error.where = edit.accessibleName().toStdString();
    return error;
}

} // namespace

OwnDialog::OwnDialog(
    const QString& title, const QString& hint, const QString& name, const Theme& theme, QWidget* parent)
    : QDialog(parent),
      m_fields(new QVBoxLayout),
      m_name(new QLineEdit(name)),
      m_problem(new QLabel)
{
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    m_name->setObjectName(QStringLiteral("ownName"));
    m_problem->setObjectName(QStringLiteral("ownProblem"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    QPalette palette = m_problem->palette();
    palette.setColor(QPalette::WindowText, theme.colour(Role::Over));
    m_problem->setPalette(palette);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &OwnDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* rows = new QVBoxLayout(this);
    rows->addWidget(new HintLine(hint, theme));
    rows->addLayout(m_fields);
    rows->addWidget(m_problem);
    rows->addWidget(buttons);
    addField(tr("Name"), m_name);
    setMinimumWidth(static_cast<int>(theme.px(420)));
}

void OwnDialog::addField(const QString& label, QWidget* field)
{
    auto* name = new QLabel(label);
    name->setBuddy(field);
    field->setAccessibleName(label);
    m_fields->addWidget(name);
    m_fields->addWidget(field);
}

QString OwnDialog::problem() const
{
    return m_problem->isHidden() ? QString() : m_problem->text();
}

void OwnDialog::save()
{
    if (const Result<void> written = write(); !written) {
        m_problem->setText(fullText(written.error()));
        m_problem->show();
        keepTextsWhole();
        return;
    }
    close();
}

void OwnDialog::resizeEvent(QResizeEvent* event)
{
    QDialog::resizeEvent(event);
    keepTextsWhole();
}

void OwnDialog::keepTextsWhole()
{
    setMinimumHeight(layout()->totalHeightForWidth(width()));
}

PresetDialog::PresetDialog(ModelShape shape, Save save, const Theme& theme, QWidget* parent)
    : OwnDialog(tr("Save model as preset"),
        tr("The shape that the window shows joins the list of presets, here and on the command line."),
        QString::fromStdString(shape.name), theme, parent),
      m_shape(std::move(shape)),
      m_save(std::move(save))
{
    setObjectName(QStringLiteral("presetDialog"));
}

Result<void> PresetDialog::write()
{
    m_shape.name = name().text().trimmed().toStdString();
    return m_save(m_shape);
}

DeviceDialog::DeviceDialog(Device device, Save save, const Theme& theme, QWidget* parent)
    : OwnDialog(tr("Edit device"),
        tr("Saved under the same name, it takes the place of the built-in device; under another, it joins the list."),
        QString::fromStdString(device.name), theme, parent),
      m_device(std::move(device)),
      m_save(std::move(save)),
      m_title(addEdit("deviceTitle", tr("Title"), QString::fromStdString(m_device.title))),
      m_memory(addEdit("deviceMemory", tr("Memory"), SizeField::textOf(m_device.memory))),
      m_context(addEdit("deviceContext", tr("Context of the driver"), SizeField::textOf(m_device.context))),
      m_fp32(addEdit("deviceFp32", tr("Peak rate in fp32, TFLOP/s"), figure(m_device.peak.fp32 / kTera))),
      m_bf16(addEdit("deviceBf16", tr("Peak rate in bf16, TFLOP/s; empty: none"), figure(m_device.peak.bf16 / kTera))),
      m_bandwidth(addEdit("deviceBandwidth", tr("Memory bandwidth, GB/s"), figure(m_device.bytesPerSecond / kGiga))),
      m_launch(addEdit("deviceLaunch", tr("Launch of an operation, µs; empty: none"),
          figure(static_cast<double>(m_device.launchOverhead.value) / 1000.0))),
      m_source(addEdit("deviceSource", tr("Source of the figures"), QString::fromStdString(m_device.source)))
{
    setObjectName(QStringLiteral("deviceDialog"));
}

QLineEdit& DeviceDialog::edit(const QString& objectName) const
{
    return *findChild<QLineEdit*>(objectName);
}

QLineEdit* DeviceDialog::addEdit(const char* objectName, const QString& label, const QString& text)
{
    auto* edit = new QLineEdit(text);
    edit->setObjectName(QLatin1String(objectName));
    edit->setProperty("initial", text);
    edit->setCursorPosition(0);
    edit->setToolTip(text); // it may be longer than its line
    connect(edit, &QLineEdit::textChanged, edit, &QWidget::setToolTip);
    addField(label, edit);
    return edit;
}

Result<void> DeviceDialog::write()
{
    Device device = m_device;
    device.name = name().text().trimmed().toStdString();
    device.title = m_title->text().trimmed().toStdString();
    device.source = m_source->text().trimmed().toStdString();
    const Result<Bytes> memory = readSize(*m_memory), context = readSize(*m_context);
    const Result<double> fp32 = readFigure(*m_fp32, false), bf16 = readFigure(*m_bf16, true),
                         bandwidth = readFigure(*m_bandwidth, false), launch = readFigure(*m_launch, true);
    for (const Result<Bytes>* size : {&memory, &context})
        if (!*size)
            return size->error();
    for (const Result<double>* rate : {&fp32, &bf16, &bandwidth, &launch})
        if (!*rate)
            return rate->error();
    // A figure that was not touched stays what it was to the last digit.
    const auto set = [](const QLineEdit& edit, auto& place, auto value) {
        if (edit.text() != edit.property("initial").toString())
            place = value;
    };
    set(*m_memory, device.memory, *memory);
    set(*m_context, device.context, *context);
    set(*m_fp32, device.peak.fp32, *fp32 * kTera);
    set(*m_bf16, device.peak.bf16, *bf16 * kTera);
    set(*m_bandwidth, device.bytesPerSecond, *bandwidth * kGiga);
    set(*m_launch, device.launchOverhead, Nanoseconds{std::llround(*launch * 1000.0)});
    return m_save(device);
}

} // namespace remat::ui
