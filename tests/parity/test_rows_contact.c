/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact: rows against ODE's own step over every surface mode bit, friction in dWorldStep's two phases, the world's
 * contact parameters, every way of attachment; then what ODE takes without a word: normals that are zero or NaN, NaN
 * coefficients. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/joints/contact.h"
#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/parity/joint_oracle.h"
#include "tests/parity/precision.h"

enum { Worlds = 6000 };

static dContact contact; /* of the next joint */

static dJointID makeContact(dWorldID world, dJointGroupID group)
{
    return dJointCreateContact(world, group, &contact);
}

static double any(Random *r, double lo, double hi)
{
    return randomUniform(r, lo, hi);
}

static bool chance(Random *r, double p)
{
    return any(r, 0, 1) < p;
}

/* a friction coefficient, or a force where it is not proportional; now and then infinite, zero or negative */
static double coefficient(Random *r)
{
    const int kind = randomBelow(r, 10);
    return kind == 0 ? dInfinity : kind == 1 ? 0 : kind == 2 ? -1 : exp(any(r, log(0.02), log(20)));
}

static void anyContact(Random *r)
{
    dSurfaceParameters *s = &contact.surface;
    double n[3];
    memset(&contact, 0, sizeof contact);
    s->mode = randomBelow(r, 0x8000) & ~0x800;
    if (chance(r, 0.3)) s->mode &= ~dContactRolling;
    s->mu = coefficient(r);
    s->mu2 = coefficient(r);
    s->rho = coefficient(r);
    s->rho2 = coefficient(r);
    s->rhoN = coefficient(r);
    s->bounce = any(r, 0, 1);
    s->bounce_vel = any(r, -0.3, 1);
    s->soft_erp = any(r, 0, 1);
    s->soft_cfm = exp(any(r, log(PARITY_LEAST_CFM), log(1e-2)));
    s->motion1 = any(r, -2, 2);
    s->motion2 = any(r, -2, 2);
    s->motionN = any(r, -2, 2);
    s->slip1 = exp(any(r, log(PARITY_LEAST_CFM), log(1e-1)));
    s->slip2 = exp(any(r, log(PARITY_LEAST_CFM), log(1e-1)));
    for (int i = 0; i < 3; i++) {
        contact.geom.pos[i] = any(r, -1, 1);
        contact.fdir1[i] = any(r, -1, 1);
        n[i] = any(r, -1, 1);
    }
    if (chance(r, 0.8)) ukNormalize(n); /* the rest: any length, as ODE takes them */
    for (int i = 0; i < 3; i++) contact.geom.normal[i] = n[i];
    if (chance(r, 0.05)) memset(contact.fdir1, 0, sizeof contact.fdir1);
    contact.geom.depth = any(r, -0.05, 0.2);
}

static void rowsGiveTheStep(void)
{
    double worst = 0;
    int wrong = 0, friction = 0, proportional = 0, rolling = 0;
    for (uint64_t seed = 1; seed <= Worlds; seed++) {
        Oracle o;
        OracleRows r;
        Random random = {seed * 7919 + 5};
        for (int i = 0; i < 8; i++) any(&random, 0, 1);
        anyContact(&random);
        oracleBegin(&o, seed, &ukContactClass, makeContact);
        ukContactRecord(&o.row_maker, &contact);
        if (chance(&random, 0.3)) dWorldSetContactMaxCorrectingVel(o.world.handle, any(&random, 0, 1));
        if (chance(&random, 0.5)) dWorldSetContactSurfaceLayer(o.world.handle, any(&random, 0, 0.05));
        oracleAttach(&o, (OracleAttachment)randomBelow(&random, OracleAttachments));
        for (int k = 0; k < 2; k++) {
            oracleRows(&o, &o.row_maker, &r);
            CHECK(!PARITY_ROWS ||
                  (r.stop[0] && !r.velocity[0] && r.normal[0] == -1 && r.lo[0] == 0 && r.hi[0] == INFINITY));
            for (int i = 1; i < r.rows; i++) {
                CHECK(r.stop[i] && r.velocity[i] && (r.normal[i] == 0 || r.normal[i] == -1));
                friction++;
                proportional += r.normal[i] == 0;
                rolling += r.J[i * r.stride] == 0;
            }
            const double e = oracleStep(&o);
            if (!CHECK(e <= PARITY_STEP) && wrong++ < 5)
                printf("seed %llu, step %d, mode %x: %.3g\n", (unsigned long long)seed, k, contact.surface.mode, e);
            worst = fmax(worst, e);
            oracleMove(&o, 0.05);
        }
        oracleEnd(&o);
    }
    printf("contact %d worlds, %d friction rows, %d proportional, %d rolling: worst %.2g\n", Worlds, friction,
           proportional, rolling, worst);
    CHECK(!PARITY_ROWS || (proportional > Worlds && rolling > Worlds));
}

#if PARITY_ROWS
static int statusOf(const dContact *given, bool observed)
{
    Oracle o;
    OracleRows r;
    memset(&contact, 0, sizeof contact);
    contact.geom.normal[1] = 1;
    oracleBegin(&o, 1, &ukContactClass, makeContact);
    if (given) ukContactRecord(&o.row_maker, given);
    o.row_maker.observed = observed;
    oracleAttach(&o, OracleFirst);
    oracleRows(&o, &o.row_maker, &r);
    oracleEnd(&o);
    return r.rows;
}

static void badInput(void)
{
    const dContact good = {.surface = {.mode = dContactRolling | dContactAxisDep | dContactApprox1, .mu = 1, .mu2 = -2},
                           .geom = {.normal = {0, 0, 2}, .depth = -1}};
    dContact bad;
    CHECK(statusOf(&good, true) == 2);
    bad = good; /* a direction of length zero: no sliding rows, as good as none */
    bad.surface.mode |= dContactFDir1;
    CHECK(statusOf(&bad, true) == 1);
#define BAD(field, value, status)                                                                                      \
    bad = good;                                                                                                        \
    bad.field = value;                                                                                                 \
    CHECK(statusOf(&bad, true) == status)
    BAD(geom.normal[2], 0, ukErrorParameter);
    BAD(geom.normal[0], (dReal)NAN, ukErrorNotFinite);
    BAD(geom.normal[0], (dReal)INFINITY, ukErrorNotFinite);
    BAD(geom.pos[1], (dReal)NAN, ukErrorNotFinite);
    BAD(geom.depth, (dReal)NAN, ukErrorNotFinite);
    BAD(surface.mu, (dReal)NAN, ukErrorParameter);
    BAD(surface.mu2, (dReal)NAN, ukErrorParameter);
    BAD(surface.rho, (dReal)NAN, ukErrorParameter);
    BAD(surface.rho2, (dReal)NAN, ukErrorParameter);
    BAD(surface.rhoN, (dReal)NAN, ukErrorParameter);
#undef BAD
    CHECK(statusOf(NULL, false) == ukErrorUnsupported);
}
#endif

int main(void)
{
    dInitODE2(0);
    rowsGiveTheStep();
#if PARITY_ROWS
    badInput();
#endif
    dCloseODE();
    return ukTestEnd();
}
