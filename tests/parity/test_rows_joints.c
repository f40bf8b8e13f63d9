/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of Ball, Hinge, Slider, Universal, Fixed, DBall, DHinge and Plane2D are those of ODE 0.16.2: setters in any
 * order, all ways of attachment, attached anew, far off and near, stops, bounce, motors: thousands of worlds a type. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/joints/class.h"
#include "tests/check.h"
#include "tests/parity/joint_oracle.h"
#include "tests/parity/precision.h"

enum { Worlds = 6000 };

static bool chance(Oracle *o, double p)
{
    return randomUniform(&o->random, 0, 1) < p;
}

static void anyPointAndMore(Oracle *o, double x[6])
{
    oracleAnyPoint(o, x);
    oracleAnyPoint(o, x + 3);
}

static void softness(Oracle *o, void (*set)(dJointID, int, dReal))
{
    set(o->joint, dParamERP, randomUniform(&o->random, 0.1, 0.9));
    set(o->joint, dParamCFM, exp(randomUniform(&o->random, log(PARITY_LEAST_CFM), log(1e-2))));
    oracleNote(o, ukNoteParam, dParamERP, 0, NULL);
}

static void setBall(Oracle *o)
{
    double x[6];
    anyPointAndMore(o, x);
    if (chance(o, 0.8)) {
        dJointSetBallAnchor(o->joint, x[0], x[1], x[2]);
        oracleNote(o, ukNoteAnchor, 0, 0, x);
    }
    if (chance(o, 0.3)) {
        dJointSetBallAnchor2(o->joint, x[3], x[4], x[5]);
        oracleNote(o, ukNoteAnchor2, 0, 0, x);
    }
    if (chance(o, 0.7)) softness(o, dJointSetBallParam);
}

static void setHinge(Oracle *o)
{
    double x[6];
    for (int k = 0; k < 3; k++) {
        anyPointAndMore(o, x);
        switch (randomBelow(&o->random, 5)) {
        case 0:
            dJointSetHingeAnchor(o->joint, x[0], x[1], x[2]);
            oracleNote(o, ukNoteAnchor, 0, 0, x);
            break;
        case 1:
            dJointSetHingeAnchorDelta(o->joint, x[0], x[1], x[2], x[3], x[4], x[5]);
            oracleNote(o, ukNoteAnchorDelta, 0, 0, x);
            break;
        case 2:
            dJointSetHingeAxisOffset(o->joint, x[0], x[1], x[2], x[3]);
            oracleNote(o, ukNoteAxisOffset, 0, 0, x);
            break;
        default:
            dJointSetHingeAxis(o->joint, x[0], x[1], x[2]);
            oracleNote(o, ukNoteAxis, 0, 0, x);
            break;
        }
    }
    oracleMotor(o, dJointSetHingeParam, 0, 1, true);
}

static void setSlider(Oracle *o)
{
    double x[6];
    anyPointAndMore(o, x);
    if (chance(o, 0.5)) {
        dJointSetSliderAxis(o->joint, x[0], x[1], x[2]);
        oracleNote(o, ukNoteAxis, 0, 0, x);
    } else if (chance(o, 0.8)) {
        dJointSetSliderAxisDelta(o->joint, x[0], x[1], x[2], x[3], x[4], x[5]);
        oracleNote(o, ukNoteAxisDelta, 0, 0, x);
    }
    oracleMotor(o, dJointSetSliderParam, 0, 1, false);
}

/* Of raw length only without stops: towards the world ODE tests those against an angle that jumps. AxisOffset only
 * without REVERSE: there ODE builds the reference from one axis twice. */
