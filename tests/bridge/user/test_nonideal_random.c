/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws on every joint of random worlds, against the papers' formulas: Qi is that of the same world without laws, Qni is
 * M-orthogonal to it, and qdd is the reference solver's a' + A_M^+ (b - A a') with C. Fixed seeds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/formulas.h>
#include <ukode/ukode.h>

#include "bridge/user/joint_law.h"
#include "bridge/world/registry.h"
#include "solvers/papers/solvers.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Worlds = 150 };

static const RandomWorldKind kind = {.cfm_lo = 1e-16, .cfm_hi = 1e-15};

static void addLaws(const RandomWorld *w, uint64_t seed)
{
    Random r = {.state = seed * 77 + 5};
    for (int i = 0; i < w->joints; i++) {
        const double mu = randomUniform(&r, 0, 0.6), arm = randomUniform(&r, 0.01, 0.2);
        const double c = pow(10, randomUniform(&r, -3, 1));
        ukJointSetCoulomb(w->joint[i], mu, arm); /* types without free axes refuse */
        if (randomBelow(&r, 2)) ukJointSetViscous(w->joint[i], c);
    }
}

/* what takes or gives power besides the laws */
static void plainBodies(const RandomWorld *w)
{
    for (int i = 0; i < w->bodies; i++) {
        dBodySetDynamic(w->body[i]);
        dBodySetDamping(w->body[i], 0, 0);
        dBodySetMaxAngularSpeed(w->body[i], dInfinity);
    }
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static double largest(const double *x, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

static double *copy(const double *x, int n)
{
    double *y = malloc((size_t)(n > 0 ? n : 1) * sizeof *y);
    memcpy(y, x, (size_t)n * sizeof *y);
    return y;
}

typedef struct Tally {
    double ideal, balance, formula, orthogonal, forces, law;
    int stuck, sliding;
    int moving; /* worlds with C != 0 */
} Tally;

/* y := M^-1 f by Gauss elimination on a copy */
static void solve(const double *M, const double *f, int n, double *y)
{
    double *L = copy(M, n * n);
    memcpy(y, f, (size_t)n * sizeof *y);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const double t = L[i * n + k] / L[k * n + k];
            for (int j = k; t != 0 && j < n; j++) L[i * n + j] -= t * L[k * n + j];
            y[i] -= t * y[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) y[i] -= L[i * n + j] * y[j];
        y[i] /= L[i * n + i];
    }
    free(L);
}

/* qdd by 2004 [9], Qi and Qni by 2000 [27], [28]: how far the step's own are from them */
static double formula(const ukEquations *e, const double *Q)
{
    const ukDense p = {.n = e->n, .m = e->m, .M = e->M, .Q = Q, .C = e->C, .A = e->A, .b = e->b};
    const size_t n = (size_t)e->n, bytes = ukDenseScratch(ukDenseMInverse, &p);
    void *memory = aligned_alloc(64, (bytes + 127) / 64 * 64);
    ukArena arena = ukArenaOver(memory, bytes);
    double *qdd = malloc(3 * n * sizeof *qdd), *Qi = qdd + n, *Qni = Qi + n, off = 0, off_force = 0;
    double *lambda = malloc((size_t)(e->m + 1) * sizeof *lambda);
    ukSolution s = {.qdd = qdd, .lambda = lambda};
    CHECK(ukDenseSolve(ukDenseMInverse, &p, 0, &s, &arena) == 0);
    const ukFormulaSystem t = {.n = e->n, .m = e->m, .M = e->M, .A = e->A, .b = e->b, .Q = Q, .C = e->C};
    CHECK(ukFormulaOneFourForces(&t, NULL, Qi, Qni) == 0);
    for (size_t i = 0; i < n; i++) {
        off = fmax(off, fabs(qdd[i] - e->qdd[i]));
        off_force = fmax(off_force, fmax(fabs(Qi[i] - e->Qi[i]), fabs(Qni[i] - e->Qni[i])));
    }
    off /= largest(qdd, e->n) + largest(e->a, e->n) + 1e-9;
    off_force /= largest(Qi, e->n) + largest(Qni, e->n) + largest(Q, e->n) + 1e-9;
    free(qdd);
    free(lambda);
    free(memory);
    return fmax(off, off_force);
}

/* forces of all joints on their bodies, against Qi and Qni */
static double sums(const RandomWorld *w, const ukEquations *e)
{
    double *Qi = copy(e->Qi, e->n), *Qni = copy(e->Qni, e->n);
    const double size = largest(Qi, e->n) + largest(Qni, e->n);
    for (int i = 0; i < w->joints; i++) {
        dReal ideal[2][6], nonideal[2][6];
        CHECK(ukJointGetForces(w->joint[i], ideal, nonideal) == 0);
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < e->n / 6; j++)
                for (int c = 0; c < 6 && e->bodies[j] == dJointGetBody(w->joint[i], k); c++) {
                    Qi[6 * j + c] -= ideal[k][c];
                    Qni[6 * j + c] -= nonideal[k][c];
                }
    }
    const double off = fmax(largest(Qi, e->n), largest(Qni, e->n));
    free(Qi);
    free(Qni);
    return off / size;
}

static void compare(const RandomWorld *x, const RandomWorld *plain, bool discrete, Tally *t)
{
    ukEquations e, f;
    ukReport report, without;
    CHECK(ukWorldGetEquations(x->world, &e) == 0 && ukWorldGetEquations(plain->world, &f) == 0);
    ukWorldGetReport(x->world, &report);
    ukWorldGetReport(plain->world, &without);
    CHECK(report.ok == 1 && without.ok == 1);
    if (!CHECK(e.n == f.n && e.m == f.m) || e.m == 0) return;
    const int n = e.n;
    double *Q = calloc((size_t)n, sizeof *Q), *y = malloc((size_t)n * sizeof *y), power = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) Q[i] += e.M[i * n + k] * e.a[k];
    const double size = largest(e.Qi, n) + largest(Q, n);
    t->moving += largest(e.C, n) > 1e-9 * size;

    if (discrete) { /* both are the step's start */
        double off = 0;
        for (int i = 0; i < n; i++) off = fmax(off, fabs(e.Qi[i] - f.Qi[i]));
        t->ideal = fmax(t->ideal, off / size);
        CHECK_NEAR(report.gaussian_ideal, without.gaussian, 1e-7 * (1 + without.gaussian));
    }
    CHECK_NEAR(report.gaussian_ideal + report.gaussian_nonideal, report.gaussian, 1e-6 * (1 + report.gaussian));
    for (int i = 0; i < n; i++) {
        const double rest = dot(e.M + i * n, e.qdd, n) - Q[i] - e.Qi[i] - e.Qni[i];
        t->balance = fmax(t->balance, fabs(rest) / (size + largest(e.Qni, n)));
    }
    solve(e.M, e.Qni, n, y);
    const double cross = dot(e.Qi, y, n), nonideal = dot(e.Qni, y, n);
    solve(e.M, e.Qi, n, y);
    const double ideal = dot(e.Qi, y, n);
    CHECK_NEAR(nonideal, report.gaussian_nonideal, 1e-7 * (1 + report.gaussian));
    t->orthogonal = fmax(t->orthogonal, fabs(cross) / (1e-9 + ideal + nonideal));
    t->formula = fmax(t->formula, formula(&e, Q));
    t->forces = fmax(t->forces, sums(x, &e));
    for (int j = 0; j < n / 6; j++) { /* friction only takes: at the velocity after the step */
        const dReal *v = dBodyGetLinearVel(e.bodies[j]), *w = dBodyGetAngularVel(e.bodies[j]);
        power += dot(e.C + 6 * j, v, 3) + dot(e.C + 6 * j + 3, w, 3);
    }
    CHECK(power <= 1e-9 * size);
    free(Q);
    free(y);
}

