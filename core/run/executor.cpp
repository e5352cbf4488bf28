// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/executor.h"

#include <algorithm>
#include <memory>

#include "core/base/index.h"

namespace remat {

namespace {

constexpr MessageCode kOverBudget{"run-over-budget",
    REMAT_TR("{0} does not fit: {1} are in use and {2} more were asked for."),
    REMAT_TR("Raise the budget, lower the batch, or plan with a smaller budget."), ExitCode::OutOfMemory};

/// SplitMix64 (Steele et al. 2014): spreads (seed, step, micro-batch) over all 64 bits.
std::uint64_t mix(std::uint64_t seed, std::uint64_t salt)
{
    std::uint64_t z = seed + 0x9e3779b97f4a7c15ULL * (salt + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}

/// Streams of one seed: dropout of stage s, op o is s * kMaxOpsOfStage + o; these stand above all of them.
constexpr std::uint64_t kTokenStream = std::uint64_t{1} << 62;
constexpr std::uint64_t kTargetStream = kTokenStream + 1;
constexpr std::uint64_t kWeightSalt = 0x77656967;

} // namespace

struct Executor::State {
    const StepTape& tape;
    const Program& program;
    Machine& machine;
    ExecutorOptions options;

    struct Block {
        std::byte* data = nullptr;
        Bytes bytes;
    };
    std::vector<Block> resident; ///< everything base stands for, in allocation order
    std::vector<std::byte*> weights, baseGradients;
    std::vector<float*> momenta, variances, masters; ///< empty where the optimizer has none
    std::int32_t* tokens = nullptr;
    std::int32_t* targets = nullptr;
    std::vector<Block> blocks; ///< of each buffer of the program; data null while it does not exist
    Bytes live, peak;
    int peakInstruction = 0;
    StepPhase phase = StepPhase::Forward;
    PhaseBytes phasePeaks{};
    int firstBackward = firstBackwardInstruction(program);
    std::int64_t stepsDone = 0;
    ElementType storage = storageOf(tape.setup);

    Result<std::byte*> take(Bytes bytes, const std::string& what, int instruction = -1)
    {
        if (options.budget && live + bytes > *options.budget)
            return refuse({&kOverBudget, what, {what, live, bytes}}, bytes, instruction);
        Result<std::byte*> data = machine.allocate(bytes);
        if (!data) {
            Error error = data.error();
            error.where = what;
            return refuse(std::move(error), bytes, instruction);
        }
        live += bytes;
        return data;
    }

    Error refuse(Error error, Bytes bytes, int instruction) const
    {
        if (options.onRefused)
            options.onRefused({error, bytes, live, instruction});
        return error;
    }

    Result<void> takeResident(std::byte*& out, Bytes bytes, const std::string& what)
    {
        const Result<std::byte*> data = take(bytes, what);
        if (!data)
            return data.error();
        resident.push_back({*data, bytes});
        out = *data;
        return {};
    }

    Result<void> takeWeight(std::vector<std::byte*>& list, const Parameter& parameter, const char* what)
    {
        return takeResident(list.emplace_back(), parameter.bytes, std::string(what) + parameter.name);
    }

    Result<void> takeState(std::vector<float*>& list, const Parameter& parameter, const char* what)
    {
        std::byte* data = nullptr;
        if (auto taken = takeResident(data, parameter.stateBytes, std::string(what) + parameter.name); !taken)
            return taken;
        list.push_back(reinterpret_cast<float*>(data));
        return {};
    }

    Result<void> prepareWeight(std::size_t p)
    {
        const Parameter& parameter = tape.parameters[p];
        if (auto taken = takeWeight(weights, parameter, ""); !taken)
            return taken;
        if (tape.setup.optimizer == OptimizerKind::AdamW) {
            for (auto* list : {&momenta, &variances}) {
                if (auto taken = takeState(*list, parameter, "moment of "); !taken)
                    return taken;
                machine.fillZero(parameter.stateBytes, reinterpret_cast<std::byte*>(list->back()));
            }
        }
        if (tape.setup.masterWeights)
            if (auto taken = takeState(masters, parameter, "master copy of "); !taken)
                return taken;
        machine.initialize(
            parameter, storage, mix(options.seed, kWeightSalt), p, weights[p], masters.empty() ? nullptr : masters[p]);
        if (tape.setup.hasGradientsInBase())
            return takeWeight(baseGradients, parameter, "gradient of ");
        return {};
    }

