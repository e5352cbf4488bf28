// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulator/meeting.h"

#include <cstdio>
#include <cstring>

namespace remat::cuda {

bool isSame(const Meeting& a, const Meeting& b)
{
    return a.lanes == b.lanes && a.line == b.line && std::strcmp(a.operation, b.operation) == 0
        && std::strcmp(a.file, b.file) == 0;
}

std::string text(const Meeting& meeting)
{
    char mask[32] = "";
    if (meeting.lanes != 0)
        std::snprintf(mask, sizeof mask, " with mask 0x%08x", meeting.lanes);
    return std::string(meeting.operation) + mask + " (" + meeting.file + ':' + std::to_string(meeting.line) + ')';
}

} // namespace remat::cuda
