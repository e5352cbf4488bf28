// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QWheelEvent>

namespace remat::ui {

/// An input that takes the wheel only when it has the focus: a column of inputs scrolls under the pointer, and a turn
/// of the wheel must not change a value that nobody chose.
template <class Widget> class NoWheel : public Widget {
public:
    using Widget::Widget;

protected:
    void wheelEvent(QWheelEvent* event) override
    {
        if (this->hasFocus())
            Widget::wheelEvent(event);
        else
            event->ignore();
    }
};

} // namespace remat::ui
