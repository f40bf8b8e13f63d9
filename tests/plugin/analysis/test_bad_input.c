/* SPDX-License-Identifier: BSD-3-Clause */
/* Worlds that no analysis can answer for, and each analysis of them: inertia that is singular, a state that is not
 * finite, rows that contradict each other, a step that fails: a status with a message, an empty result, and the world
 * as it was. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <ukode/analysis.h>

#include "demos/scenes.h"
#include "tests/check.h"

typedef enum Call { Linearize, LinearizeStep, Modes, Regulate, Operator, Assemble, Equilibrium, Inverse, Calls } Call;

static const char *const call_names[] = {"linearize", "linearize a step", "modes",       "regulate",
                                         "operator",  "assemble",         "equilibrium", "inverse dynamics"};

/* The status of a call; a failed one leaves nothing. */
static int call(dWorldID w, Call which)
{
    const ukSignal force = {.kind = ukSignalJointForce, .joint = ukWorldGetJoint(w, 0)};
    ukLinearization l;
    ukRegulator r;
    ukAssembly a;
    ukEquilibrium e;
    ukInverse inverse;
    const ukMode *modes;
    int count, zero, status = ukOk;
    double u = 0;
    memset(&l, 1, sizeof l), memset(&r, 1, sizeof r), memset(&a, 1, sizeof a), memset(&e, 1, sizeof e);
    memset(&inverse, 1, sizeof inverse);
    switch (which) {
    case Linearize: status = ukWorldLinearize(w, &force, 1, NULL, 0, 0, &l); break;
    case LinearizeStep: status = ukWorldLinearize(w, &force, 1, NULL, 0, 0.01, &l); break;
    case Modes: status = ukWorldModes(w, &modes, &count, &zero); break;
    case Regulate: status = ukWorldRegulate(w, &force, 1, 1, 0, &r); break;
    case Operator: {
        const ukLinearOperatorID o = ukLinearOperatorCreate(w, &force, 1);
        status = o ? ukOk : ukGetLastError();
        ukLinearOperatorDestroy(o);
        break;
    }
    case Assemble: status = ukWorldAssemble(w, NULL, 0, &a); break;
    case Equilibrium: status = ukWorldEquilibrium(w, 0, &e); break;
    case Inverse: status = ukWorldInverseDynamics(w, &force, 1, NULL, NULL, &u, &inverse); break;
    case Calls: break;
    }
    if (status != ukOk && which <= LinearizeStep) CHECK(l.A == NULL && l.bodies == 0);
    if (status != ukOk && which == Modes) CHECK(modes == NULL && count == 0);
    if (status != ukOk && which == Regulate) CHECK(r.K == NULL);
    if (status != ukOk && which == Assemble) CHECK(a.bodies == NULL && !a.met);
    if (status != ukOk && which == Equilibrium) CHECK(e.bodies == NULL && !e.found);
    if (status != ukOk && which == Inverse) CHECK(inverse.missing == NULL && !inverse.met);
    return status;
}

/* Everything that ODE holds of the bodies. */
static size_t stateOf(const Scene *s, double *x)
{
    size_t n = 0;
    for (int k = 0; k < s->count; k++) {
        const dBodyID b = s->bodies[k];
        for (int i = 0; i < 3; i++) x[n++] = dBodyGetPosition(b)[i], x[n++] = dBodyGetLinearVel(b)[i];
        for (int i = 0; i < 3; i++) x[n++] = dBodyGetAngularVel(b)[i], x[n++] = dBodyGetForce(b)[i];
        for (int i = 0; i < 4; i++) x[n++] = dBodyGetQuaternion(b)[i];
    }
    return n * sizeof *x;
}

