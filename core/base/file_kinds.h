// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace remat {

/// One of our own kinds of file: where such files come from and who takes them, as commands (docs/file-formats.md).
struct FileKind {
    std::string_view format; ///< "remat-plan"
    const char* source;      ///< "remat plan --out FILE"
    const char* takers;      ///< "remat verify FILE, remat run FILE, ..."; empty: answers of --json, for scripts
};

/// The kind of that format; null for a format that is none of ours.
const FileKind* fileKindOf(std::string_view format);

} // namespace remat
