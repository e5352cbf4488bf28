// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/table_view.h"

#include <algorithm>
#include <numeric>

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTimer>

#include "ui/tables/row_table_model.h"
#include "ui/tables/table_parts.h"
#include "ui/tables/table_sorter.h"

namespace remat::ui {

namespace {

constexpr double kWidestColumn = 320;
constexpr double kNarrowestWords = 76;
/// Widths are measured on what is visible and a few rows more, never on ten thousand.
constexpr int kMeasuredRows = 50;

/// Tabs and line ends inside a cell would break the columns of a spreadsheet.
QString tsvCell(QString text)
{
    text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
    return text;
}

} // namespace

TableView::TableView(QAbstractItemModel* model, const Theme& theme, QWidget* parent)
    : QTableView(parent),
      m_sorter(new TableSorter(model, this)),
      m_theme(theme)
{
    setHorizontalHeader(new FlatHeader(theme, this));
    setItemDelegate(new ToneDelegate(theme, this));
    setModel(m_sorter);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    horizontalHeader()->setResizeContentsPrecision(kMeasuredRows);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setSortIndicatorClearable(true);
    setSortingEnabled(true);

    setMouseTracking(true);
    connect(this, &QAbstractItemView::entered, this, [this](const QModelIndex& at) { emit rowHovered(modelRow(at)); });
    connect(this, &QAbstractItemView::viewportEntered, this, [this] { emit rowHovered(-1); });
    auto* copy = new QAction(tr("Copy rows"), this);
    copy->setObjectName(QStringLiteral("copyRows"));
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &TableView::copySelection);
    addAction(copy);
    setContextMenuPolicy(Qt::ActionsContextMenu);

    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& i) { emit rowActivated(modelRow(i)); });
    connect(m_sorter, &QAbstractItemModel::modelReset, this, &TableView::scheduleFitting);
    connect(m_sorter, &QAbstractItemModel::rowsInserted, this, &TableView::scheduleFitting);
    connect(m_sorter, &QAbstractItemModel::rowsAboutToBeInserted, this,
        [this] { m_isAtEnd = verticalScrollBar()->value() == verticalScrollBar()->maximum(); });
    connect(m_sorter, &QAbstractItemModel::rowsRemoved, this, &TableView::scheduleFitting);
    connect(m_sorter, &QAbstractItemModel::dataChanged, this, &TableView::scheduleFitting);
    connect(m_sorter, &QAbstractItemModel::layoutChanged, this, &TableView::scheduleFitting);
    connect(m_sorter, &QAbstractItemModel::headerDataChanged, this, &TableView::scheduleFitting);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        const auto i = static_cast<std::size_t>(column);
        if (m_isFitting || i >= m_wanted.size())
            return;
        m_wanted[i] = width;
        m_isChosen[i] = true;
    });
    setTheme(theme);
}

void TableView::setTheme(const Theme& theme)
{
    m_theme = theme;
    static_cast<FlatHeader*>(horizontalHeader())->setTheme(theme);
    static_cast<ToneDelegate*>(itemDelegate())->setTheme(theme);
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, theme.colour(Role::Panel));
    palette.setColor(QPalette::Text, theme.colour(Role::Text));
    setPalette(palette);
    setFont(theme.font(FontRole::Text));
    const QFontMetrics metrics(theme.font(FontRole::Text));
    verticalHeader()->setMinimumSectionSize(1);
    verticalHeader()->setDefaultSectionSize(
        std::max(static_cast<int>(theme.minimumRowHeight()), metrics.height()) + static_cast<int>(theme.px(5)));
    m_wanted.clear();
    m_isChosen.clear();
    scheduleFitting();
}

void TableView::setStretchColumn(int column)
{
    m_stretchColumn = column;
    scheduleFitting();
}

void TableView::setColumnsThatGiveWay(std::vector<int> columns)
{
    m_givingWay = std::move(columns);
    scheduleFitting();
}

void TableView::setEmptyText(const QString& text)
{
    m_emptyText = text;
    viewport()->update();
}

QString TableView::selectionAsTsv() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(index.row());
    if (rows.empty())
        for (int row = 0; row < m_sorter->rowCount(); ++row)
            rows.push_back(row);
    std::sort(rows.begin(), rows.end());

    QStringList cells;
    QString text;
    const auto endLine = [&] {
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
        cells.clear();
    };
    for (int column = 0; column < m_sorter->columnCount(); ++column)
        cells.append(tsvCell(m_sorter->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()));
    endLine();
    for (int row : rows) {
        for (int column = 0; column < m_sorter->columnCount(); ++column)
            cells.append(tsvCell(m_sorter->index(row, column).data().toString()));
        endLine();
    }
    return text;
}

void TableView::copySelection() const
{
    QGuiApplication::clipboard()->setText(selectionAsTsv());
}

int TableView::modelRow(const QModelIndex& index) const
{
    return m_sorter->mapToSource(index).row();
}

