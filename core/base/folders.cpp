// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/folders.h"

#include <cstdlib>

namespace remat {

namespace {

/// The absolute path that a variable holds, or nothing.
std::string pathIn(const char* variable)
{
    const char* value = std::getenv(variable);
    return value && *value == '/' ? value : "";
}

std::string ownFolder(const char* variable, const char* belowHome)
{
    std::string base = pathIn(variable);
    if (base.empty() && !pathIn("HOME").empty())
        base = pathIn("HOME") + belowHome;
    return base.empty() ? "" : base + "/rematscope";
}

} // namespace

std::string configurationFolder()
{
    return ownFolder("XDG_CONFIG_HOME", "/.config");
}

std::string cacheFolder()
{
    return ownFolder("XDG_CACHE_HOME", "/.cache");
}

} // namespace remat
