// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_cursor.h"

#include <cmath>
#include <memory>
#include <set>

#include "core/base/file_kinds.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

namespace remat {

namespace {

constexpr MessageCode kNotJson{"not-json", REMAT_TR("This is not JSON: {0}."),
    REMAT_TR("Open the file in an editor at that place, or export it again.")};
constexpr MessageCode kTooDeep{"json-too-deep", REMAT_TR("The JSON is nested deeper than {0} levels."),
    REMAT_TR("Files of this program need fewer than ten.")};
constexpr MessageCode kDoubleKey{
    "json-double-key", REMAT_TR("The key \"{0}\" stands twice in one object."), REMAT_TR("Keep one of them.")};
constexpr MessageCode kMissingKey{"json-missing-key", REMAT_TR("The key is missing."), REMAT_TR("Add it.")};
constexpr MessageCode kWrongType{
    "json-wrong-type", REMAT_TR("Expected {0}, found {1}."), REMAT_TR("Correct the value.")};
constexpr MessageCode kOutOfRange{
    "json-out-of-range", REMAT_TR("{0} is outside {1} to {2}."), REMAT_TR("Correct the value.")};
constexpr MessageCode kTooMany{
    "json-too-many", REMAT_TR("The list has {0} entries; at most {1} are read."), REMAT_TR("Shorten the list.")};
constexpr MessageCode kWrongFormat{"wrong-format", REMAT_TR("Expected format \"{0}\" version {1}, found {2}."),
    REMAT_TR("Open a file of that kind; it comes from: {3}.")};

constexpr int kMaxDepth = 64;

const nlohmann::json& nothing()
{
    static const nlohmann::json kNull;
    return kNull;
}

/// Walks a document without building it and stops at the first object that repeats a key or nests too deep.
///
/// A pass of its own, because the library's filtering parser looks at a whole list again after each of its objects.
class StructureCheck : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit StructureCheck(const std::string& where) : m_where(where) { }

    const std::optional<Error>& problem() const { return m_problem; }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_array(std::size_t) override { return open(); }
    bool end_array() override { return close(); }
    bool start_object(std::size_t) override { return open(); }
    bool end_object() override { return close(); }
    bool key(string_t& name) override
    {
        if (m_keys.back().insert(name).second)
            return true;
        m_problem = Error{&kDoubleKey, m_where, {name}};
        return false;
    }
    /// Not ours to report: the parser that builds the document finds the same mistake again.
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

private:
    bool open()
    {
        m_keys.emplace_back();
        if (m_keys.size() <= static_cast<std::size_t>(kMaxDepth))
            return true;
        m_problem = Error{&kTooDeep, m_where, {std::int64_t{kMaxDepth}}};
        return false;
    }
    bool close()
    {
        m_keys.pop_back();
        return true;
    }

    const std::string& m_where;
    std::vector<std::set<std::string>> m_keys; ///< of every open list or object
    std::optional<Error> m_problem;
};

} // namespace

Result<nlohmann::json> parseJson(std::string_view text, const std::string& where)
{
    StructureCheck check(where);
    nlohmann::json::sax_parse(text, &check);
    if (check.problem())
        return *check.problem();
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& e) {
        // "[json.exception.parse_error.101] parse error at line 1, column 5: ..." without the bracketed prefix.
        std::string detail = e.what();
        if (const auto bracket = detail.find("] "); bracket != std::string::npos)
            detail.erase(0, bracket + 2);
        return Error{&kNotJson, where, {shortened(detail, 200)}};
    }
}

JsonCursor::JsonCursor(const nlohmann::json& root, std::string file)
    : JsonCursor(
        &root, "", std::make_shared<std::optional<Error>>(), std::make_shared<const std::string>(std::move(file)))
{ }

JsonCursor::JsonCursor(const nlohmann::json* value, std::string path, std::shared_ptr<std::optional<Error>> error,
    std::shared_ptr<const std::string> file)
    : m_value(value),
      m_path(std::move(path)),
      m_error(std::move(error)),
      m_file(std::move(file))
{ }

