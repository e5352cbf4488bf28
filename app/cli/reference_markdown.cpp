// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_reference.h"

namespace remat::cli {

namespace {

/// A cell of a Markdown table.
std::string cell(const std::string& text)
{
    std::string escaped;
    for (const char c : text) {
        if (c == '|')
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string nameOf(const OptionRow& option)
{
    std::string text;
    for (const std::string& flag : option.flags)
        text += (text.empty() ? "`" : ", `") + flag + (option.valueName.empty() ? "" : " " + option.valueName) + "`";
    return text.empty() ? "`" + option.valueName + "`" : text;
}

std::string optionTable(const std::vector<OptionRow>& options)
{
    std::string text = "| argument | meaning |\n|---|---|\n";
    for (const OptionRow& option : options)
        text += "| " + nameOf(option) + " | " + cell(option.description) + (option.isRequired ? " (required)" : "")
            + " |\n";
    return text;
}

} // namespace

std::string referenceMarkdown(const CommandReference& reference)
{
    std::string text = "<!-- SPDX-FileCopyrightText: 2026 The RematScope authors -->\n"
                       "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
                       "<!-- Written by \"remat reference --to markdown\"; change app/cli/arguments.cpp instead. -->\n"
                       "# remat: every verb and flag\n\n"
        + reference.description + ". [command-line.md](command-line.md) says what things mean.\n\n"
        + optionTable(reference.options) + "\n" + reference.footer + "\n";
    for (const VerbReference& verb : reference.verbs) {
        text += "\n## remat " + verb.name + "\n\n" + verb.description + ".\n\n" + optionTable(verb.options);
        if (!verb.footer.empty())
            text += "\n```\n" + verb.footer + "\n```\n";
    }
    return text;
}

} // namespace remat::cli
