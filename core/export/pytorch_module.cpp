// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/pytorch_module.h"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include "resources/embedded_files.h"

namespace remat {

namespace {

/// A file of resources/export without its licence lines, which the module's own head has.
std::string_view runtimeText(std::string_view name)
{
    const auto files = embeddedFiles();
    const auto file = std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& f) { return f.path == name; });
    std::string_view text = file == files.end() ? std::string_view() : file->text;
    while (text.substr(0, 8) == "# SPDX-F" || text.substr(0, 8) == "# SPDX-L")
        text.remove_prefix(text.find('\n') + 1);
    return text;
}

/// Text inside a docstring: no quote or backslash ends it, and what is not ASCII or a sign is left out.
std::string docstringText(std::string_view text)
{
    std::string result;
    for (const char c : text)
        if (c == '\\' || c == '"')
            result += '\'';
        else
            result += c >= ' ' && c < '\x7f' ? c : '?';
    return result;
}

/// Cut into lines of at most 116 signs.
std::string wrapped(const std::string& text)
{
    constexpr std::size_t kWidth = 116;
    std::string result, line;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
            result += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        at = end + 1;
    }
    return result + line + "\n";
}

} // namespace

std::string pythonExpression(const nlohmann::json& value)
{
    // One layer a line: JSON's own indentation would give every path a line of its own.
    std::string text;
    for (const char c : value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace))
        text += c == '\'' ? std::string("\\u0027") : std::string(1, c);
    for (std::size_t at = text.find("{\"layer\":"); at != std::string::npos; at = text.find("{\"layer\":", at + 2))
        text.insert(at, "\n");
    return "json.loads(r'''" + text + "''')";
}

std::string pytorchModule(const TorchRealization& realization, const std::vector<std::string>& heading)
{
    const bool isExact = realization.kind == TorchRealization::Kind::Exact;
    std::string text = "# SPDX-"
                       "FileCopyrightText: 2026 The RematScope authors\n# SPDX-"
                       "License-Identifier: 0BSD\n\"\"\"";
    for (const std::string& paragraph : heading)
        text += (paragraph == heading.front() ? "" : "\n") + wrapped(docstringText(paragraph));
    text += "\"\"\"\nimport json\n\n";
    text += runtimeText("export/pytorch_plan.py");
    text += "\n\n";
    text += runtimeText(isExact ? "export/pytorch_exact.py" : "export/pytorch_regions.py");
    text
        += "\n\n# ---- the plan "
           "---------------------------------------------------------------------------------------------------------\n"
           "PLAN = "
        + pythonExpression(toJson(realization)) + "\n";
    return text;
}

} // namespace remat
