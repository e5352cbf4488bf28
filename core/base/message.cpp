// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/message.h"

#include <cstdio>

#include "core/base/format_units.h"

namespace remat {

namespace {

std::string argumentText(const MessageArgument& argument)
{
    struct Printer {
        std::string operator()(const std::string& s) const { return s; }
        std::string operator()(std::int64_t n) const { return std::to_string(n); }
        std::string operator()(double d) const
        {
            char buffer[32];
            std::snprintf(buffer, sizeof buffer, "%.4g", d);
            return buffer;
        }
        std::string operator()(Bytes b) const { return formatBytes(b); }
        std::string operator()(Nanoseconds t) const { return formatDuration(t); }
        std::string operator()(Flops f) const { return formatFlops(f); }
    };
    return std::visit(Printer{}, argument);
}

} // namespace

std::string formatMessage(const char* text, const std::vector<MessageArgument>& arguments)
{
    std::string result;
    for (const char* p = text; *p; ++p) {
        const bool isPlace = p[0] == '{' && p[1] >= '0' && p[1] <= '9' && p[2] == '}';
        const auto index = isPlace ? static_cast<std::size_t>(p[1] - '0') : arguments.size();
        if (index < arguments.size()) {
            result += argumentText(arguments[index]);
            p += 2;
        } else {
            result += *p;
        }
    }
    return result;
}

std::string englishSentence(const Error& e)
{
    std::string result = e.where.empty() ? "" : e.where + ": ";
    result += englishText(e);
    const std::string remedy = englishRemedy(e);
    return remedy.empty() ? result : result + " " + remedy;
}

} // namespace remat