/* each slide's law: |force| <= radius; stuck: no slip; sliding: |force| = radius, against the slip */
static void laws(const RandomWorld *w, Tally *t)
{
    for (int i = 0; i < w->joints; i++) {
        const ukLaw *law = ukRegistryJoint(w->joint[i])->law;
        for (int k = 0; law && law->mu > 0 && k < law->slides; k++) {
            const ukSlide *slide = &law->slide[k];
            if (slide->axes == 0 || slide->radius == 0 || slide->row < 0) continue;
            const int n = slide->axes;
            const double size = sqrt(dot(slide->force, slide->force, n)), slip = sqrt(dot(slide->slip, slide->slip, n));
            const double pushed = slip + slide->scale * slide->radius;
            t->law = fmax(t->law, fmax(0, size / slide->radius - 1));
            t->stuck += slide->sticks;
            t->sliding += !slide->sticks;
            if (slide->sticks) {
                t->law = fmax(t->law, slip / pushed);
            } else {
                t->law = fmax(t->law, fabs(size / slide->radius - 1));
                t->law = fmax(t->law, fabs(dot(slide->force, slide->slip, n) + size * slip) / (size * pushed));
            }
        }
    }
}

/* a chain of ball joints with friction in all of them: slides with several axes, coupled */
static void chainOfBalls(uint64_t seed, Tally *t)
{
    Random r = {.state = seed};
    RandomWorld w = {.world = dWorldCreate(), .bodies = 6, .joints = 6};
    dWorldSetGravity(w.world, 0, 0, -9.81);
    dWorldSetCFM(w.world, 0);
    for (int i = 0; i < 6; i++) {
        dMass mass;
        dMassSetBoxTotal(&mass, randomUniform(&r, 0.5, 2), 1, randomUniform(&r, 0.1, 0.4), 0.2);
        w.body[i] = dBodyCreate(w.world);
        dBodySetMass(w.body[i], &mass);
        dBodySetPosition(w.body[i], i + 0.5, 0, 0);
        w.joint[i] = dJointCreateBall(w.world, NULL);
        dJointAttach(w.joint[i], w.body[i], i ? w.body[i - 1] : NULL);
        dJointSetBallAnchor(w.joint[i], i, 0, 0);
        CHECK(ukJointSetCoulomb(w.joint[i], randomUniform(&r, 0, 0.8), 0.1) == 0);
    }
    for (int k = 0; k < 100; k++) {
        ukReport report;
        CHECK(ukWorldStep(w.world, 0.01) == 1);
        ukWorldGetReport(w.world, &report);
        CHECK(report.ok == 1);
        laws(&w, t);
    }
    dWorldDestroy(w.world);
}