    Result<void> prepare()
    {
        std::byte* workspace = nullptr;
        if (tape.base.workspace.value > 0) {
            if (auto taken = takeResident(workspace, tape.base.workspace, "workspace"); !taken)
                return taken;
            machine.useWorkspace(workspace);
        }
        for (std::size_t p = 0; p < tape.parameters.size(); ++p)
            if (auto prepared = prepareWeight(p); !prepared)
                return prepared;
        const Bytes idBytes{tape.base.inputs.value / 2};
        for (std::int32_t** ids : {&tokens, &targets}) {
            std::byte* data = nullptr;
            if (auto taken = takeResident(data, idBytes, "token ids"); !taken)
                return taken;
            *ids = reinterpret_cast<std::int32_t*>(data);
        }
        blocks.resize(program.buffers.size());
        return {};
    }

    std::byte* data(int buffer) const { return buffer < 0 ? nullptr : blocks[at(buffer)].data; }

    OpRun operands(const Instruction& step, std::uint64_t seed) const
    {
        const OpCall& call = program.calls[at(step.call)];
        const Op& op = tape.tapeOf(step.stage).ops[at(step.op)];
        OpRun run;
        run.op = &op;
        run.storage = storage;
        run.randomSeed = seed;
        run.randomStream
            = static_cast<std::uint64_t>(step.stage) * kMaxOpsOfStage + static_cast<std::uint64_t>(step.op);
        run.lossScale = 1.0F / static_cast<float>(tape.setup.microBatches);
        run.tokens = tokens;
        run.targets = targets;
        for (const int b : call.reads)
            run.reads.push_back(data(b));
        for (const int b : call.writes)
            run.writes.push_back(data(b));
        for (const int b : call.backwardReads)
            run.backwardReads.push_back(data(b));
        for (const int b : call.gradientsIn)
            run.gradientsIn.push_back(data(b));
        for (const OpCall::Target& target : call.gradientsOut)
            run.gradientsOut.push_back({data(target.buffer), target.accumulates});
        for (std::size_t k = 0; k < op.parameters.size(); ++k) {
            const int parameter = tape.stages[at(step.stage)].parameters[at(op.parameters[k])];
            run.parameters.push_back(weights[at(parameter)]);
            if (step.kind == Instruction::Kind::Backward)
                run.weightGradients.push_back(
                    {baseGradients.empty() ? data(call.weightGradients[k].buffer) : baseGradients[at(parameter)],
                        call.weightGradients[k].accumulates});
        }
        run.workspace = data(call.workspace);
        return run;
    }

    void enter(StepPhase next)
    {
        phase = next;
        if (options.onPhase)
            options.onPhase(next);
        notePeak();
    }

    void notePeak()
    {
        Bytes& most = phasePeaks[static_cast<std::size_t>(phase)];
        most = std::max(most, live);
    }

    Result<void> allocate(int index)
    {
        const int buffer = program.instructions[at(index)].buffer;
        const Buffer& row = program.buffers[at(buffer)];
        const Result<std::byte*> data = take(row.bytes, row.name, index);
        if (!data)
            return data.error();
        blocks[at(buffer)] = {*data, row.bytes};
        notePeak();
        if (live > peak) {
            peak = live;
            peakInstruction = index;
        }
        return {};
    }

    void release(int buffer)
    {
        Block& block = blocks[at(buffer)];
        machine.release(block.data, block.bytes);
        live -= block.bytes;
        block.data = nullptr;
    }

    std::byte* gradient(std::size_t parameter) const
    {
        return baseGradients.empty() ? data(program.gradientOf[parameter]) : baseGradients[parameter];
    }

    Result<void> showGradients()
    {
        std::vector<std::byte> room;
        for (std::size_t p = 0; p < tape.parameters.size(); ++p) {
            const std::int64_t bytes = tape.parameters[p].elements * bytesOf(storage);
            const auto shown = machine.onHost({gradient(p), static_cast<std::size_t>(bytes)}, room);
            if (!shown)
                return shown.error();
            options.onGradient(tape.parameters[p], *shown);
        }
        return {};
    }

    void update()
    {
        if (tape.setup.optimizer == OptimizerKind::None)
            return;
        const auto stateOf
            = [](const std::vector<float*>& list, std::size_t p) { return list.empty() ? nullptr : list[p]; };
        for (std::size_t p = 0; p < tape.parameters.size(); ++p)
            machine.update(tape.setup.optimizer, stepsDone + 1,
                {&tape.parameters[p], storage, weights[p], gradient(p), stateOf(momenta, p), stateOf(variances, p),
                    stateOf(masters, p)});
    }

    /// Adds a micro-batch's share to the step's loss.
    Result<void> readLoss(const Block& block, double& loss)
    {
        std::vector<std::byte> room;
        const auto shown = machine.onHost({block.data, sizeof(float)}, room);
        if (!shown)
            return shown.error();
        loss += static_cast<double>(asFloats(*shown).front()) / static_cast<double>(tape.setup.microBatches);
        return {};
    }

