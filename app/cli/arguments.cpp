// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <string_view>
#include <type_traits>

#include <CLI/CLI.hpp>

#include "app/cli/command_reference.h"
#include "core/base/format_units.h"
#include "core/base/text.h"
#include "core/model/nearest_names.h"
#include "core/plan/strategy.h"

namespace remat::cli {

namespace {

constexpr const char* kSeeHelp = REMAT_TR("\"remat {0} --help\" lists what it takes.");
constexpr MessageCode kNoVerb{"no-verb", REMAT_TR("The command line names no verb."),
    REMAT_TR("Write \"remat VERB\"; \"remat --help\" lists the verbs."), ExitCode::Usage};
constexpr MessageCode kUnknownVerb{"unknown-verb", REMAT_TR("There is no verb \"{0}\"."),
    REMAT_TR("Did you mean {1}? \"remat --help\" lists the verbs."), ExitCode::Usage};
constexpr MessageCode kUnexpected{
    "unexpected-argument", REMAT_TR("The argument \"{1}\" is not expected here."), kSeeHelp, ExitCode::Usage};
constexpr MessageCode kUnknownFlag{"unknown-flag", REMAT_TR("There is no flag \"{1}\" here."),
    REMAT_TR("Did you mean {2}? \"remat {0} --help\" lists the flags."), ExitCode::Usage};
constexpr MessageCode kNoValue{"missing-value", REMAT_TR("The value is missing."), kSeeHelp, ExitCode::Usage};
constexpr MessageCode kRepeated{
    "repeated-flag", REMAT_TR("The flag is given more than once."), REMAT_TR("Keep one of them."), ExitCode::Usage};
constexpr MessageCode kBadUsage{"bad-usage", REMAT_TR("{1}."), kSeeHelp, ExitCode::Usage};
constexpr MessageCode kNotWhole{"not-a-whole-number", REMAT_TR("\"{0}\" is not a whole number."),
    REMAT_TR("Write digits, such as 8."), ExitCode::Usage};
constexpr MessageCode kNotNumber{
    "not-a-number", REMAT_TR("\"{0}\" is not a number."), REMAT_TR("Write a number such as 0.1."), ExitCode::Usage};

struct VerbRow {
    Verb verb;
    const char* name;
    const char* description;
};
constexpr std::array<VerbRow, 19> kVerbs{{
    {Verb::Models, "models", "List the model presets"},
    {Verb::Devices, "devices", "List the devices"},
    {Verb::Describe, "describe", "Bytes, FLOPs and recompute cost per sublayer and per tensor"},
    {Verb::Plan, "plan", "Decide what to keep and what to recompute under a budget"},
    {Verb::Frontier, "frontier", "Every point of least time over peak memory"},
    {Verb::Compare, "compare", "Every strategy at one budget"},
    {Verb::MaxBatch, "max-batch", "The largest batch that fits a budget, and the fastest"},
    {Verb::Explain, "explain", "Why a plan is as it is: its peak, its decisions, what more budget buys"},
    {Verb::Chain, "chain", "Print the chain file that the planner solves"},
    {Verb::Solve, "solve", "Run the planner on any chain file"},
    {Verb::Replay, "replay", "Replay a schedule on a chain: peak, time and reruns"},
    {Verb::Verify, "verify", "Derive a plan file anew and compare every number"},
    {Verb::Run, "run", "Run a plan's training step for real and measure it"},
    {Verb::Profile, "profile", "Measure what every op of a model takes, as costs to plan with"},
    {Verb::Probe, "probe", "What this machine can run on"},
    {Verb::Article, "article", "The article's claims beside the computed values"},
    {Verb::Export, "export", "A plan as code or settings of a trainer, or as a table"},
    {Verb::Sweep, "sweep", "Plan every point of a grid of models, batches, budgets, strategies, devices"},
    {Verb::Reference, "reference",
        "The manual page, the completion scripts, docs/cli.md, and published figures beside predicted ones"},
}};

/// The rules of the strategies and where the window has other words, below the flags.
std::string strategyHelp()
{
    std::string text = "Strategies (in the window):\n";
    for (const StrategyRule& row : strategyRules()) {
        const std::string name = row.name, title = row.title;
        std::string first = "  " + name + (name == title ? "" : " (" + title + ")");
        first.resize(std::max<std::size_t>(first.size() + 1, 40), ' ');
        text += first + row.rule + "\n";
    }
    return text
        + "\nIn the window --attention sdpa is \"blocked\" and eager is \"scores stored\"; extra time is \"overhead\".";
}

/// Adds the flags of one verb and remembers the first value that is not what its flag takes.
class VerbFlags {
public:
    VerbFlags(CLI::App& app, std::optional<Error>& problem) : m_app(app), m_problem(problem) { }

