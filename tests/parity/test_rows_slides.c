/* SPDX-License-Identifier: BSD-3-Clause */
/* PR, PU and Piston: rows against ODE's own step in every way of attachment that ODE computes rightly. Where it does
 * not, with the static world as body 1, against ODE's step of the same joint attached the other way round. Rates of the
 * free axes against differences of ODE's getters; joints that were not seen being set up against those that were. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/joints/class.h"
#include "tests/check.h"
#include "tests/parity/joint_oracle.h"
#include "tests/parity/precision.h"

/* two setters of ODE are deprecated; programs still call them */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { Worlds = 6000 };

typedef struct Kind {
    const ukJointClass *class;
    dJointID (*make)(dWorldID, dJointGroupID);
    void (*set_param)(dJointID, int, dReal);
    int slide, turns[2]; /* parameter groups of the translation and the rotations; -1: none */
} Kind;

static const Kind kinds[] = {{&ukPRClass, dJointCreatePR, dJointSetPRParam, 0, {1, -1}},
                             {&ukPUClass, dJointCreatePU, dJointSetPUParam, 2, {0, 1}},
                             {&ukPistonClass, dJointCreatePiston, dJointSetPistonParam, 0, {1, -1}}};
enum { Kinds = sizeof kinds / sizeof *kinds };

static bool chance(Oracle *o, double p)
{
    return randomUniform(&o->random, 0, 1) < p;
}

#if PARITY_ROWS
static double position(dJointID j)
{
    switch (dJointGetType(j)) {
    case dJointTypePR: return dJointGetPRPosition(j);
    case dJointTypePU: return dJointGetPUPosition(j);
    default: return dJointGetPistonPosition(j);
    }
}

/* the two angles in internal numbering; the second is 0 but for PU */
static void angles(dJointID j, bool reverse, double angle[2])
{
    angle[1] = 0;
    switch (dJointGetType(j)) {
    case dJointTypePR: angle[0] = (reverse ? -1 : 1) * dJointGetPRAngle(j); break;
    case dJointTypePU:
        angle[reverse] = dJointGetPUAngle1(j);
        angle[!reverse] = dJointGetPUAngle2(j);
        break;
    default: angle[0] = (reverse ? -1 : 1) * dJointGetPistonAngle(j); break;
    }
}
#endif

/* What the setters are given: the joint's geometry. P the prismatic axis; u and w perpendicular: PR's rotation axis is
 * u, perpendicular to P too; PU's axes are u and w. */
typedef struct Geometry {
    double anchor[6], P[6], u[6], w[6]; /* anchor: with the delta or offset d in 3..5 */
    int which;                          /* of several setters of an anchor or axis */
} Geometry;

static void cross(const double *x, const double *y, double *z)
{
    ukCross(x, y, z);
    ukNormalize(z);
}

static Geometry anyGeometry(Oracle *o, bool satisfied)
{
    Geometry g = {.which = randomBelow(&o->random, 3)};
    double other[3];
    oracleAnyPoint(o, g.anchor);
    oracleAnyPoint(o, g.anchor + 3);
    oracleAnyAxis(o, g.P, true);
    oracleAnyAxis(o, other, true);
    cross(g.P, other, g.u);
    if (chance(o, 0.5)) oracleAnyAxis(o, other, true);
    cross(g.u, other, g.w);
    if (satisfied)
        for (int i = 0; i < 3; i++) g.anchor[3 + i] = 0.3 * g.P[i];
    return g;
}

/* What a setter was given: the note it makes. */
typedef struct Told {
    ukNoteKind kind;
    double x[6];
} Told;

static Told told(ukNoteKind kind, const double x[6])
{
    Told t = {.kind = kind};
    memcpy(t.x, x, sizeof t.x);
    return t;
}

/* The setters of a joint, one a step from 0 on; kind ukNoteAttach: there is no such step. */
static Told setPR(dJointID j, const Geometry *g, int step)
{
    switch (step) {
    case 0: dJointSetPRAnchor(j, g->anchor[0], g->anchor[1], g->anchor[2]); return told(ukNoteAnchor, g->anchor);
    case 1: dJointSetPRAxis1(j, g->P[0], g->P[1], g->P[2]); return told(ukNoteAxis, g->P);
    case 2: dJointSetPRAxis2(j, g->u[0], g->u[1], g->u[2]); return told(ukNoteAxis2, g->u);
    default: return (Told){.kind = ukNoteAttach};
    }
}

