// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <iterator>
#include <span>
#include <string_view>

namespace remat {

/// A resource (JSON, or the Python of exports) compiled into the program; `path` is relative to resources/, for example
/// "presets/gpt2.json".
struct EmbeddedFile {
    std::string_view path;
    std::string_view text;
};

/// Every file below resources/presets, devices, samples, article, export and lessons, sorted by path.
std::span<const EmbeddedFile> embeddedFiles();

} // namespace remat
