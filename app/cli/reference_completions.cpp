// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Completion scripts for three shells.  Each is plain data and a few lines of shell; none starts remat.
#include "app/cli/command_reference.h"

namespace remat::cli {

namespace {

constexpr const char* kHeader = "# SPDX-FileCopyrightText: 2026 The RematScope authors\n"
                                "# SPDX-License-Identifier: Apache-2.0\n"
                                "# Written by \"remat reference\": do not edit.\n";

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string flagsOf(const std::vector<OptionRow>& options)
{
    std::string text;
    for (const OptionRow& option : options)
        for (const std::string& flag : option.flags)
            text += (text.empty() ? "" : " ") + flag;
    return text;
}

/// The text between single quotes of bash and zsh.
std::string quoted(const std::string& text)
{
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// Where zsh splits a specification: at colons and brackets.
std::string zshText(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        if (c == ':' || c == '[' || c == ']')
            result += '\\';
        result += c;
    }
    return result;
}

} // namespace

std::string referenceBash(const CommandReference& reference)
{
    std::string verbs, cases;
    for (const VerbReference& verb : reference.verbs) {
        verbs += (verbs.empty() ? "" : " ") + verb.name;
        cases += "        " + verb.name + ")\n            flags=" + quoted(flagsOf(verb.options))
            + "\n            case $previous in\n";
        bool hasFile = false;
        for (const OptionRow& option : verb.options) {
            if (option.flags.empty()) {
                hasFile = true;
                continue;
            }
            if (option.valueName.empty())
                continue;
            std::string pattern;
            for (const std::string& flag : option.flags)
                pattern += (pattern.empty() ? "" : "|") + flag;
            const std::string words = joined(valueChoices(option));
            cases += "                " + pattern + ") "
                + (takesFile(option) ? "files=yes flags=" : "flags=" + quoted(words)) + " ;;\n";
        }
        cases += hasFile ? "                *) files=yes ;;\n" : "";
        cases += "            esac\n            ;;\n";
    }
    return kHeader
        + std::string(
            "_remat() {\n    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n")
        + "    local flags= files=\n    COMPREPLY=()\n    if ((COMP_CWORD == 1)); then\n        flags="
        + quoted(verbs + " " + flagsOf(reference.options)) + "\n    else\n        case ${COMP_WORDS[1]} in\n" + cases
        + "        esac\n    fi\n    mapfile -t COMPREPLY < <(compgen -W \"$flags\" -- \"$current\")\n"
          "    if [[ -n $files && $current != -* ]]; then\n"
          "        local name\n        while IFS= read -r name; do COMPREPLY+=(\"$name\"); done < <(compgen -f -- "
          "\"$current\")\n"
          "        compopt -o filenames\n    fi\n}\ncomplete -F _remat remat\n";
}

std::string referenceZsh(const CommandReference& reference)
{
    std::string verbs, cases;
    for (const VerbReference& verb : reference.verbs) {
        verbs += "        " + quoted(zshText(verb.name) + ":" + zshText(verb.description)) + "\n";
        cases += "        (" + verb.name + ")\n            _arguments -s";
        for (const OptionRow& option : verb.options) {
            const std::string words = joined(valueChoices(option));
            const std::string action = takesFile(option) ? "_files" : words.empty() ? " " : "(" + words + ")";
            const std::string value = option.valueName.empty() ? "" : ":" + zshText(option.valueName) + ":" + action;
            const std::string repeats = option.flags.size() == 1 && option.flags.front() == "--pin" ? "*" : "";
            for (const std::string& flag : option.flags)
                cases += " \\\n                "
                    + quoted(repeats + flag + "[" + zshText(option.description) + "]" + value);
            if (option.flags.empty())
                cases += " \\\n                " + quoted(":" + zshText(option.description) + ":_files");
        }
        cases += "\n            ;;\n";
    }
    return "#compdef remat\n" + std::string(kHeader) + "_remat() {\n    local -a verbs=(\n" + verbs
        + "    )\n    if ((CURRENT == 2)); then\n        _describe verb verbs\n        _values flag "
        + flagsOf(reference.options)
        + "\n        return\n    fi\n    local verb=${words[2]}\n    shift words\n    ((CURRENT--))\n    case $verb "
          "in\n"
        + cases + "    esac\n}\n_remat \"$@\"\n";
}

std::string referenceFish(const CommandReference& reference)
{
    const auto fishQuoted = [](const std::string& text) {
        std::string result = "'";
        for (const char c : text)
            result += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        return result + "'";
    };
    std::string text = kHeader + std::string("complete -c remat -f\n");
    for (const OptionRow& option : reference.options)
        for (const std::string& flag : option.flags)
            text += "complete -c remat -n __fish_use_subcommand -l " + flag.substr(2) + " -d "
                + fishQuoted(option.description) + "\n";
    for (const VerbReference& verb : reference.verbs) {
        text += "complete -c remat -n __fish_use_subcommand -a " + verb.name + " -d " + fishQuoted(verb.description)
            + "\n";
        const std::string condition = "complete -c remat -n '__fish_seen_subcommand_from " + verb.name + "' ";
        for (const OptionRow& option : verb.options) {
            if (option.flags.empty()) {
                text += condition + "-F\n";
                continue;
            }
            const std::string words = joined(valueChoices(option));
            const std::string value = option.valueName.empty() ? ""
                : takesFile(option)                            ? " -r -F"
                : words.empty()                                ? " -x"
                                                               : " -x -a " + fishQuoted(words);
            for (const std::string& flag : option.flags)
                text += condition + "-l " + flag.substr(2) + value + " -d " + fishQuoted(option.description) + "\n";
        }
    }
    return text;
}

} // namespace remat::cli