    CLI::Option* text(const char* name, std::optional<std::string>& target, const char* description)
    {
        return m_app.add_option_function<std::string>(
            name, [&target](const std::string& value) { target = value; }, description);
    }
    void whole(const char* name, std::optional<std::int64_t>& target, const char* description)
    {
        number<std::int64_t>(name, target, description, kNotWhole);
    }
    void real(const char* name, std::optional<double>& target, const char* description)
    {
        number<double>(name, target, description, kNotNumber);
    }
    void flag(const char* name, bool& target, const char* description)
    {
        m_app.add_flag_callback(name, [&target] { target = true; })->description(description);
    }
    void file(const char* name, std::vector<std::string>& files, const char* description)
    {
        m_app
            .add_option_function<std::string>(
                name, [&files](const std::string& value) { files.push_back(value); }, description)
            ->required();
    }

private:
    template <class T>
    void number(const char* name, std::optional<T>& target, const char* description, const MessageCode& code)
    {
        // The first name is the one that messages use: "--vocab,--vocabulary".
        const std::string names = name;
        const std::string shown = names.substr(0, names.find(','));
        CLI::Option* option = m_app.add_option_function<std::string>(
            name,
            [this, &target, &code, shown](const std::string& value) {
                T parsed{};
                const char* end = value.data() + value.size();
                const auto [stop, status] = std::from_chars(value.data(), end, parsed);
                const bool isFinite = std::isfinite(static_cast<double>(parsed));
                if (status != std::errc() || stop != end || !isFinite)
                    fail({&code, shown, {shortened(value)}});
                else
                    target = parsed;
            },
            description);
        option->type_name(std::is_integral_v<T> ? "N" : "X");
    }
    void fail(Error error)
    {
        if (!m_problem)
            m_problem = std::move(error);
    }