static void run(ukIntegrator integrator, double h, Tally *t)
{
    RandomWorldKind k = kind;
    k.types = randomEqualityTypes & ~(1 << dJointTypeHinge2); /* its suspension is soft: no split is orthogonal */
    for (uint64_t seed = 1; seed <= Worlds; seed++) {
        RandomWorld x, plain;
        randomWorldBuild(&x, seed, &k);
        randomWorldBuild(&plain, seed, &k);
        plainBodies(&x);
        plainBodies(&plain);
        addLaws(&x, seed);
        CHECK(ukWorldSetIntegrator(x.world, integrator) == 0 && ukWorldSetIntegrator(plain.world, integrator) == 0);
        if (CHECK(ukWorldStep(x.world, h) == 1) && CHECK(ukWorldStep(plain.world, h) == 1)) {
            if (integrator == ukIntegratorEuler) laws(&x, t);
            compare(&x, &plain, integrator == ukIntegratorEuler, t);
            /* and at the state now, in the continuous form */
            if (CHECK(ukWorldEvaluate(x.world) == 0) && CHECK(ukWorldEvaluate(plain.world) == 0))
                compare(&x, &plain, false, t);
        } else {
            printf("seed %d: %s\n", (int)seed, ukGetLastErrorMessage());
        }
        randomWorldDestroy(&x);
        randomWorldDestroy(&plain);
    }
}

int main(void)
{
    dInitODE2(0);
    Tally euler = {0}, rk4 = {0};
    run(ukIntegratorEuler, 0.01, &euler);
    run(ukIntegratorRK4, 0.001, &rk4);
    for (uint64_t seed = 1; seed <= 10; seed++) chainOfBalls(seed, &euler);
    printf("laws %.2g, stuck %d, sliding %d\n", euler.law, euler.stuck, euler.sliding);
    CHECK(euler.law <= 1e-8 && euler.stuck > 100 && euler.sliding > 1000);
    const Tally *all[] = {&euler, &rk4};
    for (int i = 0; i < 2; i++) {
        const Tally *t = all[i];
        printf("%s: Qi %.2g, balance %.2g, formula %.2g, orthogonal %.2g, joints' sums %.2g, with friction %d\n",
               i ? "RK4" : "Euler", t->ideal, t->balance, t->formula, t->orthogonal, t->forces, t->moving);
        CHECK(t->ideal <= 1e-9 && t->balance <= 1e-10 && t->formula <= 1e-7 && t->orthogonal <= 1e-8);
        CHECK(t->forces <= 1e-9 && t->moving > Worlds);
    }
    dCloseODE();
    return ukTestEnd();
}
