// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/last_words.h"

#include <array>
#include <csignal>
#include <unistd.h>

namespace remat::cli {

namespace {

constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};

/// What a handler may read: it can call next to nothing.
std::string& words()
{
    static std::string text;
    return text;
}

extern "C" void sayAndEnd(int signal)
{
    const std::string& text = words();
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) {
        // Nobody listens.
    }
    // SA_RESETHAND has put back what the signal does by itself.
    ::raise(signal);
}

} // namespace

LastWords::LastWords(const std::string& text)
{
    words() = text;
    struct sigaction action { };
    action.sa_handler = sayAndEnd;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    for (const int signal : kSignals) {
        struct sigaction before { };
        // Under nohup, say, a signal stays ignored.
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
            ::sigaction(signal, &action, nullptr);
    }
}

LastWords::~LastWords()
{
    for (const int signal : kSignals) {
        struct sigaction now { };
        if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == sayAndEnd)
            std::signal(signal, SIG_DFL);
    }
}

} // namespace remat::cli
