/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"
#include "tests/reference/reference.h"

static bool table;
static const char *work; /* part of the name of the mechanism whose errors are printed over the time they cost */
static double tolerance = 1e-10; /* of the adaptive integrator */
static Way stepper;              /* of the present run */
static const char *curve;        /* part of the name of the mechanism whose errors are printed over time */

void mechanismBegin(int argc, char **argv)
{
    table = argc > 1 && strcmp(argv[1], "table") == 0;
    if (argc > 2 && strcmp(argv[1], "curve") == 0) curve = argv[2];
    if (argc > 2 && strcmp(argv[1], "work") == 0) work = argv[2];
    dInitODE2(0);
}

int mechanismEnd(void)
{
    dCloseODE();
    return table || curve || work ? ukTestFailed != 0 : ukTestEnd();
}

dBodyID mechanismBody(Scene *s, double mass, double ix, double iy, double iz, const double x[3], const double *q)
{
    dMass m;
    const dBodyID body = dBodyCreate(s->world);
    dMassSetParameters(&m, mass, 0, 0, 0, ix, iy, iz, 0, 0, 0);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x[0], x[1], x[2]);
    if (q) dBodySetQuaternion(body, (dQuaternion){q[0], q[1], q[2], q[3]});
    return s->bodies[s->count++] = body;
}

void mechanismMotion(dBodyID body, const double v[3], const double w[3])
{
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    dBodySetAngularVel(body, w[0], w[1], w[2]);
}

dJointID mechanismJoint(Scene *s, dJointID joint, dBodyID a, dBodyID b)
{
    dJointAttach(joint, a, b);
    return s->joints[s->joint_count++] = joint;
}

