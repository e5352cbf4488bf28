// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace remat::cuda {

/// cuBLASLt is loaded, not linked (cublaslt.cpp).  Throws std::runtime_error where it is not installed.
void requireCublasLt();

} // namespace remat::cuda
