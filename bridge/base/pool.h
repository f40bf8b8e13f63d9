/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/pool.h: the threads of the process that share the work of a step. They are created when they are first
 * needed, sleep between jobs, and end with the library; a forked child begins without any. */
#ifndef UKODE_BRIDGE_BASE_POOL_H
#define UKODE_BRIDGE_BASE_POOL_H

enum { ukPoolMost = 64 }; /* threads at most, the caller's included */

/* Calls task(context, k) once for each k of 0 ... tasks - 1, in any order, from the calling thread and at most threads
 * - 1 others, with the caller's floating-point environment; returns when all are done. With fewer threads where the
 * system has no more, with the caller alone while another world's step has the pool. */
void ukPoolRun(int threads, int tasks, void (*task)(void *context, int k), void *context);

#endif
