// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/lessons/lesson_file.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <nlohmann/json.hpp>

#include "core/base/format_units.h"
#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/cost/device_traits.h"
#include "core/model/catalog_files.h"
#include "core/model/model_json.h"
#include "core/model/nearest_names.h"
#include "core/model/presets.h"
#include "core/model/setup_json.h"
#include "ui/lessons/lesson_facts.h"
#include "ui/lessons/lesson_spotlights.h"
#include "ui/state/explorer_state.h"
#include "ui/state/grid_rows.h"

namespace remat::ui {

namespace {

using nlohmann::json;

constexpr const char* kFormat = "remat-lesson";
constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMostSteps = 100, kMostChoices = 9, kMostConditions = 20;

constexpr MessageCode kUnknownKey{"lesson-unknown-key", REMAT_TR("A lesson knows no key \"{0}\" here."),
    REMAT_TR("Did you mean {1}? Known keys: {2}.")};
constexpr MessageCode kUnknownName{
    "lesson-unknown-name", REMAT_TR("\"{0}\" is no {1}."), REMAT_TR("Did you mean {2}? Known names: {3}.")};
constexpr MessageCode kNoText{"lesson-no-text", REMAT_TR("The text is missing."),
    REMAT_TR("Write it in English (\"en\"), in Chinese (\"zh\"), or in both.")};
constexpr MessageCode kNoSteps{"lesson-no-steps", REMAT_TR("There is nothing in this list."),
    REMAT_TR("Write at least one entry, or leave the key out.")};
constexpr MessageCode kRelation{"lesson-relation", REMAT_TR("A condition compares with exactly one value."),
    REMAT_TR("Give one of is, below, above, at_most, at_least; flags and words know only is.")};
constexpr MessageCode kOf{"lesson-fact-of",
    REMAT_TR("The fact \"{0}\" takes the key \"of\" only if there are several."),
    REMAT_TR("\"kept\" takes a sublayer or an operation, \"pin\" the place of a pin; the others take none.")};
constexpr MessageCode kSize{"lesson-size", REMAT_TR("\"{0}\" is no size."), REMAT_TR("Write it like \"300 MiB\".")};
constexpr MessageCode kChoice{
    "lesson-choice", REMAT_TR("The choice {0} is outside 1 to {1}."), REMAT_TR("Choices are counted from 1.")};
constexpr MessageCode kNoSolution{"lesson-no-solution", REMAT_TR("The question has no solution."),
    REMAT_TR("Add \"solution\" with what meets the check: a choice, a run, or what to set.")};
constexpr MessageCode kNoPlace{"lesson-no-place", REMAT_TR("\"{0}\" is no cell of this model's grid."),
    REMAT_TR("Write a layer and a sublayer or an operation, like \"L3.ffn\", or embedding, or head.")};

void requireKeys(const JsonCursor& at, std::initializer_list<const char*> known)
{
    if (!at.raw().is_object())
        return;
    const std::vector<std::string> names(known.begin(), known.end());
    for (const auto& [key, value] : at.raw().items())
        if (std::find(names.begin(), names.end(), key) == names.end())
            at.fail(kUnknownKey, {shortened(key), nearestNames(key, names), joined(names)});
}

template <class Table>
void failUnknown(const JsonCursor& at, const std::string& name, const char* kind, const Table& table)
{
    std::vector<std::string> names;
    for (const auto& entry : table)
        names.emplace_back(entry.name);
    at.fail(kUnknownName, {shortened(name), std::string(kind), nearestNames(name, names), joined(names)});
}

LessonText readText(const JsonCursor& at)
{
    requireKeys(at, {"en", "zh"});
    LessonText text;
    if (at.has("en"))
        text.english = QString::fromStdString(at["en"].string());
    if (at.has("zh"))
        text.chinese = QString::fromStdString(at["zh"].string());
    if (!at.failed() && text.isEmpty())
        at.fail(kNoText);
    return text;
}

Bytes readSize(const JsonCursor& at)
{
    if (!at.raw().is_string())
        return at.bytes();
    const Result<Bytes> size = parseBytes(at.string());
    if (!size)
        at.fail(kSize, {shortened(at.string())});
    return size ? *size : Bytes{};
}

LessonValue readValue(const JsonCursor& at, FactKind kind)
{
    switch (kind) {
    case FactKind::Flag:
        return at.boolean();
    case FactKind::Count:
        return static_cast<double>(at.integer(0, kMaxQuantity));
    case FactKind::Size:
        return static_cast<double>(readSize(at).value);
    case FactKind::Share:
        return at.number();
    case FactKind::Word:
        break;
    }
    return at.string();
}

LessonCondition readCondition(const JsonCursor& at)
{
    requireKeys(at, {"fact", "of", "is", "below", "above", "at_most", "at_least"});
    LessonCondition condition;
    condition.fact = at["fact"].string();
    const LessonFact* fact = findLessonFact(condition.fact);
    if (at.failed())
        return condition;
    if (!fact) {
        failUnknown(at["fact"], condition.fact, "fact", lessonFacts());
        return condition;
    }
    if (at.has("of") != fact->hasOf)
        at.fail(kOf, {condition.fact});
    else if (fact->hasOf)
        condition.of = at["of"].string();
    static constexpr std::pair<const char*, LessonRelation> kRelations[]
        = {{"is", LessonRelation::Is}, {"below", LessonRelation::Below}, {"above", LessonRelation::Above},
            {"at_most", LessonRelation::AtMost}, {"at_least", LessonRelation::AtLeast}};
    int found = 0;
    for (const auto& [key, relation] : kRelations) {
        if (!at.has(key))
            continue;
        ++found;
        condition.relation = relation;
        condition.value = readValue(at[key], fact->kind);
    }
    const bool isOrdered = fact->kind != FactKind::Flag && fact->kind != FactKind::Word;
    if (found != 1 || (!isOrdered && condition.relation != LessonRelation::Is))
        at.fail(kRelation);
    return condition;
}

/// Reads what steps set, one after the other: each starts from what the ones before it left.
class StateReader {
public:
    StateReader(std::string file, const DeviceCatalog& devices) : m_file(std::move(file)), m_devices(devices)
    {
        m_state.inputs = firstInputs();
        m_document = json::parse(documentText({m_state.inputs, {}, {}, {}}));
    }

