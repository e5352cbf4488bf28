// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Built twice: with the own switch, and with ucontext's (fiber.h).
#include <QTest>

#include <string>
#include <vector>

#include "cuda/emulator/fiber.h"

using remat::cuda::Fiber;

namespace {

struct Walk {
    Fiber fiber;
    std::string* diary;
    char name;
    int steps;
};

void walk(void* context)
{
    auto* self = static_cast<Walk*>(context);
    // Locals on the fiber's stack, of more than one page, which must outlive its pauses.
    volatile double memory[1024];
    double next = 0.0;
    for (volatile double& each : memory)
        each = next++;
    for (int i = 0; i < self->steps; ++i) {
        *self->diary += self->name;
        self->fiber.pause();
    }
    double sum = 0.0;
    for (const volatile double& each : memory)
        sum += each;
    *self->diary += sum == 1023.0 * 1024.0 / 2.0 ? '.' : '!';
}

void throwAndCatch(void* context)
{
    try {
        throw std::string("caught");
    } catch (const std::string& text) {
        *static_cast<std::string*>(context) = text;
    }
}

} // namespace

class FiberTest : public QObject {
    Q_OBJECT
private slots:
    void fibersTakeTurns()
    {
        std::string diary;
        Walk a{{}, &diary, 'a', 3}, b{{}, &diary, 'b', 1};
        a.fiber.start(walk, &a);
        b.fiber.start(walk, &b);
        while (a.fiber.isBusy() || b.fiber.isBusy())
            for (Walk* each : {&a, &b})
                if (each->fiber.isBusy())
                    each->fiber.resume();
        QCOMPARE(diary, std::string("aba.a."));
    }

    void oneFiberServesManyFunctions()
    {
        Fiber fiber;
        for (int i = 0; i < 1000; ++i) {
            std::string text;
            fiber.start(throwAndCatch, &text);
            QVERIFY(!fiber.isBusy());
            QCOMPARE(text, std::string("caught"));
        }
    }

    void aThousandFibersWaitAtOnce()
    {
        std::string diary;
        std::vector<Walk> walks(1024);
        for (Walk& each : walks) {
            each.diary = &diary;
            each.name = '-';
            each.steps = 1;
            each.fiber.start(walk, &each);
        }
        for (Walk& each : walks)
            each.fiber.resume();
        QCOMPARE(diary, std::string(1024, '-') + std::string(1024, '.'));
    }
};

QTEST_APPLESS_MAIN(FiberTest)
#include "fiber_test.moc"
