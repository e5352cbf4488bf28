// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/verbs.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/export/plan_table.h"
#include "core/plan/plan_file.h"

namespace remat::cli {

namespace {

constexpr MessageCode kLaterExport{"export-not-in-release", REMAT_TR("This release does not write {0} code yet."),
    REMAT_TR("Use --to csv or --to markdown, or read the plan file itself: it names modules and ops."),
    ExitCode::Usage};
constexpr MessageCode kUnknownExport{"unknown-export", REMAT_TR("There is no export \"{0}\"."),
    REMAT_TR("Use --to csv or --to markdown."), ExitCode::Usage};

Result<void> checkTarget(const std::string& target)
{
    if (target == "csv" || target == "markdown")
        return {};
    for (const char* later : {"pytorch", "megatron", "torchtitan"})
        if (target == later)
            return Error{&kLaterExport, "--to", {target}};
    return Error{&kUnknownExport, "--to", {shortened(target)}};
}

} // namespace

Result<Answer> runExport(const Arguments& arguments)
{
    if (auto known = checkTarget(*arguments.to); !known)
        return known.error();
    const Result<Plan> plan = readPlan(arguments.files[0]);
    if (!plan)
        return plan.error();
    const std::string text = *arguments.to == "csv" ? planCsv(*plan) : planMarkdown(*plan);
    if (arguments.out)
        if (auto written = writeFileAtomically(*arguments.out, text); !written)
            return written.error();
    if (arguments.isJson)
        return jsonAnswer({{"format", "remat-export"}, {"version", 1}, {"to", *arguments.to},
            {"out", arguments.out ? nlohmann::json(*arguments.out) : nlohmann::json(nullptr)}, {"text", text}});
    return Answer{arguments.out ? "wrote " + *arguments.out + "\n" : text, {}, 0};
}

} // namespace remat::cli