static void setUniversal(Oracle *o)
{
    const bool stops = chance(o, 0.7);
    double x[6], angle[2];
    for (int k = 0; k < 5; k++) {
        oracleAnyAxis(o, x, stops);
        for (int i = 0; i < 2; i++) x[3 + i] = angle[i] = randomUniform(&o->random, -2, 2);
        switch (k < 2 ? k : randomBelow(&o->random, o->row_maker.reverse ? 3 : 5)) {
        case 0:
            dJointSetUniversalAxis1(o->joint, x[0], x[1], x[2]);
            oracleNote(o, ukNoteAxis, 0, 0, x);
            break;
        case 1:
            dJointSetUniversalAxis2(o->joint, x[0], x[1], x[2]);
            oracleNote(o, ukNoteAxis2, 0, 0, x);
            break;
        case 2:
            dJointSetUniversalAnchor(o->joint, x[0], x[1], x[2]);
            oracleNote(o, ukNoteAnchor, 0, 0, x);
            break;
        case 3:
            dJointSetUniversalAxis1Offset(o->joint, x[0], x[1], x[2], angle[0], angle[1]);
            oracleNote(o, ukNoteAxisOffset, 0, 0, x);
            break;
        default:
            dJointSetUniversalAxis2Offset(o->joint, x[0], x[1], x[2], angle[0], angle[1]);
            oracleNote(o, ukNoteAxis2Offset, 0, 0, x);
            break;
        }
    }
    for (int k = 0; k < 2; k++) oracleMotor(o, dJointSetUniversalParam, k * dParamGroup, stops, true);
}

static void setFixed(Oracle *o)
{
    if (chance(o, 0.9)) {
        dJointSetFixed(o->joint);
        oracleNote(o, ukNoteFix, 0, 0, NULL);
    }
    if (chance(o, 0.7)) softness(o, dJointSetFixedParam);
}

static void setDBall(Oracle *o)
{
    double x[6];
    anyPointAndMore(o, x);
    if (chance(o, 0.8)) {
        dJointSetDBallAnchor1(o->joint, x[0], x[1], x[2]);
        oracleNote(o, ukNoteAnchor, 0, 0, x);
    }
    if (chance(o, 0.8)) {
        dJointSetDBallAnchor2(o->joint, x[3], x[4], x[5]);
        oracleNote(o, ukNoteAnchor2, 0, 0, x);
    }
    if (chance(o, 0.3)) {
        x[0] = fabs(x[0]);
        dJointSetDBallDistance(o->joint, x[0]);
        oracleNote(o, ukNoteDistance, 0, 0, x);
    }
    if (chance(o, 0.7)) softness(o, dJointSetDBallParam);
}

static void setDHinge(Oracle *o)
{
    double x[6];
    anyPointAndMore(o, x);
    dJointSetDHingeAnchor1(o->joint, x[0], x[1], x[2]);
    oracleNote(o, ukNoteAnchor, 0, 0, x);
    if (chance(o, 0.8)) {
        dJointSetDHingeAnchor2(o->joint, x[3], x[4], x[5]);
        oracleNote(o, ukNoteAnchor2, 0, 0, x);
    }
    oracleAnyAxis(o, x, false);
    dJointSetDHingeAxis(o->joint, x[0], x[1], x[2]);
    oracleNote(o, ukNoteAxis, 0, 0, x);
    if (chance(o, 0.7)) softness(o, dJointSetDHingeParam);
}

static void setPlane2D(Oracle *o)
{
    static void (*const set[3])(dJointID, int, dReal) = {dJointSetPlane2DXParam, dJointSetPlane2DYParam,
                                                         dJointSetPlane2DAngleParam};
    static const int parameter[] = {dParamVel, dParamFMax, dParamCFM, dParamFudgeFactor, dParamLoStop, dParamHiStop};
    for (int k = 0; k < 12; k++) {
        const int motor = randomBelow(&o->random, 3), p = randomBelow(&o->random, 6);
        const bool soft = parameter[p] == dParamCFM, free = parameter[p] == dParamFMax && chance(o, 0.2);
        const double x[6] = {soft   ? 1e-4 * randomUniform(&o->random, 0.01, 1)
                             : free ? dInfinity
                                    : randomUniform(&o->random, -5, 15)};
        set[motor](o->joint, parameter[p], x[0]);
        oracleNote(o, ukNoteParam, parameter[p], motor, x);
    }
}

typedef struct Kind {
    const ukJointClass *class;
    dJointID (*make)(dWorldID, dJointGroupID);
    void (*set)(Oracle *o);
} Kind;

