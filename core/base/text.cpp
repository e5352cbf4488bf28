// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <algorithm>

namespace remat {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD
constexpr std::string_view kDots = "...";

/// Bytes of the UTF-8 character that the text begins with, 0 where it begins with none (RFC 3629, section 4).
std::size_t characterLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xC2 && first < 0xE0 ? 2
        : first >= 0xE0 && first < 0xF0                      ? 3
        : first >= 0xF0 && first < 0xF5                      ? 4
                                                             : 0;
    for (std::size_t i = 1; i < length; ++i)
        if (byte(i) < 0x80 || byte(i) > 0xBF)
            return 0;
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
    const bool isForbidden = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F)
        || (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F);
    return isForbidden ? 0 : length;
}

} // namespace

std::string validUtf8(std::string_view text, std::size_t most)
{
    std::string result;
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        const std::string_view next = length > 0 ? text.substr(0, length) : kReplacement;
        if (next.size() > most - result.size())
            break;
        result += next;
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

std::string shortened(std::string_view text, std::size_t most)
{
    std::string whole = validUtf8(text.substr(0, most + 1));
    if (text.size() <= most && whole.size() <= most)
        return whole;
    return validUtf8(whole, most - kDots.size()).append(kDots);
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator)
{
    std::string result;
    for (const std::string& part : parts)
        result.append(result.empty() ? "" : separator).append(part);
    return result;
}

} // namespace remat