    const LessonState& state() const { return m_state; }
    /// What is wrong with a state as a whole; mistakes of single keys are recorded at their cursors.
    const std::optional<Error>& error() const { return m_error; }

    void read(const JsonCursor& at)
    {
        if (at.failed() || m_error)
            return;
        readModel(at);
        if (at.has("setup"))
            readSetup(at["setup"]);
        if (at.has("budget"))
            m_document["budget_bytes"] = readSize(at["budget"]).value;
        if (at.has("strategy"))
            m_document["strategy"] = at["strategy"].string();
        if (at.has("pins"))
            m_document["pins"] = at["pins"].raw();
        if (at.has("metric"))
            readMetric(at["metric"]);
        m_state.select = at.has("select") ? at["select"].string() : std::string();
        if (!at.failed())
            check(at);
    }

private:
    void readModel(const JsonCursor& at)
    {
        if (!at.has("model"))
            return;
        const JsonCursor model = at["model"];
        if (model.raw().is_string()) {
            const Result<ModelShape> preset = findPreset(model.string());
            if (!preset)
                return model.fail(*preset.error().code, preset.error().arguments);
            m_document["model"] = toJson(*preset);
        } else {
            m_document["model"] = model.raw();
        }
        m_document["pins"] = json::array(); // they speak of the model before
    }

    void readSetup(const JsonCursor& at)
    {
        requireKeys(at,
            {"batch", "sequence", "attention", "loss", "head_chunks", "optimizer", "micro_batches",
                "gradients_resident", "master_weights", "variants", "device", "precision", "dropout"});
        if (at.raw().is_object() && !at.failed())
            m_document["setup"].update(at.raw());
        else
            (void)at["batch"]; // says that an object is expected
    }

    void readMetric(const JsonCursor& at)
    {
        static constexpr struct {
            const char* name;
            GridMetric metric;
        } kMetrics[] = {{"bytes", GridMetric::Bytes}, {"flops", GridMetric::Flops},
            {"recompute_time", GridMetric::RecomputeTime}, {"bytes_per_microsecond", GridMetric::BytesPerMicrosecond}};
        const std::string name = at.string();
        for (const auto& entry : kMetrics)
            if (name == entry.name)
                m_state.metric = entry.metric;
        if (std::none_of(std::begin(kMetrics), std::end(kMetrics), [&](const auto& m) { return name == m.name; }))
            failUnknown(at, name, "metric", kMetrics);
    }

    /// The state as the window would take it.
    void check(const JsonCursor& at)
    {
        const Result<Document> document = parseDocument(jsonText(m_document, 1), at.where());
        const Result<Device> device
            = document ? m_devices.find(document->inputs.setup.device) : Result<Device>(document.error());
        const auto fail = [&](Error error, const char* key) {
            error.where = at.where() + key;
            error.exit = ExitCode::BadInput;
            m_error = std::move(error);
        };
        if (!document) {
            m_error = document.error();
            return;
        }
        if (!device)
            return fail(device.error(), ".setup.device");
        m_state.inputs = document->inputs;
        const StepTape tape = buildStepTape(m_state.inputs.shape, m_state.inputs.setup, machineTraits(*device));
        if (const Result<std::vector<KeepRule>> rules = pinRules(tape, m_state.inputs.pins); !rules)
            return fail(rules.error(), ".pins");
        if (!m_state.select.empty() && !gridPlaceNamed(tape, m_state.select))
            at["select"].fail(kNoPlace, {shortened(m_state.select)});
    }