static const Kind kinds[] = {
    {&ukBallClass, dJointCreateBall, setBall},       {&ukHingeClass, dJointCreateHinge, setHinge},
    {&ukSliderClass, dJointCreateSlider, setSlider}, {&ukUniversalClass, dJointCreateUniversal, setUniversal},
    {&ukFixedClass, dJointCreateFixed, setFixed},    {&ukDBallClass, dJointCreateDBall, setDBall},
    {&ukDHingeClass, dJointCreateDHinge, setDHinge}, {&ukPlane2DClass, dJointCreatePlane2D, setPlane2D}};
enum { Kinds = sizeof kinds / sizeof *kinds };

static OracleAttachment anyAttachment(Oracle *o)
{
    return (OracleAttachment)randomBelow(&o->random, OracleAttachments);
}

/* sets up, moves, attaches anew, moves again: what a program may do between two steps */
static void build(Oracle *o, uint64_t seed, const Kind *kind)
{
    oracleBegin(o, seed, kind->class, kind->make);
    oracleAttach(o, anyAttachment(o));
    if (chance(o, 0.2)) {
        kind->set(o);
        oracleMove(o, 1);
        oracleAttach(o, anyAttachment(o));
    }
    if (chance(o, 0.9) || kind->class == &ukDHingeClass) kind->set(o);
    if (chance(o, 0.3)) {
        oracleMove(o, 0.5);
        oracleAttach(o, anyAttachment(o));
    }
    oracleMove(o, chance(o, 0.5) ? 0.05 : 1);
}

static void rowsGiveTheStep(const Kind *kind)
{
    double worst = 0;
    int wrong = 0, stops = 0, motors = 0;
    for (uint64_t seed = 1; seed <= Worlds; seed++) {
        Oracle o;
        OracleRows r;
        build(&o, seed, kind);
        oracleRows(&o, &o.row_maker, &r);
        for (int i = 0; i < r.rows; i++) {
            stops += r.stop[i];
            motors += r.velocity[i];
        }
        const double e = oracleStep(&o);
        if (!CHECK(e <= PARITY_STEP) && wrong++ < 5)
            printf("%s: seed %llu: %.3g\n", kind->class->name, (unsigned long long)seed, e);
        worst = fmax(worst, e);
        oracleEnd(&o);
    }
    printf("%-10s %d worlds, %d stops, %d motors: worst %.2g\n", kind->class->name, Worlds, stops, motors, worst);
}

/* ten steps in a row, with parameters read once: the record does not depend on when it was read */
static void recordHoldsOverSteps(const Kind *kind)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Oracle o;
        oracleBegin(&o, seed + 50000, kind->class, kind->make);
        oracleAttach(&o, anyAttachment(&o));
        kind->set(&o);
        for (int k = 0; k < 10; k++) {
            if (!CHECK(oracleStep(&o) <= PARITY_STEP)) break;
            oracleMove(&o, 0.05); /* draws velocities anew: large errors would fling the bodies away */
        }
        oracleEnd(&o);
    }
}

#if PARITY_ROWS
/* the same states give the same rows, bit for bit, whatever was evaluated between */
static void rowsArePure(const Kind *kind)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        Oracle o;
        OracleRows first, between, again;
        build(&o, seed + 90000, kind);
        oracleRows(&o, &o.row_maker, &first);
        const ukState a = ukStateOf(o.row_maker.body[0]);
        dQuaternion q = {a.q[0], a.q[1], a.q[2], a.q[3]};
        const dReal *x = dBodyGetPosition(o.row_maker.body[0]->handle);
        dBodySetPosition(o.row_maker.body[0]->handle, x[0] + 1, x[1], x[2] + 1);
        oracleRows(&o, &o.row_maker, &between);
        dBodySetPosition(o.row_maker.body[0]->handle, a.x[0], a.x[1], a.x[2]);
        oracleRows(&o, &o.row_maker, &again);
        CHECK(memcmp(q, a.q, sizeof a.q) == 0 && memcmp(&first, &again, sizeof first) == 0);
        CHECK(memcmp(&first, &between, sizeof first) != 0);
        oracleEnd(&o);
    }
}