    CLI::App& m_app;
    std::optional<Error>& m_problem;
};

void addModel(VerbFlags& flags, CLI::App& app, ModelArguments& model)
{
    flags.text("--model", model.preset, "Preset: see \"remat models\"");
    flags.text("--config", model.config, "Hugging Face config.json; docs/command-line.md lists the model types")
        ->excludes(app.get_option("--model"));
    flags.whole("--layers", model.layers, "Number of layers, instead of the model's own");
    flags.whole("--hidden", model.hidden, "Width of the residual stream; an FFN of 4 x width follows it");
    flags.whole("--heads", model.heads, "Attention heads");
    flags.whole("--kv-heads", model.keyValueHeads, "Heads of keys and values, shared by groups of attention heads");
    flags.whole("--ffn", model.ffn, "Width inside the FFN");
    flags.whole("--vocab,--vocabulary", model.vocabulary, "Tokens of the vocabulary");
    flags.whole("--max-positions", model.maxPositions, "Longest sequence that the model knows");
}

void addSetup(VerbFlags& flags, SetupArguments& setup)
{
    flags.whole("--batch", setup.batch, "Sequences of one micro-batch (1)");
    flags.whole("--seq", setup.sequence, "Tokens of one sequence (the model's positions, at most 1024)");
    flags.text("--profile", setup.profile,
        "Whose training step: runtime, pytorch, paper, article (runtime, or pytorch where the executor lacks the "
        "model)");
    flags.text("--precision", setup.precision,
        "fp32; half (bf16) on a GPU, and in the profile article; pytorch: half, amp, fp32");
    flags.text("--attention", setup.attention, "sdpa = blocked, scores never stored; eager = scores stored (sdpa)");
    flags.real("--dropout", setup.dropout, "Probability of every dropout (the model's own)");
    flags.text("--loss", setup.loss,
        "cross_entropy, chunked_cross_entropy (cross_entropy); pytorch: lm_hf, mlm_hf, logits_sum");
    flags.text("--optimizer", setup.optimizer,
        "none, sgd, adamw (adamw); pytorch also sgd-momentum, adamw-fused, adafactor, adamw-8bit");
    flags.text("--device", setup.device, "cpu = this machine, or one of \"remat devices\" (cpu)");
    flags.text("--costs", setup.costs, "Costs file to time the device cpu with, instead of this machine's");
    flags.whole("--micro-batches", setup.microBatches, "Micro-batches of a step (1)");
    flags.whole("--head-chunks", setup.headChunks, "Chunks of the chunked loss (1); more than 1 implies that loss");
    flags.text("--variants", setup.variants, "auto lets the planner choose attention and head chunks (fixed)");
    flags.flag("--grads-resident", setup.gradientsResident, "Gradients exist before the step");
    flags.flag(
        "--master-weights", setup.masterWeights, "Half precision: the optimizer keeps fp32 copies of the weights");
    flags.text("--dtype", setup.dtype, "pytorch: the half type, bf16 or fp16 (bf16)");
    flags.flag("--keep-outputs", setup.keepsOutputs, "pytorch: the caller holds the model's output during backward");
    flags.flag("--old-loss-shift", setup.hasOldLossShift,
        "pytorch: the loss of transformers before 4.47, which copies logits");
    flags.flag("--use-cache", setup.usesCache, "pytorch: keys and values go into the output");
    flags.text(
        "--early-stop", setup.earlyStop, "pytorch: recomputation stops at the last tensor needed: on or off (on)");
    flags.flag("--reentrant", setup.isReentrant, "pytorch: regions of the older, reentrant kind");
    flags.whole("--tp", setup.tensorParallel, "pytorch, paper: GPUs that share each layer's products (1)");
    flags.flag("--sp", setup.isSequenceParallel, "pytorch, paper: they share by tokens what lies between products too");
    flags.whole("--pp", setup.pipelineParallel, "pytorch, paper: pipeline stages, with the schedule 1F1B (1)");
    flags.whole("--dp", setup.dataParallel, "pytorch, paper: data parallel copies (1)");
    flags.whole("--zero", setup.zeroStage,
        "pytorch, paper: these share 1 the optimizer's states, 2 gradients too, 3 weights too, as FSDP does (0)");
}

void addRealRun(VerbFlags& flags, Arguments& arguments)
{
    flags.text("--machine", arguments.machine,
        "cpu, cuda (this machine's GPU) or emulated (its kernels on this CPU, tiny steps) (cpu)");
    flags.whole("--steps", arguments.steps, "Measured steps (3)");
    flags.whole("--threads", arguments.threads, "Threads (all cores that this process may use)");
    flags.whole("--seed", arguments.seed, "Seed of weights, tokens and dropout (1)");
}

void addVerb(VerbFlags& flags, CLI::App& app, Verb verb, Arguments& arguments)
{
    flags.flag("--json", arguments.isJson, "Print one JSON object");
    const bool takesModel = verb == Verb::Describe || verb == Verb::Plan || verb == Verb::Frontier
        || verb == Verb::Compare || verb == Verb::MaxBatch || verb == Verb::Chain || verb == Verb::Profile;
    if (takesModel) {
        addModel(flags, app, arguments.model);
        addSetup(flags, arguments.setup);
    }
    constexpr const char* kBudget
        = "Memory that the step may take: 8GiB, 512MiB, 24GB, 6G (of a GPU: its memory less its context)";
    switch (verb) {
    case Verb::Plan:
        flags.text("--budget", arguments.budget, kBudget);
        flags.text("--strategy", arguments.strategy, "One of those below (optimal)");
        app.add_option_function<std::vector<std::string>>(
               "--pin", [&arguments](const std::vector<std::string>& pins) { arguments.pins = pins; },
               "Demand, as often as needed: L3.ffn_up=keep, *.ffn=recompute")
            ->expected(1)
            ->take_all();
        flags.flag("--exact", arguments.isExact,
            "No thinning, however long it takes; pytorch: keep single tensors, not regions");
        flags.text("--out", arguments.out, "Write the plan file");
        app.footer(strategyHelp());
        break;
    case Verb::Frontier:
        flags.flag("--csv", arguments.isCsv, "Print comma-separated values");
        app.get_option("--csv")->excludes(app.get_option("--json"));
        break;
    case Verb::Compare:
        flags.text("--budget", arguments.budget, kBudget);
        flags.text("--to", arguments.to, "csv, markdown");
        flags.text("--out", arguments.out, "With --to: write a file instead of printing")
            ->needs(app.get_option("--to"));
        app.footer(strategyHelp());
        break;
    case Verb::MaxBatch:
        flags.text("--budget", arguments.budget, kBudget);
        flags.text("--strategy", arguments.strategy, "One of those below (optimal)");
        flags.text("--out", arguments.out, "Write the plan file of the fastest batch");
        app.footer(strategyHelp());
        break;
    case Verb::Article:
        flags.text("--device", arguments.setup.device, "Rebuild the article's strategy table for this device");
        flags.text("--budget", arguments.budget, "Memory that its steps may take (what the device has for one)")
            ->needs(app.get_option("--device"));
        break;
    case Verb::Explain:
        flags.file("PLAN", arguments.files, "Plan file");
        break;
    case Verb::Solve:
        flags.file("CHAIN", arguments.files, "Chain file");
        flags.text("--mode", arguments.mode, "flat, nested-no-drop, nested-drop-lean or nested")->required();
        flags.text("--budget", arguments.budget, "Memory that the step may take: 8GiB, 512MiB, 24GB, 6G");
        flags.flag("--schedules", arguments.listsSchedules, "Print a schedule for every point (JSON)");
        flags.flag("--exhaustive", arguments.searchesExhaustively,
            "Compare with a search of all schedules (chains of up to 7 stages)");
        break;
    case Verb::Replay:
        flags.file("CHAIN", arguments.files, "Chain file");
        flags.file("SCHEDULE", arguments.files, "List of ops, or any file with a key \"schedule\"");
        break;
    case Verb::Verify:
        flags.file("PLAN", arguments.files, "Plan file");
        break;
    case Verb::Run:
        flags.file("PLAN", arguments.files, "Plan file");
        addRealRun(flags, arguments);
        flags.flag(
            "--check-gradients", arguments.checksGradients, "Compare all gradients with keep-everything, bit for bit");
        flags.flag("--enforce-budget", arguments.enforcesBudget, "An allocation beyond the budget fails");
        flags.text(
            "--launch", arguments.launch, "Run where this launch profile of your settings says: by srun, ssh, ...");
        flags.text("--out", arguments.out, "Write the report file");
        break;
    case Verb::Profile:
        // It measures what that flag brings from elsewhere.
        app.remove_option(app.get_option("--costs"));
        addRealRun(flags, arguments);
        flags.text("--out", arguments.out, "Write the costs file, for --costs");
        break;
    case Verb::Export:
        flags.file("PLAN", arguments.files, "Plan file");
        flags.text("--to", arguments.to, "pytorch, megatron, torchtitan, csv, markdown")->required();
        flags.text("--realization", arguments.realization, "regions, exact (regions; of --to pytorch)");
        flags.text("--out", arguments.out, "Write a file instead of printing");
        break;
    case Verb::Sweep:
        flags.file("GRID", arguments.files, "Grid file (docs/file-formats.md)");
        flags.text(
            "--out", arguments.out, "Results STEM.csv and STEM.json, journal STEM.journal (the grid's own name)");
        flags.whole("--threads", arguments.threads, "Threads (all cores that this process may use)");
        flags.text("--part", arguments.part, "I/N: answer only part I of N, from 0, into a journal for --gather");
        flags.whole("--parts", arguments.parts, "With --slurm: tasks of the job array (8)");
        flags.flag("--slurm", arguments.writesJobs, "Write STEM.sbatch, a Slurm job array with a part for each task");
        flags.flag("--gather", arguments.gathers, "Merge the journals of all parts into the results");
        app.get_option("--gather")->excludes(app.get_option("--slurm"));
        app.get_option("--part")->excludes(app.get_option("--slurm"))->excludes(app.get_option("--gather"));
        app.get_option("--parts")->needs(app.get_option("--slurm"));
        break;
    case Verb::Reference:
        flags.text("--to", arguments.to, "markdown, man, bash, zsh, fish, published")->required();
        flags.text("--out", arguments.out, "Write a file instead of printing");
        break;
    default:
        break;
    }
}

/// The parser with every verb and flag, which writes what it reads into `arguments`.
struct OptionTree {
    Arguments arguments;
    bool showsVersion = false;
    std::optional<Error> problem;
    CLI::App app{"Explore, plan and really run activation recomputation in Transformer training", "remat"};
    std::deque<VerbFlags> flags; ///< the parser calls into them

