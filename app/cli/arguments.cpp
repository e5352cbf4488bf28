// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include <algorithm>
#include <string_view>

#include "app/cli/option_tree.h"
#include "core/base/format_units.h"
#include "core/base/text.h"
#include "core/model/nearest_names.h"

namespace remat::cli {

namespace {

constexpr const char* kSeeHelp = REMAT_TR("\"remat {0} --help\" lists what it takes.");
constexpr MessageCode kNoVerb{"no-verb", REMAT_TR("The command line names no verb."),
    REMAT_TR("Write \"remat VERB\"; \"remat --help\" lists the verbs."), ExitCode::Usage};
constexpr MessageCode kUnknownVerb{"unknown-verb", REMAT_TR("There is no verb \"{0}\"."),
    REMAT_TR("Did you mean {1}? \"remat --help\" lists the verbs."), ExitCode::Usage};
constexpr MessageCode kUnexpected{
    "unexpected-argument", REMAT_TR("The argument \"{1}\" is not expected here."), kSeeHelp, ExitCode::Usage};
constexpr MessageCode kUnknownFlag{"unknown-flag", REMAT_TR("There is no flag \"{1}\" here."),
    REMAT_TR("Did you mean {2}? \"remat {0} --help\" lists the flags."), ExitCode::Usage};
constexpr MessageCode kNoValue{"missing-value", REMAT_TR("The value is missing."), kSeeHelp, ExitCode::Usage};
constexpr MessageCode kRepeated{
    "repeated-flag", REMAT_TR("The flag is given more than once."), REMAT_TR("Keep one of them."), ExitCode::Usage};
constexpr MessageCode kBadUsage{"bad-usage", REMAT_TR("{1}."), kSeeHelp, ExitCode::Usage};

/// The words of the command line, with a size that the shell cut in two ("--budget 6 GiB") in one piece again.
std::vector<std::string> wordsOf(int count, const char* const* values)
{
    std::vector<std::string> words;
    for (int i = 1; i < count; ++i) {
        const bool isUnit = words.size() > 1 && words[words.size() - 2] == "--budget" && isByteUnit(values[i]);
        if (isUnit && words.back().find_first_not_of("0123456789.") == std::string::npos)
            words.back().append(" ").append(values[i]);
        else
            words.emplace_back(values[i]);
    }
    return words;
}

/// The first word that is no flag: what the command line means as its verb.
std::string firstWord(int count, const char* const* values)
{
    for (int i = 1; i < count; ++i)
        if (values[i][0] != '-')
            return values[i];
    return {};
}

std::optional<Error> unknownVerb(const std::string& word)
{
    std::vector<std::string> names;
    for (const VerbRow& row : kVerbs) {
        if (word == row.name)
            return std::nullopt;
        names.emplace_back(row.name);
    }
    return Error{&kUnknownVerb, "", {shortened(word), nearestNames(word, names)}};
}

std::string withoutStop(std::string text)
{
    while (!text.empty() && (text.back() == '.' || text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

/// The parser's complaint as ours.
Error usageError(const CLI::ParseError& error, const CLI::App& app, const CLI::App& verb, const std::string& verbName)
{
    const std::vector<std::string> extras = app.remaining(true);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) && !extras.empty()) {
        const std::string& extra = extras.front();
        if (extra.size() < 2 || extra[0] != '-')
            return {&kUnexpected, verbName, {verbName, shortened(extra)}};
        std::vector<std::string> names;
        for (const CLI::Option* option : verb.get_options())
            for (const std::string& name : option->get_lnames())
                if (!option->get_group().empty())
                    names.push_back("--" + name);
        const std::string flag = extra.substr(0, extra.find('='));
        return {&kUnknownFlag, verbName, {verbName, shortened(flag), nearestNames(flag, names)}};
    }
    const std::string text = withoutStop(error.what());
    const std::string flag = text.substr(0, text.find(':'));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
        return {text.find("received") == std::string::npos ? &kNoValue : &kRepeated, flag, {verbName}};
    return {&kBadUsage, verbName, {verbName, text}};
}

} // namespace

bool wantsJson(int count, const char* const* values)
{
    return std::any_of(
        values + std::min(count, 1), values + count, [](const char* v) { return std::string_view(v) == "--json"; });
}

Result<Arguments> parseArguments(int count, const char* const* values)
{
    const std::string word = firstWord(count, values);
    if (!word.empty())
        if (std::optional<Error> problem = unknownVerb(word))
            return *problem;

    OptionTree tree(word);
    const CLI::App& app = tree.app;
    const CLI::App* verb = word.empty() ? &app : app.get_subcommand(word);
    try {
        std::vector<std::string> words = wordsOf(count, values);
        std::reverse(words.begin(), words.end()); // the order in which the parser takes them
        tree.app.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
        Arguments& arguments = tree.arguments;
        arguments.verb = Verb::Help;
        arguments.helpText = word.empty() ? app.help() : verb->help("remat");
        return arguments;
    } catch (const CLI::ParseError& error) {
        // What a flag of ours found wrong says more than what the parser stumbles over afterwards.
        return tree.problem ? *tree.problem : usageError(error, app, *verb, word);
    }
    if (tree.problem)
        return *tree.problem;
    Arguments& arguments = tree.arguments;
    if (tree.showsVersion) {
        arguments.verb = Verb::Version;
        return arguments;
    }
    for (const VerbRow& row : kVerbs)
        if (word == row.name) {
            arguments.verb = row.verb;
            return arguments;
        }
    return Error{&kNoVerb, "", {}};
}

} // namespace remat::cli
