/* SPDX-License-Identifier: BSD-3-Clause */
/* Momentum in random worlds under every integrator, with stops, motors of bounded force, contacts with friction, laws
 * of joints, and rows of user constraints, weighted ones that contradict each other too, and after a change from Euler:
 * h times the feedback of all joints on a body, contacts included, the impulses of constraints, gravity and applied
 * forces are its change of linear momentum; bodies that only joints between each other hold keep their linear momentum. `test_momentum_worlds N`
 * takes so many worlds of each kind and integrator; further arguments choose integrators, kinds and the first seed:
 * `test_momentum_worlds 1 rattle "user rows" 560`. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/random_world.h"
#include "ukode/ukode.h"

enum { Integrators = 5, Steps = 5, MostContacts = 8, Worlds = 40 };
static const char *const integrator_name[Integrators] = {"euler", "rk4", "adaptive", "rattle", "radau"};

typedef enum Kind { Stops, Motors, Contacts, Laws, Rows, Weighted, Changed, Kinds } Kind;
static const char *const kind_name[Kinds] = {"stops",     "motors",        "contacts",     "laws",
                                             "user rows", "weighted rows", "after Euler's"};
enum { Changes = 3 }; /* the step from which on worlds of the kind `Changed` have the integrator: before it, Euler */

typedef struct Scene {
    RandomWorld w;
    ukConstraintID constraint;
    dBodyID tied[2]; /* the bodies of the constraint */
    dJointID contact[MostContacts];
    dJointFeedback feedback[MostContacts];
    int contacts;
} Scene;

typedef struct Tally {
    int steps, judged, refused, isolated; /* judged: steps whose impulses are compared */
    double impulse, linear; /* the largest errors; that of linear momentum over momentum and impulses, displaced starts
                             * make some of 1e10 N s */
    uint64_t of_impulse, of_linear;
} Tally;

/* The relative velocity of two bodies along fixed directions, which is to stay. `data`: weighted: the third row asks
 * another acceleration along the direction of the second one. */
static int between(const ukConstraintContext *c, double *A, double *b, void *data)
{
    static const double along[3][3] = {{0.6, 0.8, 0}, {0, 0.6, 0.8}, {0, 0.6, 0.8}};
    for (int i = 0; i < (data ? 3 : 2); i++) {
        for (int k = 0; k < 3; k++)
            A[6 * (i * c->count) + k] = along[i][k], A[6 * (i * c->count + 1) + k] = -along[i][k];
        b[i] = i < 2 ? 0.1 : 0.3;
    }
    return 0;
}

static void addRows(Scene *s, bool weighted)
{
    static int flag;
    static const double weight[3] = {1, 2, 3};
    const RandomWorld *w = &s->w;
    int count = 0;
    for (int i = 0; i < w->bodies && count < 2; i++)
        if (!dBodyIsKinematic(w->body[i])) s->tied[count++] = w->body[i];
    if (count < 2) return;
    s->constraint = ukConstraintCreate(w->world, weighted ? 3 : 2, s->tied, 2, between, weighted ? &flag : NULL);
    CHECK(s->constraint != NULL);
    if (weighted) CHECK(ukConstraintSetWeight(s->constraint, weight, 0) == 0);
}

static void collectContacts(Scene *s)
{
    for (int i = 0; i < s->w.bodies; i++)
        for (int k = 0; k < dBodyGetNumJoints(s->w.body[i]); k++) {
            const dJointID j = dBodyGetJoint(s->w.body[i], k);
            int n = 0;
            while (n < s->contacts && s->contact[n] != j) n++;
            if (dJointGetType(j) != dJointTypeContact || n < s->contacts || !CHECK(n < MostContacts)) continue;
            s->contact[s->contacts++] = j;
            dJointSetFeedback(j, &s->feedback[n]);
        }
}

static void addImpulse(dJointID j, const dJointFeedback *f, dBodyID b, double h, double impulse[3], double *size)
{
    const dBodyID first = dJointGetBody(j, 0), second = dJointGetBody(j, 1);
    const dReal *force = b == first || (!first && b == second) ? f->f1 : b == second ? f->f2 : NULL;
    for (int k = 0; k < 3 && force; k++) impulse[k] += h * force[k], *size = fmax(*size, h * fabs(force[k]));
}

/* the bodies that neither the world nor a kinematic body holds, the whole world if it is one group: else none */
static bool isIsolated(const Scene *s)
{
    for (int i = 0; i < s->w.bodies; i++) {
        if (dBodyIsKinematic(s->w.body[i])) return false;
        for (int k = 0; k < dBodyGetNumJoints(s->w.body[i]); k++) {
            const dJointID j = dBodyGetJoint(s->w.body[i], k);
            const dJointType type = dJointGetType(j); /* these act against the world */
            if (type == dJointTypePlane2D || type == dJointTypeTransmission) return false;
            if (!dJointGetBody(j, 0) || !dJointGetBody(j, 1)) return false;
        }
    }
    return true;
}

