/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/equality/pseudoinverse.h"

#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/equality/null_space.h"
#include "solvers/equality/proximal.h"
#include "solvers/equality/subspace.h"
#include "solvers/problem/tolerance.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    int one_by_one;       /* dependent rows of one component up to which singular values are computed */
    size_t factors;       /* null vectors are computed if that takes at most this multiple of the factor's size */
    double least_shift;   /* eps of K + eps I, for many dependent rows, or the squared tolerance if the latter is
                           * larger; */
    double least_squared; /* the largest u' K u of a null vector, likewise */
    /* The joint quotient of many combinations can hide a large one: it counts as zero only up to this, a millionth of
     * the least threshold in use (1e-9), while rounding is 1e-20. */
    double rigidity_together;
} bound = {.one_by_one = 24, .factors = 16, .least_shift = 1e-9, .least_squared = 1e-20, .rigidity_together = 1e-15};

void ukPseudoinverseFree(ukPseudoinverse *d)
{
    free(d->memory);
    free(d->unit);
    *d = (ukPseudoinverse){0};
}

static double *reservePseudoinverse(ukPseudoinverse *d, size_t count)
{
    return ukGrow(&d->memory, &d->capacity, count * sizeof *d->memory) ? d->memory : NULL;
}

/* whether the component's null vectors are computed one by one */
static bool isWorthNullVectors(const ukComponent *component, const int *shifted, int q)
{
    return q <= bound.one_by_one || ukNullSpaceCheap(component, shifted, q, bound.factors * component->plan->factor);
}

/* the component with this last front */
static ukComponent componentAt(const ukPseudoinverse *d, const ukFactored *f, int last)
{
    return ukComponentOf(f, d->unit, f->plan->front[last].first, last);
}

/* Returns how many of position[0 ... end - 1], ascending, are in the component, which is the last; `end` moves to the
 * first of them. */
static int countWithinComponent(const ukComponent *component, const int *position, int *end)
{
    int q = 0;
    for (; *end > 0 && position[*end - 1] >= component->at; --*end) q++;
    return q;
}

/* K + eps I is factorized on the components with many dependent rows: `shifted` is eps there at the rows, as
 * softness */
static int solveProximal(ukPseudoinverse *d, const ukFactored *f, double tolerance, double *x, double *lambda)
{
    ukFactor *factor = f->factor;
    const ukSymbolic *plan = f->plan;
    const size_t m = (size_t)f->p->rows;
    const double eps = fmax(bound.least_shift, tolerance * tolerance), *unit = d->unit;
    const ukComponent all = ukComponentOf(f, unit, 0, plan->fronts - 1);
    double *shifted = reservePseudoinverse(d, 2 * m + ukProximalScratch(&all)), *many = shifted + m;
    if (!shifted) return ukErrorMemory;

    int k = factor->shifts;
    for (int last = plan->fronts - 1; last >= 0; last = plan->front[last].first - 1) {
        const ukComponent component = componentAt(d, f, last);
        const int q = countWithinComponent(&component, factor->shifted, &k);
        const bool mine = !isWorthNullVectors(&component, factor->shifted + k, q);
        for (size_t i = 0; i < component.size; i++) {
            const int row = plan->row[component.at + (int)i];
            if (row < 0) continue;
            const double own = unit[component.at + (int)i];
            many[row] = mine;
            shifted[row] = (f->softness ? f->softness[row] : 0) + (mine ? eps / (own * own) : 0);
        }
    }
    const int status = ukFactorCompute(factor, plan, f->p, NULL, shifted, 0);
    if (status != ukOk) return status;
    for (int last = plan->fronts - 1; last >= 0; last = plan->front[last].first - 1) {
        const ukComponent component = componentAt(d, f, last);
        int row = -1;
        for (size_t i = 0; i < component.size && row < 0; i++) row = plan->row[component.at + (int)i];
        if (row < 0 || many[row] == 0) continue;
        if (!ukProximalSolve(&component, eps, fmax(bound.least_squared, tolerance * tolerance), x, lambda, many + m))
            return ukPseudoinverseUndecided;
    }
    return ukOk;
}

/* unit = ukRowUnit by position, 1 at the bodies */
static int measureUnitRows(ukPseudoinverse *d, const ukFactored *f)
{
    const ukProblem *p = f->p;
    const size_t count = 6 * (size_t)p->bodies + (size_t)p->rows;
    if (!ukGrow(&d->unit, &d->units, count * sizeof *d->unit)) return ukErrorMemory;
    for (size_t i = 0; i < count; i++) d->unit[i] = 1;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++)
            d->unit[f->plan->row_at[i]] = ukRowUnit(p, p->block + k, i, f->softness ? f->softness[i] : 0);
    return ukOk;
}

/* sets x = a and lambda = 0 on the component */
static void restartComponent(const ukComponent *component, const double *a, double *x, double *lambda)
{
    for (size_t i = 0; i < component->size; i++) {
        const int row = component->plan->row[component->at + (int)i];
        if (row < 0)
            x[-1 - row] = a[-1 - row];
        else
            lambda[row] = 0;
    }
}

