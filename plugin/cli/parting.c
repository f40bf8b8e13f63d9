/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/cli/parting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double apart = 1e-6; /* [m or rad] */

typedef struct Farthest {
    int body;
    double position, angle; /* of that body [m, rad] */
} Farthest;

/* the body that is farthest from where the other run has it, in metres and radians alike */
static Farthest farthest(const ukTraceHeader *x, const ukTraceHeader *y)
{
    const ukTraceBody *const p = traceBodies(x), *const q = traceBodies(y);
    Farthest found = {0, 0, 0};
    for (uint32_t i = 0; i < x->bodies && i < y->bodies; i++) {
        double position = 0, minus = 0, plus = 0;
        for (int k = 0; k < 3; k++) position += (p[i].x[k] - q[i].x[k]) * (p[i].x[k] - q[i].x[k]);
        for (int k = 0; k < 4; k++) {
            minus += (p[i].q[k] - q[i].q[k]) * (p[i].q[k] - q[i].q[k]);
            plus += (p[i].q[k] + q[i].q[k]) * (p[i].q[k] + q[i].q[k]);
        }
        const double angle = 4 * asin(fmin(sqrt(fmin(minus, plus)) / 2, 1));
        position = sqrt(position);
        if (fmax(position, angle) > fmax(found.position, found.angle)) found = (Farthest){(int)i + 1, position, angle};
    }
    return found;
}

static double largest(const double *a, const double *b, double *size)
{
    double difference = 0;
    *size = 0;
    for (int k = 0; k < 3; k++) {
        difference = fmax(difference, fabs(a[k] - b[k]));
        *size = fmax(*size, fabs(a[k]));
    }
    return difference;
}

/* the reaction that differs most, in its force or its torque */
static void tellReaction(const ukTraceHeader *x, const ukTraceHeader *y, char *text, size_t size)
{
    static const char *const types[] = {"joint",  "ball",  "hinge",  "slider",      "contact",      "universal",
                                        "hinge2", "fixed", "null",   "amotor",      "lmotor",       "plane2d",
                                        "pr",     "pu",    "piston", "double ball", "double hinge", "transmission"};
    const ukTraceReaction *const f = traceReactions(x), *const g = traceReactions(y);
    double most = 0, whole = 0;
    const char *what = "";
    int joint = -1;
    for (uint32_t i = 0; i < x->reactions && i < y->reactions; i++) {
        double force, torque;
        const double by_force = largest(f[i].f1, g[i].f1, &force), by_torque = largest(f[i].t1, g[i].t1, &torque);
        if (by_force > most) most = by_force, whole = force, joint = (int)i, what = "force, N";
        if (by_torque > most) most = by_torque, whole = torque, joint = (int)i, what = "torque, N m";
    }
    if (x->reactions == 0 || y->reactions == 0)
        snprintf(text, size, "No joint has a dJointFeedback, so their reactions cannot be compared.");
    else if (joint < 0)
        snprintf(text, size, "All reactions are the same then.");
    else {
        const int32_t type = f[joint].type;
        const size_t known = sizeof types / sizeof *types;
        snprintf(
            text, size,
            "The reaction that differs most then is of the %s that is the %d. with feedback: by %.3g of %.3g (%s).",
            types[type >= 0 && (size_t)type < known ? type : 0], joint + 1, most, whole, what);
    }
}

void partingTell(const TraceWorld *native, const TraceWorld *ours, char *text, size_t size)
{
    const int count = native->count < ours->count ? native->count : ours->count;
    char reaction[300];
    for (int i = 0; i < count; i++) {
        const ukTraceHeader *const x = native->record[i], *const y = ours->record[i];
        const Farthest first = farthest(x, y), last = farthest(native->record[count - 1], ours->record[count - 1]);
        if (x->bodies == y->bodies && fmax(first.position, first.angle) <= apart) continue;
        tellReaction(x, y, reaction, sizeof reaction);
        snprintf(text, size,
                 "The runs part at step %d, %.4g s: body %d is %.3g m and %.3g rad from where it is natively. %s At "
                 "the end, "
                 "%.4g s, body %d is farthest: %.3g m, %.3g rad.",
                 i + 1, y->time, first.body, first.position, first.angle, reaction, ours->record[count - 1]->time,
                 last.body, last.position, last.angle);
        return;
    }
    snprintf(text, size,
             "The runs do not part: after each of %d steps no body is farther than %g m or rad from where it is "
             "natively.",
             count, apart);
}