static Told setPU(dJointID j, const Geometry *g, int step)
{
    const double *x = g->anchor;
    switch (step) {
    case 0: dJointSetPUAxis1(j, g->u[0], g->u[1], g->u[2]); return told(ukNoteAxis, g->u);
    case 1: dJointSetPUAxis2(j, g->w[0], g->w[1], g->w[2]); return told(ukNoteAxis2, g->w);
    case 2: dJointSetPUAxisP(j, g->P[0], g->P[1], g->P[2]); return told(ukNoteAxis3, g->P);
    case 3: break;
    default: return (Told){.kind = ukNoteAttach};
    }
    switch (g->which) {
    case 0: dJointSetPUAnchor(j, x[0], x[1], x[2]); return told(ukNoteAnchor, x);
    case 1: dJointSetPUAnchorDelta(j, x[0], x[1], x[2], x[3], x[4], x[5]); return told(ukNoteAnchorDelta, x);
    default: dJointSetPUAnchorOffset(j, x[0], x[1], x[2], x[3], x[4], x[5]); return told(ukNoteAnchorOffset, x);
    }
}

static Told setPiston(dJointID j, const Geometry *g, int step)
{
    const double *x = g->anchor, delta[6] = {g->P[0], g->P[1], g->P[2], x[3], x[4], x[5]};
    switch (step) {
    case 0: dJointSetPistonAxis(j, delta[0], delta[1], delta[2]); return told(ukNoteAxis, delta);
    case 1:
        if (g->which != 1) {
            dJointSetPistonAnchor(j, x[0], x[1], x[2]);
            return told(ukNoteAnchor, x);
        }
        dJointSetPistonAnchorOffset(j, x[0], x[1], x[2], x[3], x[4], x[5]);
        return told(ukNoteAnchorOffset, x);
    case 2:
        if (g->which != 2) break;
        dJointSetPistonAxisDelta(j, delta[0], delta[1], delta[2], delta[3], delta[4], delta[5]);
        return told(ukNoteAxisDelta, delta);
    default: break;
    }
    return (Told){.kind = ukNoteAttach};
}

static Told set(dJointID j, const Geometry *g, int step)
{
    switch (dJointGetType(j)) {
    case dJointTypePR: return setPR(j, g, step);
    case dJointTypePU: return setPU(j, g, step);
    default: return setPiston(j, g, step);
    }
}

static bool setAndNote(Oracle *o, const Geometry *g, int step)
{
    const Told t = set(o->joint, g, step);
    if (t.kind == ukNoteAttach) return false;
    oracleNote(o, t.kind, 0, 0, t.x);
    return true;
}

static void setUp(Oracle *o, const Geometry *g)
{
    for (int step = 0; setAndNote(o, g, step);) step++;
}

/* one setter more, at another pose: each renews only what it renews */
static void setAgain(Oracle *o, const Geometry *g)
{
    oracleMove(o, 0.1);
    setAndNote(o, g, randomBelow(&o->random, 4));
}

static void motors(Oracle *o, const Kind *kind)
{
    oracleMotor(o, kind->set_param, kind->slide * dParamGroup, 1, false);
    for (int i = 0; i < 2 && kind->turns[i] >= 0; i++)
        oracleMotor(o, kind->set_param, kind->turns[i] * dParamGroup, 1, true);
}

/* ODE's rows of REVERSE are wrong (docs/ode-differences.md) */
static OracleAttachment anySoundAttachment(Oracle *o)
{
    return (OracleAttachment)randomBelow(&o->random, OracleSecond);
}

static void rowsGiveTheStep(const Kind *kind)
{
    double worst = 0;
    int wrong = 0, stops = 0, powered = 0;
    for (uint64_t seed = 1; seed <= Worlds; seed++) {
        Oracle o;
        OracleRows r;
        oracleBegin(&o, seed, kind->class, kind->make);
        /* a history: set up, moved, attached anew, even in the unsound way for a time */
        if (chance(&o, 0.3)) {
            const Geometry g = anyGeometry(&o, false);
            oracleAttach(&o, (OracleAttachment)randomBelow(&o.random, OracleAttachments));
            setUp(&o, &g);
            oracleMove(&o, 1);
        }
        oracleAttach(&o, anySoundAttachment(&o));
        if (chance(&o, 0.9)) {
            const Geometry g = anyGeometry(&o, false);
            setUp(&o, &g);
            while (chance(&o, 0.5)) setAgain(&o, &g);
        }
        if (chance(&o, 0.3)) {
            oracleMove(&o, 0.5);
            oracleAttach(&o, anySoundAttachment(&o));
        }
        motors(&o, kind);
        oracleMove(&o, chance(&o, 0.5) ? 0.05 : 1);
        oracleRows(&o, &o.row_maker, &r);
        for (int i = 0; i < r.rows; i++) {
            stops += r.stop[i];
            powered += r.velocity[i];
        }
        for (int k = 0; k < 2; k++) {
            const double e = oracleStep(&o);
            if (!CHECK(e <= PARITY_STEP) && wrong++ < 5)
                printf("%s: seed %llu, step %d: %.3g\n", kind->class->name, (unsigned long long)seed, k, e);
            worst = fmax(worst, e);
            oracleMove(&o, 0.05);
        }
        oracleEnd(&o);
    }
    printf("%-7s %d worlds, %d stops, %d motors: worst %.2g\n", kind->class->name, Worlds, stops, powered, worst);
    CHECK(!PARITY_ROWS || (stops > Worlds / 10 && powered > Worlds / 10));
}

