// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/message.h"

namespace remat {

class JsonCursor;

// What the readers of costs and device files share.  Mistakes are recorded at the cursor.

/// A text without control characters (U+0000 to U+001F, U+007F to U+009F).
std::string readPlainText(const JsonCursor& at);

/// Requires every key of an object to be one of `known`; `unknown` takes the key and the list of known ones.
void requireKnownKeys(const JsonCursor& at, const std::vector<std::string>& known, const MessageCode& unknown);

/// Requires every key of an object to be the name of an OpClass.
void requireOpClasses(const JsonCursor& at);

} // namespace remat
