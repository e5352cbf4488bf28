// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace remat {

/// The largest file that any reader accepts; a plan of 1,000 layers is below 10 MB.
inline constexpr Bytes kMaxFileBytes{64 << 20};

/// The bytes of a file.  Errors: missing, unreadable, a folder, larger than kMaxFileBytes.
Result<std::string> readFile(const std::string& path);

/// The first line of a file, such as those of /proc and /sys; empty where there is none.
std::string firstLineOf(const std::string& path);

/// Writes a file so that a crash leaves either the old or the new content: temporary file beside it, fsync, rename.
/// Errors: no such folder, not writable, disk full; the old content is then untouched.  A device or
/// a pipe takes the content as it is.
Result<void> writeFileAtomically(const std::string& path, std::string_view content);

/// Whether writeFileAtomically() could write here, so that nobody learns it only after long work; leaves nothing
/// behind. Errors: as there, apart from a disk that fills up meanwhile.
Result<void> checkWritable(const std::string& path);

} // namespace remat