    /// Of every verb, or of the one that the command line names: a tree takes longer to build than to use.
    explicit OptionTree(std::string_view only = {})
    {
        app.require_subcommand(0, 1);
        app.footer("Exit codes: 0 ok, 2 usage, 3 bad input, 4 does not fit, 10 out of memory, 11 device error.");
        app.add_flag_callback("--version", [this] { showsVersion = true; })->description("Print the version");
        app.add_flag_callback("--json", [this] { arguments.isJson = true; })->description("Print one JSON object");
        for (const VerbRow& row : kVerbs) {
            if (!only.empty() && only != row.name)
                continue;
            CLI::App& sub = *app.add_subcommand(row.name, row.description);
            addVerb(flags.emplace_back(sub, problem), sub, row.verb, arguments);
        }
    }
    OptionTree(const OptionTree&) = delete;
    OptionTree& operator=(const OptionTree&) = delete;
};

/// What the parser knows of its options, files first; those that only say whose they are stay out.
std::vector<OptionRow> optionRows(const CLI::App& app)
{
    std::vector<OptionRow> rows;
    for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return !o->get_group().empty(); })) {
        OptionRow row;
        for (const std::string& name : option->get_lnames())
            row.flags.push_back("--" + name);
        const bool takesValue = option->get_items_expected_max() > 0;
        row.valueName = row.flags.empty() ? option->get_name() : takesValue ? option->get_type_name() : "";
        row.description = option->get_description();
        row.isRequired = option->get_required();
        rows.push_back(std::move(row));
    }
    std::stable_sort(rows.begin(), rows.end(),
        [](const OptionRow& a, const OptionRow& b) { return a.flags.empty() && !b.flags.empty(); });
    return rows;
}

