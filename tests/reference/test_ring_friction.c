/* SPDX-License-Identifier: BSD-3-Clause */
/* A bead with dry friction on a vertical ring (Udwadia 2000): mu |N| against the sliding, N itself a force of the
 * constraint that changes its sign on the way; it turns, and at last sticks. The ring is a user constraint. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"
#include "tests/reference/table.h"

enum { Time, Angle, Rate, Normal, Columns };

typedef struct Case {
    const char *name, *table;
    double mu, angle, rate; /* from the lowest point [rad], [rad/s] */
    double rest, rest_time; /* where and when it sticks */
} Case;

static const Case cases[] = {
    {"ring with friction", "ring_friction.csv", 0.2, 0, 6, 0.0819262716839659, 3.66572460312619},
    {"ring with friction, whirl", "ring_friction_whirl.csv", 0.1, 0, 12, 6.38199711221535, 8.65481005223284},
    {"ring with friction, release", "ring_friction_release.csv", 0.3, M_PI / 2, 0, -0.0758972040990446,
     2.06252075685669},
};

/* x^2 + y^2 = 1 */
static int ring(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    const dReal *x = context->bodies[0].position, *v = context->bodies[0].velocity;
    (void)data;
    A[0] = x[0];
    A[1] = x[1];
    b[0] = -(v[0] * v[0] + v[1] * v[1]);
    return 0;
}

static int error(const struct ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    const dReal *x = context->bodies[0].position, *v = context->bodies[0].velocity;
    (void)data;
    phi[0] = 0.5 * (x[0] * x[0] + x[1] * x[1] - 1);
    psi[0] = x[0] * v[0] + x[1] * v[1];
    return 0;
}

typedef struct Outcome {
    double before, worst, normal; /* largest errors: of the angle before the first turn, and at all; of |N| (RK4) */
    double rest, rest_time, creep, microseconds;
} Outcome;

static Outcome run(const Case *c, ukIntegrator integrator, double h)
{
    Outcome out = {0};
    dMass mass;
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, -9.81, 0);
    ukWorldSetIntegrator(world, integrator);
    const dBodyID bead = dBodyCreate(world);
    dMassSetSphereTotal(&mass, 1, 0.1);
    dBodySetMass(bead, &mass);
    dBodySetPosition(bead, sin(c->angle), -cos(c->angle), 0);
    dBodySetLinearVel(bead, c->rate * cos(c->angle), c->rate * sin(c->angle), 0);
    const ukConstraintID constraint = ukConstraintCreate(world, 1, &bead, 1, ring, NULL);
    refCheck(ukConstraintSetError(constraint, error, NULL) == 0 && ukConstraintSetCoulomb(constraint, c->mu) == 0,
             "friction");

    int rows, turned = 0;
    double *table = refTable(c->table, Columns, &rows), angle = c->angle, last = c->angle, first = 0;
    const dReal *x = dBodyGetPosition(bead), *v = dBodyGetLinearVel(bead);
    for (int r = 0, i = 0; r < rows; r++) {
        const double *row = table + r * Columns;
        for (; i < (int)lround(row[Time] / h); i++) {
            ukReport report;
            const double t0 = tableSeconds();
            refCheck(ukWorldStep(world, h) == 1, ukGetLastErrorMessage());
            out.microseconds += 1e6 * (tableSeconds() - t0) * h / table[(rows - 1) * Columns + Time];
            ukWorldGetReport(world, &report);
            refCheck(report.ok, "Gauss check");
            const double now = atan2(x[0], -x[1]), rate = x[0] * v[1] - x[1] * v[0];
            angle += remainder(now - last, 2 * M_PI);
            last = now;
            if (fabs(rate) > 1e-9) out.rest_time = (i + 1) * h;
        }
        if (fabs(row[Rate]) > 1e-3 && first == 0) first = row[Rate];
        turned |= row[Rate] * first < 0;
        if (!turned) out.before = refMax(out.before, fabs(angle - row[Angle]));
        out.worst = refMax(out.worst, fabs(angle - row[Angle]));
        if (i == 0) continue;
        dReal f[6], friction[6];
        ukConstraintGetForce(constraint, f);
        ukConstraintGetNonIdealForce(constraint, friction);
        out.normal = refMax(out.normal, fabs(hypot(f[0], f[1]) - fabs(row[Normal])));
        refCheck(hypot(friction[0], friction[1]) <= c->mu * hypot(f[0], f[1]) * (1 + 1e-9) + 1e-12,
                 "friction <= mu |N|");
        refCheck(fabs(friction[0] * f[0] + friction[1] * f[1]) <= 1e-9 * hypot(f[0], f[1]) * hypot(f[0], f[1]),
                 "friction along the ring");
    }
    out.rest = angle;
    out.creep = fabs(x[0] * v[1] - x[1] * v[0]);
    free(table);
    dWorldDestroy(world);
    return out;
}

static void tell(const Case *c)
{
    const double h = 1e-3;
    static const ukIntegrator by[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle, ukIntegratorEuler};
    double worst[Ways], rest[Ways], spent[Ways];
    for (int way = 0; way < Ways; way++) {
        worst[way] = rest[way] = spent[way] = TABLE_NONE;
        if (way > ByEuler) continue;
        const Outcome out = run(c, by[way], h);
        worst[way] = out.worst;
        rest[way] = fabs(out.rest - c->rest);
        spent[way] = out.microseconds;
    }
    tableRow(c->name, "angle [rad]", 1e-4, h, worst, spent);
    tableRow(c->name, "angle at rest [rad]", 1e-3, h, rest, spent);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    for (size_t k = 0; k < sizeof cases / sizeof *cases && refTabulates(); k++) tell(&cases[k]);
    if (refTabulates()) return refEnd();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const Case *c = &cases[k];
        const Outcome fine = run(c, ukIntegratorRK4, 1e-3), coarse = run(c, ukIntegratorRK4, 1e-2);
        refCheck(fine.worst <= 1e-5 && coarse.worst <= 1e-4, "RK4: angle");
        refCheck(fine.normal <= 1e-3, "RK4: normal force");
        refCheck(fabs(fine.rest - c->rest) <= 1e-6 && fabs(fine.rest_time - c->rest_time) <= 2e-3, "RK4: rest");
        refCheck(fine.creep == 0 || fine.creep < 1e-40, "RK4: stays");

        const Outcome euler = run(c, ukIntegratorEuler, 1e-3), half = run(c, ukIntegratorEuler, 5e-4);
        refCheck(fabs(euler.rest - c->rest) <= 1e-3 && fabs(half.rest_time - c->rest_time) <= 1e-2, "Euler: rest");
        refCheck(half.before < 0.6 * euler.before, "Euler: first order");
        refCheck(euler.creep <= 1e-14, "Euler: stays");
    }
    const Outcome small = run(&cases[0], ukIntegratorEuler, 1e-4);
    refCheck(small.before <= 1e-4, "Euler, small steps: angle");
    return refEnd();
}