#if PARITY_ROWS
/* parameters of one group, seen from the other side: positions and velocities change sign */
static void mirror(const Kind *kind, dJointID from, dJointID to, int group, int to_group, bool negate)
{
    dReal (*const get)(dJointID, int) = kind->class == &ukPRClass   ? dJointGetPRParam
                                        : kind->class == &ukPUClass ? dJointGetPUParam
                                                                    : dJointGetPistonParam;
    static const int same[] = {dParamFMax, dParamFudgeFactor, dParamBounce, dParamCFM, dParamStopERP, dParamStopCFM};
    const int base = group * dParamGroup, to_base = to_group * dParamGroup;
    for (int i = 0; i < 6; i++) kind->set_param(to, to_base + same[i], get(from, base + same[i]));
    const double lo = get(from, base + dParamLoStop), hi = get(from, base + dParamHiStop);
    const double vel = get(from, base + dParamVel);
    kind->set_param(to, to_base + dParamLoStop, negate ? -hi : lo);
    kind->set_param(to, to_base + dParamHiStop, negate ? -lo : hi);
    kind->set_param(to, to_base + dParamVel, negate ? -vel : vel);
}

/* (0, B) and (B, 0) are one joint: the prediction from the rows of the one is ODE's step of the other. PU's axes swap,
 * and its rows are exact there: they are ODE's where it is satisfied and has not slid. */
static void reversedIsTheSameJoint(const Kind *kind)
{
    double worst = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        Oracle o;
        OracleRows r;
        double lambda[ukMaxJointRows], v[2][6];
        oracleBegin(&o, seed + 20000, kind->class, kind->make);
        if (dBodyIsKinematic(o.body[1])) dBodySetDynamic(o.body[1]);
        oracleAttach(&o, OracleSecond);
        Geometry g = anyGeometry(&o, false);
        if (kind->class == &ukPUClass) memset(g.anchor + 3, 0, 3 * sizeof *g.anchor);
        setUp(&o, &g);
        motors(&o, kind);

        const dJointID twin = kind->make(o.world.handle, 0);
        dJointAttach(twin, o.body[1], 0);
        if (kind->class == &ukPUClass) {
            double swap[6];
            memcpy(swap, g.u, sizeof swap);
            memcpy(g.u, g.w, sizeof swap);
            memcpy(g.w, swap, sizeof swap);
        }
        if (kind->class == &ukPUClass ? g.which == 2 : g.which == 1)
            for (int i = 3; i < 6; i++) g.anchor[i] = -g.anchor[i]; /* Offset alone is meant for the user's body 1 */
        for (int step = 0; set(twin, &g, step).kind != ukNoteAttach;) step++;
        mirror(kind, o.joint, twin, kind->slide, kind->slide, true);
        for (int i = 0; i < 2 && kind->turns[i] >= 0; i++)
            mirror(kind, o.joint, twin, kind->turns[i], kind->turns[i], false);

        oracleMove(&o, kind->class == &ukPUClass ? 0 : chance(&o, 0.5) ? 0.05 : 1);
        oracleRows(&o, &o.row_maker, &r);
        CHECK(oracleSolve(&o, &r, lambda, v) < 1e-9);
        dJointDisable(o.joint);
        dWorldStep(o.world.handle, o.h);
        const ukState after = ukStateOf(&o.record[1]);
        double size = 1;
        for (int i = 0; i < 6; i++) size = fmax(size, fabs(v[0][i]));
        for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(after.v[i] - v[0][i]) / size);
        if (!CHECK_NEAR_ALL(after.v, v[0], 6, 1e-9 * size)) printf("%s: seed %d\n", kind->class->name, (int)seed);
        oracleEnd(&o);
    }
    printf("%-7s reversed: worst %.2g\n", kind->class->name, worst);
}

