// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_reference.h"

namespace remat::cli {

namespace {

/// Text as roff prints it unchanged: backslashes and minus signs escaped, no line that begins with a control character.
std::string roff(const std::string& text)
{
    std::string escaped;
    bool atStart = true;
    for (const char c : text) {
        if (atStart && (c == '.' || c == '\''))
            escaped += "\\&";
        if (c == '\\')
            escaped += "\\e";
        else if (c == '-')
            escaped += "\\-";
        else
            escaped += c;
        atStart = c == '\n';
    }
    return escaped;
}

std::string optionList(const std::vector<OptionRow>& options)
{
    std::string text;
    for (const OptionRow& option : options) {
        text += ".TP\n";
        std::string names;
        for (const std::string& flag : option.flags)
            names += (names.empty() ? "\\fB" : ", \\fB") + roff(flag) + "\\fR";
        if (!option.valueName.empty())
            names += (names.empty() ? "\\fI" : " \\fI") + roff(option.valueName) + "\\fR";
        text += names + "\n" + roff(option.description) + (option.isRequired ? " (required)" : "") + "\n";
    }
    return text;
}

} // namespace

std::string referenceManual(const CommandReference& reference, const std::string& release)
{
    std::string text = ".\\\" SPDX-FileCopyrightText: 2026 The RematScope authors\n"
                       ".\\\" SPDX-License-Identifier: Apache-2.0\n"
                       ".TH REMAT 1 \"\" \"RematScope "
        + release + "\" \"User Commands\"\n.SH NAME\nremat \\- " + roff(reference.description)
        + "\n.SH SYNOPSIS\n.B remat\n\\fIVERB\\fR [\\fIARGUMENT\\fR...]\n.SH OPTIONS\n" + optionList(reference.options)
        + ".SH VERBS\n";
    for (const VerbReference& verb : reference.verbs) {
        text += ".SS remat " + roff(verb.name) + "\n" + roff(verb.description) + ".\n" + optionList(verb.options);
        if (!verb.footer.empty())
            text += ".PP\n.nf\n" + roff(verb.footer) + "\n.fi\n";
    }
    return text + ".SH EXIT STATUS\n" + roff(reference.footer)
        + "\n.SH SEE ALSO\n\\fBremat\\-worker\\fR(1), \\fBrematscope\\fR(1)\n";
}

} // namespace remat::cli
