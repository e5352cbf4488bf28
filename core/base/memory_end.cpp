// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_end.h"

#include <cstdlib>
#include <exception>
#include <new>
#include <unistd.h>
#include <utility>

#include "core/base/message.h"

namespace remat {

namespace {

struct Prepared {
    std::string output;
    std::string words = "out of memory\n"; // short enough to need none
};

Prepared& prepared()
{
    static Prepared state;
    return state;
}

bool isMemoryEnd(const std::exception_ptr& thrown)
{
    try {
        if (thrown)
            std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        return true;
    } catch (...) {
        return false;
    }
    return false;
}

void write(int file, const std::string& text)
{
    if (::write(file, text.data(), text.size()) < 0) {
        // Nobody listens.
    }
}

[[noreturn]] void end()
{
    if (!isMemoryEnd(std::current_exception()))
        std::abort();
    write(STDOUT_FILENO, prepared().output);
    write(STDERR_FILENO, prepared().words);
    ::_exit(static_cast<int>(ExitCode::OutOfMemory));
}

} // namespace

void prepareForMemoryEnd()
{
    std::set_terminate(end);
}

void sayAtMemoryEnd(std::string output, std::string words)
{
    prepared() = {std::move(output), std::move(words)};
}

} // namespace remat
