// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace remat::cli {

/// One flag or file of a verb, as the parser knows it.
struct OptionRow {
    std::vector<std::string> flags; ///< "--vocab", "--vocabulary"; empty for a file without a flag
    std::string valueName;          ///< "N", "TEXT", "PLAN"; empty for a flag without a value
    std::string description;
    bool isRequired = false;
};

struct VerbReference {
    std::string name, description;
    std::vector<OptionRow> options; ///< files first, in their order
    std::string footer;             ///< more text, as the help shows it
};

/// Everything that the command line takes, walked from the parser's own tree: what the parser does not take cannot
/// stand in a manual, and what it takes cannot be missing.
struct CommandReference {
    std::string description, footer;
    std::vector<OptionRow> options; ///< before any verb
    std::vector<VerbReference> verbs;
};

CommandReference commandReference();

/// docs/cli.md.
std::string referenceMarkdown(const CommandReference& reference);
/// remat.1 for man(1), in roff.
std::string referenceManual(const CommandReference& reference, const std::string& release);
/// Completion scripts; what a flag may take is completed, too: presets, devices, strategies, choices, file names.
std::string referenceBash(const CommandReference& reference);
std::string referenceZsh(const CommandReference& reference);
std::string referenceFish(const CommandReference& reference);

/// The words that the value of a flag may be, where there is a list of them; empty where it is a number, a file or
/// free.
std::vector<std::string> valueChoices(const OptionRow& option);
/// True where the value names a file.
bool takesFile(const OptionRow& option);

} // namespace remat::cli
