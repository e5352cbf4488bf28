// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace remat {

/// Where the text's first control character begins (U+0000 to U+001F, U+007F to U+009F, in UTF-8); npos without one.
std::size_t controlCharacterIn(std::string_view text);

/// The text with a space in place of each control character.
std::string plainText(std::string_view text);

/// The same for what a person reads in a terminal, where lines end and tabs align: files and other machines give texts
/// whose control sequences could rewrite what stands there, or worse.
std::string terminalText(std::string_view text);

} // namespace remat
