// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_cursor.h"
#include "core/base/message.h"

namespace remat {

/// The keys of one config.json, as transformers' config classes read them: a missing or null key takes the class's
/// default, and every default that was taken is noted.  Mistakes go into the cursor.
///
///   shape.block = keys.flag("use_parallel_residual", true) ? BlockKind::ParallelTwoNorms : BlockKind::Serial;
class ConfigKeys {
public:
    explicit ConfigKeys(const JsonCursor& root) : m_root(root) { }

    bool isGiven(const char* key) const { return m_root.has(key) && !m_root[key].isNull(); }
    bool isNull(const char* key) const { return m_root.has(key) && m_root[key].isNull(); }
    JsonCursor operator[](const char* key) const { return m_root[key]; }
    const JsonCursor& root() const { return m_root; }

    std::int64_t integer(const char* key, std::int64_t otherwise, std::int64_t least, std::int64_t most);
    double number(const char* key, double otherwise);
    bool flag(const char* key, bool otherwise);
    std::string text(const char* key, const char* otherwise);

    void note(Message message) { m_notes.push_back(std::move(message)); }
    void noteDefault(const char* key, std::string value);
    /// The key asks for something that no profile describes; the step is described without it.
    void noteLeftOut(const char* key);
    std::vector<Message> takeNotes() { return std::move(m_notes); }

private:
    const JsonCursor& m_root;
    std::vector<Message> m_notes;
};

} // namespace remat