/* a satisfied joint that has slid by 0.4 */
static void satisfy(Oracle *o)
{
    const Geometry g = anyGeometry(o, true);
    const ukBody *a = o->row_maker.body[0];
    setUp(o, &g);
    dBodySetPosition(a->handle, a->position[0] + 0.4 * g.P[0], a->position[1] + 0.4 * g.P[1],
                     a->position[2] + 0.4 * g.P[2]);
}

static void drift(const ukBody *body, const ukState *s, double t)
{
    dQuaternion turn, q, q0 = {s->q[0], s->q[1], s->q[2], s->q[3]};
    const double *w = s->v + 3, speed = sqrt(ukDot(w, w));
    dQFromAxisAndAngle(turn, w[0], w[1], w[2], speed * t);
    dQMultiply0(q, turn, q0);
    dBodySetQuaternion(body->handle, q);
    dBodySetPosition(body->handle, s->x[0] + t * s->v[0], s->x[1] + t * s->v[1], s->x[2] + t * s->v[2]);
}

/* Rates of the free axes are the derivatives of what ODE's getters tell, and its angle rates. (A hinge angle near zero
 * also grows with turns about other axes; bodies that turn so are no test of it.) */
static void ratesAreDerivatives(const Kind *kind)
{
    const double t = 1e-5;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        Oracle o;
        OracleRows r;
        double axis[3][3], rate[3], value[2][3];
        int translation[3];
        oracleBegin(&o, seed + 40000, kind->class, kind->make);
        oracleAttach(&o, (OracleAttachment)randomBelow(&o.random, OracleAttachments));
        satisfy(&o);
        oracleRows(&o, &o.row_maker, &r);
        const ukBody *body[2] = {o.row_maker.body[0], o.row_maker.body[1]};
        const ukState a = ukStateOf(body[0]), b = body[1] ? ukStateOf(body[1]) : a;
        const double s = o.row_maker.reverse ? -1 : 1;
        const int n = kind->class->axes(&o.row_maker, &a, body[1] ? &b : NULL, axis, rate, translation);
        CHECK(n == kind->class->free_axes);
        for (int i = 0; i < 2; i++) {
            drift(body[0], &a, i ? t : -t);
            if (body[1]) drift(body[1], &b, i ? t : -t);
            value[i][0] = position(o.joint);
            angles(o.joint, o.row_maker.reverse, value[i] + 1);
        }
        for (int i = 0, turn = 1; i < n; i++) {
            CHECK_NEAR(ukDot(axis[i], axis[i]), 1, 1e-12);
            const int which = translation[i] ? 0 : turn++;
            if (kind->class == &ukPUClass || translation[i])
                CHECK_NEAR(rate[i], (value[1][which] - value[0][which]) / (2 * t), 1e-7);
        }
        drift(body[0], &a, 0);
        if (body[1]) drift(body[1], &b, 0);
        if (kind->class == &ukPRClass) CHECK_NEAR(rate[1], s * dJointGetPRAngleRate(o.joint), 1e-12);
        if (kind->class == &ukPistonClass) CHECK_NEAR(rate[1], s * dJointGetPistonAngleRate(o.joint), 1e-12);
        if (kind->class == &ukPUClass) {
            CHECK_NEAR(rate[o.row_maker.reverse], dJointGetPUAngle1Rate(o.joint), 1e-12);
            CHECK_NEAR(rate[!o.row_maker.reverse], dJointGetPUAngle2Rate(o.joint), 1e-12);
        }
        oracleEnd(&o);
    }
}

static void assumedIsNoted(const Kind *kind)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        Oracle o;
        oracleBegin(&o, seed + 60000, kind->class, kind->make);
        oracleAttach(&o, (OracleAttachment)randomBelow(&o.random, OracleAttachments));
        satisfy(&o);
        motors(&o, kind);
        oracleAssumedIsNoted(&o, true);
        oracleEnd(&o);
    }
}
#endif

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < Kinds; k++) {
        rowsGiveTheStep(&kinds[k]);
#if PARITY_ROWS
        reversedIsTheSameJoint(&kinds[k]);
        ratesAreDerivatives(&kinds[k]);
        assumedIsNoted(&kinds[k]);
#endif
    }
    dCloseODE();
    return ukTestEnd();
}
