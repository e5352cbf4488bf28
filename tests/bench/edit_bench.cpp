// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// What a change costs in the window: the exact study of an edited request, fresh and with the memory of the study
// before the edit.  Times are the thread's own, the fastest of a few; read the ratios.  Both have the same frontier, or
// the program fails.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <utility>

#include "core/cost/devices.h"
#include "core/model/presets.h"
#include "core/plan/study.h"

namespace {

using namespace remat;

constexpr int kRepeats = 5;

struct Edit {
    const char* name;
    std::function<void(StudyRequest&)> apply;
};

const Edit kEdits[] = {
    {"batch + 1", [](StudyRequest& r) { ++r.setup.batch; }},
    {"sequence / 2", [](StudyRequest& r) { r.setup.sequence /= 2; }},
    {"another device", [](StudyRequest& r) { r.device = devices().find("h100-sxm").value(); }},
    {"layers + 1", [](StudyRequest& r) { ++r.shape.layers; }},
    {"layers / 2", [](StudyRequest& r) { r.shape.layers /= 2; }},
    {"pin the first layer",
        [](StudyRequest& r) {
            r.pins.push_back({0, "ffn", false});
        }},
    {"pin the middle layer",
        [](StudyRequest& r) {
            r.pins.push_back({static_cast<int>(r.shape.layers / 2), "ffn", false});
        }},
    {"another optimizer", [](StudyRequest& r) { r.setup.optimizer = OptimizerKind::Sgd; }},
    {"4 head chunks", [](StudyRequest& r) { r.setup.headChunks = 4; }},
    {"nothing", [](StudyRequest&) {}},
};

double threadMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Solved {
    Study study;
    double milliseconds;
};

Solved solve(const StudyRequest& request, StudyMemory* memory)
{
    const double begin = threadMilliseconds();
    Result<Study> study = Study::solve(request, {.threads = 1}, memory);
    const double taken = threadMilliseconds() - begin;
    if (!study) {
        std::fprintf(stderr, "%s\n", englishSentence(study.error()).c_str());
        std::exit(1);
    }
    return {*std::move(study), taken};
}

bool haveSamePoints(const Study& a, const Study& b)
{
    return std::equal(a.points().begin(), a.points().end(), b.points().begin(), b.points().end(),
        [](const StudyPoint& x, const StudyPoint& y) { return x.cost == y.cost; });
}

/// False where the frontiers differ.
bool bench(const char* model, std::int64_t layers, std::int64_t batch, std::int64_t sequence)
{
    StudyRequest request;
    request.shape = findPreset(model).value();
    request.shape.layers = layers;
    request.setup.batch = batch;
    request.setup.sequence = sequence;
    request.device = devices().find("a100-80").value();
    std::printf("%s, %d layers, batch %d, sequence %d\n", model, static_cast<int>(layers), static_cast<int>(batch),
        static_cast<int>(sequence));
    bool areSame = true;
    for (const Edit& edit : kEdits) {
        StudyRequest edited = request;
        edit.apply(edited);
        double fresh = 0, remembering = 0;
        for (int i = 0; i < kRepeats; ++i) {
            // The study before is still shown while the next is solved.
            StudyMemory memory;
            const Solved before = solve(request, &memory);
            const Solved alone = solve(edited, nullptr);
            const Solved after = solve(edited, &memory);
            areSame = areSame && haveSamePoints(alone.study, after.study);
            fresh = i == 0 ? alone.milliseconds : std::min(fresh, alone.milliseconds);
            remembering = i == 0 ? after.milliseconds : std::min(remembering, after.milliseconds);
        }
        std::printf("  %-22s fresh %8.2f ms, after an edit %8.2f ms: ratio %5.2f\n", edit.name, fresh, remembering,
            remembering / fresh);
    }
    return areSame;
}

} // namespace

int main()
{
    bool areSame = bench("gpt2-medium", 24, 8, 1024);
    areSame = bench("llama-3-8b", 32, 1, 8192) && areSame;
    areSame = bench("llama-3-70b", 126, 1, 8192) && areSame;
    areSame = bench("bert-large", 96, 8, 512) && areSame;
    if (!areSame)
        std::fprintf(stderr, "an edited study differs from a fresh one\n");
    return areSame ? 0 : 1;
}
