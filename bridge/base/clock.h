/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/clock.h: wall time, for the duration of steps. */
#ifndef UKODE_BRIDGE_BASE_CLOCK_H
#define UKODE_BRIDGE_BASE_CLOCK_H

#include <time.h>

/* [s], from some moment on */
static inline double ukSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
