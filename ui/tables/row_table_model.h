// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <QAbstractTableModel>
#include <QFont>
#include <QString>
#include <QVariant>

namespace remat::ui {

/// What a table cell says besides its text; the view turns it into a colour, so that models know no theme.
enum class CellTone { Normal, Muted, Good, Bad };

/// Roles that every table of ours answers besides the usual ones.
enum TableRole {
    RawValueRole = Qt::UserRole + 1, ///< What the column sorts by; invalid = "no value", always last.
    ToneRole,                        ///< A CellTone as int.
    SpansRestRole,                   ///< True: the text takes the rest of its row (a reason instead of figures).
    RawUnitRole,                     ///< Of a header: the unit of the column's raw values, for other programs.
};

/// What the view asks of a model when the language changes.
class Retranslatable {
public:
    virtual ~Retranslatable() = default;
    virtual void retranslate() = 0;
};

/// One column as data: how a row's value is shown, sorted, aligned and explained.  Only title and text are required;
/// without `raw` a column sorts by its text.
template <class Row> struct TableColumn {
    QString title;
    std::function<QString(const Row&)> text;
    std::function<QVariant(const Row&)> raw;
    bool isFigure = false; ///< Right-aligned, in tabular figures.
    std::function<CellTone(const Row&)> tone;
    std::function<QString(const Row&)> tip;
    std::function<bool(const Row&)> spansRest;
    std::function<bool(const Row&)> isStrong; ///< Bold.
    QString unit;                             ///< Of `raw`: "B", "ns"; empty: a plain number.
};

/// A table of plain rows: the columns are a list, the rows a vector, and the Qt model contract is met once, here.
///
/// setRows keeps selection and scroll position: rows that both states have are announced as changed, the rest as
/// inserted or removed at the end.  A model resets only when it is told that the rows mean something else.
template <class Row> class RowTableModel : public QAbstractTableModel, public Retranslatable {
public:
    using Columns = std::vector<TableColumn<Row>>;

    /// `makeColumns` is asked again when the language changes.
    RowTableModel(std::function<Columns()> makeColumns, QObject* parent)
        : QAbstractTableModel(parent),
          m_makeColumns(std::move(makeColumns)),
          m_columns(m_makeColumns())
    { }

    void retranslate() override
    {
        m_columns = m_makeColumns();
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
        if (rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }

    const std::vector<Row>& rows() const { return m_rows; }
    const Row& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }

    void setRows(std::vector<Row> rows)
    {
        const int before = rowCount();
        const int after = static_cast<int>(rows.size());
        if (after < before) {
            beginRemoveRows({}, after, before - 1);
            m_rows.resize(rows.size());
            endRemoveRows();
        } else if (after > before) {
            beginInsertRows({}, before, after - 1);
            m_rows.insert(m_rows.end(), rows.begin() + before, rows.end());
            endInsertRows();
        }
        m_rows = std::move(rows);
        if (const int shared = std::min(before, after); shared > 0)
            emit dataChanged(index(0, 0), index(shared - 1, columnCount() - 1));
    }

    /// Appends one row and drops the oldest ones above `limit`.
    void appendRow(Row row, std::size_t limit)
    {
        if (m_rows.size() >= limit && limit > 0) {
            const int surplus = static_cast<int>(m_rows.size() - limit + 1);
            beginRemoveRows({}, 0, surplus - 1);
            m_rows.erase(m_rows.begin(), m_rows.begin() + surplus);
            endRemoveRows();
        }
        beginInsertRows({}, rowCount(), rowCount());
        m_rows.push_back(std::move(row));
        endInsertRows();
    }

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }

    QVariant data(const QModelIndex& at, int role) const override
    {
        if (!checkIndex(at, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
            return {};
        const Row& r = row(at.row());
        const TableColumn<Row>& column = m_columns[static_cast<std::size_t>(at.column())];
        switch (role) {
        case Qt::DisplayRole:
            return column.text(r);
        case Qt::ToolTipRole:
            // Words may be elided in a narrow panel; the tooltip has them whole.
            return column.tip ? QVariant(column.tip(r)) : column.isFigure ? QVariant() : QVariant(column.text(r));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(alignmentOf(column));
        case RawValueRole:
            return column.raw ? column.raw(r) : QVariant(column.text(r));
        case ToneRole:
            return static_cast<int>(column.tone ? column.tone(r) : CellTone::Normal);
        case Qt::FontRole:
            return column.isStrong && column.isStrong(r) ? QVariant(boldFont()) : QVariant();
        case SpansRestRole:
            return column.spansRest && column.spansRest(r);
        default:
            return {};
        }
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const TableColumn<Row>& column = m_columns[static_cast<std::size_t>(section)];
        if (role == Qt::DisplayRole)
            return column.title;
        if (role == Qt::TextAlignmentRole)
            return QVariant::fromValue(alignmentOf(column));
        if (role == RawUnitRole)
            return column.unit;
        return {};
    }

private:
    /// Says "bold" only: family and size stay the view's.
    static QFont boldFont()
    {
        QFont font;
        font.setBold(true);
        return font;
    }

    static Qt::Alignment alignmentOf(const TableColumn<Row>& column)
    {
        return (column.isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
    }

    std::function<Columns()> m_makeColumns;
    Columns m_columns;
    std::vector<Row> m_rows;
};

} // namespace remat::ui
