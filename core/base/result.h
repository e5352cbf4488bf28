// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cassert>
#include <utility>
#include <variant>

#include "core/base/message.h"

namespace remat {

/// A value or the error that kept it from being made (std::expected is C++23).
///
///   Result<Chain> chain = readChain(path);
///   if (!chain)
///       return chain.error();
///   use(*chain);
template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) { }
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) { }

    explicit operator bool() const { return m_state.index() == 0; }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    T&& operator*() && { return std::move(value()); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }
    const T& value() const
    {
        assert(*this);
        return *std::get_if<0>(&m_state);
    }
    T& value()
    {
        assert(*this);
        return *std::get_if<0>(&m_state);
    }
    const Error& error() const
    {
        assert(!*this);
        return *std::get_if<1>(&m_state);
    }

private:
    std::variant<T, Error> m_state;
};

/// Success or an error.
template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) { }

    explicit operator bool() const { return m_error.code == nullptr; }
    const Error& error() const
    {
        assert(!*this);
        return m_error;
    }

private:
    Error m_error;
};

} // namespace remat
