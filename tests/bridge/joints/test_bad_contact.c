/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts, stops and forces that make no sense: an error that names the joint, or what ODE makes of them; never an
 * abort, a NaN, or a world half stepped. Each under both laws of friction. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/body_state.h"

typedef struct Scene {
    dWorldID world;
    dBodyID box, other;
    dJointGroupID contacts;
} Scene;

static ukFriction law;

static Scene make(void)
{
    Scene s = {.world = dWorldCreate(), .contacts = dJointGroupCreate(0)};
    dMass m;
    dWorldSetGravity(s.world, 0, 0, -9.81);
    dMassSetBoxTotal(&m, 1, 1, 1, 1);
    s.box = dBodyCreate(s.world);
    s.other = dBodyCreate(s.world);
    dBodySetMass(s.box, &m);
    dBodySetMass(s.other, &m);
    dBodySetPosition(s.box, 0, 0, 0.5);
    dBodySetPosition(s.other, 5, 0, 0.5);
    dBodySetLinearVel(s.box, 0.3, -0.2, -0.1);
    CHECK(ukWorldSetFriction(s.world, law) == 0);
    return s;
}

static void end(Scene *s)
{
    dJointGroupDestroy(s->contacts);
    dWorldDestroy(s->world);
}

static dContact good(void)
{
    return (dContact){.surface = {.mode = dContactApprox1, .mu = 0.5}, .geom = {.normal = {0, 0, 1}, .depth = 1e-4}};
}

static void add(Scene *s, dContact c, double x, double y, dBodyID b)
{
    c.geom.pos[0] += x;
    c.geom.pos[1] += y;
    dJointAttach(dJointCreateContact(s->world, s->contacts, &c), s->box, b);
}

/* the contact among three good ones */
static void stand(Scene *s, const dContact *c, dBodyID b)
{
    add(s, good(), 0.5, 0.5, 0);
    add(s, good(), -0.5, 0.5, 0);
    add(s, good(), -0.5, -0.5, 0);
    add(s, *c, 0.5, -0.5, b);
}

static bool allFinite(dBodyID b)
{
    const BodyState s = bodyStateOf(b);
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += fabs(s.x[i]) + fabs(s.v[i]) + fabs(s.w[i]) + fabs(s.q[i]);
    return isfinite(sum + s.q[3]);
}

static void mustFail(Scene *s, const char *word, int line)
{
    const BodyState before[2] = {bodyStateOf(s->box), bodyStateOf(s->other)};
    const int stepped = ukWorldStep(s->world, 0.01);
    const BodyState after[2] = {bodyStateOf(s->box), bodyStateOf(s->other)};
    if (!CHECK(stepped == 0) || !CHECK(strstr(ukGetLastErrorMessage(), word) != NULL))
        printf("  line %d: %s\n", line, ukGetLastErrorMessage());
    CHECK(ukGetLastError() < 0);
    CHECK(memcmp(before, after, sizeof before) == 0);
}

static void mustStep(Scene *s, int steps, int line)
{
    for (int k = 0; k < steps; k++)
        if (!CHECK(ukWorldStep(s->world, 0.01) == 1)) printf("  line %d: %s\n", line, ukGetLastErrorMessage());
    if (!CHECK(allFinite(s->box) && allFinite(s->other))) printf("  line %d\n", line);
}

#define FAILS(name, field, value)                                                                                      \
    do {                                                                                                               \
        Scene s = make();                                                                                              \
        dContact c = good();                                                                                           \
        c.field = (value);                                                                                             \
        stand(&s, &c, 0);                                                                                              \
        mustFail(&s, ": " name " is ", __LINE__);                                                                      \
        dJointGroupEmpty(s.contacts);                                                                                  \
        mustStep(&s, 1, __LINE__); /* the world goes on without it */                                                  \
        end(&s);                                                                                                       \
    } while (0)

#define STEPS(setup, b)                                                                                                \
    do {                                                                                                               \
        Scene s = make();                                                                                              \
        dContact c = good();                                                                                           \
        setup;                                                                                                         \
        stand(&s, &c, b);                                                                                              \
        mustStep(&s, 20, __LINE__);                                                                                    \
        end(&s);                                                                                                       \
    } while (0)

