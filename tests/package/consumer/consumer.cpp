// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/presets.h"
#include "core/tape/step_tape.h"
// GPT-2 has 124,439,808 weights (its authors' checkpoint, the tied table once).
int main()
{
    return remat::buildStepTape(*remat::findPreset("gpt2", ""), {}, {}).parameterCount() == 124'439'808 ? 0 : 1;
}
