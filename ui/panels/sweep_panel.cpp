// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/sweep_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

#include "ui/widgets/sweep_map_widget.h"

namespace remat::ui {

namespace {

QString flagOf(const SweepTable& table, const SweepTable::Axis& axis)
{
    return QString::fromStdString(table.columns[axis.column]);
}

/// The axes that a map starts with: what a person asks of a sweep is most often what fits where.
int rankOf(const QString& flag, bool isAcross)
{
    static const QStringList kAcross{QStringLiteral("batch"), QStringLiteral("budget"), QStringLiteral("seq")};
    static const QStringList kUp{QStringLiteral("strategy"), QStringLiteral("model"), QStringLiteral("device")};
    const QStringList& wanted = isAcross ? kAcross : kUp;
    const qsizetype at = wanted.indexOf(flag);
    return at < 0 ? static_cast<int>(wanted.size()) : static_cast<int>(at);
}

} // namespace

SweepPanel::SweepPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_head(new QHBoxLayout),
      m_across(
          addField(tr("Across"), QStringLiteral("sweepAcross"), tr("The axis of the sweep that runs to the right"))),
      m_up(addField(tr("Up"), QStringLiteral("sweepUp"), tr("The axis of the sweep that runs upwards"))),
      m_map(new SweepMapWidget(theme))
{
    m_map->setObjectName(QStringLiteral("sweepMapPicture"));
    m_map->setAccessibleName(tr("Results of a sweep"));
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->addLayout(m_head);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(head);
    layout->addWidget(m_map, 1);
    connect(m_map, &SweepMapWidget::chosen, this, &SweepPanel::chosen);
    for (QComboBox* axis : {m_across, m_up})
        connect(axis, &QComboBox::activated, this, &SweepPanel::chooseAxes);
}

QComboBox* SweepPanel::addField(const QString& label, const QString& name, const QString& tip)
{
    auto* box = new QComboBox;
    auto* text = new QLabel(label);
    text->setBuddy(box);
    box->setObjectName(name);
    box->setAccessibleName(label);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_head->addWidget(text);
    m_head->addWidget(box);
    return box;
}

void SweepPanel::setTheme(const Theme& theme)
{
    m_map->setTheme(theme);
}

QComboBox* SweepPanel::fieldOf(const QString& flag) const
{
    for (const auto& [axis, field] : m_others)
        if (flagOf(m_table, m_axes[axis]) == flag)
            return field;
    return nullptr;
}

void SweepPanel::setTable(SweepTable table)
{
    m_table = std::move(table);
    m_axes = m_table.axes();
    for (QComboBox* field : {m_across, m_up})
        field->clear();
    int across = -1, up = -1;
    for (int i = 0; i < static_cast<int>(m_axes.size()); ++i) {
        const QString flag = flagOf(m_table, m_axes[static_cast<std::size_t>(i)]);
        m_across->addItem(flag, i);
        m_up->addItem(flag, i);
        if (across < 0 || rankOf(flag, true) < rankOf(m_across->itemText(across), true))
            across = i;
    }
    for (int i = 0; i < m_up->count(); ++i)
        if (i != across && (up < 0 || rankOf(m_up->itemText(i), false) < rankOf(m_up->itemText(up), false)))
            up = i;
    m_across->setCurrentIndex(across);
    m_up->setCurrentIndex(up);
    chooseAxes();
}

void SweepPanel::chooseAxes()
{
    // Two axes that are one leave a line of points, which is a map too: the other goes to the next.
    if (m_axes.size() > 1 && m_across->currentIndex() == m_up->currentIndex()) {
        QComboBox* other = sender() == m_up ? m_across : m_up;
        other->setCurrentIndex((other->currentIndex() + 1) % other->count());
    }
    for (const auto& [axis, field] : m_others) {
        const int place = m_head->indexOf(field);
        for (const int at : {place, place - 1}) { // its label stands before it
            const std::unique_ptr<QLayoutItem> item(m_head->takeAt(at));
            delete item->widget();
        }
    }
    m_others.clear();
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        if (static_cast<int>(i) == m_across->currentIndex() || static_cast<int>(i) == m_up->currentIndex())
            continue;
        const QString flag = flagOf(m_table, m_axes[i]);
        QComboBox* field
            = addField(flag, QStringLiteral("sweep-") + flag, tr("Which value of --%1 is shown").arg(flag));
        for (const std::string& value : m_axes[i].values)
            field->addItem(QString::fromStdString(value));
        connect(field, &QComboBox::activated, this, &SweepPanel::showMap);
        m_others[i] = field;
    }
    showMap();
}

void SweepPanel::showMap()
{
    SweepMapView view;
    const int across = m_across->currentIndex(), up = m_up->currentIndex();
    const auto valuesOf = [this](int axis) {
        QStringList values;
        if (axis >= 0)
            for (const std::string& value : m_axes[static_cast<std::size_t>(axis)].values)
                values << QString::fromStdString(value);
        return values.isEmpty() ? QStringList{QString()} : values;
    };
    view.xValues = valuesOf(across);
    view.yValues = valuesOf(up == across ? -1 : up);
    view.xTitle = across >= 0 ? m_across->currentText() : QString();
    view.yTitle = up >= 0 && up != across ? m_up->currentText() : QString();
    view.cells.resize(static_cast<std::size_t>(view.xValues.size() * view.yValues.size()));
    const auto indexOf = [this](int axis, const SweepPoint& point) -> qsizetype {
        if (axis < 0)
            return 0;
        const SweepTable::Axis& values = m_axes[static_cast<std::size_t>(axis)];
        return std::find(values.values.begin(), values.values.end(), point.values[values.column])
            - values.values.begin();
    };
    for (const SweepPoint& point : m_table.points) {
        const bool isShown = std::all_of(m_others.begin(), m_others.end(), [&](const auto& other) {
            return point.values[m_axes[other.first].column] == other.second->currentText().toStdString();
        });
        if (isShown)
            view.cells[static_cast<std::size_t>(
                indexOf(up == across ? -1 : up, point) * view.xValues.size() + indexOf(across, point))]
                = point;
    }
    m_map->setView(std::move(view));
}

} // namespace remat::ui