/* Each call of `s` that is in `refused` (bits) fails, with a message that has one of the words; no call changes it. */
static void tryAll(Scene *s, const char *name, unsigned refused, const char *word)
{
    double before[64 * 16], after[64 * 16];
    for (int k = 0; k < Calls; k++) {
        const size_t size = stateOf(s, before);
        const int status = call(s->world, (Call)k);
        const bool moves = status == ukOk && (k == Assemble || k == Equilibrium);
        stateOf(s, after);
        if (!CHECK(moves || memcmp(before, after, size) == 0))
            printf("  %s, %s: the world has changed\n", name, call_names[k]);
        if (!(refused >> k & 1)) continue;
        const bool told = status != ukOk && ukGetLastError() == status && strstr(ukGetLastErrorMessage(), word);
        if (!CHECK(told)) printf("  %s, %s: %d %s\n", name, call_names[k], status, ukGetLastErrorMessage());
    }
}

static const unsigned all = (1u << Calls) - 1, searches = 1u << Assemble | 1u << Equilibrium;

static Scene *fourBar(ukIntegrator integrator)
{
    Scene *const s = sceneFourBar();
    ukWorldEnable(s->world);
    ukWorldSetIntegrator(s->world, integrator);
    return s;
}

static int twoRates(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c;
    (void)data;
    A[0] = A[6] = 1; /* the same row twice, with two accelerations */
    b[1] = 5;
    return 0;
}

static int failing(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)A, (void)b, (void)data;
    return 1;
}

static void checkWorlds(ukIntegrator integrator)
{
    Scene *s = fourBar(integrator);
    dBodySetLinearVel(s->bodies[1], NAN, 0, 0);
    tryAll(s, "velocity NaN", all & ~searches, "finite");
    sceneDestroy(s);

    s = fourBar(integrator);
    dBodySetPosition(s->bodies[1], INFINITY, 0, 0);
    tryAll(s, "position infinite", all, "");
    sceneDestroy(s);

    s = fourBar(integrator);
    dBodyAddForce(s->bodies[0], NAN, 0, 0);
    tryAll(s, "force NaN", all & ~searches, "finite");
    sceneDestroy(s);

    s = fourBar(integrator);
    CHECK(ukConstraintCreate(s->world, 2, &s->bodies[1], 1, twoRates, NULL) != NULL);
    tryAll(s, "contradictory rows", 1u << Linearize | 1u << Modes | 1u << Regulate | 1u << Operator, "contradict");
    sceneDestroy(s);

    s = fourBar(integrator); /* cranks that turn together, with motors of different speeds */
    for (int i = 1; i < 4; i += 2) {
        const dJointID motor = ukWorldGetJoint(s->world, i);
        dJointSetHingeParam(motor, dParamFMax, dInfinity);
        dJointSetHingeParam(motor, dParamVel, 2 * i + 1);
    }
    tryAll(s, "contradictory velocities",
           1u << Linearize | 1u << LinearizeStep | 1u << Modes | 1u << Regulate | 1u << Operator, "contradict");
    sceneDestroy(s);

    s = fourBar(integrator);
    CHECK(ukConstraintCreate(s->world, 1, &s->bodies[1], 1, failing, NULL) != NULL);
    tryAll(s, "a function that fails", all, "");
    sceneDestroy(s);

    s = fourBar(integrator);
    const dReal *const x = dBodyGetPosition(s->bodies[1]);
    dBodySetPosition(s->bodies[1], x[0] + 1, x[1], x[2]);
    tryAll(s, "joints apart", 1u << Linearize | 1u << LinearizeStep | 1u << Modes | 1u << Regulate | 1u << Operator,
           "violates");
    sceneDestroy(s);
}

int main(void)
{
    static const ukIntegrator kinds[4] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    dInitODE2(0);
    Scene *const s = fourBar(ukIntegratorEuler);
    const int status = call(s->world, Linearize);
    sceneDestroy(s);
    if (status == ukErrorLapack) return 77;
    for (int i = 0; i < 4; i++) checkWorlds(kinds[i]);
    dCloseODE();
    return ukTestEnd();
}
