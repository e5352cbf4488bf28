// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace remat {

/// The text as UTF-8 of at most `most` bytes: whatever is no UTF-8 becomes U+FFFD, and no character is cut in two.
///
/// File names, command lines and /proc are bytes; JSON files and messages are text.
std::string validUtf8(std::string_view text, std::size_t most = std::string_view::npos);

/// What a message quotes of a text that may be long: at most `most` bytes, with "..." for what is left out.
std::string shortened(std::string_view text, std::size_t most = 80);

/// "a, b, c".
std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ");

} // namespace remat
