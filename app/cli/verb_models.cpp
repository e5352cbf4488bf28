// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/step_choice.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/export/table.h"
#include "core/model/model_json.h"
#include "core/model/presets.h"
#include "core/model/training_setup.h"
#include "core/model/weights.h"

namespace remat::cli {

Result<Answer> runModels(const Arguments& arguments, const Environment& environment)
{
    const PresetCatalog catalog = presets(environment.configurationFolder);
    Answer answer;
    if (arguments.isJson) {
        nlohmann::json models = nlohmann::json::array();
        for (const ModelShape& shape : catalog.shapes) {
            models.push_back(toJson(shape));
            models.back()["parameters"] = parameterCount(shape);
        }
        answer = jsonAnswer({{"format", "remat-models"}, {"version", 1}, {"models", models}});
    } else {
        Table table{
            {"model", "type", "layers", "hidden", "heads", "kv heads", "ffn", "vocabulary", "positions", "parameters"},
            {}};
        for (const ModelShape& shape : catalog.shapes) {
            table.rows.push_back({shape.name, shape.modelType});
            for (const std::int64_t n :
                {shape.layers, shape.hidden, shape.heads, shape.groups(), shape.ffn, shape.vocabulary})
                table.rows.back().push_back(std::to_string(n));
            const bool isLimited = shape.maxPositions < kMaxPositions;
            table.rows.back().push_back(isLimited ? std::to_string(shape.maxPositions) : "any");
            table.rows.back().push_back(std::to_string(parameterCount(shape)));
        }
        answer.output = toText(table);
    }
    for (const Error& problem : catalog.problems)
        answer.notes.push_back("skipped " + englishSentence(problem));
    return answer;
}

} // namespace remat::cli