/* A joint set up where its bodies are, so that every row is satisfied, with its stops passed and its angle or position
 * away from zero. */
static void buildSatisfied(Oracle *o, uint64_t seed, const Kind *kind)
{
    static const double axis[6] = {0.6, 0, 0.8}, other[6] = {-0.8, 0, 0.6};
    dQuaternion turn, q;
    const dJointID j = (oracleBegin(o, seed, kind->class, kind->make), o->joint);
    oracleAttach(o, anyAttachment(o));
    const ukBody *a = o->row_maker.body[0];
    switch (kind->class->type) {
    case dJointTypeBall: dJointSetBallAnchor(j, 1, 2, 3); break;
    case dJointTypeHinge:
        dJointSetHingeAnchor(j, a->position[0], a->position[1], a->position[2]);
        oracleNote(o, ukNoteAnchor, 0, 0, axis);
        dJointSetHingeAxis(j, axis[0], axis[1], axis[2]);
        oracleNote(o, ukNoteAxis, 0, 0, axis);
        dQFromAxisAndAngle(turn, axis[0], axis[1], axis[2], 0.3);
        dQMultiply0(q, turn, a->quaternion);
        dBodySetQuaternion(a->handle, q);
        dJointSetHingeParam(j, dParamHiStop, -0.4);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis(j, axis[0], axis[1], axis[2]);
        oracleNote(o, ukNoteAxis, 0, 0, axis);
        dBodySetPosition(a->handle, a->position[0] + 0.3, a->position[1], a->position[2] + 0.4);
        dJointSetSliderParam(j, dParamHiStop, -0.6);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor(j, 1, 2, 3);
        dJointSetUniversalAxis1(j, axis[0], axis[1], axis[2]);
        dJointSetUniversalAxis2(j, other[0], other[1], other[2]);
        dJointSetUniversalParam(j, dParamHiStop1, -3);
        dJointSetUniversalParam(j, dParamLoStop2, 3);
        break;
    case dJointTypeFixed:
        dJointSetFixed(j);
        oracleNote(o, ukNoteFix, 0, 0, NULL);
        break;
    case dJointTypeDBall:
        dJointSetDBallAnchor1(j, 1, 2, 3);
        dJointSetDBallAnchor2(j, 2, 2, 2);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeAnchor1(j, 1, 2, 3);
        dJointSetDHingeAnchor2(j, 1 + other[0], 2, 3 + other[2]);
        dJointSetDHingeAxis(j, axis[0], axis[1], axis[2]);
        oracleNote(o, ukNoteAxis, 0, 0, axis);
        break;
    default: break;
    }
    oracleNote(o, ukNoteParam, 0, 0, NULL);
}

/* a joint that was not seen being set up, but is satisfied: the same rows as of the one that was */
static void assumedIsNoted(const Kind *kind)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        Oracle o;
        buildSatisfied(&o, seed + 70000, kind);
        CHECK(oracleAssumedIsNoted(&o, true) == kind->class->max_rows);
        oracleEnd(&o);
    }
}

static void advance(dBodyID body, const ukState *s, double time)
{
    dQuaternion turn, q;
    const double *w = s->v + 3, spin = sqrt(ukDot(w, w));
    dBodySetPosition(body, s->x[0] + time * s->v[0], s->x[1] + time * s->v[1], s->x[2] + time * s->v[2]);
    dQFromAxisAndAngle(turn, w[0], w[1], w[2], time * spin);
    dQMultiply0(q, turn, s->q);
    dBodySetQuaternion(body, q);
}

/* Where the joint is satisfied, J v is the rate of phi: projection and the integrators of second order rest on it.
 * `common`: the bodies turn alike, which the half-lever rows (Slider, DHinge) take for granted. */
