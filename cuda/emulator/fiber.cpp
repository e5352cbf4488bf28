// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulator/fiber.h"

#include <sys/mman.h>

#include <new>

#include "cuda/emulator/address_sanitizer.h"

#if defined(__x86_64__) && !defined(REMAT_FIBER_UCONTEXT)
// remat_switch_stack(void** save [rdi], void* to [rsi]): leaves what the System V ABI says a call preserves on this
// stack, and returns on the other one.  The floating-point control words are left out: no kernel changes them.
asm(R"(
    .text
    .p2align 4
    .type remat_switch_stack, @function
remat_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq  %rsp, (%rdi)
    movq  %rsi, %rsp
    popq  %r15
    popq  %r14
    popq  %r13
    popq  %r12
    popq  %rbx
    popq  %rbp
    ret
    .size remat_switch_stack, .-remat_switch_stack
)");
extern "C" void remat_switch_stack(void** save, void* to);
#endif

namespace remat::cuda {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kStackBytes = std::size_t{256} << 10; // the sanitizers' frames are several times as large

/// The fiber being entered for the first time: a fresh stack has no room for an argument.
thread_local Fiber* entering = nullptr;

} // namespace

Fiber::Fiber()
{
    void* memory = mmap(
        nullptr, kPageBytes + kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    mprotect(memory, kPageBytes, PROT_NONE);
    m_stack = static_cast<std::byte*>(memory) + kPageBytes;
#if defined(__x86_64__) && !defined(REMAT_FIBER_UCONTEXT)
    // What the first switch pops: six registers and where to go; above it the return address of nobody, which also
    // puts the stack where the ABI wants it on entry to a function.
    auto* top = reinterpret_cast<void**>(m_stack + kStackBytes) - 8;
    for (int i = 0; i < 8; ++i)
        top[i] = nullptr;
    top[6] = reinterpret_cast<void*>(&Fiber::liveCurrent);
    m_here = top;
#else
    getcontext(&m_here);
    m_here.uc_stack.ss_sp = m_stack;
    m_here.uc_stack.ss_size = kStackBytes;
    m_here.uc_link = nullptr;
    makecontext(&m_here, &Fiber::liveCurrent, 0);
#endif
}

Fiber::~Fiber()
{
    m_function = nullptr;
    resume(); // so that the sanitizer forgets the stack
    unpoison(m_stack, kStackBytes);
    munmap(m_stack - kPageBytes, kPageBytes + kStackBytes);
}

void Fiber::start(Function function, void* context)
{
    m_function = function;
    m_context = context;
    m_isBusy = true;
    resume();
}

void Fiber::resume()
{
    entering = this;
    void* callersFakeStack = nullptr;
    startSwitch(&callersFakeStack, m_stack, kStackBytes);
#if defined(__x86_64__) && !defined(REMAT_FIBER_UCONTEXT)
    remat_switch_stack(&m_caller, m_here);
#else
    swapcontext(&m_caller, &m_here);
#endif
    finishSwitch(callersFakeStack, nullptr, nullptr);
}

void Fiber::pause()
{
    startSwitch(m_function == nullptr ? nullptr : &m_fakeStack, m_callerStack, m_callerStackBytes);
#if defined(__x86_64__) && !defined(REMAT_FIBER_UCONTEXT)
    remat_switch_stack(&m_here, m_caller);
#else
    swapcontext(&m_here, &m_caller);
#endif
    finishSwitch(m_fakeStack, &m_callerStack, &m_callerStackBytes);
}

void Fiber::live()
{
    finishSwitch(nullptr, &m_callerStack, &m_callerStackBytes);
    while (m_function != nullptr) {
        m_function(m_context);
        m_isBusy = false;
        pause();
    }
    pause(); // for ever
}

void Fiber::liveCurrent()
{
    entering->live();
}

} // namespace remat::cuda
