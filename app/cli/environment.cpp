// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/environment.h"

#include "core/base/folders.h"

namespace remat::cli {

Environment readEnvironment()
{
    return {configurationFolder(), cacheFolder()};
}

} // namespace remat::cli