static void phiFollowsJ(const Kind *kind, bool common)
{
    static const double step = 1e-5;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        Oracle o;
        OracleRows here, before, after;
        buildSatisfied(&o, seed + 110000, kind);
        if (common) {
            const ukBody *b = o.row_maker.body[1];
            const dReal *w = b ? b->angular : (const dReal[3]){0, 0, 0};
            dBodySetAngularVel(o.row_maker.body[0]->handle, w[0], w[1], w[2]);
        }
        oracleRows(&o, &o.row_maker, &here);
        ukState s[2];
        for (int k = 0; k < 2; k++) s[k] = ukStateOf(&o.record[k]);
        for (int k = 0; k < 2; k++) advance(o.body[k], &s[k], -step);
        oracleRows(&o, &o.row_maker, &before);
        for (int k = 0; k < 2; k++) advance(o.body[k], &s[k], step);
        oracleRows(&o, &o.row_maker, &after);
        CHECK(before.rows == here.rows && after.rows == here.rows);
        for (int i = 0; i < here.rows; i++) {
            if (here.velocity[i]) continue;
            double rate = 0;
            for (int k = 0; k < 2 && o.row_maker.body[k]; k++)
                for (int l = 0; l < 6; l++)
                    rate += here.J[i * here.stride + 6 * k + l] * s[o.row_maker.body[k] - o.record].v[l];
            CHECK(here.stop[i] || fabs(here.phi[i]) < 1e-12);
            CHECK_NEAR((after.phi[i] - before.phi[i]) / (2 * step), rate, 1e-7);
        }
        oracleEnd(&o);
    }
}

/* rates of the free axes against ODE's getters, whose signs and users' numbering are undone */
static void ratesAreThoseOfOde(void)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        for (int k = 1; k <= 3; k++) {
            Oracle o;
            double axis[3][3], rate[3];
            int translation[3];
            build(&o, seed + 30000, &kinds[k]);
            const bool reverse = o.row_maker.reverse;
            const ukBody *body_a = o.row_maker.body[0], *body_b = o.row_maker.body[1];
            if (kinds[k].class == &ukSliderClass) { /* ODE's slider rate leaves out the common turn */
                dBodySetAngularVel(body_a->handle, 0, 0, 0);
                if (body_b) dBodySetAngularVel(body_b->handle, 0, 0, 0);
            }
            const ukState a = ukStateOf(body_a), b = body_b ? ukStateOf(body_b) : a;
            OracleRows r;
            oracleRows(&o, &o.row_maker, &r);
            const int n = kinds[k].class->axes(&o.row_maker, &a, body_b ? &b : NULL, axis, rate, translation);
            CHECK(n == kinds[k].class->free_axes);
            if (kinds[k].class == &ukHingeClass) {
                CHECK_NEAR(rate[0], (reverse ? -1 : 1) * dJointGetHingeAngleRate(o.joint), 1e-12);
            } else if (kinds[k].class == &ukSliderClass) {
                CHECK_NEAR(rate[0], dJointGetSliderPositionRate(o.joint), 1e-12);
                CHECK(translation[0]);
            } else {
                dVector3 raw;
                if (reverse) {
                    dJointGetUniversalAxis1(o.joint, raw);
                } else {
                    dJointGetUniversalAxis2(o.joint, raw);
                }
                const double length = sqrt(ukDot(raw, raw));
                const double rate1 = dJointGetUniversalAngle1Rate(o.joint),
                             rate2 = dJointGetUniversalAngle2Rate(o.joint);
                CHECK_NEAR(rate[0], reverse ? rate2 : rate1, 1e-12);
                CHECK_NEAR(rate[1] * length, reverse ? rate1 : rate2, 1e-12);
            }
            oracleEnd(&o);
        }
    }
}

/* ODE adds an infinite force there and aborts. The limit of ever stronger motors: pressed to the stop, or off it at
 * Vel. */
