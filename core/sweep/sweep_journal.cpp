// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/sweep_journal.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/base/json_text.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr std::string_view kJournalFormat = "remat-sweep-journal";
constexpr std::int64_t kJournalVersion = 1;

constexpr MessageCode kCannotWrite{"journal-cannot-be-written", REMAT_TR("The journal cannot be written: {0}."),
    REMAT_TR("What it holds is safe: make room or choose another --out, and run the same command again.")};
constexpr MessageCode kInUse{"journal-in-use", REMAT_TR("Another sweep is writing this journal."),
    REMAT_TR("Wait for it, or choose another --out.")};
constexpr MessageCode kOfOther{"journal-of-other-sweep", REMAT_TR("The journal belongs to another sweep: {0} differs."),
    REMAT_TR("Delete it to begin anew, or choose another --out.")};

Error writeError(const std::string& path, int number)
{
    return {&kCannotWrite, path, {std::string(std::strerror(number))}};
}

std::string headerOf(const SweepIdentity& identity)
{
    // Put together by hand, so that the grid stays the text that it is.
    return "{\"format\":" + jsonText(json(kJournalFormat)) + ",\"version\":" + std::to_string(kJournalVersion)
        + ",\"release\":" + jsonText(json(identity.release)) + ",\"inputs\":" + jsonText(json(identity.inputs))
        + ",\"grid\":" + identity.grid + "}";
}

Result<void> checkHeader(std::string_view line, const std::string& path, const SweepIdentity& identity)
{
    const Result<json> document = parseJson(line, path);
    if (!document)
        return document.error();
    const JsonCursor root(*document, path);
    root.requireFormat(kJournalFormat, kJournalVersion);
    const std::string release = root["release"].string(), inputs = root["inputs"].string();
    const std::string grid = jsonText(root["grid"].raw());
    if (root.failed())
        return root.error();
    const char* different = grid != identity.grid ? "\"grid\""
        : inputs != identity.inputs               ? "\"inputs\""
        : release != identity.release             ? "\"release\""
                                                  : nullptr;
    return different ? Result<void>(Error{&kOfOther, path, {std::string(different)}}) : Result<void>();
}

/// Puts a line's study among the rows; false where the line is none of a journal.
bool takeLine(std::string_view line, const SweepIdentity& identity, SweepRows& rows)
{
    const Result<json> document = parseJson(line, "");
    if (!document)
        return false;
    const JsonCursor root(*document, "");
    const std::int64_t study = root["study"].integer(0, identity.studies - 1);
    const std::vector<JsonCursor> list = root["rows"].elements();
    if (root.failed() || static_cast<std::int64_t>(list.size()) != identity.pointsOfStudy)
        return false;
    for (const JsonCursor& row : list)
        if (!row.raw().is_object())
            return false;
    rows[static_cast<std::size_t>(study)] = jsonText(root["rows"].raw());
    return true;
}

/// What is whole in a journal's text.
struct Whole {
    SweepRows rows;
    std::size_t size = 0; ///< of the lines that count; 0: not even the header
};

Result<Whole> wholeOf(std::string_view text, const std::string& path, const SweepIdentity& identity)
{
    Whole whole{SweepRows(static_cast<std::size_t>(identity.studies)), 0};
    while (whole.size < text.size()) {
        const std::size_t end = text.find('\n', whole.size);
        if (end == std::string_view::npos)
            break;
        const std::string_view line = text.substr(whole.size, end - whole.size);
        if (whole.size == 0) {
            if (auto mine = checkHeader(line, path, identity); !mine)
                return mine.error();
        } else if (!takeLine(line, identity, whole.rows)) {
            break;
        }
        whole.size = end + 1;
    }
    return whole;
}

} // namespace

Result<SweepJournal> SweepJournal::open(const std::string& path, const SweepIdentity& identity)
{
    SweepJournal journal;
    journal.m_path = path;
    journal.m_file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (journal.m_file < 0)
        return writeError(path, errno);
    if (::flock(journal.m_file, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? Error{&kInUse, path, {}} : writeError(path, errno);
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    Result<Whole> whole = wholeOf(*text, path, identity);
    if (!whole)
        return whole.error();
    // What is no beginning of ours is somebody's file, and stays.
    if (whole->size == 0 && !(headerOf(identity) + "\n").starts_with(*text))
        return Error{&kOfOther, path, {std::string("\"format\"")}};
    journal.m_rows = std::move(whole->rows);
    journal.m_size = static_cast<std::int64_t>(whole->size);
    journal.m_cutOff = static_cast<std::int64_t>(text->size() - whole->size);
    if (::ftruncate(journal.m_file, journal.m_size) != 0)
        return writeError(path, errno);
    if (journal.m_size == 0)
        if (auto begun = journal.write(headerOf(identity)); !begun)
            return begun.error();
    return journal;
}

SweepJournal::SweepJournal(SweepJournal&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_file(std::exchange(other.m_file, -1)),
      m_size(other.m_size),
      m_cutOff(other.m_cutOff),
      m_rows(std::move(other.m_rows))
{ }

SweepJournal::~SweepJournal()
{
    if (m_file >= 0)
        ::close(m_file);
}

Result<void> SweepJournal::write(const std::string& line)
{
    const std::string text = line + "\n";
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = ::write(m_file, text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            const int problem = count < 0 ? errno : ENOSPC;
            // Half a line would be cut off by the next open(); without it the file is whole for every reader.
            if (::ftruncate(m_file, m_size) != 0)
                return writeError(m_path, errno);
            return writeError(m_path, problem);
        }
        done += static_cast<std::size_t>(count);
    }
    m_size += static_cast<std::int64_t>(text.size());
    return {};
}

Result<void> SweepJournal::append(std::int64_t study, std::string rows)
{
    if (auto written = write("{\"study\":" + std::to_string(study) + ",\"rows\":" + rows + "}"); !written)
        return written.error();
    m_rows[static_cast<std::size_t>(study)] = std::move(rows);
    return {};
}

Result<void> SweepJournal::sync()
{
    return ::fdatasync(m_file) == 0 ? Result<void>() : writeError(m_path, errno);
}

Result<SweepRows> readSweepJournal(const std::string& path, const SweepIdentity& identity)
{
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    Result<Whole> whole = wholeOf(*text, path, identity);
    return whole ? Result<SweepRows>(std::move(whole->rows)) : whole.error();
}

} // namespace remat
