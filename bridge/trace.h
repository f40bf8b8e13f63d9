/* bridge/trace.h: what the process's steps leave behind: a trace of states (UKODE_TRACE) and a summary (UKODE_REPORT).
 *
 * The trace is a file of records, one a step, in the machine's own byte order; records are appended, each by one
 * write, so that the processes of a program may share a file and nothing is lost when one of them aborts.
 *
 *     ukTraceHeader
 *     bodies x ukTraceBody         in order of creation
 *     reactions x ukTraceReaction  joints that have a dJointFeedback, in order of creation
 *
 * The summary is a file of lines of JSON, appended likewise: {"event":"start",...} at a process's first step, so that
 * a process that aborts has told that it stepped, and {"event":"end",...} at its exit. docs/conventions.md has both. */
#ifndef UKODE_BRIDGE_TRACE_H
#define UKODE_BRIDGE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

enum { ukTraceMagic = 0x31544b55 }; /* "UKT1" */

typedef struct ukTraceHeader {
    uint32_t magic, size; /* size of the whole record [bytes] */
    int32_t process;      /* pid */
    int32_t world;        /* 1 for the process's first stepped world, and so on */
    uint32_t bodies, reactions;
    uint32_t ours;                   /* 1: the step was ukode's; 0: ODE's own */
    int32_t status;                  /* of a step that ukode left to ODE: why; else 0 */
    double time, h;                  /* after the step, counted from the world's first [s]; step size [s] */
    double seconds;                  /* wall time of the step call */
    double kinetic, potential;       /* of all dynamic bodies; potential is -m g x [J] */
    double position_error, residual; /* of ukode's report: largest |phi|, largest scaled residual; 0 for ODE's steps */
} ukTraceHeader;

typedef struct ukTraceBody {
    double x[3], q[4], v[6]; /* as in bridge/joints.h's ukState */
} ukTraceBody;

typedef struct ukTraceReaction {
    int32_t type, reserved;            /* dJointType; 0 */
    double f1[3], t1[3], f2[3], t2[3]; /* dJointFeedback */
} ukTraceReaction;

struct ukWorld;

/* One step of `world` has been taken: h [s], wall time [s], by ukode or by ODE's own stepper. A step that ukode was
 * asked for and left to ODE (ours false, the world enabled) is a fallback; the thread's last error is its reason. Cheap
 * when neither trace nor summary was asked for. */
void ukTraceStep(struct ukWorld *world, double h, double seconds, bool ours);

/* Set once at load; NULL: not wanted. The names are copied. */
void ukTraceOpen(const char *trace, const char *report);
bool ukTraceWanted(void);
/* At exit: writes the summary's last line. ODE may be closed by then. */
void ukTraceClose(void);

#endif
