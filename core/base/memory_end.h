// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace remat {

/// Memory may end where nothing can be caught: a destructor that needs a little for itself (those of JSON documents
/// do). From now on the program then ends with words and ExitCode::OutOfMemory, instead of a crash.  Call it first in
/// main().
void prepareForMemoryEnd();

/// What it writes then to standard output and standard error, made while there is memory.
void sayAtMemoryEnd(std::string output, std::string words);

} // namespace remat
