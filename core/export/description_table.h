// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/export/description.h"
#include "core/export/table.h"

namespace remat {

/// One kind of stage by sublayer: bytes kept, FLOPs, times; the last row is the sum.  For people: sizes have units.
Table sublayerTable(const KindDescription& kind);
/// Its tensors: bytes, shape, role, who reads them in backward, what making them again costs.
Table tensorTable(const KindDescription& kind);
/// What is resident all step long, by cause.
Table baseTable(const BaseBytes& base);

/// "activation", "statistic", ...: the names that JSON and tables use.
const char* roleName(TensorRole role);

} // namespace remat
