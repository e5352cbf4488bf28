// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/schedule_file.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"

namespace remat {

namespace {

constexpr MessageCode kUnknownOp{
    "schedule-unknown-op", REMAT_TR("There is no op \"{0}\"."), REMAT_TR("Use \"forward\", \"backward\" or \"free\".")};
constexpr MessageCode kUnknownObject{"schedule-unknown-object", REMAT_TR("There is no object \"{0}\" to free."),
    REMAT_TR("Use \"x\" for a stage's output or \"s\" for what it keeps inside.")};
constexpr MessageCode kUnknownOption{"schedule-unknown-option", REMAT_TR("Stage {0} ({1}) has no option \"{2}\"."),
    REMAT_TR("Use \"none\" or a name from the stage's options in the chain.")};

int readOption(const JsonCursor& cursor, const Chain& chain, int stageIndex)
{
    const std::string name = cursor.string();
    if (name == "none" || cursor.failed())
        return ScheduleOp::kNoOption;
    const Stage& stage = chain.stages[static_cast<std::size_t>(stageIndex)];
    const auto found = std::find_if(
        stage.options.begin(), stage.options.end(), [&](const Option& option) { return option.name == name; });
    if (found == stage.options.end()) {
        cursor.fail(kUnknownOption, {std::int64_t{stageIndex} + 1, stage.name, name});
        return ScheduleOp::kNoOption;
    }
    return static_cast<int>(found - stage.options.begin());
}

ScheduleOp readOp(const JsonCursor& cursor, const Chain& chain)
{
    ScheduleOp op;
    const std::string kind = cursor["op"].string();
    op.stage = static_cast<int>(cursor["stage"].integer(1, static_cast<std::int64_t>(chain.stages.size()))) - 1;
    if (cursor.failed())
        return op;
    if (kind == "forward") {
        op.kind = ScheduleOp::Kind::Forward;
        op.option = readOption(cursor["option"], chain, op.stage);
    } else if (kind == "backward") {
        op.kind = ScheduleOp::Kind::Backward;
    } else if (kind == "free") {
        const std::string object = cursor["object"].string();
        op.kind = object == "s" ? ScheduleOp::Kind::FreeSaved : ScheduleOp::Kind::FreeOutput;
        if (object != "x" && object != "s")
            cursor["object"].fail(kUnknownObject, {object});
    } else {
        cursor["op"].fail(kUnknownOp, {kind});
    }
    return op;
}

} // namespace

Schedule readSchedule(const JsonCursor& list, const Chain& chain)
{
    Schedule schedule;
    for (const JsonCursor& op : list.elements(kMaxScheduleOps)) {
        schedule.push_back(readOp(op, chain));
        if (list.failed())
            break;
    }
    return schedule;
}

Result<Schedule> parseSchedule(std::string_view text, const Chain& chain, const std::string& where)
{
    const Result<nlohmann::json> json = parseJson(text, where);
    if (!json)
        return json.error();
    const JsonCursor root(*json, where);
    Schedule schedule = readSchedule(json->is_array() ? root : root["schedule"], chain);
    if (root.failed())
        return root.error();
    return schedule;
}

Result<Schedule> readSchedule(const std::string& path, const Chain& chain)
{
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    return parseSchedule(*text, chain, path);
}

nlohmann::json toJson(const Schedule& schedule, const Chain& chain)
{
    nlohmann::json list = nlohmann::json::array();
    for (const ScheduleOp& op : schedule) {
        const int stage = op.stage + 1;
        switch (op.kind) {
        case ScheduleOp::Kind::Forward: {
            const auto& options = chain.stages[static_cast<std::size_t>(op.stage)].options;
            const std::string name
                = op.option == ScheduleOp::kNoOption ? "none" : options[static_cast<std::size_t>(op.option)].name;
            list.push_back({{"op", "forward"}, {"stage", stage}, {"option", name}});
            break;
        }
        case ScheduleOp::Kind::Backward:
            list.push_back({{"op", "backward"}, {"stage", stage}});
            break;
        case ScheduleOp::Kind::FreeOutput:
            list.push_back({{"op", "free"}, {"object", "x"}, {"stage", stage}});
            break;
        case ScheduleOp::Kind::FreeSaved:
            list.push_back({{"op", "free"}, {"object", "s"}, {"stage", stage}});
            break;
        }
    }
    return list;
}

} // namespace remat
