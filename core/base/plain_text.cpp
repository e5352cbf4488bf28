// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plain_text.h"

namespace remat {

std::size_t controlCharacterIn(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0xFFu; };
    for (std::size_t i = 0; i < text.size(); ++i)
        if (byte(i) < 0x20 || byte(i) == 0x7F || (byte(i) == 0xC2 && byte(i + 1) < 0xA0))
            return i;
    return std::string_view::npos;
}

std::string plainText(std::string_view text)
{
    std::string result;
    for (;;) {
        const std::size_t end = controlCharacterIn(text);
        result += text.substr(0, end);
        if (end == std::string_view::npos)
            return result;
        result += ' ';
        text.remove_prefix(end + (text[end] == '\xC2' ? 2 : 1));
    }
}

std::string terminalText(std::string_view text)
{
    std::string result;
    for (;;) {
        const std::size_t end = text.find_first_of("\n\t");
        result += plainText(text.substr(0, end));
        if (end == std::string_view::npos)
            return result;
        result += text[end];
        text.remove_prefix(end + 1);
    }
}

} // namespace remat
