// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>

namespace remat::cuda {

/// A kernel that could not be started; on the emulator also one that broke a rule while it ran.  The text names the
/// kernel and the reason.
class LaunchError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace remat::cuda
