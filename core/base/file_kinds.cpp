// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_kinds.h"

#include <algorithm>
#include <array>

namespace remat {

namespace {

constexpr std::array<FileKind, 29> kKinds{{
    {"remat-plan", "remat plan --out FILE",
        "remat verify FILE, remat explain FILE, remat run FILE, remat export FILE --to csv, rematscope FILE"},
    {"remat-chain", "remat chain", "remat solve FILE --mode flat, remat replay FILE SCHEDULE.json"},
    {"remat-report", "remat run PLAN --out FILE", "rematscope FILE"},
    {"remat-document", "rematscope", "rematscope FILE"},
    {"remat-costs", "remat profile --out FILE", "--costs FILE"},
    {"remat-device", "resources/devices", "--device NAME"},
    {"remat-model", "resources/presets", "--model NAME"},
    {"remat-lesson", "resources/lessons", "rematscope FILE, rematscope --check-lesson FILE"},
    {"remat-run-request", "remat run", "remat-worker"},
    {"remat-solution", "remat solve --json", "remat replay CHAIN.json FILE"},
    {"remat-comparison", "remat compare --json", ""},
    {"remat-frontier", "remat frontier --json", ""},
    {"remat-description", "remat describe --json", ""},
    {"remat-batch", "remat max-batch --json", ""},
    {"remat-explanation", "remat explain PLAN --json", ""},
    {"remat-probe", "remat probe --json", ""},
    {"remat-replay", "remat replay CHAIN.json SCHEDULE.json --json", ""},
    {"remat-verification", "remat verify PLAN --json", ""},
    {"remat-article", "remat article --json", ""},
    {"remat-models", "remat models --json", ""},
    {"remat-devices", "remat devices --json", ""},
    {"remat-export", "remat export PLAN --to csv --json", ""},
    {"remat-error", "--json where something went wrong", ""},
    {"remat-launch", "an editor, in the folder launch of your settings", "remat run PLAN --launch NAME"},
    {"remat-grid", "an editor", "remat sweep FILE"},
    {"remat-sweep", "remat sweep GRID", "rematscope FILE"},
    {"remat-sweep-journal", "remat sweep GRID", "remat sweep GRID, remat sweep GRID --gather"},
    {"remat-sweep-summary", "remat sweep GRID --json", ""},
    {"remat-article-claims", "resources/article", ""},
}};

} // namespace

const FileKind* fileKindOf(std::string_view format)
{
    const auto found
        = std::find_if(kKinds.begin(), kKinds.end(), [&](const FileKind& kind) { return kind.format == format; });
    return found == kKinds.end() ? nullptr : &*found;
}

} // namespace remat
