// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/model/training_setup.h"

namespace remat {

/// Collects the first error; later checks are then skipped.
class Checks {
public:
    explicit Checks(ValueOrigin origin) : m_origin(origin) { }

    void require(const MessageCode& code, bool holds, const char* where, std::vector<MessageArgument> arguments)
    {
        if (holds || !m_first)
            return;
        Error error{&code, where, std::move(arguments)};
        if (m_origin == ValueOrigin::Flags)
            error.exit = ExitCode::Usage;
        m_first = std::move(error);
    }
    /// The error as it is, whoever gave the value.
    void add(Error error)
    {
        if (m_first)
            m_first = std::move(error);
    }
    void size(const char* where, std::int64_t value, std::int64_t least, std::int64_t most);
    void dropout(const char* where, double value);
    void name(const char* where, const std::string& value, std::int64_t least);
    bool passed() const { return static_cast<bool>(m_first); }
    const Result<void>& result() const { return m_first; }

private:
    ValueOrigin m_origin;
    Result<void> m_first;
};

} // namespace remat
