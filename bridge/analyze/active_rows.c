/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/active_rows.h"

#include <math.h>
#include <string.h>

/* Number of rows that the joint writes at the states, to the scratch memory. */
static int countRows(ukJoint *joint, const ukState *const state[2], const ukRowContext *context)
{
    enum { Most = ukMaxJointRows };
    double J[12 * Most] = {0}, numbers[7][Most] = {{0}}, force[2][6] = {{0}};
    double lo[Most], hi[Most];
    int normal[Most];
    unsigned char flags[2][Most] = {{0}};
    for (int i = 0; i < Most; i++) lo[i] = -INFINITY, hi[i] = INFINITY, normal[i] = -1;
    ukRowSink sink = {.J = J,
                      .stride = state[1] ? 12 : 6,
                      .c = numbers[0],
                      .phi = numbers[1],
                      .target = numbers[2],
                      .erp = numbers[3],
                      .cfm = numbers[4],
                      .lo = lo,
                      .hi = hi,
                      .normal = normal,
                      .velocity = flags[0],
                      .discrete_only = flags[1],
                      .force_a = force[0],
                      .force_b = force[1]};
    return joint->class->rows(joint, state[0], state[1], context, &sink);
}

void ukActiveFindRows(ukJoint *joint, const ukIsland *island, const ukRowContext *context, int rows[3])
{
    const ukState *const state[2] = {&ukFrameOf(island, joint->body[0])->state,
                                     joint->body[1] ? &ukFrameOf(island, joint->body[1])->state : NULL};
    ukMotor was[3];
    memcpy(was, joint->motor, sizeof was);
    const ukMotor off = {.lo_stop = -INFINITY, .hi_stop = INFINITY, .fudge = 1};
    for (int k = 0; k < 3; k++) joint->motor[k] = off;
    const int others = countRows(joint, state, context);
    int next = others;
    for (int k = 0; k < 3; k++) {
        joint->motor[k] = was[k];
        const bool written = others >= 0 && countRows(joint, state, context) > others;
        joint->motor[k] = off;
        rows[k] = written ? next++ : -1;
    }
    memcpy(joint->motor, was, sizeof was);
}
