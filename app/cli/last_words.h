// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace remat::cli {

/// While it lives, Ctrl+C, SIGTERM and SIGHUP end the program as ever, at once, but not before it has said these words.
/// For work that is safe at any moment and whose pieces may take long.  One at a time.
class LastWords {
public:
    explicit LastWords(const std::string& words);
    ~LastWords();
    LastWords(const LastWords&) = delete;
    LastWords& operator=(const LastWords&) = delete;
};

} // namespace remat::cli
