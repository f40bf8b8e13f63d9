/* SPDX-License-Identifier: BSD-3-Clause */
/* Units do not matter: the same mechanism in other units of length, mass and time has the same rank in every step and
 * the same motion, scaled back, to 1e-8. CFM is 0 (one number for rows in metres and rows in radians, it cannot be
 * scaled alike); ERP has no unit. By Euler and by RK4; the ragdoll has contacts and stops, and Euler alone.
 *
 * Units by powers of two leave the bits of every number but its exponent: nothing is amplified. By powers of ten each
 * step is rounded anew. The duration is short of where the motion (of chaotic mechanisms) makes 1e-8 of that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"

typedef struct Units {
    double length, mass, time; /* of the scene's own, in the new ones */
} Units;

static void scale3(dVector3 to, const dReal *from, double by)
{
    for (int k = 0; k < 3; k++) to[k] = by * from[k];
}

static void toBody(dBodyID b, const Units *u)
{
    dMass m;
    dVector3 x, v, w;
    dBodyGetMass(b, &m);
    m.mass *= u->mass;
    for (int k = 0; k < 12; k++) m.I[k] *= u->mass * u->length * u->length;
    scale3(x, dBodyGetPosition(b), u->length);
    scale3(v, dBodyGetLinearVel(b), u->length / u->time);
    scale3(w, dBodyGetAngularVel(b), 1 / u->time);
    dBodySetMass(b, &m);
    dBodySetPosition(b, x[0], x[1], x[2]);
    dBodySetLinearVel(b, v[0], v[1], v[2]);
    dBodySetAngularVel(b, w[0], w[1], w[2]);
    for (dGeomID g = dBodyGetFirstGeom(b); g; g = dBodyGetNextGeom(g)) {
        dVector3 edge;
        dGeomBoxGetLengths(g, edge);
        dGeomBoxSetLengths(g, u->length * edge[0], u->length * edge[1], u->length * edge[2]);
    }
}

/* bodies first: joints are set up anew where they stand */
static void rescale(Scene *s, const Units *u)
{
    dVector3 g, *anchor = calloc((size_t)s->joint_count, sizeof *anchor);
    dWorldGetGravity(s->world, g);
    dWorldSetGravity(s->world, g[0] * u->length / (u->time * u->time), g[1] * u->length / (u->time * u->time),
                     g[2] * u->length / (u->time * u->time));
    dWorldSetCFM(s->world, 0);
    for (int i = 0; i < s->joint_count; i++) {
        if (dJointGetType(s->joints[i]) == dJointTypeHinge) dJointGetHingeAnchor(s->joints[i], anchor[i]);
        if (dJointGetType(s->joints[i]) == dJointTypeBall) dJointGetBallAnchor(s->joints[i], anchor[i]);
    }
    for (int i = 0; i < s->count; i++) toBody(s->bodies[i], u);
    for (int i = 0; i < s->joint_count; i++) {
        const dJointID j = s->joints[i];
        const double x = anchor[i][0] * u->length, y = anchor[i][1] * u->length, z = anchor[i][2] * u->length;
        if (dJointGetType(j) == dJointTypeHinge) { /* joints have a copy of the world's CFM */
            dJointSetHingeAnchor(j, x, y, z);
            dJointSetHingeParam(j, dParamStopCFM, 0);
        } else if (CHECK(dJointGetType(j) == dJointTypeBall)) {
            dJointSetBallAnchor(j, x, y, z);
            dJointSetBallParam(j, dParamCFM, 0);
        }
    }
    free(anchor);
}

typedef struct Case {
    const char *name;
    int n;
    ukIntegrator integrator;
    double h, seconds;
    double mu;
} Case;

/* positions and velocities of all bodies in the scene's own units; false: a step failed or was not certified */
static bool run(const Case *c, const Units *u, double *x, int *rank)
{
    Scene *s = sceneByName(c->name, c->n);
    const double h = c->h * u->time;
    bool good = true, touched = false;
    rescale(s, u);
    s->mu = c->mu;
    CHECK(ukWorldSetIntegrator(s->world, c->integrator) == 0);
    for (int i = 0; i < (int)round(c->seconds / c->h) && good; i++) {
        ukReport r;
        good = sceneStep(s, h, ukWorldStep) == 1 && ukWorldGetReport(s->world, &r) == 0 && r.ok && r.fallbacks == 0;
        rank[i] = r.rank;
        touched |= s->contact_count > 0;
    }
    CHECK(touched == (s->space != 0));
    for (int i = 0; i < s->count; i++, x += 13) {
        scale3(x, dBodyGetPosition(s->bodies[i]), 1 / u->length);
        memcpy(x + 3, dBodyGetQuaternion(s->bodies[i]), 4 * sizeof *x);
        scale3(x + 7, dBodyGetLinearVel(s->bodies[i]), u->time / u->length);
        scale3(x + 10, dBodyGetAngularVel(s->bodies[i]), u->time);
    }
    sceneDestroy(s);
    return good;
}

