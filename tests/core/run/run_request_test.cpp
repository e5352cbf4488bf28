// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/cost/devices.h"
#include "core/run/emulated_work.h"
#include "core/run/local_plan.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

class RunRequestTest : public QObject {
    Q_OBJECT

private slots:
    void everyFieldComesBack()
    {
        RunRequest request{samplePlan("tiny-bert", Strategy::Kind::Full)};
        request.plan.budget = 512_MiB;
        request.steps = 7;
        request.seed = 99;
        request.threads = 2;
        request.checksGradients = true;
        request.enforcesBudget = true;
        request.memoryLimit = 1_GiB;
        request.device = sizesOfThisCpu(2);
        request.endsWithStandardInput = false;
        request.machine = RunMachine::Emulated;
        const std::string line = requestLine(request);
        QCOMPARE(line.find('\n'), std::string::npos);
        const Result<RunRequest> read = parseRunRequest(line, "request");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(requestLine(*read), line);
        QCOMPARE(read->plan.prediction.peak, request.plan.prediction.peak);
        QCOMPARE(read->memoryLimit.value(), 1_GiB);
        QCOMPARE(read->device.value(), *request.device);
        QCOMPARE(toName(read->machine), std::string_view("emulated"));
    }

    /// A mistake of whoever asks is bad usage (2), a mistake inside the plan bad input (3).
    void mistakesAreBlamedRightly_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("where");
        QTest::newRow("no steps") << "/steps"
                                  << "0" << 2 << "steps";
        QTest::newRow("too many threads") << "/threads"
                                          << "1000" << 2 << "threads";
        QTest::newRow("seed is text") << "/seed"
                                      << "\"x\"" << 2 << "seed";
        QTest::newRow("other format") << "/format"
                                      << "\"remat-plan\"" << 2 << "request";
        QTest::newRow("limit below zero") << "/memory_limit_bytes"
                                          << "-1" << 2 << "memory_limit_bytes";
        QTest::newRow("unknown machine") << "/machine"
                                         << "\"tpu\"" << 2 << "machine";
        QTest::newRow("plan is nothing") << "/plan"
                                         << "null" << 3 << "plan";
        QTest::newRow("peak was changed") << "/plan/prediction/peak_bytes"
                                          << "12345" << 3 << "prediction.peak_bytes";
        QTest::newRow("batch below zero") << "/plan/setup/batch"
                                          << "-4" << 3 << "batch";
    }

    void mistakesAreBlamedRightly()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(int, exitCode);
        QFETCH(QString, where);
        auto json = nlohmann::json::parse(requestLine({samplePlan("tiny-gpt2", Strategy::Kind::None)}));
        json[nlohmann::json::json_pointer(pointer.toStdString())] = nlohmann::json::parse(value.toStdString());
        const Result<RunRequest> read = parseRunRequest(json.dump(), "request");
        QVERIFY(!read);
        QCOMPARE(static_cast<int>(read.error().exitCode()), exitCode);
        QVERIFY2(read.error().where.find(where.toStdString()) != std::string::npos, read.error().where.c_str());
        QVERIFY(!englishRemedy(read.error()).empty());
    }

    void garbageIsBadUsage()
    {
        for (const char* text : {"", "hello", "{", "[]", "null", "{}"}) {
            const Result<RunRequest> read = parseRunRequest(text, "request");
            QVERIFY2(!read, text);
            QCOMPARE(static_cast<int>(read.error().exitCode()), 2);
        }
    }

    /// The plan of a card keeps its own figure; on this machine the granule is 64 B and the workspace 2 MiB a thread.
    void planOfAnotherDeviceIsDerivedAnew()
    {
        Device card = sizesOfThisCpu(1);
        card.name = "a-card";
        card.kind = DeviceKind::Cuda;
        card.granule = 512_B;
        card.threads = 0;
        const Plan plan = samplePlan("tiny-gpt2", Strategy::Kind::FfnOnly, card);
        RunRequest request{plan};
        request.threads = 2;
        QVERIFY(!predictsTime(request));
        const Plan local = planForThisMachine(plan, deviceOf(request));
        QCOMPARE(local.step->tape.traits, (MachineTraits{64_B, 4_MiB}));
        QCOMPARE(local.keep, plan.keep);
        QVERIFY(local.prediction.peak < plan.prediction.peak); // 32 MiB of workspace there
        request.device = sizesOfThisCpu(8);
        QVERIFY(predictsTime(request));
        QCOMPARE(deviceOf(request).threads, std::int64_t{2});
    }

    /// On a GPU the granule is 512 B and the workspace NVIDIA's 32 MiB; a row of scores takes one fp32 number.
    void aGpuHasItsOwnSizes()
    {
        RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::FfnOnly)};
        request.machine = RunMachine::Emulated;
        QVERIFY(!predictsTime(request));
        const Plan onGpu = planForThisMachine(request.plan, deviceOf(request));
        QCOMPARE(onGpu.step->tape.traits, (MachineTraits{512_B, 32_MiB, 4_B}));
        QCOMPARE(onGpu.keep, request.plan.keep);
        request.machine = RunMachine::Cuda;
        QVERIFY(!predictsTime(request)); // until who asks knows the GPU
    }

    /// Names as CUDA's drivers say them, of cards that the catalogue has.
    void aPlanIsTimedForItsOwnCard_data()
    {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("found");
        QTest::addColumn<double>("gib");
        QTest::addColumn<bool>("isSame");
        const auto row = [](const char* device, const char* found, double gib, bool isSame) {
            QTest::addRow("%s on %s", device, found) << device << found << gib << isSame;
        };
        row("a100-80", "NVIDIA A100-SXM4-80GB", 79.2, true);
        row("a100-80", "NVIDIA A100-SXM4-40GB", 39.4, false);
        row("a100-40", "NVIDIA A100-PCIE-40GB", 39.4, true);
        row("h200", "NVIDIA H200", 139.8, true);
        row("h100-sxm", "NVIDIA H100 80GB HBM3", 79.1, true);
        row("h100-sxm", "NVIDIA H100 NVL", 93.1, false);
        row("h200", "NVIDIA H100 80GB HBM3", 79.1, false);
        row("rtx-4090", "NVIDIA GeForce RTX 4090", 23.5, true);
        row("rtx-3090", "NVIDIA GeForce RTX 4090", 23.5, false);
        row("l40s", "NVIDIA L40S", 44.4, true);
        row("l4", "NVIDIA L40S", 44.4, false);
        row("t4", "Tesla T4", 14.6, true);
    }
    void aPlanIsTimedForItsOwnCard()
    {
        QFETCH(QString, device);
        QFETCH(QString, found);
        QFETCH(double, gib);
        QFETCH(bool, isSame);
        const Device card = devices().find(device.toStdString()).value();
        const Plan plan = samplePlan("tiny-gpt2", Strategy::Kind::None, card);
        const Bytes memory{static_cast<std::int64_t>(gib * 1073741824.0)};
        QCOMPARE(timedFor(plan, {found.toStdString(), "8.0", memory, memory}).has_value(), isSame);
        // Costs that were measured there have its name for a title.
        Device measured = card;
        measured.title = "Some GPU";
        QVERIFY(timedFor(samplePlan("tiny-gpt2", Strategy::Kind::None, measured), {"Some GPU", "8.0", {1}, {1}}));
    }

    /// A billion parameters would take the emulator hours; tiny-gpt2's sentence of 16 tokens a second or two.
    void theEmulatorRefusesLargeSteps()
    {
        QVERIFY(checkEmulatedWork(samplePlan("tiny-gpt2", Strategy::Kind::None)));
        const Result<void> refused = checkEmulatedWork(samplePlan("gpt2-large", Strategy::Kind::None));
        QVERIFY(!refused);
        QCOMPARE(static_cast<int>(refused.error().exitCode()), 3);
        QCOMPARE(refused.error().code->name, std::string_view("emulated-step-too-large"));
    }

    void onlyTheRuntimeProfileRuns()
    {
        const ModelShape shape = findPreset("tiny-gpt2").value();
        TrainingSetup setup;
        setup.profile = Profile::Article;
        setup = withDefaults(shape, setup);
        const StepTape tape = buildStepTape(shape, setup, {});
        const Plan plan = derivePlan(tape, sizesOfThisCpu(1), keepSetsOf({Strategy::Kind::None}, tape, {}, {0}));
        const Result<void> runnable = checkRunnable(plan, RunMachine::Cpu);
        QVERIFY(!runnable);
        QCOMPARE(static_cast<int>(runnable.error().exitCode()), 3);
    }
};

QTEST_APPLESS_MAIN(RunRequestTest)
#include "run_request_test.moc"
