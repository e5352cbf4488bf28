// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/given_flags.h"

#include <algorithm>
#include <array>

namespace remat::cli {

namespace {

using Setup = SetupArguments;

struct FlagRow {
    std::string_view flag;
    bool (*isGiven)(const Setup&);
};

template <auto member> bool hasValue(const Setup& setup)
{
    return (setup.*member).has_value();
}
template <auto member> bool isSet(const Setup& setup)
{
    return setup.*member;
}

constexpr std::array<FlagRow, 26> kRows{{
    {"--batch", hasValue<&Setup::batch>},
    {"--seq", hasValue<&Setup::sequence>},
    {"--profile", hasValue<&Setup::profile>},
    {"--device", hasValue<&Setup::device>},
    {"--precision", hasValue<&Setup::precision>},
    {"--attention", hasValue<&Setup::attention>},
    {"--loss", hasValue<&Setup::loss>},
    {"--optimizer", hasValue<&Setup::optimizer>},
    {"--dropout", hasValue<&Setup::dropout>},
    {"--micro-batches", hasValue<&Setup::microBatches>},
    {"--head-chunks", hasValue<&Setup::headChunks>},
    {"--variants", hasValue<&Setup::variants>},
    {"--costs", hasValue<&Setup::costs>},
    {"--grads-resident", isSet<&Setup::gradientsResident>},
    {"--master-weights", isSet<&Setup::masterWeights>},
    {"--dtype", hasValue<&Setup::dtype>},
    {"--early-stop", hasValue<&Setup::earlyStop>},
    {"--keep-outputs", isSet<&Setup::keepsOutputs>},
    {"--old-loss-shift", isSet<&Setup::hasOldLossShift>},
    {"--use-cache", isSet<&Setup::usesCache>},
    {"--reentrant", isSet<&Setup::isReentrant>},
    {"--tp", hasValue<&Setup::tensorParallel>},
    {"--sp", isSet<&Setup::isSequenceParallel>},
    {"--pp", hasValue<&Setup::pipelineParallel>},
    {"--dp", hasValue<&Setup::dataParallel>},
    {"--zero", hasValue<&Setup::zeroStage>},
}};

/// Flags of the fields that validate() blames.
constexpr std::array<std::pair<std::string_view, const char*>, 20> kFlagOfField{{
    {"layers", "--layers"},
    {"hidden", "--hidden"},
    {"heads", "--heads"},
    {"key_value_heads", "--kv-heads"},
    {"ffn", "--ffn"},
    {"vocabulary", "--vocab"},
    {"max_positions", "--max-positions"},
    {"batch", "--batch"},
    {"sequence", "--seq"},
    {"micro_batches", "--micro-batches"},
    {"head_chunks", "--head-chunks"},
    {"dropout", "--dropout"},
    {"precision", "--precision"},
    {"master_weights", "--master-weights"},
    {"profile", "--profile"},
    {"tensor", "--tp"},
    {"sequence_parallel", "--sp"},
    {"pipeline", "--pp"},
    {"data", "--dp"},
    {"zero", "--zero"},
}};

} // namespace

bool isGiven(const SetupArguments& setup, std::string_view flag)
{
    const auto row
        = std::find_if(kRows.begin(), kRows.end(), [flag](const FlagRow& each) { return each.flag == flag; });
    return row->isGiven(setup);
}

std::optional<std::string> firstGiven(const SetupArguments& setup, std::initializer_list<std::string_view> flags)
{
    for (const std::string_view flag : flags)
        if (isGiven(setup, flag))
            return std::string(flag);
    return std::nullopt;
}

void addDefaults(std::vector<std::string>& defaults, const SetupArguments& setup,
    std::initializer_list<std::pair<std::string_view, std::string>> used)
{
    for (const auto& [flag, value] : used)
        if (!isGiven(setup, flag))
            defaults.push_back(std::string(flag) + " " + value);
}

Error withFlag(Error error)
{
    for (const auto& [field, flag] : kFlagOfField)
        if (error.where == field) {
            error.where = flag;
            break;
        }
    return error;
}

} // namespace remat::cli
