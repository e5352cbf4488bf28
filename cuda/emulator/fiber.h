// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#if !defined(__x86_64__) || defined(REMAT_FIBER_UCONTEXT)
#include <ucontext.h>
#endif

namespace remat::cuda {

/// A stack of its own, on which a function runs, pauses half-way and goes on later.  All by one thread of the system.
///
///   fiber.start(function, context);   // runs function(context) until it pauses or returns
///   while (fiber.isBusy())
///       fiber.resume();               // on from where it called fiber.pause()
///
/// A switch costs a call and the saving of six registers on x86-64; elsewhere it is ucontext's, with its two system
/// calls.  The address sanitizer is told of every switch.  A function must be done before its fiber is destroyed, and
/// must not throw.
class Fiber {
public:
    using Function = void (*)(void* context);

    /// Throws std::bad_alloc without room for a stack.  Its pages become memory only when touched; below it lies one
    /// that may not be.
    Fiber();
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    void start(Function function, void* context);
    void resume();
    /// To be called by the function that runs here.
    void pause();
    bool isBusy() const { return m_isBusy; }

private:
    void live();
    static void liveCurrent();

    std::byte* m_stack = nullptr;
    Function m_function = nullptr; // null: the fiber's life ends when it is entered
    void* m_context = nullptr;
    bool m_isBusy = false;
#if defined(__x86_64__) && !defined(REMAT_FIBER_UCONTEXT)
    void* m_here = nullptr;
    void* m_caller = nullptr;
#else
    ucontext_t m_here{};
    ucontext_t m_caller{};
#endif
    // What the address sanitizer keeps per stack.
    void* m_fakeStack = nullptr;
    const void* m_callerStack = nullptr;
    std::size_t m_callerStackBytes = 0;
};

} // namespace remat::cuda