/* Solves one component by its null vectors, or by singular vectors if not all of these are null. */
static int solveComponent(ukPseudoinverse *d, const ukComponent *component, const int *shifted, int q, double tolerance,
                          bool all_dependent, double *x, double *lambda)
{
    double *memory = reservePseudoinverse(d, ukNullSpaceScratch(component, shifted, q));
    if (!memory) return ukErrorMemory;
    if (ukNullSpaceSolve(component, shifted, q, q > bound.one_by_one && all_dependent ? INFINITY : tolerance, x, lambda,
                         memory)) {
        d->dropped += q;
        if (d->springs)
            d->rigidity = fmax(d->rigidity, ukNullSpaceRigidityOf(component, shifted, q, d->springs, memory));
        return ukOk;
    }
    if (q > bound.one_by_one) return ukPseudoinverseUndecided;
    memory = reservePseudoinverse(d, ukSubspaceScratch(component, q));
    if (!memory) return ukErrorMemory;
    d->dropped += ukSubspaceSolve(component, shifted, q, tolerance, x, lambda, memory);
    if (d->springs) d->rigidity = fmax(d->rigidity, ukSubspaceRigidityOf(component, q, tolerance, d->springs, memory));
    return ukOk;
}

int ukPseudoinverseSolve(ukPseudoinverse *d, const ukFactored *f, const double *a, double tolerance, bool all_dependent,
                         double *x, double *lambda)
{
    const ukFactor *factor = f->factor;
    int k = factor->shifts, many = 0, status = measureUnitRows(d, f);
    d->dropped = 0;
    d->rigidity = 0;
    for (int last = f->plan->fronts - 1; last >= 0 && status == ukOk; last = f->plan->front[last].first - 1) {
        const ukComponent component = componentAt(d, f, last);
        const int q = countWithinComponent(&component, factor->shifted, &k);
        if (q == 0) continue;
        restartComponent(&component, a, x, lambda);
        if (all_dependent || isWorthNullVectors(&component, factor->shifted + k, q))
            status = solveComponent(d, &component, factor->shifted + k, q, tolerance, all_dependent, x, lambda);
        else
            many += q;
    }
    d->dropped += many;
    if (many > 0) d->rigidity = 1; /* the null vectors are not computed one by one */
    return many > 0 && status == ukOk ? solveProximal(d, f, tolerance, x, lambda) : status;
}

int ukPseudoinverseIndependent(ukPseudoinverse *d, const ukFactored *f, double tolerance, unsigned char *independent)
{
    int k = f->factor->shifts, status = measureUnitRows(d, f);
    for (int last = f->plan->fronts - 1; last >= 0 && status == ukOk; last = f->plan->front[last].first - 1) {
        const ukComponent component = componentAt(d, f, last);
        const int q = countWithinComponent(&component, f->factor->shifted, &k);
        if (q == 0) continue;
        double *memory = reservePseudoinverse(d, ukSubspaceScratch(&component, q));
        if (!memory) return ukErrorMemory;
        if (q > bound.one_by_one)
            for (int i = 0; i < q; i++) independent[f->plan->row[f->factor->shifted[k + i]]] = 0;
        else
            ukSubspaceIndependent(&component, f->factor->shifted + k, q, tolerance, independent, memory);
    }
    return status;
}

/* unit = 1 / sqrt(diagonal) from the factor: a weight, which differs from the row's own K_ii if bodies follow the
 * row */
static int weighByDiagonal(ukPseudoinverse *d, const ukFactor *factor, const ukSymbolic *plan)
{
    const int count = 6 * plan->bodies + plan->rows;
    if (!ukGrow(&d->unit, &d->units, (size_t)count * sizeof *d->unit)) return ukErrorMemory;
    for (int k = 0; k < count; k++) d->unit[k] = plan->row[k] < 0 ? 1 : 1 / sqrt(factor->diagonal[k]);
    return ukOk;
}

double ukPseudoinverseRigidity(ukPseudoinverse *d, const ukFactored *f, const int *weak, int count, double tolerance)
{
    double most = 0;
    bool measured = false;
    int k = count;
    if (weighByDiagonal(d, f->factor, f->plan) != ukOk) return -1;
    for (int last = f->plan->fronts - 1; last >= 0; last = f->plan->front[last].first - 1) {
        const ukComponent component = componentAt(d, f, last);
        const int q = countWithinComponent(&component, weak, &k);
        if (q == 0) continue;
        double *memory = reservePseudoinverse(d, 4 * component.size);
        if (!memory) return -1;
        double rigidity = ukNullSpaceRigidityTogether(&component, weak + k, q, memory);
        if (!(rigidity <= bound.rigidity_together)) {
            if (!measured && measureUnitRows(d, f) != ukOk) return -1;
            measured = true;
            rigidity = ukNullSpaceRigidity(&component, weak + k, q, tolerance, memory);
        }
        most = fmax(most, rigidity);
    }
    return most;
}
