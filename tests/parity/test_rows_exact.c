/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact rows of every joint type, at random poses off the constraints:
 *   - between two bodies a row transmits one wrench: J_1l + J_2l = 0 and x_1 x J_1l + J_1a + x_2 x J_2l + J_2a = 0, and
 *   so
 *     does the motor that a stop turns into a force;
 *   - J v is the rate of the position error phi, whatever the motion (gears: test_rows_bias);
 *   - attached as (0, B) a stop of Euler angles holds, where ODE's drives the body on.
 * States are the test's own: nothing is stepped. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/joints/limit.h"
#include "bridge/world/frame.h"
#include "tests/check.h"
#include "tests/parity/joint_kind.h"

enum { Poses = 600, Rows = ukMaxJointRows };

static void sample(Oracle *o, const ukState s[2], OracleRows *out)
{
    ukJoint *joint = &o->row_maker;
    const ukRowContext context = {.h = o->h, .erp = 0.2, .cfm = 0, .exact = true};
    ukRowSink sink = oracleSink(joint, out, false);
    out->rows = joint->class->rows(joint, &s[0], joint->body[1] ? &s[1] : NULL, &context, &sink);
}

/* moved at the velocities for a time t */
static void along(const ukState from[2], double t, ukState to[2])
{
    for (int k = 0; k < 2; k++) {
        to[k] = from[k];
        const double theta[3] = {t * from[k].v[3], t * from[k].v[4], t * from[k].v[5]};
        for (int i = 0; i < 3; i++) to[k].x[i] += t * from[k].v[i];
        ukRotateBy(to[k].q, theta);
        ukStateOrient(&to[k]);
    }
}

/* bodies anywhere near where the joint was set up, moving somehow */
static void anyState(Oracle *o, double far, ukState s[2])
{
    ukState from[2];
    for (int k = 0; k < 2; k++) {
        from[k] = ukStateOf(o->row_maker.body[o->row_maker.body[1] ? k : 0]);
        for (int i = 0; i < 6; i++) from[k].v[i] = randomUniform(&o->random, -far, far);
    }
    along(from, 1, s);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 6; i++) s[k].v[i] = randomUniform(&o->random, -2, 2);
}

/* stops that may be passed, on one side or both, with motors and bounce */
static void stops(Oracle *o, const JointKind *kind)
{
    for (int k = 0; k < kind->groups; k++) {
        const int base = k * dParamGroup;
        const double lo = randomUniform(&o->random, -0.2, 0.1);
        kind->set_param(o->joint, base + dParamLoStop, randomBelow(&o->random, 4) ? lo : -dInfinity);
        kind->set_param(o->joint, base + dParamHiStop, randomBelow(&o->random, 4) ? lo + 0.1 : dInfinity);
        kind->set_param(o->joint, base + dParamFMax, randomUniform(&o->random, -5, 5));
        kind->set_param(o->joint, base + dParamVel, randomUniform(&o->random, -1, 1));
        kind->set_param(o->joint, base + dParamFudgeFactor, 0.5);
        kind->set_param(o->joint, base + dParamBounce, randomUniform(&o->random, -0.5, 0.5));
    }
    oracleNote(o, ukNoteParam, 0, 0, NULL);
}

/* what is left of two forces and torques, relative to what there is */
static double leftover(const ukState s[2], const double *on_a, const double *on_b)
{
    double sum[6] = {0}, size = 0;
    const double *const f[2] = {on_a, on_b};
    for (int k = 0; k < 2; k++) {
        double moment[3];
        ukCross(s[k].x, f[k], moment);
        for (int i = 0; i < 3; i++) {
            sum[i] += f[k][i];
            sum[3 + i] += moment[i] + f[k][3 + i];
            size = fmax(size, fmax(fabs(f[k][i]), fmax(fabs(moment[i]), fabs(f[k][3 + i]))));
        }
    }
    double worst = 0;
    for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(sum[i]));
    return size > 0 ? worst / size : 0;
}

/* Plane2D holds its first body to the world, whatever the second is. */
static int worldRows(const JointKind *kind)
{
    return kind->class == &ukPlane2DClass ? kind->class->velocity_rows : 0;
}