/// The words of the command line, with a size that the shell cut in two ("--budget 6 GiB") in one piece again.
std::vector<std::string> wordsOf(int count, const char* const* values)
{
    std::vector<std::string> words;
    for (int i = 1; i < count; ++i) {
        const bool isUnit = words.size() > 1 && words[words.size() - 2] == "--budget" && isByteUnit(values[i]);
        if (isUnit && words.back().find_first_not_of("0123456789.") == std::string::npos)
            words.back().append(" ").append(values[i]);
        else
            words.emplace_back(values[i]);
    }
    return words;
}

/// The first word that is no flag: what the command line means as its verb.
std::string firstWord(int count, const char* const* values)
{
    for (int i = 1; i < count; ++i)
        if (values[i][0] != '-')
            return values[i];
    return {};
}

std::optional<Error> unknownVerb(const std::string& word)
{
    std::vector<std::string> names;
    for (const VerbRow& row : kVerbs) {
        if (word == row.name)
            return std::nullopt;
        names.emplace_back(row.name);
    }
    return Error{&kUnknownVerb, "", {shortened(word), nearestNames(word, names)}};
}

std::string withoutStop(std::string text)
{
    while (!text.empty() && (text.back() == '.' || text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

/// The parser's complaint as ours.
Error usageError(const CLI::ParseError& error, const CLI::App& app, const CLI::App& verb, const std::string& verbName)
{
    const std::vector<std::string> extras = app.remaining(true);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) && !extras.empty()) {
        const std::string& extra = extras.front();
        if (extra.size() < 2 || extra[0] != '-')
            return {&kUnexpected, verbName, {verbName, shortened(extra)}};
        std::vector<std::string> names;
        for (const CLI::Option* option : verb.get_options())
            for (const std::string& name : option->get_lnames())
                if (!option->get_group().empty())
                    names.push_back("--" + name);
        const std::string flag = extra.substr(0, extra.find('='));
        return {&kUnknownFlag, verbName, {verbName, shortened(flag), nearestNames(flag, names)}};
    }
    const std::string text = withoutStop(error.what());
    const std::string flag = text.substr(0, text.find(':'));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
        return {text.find("received") == std::string::npos ? &kNoValue : &kRepeated, flag, {verbName}};
    return {&kBadUsage, verbName, {verbName, text}};
}

} // namespace