/* A NaN counts only where the mode has it read; as bounce it means none, as in ODE. */
static void notANumberByMode(void)
{
    static const char *const name[] = {"mu2",     "bounce",  "soft_erp", "soft_cfm", "motion1",
                                       "motion2", "motionN", "slip1",    "slip2"};
    static const int mode[] = {dContactMu2,     dContactBounce,  dContactSoftERP, dContactSoftCFM, dContactMotion1,
                               dContactMotion2, dContactMotionN, dContactSlip1,   dContactSlip2};
    const dReal nan = (dReal)NAN;
    for (int bit = 0; bit < 9; bit++) {
        for (int on = 0; on < 2; on++) {
            Scene s = make();
            dContact c = good();
            c.surface.mu2 = c.surface.bounce = c.surface.soft_erp = c.surface.soft_cfm = nan;
            c.surface.motion1 = c.surface.motion2 = c.surface.motionN = c.surface.slip1 = c.surface.slip2 = nan;
            c.surface.mode |= on ? mode[bit] : 0;
            stand(&s, &c, 0);
            char words[80];
            snprintf(words, sizeof words, "of body 1 and the world: surface.%s is ", name[bit]);
            if (on && mode[bit] != dContactBounce)
                mustFail(&s, words, 1000 + bit);
            else
                mustStep(&s, 3, 2000 + bit);
            end(&s);
        }
    }
}

/* fdir1 is read where the mode has it; between two bodies in either order and against the world */
static void fdir1NotFinite(void)
{
    static const dReal bad[] = {(dReal)NAN, (dReal)INFINITY};
    for (int k = 0; k < 12; k++) {
        Scene s = make();
        dContact c = good();
        const dBodyID other = k / 6 ? s.other : 0;
        c.fdir1[k % 3] = bad[k / 3 % 2];
        stand(&s, &c, other);
        mustStep(&s, 1, 3000 + k);
        dJointGroupEmpty(s.contacts);
        c.surface.mode |= dContactFDir1;
        stand(&s, &c, other);
        mustFail(&s,
                 other ? "of body 1 and body 2: fdir1 is not finite" : "of body 1 and the world: fdir1 is not finite",
                 4000 + k);
        end(&s);
    }
}

static void contactsThatFail(void)
{
    const dReal nan = (dReal)NAN, infinite = dInfinity;
    FAILS("geom.normal", geom.normal[2], 0);
    FAILS("geom.normal", geom.normal[0], nan);
    FAILS("geom.normal", geom.normal[1], infinite);
    FAILS("geom.pos", geom.pos[0], nan);
    FAILS("geom.pos", geom.pos[2], infinite);
    FAILS("geom.depth", geom.depth, nan);
    FAILS("geom.depth", geom.depth, infinite);
    FAILS("surface.mu", surface.mu, nan);
}

static void contactsThatStep(void)
{
    STEPS(c.geom.normal[2] = 3, 0);
    STEPS(c.geom.normal[2] = 1e-3, 0);
    STEPS(c.geom.normal[2] = -1, 0);
    STEPS(c.geom.depth = -1, 0);
    STEPS(c.geom.depth = 1e3, 0);
    STEPS(c.geom.pos[0] = 1e6, 0);
    STEPS(c.surface.mu = -1, 0);
    STEPS(c.surface.mu = 0, 0);
    STEPS(c.surface.mu = dInfinity, 0);
    STEPS(c.surface.mu = 1e30, 0);
    STEPS(c.surface.mu = 1e-20, 0);
    STEPS(c.surface.mu = 1e-100, 0);
    STEPS(c.surface.mu = 1e-300, 0);
    STEPS((c.surface.mode = 0, c.surface.mu = dInfinity), 0);
    STEPS((c.surface.mode |= dContactMu2, c.surface.mu2 = dInfinity), 0);
    STEPS((c.surface.mode |= dContactBounce, c.surface.bounce = 5), 0);
    STEPS((c.surface.mode |= dContactBounce, c.surface.bounce = -1), 0);
    STEPS((c.surface.mode |= dContactRolling), 0);
    STEPS((c.surface.mode |= dContactFDir1), 0);                 /* fdir1 is zero */
    STEPS((c.surface.mode |= dContactFDir1, c.fdir1[2] = 1), 0); /* along the normal */
    STEPS(c.surface.mu = 0.5, s.other);                          /* with a body that is nowhere near */
}