dJointID mechanismRod(Scene *s, dBodyID a, dBodyID b, const double *to)
{
    const dJointID joint = mechanismJoint(s, dJointCreateDBall(s->world, 0), a, b);
    const dReal *x = dBodyGetPosition(a), *y = b ? dBodyGetPosition(b) : to;
    dJointSetDBallAnchor1(joint, x[0], x[1], x[2]);
    dJointSetDBallAnchor2(joint, y[0], y[1], y[2]);
    return joint;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

void mechanismForce(const Scene *s, int joint, dReal wrench[6])
{
    const int side = dJointGetBody(s->joints[joint], 0) ? 0 : 1;
    dReal ideal[2][6], nonideal[2][6];
    const dJointFeedback *f = &s->feedback[joint];
    for (int i = 0; i < 3; i++) wrench[i] = f->f1[i], wrench[3 + i] = f->t1[i];
    if (stepper >= ByEuler) return;
    if (!CHECK(ukJointGetForces(s->joints[joint], ideal, nonideal) == 0)) return;
    for (int i = 0; i < 6; i++) wrench[i] = ideal[side][i] + nonideal[side][i];
}

static double energy(const Mechanism *m, const Scene *s)
{
    return sceneEnergy(s) + (m->work ? m->work(s) : 0);
}

static double offBy(const Judged *j, const double *x, const double *reference)
{
    double same = 0, opposite = 0;
    for (int i = j->first; i < j->first + j->count; i++) {
        same = refMax(same, fabs(x[i] - reference[i]));
        opposite = refMax(opposite, fabs(x[i] + reference[i]));
    }
    return j->quaternion && opposite < same ? opposite : same;
}

static void look(const Scene *s, Run *run)
{
    ukReport r;
    CHECK(ukWorldGetReport(s->world, &r) == 0);
    if (!CHECK(r.ok) && run->failed++ < 3)
        printf("feasibility %.3g, stationarity %.3g, complementarity %.3g\n", r.feasibility, r.stationarity,
               r.complementarity);
    CHECK(r.discrete_islands == 0 && r.fallbacks == 0);
    run->rows = r.rows;
    run->rank_lo = r.rank < run->rank_lo ? r.rank : run->rank_lo;
    run->rank_hi = r.rank > run->rank_hi ? r.rank : run->rank_hi;
    run->phi = refMax(run->phi, r.position_error);
}

/* of ODE's state, in the same measure */
static double positionError(const Scene *s)
{
    ukReport r;
    if (!CHECK(ukWorldEvaluate(s->world) == 0)) return NAN;
    CHECK(ukWorldGetReport(s->world, &r) == 0);
    return r.position_error;
}

/* the mechanism's forces at the present state, for steppers that do not ask for them */
static void push(const Mechanism *m, const Scene *s, double time, double h)
{
    ukBodyState state[MaxForced];
    dReal force[6 * MaxForced] = {0};
    for (int i = 0; i < m->forced_count; i++) {
        const dBodyID b = s->bodies[m->forced[i]];
        state[i] = (ukBodyState){.mass = 0};
        memcpy(state[i].position, dBodyGetPosition(b), sizeof state[i].position);
        memcpy(state[i].orientation, dBodyGetQuaternion(b), sizeof state[i].orientation);
        memcpy(state[i].velocity, dBodyGetLinearVel(b), sizeof state[i].velocity);
        memcpy(state[i].spin, dBodyGetAngularVel(b), sizeof state[i].spin);
    }
    const struct ukConstraintContext context = {.time = time, .stepsize = h, .count = m->forced_count, .bodies = state};
    CHECK(m->force(&context, force, NULL) == 0);
    for (int i = 0; i < m->forced_count; i++) {
        const dReal *f = force + 6 * i;
        dBodyAddForce(s->bodies[m->forced[i]], f[0], f[1], f[2]);
        dBodyAddTorque(s->bodies[m->forced[i]], f[3], f[4], f[5]);
    }
}

static long calls; /* of the mechanism's force */

static int counted(const struct ukConstraintContext *context, dReal *force, void *m)
{
    calls++;
    return ((const Mechanism *)m)->force(context, force, NULL);
}

static Scene *begin(const Mechanism *m, Way way)
{
    Scene *s = m->build();
    dRandSetSeed(1); /* QuickStep shuffles its rows */
    dWorldSetQuickStepNumIterations(s->world, 20);
    static const ukIntegrator integrator[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle,
                                              ukIntegratorEuler};
    stepper = way;
    if (way <= ByEuler) CHECK(ukWorldSetIntegrator(s->world, integrator[way]) == 0);
    CHECK(ukWorldSetTolerance(s->world, tolerance, 0) == 0);
    if (m->force && way <= ByEuler) {
        dBodyID bodies[MaxForced];
        for (int i = 0; i < m->forced_count; i++) bodies[i] = s->bodies[m->forced[i]];
        CHECK(ukForceCreate(s->world, bodies, m->forced_count, counted, (void *)m) != NULL);
    }
    return s;
}

static int advance(const Mechanism *m, const Scene *s, Way way, double time, double h)
{
    if (way <= ByEuler) return ukWorldStep(s->world, h);
    if (m->force) push(m, s, time, h);
    return way == ByStep ? dWorldStep(s->world, h) : dWorldQuickStep(s->world, h);
}

/* the references' own interval, where their times are multiples of it; without references a tenth of it all */
static double longer(const double *reference, int rows, int columns, double duration, double h)
{
    if (rows == 0) return duration / 10;
    const double interval = reference[0] > 0 || rows == 1 ? reference[0] : reference[1 + columns];
    bool fits = interval > h && fabs(remainder(duration, interval)) < 1e-6 * h;
    for (int i = 0; i < rows && fits; i++) fits = fabs(remainder(reference[i * (1 + columns)], interval)) < 1e-6 * h;
    return fits ? interval : h;
}

void mechanismRun(const Mechanism *m, Way way, double h, Run *run)
{
    int rows = 0, row = 0;
    double *reference = m->data ? refTable(m->data, 1 + m->columns, &rows) : NULL, out[MaxColumns], spent = 0;
    const double nominal = h;
    if (way == ByAdaptive) h = longer(reference, rows, m->columns, m->duration, h);
    Scene *s = begin(m, way);
    *run = (Run){.rank_lo = 1 << 30};
    calls = 0;
    const double start = energy(m, s);
    const int steps = (int)lround(m->duration / h);
    int k = 1;
    for (; k <= steps; k++) {
        const double t0 = tableSeconds();
        const int done = advance(m, s, way, (k - 1) * h, h);
        spent += tableSeconds() - t0;
        if (!done) {
            if (way < ByEuler) CHECK(done);
            if (way < ByEuler && run->failed++ < 3) printf("%s: %s\n", m->name, ukGetLastErrorMessage());
            break;
        }
        if (way < ByEuler) look(s, run);
        run->energy = refMax(run->energy, fabs(energy(m, s) - start));
        while (row < rows && reference[row * (1 + m->columns)] < (k - 0.5) * h) row++;
        const double *at = reference + row * (1 + m->columns);
        if (row == rows || fabs(at[0] - k * h) > 1e-6 * h) continue;
        m->measure(s, out);
        if (way >= ByEuler) run->phi = refMax(run->phi, positionError(s));
        for (int j = 0; j < MaxJudged && m->judged[j].what; j++)
            if (at[0] < m->judged[j].until + h / 2)
                run->off[j] = refMax(run->off[j], offBy(&m->judged[j], out, at + 1));
        if (curve) printf("%g %.3e %.3e %.3e\n", at[0], run->off[0], run->energy, run->phi);
        row++;
    }
    run->whole = k > steps && isfinite(run->energy);
    if (m->data && way < ByEuler) CHECK(row == rows);
    run->calls = calls;
    run->microseconds = 1e6 * spent * nominal / m->duration;
    sceneDestroy(s);
    free(reference);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* In a process of its own: false when that did not come to its end. */
static bool runApart(const Mechanism *m, Way way, Run *run)
{
    int ends[2];
    *run = (Run){.whole = false};
    fflush(stdout);
    if (!CHECK(pipe(ends) == 0)) return false;
    const pid_t child = fork();
    if (child == 0) {
        mechanismRun(m, way, m->h, run);
        fflush(stdout);
        _exit(write(ends[1], run, sizeof *run) == (ssize_t)sizeof *run ? 0 : 1);
    }
    close(ends[1]);
    const bool came = read(ends[0], run, sizeof *run) == (ssize_t)sizeof *run;
    close(ends[0]);
    if (child > 0) waitpid(child, NULL, 0);
    return came;
}

static void tell(const Mechanism *m, const Run *ours)
{
    Run run[Ways] = {*ours};
    double error[Ways], microseconds[Ways], missing[Ways] = {0}; /* why there is no error */
    for (int way = 0; way < Ways; way++) {
        if (way > ByEuler && m->only_ukode)
            missing[way] = TABLE_NONE;
        else if (way > ByRK4 && !runApart(m, (Way)way, &run[way]))
            missing[way] = TABLE_ABORTS;
        else if (!run[way].whole)
            missing[way] = INFINITY;
        microseconds[way] = missing[way] != 0 ? TABLE_NONE : run[way].microseconds;
        error[way] = missing[way];
    }
    for (int j = 0; j < MaxJudged && m->judged[j].what; j++) {
        const Judged *judged = &m->judged[j];
        char what[64];
        snprintf(what, sizeof what, "%s to %g s", judged->what, judged->until);
        for (int way = 0; way < Ways; way++)
            if (missing[way] == 0) error[way] = run[way].off[j];
        tableRow(m->name, what, judged->tolerance, m->h, error, microseconds);
    }
    for (int way = 0; way < Ways; way++)
        if (missing[way] == 0) error[way] = run[way].energy;
    if (m->energy > 0) tableRow(m->name, "energy [J]", m->energy, m->h, error, microseconds);
    for (int way = 0; way < Ways; way++)
        if (missing[way] == 0) error[way] = run[way].phi;
    if (ours->rows > 0) tableRow(m->name, "gap [m, rad]", 0, m->h, error, microseconds);
}

/* To a tolerance of 1e-10 errors are no larger than RK4's may be; RATTLE is of second order: it stays whole, and on
 * the constraints. */
static void checkOthers(const Mechanism *m)
{
    Run run;
    if (m->rank > 200) return; /* a minute; the next smaller one does the same */
    mechanismRun(m, ByAdaptive, m->h, &run);
    for (int j = 0; j < MaxJudged && m->judged[j].what; j++)
        ukTestNear(run.off[j], 0, m->judged[j].tolerance, m->judged[j].what, m->name, __LINE__);
    ukTestNear(run.phi, 0, 1e-12, "position error, adaptive", m->name, __LINE__);
    if (m->rank > 100) return; /* slow, and no other than the shorter ones */
    mechanismRun(m, ByRattle, m->h, &run);
    ukTestCheck(run.whole, "RATTLE comes to the end", m->name, __LINE__);
    ukTestNear(run.phi, 0, 1e-11, "position error, RATTLE", m->name, __LINE__);
}

/* Blocks, as gnuplot has them: one a stepper, a line a step size or tolerance: its error, of the first quantity (of the
 * energy where there are no references), the processor time of a second of motion [us], and the calls of its force. */
static void workOf(const Mechanism *m)
{
    enum { Lines = 6 };
    for (int way = 0; way < Ways; way++) {
        for (int k = 0; k < Lines; k++) {
            Run run;
            const double h = way == ByAdaptive ? m->h : m->h * pow(2, 2 - k);
            Mechanism one = *m;
            one.h = h;
            tolerance = pow(10, -4 - 1.5 * k);
            if (runApart(&one, (Way)way, &run) && run.whole)
                printf("%.3e %.3e %ld\n", m->data ? run.off[0] : run.energy,
                       run.microseconds / (way == ByAdaptive ? m->h : h), run.calls);
        }
        printf("\n\n");
    }
}

void mechanismCosts(const Mechanism *m, double to, double error, double times)
{
    Run rk4, adaptive;
    if (table || curve || work) return;
    mechanismRun(m, ByRK4, m->h, &rk4);
    tolerance = to;
    mechanismRun(m, ByAdaptive, m->h, &adaptive);
    printf("%s: RK4 calls the force %ld times, to %g off by %.2g %ld times\n", m->name, rk4.calls, to, adaptive.off[0],
           adaptive.calls);
    ukTestNear(adaptive.off[0], 0, error, m->judged[0].what, m->name, __LINE__);
    ukTestCheck((double)adaptive.calls * times <= (double)rk4.calls, "calls of the force", m->name, __LINE__);
}

void mechanismCheck(const Mechanism *m)
{
    Run ours;
    if (work && strstr(m->name, work)) workOf(m);
    if (work) return;
    for (int way = 0; way < Ways && curve && strstr(m->name, curve); way++) { /* blocks, as gnuplot has them */
        runApart(m, (Way)way, &ours);
        printf("\n\n");
    }
    if (curve) return;
    mechanismRun(m, ByRK4, m->h, &ours);
    for (int j = 0; j < MaxJudged && m->judged[j].what; j++)
        ukTestNear(ours.off[j], 0, m->judged[j].tolerance, m->judged[j].what, m->name, __LINE__);
    if (m->energy > 0) ukTestNear(ours.energy, 0, m->energy, "energy", m->name, __LINE__);
    ukTestNear(ours.phi, 0, 1e-12, "position error", m->name, __LINE__);
    const int rank = m->rank ? m->rank : ours.rows;
    ukTestCheck(ours.rank_lo == rank && ours.rank_hi == rank, "rank", m->name, __LINE__);
    if (table) {
        tell(m, &ours);
        return;
    }
    checkOthers(m);
    printf("%s: h %g,", m->name, m->h);
    for (int j = 0; j < MaxJudged && m->judged[j].what; j++)
        printf(" %s %.2g (± %.0e to %g s),", m->judged[j].what, ours.off[j], m->judged[j].tolerance,
               m->judged[j].until);
    printf(" energy %.2g J, phi %.1g, rank %d..%d of %d, %.0f us a step\n", ours.energy, ours.phi, ours.rank_lo,
           ours.rank_hi, ours.rows, ours.microseconds);
}