CommandReference commandReference()
{
    const OptionTree tree;
    CommandReference reference{tree.app.get_description(), tree.app.get_footer(), optionRows(tree.app), {}};
    for (const CLI::App* verb : tree.app.get_subcommands({})) {
        // A verb without a footer of its own has the program's, which stands elsewhere.
        const std::string footer = verb->get_footer() == reference.footer ? "" : verb->get_footer();
        reference.verbs.push_back({verb->get_name(), verb->get_description(), optionRows(*verb), footer});
    }
    return reference;
}

bool wantsJson(int count, const char* const* values)
{
    return std::any_of(
        values + std::min(count, 1), values + count, [](const char* v) { return std::string_view(v) == "--json"; });
}

Result<Arguments> parseArguments(int count, const char* const* values)
{
    const std::string word = firstWord(count, values);
    if (!word.empty())
        if (std::optional<Error> problem = unknownVerb(word))
            return *problem;

    OptionTree tree(word);
    const CLI::App& app = tree.app;
    const CLI::App* verb = word.empty() ? &app : app.get_subcommand(word);
    try {
        std::vector<std::string> words = wordsOf(count, values);
        std::reverse(words.begin(), words.end()); // the order in which the parser takes them
        tree.app.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
        Arguments& arguments = tree.arguments;
        arguments.verb = Verb::Help;
        arguments.helpText = word.empty() ? app.help() : verb->help("remat");
        return arguments;
    } catch (const CLI::ParseError& error) {
        // What a flag of ours found wrong says more than what the parser stumbles over afterwards.
        return tree.problem ? *tree.problem : usageError(error, app, *verb, word);
    }
    if (tree.problem)
        return *tree.problem;
    Arguments& arguments = tree.arguments;
    if (tree.showsVersion) {
        arguments.verb = Verb::Version;
        return arguments;
    }
    for (const VerbRow& row : kVerbs)
        if (word == row.name) {
            arguments.verb = row.verb;
            return arguments;
        }
    return Error{&kNoVerb, "", {}};
}

} // namespace remat::cli
