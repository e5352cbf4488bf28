// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/application_style.h"

#include <QApplication>
#include <QStyleFactory>

#include "ui/theme/theme.h"

// A static library's resources are only linked in when somebody asks for them, and the macro must stand outside
// every namespace.
static void linkThemeResources()
{
    Q_INIT_RESOURCE(theme);
}

namespace remat::ui {

namespace {

// {role} is a colour, {12px} a length drawn for the 12 px base font, {tone} "light" or "dark".
constexpr const char* kTemplate = R"(
QToolTip { background: {panel}; color: {text}; border: 1px solid {line}; padding: {4px}; }
QMenuBar { background: {window}; } QMenuBar::item { padding: {3px} {8px}; border-radius: {3px}; }
QMenuBar::item:selected { background: {hover}; }
QMenu { background: {panel}; border: 1px solid {line}; padding: {4px} 0; }
QMenu::item { padding: {4px} {24px} {4px} {24px}; }
QMenu::item:selected { background: {keep}; color: {onKeep}; }
QMenu::item:disabled { color: {disabled}; }
QMenu::separator { height: 1px; background: {line}; margin: {4px} 0; }
QStatusBar { background: {window}; color: {muted}; } QStatusBar::item { border: none; }
QFrame[card="true"] { background: {panel}; border: 1px solid {line}; border-radius: {4px}; }
QFrame[strip="true"] { background: {overTint}; border: none; border-left: {4px} solid {over}; }
QLabel[role="title"] { font-weight: bold; } QLabel[role="muted"] { color: {muted}; }
QLabel[role="label"] { color: {muted}; font-size: {labelSize}; } QLabel[role="error"] { color: {over}; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit {
  background: {field}; color: {text}; border: 1px solid {edge}; border-radius: {3px};
  selection-background-color: {keep}; selection-color: {onKeep}; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { min-height: {18px}; padding: {1px} {6px}; }
QLineEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover, QComboBox:hover { border-color: {muted}; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: {keep}; }
QLineEdit[bad="true"], QSpinBox[bad="true"], QDoubleSpinBox[bad="true"], QComboBox[bad="true"] { border-color: {over}; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
  color: {disabled}; background: {window}; border-color: {line}; }
QComboBox::drop-down { subcontrol-origin: padding; subcontrol-position: center right; width: {18px}; border: none; }
QComboBox::down-arrow { image: url(:/remat/theme/icons/chevron-down-{tone}.svg); width: {10px}; height: {10px}; }
QComboBox QAbstractItemView { background: {panel}; color: {text}; border: 1px solid {line};
  selection-background-color: {keep}; selection-color: {onKeep}; outline: none; }
QSpinBox, QDoubleSpinBox { padding-right: {18px}; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right;
  width: {16px}; border: none; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right;
  width: {16px}; border: none; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/remat/theme/icons/chevron-up-{tone}.svg);
  width: {8px}; height: {8px}; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/remat/theme/icons/chevron-down-{tone}.svg);
  width: {8px}; height: {8px}; }
QPushButton, QToolButton { background: {button}; color: {text}; border: 1px solid {edge}; border-radius: {3px};
  padding: {2px} {10px}; min-height: {18px}; }
QToolButton { padding: {2px} {6px}; } QToolButton#moreTabs::menu-indicator { image: none; }
QPushButton:hover, QToolButton:hover { border-color: {muted}; background: {hover}; }
QPushButton:pressed, QToolButton:pressed, QPushButton:checked, QToolButton:checked { background: {line}; }
QPushButton:focus, QToolButton:focus { border-color: {keep}; }
QPushButton:disabled, QToolButton:disabled { color: {disabled}; background: {window}; border-color: {line}; }
QPushButton[primary="true"] { background: {keep}; color: {onKeep}; border-color: {keep}; border-radius: {4px};
  font-weight: bold; padding: {4px} {12px}; }
QPushButton[primary="true"]:hover { background: {keepHover}; border-color: {keepHover}; }
QPushButton[primary="true"]:pressed { background: {keepPressed}; }
QPushButton[primary="true"]:focus { border-color: {text}; }
QPushButton[primary="true"]:disabled { background: {line}; color: {disabled}; border-color: {line}; }
QCheckBox, QRadioButton { spacing: {6px}; }
QCheckBox::indicator { width: {12px}; height: {12px}; border: 1px solid {edge}; border-radius: {2px};
  background: {field}; }
QCheckBox::indicator:hover { border-color: {muted}; } QCheckBox:focus { color: {keep}; }
QCheckBox::indicator:checked { background: {keep}; border-color: {keep};
  image: url(:/remat/theme/icons/check-{tone}.svg); }
QCheckBox::indicator:disabled { background: {window}; border-color: {line}; }
QSlider::groove:horizontal { height: {4px}; background: {line}; border-radius: {2px}; }
QSlider::sub-page:horizontal { background: {keep}; border-radius: {2px}; }
QSlider::handle:horizontal { width: {10px}; height: {14px}; margin: -{5px} 0; background: {panel};
  border: 1px solid {muted}; border-radius: {3px}; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { border-color: {keep}; }
QSlider::sub-page:horizontal:disabled { background: {line}; }
QTabWidget::pane { border: none; border-top: 1px solid {line}; top: -1px; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: {window}; color: {muted}; border: 1px solid {line}; border-top-left-radius: {4px};
  border-top-right-radius: {4px}; padding: {4px} {12px}; margin-right: {2px}; margin-top: {2px}; }
QTabBar[compact="true"]::tab { padding: {4px} {7px}; }
QTabBar::tab:selected { background: {panel}; color: {text}; border-bottom-color: {panel}; margin-top: 0; }
QTabBar::tab:hover:!selected { color: {text}; } QTabBar::tab:focus { color: {keep}; }
QTableView, QTreeView, QListView { background: {panel}; alternate-background-color: {window}; color: {text};
  border: none; gridline-color: {line}; selection-background-color: {keep}; selection-color: {onKeep}; }
QHeaderView { background: {panel}; }
QHeaderView::section { background: {panel}; color: {muted}; border: none; border-bottom: 1px solid {line};
  padding: {3px} {6px}; font-size: {labelSize}; }
QTableCornerButton::section { background: {panel}; border: none; border-bottom: 1px solid {line}; }
QScrollBar:vertical { background: transparent; width: {10px}; margin: 0; }
QScrollBar:horizontal { background: transparent; height: {10px}; margin: 0; }
QScrollBar::handle { background: {edge}; border-radius: {4px}; margin: 1px; }
QScrollBar::handle:vertical { min-height: {24px}; } QScrollBar::handle:horizontal { min-width: {24px}; }
QScrollBar::handle:hover { background: {muted}; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: {line}; border: none; border-radius: {2px}; max-height: {6px}; }
QProgressBar::chunk { background: {keep}; border-radius: {2px}; }
QSplitter::handle { background: transparent; }
)";

QColor disabledText(const Theme& theme)
{
    return mixed(theme.colour(Role::Panel), theme.colour(Role::Muted), 0.6);
}

/// What stands between braces in the template, or an empty string for a brace that is the sheet's own.
QString valueOf(const QString& name, const Theme& theme)
{
    const QColor panel = theme.colour(Role::Panel), text = theme.colour(Role::Text), keep = theme.colour(Role::Keep);
    if (name == QLatin1String("tone"))
        return theme.lightness() == Lightness::Light ? QStringLiteral("light") : QStringLiteral("dark");
    if (name == QLatin1String("labelSize"))
        return QStringLiteral("%1px").arg(theme.fontPixels(FontRole::Label));
    const struct {
        const char* name;
        QColor colour;
    } colours[] = {{"window", theme.colour(Role::Window)}, {"panel", panel}, {"field", theme.colour(Role::Field)},
        {"line", theme.colour(Role::Line)}, {"text", text}, {"muted", theme.colour(Role::Muted)}, {"keep", keep},
        {"onKeep", textOn(keep)}, {"over", theme.colour(Role::Over)}, {"overTint", theme.colour(Role::OverTint)},
        {"edge", mixed(theme.colour(Role::Line), text, 0.18)}, {"hover", mixed(panel, text, 0.07)},
        {"button", mixed(panel, text, theme.lightness() == Lightness::Light ? 0.02 : 0.06)},
        {"keepHover", mixed(keep, text, 0.12)}, {"keepPressed", mixed(keep, text, 0.24)},
        {"disabled", disabledText(theme)}};
    for (const auto& known : colours)
        if (name == QLatin1String(known.name))
            return known.colour.name();
    if (name.endsWith(QLatin1String("px"))) {
        bool isNumber = false;
        const double length = name.chopped(2).toDouble(&isNumber);
        if (isNumber)
            return QStringLiteral("%1px").arg(theme.px(length));
    }
    return {};
}

} // namespace

QPalette applicationPalette(const Theme& theme)
{
    QPalette palette;
    const QColor text = theme.colour(Role::Text), keep = theme.colour(Role::Keep), panel = theme.colour(Role::Panel);
    palette.setColor(QPalette::Window, theme.colour(Role::Window));
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, theme.colour(Role::Field));
    palette.setColor(QPalette::AlternateBase, theme.colour(Role::Window));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, theme.colour(Role::Muted));
    palette.setColor(QPalette::Button, mixed(panel, text, 0.04));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, theme.colour(Role::Over));
    palette.setColor(QPalette::Highlight, keep);
    palette.setColor(QPalette::HighlightedText, textOn(keep));
    palette.setColor(QPalette::Link, keep);
    palette.setColor(QPalette::LinkVisited, keep);
    palette.setColor(QPalette::ToolTipBase, panel);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Light, mixed(panel, text, 0.03));
    palette.setColor(QPalette::Midlight, theme.colour(Role::Line));
    palette.setColor(QPalette::Mid, theme.colour(Role::Line));
    palette.setColor(QPalette::Dark, theme.colour(Role::Muted));
    palette.setColor(QPalette::Shadow, QColor(Qt::black));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabledText(theme));
    return palette;
}

QString applicationStyleSheet(const Theme& theme)
{
    const QString source = QString::fromLatin1(kTemplate);
    QString sheet;
    sheet.reserve(source.size() + source.size() / 4);
    for (qsizetype i = 0; i < source.size(); ++i) {
        if (source[i] == QLatin1Char('{')) {
            const qsizetype end = source.indexOf(QLatin1Char('}'), i);
            const QString value = valueOf(source.mid(i + 1, end - i - 1), theme);
            if (!value.isEmpty()) {
                sheet += value;
                i = end;
                continue;
            }
        }
        sheet += source[i];
    }
    return sheet;
}

void applyTheme(QApplication& application, const Theme& theme)
{
    linkThemeResources();
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(applicationPalette(theme));
    application.setFont(theme.font(FontRole::Text));
    application.setStyleSheet(applicationStyleSheet(theme));
}

} // namespace remat::ui