/* linear momentum, and the sum of the sizes of its parts */
static double linearOf(const RandomWorld *w, double P[3])
{
    double size = 0;
    memset(P, 0, 3 * sizeof *P);
    for (int i = 0; i < w->bodies; i++) {
        const dReal *v = dBodyGetLinearVel(w->body[i]);
        dMass m;
        dBodyGetMass(w->body[i], &m);
        for (int k = 0; k < 3; k++) P[k] += m.mass * v[k], size += m.mass * fabs(v[k]);
    }
    return size;
}

typedef struct Before {
    double v[MaxWorldBodies][3], applied[MaxWorldBodies][3];
} Before;

/* The largest error of a body's balance, over the largest impulse of the world, or what rounding of a momentum is over
 * the tolerance 1e-9. *largest: at least this impulse [N s]. */
static double imbalance(const Scene *s, const Before *before, double h, double *largest)
{
    static const double rounding = 1024 * DBL_EPSILON / 1e-9;
    const RandomWorld *w = &s->w;
    double most = 0, size = 0, by_rows[12] = {0};
    dVector3 g;
    dWorldGetGravity(w->world, g);
    if (s->constraint) CHECK(ukConstraintGetImpulse(s->constraint, by_rows) == 0);
    for (int i = 0; i < w->bodies; i++) {
        const dBodyID body = w->body[i];
        dMass m;
        double sum[3];
        if (dBodyIsKinematic(body)) continue;
        dBodyGetMass(body, &m);
        for (int k = 0; k < 3; k++)
            sum[k] = h * (before->applied[i][k] + (dBodyGetGravityMode(body) ? m.mass * g[k] : 0));
        for (int j = 0; j < w->joints; j++) addImpulse(w->joint[j], &w->feedback[j], body, h, sum, &size);
        for (int j = 0; j < s->contacts; j++) addImpulse(s->contact[j], &s->feedback[j], body, h, sum, &size);
        for (int t = 0; t < 2; t++)
            for (int k = 0; k < 3 && s->tied[t] == body; k++) sum[k] += by_rows[6 * t + k];
        for (int k = 0; k < 3; k++) {
            const double change = m.mass * (dBodyGetLinearVel(body)[k] - before->v[i][k]);
            most = fmax(most, fabs(sum[k] - change));
            size = fmax(size, fmax(fabs(sum[k]), fabs(change)));
            size = fmax(size, rounding * m.mass * fabs(before->v[i][k]));
        }
    }
    *largest = fmax(*largest, size);
    return size > 0 ? most / size : 0;
}

static void build(Scene *s, Kind kind, int integrator, uint64_t seed)
{
    /* hinge2's suspension is a spring by CFM, stiff: the feedback of the implicit method has its tolerance */
    const bool implicit = integrator == ukIntegratorAdaptive || integrator == ukIntegratorRadau;
    const RandomWorldKind of = {.types = randomEqualityTypes & ~(implicit ? 1 << dJointTypeHinge2 : 0),
                                .cfm_lo = 1e-10,
                                .cfm_hi = 1e-9,
                                .stops = kind == Stops,
                                .bounded_motors = kind == Motors,
                                .contacts = kind == Contacts ? 3 : 0,
                                .finite_mu = 1,
                                .friction = 1};
    memset(s, 0, sizeof *s);
    randomWorldBuild(&s->w, seed, &of);
    for (int i = 0; i < s->w.bodies; i++) { /* bodies that move by forces alone */
        dBodySetLinearDamping(s->w.body[i], 0);
        dBodySetAngularDamping(s->w.body[i], 0);
        dBodySetMaxAngularSpeed(s->w.body[i], dInfinity);
        dBodySetMovedCallback(s->w.body[i], NULL);
    }
    CHECK(ukWorldSetIntegrator(s->w.world, kind == Changed ? ukIntegratorEuler : (ukIntegrator)integrator) == 0);
    for (int k = 0; k < s->w.joints && kind == Laws; k++) {
        ukJointSetCoulomb(s->w.joint[k], 0.2, 0.1); /* not all types may have it */
        ukJointSetViscous(s->w.joint[k], 0.3);
    }
    if (kind == Rows || kind == Weighted) addRows(s, kind == Weighted);
    collectContacts(s);
}

static bool isAtJoints(const RandomWorld *w)
{
    ukReport report;
    return ukWorldGetReport(w->world, &report) == 0 && report.position_error < 1e-13;
}

