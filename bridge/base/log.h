/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/log.h: the last error of a thread, and the only output of the library. Nothing is printed unasked: ukLog
 * prints under UKODE_VERBOSE only, and ukLogWarning (an invalid UKODE_* value) waits for the process's first step,
 * because a preloaded library is in every child process, most of which do not use ODE. */
#ifndef UKODE_BRIDGE_BASE_LOG_H
#define UKODE_BRIDGE_BASE_LOG_H

#include <stdbool.h>

/* Stores the error of this thread for ukGetLastError: a status of solvers/base/status.h and its particulars, cut at 255
 * characters. Returns the status. */
int ukErrorSet(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
unsigned ukErrorCount(void); /* how many this thread has had: whether one was set since */
/* Ensures that a failure has a message of its status: if none was set since ukErrorCount was `errors`, that of
 * ukErrorText. Returns status; allocates nothing. Public functions call it at their end, so that the functions that
 * they call need not. */
int ukErrorEnsure(int status, unsigned errors);
int ukErrorStatus(void);             /* 0: none yet */
const char *ukErrorMessage(void);    /* "": none yet; the thread's own storage, until its next ukErrorSet */
const char *ukErrorText(int status); /* describes a status in words; never NULL; static storage */
const char *ukErrorName(int status); /* a status in one word, such as "singular"; "unknown" if it is not a status */

/* Prints one line on stderr, with "ukode: " before it; nothing unless verbose. */
void ukLog(const char *format, ...) __attribute__((format(printf, 1, 2)));
void ukLogSetVerbose(bool verbose);
bool ukLogIsVerbose(void);

/* Prints one line in any case: a fault of ukode itself, found by a debug build. */
void ukLogFault(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints one line in any case, at the first step. At most 8 lines wait. */
void ukLogWarning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Called at every step, whoever takes it; prints what waits, once. */
void ukLogFirstStep(void);

#endif
