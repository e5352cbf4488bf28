// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <nlohmann/json.hpp>

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
        const std::string line = requestLine(request);
        QCOMPARE(line.find('\n'), std::string::npos);
        const Result<RunRequest> read = parseRunRequest(line, "request");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(requestLine(*read), line);
        QCOMPARE(read->plan.prediction.peak, request.plan.prediction.peak);
        QCOMPARE(read->memoryLimit.value(), 1_GiB);
        QCOMPARE(read->device.value(), *request.device);
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

    void onlyTheRuntimeProfileRuns()
    {
        const ModelShape shape = findPreset("tiny-gpt2").value();
        TrainingSetup setup;
        setup.profile = Profile::Article;
        setup = withDefaults(shape, setup);
        const StepTape tape = buildStepTape(shape, setup, {});
        const Plan plan = derivePlan(tape, sizesOfThisCpu(1), keepSetsOf({Strategy::Kind::None}, tape, {}, {0}));
        const Result<void> runnable = checkRunnable(plan);
        QVERIFY(!runnable);
        QCOMPARE(static_cast<int>(runnable.error().exitCode()), 3);
    }
};

QTEST_APPLESS_MAIN(RunRequestTest)
#include "run_request_test.moc"