    void drawInputs(std::uint64_t seed) const
    {
        const std::int64_t count = tape.setup.batch * tape.setup.sequence;
        machine.drawTokens(seed, kTokenStream, count, tape.shape.vocabulary, tokens);
        machine.drawTokens(seed, kTargetStream, count, tape.shape.vocabulary, targets);
    }

    /// Frees what a stopped or failed step left behind.
    void releaseAll()
    {
        for (std::size_t b = 0; b < blocks.size(); ++b)
            if (blocks[b].data)
                release(static_cast<int>(b));
    }

    Result<void> runMicroBatch(std::uint64_t seed, Nanoseconds start, StepObservation& seen)
    {
        drawInputs(seed);
        for (auto& counts : seen.forwardsOfOp)
            std::fill(counts.begin(), counts.end(), 0);
        seen.points.clear();
        const int count = static_cast<int>(program.instructions.size());
        enter(StepPhase::Forward);
        for (int i = 0; i < count; ++i) {
            const Instruction& step = program.instructions[at(i)];
            if (i == firstBackward)
                enter(StepPhase::Backward);
            switch (step.kind) {
            case Instruction::Kind::Allocate:
                if (auto allocated = allocate(i); !allocated)
                    return allocated;
                break;
            case Instruction::Kind::Release:
                if (step.buffer == program.lossBuffer)
                    if (auto read = readLoss(blocks[at(step.buffer)], seen.loss); !read)
                        return read;
                release(step.buffer);
                break;
            case Instruction::Kind::Forward:
            case Instruction::Kind::Backward:
                if (options.stop.stop_requested())
                    return Error{&kRunStopped, "", {}};
                if (options.onProgress)
                    options.onProgress(i, count);
                if (step.kind == Instruction::Kind::Forward) {
                    ++seen.forwardsOfOp[at(step.stage)][at(step.op)];
                    machine.forward(operands(step, seed));
                } else {
                    machine.backward(operands(step, seed));
                }
                break;
            case Instruction::Kind::OptimizerStep:
                break;
            }
            if (options.recordsPoints)
                seen.points.push_back({options.clock() - start, live, i});
        }
        return {};
    }

    /// All micro-batches and the optimizer step.
    Result<void> runWhole(Nanoseconds start, StepObservation& seen)
    {
        for (std::int64_t k = 0; k < tape.setup.microBatches; ++k) {
            const std::uint64_t seed
                = mix(options.seed, static_cast<std::uint64_t>(stepsDone * tape.setup.microBatches + k));
            if (auto ran = runMicroBatch(seed, start, seen); !ran)
                return ran;
        }
        if (auto finished = machine.finish(); !finished)
            return finished;
        enter(StepPhase::Optimizer);
        const Nanoseconds beforeUpdate = options.clock();
        if (options.onGradient)
            if (auto shown = showGradients(); !shown)
                return shown;
        update();
        if (auto finished = machine.finish(); !finished)
            return finished;
        const Nanoseconds end = options.clock();
        seen.time = end - start;
        seen.optimizerTime = end - beforeUpdate;
        return {};
    }
};

Executor::Executor(const StepTape& tape, const Program& program, Machine& machine, ExecutorOptions options)
    : m_state(new State{tape, program, machine, std::move(options)})
{ }

Executor::~Executor()
{
    m_state->releaseAll();
    for (auto block = m_state->resident.rbegin(); block != m_state->resident.rend(); ++block)
        m_state->machine.release(block->data, block->bytes);
}

Result<std::unique_ptr<Executor>> Executor::create(
    const StepTape& tape, const Program& program, Machine& machine, ExecutorOptions options)
{
    std::unique_ptr<Executor> executor(new Executor(tape, program, machine, std::move(options)));
    if (auto prepared = executor->m_state->prepare(); !prepared)
        return prepared.error();
    return executor;
}

Result<StepObservation> Executor::runStep()
{
    State& s = *m_state;
    StepObservation seen;
    for (int stage = 0; stage < static_cast<int>(s.tape.stages.size()); ++stage)
        seen.forwardsOfOp.emplace_back(s.tape.tapeOf(stage).ops.size(), 0);
    s.peak = s.live;
    s.peakInstruction = 0;
    s.phasePeaks = {};
    const Nanoseconds start = s.options.clock();
    for (std::size_t p = 0; p < s.baseGradients.size(); ++p)
        s.machine.fillZero(s.tape.parameters[p].bytes, s.baseGradients[p]);
    const Result<void> ran = s.runWhole(start, seen);
    s.releaseAll();
    if (!ran)
        return ran.error();
    ++s.stepsDone;
    seen.peak = s.peak;
    seen.phasePeaks = s.phasePeaks;
    seen.peakInstruction = s.peakInstruction;
    return seen;
}

} // namespace remat
