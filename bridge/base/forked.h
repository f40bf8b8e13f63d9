/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/forked.h: recognizes forked children in which no handler of pthread_atfork ran, because _Fork or the
 * system calls fork and clone made them. The kernel wipes a page of memory in each child (MADV_WIPEONFORK, Linux 4.14),
 * by which one is recognized. It has none of its parent's threads, and must not wait for the locks that they held. */
#ifndef UKODE_BRIDGE_BASE_FORKED_H
#define UKODE_BRIDGE_BASE_FORKED_H

#include <stdbool.h>

/* Registers a function for such children; `handler`: for those of fork, too (pthread_atfork). False: no memory. */
bool ukForkedWatch(void (*child)(void), bool handler);

/* Calls the registered functions, in their order, at the first call in such a child process. To be called before
 * threads and their locks are used. */
void ukForkedCheck(void);

#endif