static void oneWrench(Oracle *o, const JointKind *kind, const ukState s[2], uint64_t seed)
{
    OracleRows r;
    sample(o, s, &r);
    if (!o->row_maker.body[1]) return;
    for (int i = worldRows(kind); i < r.rows; i++) {
        const double off = leftover(s, r.J + 12 * i, r.J + 12 * i + 6);
        if (!CHECK(off < 1e-12))
            printf("%s (mode %d), seed %d, row %d: %.3g\n", kind->class->name, kind->mode, (int)seed, i, off);
    }
    CHECK(leftover(s, r.force[0], r.force[1]) < 1e-12);
}

/* no stop was reached or left, and no angle jumped */
static bool sameRows(const OracleRows *x, const OracleRows *y)
{
    if (x->rows != y->rows) return false;
    for (int i = 0; i < x->rows; i++) {
        if (x->stop[i] != y->stop[i] || x->velocity[i] != y->velocity[i] || x->lo[i] != y->lo[i]) return false;
        if (fabs(x->phi[i] - y->phi[i]) > 0.1) return false;
        for (int k = i * x->stride; k < (i + 1) * x->stride; k++)
            if (fabs(x->J[k] - y->J[k]) > 0.01 * (1 + fabs(x->J[k]))) return false;
    }
    return true;
}

/* J v against the central difference of phi, to fourth order; returns how many rows */
static int gradient(Oracle *o, const JointKind *kind, const ukState s[2], uint64_t seed)
{
    static const double step = 1e-4;
    OracleRows here, before[2], after[2];
    ukState to[2];
    int compared = 0;
    sample(o, s, &here);
    for (int d = 0; d < 2; d++) {
        along(s, -(1 + d) * step, to);
        sample(o, to, &before[d]);
        jointKindCarry(&o->row_maker, &s[0], &to[0], &before[d]);
        along(s, (1 + d) * step, to);
        sample(o, to, &after[d]);
        jointKindCarry(&o->row_maker, &s[0], &to[0], &after[d]);
        if (!sameRows(&here, &before[d]) || !sameRows(&here, &after[d])) return 0;
    }
    for (int i = 0; i < here.rows; i++) {
        if (here.velocity[i]) continue;
        double rate[2], sum = 0, size = 1;
        for (int d = 0; d < 2; d++) rate[d] = (after[d].phi[i] - before[d].phi[i]) / (2 * (1 + d) * step);
        for (int k = 0; k < here.stride; k++) {
            sum += here.J[i * here.stride + k] * s[k / 6].v[k % 6];
            size = fmax(size, fabs(here.J[i * here.stride + k]));
        }
        const double best = rate[0] + (rate[0] - rate[1]) / 3;
        const bool fixed_angle = kind->class == &ukAMotorClass && kind->mode == dAMotorUser; /* the program's */
        if (!fixed_angle && !CHECK_NEAR(sum, best, 0.01 * fabs(rate[0] - rate[1]) + 1e-10 * size * size / step * 1e-2))
            printf("%s (mode %d), seed %d, row %d\n", kind->class->name, kind->mode, (int)seed, i);
        compared++;
    }
    return compared;
}

static void everyKind(const JointKind *kind)
{
    const bool gear = kind->class == &ukTransmissionClass;
    int compared = 0;
    for (uint64_t seed = 1; seed <= Poses; seed++) {
        Oracle o;
        ukState s[2];
        jointKindBuild(&o, seed + 3000000u, kind);
        if (kind->groups > 0 && randomBelow(&o.random, 3)) stops(&o, kind);
        anyState(&o, randomBelow(&o.random, 2) ? 0.05 : 0.6, s);
        oneWrench(&o, kind, s, seed);
        if (!gear) compared += gradient(&o, kind, s, seed);
        oracleEnd(&o);
    }
    printf("%-12s mode %d: %d rows\n", kind->class->name, kind->mode, compared);
    CHECK(gear || compared > Poses / 2 || kind->class == &ukLMotorClass);
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < JointKinds; k++) everyKind(&joint_kinds[k]);
    dCloseODE();
    return ukTestEnd();
}
