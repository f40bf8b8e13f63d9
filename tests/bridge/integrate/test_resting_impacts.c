/* SPDX-License-Identifier: BSD-3-Clause */
/* Body B strikes, through the stop of a joint between them, body A, which a force presses onto a stop of its own. A takes
 * the blow at rest, and B leaves with -e times its rate, whatever the last digits of A's gap are: a stop whose gap is a
 * rounding error above zero counts as closed in the impact, as it does before and after it. Joints with stops, and
 * one-sided rows of the user, within a step. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/support/joints_at_origin.h"
#include "ukode/ukode.h"

static const ukIntegrator integrators[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
enum { Integrators = sizeof integrators / sizeof *integrators };
static const char *const integrator_name[Integrators] = {"rk4", "adaptive", "rattle"};
static const double gaps[] = {-1e-13, -1e-15, 0, 1e-17, 1e-15, 1e-13};
enum { Gaps = sizeof gaps / sizeof *gaps };

typedef struct Kind {
    const char *name;
    bool linear;
    JointMaker *make; /* NULL: rows of the user */
    void (*set)(dJointID joint, int parameter, dReal value);
    int group;
} Kind;

static const Kind kinds[] = {
    {"hinge", .make = makeHingeJoint, .set = dJointSetHingeParam},
    {"slider", .linear = true, .make = makeSliderJoint, .set = dJointSetSliderParam},
    {"universal", .make = makeUniversalJoint, .set = dJointSetUniversalParam},
    {"piston", .linear = true, .make = makePistonJoint, .set = dJointSetPistonParam},
    {"pr", .linear = true, .make = makePRJoint, .set = dJointSetPRParam},
    {"pu", .linear = true, .make = makePUJoint, .set = dJointSetPUParam, .group = dParamGroup * 2},
    {"one-sided rows", .linear = true},
};
enum { Kinds = sizeof kinds / sizeof *kinds };

static const double way = 0.05, speed = 3, h = 0.01; /* B strikes after 1/60 s, within the second step */

/* z of the first body less that of the second, less *offset, which is at least 0 */
static int rowOf(const ukConstraintContext *context, double *A, double *b, void *offset)
{
    (void)offset;
    A[2] = 1;
    if (context->count == 2) A[8] = -1;
    b[0] = 0;
    return 0;
}

static int gapOf(const ukConstraintContext *context, double *phi, double *psi, void *offset)
{
    const ukBodyState *s = context->bodies;
    const bool two = context->count == 2;
    phi[0] = s[0].position[2] - (two ? s[1].position[2] : 0) - *(const double *)offset;
    psi[0] = s[0].velocity[2] - (two ? s[1].velocity[2] : 0);
    return 0;
}

static void oneSided(dWorldID world, dBodyID first, dBodyID second, double *offset, double e)
{
    const dBodyID bodies[2] = {first, second};
    const ukConstraintID c = ukConstraintCreate(world, 1, bodies, second ? 2 : 1, rowOf, NULL);
    CHECK(c && ukConstraintSetError(c, gapOf, offset) == 0 && ukConstraintSetOneSided(c, 0) == 0);
    CHECK(ukConstraintSetRestitution(c, 0, e) == 0);
}

static void joined(dWorldID world, const Kind *kind, dBodyID first, dBodyID second, double low, double e)
{
    const dJointID j = kind->make(world, first, second);
    kind->set(j, dParamLoStop + kind->group, low);
    kind->set(j, dParamBounce + kind->group, e);
}

static double rateOf(const Kind *kind, dBodyID b)
{
    return (kind->linear ? dBodyGetLinearVel(b) : dBodyGetAngularVel(b))[2];
}

static void strike(const Kind *kind, int integrator, double gap, double e)
{
    const dWorldID world = dWorldCreate();
    const dBodyID a = makeSphere(world, 1, 0.5), b = makeSphere(world, 2, 1);
    double first = -gap, second = -way;
    bool taken = true;
    ukWorldSetIntegrator(world, integrators[integrator]);
    if (kind->make) {
        joined(world, kind, a, 0, first, 0.5);
        joined(world, kind, b, a, second, e);
    } else {
        oneSided(world, a, 0, &first, 0.5);
        oneSided(world, b, a, &second, e);
    }
    (kind->linear ? dBodySetLinearVel : dBodySetAngularVel)(b, 0, 0, -speed);
    for (int i = 0; i < 3 && taken; i++) {
        (kind->linear ? dBodyAddForce : dBodyAddTorque)(a, 0, 0, -40);
        taken = ukWorldStep(world, h) == 1;
    }
    const double rate[2] = {rateOf(kind, a), rateOf(kind, b)};
    if (!CHECK(taken && fabs(rate[0]) < 1e-9 && fabs(rate[1] - e * speed) < 1e-8))
        printf("  %s, %s, gap %g, e %g: rates %.9g and %.9g, not 0 and %g: %s\n", kind->name,
               integrator_name[integrator], gap, e, rate[0], rate[1], e * speed, ukGetLastErrorMessage());
    dWorldDestroy(world);
}

/* B strikes A by a contact, at the start of a step. */
static void collide(const Kind *kind, int integrator, double gap, double e)
{
    const dWorldID world = dWorldCreate();
    const dJointGroupID group = dJointGroupCreate(0);
    const dBodyID a = makeSphere(world, 1, 0.5), b = makeSphere(world, 2, 1);
    double first = -gap;
    ukWorldSetIntegrator(world, integrators[integrator]);
    if (kind->make)
        joined(world, kind, a, 0, first, 0.5);
    else
        oneSided(world, a, 0, &first, 0.5);
    dBodySetLinearVel(b, 0, 0, -speed);
    dContact contact = {.surface = {.mode = dContactBounce, .bounce = e}, .geom = {.normal = {0, 0, 1}}};
    dJointAttach(dJointCreateContact(world, group, &contact), b, a);
    dBodyAddForce(a, 0, 0, -40);
    const int taken = ukWorldStep(world, h);
    const double rate[2] = {dBodyGetLinearVel(a)[2], dBodyGetLinearVel(b)[2]};
    if (!CHECK(taken == 1 && fabs(rate[0]) < 1e-6 && fabs(rate[1] - e * speed) < 1e-6)) /* CFM, if they stay closed */
        printf("  %s, %s, gap %g, contact with e %g: rates %.9g and %.9g, not 0 and %g: %s\n", kind->name,
               integrator_name[integrator], gap, e, rate[0], rate[1], e * speed, ukGetLastErrorMessage());
    dJointGroupDestroy(group);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < Kinds; k++)
        for (int i = 0; i < Integrators; i++)
            for (int g = 0; g < Gaps; g++)
                for (int e = 0; e <= 2; e++) {
                    strike(&kinds[k], i, gaps[g], 0.5 * e);
                    if (kinds[k].linear) collide(&kinds[k], i, gaps[g], 0.5 * e);
                }
    dCloseODE();
    return ukTestEnd();
}