enum { MostBodies = 120, MostSteps = 4000 };

static double apart(const double *x, const double *y, int n)
{
    double most = 0, size = 0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(x[i] - y[i]) <= most)) most = fabs(x[i] - y[i]);
        size = fmax(size, fabs(y[i]));
    }
    return most / size;
}

static void same(const Case *c)
{
    static const Units units[] = {{0x1p-10, 1, 1}, {0x1p10, 1, 1}, {1, 0x1p-20, 1},   {1, 0x1p20, 1},  {1, 1, 0x1p-10},
                                  {1, 1, 0x1p10},  {1e-3, 1, 1},   {1e3, 1, 1},       {1, 1e-6, 1},    {1, 1e6, 1},
                                  {1, 1, 1e-3},    {1, 1, 1e3},    {1e-3, 1e6, 1e-3}, {1e3, 1e-6, 1e3}};
    static double own[13 * MostBodies], x[13 * MostBodies];
    static int own_rank[MostSteps], rank[MostSteps];
    const int steps = (int)round(c->seconds / c->h);
    double two = 0, ten = 0;
    int lowest = 1 << 20;
    memset(own, 0, sizeof own);
    CHECK(steps <= MostSteps);
    if (!CHECK(run(c, &(Units){1, 1, 1}, own, own_rank))) printf("%s: in its own units\n", c->name);
    for (int i = 0; i < steps; i++) lowest = own_rank[i] < lowest ? own_rank[i] : lowest;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        const Units *u = &units[k];
        memset(x, 0, sizeof x);
        if (!CHECK(run(c, u, x, rank))) printf("%s: in units %g %g %g\n", c->name, u->length, u->mass, u->time);
        const double e = apart(x, own, 13 * MostBodies);
        if (k < 6)
            two = fmax(two, e);
        else
            ten = fmax(ten, e);
        int differ = 0;
        for (int i = 0; i < steps; i++) differ += rank[i] != own_rank[i];
        if (!CHECK(differ == 0 && e <= 1e-8))
            printf("%s, %s, units %g %g %g: apart by %.1e, rank differs in %d of %d steps\n", c->name,
                   c->integrator == ukIntegratorRK4 ? "rk4" : "euler", u->length, u->mass, u->time, e, differ, steps);
    }
    printf("%s %d, %s, %g s by %g s: rank from %d, apart by %.1e (powers of two), %.1e (of ten)\n", c->name, c->n,
           c->integrator == ukIntegratorRK4 ? "rk4" : "euler", c->seconds, c->h, lowest, two, ten);
}

int main(void)
{
    static const Case cases[] = {
        {"four_bar", 0, ukIntegratorEuler, 0.004, 2, 0},   {"four_bar", 0, ukIntegratorRK4, 0.004, 2, 0},
        {"bricard", 0, ukIntegratorEuler, 0.01, 5, 0},     {"bricard", 0, ukIntegratorRK4, 0.01, 3, 0},
        {"trap_door", 3, ukIntegratorEuler, 0.01, 3, 0},   {"trap_door", 3, ukIntegratorRK4, 0.01, 3, 0},
        {"flat_net", 4, ukIntegratorEuler, 0.005, 0.5, 0}, {"flat_net", 4, ukIntegratorRK4, 0.005, 0.05, 0},
        {"hub", 8, ukIntegratorEuler, 0.005, 0.5, 0},      {"hub", 8, ukIntegratorRK4, 0.005, 0.5, 0},
        {"ragdolls", 1, ukIntegratorEuler, 0.01, 0.5, 0},  {"ragdolls", 1, ukIntegratorEuler, 0.01, 0.5, 0.5},
    };
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) same(&cases[k]);
    dCloseODE();
    return ukTestEnd();
}
