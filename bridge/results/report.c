/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/report.c: results of the last step: the report with the energies of the present state, and its
 * equations as dense matrices, computed on request. */

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/stepper.h"
#include "bridge/results/nonideal_force.h"
#include "bridge/results/report.h"
#include "bridge/world/energy.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

/* energies of the world's enabled dynamic bodies at present [J] */
static void sumEnergies(const ukStepper *s, ukReport *report)
{
    report->kinetic_energy = report->potential_energy = 0;
    for (ukBody *b = s->world->oldest_body; b; b = b->newer)
        if (b->handle && dBodyIsEnabled(b->handle))
            ukBodyEnergy(b, s->potential_g, &report->kinetic_energy, &report->potential_energy);
}

void ukReportLast(const ukWorld *world, ukReport *report)
{
    const ukStepper *s = world->stepper;
    if (!s) {
        *report = (ukReport){0};
        return;
    }
    *report = s->report;
    if (s->stepped) sumEnergies(s, report);
}

/* the same layout measures the memory and divides it */
typedef struct Dense {
    double *M, *A, *b, *a, *C, *qdd, *Qi, *Qni, *lambda, *softness, *lo, *hi;
    dBodyID *bodies;
} Dense;

static void carveReport(Dense *d, ukArena *arena, size_t n, size_t m)
{
    d->M = ukArenaDoubles(arena, n * n);
    d->A = ukArenaDoubles(arena, m * n);
    d->b = ukArenaDoubles(arena, m);
    UKODE_DOUBLES(arena, n, &d->a, &d->C, &d->qdd, &d->Qi, &d->Qni);
    UKODE_DOUBLES(arena, m, &d->lambda, &d->softness, &d->lo, &d->hi);
    d->bodies = ukArenaBytes(arena, (n / 6 + 1) * sizeof(dBodyID));
}

/* Qi, C, and Qni = C + A' (lambda - lambda_ideal) of an island with laws; the rows of friction are part of C */
static void splitForces(const ukIsland *island, const Dense *d, size_t column0)
{
    const ukProblem *p = &island->ideal->problem;
    const double *lambda = island->rows.lambda, *ideal = island->rows.lambda_ideal;
    double *Qi = d->Qi + column0, *Qni = d->Qni + column0, *C = d->C + column0;
    ukProblemApplyTransposed(p, ideal, Qi);
    ukPrescriptionOfLaws(island, C);
    ukProblemApplyTransposed(p, lambda, Qni);
    for (int i = 0; i < 6 * p->bodies; i++) Qni[i] += C[i] - Qi[i];
}

static int rowsWithoutLaws(const ukStepper *s)
{
    int rows = 0;
    for (int i = 0; i < s->island_count; i++) rows += s->ideal[i].problem.rows;
    return rows;
}

/* Writes one island's part of the world's equations, from this row and column on. */
static void fillIsland(const ukIsland *island, const Dense *d, size_t n, size_t row0, size_t column0)
{
    const ukProblem *p = &island->ideal->problem;
    const ukRowArrays *r = &island->rows;
    const size_t rows = (size_t)p->rows;
    memcpy(d->b + row0, p->b, rows * sizeof(double));
    memcpy(d->lambda + row0, r->lambda, rows * sizeof(double));
    memcpy(d->softness + row0, r->softness, rows * sizeof(double));
    for (size_t i = 0; i < rows; i++) {
        d->lo[row0 + i] = p->lo ? r->bound_lo[i] : -INFINITY;
        d->hi[row0 + i] = p->lo ? r->bound_hi[i] : INFINITY;
    }
    ukProblemAccelerate(p, p->Q, d->a + column0);
    for (int i = 0; i < p->bodies && island->massless > 0; i++)
        if (island->bodies.massless[i]) memset(d->a + column0 + 6 * i, 0, 6 * sizeof(double));
    if (island->ideal->laws == 0)
        ukProblemApplyTransposed(p, r->lambda, d->Qi + column0);
    else
        splitForces(island, d, column0);
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        for (int slot = 0; slot < block->slots; slot++) {
            const int body = p->body[block->slot + slot];
            if (body < 0) continue;
            for (int i = 0; i < block->rows; i++)
                memcpy(d->A + (row0 + (size_t)(block->row + i)) * n + column0 + 6 * (size_t)body,
                       p->A + block->A + 6 * (i * block->slots + slot), 6 * sizeof(double));
        }
    }
}

static void fillDense(const ukStepper *s, const Dense *d, size_t n)
{
    for (int k = 0; k < s->moving_count; k++) {
        const size_t r = 6 * (size_t)k;
        for (size_t i = 0; i < 3 && !s->bodies.frame[k]->body->massless; i++) {
            d->M[(r + i) * n + r + i] = s->bodies.mass[k];
            for (size_t c = 0; c < 3; c++)
                d->M[(r + 3 + i) * n + r + 3 + c] = s->bodies.inertia[9 * (size_t)k + 3 * i + c];
        }
        d->bodies[k] = s->bodies.handle[k];
    }
    memcpy(d->qdd, s->bodies.qdd, n * sizeof(double));
    size_t row0 = 0, column0 = 0;
    for (int i = 0; i < s->island_count; i++) {
        const ukProblem *p = &s->ideal[i].problem;
        fillIsland(&s->islands[i], d, n, row0, column0);
        row0 += (size_t)p->rows;
        column0 += 6 * (size_t)p->bodies;
    }
}

int ukReportEquations(ukWorld *world, ukEquations *e)
{
    ukStepper *s = world->stepper;
    if (!s || !s->solved)
        return ukErrorSet(ukErrorArgument,
                          "ukWorldGetEquations: the world's last step or evaluation failed, or there was none");
    const size_t n = 6 * (size_t)s->moving_count, m = (size_t)rowsWithoutLaws(s);
    Dense d;
    ukArena arena = ukArenaOver(NULL, 0);
    carveReport(&d, &arena, n, m);
    const size_t needed = arena.used + 64;
    const int status = ukScratchReserve(&s->solvers, needed);
    if (status != ukOk) return ukErrorSet(status, "no memory for equations of %zu rows", m);
    memset(s->solvers.scratch, 0, needed);
    arena = ukArenaOver(s->solvers.scratch, needed);
    carveReport(&d, &arena, n, m);
    fillDense(s, &d, n);
    *e = (ukEquations){.n = (int)n,
                       .m = (int)m,
                       .M = d.M,
                       .A = d.A,
                       .b = d.b,
                       .a = d.a,
                       .C = d.C,
                       .qdd = d.qdd,
                       .Qi = d.Qi,
                       .Qni = d.Qni,
                       .lambda = d.lambda,
                       .bodies = d.bodies,
                       .softness = d.softness,
                       .lo = d.lo,
                       .hi = d.hi};
    return ukOk;
}
