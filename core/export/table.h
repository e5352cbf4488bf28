// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace remat {

/// A table as text: what the command line prints, and what CSV and Markdown exports hold.
struct Table {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

/// RFC 4180: fields with a comma, a quote or a line break are quoted.  A leading =, +, - or @ of a text field is kept:
/// the files are for scripts too.
std::string toCsv(const Table& table);
/// A GitHub-flavoured Markdown table; pipes inside fields are escaped.
std::string toMarkdown(const Table& table);
/// Columns padded with spaces for a terminal: the first column left, the others right aligned.
std::string toText(const Table& table);

} // namespace remat