JsonCursor JsonCursor::operator[](const std::string& key) const
{
    const JsonCursor absent(&nothing(), m_path.empty() ? key : m_path + "." + key, m_error, m_file);
    if (!m_value->is_object()) {
        fail(kWrongType, {std::string("an object"), shownJson(*m_value)});
        return absent;
    }
    const auto found = m_value->find(key);
    if (found == m_value->end()) {
        absent.fail(kMissingKey);
        return absent;
    }
    return {&*found, absent.m_path, m_error, m_file};
}

bool JsonCursor::has(const std::string& key) const
{
    return m_value->is_object() && m_value->contains(key);
}

bool JsonCursor::isNull() const
{
    return m_value->is_null();
}

std::string JsonCursor::string() const
{
    if (!m_value->is_string()) {
        fail(kWrongType, {std::string("a text"), shownJson(*m_value)});
        return {};
    }
    return m_value->get<std::string>();
}

bool JsonCursor::boolean() const
{
    if (!m_value->is_boolean()) {
        fail(kWrongType, {std::string("true or false"), shownJson(*m_value)});
        return false;
    }
    return m_value->get<bool>();
}

double JsonCursor::number() const
{
    if (!m_value->is_number() || !std::isfinite(m_value->get<double>())) {
        fail(kWrongType, {std::string("a number"), shownJson(*m_value)});
        return 0;
    }
    return m_value->get<double>();
}

std::int64_t JsonCursor::integer(std::int64_t least, std::int64_t most) const
{
    const bool isWholeFloat = m_value->is_number_float() && std::abs(m_value->get<double>()) < 9e15
        && m_value->get<double>() == std::floor(m_value->get<double>());
    if (!m_value->is_number_integer() && !isWholeFloat) {
        fail(kWrongType, {std::string("a whole number"), shownJson(*m_value)});
        return least;
    }
    const bool isHuge
        = m_value->is_number_unsigned() && m_value->get<std::uint64_t>() > static_cast<std::uint64_t>(kMaxQuantity);
    const std::int64_t value = isHuge ? kMaxQuantity
        : isWholeFloat                ? static_cast<std::int64_t>(m_value->get<double>())
                                      : m_value->get<std::int64_t>();
    if (isHuge || value < least || value > most) {
        fail(kOutOfRange, {shownJson(*m_value), least, most});
        return least;
    }
    return value;
}

std::vector<JsonCursor> JsonCursor::elements(std::size_t most) const
{
    std::vector<JsonCursor> result;
    if (!m_value->is_array()) {
        fail(kWrongType, {std::string("a list"), shownJson(*m_value)});
        return result;
    }
    if (m_value->size() > most) {
        fail(kTooMany, {static_cast<std::int64_t>(m_value->size()), static_cast<std::int64_t>(most)});
        return result;
    }
    result.reserve(m_value->size());
    for (std::size_t i = 0; i < m_value->size(); ++i)
        result.push_back({&(*m_value)[i], m_path + "[" + std::to_string(i) + "]", m_error, m_file});
    return result;
}

void JsonCursor::requireFormat(std::string_view format, std::int64_t version) const
{
    if (failed())
        return;
    const bool matches = m_value->is_object() && m_value->contains("format") && (*m_value)["format"] == format
        && m_value->contains("version") && (*m_value)["version"] == version;
    if (!matches) {
        const std::string found = !m_value->is_object() || !m_value->contains("format")
            ? "no format key"
            : shownJson((*m_value)["format"]) + " version "
                + (m_value->contains("version") ? shownJson((*m_value)["version"]) : "?");
        const FileKind* expected = fileKindOf(format);
        fail(kWrongFormat,
            {std::string(format), version, found, std::string(expected ? expected->source : "RematScope")});
    }
}

void JsonCursor::fail(const MessageCode& code, std::vector<MessageArgument> arguments) const
{
    if (!failed())
        *m_error = Error{&code, where(), std::move(arguments), ExitCode::BadInput};
}

std::string JsonCursor::where() const
{
    return m_path.empty() ? *m_file : *m_file + ": " + m_path;
}

} // namespace remat
