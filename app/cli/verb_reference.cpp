// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_reference.h"
#include "app/cli/table_export.h"
#include "app/cli/verbs.h"
#include "core/export/published_figures.h"

namespace remat::cli {

namespace {

constexpr MessageCode kUnknownKind{"unknown-reference", REMAT_TR("There is no reference of the kind \"{0}\"."),
    REMAT_TR("Use markdown, man, bash, zsh, fish or published."), ExitCode::Usage};

Result<std::string> textOf(const std::string& kind)
{
    const CommandReference reference = commandReference();
    if (kind == "markdown")
        return referenceMarkdown(reference);
    if (kind == "man")
        return referenceManual(reference, REMAT_VERSION);
    if (kind == "bash")
        return referenceBash(reference);
    if (kind == "zsh")
        return referenceZsh(reference);
    if (kind == "fish")
        return referenceFish(reference);
    if (kind == "published") {
        const Result<std::vector<PublishedTable>> tables = publishedFigures();
        return tables ? Result<std::string>(publishedMarkdown(*tables)) : tables.error();
    }
    return Error{&kUnknownKind, "--to", {kind}};
}

} // namespace

Result<Answer> runReference(const Arguments& arguments)
{
    const Result<std::string> text = textOf(*arguments.to);
    return text ? exportAnswer(arguments, *text) : text.error();
}

} // namespace remat::cli
