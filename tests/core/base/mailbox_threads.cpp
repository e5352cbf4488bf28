// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Two threads and one mailbox, for the thread sanitizer: what is taken is whole, in order, and the newest arrives.
#include <cstdio>
#include <memory>
#include <thread>

#include "core/base/mailbox.h"

namespace {

constexpr int kPosts = 20000;

/// A value whose two halves would disagree if it crossed torn; it lives on the heap so that its memory moves too.
struct Numbered {
    int number = 0;
    int negated = 0;
};

} // namespace

int main()
{
    remat::Mailbox<std::unique_ptr<Numbered>> mailbox;
    int replaced = 0;
    std::thread poster([&] {
        for (int i = 1; i <= kPosts; ++i) {
            if (mailbox.post(std::make_unique<Numbered>(Numbered{i, -i})))
                ++replaced;
            if (i % 16 == 0)
                std::this_thread::yield();
        }
    });

    int last = 0;
    int taken = 0;
    bool passed = true;
    while (last != kPosts) {
        const auto value = mailbox.take();
        if (!value) {
            std::this_thread::yield();
            continue;
        }
        passed = passed && (*value)->number == -(*value)->negated && (*value)->number > last;
        last = (*value)->number;
        ++taken;
    }
    poster.join();

    // Every post was either taken or replaced by a newer one.
    passed = passed && taken + replaced == kPosts && !mailbox.take();
    std::printf("mailbox_threads: %d taken, %d replaced, %s\n", taken, replaced, passed ? "passed" : "FAILED");
    return passed ? 0 : 1;
}
