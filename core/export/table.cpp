// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/table.h"

#include <algorithm>

namespace remat {

namespace {

std::string csvField(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string markdownField(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
        escaped += c == '|' ? std::string("\\|") : std::string(1, c == '\n' ? ' ' : c);
    return escaped;
}

/// Joins every row with a separator, each field passed through `field`.
template <class Field> std::string joinRow(const std::vector<std::string>& row, const char* separator, Field field)
{
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
        line += (i ? separator : "") + field(row[i]);
    return line;
}

/// Characters that a terminal shows: UTF-8 continuation bytes take no column.
std::size_t width(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

} // namespace

std::string toCsv(const Table& table)
{
    std::string text = joinRow(table.columns, ",", csvField) + "\n";
    for (const auto& row : table.rows)
        text += joinRow(row, ",", csvField) + "\n";
    return text;
}

std::string toMarkdown(const Table& table)
{
    std::string text = "| " + joinRow(table.columns, " | ", markdownField) + " |\n|";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += i == 0 ? " --- |" : " ---: |";
    text += "\n";
    for (const auto& row : table.rows)
        text += "| " + joinRow(row, " | ", markdownField) + " |\n";
    return text;
}

std::string toText(const Table& table)
{
    std::vector<std::size_t> widths;
    for (const auto& column : table.columns)
        widths.push_back(width(column));
    for (const auto& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));
    const auto line = [&](const std::vector<std::string>& row) {
        std::string text;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - width(row[i]), ' ');
            text += (i ? "  " : "") + (i == 0 ? row[i] + padding : padding + row[i]);
        }
        return text + "\n";
    };
    std::string text = line(table.columns);
    for (const auto& row : table.rows)
        text += line(row);
    return text;
}

} // namespace remat
