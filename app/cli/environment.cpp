// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/environment.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "core/run/cpu_calibration.h"

namespace remat::cli {

namespace {

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::string configurationFolder()
{
    // The base directory specification asks to ignore relative paths.
    if (const std::string base = variable("XDG_CONFIG_HOME"); !base.empty() && base.front() == '/')
        return base + "/rematscope";
    const std::string home = variable("HOME");
    return home.empty() ? "" : home + "/.config/rematscope";
}

} // namespace

Environment readEnvironment()
{
    return {configurationFolder(), defaultCacheFolder()};
}

std::string firstLineOf(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

} // namespace remat::cli
