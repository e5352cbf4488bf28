// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/option_tree.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "app/cli/command_reference.h"
#include "core/base/text.h"
#include "core/plan/strategy.h"

namespace remat::cli {

namespace {

constexpr MessageCode kNotWhole{"not-a-whole-number", REMAT_TR("\"{0}\" is not a whole number."),
    REMAT_TR("Write digits, such as 8."), ExitCode::Usage};
constexpr MessageCode kNotNumber{
    "not-a-number", REMAT_TR("\"{0}\" is not a number."), REMAT_TR("Write a number such as 0.1."), ExitCode::Usage};

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

void noteFirst(std::optional<Error>& problem, Error error)
{
    if (!problem)
        problem = std::move(error);
}

/// Adds the flags of one verb; what the parser calls later keeps the first value that is not what its flag takes.
class VerbFlags {
public:
    VerbFlags(CLI::App& app, std::optional<Error>& problem) : m_app(app), m_problem(problem) { }

    CLI::Option* text(const char* name, std::optional<std::string>& target, const char* description) const
    {
        return m_app.add_option_function<std::string>(
            name, [&target](const std::string& value) { target = value; }, description);
    }
    void whole(const char* name, std::optional<std::int64_t>& target, const char* description) const
    {
        number<std::int64_t>(name, target, description, kNotWhole);
    }
    void real(const char* name, std::optional<double>& target, const char* description) const
    {
        number<double>(name, target, description, kNotNumber);
    }
    void flag(const char* name, bool& target, const char* description) const
    {
        m_app.add_flag_callback(name, [&target] { target = true; })->description(description);
    }
    void file(const char* name, std::vector<std::string>& files, const char* description) const
    {
        m_app
            .add_option_function<std::string>(
                name, [&files](const std::string& value) { files.push_back(value); }, description)
            ->required();
    }

private:
    template <class T>
    void number(const char* name, std::optional<T>& target, const char* description, const MessageCode& code) const
    {
        // The first name is the one that messages use: "--vocab,--vocabulary".
        const std::string names = name;
        const std::string shown = names.substr(0, names.find(','));
        CLI::Option* option = m_app.add_option_function<std::string>(
            name,
            [&problem = m_problem, &target, &code, shown](const std::string& value) {
                T parsed{};
                const char* end = value.data() + value.size();
                const auto [stop, status] = std::from_chars(value.data(), end, parsed);
                const bool isFinite = std::isfinite(static_cast<double>(parsed));
                if (status != std::errc() || stop != end || !isFinite)
                    noteFirst(problem, {&code, shown, {shortened(value)}});
                else
                    target = parsed;
            },
            description);
        option->type_name(std::is_integral_v<T> ? "N" : "X");
    }

    CLI::App& m_app;
    std::optional<Error>& m_problem;
};

void addModel(const VerbFlags& flags, CLI::App& app, ModelArguments& model)
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

void addSetup(const VerbFlags& flags, SetupArguments& setup)
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

void addRealRun(const VerbFlags& flags, Arguments& arguments)
{
    flags.text("--machine", arguments.machine,
        "cpu, cuda (this machine's GPU) or emulated (its kernels on this CPU, tiny steps) (cpu)");
    flags.whole("--steps", arguments.steps, "Measured steps (3)");
    flags.whole("--threads", arguments.threads, "Threads (all cores that this process may use)");
    flags.whole("--seed", arguments.seed, "Seed of weights, tokens and dropout (1)");
}

void addVerb(const VerbFlags& flags, CLI::App& app, Verb verb, Arguments& arguments)
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
        flags.text("--mode", arguments.mode,
            "flat, nested-no-drop, nested-drop-lean or nested; may be left out with --exhaustive, which then takes "
            "nested");
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

} // namespace

OptionTree::OptionTree(std::string_view only)
{
    app.require_subcommand(0, 1);
    app.footer("Exit codes: 0 ok, 2 usage, 3 bad input, 4 does not fit, 10 out of memory, 11 device error.");
    app.add_flag_callback("--version", [this] { showsVersion = true; })->description("Print the version");
    app.add_flag_callback("--json", [this] { arguments.isJson = true; })->description("Print one JSON object");
    for (const VerbRow& row : kVerbs) {
        if (!only.empty() && only != row.name)
            continue;
        CLI::App& sub = *app.add_subcommand(row.name, row.description);
        addVerb(VerbFlags(sub, problem), sub, row.verb, arguments);
    }
}

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

} // namespace remat::cli
