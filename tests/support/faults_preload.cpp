// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program (LD_PRELOAD), it stands for a system that is out of order:
//   REMAT_FAULT_ALLOCATION=N   the N-th allocation of main(), from 1, throws std::bad_alloc
//   REMAT_FAULT_THREAD=N       the N-th thread is refused
//   REMAT_FAULT_CLOCK=SECONDS  the wall clock is set forth and back by so much between one look and the next
//   REMAT_FAULT_PROGRAM=NAME   only in the program whose name in /proc/self/comm begins so
// A fault that has come is told on standard error.
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

std::atomic<bool> isInMain{false};
std::atomic<long> allocations{0}, threads{0}, looks{0};
long faultyAllocation = 0, faultyThread = 0, jump = 0;

long numberOf(const char* name)
{
    const char* text = std::getenv(name);
    return text ? std::strtol(text, nullptr, 10) : 0;
}

bool isMeant()
{
    const char* wanted = std::getenv("REMAT_FAULT_PROGRAM");
    char name[32] = {};
    const int file = ::open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file >= 0 ? ::read(file, name, sizeof name - 1) : 0;
    ::close(file);
    return !wanted || (size > 0 && std::strncmp(name, wanted, std::strlen(wanted)) == 0);
}

void tell(const char* text)
{
    const ssize_t ignored = ::write(STDERR_FILENO, text, std::strlen(text));
    (void)ignored;
}

using Main = int (*)(int, char**, char**);
Main realMain = nullptr;

/// Constructors before it may not fail: nobody could catch that.
int watchedMain(int count, char** words, char** environment)
{
    if (isMeant()) {
        faultyAllocation = numberOf("REMAT_FAULT_ALLOCATION");
        faultyThread = numberOf("REMAT_FAULT_THREAD");
        jump = numberOf("REMAT_FAULT_CLOCK");
    }
    isInMain = true;
    const int result = realMain(count, words, environment);
    isInMain = false;
    return result;
}

timespec wrongTime(clockid_t clock)
{
    timespec time{};
    ::syscall(SYS_clock_gettime, clock, &time);
    if (looks.fetch_add(1) % 2 == 1)
        time.tv_sec += jump;
    return time;
}

} // namespace

extern "C" {

int __libc_start_main(Main main, int count, char** words, void (*init)(), void (*fini)(), void (*loader)(), void* stack)
{
    realMain = main;
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    static const auto start = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
    return start(watchedMain, count, words, init, fini, loader, stack);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument)
{
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
    if (isInMain && ++threads == faultyThread) {
        tell("fault: thread\n");
        return EAGAIN;
    }
    return create(thread, attributes, work, argument);
}

int clock_gettime(clockid_t clock, timespec* time)
{
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
        return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
    *time = wrongTime(clock);
    return 0;
}

int gettimeofday(timeval* time, void* /*zone*/)
{
    const timespec now = wrongTime(CLOCK_REALTIME);
    *time = {now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t* result)
{
    const time_t now = wrongTime(CLOCK_REALTIME).tv_sec;
    if (result)
        *result = now;
    return now;
}

} // extern "C"

void* operator new(std::size_t size)
{
    if (isInMain && ++allocations == faultyAllocation) {
        tell("fault: allocation\n");
        throw std::bad_alloc();
    }
    if (void* memory = std::malloc(size > 0 ? size : 1))
        return memory;
    throw std::bad_alloc();
}