    std::string m_file;
    const DeviceCatalog& m_devices;
    json m_document;
    LessonState m_state;
    std::optional<Error> m_error;
};

void readSolution(const JsonCursor& at, LessonQuestion& question, StateReader& states)
{
    requireKeys(at, {"choice", "run", "model", "setup", "budget", "strategy", "pins", "metric", "select"});
    if (at.has("choice")) {
        question.solutionChoice = static_cast<int>(at["choice"].integer(0, kMaxQuantity) & 0xFF);
        const auto most = static_cast<std::int64_t>(question.choices.size());
        if (const std::int64_t choice = at["choice"].integer(0, kMaxQuantity); choice < 1 || choice > most)
            at["choice"].fail(kChoice, {choice, most});
    }
    question.solutionRuns = at.has("run") && at["run"].boolean();
    for (const char* key : {"model", "setup", "budget", "strategy", "pins", "metric", "select"}) {
        if (!at.has(key))
            continue;
        states.read(at);
        question.solution = states.state();
        break;
    }
}

LessonQuestion readQuestion(const JsonCursor& at, StateReader states)
{
    requireKeys(at, {"text", "choices", "check", "hint", "because", "solution"});
    LessonQuestion question;
    question.text = readText(at["text"]);
    if (at.has("choices"))
        for (const JsonCursor& choice : at["choices"].elements(kMostChoices))
            question.choices.push_back(readText(choice));
    for (const JsonCursor& condition : at["check"].elements(kMostConditions))
        question.check.push_back(readCondition(condition));
    if (question.check.empty() && !at.failed())
        at["check"].fail(kNoSteps);
    question.hint = readText(at["hint"]);
    if (at.has("because"))
        question.because = readText(at["because"]);
    if (at.has("solution"))
        readSolution(at["solution"], question, states);
    else
        at.fail(kNoSolution);
    return question;
}

LessonStep readStep(const JsonCursor& at, StateReader& states)
{
    requireKeys(at, {"text", "spotlight", "configuration", "question"});
    LessonStep step;
    step.text = readText(at["text"]);
    if (at.has("spotlight")) {
        step.spotlight = at["spotlight"].string();
        if (!at.failed() && !findLessonSpotlight(step.spotlight))
            failUnknown(at["spotlight"], step.spotlight, "spotlight", lessonSpotlights());
    }
    if (at.has("configuration")) {
        requireKeys(at["configuration"], {"model", "setup", "budget", "strategy", "pins", "metric", "select"});
        states.read(at["configuration"]);
        step.setsState = true;
    }
    step.state = states.state();
    if (at.has("question"))
        step.question = readQuestion(at["question"], states);
    return step;
}

} // namespace

Result<Lesson> parseLesson(std::string_view text, const std::string& where, const DeviceCatalog& devices)
{
    const Result<json> parsed = parseJson(text, where);
    if (!parsed)
        return parsed.error();
    const JsonCursor root(*parsed, where);
    root.requireFormat(kFormat, kVersion);
    if (root.failed())
        return root.error();
    requireKeys(root, {"format", "version", "name", "order", "title", "steps"});
    Lesson lesson;
    lesson.where = where;
    lesson.name = root["name"].string();
    if (root.has("order"))
        lesson.order = static_cast<int>(root["order"].integer(0, 1'000'000));
    lesson.title = readText(root["title"]);
    StateReader states(where, devices);
    for (const JsonCursor& step : root["steps"].elements(kMostSteps)) {
        lesson.steps.push_back(readStep(step, states));
        if (states.error())
            break;
    }
    if (lesson.steps.empty() && !root.failed())
        root["steps"].fail(kNoSteps);
    if (root.failed() || states.error()) {
        Error error = root.failed() ? root.error() : *states.error();
        error.exit = ExitCode::BadInput;
        return error;
    }
    return lesson;
}

std::optional<GridPlace> gridPlaceNamed(const StepTape& tape, const std::string& name)
{
    if (name == "embedding")
        return GridPlace{0, -1};
    if (name == "head")
        return GridPlace{0, static_cast<int>(tape.shape.layers)};
    const Result<remat::Pin> pin = parsePin(name + "=keep");
    if (!pin || pin->layer < 0 || pin->layer >= tape.shape.layers)
        return std::nullopt;
    const StageTape& block = tape.kinds[1];
    const std::vector<GridRowMeaning> rows = gridRows(block);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const bool isNamed = rows[r].op < 0 ? sublayerName(rows[r].sublayer) == pin->target
                                            : block.ops[static_cast<std::size_t>(rows[r].op)].name == pin->target;
        if (isNamed)
            return GridPlace{static_cast<int>(r), pin->layer};
    }
    return std::nullopt;
}

LessonCatalog lessons(const std::string& configurationFolder, const DeviceCatalog& devices)
{
    LessonCatalog catalog;
    CatalogFiles files = catalogFiles("lessons", configurationFolder);
    catalog.problems = std::move(files.problems);
    for (const CatalogFile& file : files.files) {
        Result<Lesson> lesson = parseLesson(file.text, file.where, devices);
        if (!lesson) {
            catalog.problems.push_back(lesson.error());
            continue;
        }
        std::erase_if(catalog.lessons, [&](const Lesson& known) { return known.name == lesson->name; });
        catalog.lessons.push_back(*std::move(lesson));
    }
    std::stable_sort(catalog.lessons.begin(), catalog.lessons.end(),
        [](const Lesson& a, const Lesson& b) { return a.order < b.order; });
    return catalog;
}

} // namespace remat::ui
