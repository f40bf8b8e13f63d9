/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/tell/trace.h: the states after every step of a process (UKODE_TRACE). It is told of every step, whoever took
 * it, and passes that on to the summary (bridge/tell/summary.h).
 *
 * The trace is a file of records, one a step, in the machine's own byte order; records are appended, each by one
 * write, so that the processes of a program may share a file and nothing is lost when one of them aborts.
 *
 *     ukTraceHeader
 *     bodies x ukTraceBody         in order of creation
 *     reactions x ukTraceReaction  joints that have a dJointFeedback, in order of creation
 *
 * Every record says what it is, how long it is and which step of its world, and has a checksum: a reader
 * (plugin/cli/trace_file.h) can name what is not as it was written. */
#ifndef UKODE_BRIDGE_TELL_TRACE_H
#define UKODE_BRIDGE_TELL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ukTraceMagic = 0x52544b55 /* "UKTR" */, ukTraceVersion = 2 };

typedef struct ukTraceHeader {
    uint32_t magic, version;
    uint64_t checksum; /* ukTraceChecksum of the record */
    uint32_t size;     /* of the whole record [bytes] */
    int32_t process;   /* pid */
    int32_t world;     /* 1 for the process's first stepped world, and so on */
    uint32_t step;     /* of this world in this process, from 1 */
    uint32_t bodies, reactions;
    uint32_t ours;                   /* 1: the step was ukode's; 0: ODE's own */
    int32_t status;                  /* of a step that ukode left to ODE: why; else 0 */
    double time, h;                  /* after the step, counted from the world's first [s]; step size [s] */
    double seconds;                  /* wall time of the step call */
    double kinetic, potential;       /* of all dynamic bodies; potential is -m g x [J] */
    double position_error, residual; /* of ukode's report: largest |phi|, largest scaled residual; 0 for ODE's steps */
} ukTraceHeader;

typedef struct ukTraceBody {
    double x[3], q[4], v[6]; /* as in ukState (bridge/world/state.h) */
} ukTraceBody;

typedef struct ukTraceReaction {
    int32_t type, reserved;            /* dJointType; 0 */
    double f1[3], t1[3], f2[3], t2[3]; /* dJointFeedback */
} ukTraceReaction;

/* Over the record's 64-bit words, its checksum taken as 0: each word changes the sum one to one, so that no change of a
 * single word is missed, and the turn carries all bits to all. `size`: a multiple of 8. */
static inline uint64_t ukTraceChecksum(const void *record, size_t size)
{
    uint64_t sum = 0xcbf29ce484222325u, word;
    for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, (const char *)record + at, sizeof word);
        if (at == offsetof(ukTraceHeader, checksum)) word = 0;
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum = sum << 29 | sum >> 35;
    }
    return sum;
}

struct ukWorld;

/* One step of `world` has been taken: h [s], wall time [s], by ukode or by ODE's own stepper. A step that ukode was
 * asked for and left to ODE (ours false, the world enabled) is a fallback; the thread's last error is its reason. Cheap
 * when neither trace nor summary was asked for. */
void ukTraceStep(struct ukWorld *world, double h, double seconds, bool ours);

/* A step of `world` failed and nobody took it: it is in the summary, with the thread's last error as its reason. */
void ukTraceFailed(struct ukWorld *world);

/* Set once at load; NULL: not wanted. The names are copied: of the trace, of the summary, of the command's pipe. */
void ukTraceOpen(const char *trace, const char *report, const char *pipe);
bool ukTraceWanted(void);
/* At exit: writes the summary's last line. ODE may be closed by then. */
void ukTraceClose(void);

#endif
