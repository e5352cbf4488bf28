// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"

namespace remat {

/// Parses one JSON document.  `where` names the file in errors.
/// Errors: not JSON (with line and column), nesting deeper than 64, a key given twice in one object.
Result<nlohmann::json> parseJson(std::string_view text, const std::string& where);

/// A value inside a JSON document together with its path, so that every error names file and key.
///
/// The first mistake is remembered and later reads return defaults; a reader reads everything it needs and asks for
/// error() once at the end:
///
///   JsonCursor root(json, "chain.json");
///   chain.name = root["name"].string();
///   for (JsonCursor stage : root["stages"].elements()) ...
///   if (root.failed()) return root.error();
class JsonCursor {
public:
    JsonCursor(const nlohmann::json& root, std::string file);

    /// The member `key`; a missing one is an error unless it is asked with has() first.
    JsonCursor operator[](const std::string& key) const;
    bool has(const std::string& key) const;
    bool isNull() const;

    std::string string() const;
    bool boolean() const;
    double number() const;
    /// A whole number within [least, most]; 3.0 counts as whole, 1e300, NaN and true do not.
    std::int64_t integer(std::int64_t least, std::int64_t most) const;
    Bytes bytes() const { return {integer(0, kMaxQuantity)}; }
    /// Bytes, or nothing where null stands: the reading of optionalJson().
    std::optional<Bytes> optionalBytes() const { return isNull() ? std::nullopt : std::optional(bytes()); }
    Nanoseconds nanoseconds() const { return {integer(0, kMaxQuantity)}; }
    /// The elements of an array, at most `most` of them.
    std::vector<JsonCursor> elements(std::size_t most = 1u << 20) const;

    /// Requires "format" and "version" of this object to be these.
    void requireFormat(std::string_view format, std::int64_t version) const;
    /// Records an error at this place, for rules that the reader itself checks.  It is bad input, even where the same
    /// mistake in a flag is bad usage.
    void fail(const MessageCode& code, std::vector<MessageArgument> arguments = {}) const;

    bool failed() const { return m_error->has_value(); }
    const Error& error() const { return **m_error; }
    const nlohmann::json& raw() const { return *m_value; }
    /// "file: stages[3].out_bytes"
    std::string where() const;

private:
    JsonCursor(const nlohmann::json* value, std::string path, std::shared_ptr<std::optional<Error>> error,
        std::shared_ptr<const std::string> file);

    const nlohmann::json* m_value;
    std::string m_path;
    std::shared_ptr<std::optional<Error>> m_error;
    std::shared_ptr<const std::string> m_file;
};

} // namespace remat
