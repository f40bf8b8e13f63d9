/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/ode/ode.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

ukOdeFunctions ukOde;
bool ukOdeUnusable;
atomic_bool ukOdeResolved;

/* The next library's function, as a preloaded or first-linked library needs it, so that other interposers stay in the
 * chain. There is none behind this library if libode was loaded before it (-lode -lukode) or privately (dlopen with
 * RTLD_LOCAL): then libode itself is asked. */
static void *realFunction(void *libode, const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    return function || !libode ? function : dlsym(libode, name);
}

static void resolve(void)
{
    /* already in the process, because this library needs it; the handle is kept */
    void *libode = dlopen("libode.so.8", RTLD_NOLOAD | RTLD_LAZY);
    /* dlsym yields an object pointer, which C does not convert to a function pointer: POSIX says to copy its bytes */
#define UKODE_RESOLVE(function, ...)                                                                                   \
    {                                                                                                                  \
        void *const found = realFunction(libode, #function);                                                           \
        memcpy(&ukOde.function, &found, sizeof found);                                                                 \
        if (!found) ukOdeUnusable = true;                                                                              \
    }
    UKODE_WRAPPED(UKODE_RESOLVE)
#undef UKODE_RESOLVE
    if (!dCheckConfiguration("ODE_double_precision")) ukOdeUnusable = true;
    atomic_store_explicit(&ukOdeResolved, true, memory_order_release);
}

void ukOdeResolve(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, resolve);
}

/* before the constructors that read the environment and may want to call ODE */
__attribute__((constructor(101))) static void resolveAtLoad(void)
{
    ukOdeResolve();
}
