// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// What a fuzzer calls with any bytes (libFuzzer's own name), and the replay of the corpus with each of its files.
/// A defect is a crash, a sanitizer's report, more than ten seconds, or a broken promise of a reader below.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace remat::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process as a crash does, so that the fuzzer keeps the input.
[[noreturn]] inline void broken(const char* promise, const std::string& detail)
{
    std::fprintf(stderr, "broken promise: %s\n%s\n", promise, detail.c_str());
    std::abort();
}

/// The promise of a reader with a writer: what is read and written again is read as the same.
/// `read` takes a text and gives a Result; `write` takes what it holds.
template <class Read, class Write> void roundTrip(std::string_view text, const Read& read, const Write& write)
{
    const auto first = read(text);
    if (!first)
        return;
    const std::string written = write(*first);
    const auto second = read(std::string_view(written));
    if (!second)
        broken("what was written can be read", written);
    if (write(*second) != written)
        broken("what was read and written again is the same", written + "\n----\n" + write(*second));
}

} // namespace remat::fuzz
