/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/terminal/limit.h"

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const rlim_t least = (rlim_t)768 << 20, per_byte = 100;

/* The memory of the address and thread sanitizers counts as the process's data. */
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#elif defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED true
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

void limitMemory(int count, char *const *words)
{
    struct rlimit limit;
    struct stat status;
    rlim_t most = least;
    if (SANITIZED || getrlimit(RLIMIT_DATA, &limit) != 0) return;
    for (int i = 0; i < count; i++)
        if (stat(words[i], &status) == 0 && S_ISREG(status.st_mode)) most += per_byte * (rlim_t)status.st_size;
    if (limit.rlim_cur <= most) return; /* RLIM_INFINITY is above all */
    limit.rlim_cur = most;
    setrlimit(RLIMIT_DATA, &limit);
}
