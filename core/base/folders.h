// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace remat {

/// The person's folders by the XDG base directory specification: $XDG_CONFIG_HOME/rematscope, else
/// ~/.config/rematscope, and $XDG_CACHE_HOME/rematscope, else ~/.cache/rematscope.  A variable that holds a relative
/// path counts as unset, as the specification demands; empty where not even HOME is set.
std::string configurationFolder();
std::string cacheFolder();

} // namespace remat