void TableView::selectModelRow(int row)
{
    const QModelIndex index = m_sorter->mapFromSource(m_sorter->sourceModel()->index(row, 0));
    const QScopedValueRollback guard(m_isSelectingByCode, true);
    if (index.isValid())
        setCurrentIndex(index);
    else
        clearSelection();
}

void TableView::leaveEvent(QEvent* event)
{
    QTableView::leaveEvent(event);
    emit rowHovered(-1);
}

void TableView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (!m_isSelectingByCode && current.isValid() && current.row() != previous.row())
        emit rowChosen(modelRow(current));
}

void TableView::keyPressEvent(QKeyEvent* event)
{
    // The base class would copy the text of one cell.
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && currentIndex().isValid())
        emit rowActivated(modelRow(currentIndex()));
    else
        QTableView::keyPressEvent(event);
}

void TableView::scheduleFitting()
{
    // Live updates come in bursts: widths and spans are settled once, when the burst is over.
    if (std::exchange(m_isFittingScheduled, true))
        return;
    QTimer::singleShot(0, this, [this] {
        m_isFittingScheduled = false;
        fitColumns();
        spanReasons();
        if (m_followsEnd && m_isAtEnd)
            scrollToBottom();
    });
}

void TableView::fitColumns()
{
    // Wishes only grow, so that nothing jumps while figures change; a width that the person chose is kept.
    const auto columns = static_cast<std::size_t>(m_sorter->columnCount());
    m_wanted.resize(columns, 0);
    m_isChosen.resize(columns, false);
    const int widest = static_cast<int>(m_theme.px(kWidestColumn));
    for (std::size_t i = 0; i < columns; ++i) {
        const int column = static_cast<int>(i);
        const int text = std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        if (!m_isChosen[i])
            m_wanted[i] = std::max(m_wanted[i], std::min(widest, text));
    }
    const QScopedValueRollback guard(m_isFitting, true);
    int surplus = std::accumulate(m_wanted.begin(), m_wanted.end(), 0) - viewport()->width();
    for (const int column : m_givingWay) {
        setColumnHidden(column, surplus > 0);
        if (surplus > 0)
            surplus -= m_wanted[static_cast<std::size_t>(column)];
    }
    const std::vector<int> widths = widthsFor(viewport()->width());
    for (std::size_t i = 0; i < columns; ++i)
        if (!isColumnHidden(static_cast<int>(i)))
            setColumnWidth(static_cast<int>(i), widths[i]);
    if (wordWrap())
        resizeRowsToContents();
}

std::vector<int> TableView::widthsFor(int viewportWidth) const
{
    std::vector<int> widths = m_wanted;
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (isColumnHidden(static_cast<int>(i)))
            widths[i] = 0;
    int spare = viewportWidth - std::accumulate(widths.begin(), widths.end(), 0);
    if (spare > 0 && m_stretchColumn >= 0 && m_stretchColumn < static_cast<int>(widths.size()))
        widths[static_cast<std::size_t>(m_stretchColumn)] += spare;
    // Too narrow: words give way (they are elided, and the tooltip has them whole), the widest first; figures never do.
    const int least = static_cast<int>(m_theme.px(kNarrowestWords));
    while (spare < 0) {
        std::size_t victim = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const auto alignment = m_sorter->headerData(static_cast<int>(i), Qt::Horizontal, Qt::TextAlignmentRole);
            const bool isWords = !m_isChosen[i] && !(alignment.value<Qt::Alignment>() & Qt::AlignRight);
            if (isWords && widths[i] > least && (victim == widths.size() || widths[i] > widths[victim]))
                victim = i;
        }
        if (victim == widths.size())
            break;
        const int step = std::min({widths[victim] - least, -spare, 4});
        widths[victim] -= step;
        spare += step;
    }
    return widths;
}

void TableView::spanReasons()
{
    clearSpans();
    const int columns = m_sorter->columnCount();
    for (int row = 0; row < m_sorter->rowCount(); ++row)
        for (int column = 0; column + 1 < columns; ++column)
            if (m_sorter->index(row, column).data(SpansRestRole).toBool())
                setSpan(row, column, 1, columns - column);
}

void TableView::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    if (m_sorter->rowCount() > 0 || m_emptyText.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setFont(m_theme.font(FontRole::Text));
    painter.setPen(m_theme.colour(Role::Muted));
    const int margin = static_cast<int>(m_theme.px(16));
    painter.drawText(
        viewport()->rect().adjusted(margin, 0, -margin, 0), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

void TableView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void TableView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        if (auto* columns = dynamic_cast<Retranslatable*>(m_sorter->sourceModel()))
            columns->retranslate();
        findChild<QAction*>(QStringLiteral("copyRows"))->setText(tr("Copy rows"));
    }
    QTableView::changeEvent(event);
}

} // namespace remat::ui