/* Projects the poses onto the joints, if contacts and stops let them; whether they are there. */
static bool isPlaced(const RandomWorld *w)
{
    ukWorldProject(w->world);
    return ukWorldEvaluate(w->world) == 0 && isAtJoints(w);
}

static void run(Kind kind, int integrator, uint64_t seed, Tally *tally)
{
    static const double h = 0.005;
    Scene s;
    build(&s, kind, integrator, seed);
    const RandomWorld *w = &s.w;
    const bool alone = isIsolated(&s);
    double P0[3], P[3];
    if (alone) dWorldSetGravity(w->world, 0, 0, 0);
    for (int i = 0; alone && i < w->bodies; i++) dBodySetForce(w->body[i], 0, 0, 0);
    double size = linearOf(w, P0);
    tally->isolated += alone;
    const bool placed = isPlaced(w);
    for (int i = 0; i < Steps; i++) {
        Before before;
        if (kind == Changed && i == Changes) CHECK(ukWorldSetIntegrator(w->world, (ukIntegrator)integrator) == 0);
        for (int b = 0; b < w->bodies; b++)
            for (int k = 0; k < 3; k++) {
                before.v[b][k] = dBodyGetLinearVel(w->body[b])[k];
                before.applied[b][k] = dBodyGetForce(w->body[b])[k];
            }
        if (ukWorldStep(w->world, h) != 1) {
            tally->refused++;
            break;
        }
        tally->steps++;
        /* The first step's projection of a start beside the joints restores the angular momentum, which is no force of
         * a joint. */
        const double imbalanced = imbalance(&s, &before, h, &size);
        const bool judged = i > 0 || placed || integrator == ukIntegratorEuler;
        const double off = judged ? imbalanced : 0;
        tally->judged += judged;
        if (off > tally->impulse) tally->impulse = off, tally->of_impulse = seed;
        size = fmax(size, linearOf(w, P));
        for (int k = 0; k < 3 && alone; k++)
            if (fabs(P[k] - P0[k]) > tally->linear * (1 + size))
                tally->linear = fabs(P[k] - P0[k]) / (1 + size), tally->of_linear = seed;
    }
    randomWorldDestroy(&s.w);
}

/* Worlds in which impulses were missing: a stop that begins to act within the step, where the projection was followed
 * by a common rotation; a rejected sub-step, whose first accelerations were solved again; a kick solved again because
 * its rows seemed to contradict each other, after its velocities were taken. */
static const struct {
    const char *integrator;
    Kind kind;
    uint64_t seed;
} found[] = {{"adaptive", Stops, 536}, {"radau", Stops, 536}, {"rattle", Stops, 1681},
             {"adaptive", Rows, 560},  {"radau", Rows, 560},  {"rattle", Weighted, 600}};

/* whether `name` is an argument, or no argument is one of the names */
static bool isChosen(int argc, char **argv, const char *name, const char *const *names, int count)
{
    bool any = false;
    for (int i = 2; i < argc; i++)
        for (int k = 0; k < count; k++) any |= strcmp(argv[i], names[k]) == 0;
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], name) == 0) return true;
    return !any;
}

static void runKind(int integrator, Kind kind, uint64_t first, int count, bool print)
{
    Tally t = {0};
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) run(kind, integrator, seed, &t);
    for (size_t i = 0; i < sizeof found / sizeof *found && !print; i++)
        if (found[i].kind == kind && strcmp(found[i].integrator, integrator_name[integrator]) == 0)
            run(kind, integrator, found[i].seed, &t);
    const bool good = CHECK(t.impulse < 1e-9 && t.linear < 1e-12 && 2 * t.judged > t.steps);
    if (good && !print) return;
    printf("%-8s %-13s: %d steps, %d judged, %d worlds refused; impulses off by %.1e (seed %d); %d isolated, momentum "
           "off by %.1e (seed %d)\n",
           integrator_name[integrator], kind_name[kind], t.steps, t.judged, t.refused, t.impulse, (int)t.of_impulse,
           t.isolated, t.linear, (int)t.of_linear);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : ukTestRounds(Worlds);
    uint64_t first = 1;
    for (int i = 2; i < argc; i++)
        if (argv[i][0] >= '0' && argv[i][0] <= '9') first = strtoull(argv[i], NULL, 10);
    dInitODE2(0);
    for (int i = 0; i < Integrators; i++)
        for (int kind = 0; kind < Kinds; kind++) {
            if (!isChosen(argc, argv, integrator_name[i], integrator_name, Integrators)) continue;
            if (!isChosen(argc, argv, kind_name[kind], kind_name, Kinds)) continue;
            runKind(i, (Kind)kind, first, worlds, argc > 1);
        }
    dCloseODE();
    return ukTestEnd();
}
