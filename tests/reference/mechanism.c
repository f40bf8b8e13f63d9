#include "tests/reference/mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/check.h"
#include "tests/reference/reference.h"

static bool table;

void mechanismBegin(int argc, char **argv)
{
    table = argc > 1 && strcmp(argv[1], "table") == 0;
    dInitODE2(0);
}

int mechanismEnd(void)
{
    dCloseODE();
    return table ? ukTestFailed != 0 : ukTestEnd();
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

/* ---- runs ----------------------------------------------------------------------------------------------------------
 */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

void mechanismRun(const Mechanism *m, bool ukode, double h, Run *run)
{
    int rows = 0, row = 0;
    double *reference = m->data ? refTable(m->data, 1 + m->columns, &rows) : NULL, out[MaxColumns], spent = 0;
    Scene *s = m->build();
    if (ukode) CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
    *run = (Run){.rank_lo = 1 << 30};
    const double start = energy(m, s);
    const int steps = (int)lround(m->duration / h);
    for (int k = 1; k <= steps; k++) {
        const double t0 = seconds();
        const int done = ukode ? ukWorldStep(s->world, h) : dWorldStep(s->world, h);
        spent += seconds() - t0;
        if (!done) {
            if (ukode) CHECK(done);
            if (ukode && run->failed++ < 3) printf("%s: %s\n", m->name, ukGetLastErrorMessage());
            break;
        }
        if (ukode) look(s, run);
        run->energy = refMax(run->energy, fabs(energy(m, s) - start));
        while (row < rows && reference[row * (1 + m->columns)] < (k - 0.5) * h) row++;
        const double *at = reference + row * (1 + m->columns);
        if (row == rows || fabs(at[0] - k * h) > 1e-6 * h) continue;
        m->measure(s, out);
        if (!ukode) run->phi = refMax(run->phi, positionError(s));
        for (int j = 0; j < MaxJudged && m->judged[j].what; j++)
            if (at[0] < m->judged[j].until + h / 2)
                run->off[j] = refMax(run->off[j], offBy(&m->judged[j], out, at + 1));
        row++;
    }
    if (m->data) CHECK(row == rows || !ukode);
    run->microseconds = 1e6 * spent / steps;
    sceneDestroy(s);
    free(reference);
}

static void tell(const Mechanism *m, const Run *ours, const Run *ode)
{
    for (int j = 0; j < MaxJudged && m->judged[j].what; j++) {
        const Judged *judged = &m->judged[j];
        printf("| %s | %s, %g s | %.1e | %.2g | %.1e |", j == 0 ? m->name : "", judged->what, judged->until,
               judged->tolerance, m->h, ours->off[j]);
        if (ode) {
            printf(" %.1e |", ode->off[j]);
        } else {
            printf(" – |");
        }
        if (j > 0) {
            printf(" | | | | | |\n");
        } else if (ode) {
            printf(" %.1e | %.1e | %.0e | %.1e | %.0f | %.0f |\n", ours->energy, ode->energy, ours->phi, ode->phi,
                   ours->microseconds, ode->microseconds);
        } else {
            printf(" %.1e | – | %.0e | – | %.0f | – |\n", ours->energy, ours->phi, ours->microseconds);
        }
    }
    fflush(stdout);
}

void mechanismCheck(const Mechanism *m)
{
    Run ours, ode;
    mechanismRun(m, true, m->h, &ours);
    for (int j = 0; j < MaxJudged && m->judged[j].what; j++)
        ukTestNear(ours.off[j], 0, m->judged[j].tolerance, m->judged[j].what, m->name, __LINE__);
    if (m->energy > 0) ukTestNear(ours.energy, 0, m->energy, "energy", m->name, __LINE__);
    ukTestNear(ours.phi, 0, 1e-12, "position error", m->name, __LINE__);
    const int rank = m->rank ? m->rank : ours.rows;
    ukTestCheck(ours.rank_lo == rank && ours.rank_hi == rank, "rank", m->name, __LINE__);
    if (table) {
        if (!m->only_ukode) mechanismRun(m, false, m->h, &ode);
        tell(m, &ours, m->only_ukode ? NULL : &ode);
        return;
    }
    printf("%s: h %g,", m->name, m->h);
    for (int j = 0; j < MaxJudged && m->judged[j].what; j++)
        printf(" %s %.2g (± %.0e to %g s),", m->judged[j].what, ours.off[j], m->judged[j].tolerance,
               m->judged[j].until);
    printf(" energy %.2g J, phi %.1g, rank %d..%d of %d, %.0f us a step\n", ours.energy, ours.phi, ours.rank_lo,
           ours.rank_hi, ours.rows, ours.microseconds);
}
