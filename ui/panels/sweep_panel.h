// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QWidget>
#include <map>

#include "core/sweep/sweep_table.h"
#include "ui/theme/theme.h"

class QComboBox;
class QHBoxLayout;

namespace remat::ui {

class SweepMapWidget;

/// The results of a sweep as a map over two of its axes, which the person chooses; of every other axis one value.
class SweepPanel : public QWidget {
    Q_OBJECT
public:
    explicit SweepPanel(const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setTable(SweepTable table);
    const SweepTable& table() const { return m_table; }
    SweepMapWidget& map() const { return *m_map; }
    /// The field of an axis that is neither across nor up, by its flag; null where there is none.
    QComboBox* fieldOf(const QString& flag) const;
    QComboBox& across() const { return *m_across; }
    QComboBox& up() const { return *m_up; }

signals:
    void chosen(const remat::SweepPoint& point);

private:
    void chooseAxes();
    void showMap();
    QComboBox* addField(const QString& label, const QString& name, const QString& tip);

    SweepTable m_table;
    std::vector<SweepTable::Axis> m_axes;
    QHBoxLayout* m_head;
    QComboBox* m_across;
    QComboBox* m_up;
    std::map<std::size_t, QComboBox*> m_others; ///< by index into m_axes
    SweepMapWidget* m_map;
};

} // namespace remat::ui