static void infiniteMotorAtAStop(void)
{
    for (int k = 0; k < 4; k++) {
        Oracle o;
        OracleRows r;
        const double x[6] = {0.3, -0.5, 0.8}, vel[4] = {2, 0, -2, -2}, fudge[4] = {1, 1, 0.5, 0};
        oracleBegin(&o, 11, &ukHingeClass, dJointCreateHinge);
        oracleAttach(&o, OracleFirst);
        dJointSetHingeAxis(o.joint, x[0], x[1], x[2]);
        oracleNote(&o, ukNoteAxis, 0, 0, x);
        dJointSetHingeParam(o.joint, dParamHiStop, -0.2);
        dJointSetHingeParam(o.joint, dParamFMax, dInfinity);
        dJointSetHingeParam(o.joint, dParamVel, vel[k]);
        dJointSetHingeParam(o.joint, dParamFudgeFactor, fudge[k]);
        oracleNote(&o, ukNoteParam, 0, 0, x);
        oracleRows(&o, &o.row_maker, &r);
        const double erp = dJointGetHingeParam(o.joint, dParamStopERP);
        CHECK(r.rows == 6 && r.force[0][3] == 0);
        if (k < 2) {
            CHECK(r.lo[5] == -INFINITY && r.hi[5] == INFINITY && r.stop[5] && !r.velocity[5]);
            CHECK_NEAR(r.c[5], -erp / o.h * 0.2, 1e-12);
        } else if (k == 2) {
            CHECK(r.lo[5] == -INFINITY && r.hi[5] == INFINITY && r.velocity[5] && r.c[5] == -2);
        } else {
            CHECK(r.lo[5] == -INFINITY && r.hi[5] == 0 && r.stop[5]);
        }
        oracleEnd(&o);
    }
}

/* Without an axis ODE divides by zero and aborts. Here only the distance is held. */
static void doubleHingeWithoutAxis(void)
{
    Oracle o;
    OracleRows r;
    const double none[3 * 12] = {0};
    oracleBegin(&o, 12, &ukDHingeClass, dJointCreateDHinge);
    oracleAttach(&o, OracleBoth);
    oracleRows(&o, &o.row_maker, &r);
    CHECK(r.rows == 4 && fabs(ukDot(r.J, r.J) - 1) < 1e-12);
    CHECK_NEAR_ALL(r.J + 12, none, 3 * 12, 0);
    CHECK_NEAR_ALL(r.c + 1, none, 3, 0);
    oracleEnd(&o);
}
#endif

/* Anchors that coincide are parted along their relative velocity, as in ODE, or along x where they have none. */
static void coincidentAnchors(void)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const bool still = seed % 4 == 0;
        Oracle o;
        double x[6];
        oracleBegin(&o, seed + 80000, &ukDBallClass, dJointCreateDBall);
        oracleAttach(&o, seed % 3 == 0 ? OracleFirst : OracleBoth);
        oracleAnyPoint(&o, x);
        dJointSetDBallAnchor1(o.joint, x[0], x[1], x[2]);
        oracleNote(&o, ukNoteAnchor, 0, 0, x);
        dJointSetDBallAnchor2(o.joint, x[0], x[1], x[2]);
        oracleNote(&o, ukNoteAnchor2, 0, 0, x);
        for (int k = 0; k < 2 && still; k++) {
            dBodySetLinearVel(o.body[k], 0, 0, 0);
            dBodySetAngularVel(o.body[k], 0, 0, 0);
        }
        x[0] = seed % 2 ? 1 : 0;
        dJointSetDBallDistance(o.joint, x[0]);
        oracleNote(&o, ukNoteDistance, 0, 0, x);
        CHECK_NEAR(oracleStep(&o), 0, PARITY_STEP);
        oracleEnd(&o);
    }
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < Kinds; k++) {
        rowsGiveTheStep(&kinds[k]);
        recordHoldsOverSteps(&kinds[k]);
#if PARITY_ROWS
        rowsArePure(&kinds[k]);
        if (kinds[k].class == &ukPlane2DClass) continue; /* ODE tells nothing of it, and z = 0 is not set up */
        assumedIsNoted(&kinds[k]);
        phiFollowsJ(&kinds[k], true);
        if (kinds[k].class != &ukSliderClass && kinds[k].class != &ukDHingeClass) phiFollowsJ(&kinds[k], false);
#endif
    }
#if PARITY_ROWS
    ratesAreThoseOfOde();
    infiniteMotorAtAStop();
    doubleHingeWithoutAxis();
    CHECK(ukNullClass.rows(NULL, NULL, NULL, NULL, NULL) == 0);
#endif
    coincidentAnchors();
    dCloseODE();
    return ukTestEnd();
}
