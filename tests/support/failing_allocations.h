/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/failing_allocations.h: the k-th allocation of the program fails. Included by one file of a test, whose
 * allocator it is; without effect under a sanitizer, which has its own. */
#ifndef UKODE_TESTS_FAILING_ALLOCATIONS_H
#define UKODE_TESTS_FAILING_ALLOCATIONS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 0
#elif !defined(OWN_ALLOCATOR)
#define OWN_ALLOCATOR 1
#endif

static bool armed;
static int count, failing; /* allocations while armed, and which of them fails, from 1; 0: none */

#if OWN_ALLOCATOR
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern const char __executable_start, etext;

/* Only what this program calls itself, ukode's objects among it: ODE aborts without memory, and LAPACK has its own. */
static bool denied(const void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    if (!armed || at < (uintptr_t)&__executable_start || at >= (uintptr_t)&etext) return false;
    if (++count != failing) return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return denied(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return denied(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
    return denied(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return denied(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}
#endif

static void arm(int k)
{
    count = 0;
    failing = k;
    armed = true;
}

/* whether there was one to fail */
static bool disarm(void)
{
    armed = false;
    return count >= failing;
}

#endif
