// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_import.h"
#include "core/model/training_setup.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    const Result<ImportedModel> model = importConfig(fuzz::textOf(data, size), "config.json");
    if (model && !validateShape(model->shape))
        fuzz::broken("an imported shape is valid", model->shape.name);
    return 0;
}