/* Directions so short that their squares vanish, without CFM: rows that touch no body are no reason to fail. */
static void rowsOfNothing(void)
{
    static const double lengths[] = {1e-140, 1e-152, 1e-158, 1e-161, 1e-170, 1e-200, 1e-300};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int normal = 0; normal < 2; normal++) {
            Scene s = make();
            dContact c = good();
            dWorldSetCFM(s.world, 0);
            if (normal) c.geom.normal[2] = lengths[i];
            c.surface.mode |= dContactFDir1;
            c.fdir1[0] = normal ? 1 : lengths[i];
            stand(&s, &c, 0);
            for (int k = 0; k < 5; k++) {
                ukReport r;
                mustStep(&s, 1, __LINE__);
                CHECK(ukWorldGetReport(s.world, &r) == 0 && r.ok);
            }
            end(&s);
        }
}

/* the same contact many times over, and contacts that contradict each other */
static void redundantAndContrary(void)
{
    Scene s = make();
    dContact c = good();
    for (int i = 0; i < 60; i++) add(&s, c, 0, 0, 0);
    mustStep(&s, 20, __LINE__);
    end(&s);

    s = make();
    add(&s, c, 0, 0, 0);
    c.geom.normal[2] = -1; /* between floor and ceiling, both deep inside */
    c.geom.depth = 0.1;
    add(&s, c, 0, 0, 0);
    mustStep(&s, 20, __LINE__);
    end(&s);
}

static void stops(void)
{
    Scene s = make();
    const dJointID hinge = dJointCreateHinge(s.world, 0), slider = dJointCreateSlider(s.world, 0);
    dJointAttach(hinge, s.box, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeAnchor(hinge, 1, 0, 0.5);
    dJointAttach(slider, s.other, 0);
    dJointSetSliderAxis(slider, 1, 0, 0);
    dJointSetHingeParam(hinge, dParamLoStop, 1);
    dJointSetHingeParam(hinge, dParamHiStop, -1);
    dJointSetSliderParam(slider, dParamLoStop, 1);
    dJointSetSliderParam(slider, dParamHiStop, -1);
    dBodyAddForce(s.other, 50, 0, 0);
    mustStep(&s, 50, __LINE__); /* lo > hi: no stop, as in ODE */
    CHECK(fabs(dJointGetSliderPosition(slider)) > 0.1);
    dJointSetSliderParam(slider, dParamHiStop, (dReal)NAN);
    dJointSetSliderParam(slider, dParamLoStop, (dReal)NAN);
    mustStep(&s, 5, __LINE__); /* never reached */
    dJointSetSliderParam(slider, dParamVel, dInfinity);
    dJointSetSliderParam(slider, dParamFMax, 1);
    mustFail(&s, "slider joint", __LINE__);
    dJointSetSliderParam(slider, dParamVel, 1);
    dJointSetSliderParam(slider, dParamFMax, dInfinity);
    mustStep(&s, 5, __LINE__);
    CHECK_NEAR(fabs(dBodyGetLinearVel(s.other)[0]), 1, 1e-6);
    dJointSetSliderParam(slider, dParamFMax, (dReal)NAN); /* ODE's setter takes no notice */
    mustStep(&s, 5, __LINE__);
    end(&s);
}

static void forces(void)
{
    const double bad[] = {INFINITY, -INFINITY, NAN, 1e308};
    for (int k = 0; k < 4; k++) {
        Scene s = make();
        const dContact c = good();
        stand(&s, &c, 0);
        dBodyAddForce(s.box, bad[k], 0, bad[k]);
        const BodyState before = bodyStateOf(s.box);
        const int stepped = ukWorldStep(s.world, 0.01);
        const BodyState after = bodyStateOf(s.box);
        if (k < 3) CHECK(stepped == 0 && strstr(ukGetLastErrorMessage(), "body") != NULL);
        if (stepped == 0) CHECK(memcmp(&before, &after, sizeof before) == 0 && strlen(ukGetLastErrorMessage()) > 0);
        CHECK(allFinite(s.box));
        dBodySetForce(s.box, 0, 0, 0);
        if (stepped == 0) mustStep(&s, 1, __LINE__);
        end(&s);
    }
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    for (int k = 0; k < 2; k++) {
        law = k == 0 ? ukFrictionOde : ukFrictionCone;
        contactsThatFail();
        fdir1NotFinite();
        notANumberByMode();
        contactsThatStep();
        rowsOfNothing();
        redundantAndContrary();
        stops();
        forces();
    }
    dCloseODE();
    return ukTestEnd();
}
