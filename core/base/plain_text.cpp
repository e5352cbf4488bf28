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

std::string plainText(std::string text)
{
    for (std::size_t i = controlCharacterIn(text); i != std::string::npos; i = controlCharacterIn(text))
        text.replace(i, text[i] == '\xC2' ? 2 : 1, " ");
    return text;
}

} // namespace remat
