// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/units.h"

namespace remat {

/// Process exit codes of every program (docs/command-line.md).
enum class ExitCode { Ok = 0, Usage = 2, BadInput = 3, DoesNotFit = 4, OutOfMemory = 10, DeviceError = 11 };

/// One kind of sentence that core can say: an error or an explanation.
///
/// `text` and `remedy` are English with {0}, {1}, ... for the arguments.  Each room declares its codes as constants
/// next to the code that uses them and wraps the texts in REMAT_TR so that lupdate finds them; the window translates
/// them in the context "core".  `name` is stable, kebab-case, and what --json prints as error.code.
struct MessageCode {
    std::string_view name;
    const char* text;
    const char* remedy;
    ExitCode exitCode = ExitCode::BadInput;
};

/// Marks an English core text for translation; expands to the text itself.
#define REMAT_TR(text) text

/// A typed argument; quantities are formatted with their unit by whoever prints the message.
using MessageArgument = std::variant<std::string, std::int64_t, double, Bytes, Nanoseconds, Flops>;

/// A code with its arguments: what core returns instead of a finished sentence.
struct Message {
    const MessageCode* code = nullptr;
    std::vector<MessageArgument> arguments;
};

/// A message about something that failed; `where` names the file, the key path, the flag or the stage.
struct Error {
    const MessageCode* code = nullptr;
    std::string where;
    std::vector<MessageArgument> arguments;
    /// Set where the origin decides: a mistake in a file is bad input even if the same one in a flag is bad usage.
    std::optional<ExitCode> exit = {};

    ExitCode exitCode() const { return exit.value_or(code->exitCode); }
};

/// The English text of a code with its arguments put in.
std::string formatMessage(const char* text, const std::vector<MessageArgument>& arguments);
inline std::string englishText(const Message& m)
{
    return formatMessage(m.code->text, m.arguments);
}
inline std::string englishText(const Error& e)
{
    return formatMessage(e.code->text, e.arguments);
}
inline std::string englishRemedy(const Error& e)
{
    return formatMessage(e.code->remedy, e.arguments);
}
/// "where: text remedy", as the command line prints it.
std::string englishSentence(const Error& e);

} // namespace remat
