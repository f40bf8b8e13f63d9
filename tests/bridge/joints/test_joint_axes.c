/* SPDX-License-Identifier: BSD-3-Clause */
/* What a joint's friction and laws are told of its free axes, for every type and both orders of attachment: how many
 * there are, which are translations, and the rates, which are those of the first body as attached relative to the
 * second. Dry friction then takes mu N h / m off the speed of a translation and mu arm N h / I off that of a
 * rotation. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/joints_at_origin.h"
#include "ukode/ukode.h"

static const double h = 0.01, m = 2, I = 0.3;

typedef struct Kind {
    const char *name;
    JointMaker *make;
    int rotations, translations;
    bool slides; /* a translation along z */
} Kind;

static const Kind kinds[] = {
    {"hinge", makeHingeJoint, 1, 0, false},
    {"slider", makeSliderJoint, 0, 1, true},
    {"universal", makeUniversalJoint, 2, 0, false},
    {"piston", makePistonJoint, 1, 1, true},
    {"PR", makePRJoint, 1, 1, true},
    {"PU", makePUJoint, 2, 1, true},
};
enum { Kinds = sizeof kinds / sizeof *kinds };

/* ---- what a law sees --------------------------------------------------------------------------------------------- */

typedef struct Seen {
    int axes, translations, wrong;
    double most; /* the largest rate */
} Seen;

/* velocities of the two bodies, the world at rest; bodies are at the joint's anchor, so that it has no lever */
static void look(const struct ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    Seen *const seen = data;
    (void)force_and_torque;
    seen->axes = c->axes;
    seen->translations = 0;
    for (int i = 0; i < c->axes; i++) {
        double rate = 0;
        for (int k = 0; k < 3; k++) {
            for (int side = 0; side < 2; side++) {
                const ukBodyState *b = c->body[side];
                if (b) rate += (side ? -1 : 1) * c->axis[i][k] * (c->is_translation[i] ? b->velocity[k] : b->spin[k]);
            }
        }
        seen->translations += c->is_translation[i] != 0;
        seen->wrong += !(fabs(c->rate[i] - rate) <= 1e-14);
        seen->most = fmax(seen->most, fabs(rate));
    }
}

static void told(const Kind *kind, bool world_first, bool pair)
{
    const dWorldID w = dWorldCreate();
    const dBodyID body = makeSphere(w, m, I), base = pair ? makeSphere(w, 5, 1) : NULL;
    const dJointID joint = kind->make(w, world_first ? base : body, world_first ? body : base);
    Seen seen = {0};
    CHECK(ukJointSetNonIdeal(joint, look, &seen) == 0);
    dBodySetLinearVel(body, 0, 0, kind->slides ? 0.7 : 0);
    dBodySetAngularVel(body, 0.4, 0.5, 0.6);
    CHECK(ukWorldStep(w, h) == 1);
    if (!CHECK(seen.axes == kind->rotations + kind->translations && seen.translations == kind->translations &&
               seen.wrong == 0 && seen.most >= 0.4))
        printf("  %s, world first %d, pair %d: %d axes, %d translations, %d wrong\n", kind->name, world_first, pair,
               seen.axes, seen.translations, seen.wrong);
    dWorldDestroy(w);
}

/* ---- what friction takes ----------------------------------------------------------------------------------------- */

/* `spin`: about a rotation that is free, else along z; the load is a force across the axis, through the centre. */
static void slowed(const Kind *kind, bool world_first, bool spin, double arm)
{
    static const double mu = 0.25, load = 40, v0 = 3;
    const dWorldID w = dWorldCreate();
    const dBodyID body = makeSphere(w, m, I);
    const dJointID joint = kind->make(w, world_first ? NULL : body, world_first ? body : NULL);
    const bool about_x = kind->make == makePRJoint || kind->make == makePUJoint;
    dWorldSetCFM(w, 0);
    CHECK(ukJointSetCoulomb(joint, mu, arm) == 0);
    if (spin)
        dBodySetAngularVel(body, about_x ? v0 : 0, 0, about_x ? 0 : v0);
    else
        dBodySetLinearVel(body, 0, 0, v0);
    dBodyAddForce(body, 0, load, 0);
    CHECK(ukWorldStep(w, h) == 1);
    const dReal *v = spin ? dBodyGetAngularVel(body) : dBodyGetLinearVel(body);
    const double off = spin ? mu * arm * load * h / I : mu * load * h / m;
    if (!CHECK_NEAR(v[spin && about_x ? 0 : 2], v0 - off, 1e-12))
        printf("  %s, world first %d, spin %d\n", kind->name, world_first, spin);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < Kinds; k++)
        for (int world_first = 0; world_first < 2; world_first++) {
            told(&kinds[k], world_first, false);
            told(&kinds[k], world_first, true);
            if (kinds[k].slides) slowed(&kinds[k], world_first, false, 0);
            if (kinds[k].slides) slowed(&kinds[k], world_first, false, 0.2);
            if (kinds[k].rotations > 0) slowed(&kinds[k], world_first, true, 0.2);
        }
    dCloseODE();
    return ukTestEnd();
}
