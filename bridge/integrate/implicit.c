/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/implicit.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/stiff.h"
#include "bridge/island/island.h"
#include "bridge/island/refuse.h"
#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"

enum { N = ukImplicitStages };

#define ROOT6 2.4494897427831781

static const double node[N + 1] = {0, (4 - ROOT6) / 10, (4 + ROOT6) / 10, 1};
static const double collocation[N][N] = {
    {(88 - 7 * ROOT6) / 360, (296 - 169 * ROOT6) / 1800, (-2 + 3 * ROOT6) / 225},
    {(296 + 169 * ROOT6) / 1800, (88 + 7 * ROOT6) / 360, (-2 - 3 * ROOT6) / 225},
    {(16 - ROOT6) / 36, (16 + ROOT6) / 36, 1. / 9},
};
/* The solution of order 3 weights the rate at the start with the real eigenvalue; `more` is the difference of its other
 * weights from those of order 5. */
static const double more[N] = {-0.42829829475400366, 0.24503907449840447, -0.09162960934007815};

ukImplicit ukImplicitMethod(void)
{
    ukImplicit of = {.shrinks = 1, .difference = {.uses = N + 1, .node = ukImplicitFilter, .rate = {ukImplicitFilter}}};
    for (int i = 0; i < N; i++) {
        ukStage *stage = &of.stage[i + 1];
        stage->uses = N + 1;
        stage->node = node[i + 1];
        for (int j = 0; j < N; j++) {
            stage->rate[1 + j] = collocation[i][j];
            for (int k = 0; k < N; k++) stage->pose[1 + j] += collocation[i][k] * collocation[k][j];
        }
    }
    for (int j = 0; j < N; j++) {
        of.difference.rate[1 + j] = more[j];
        for (int i = 0; i < N; i++) of.difference.pose[1 + j] += more[i] * collocation[i][j];
    }
    return of;
}

/* ---- initial guesses --------------------------------------------------------------------------------------------- */

static const int kept[N + 1] = {
    0, 4, 5, 6}; /* indices of the rates in which the accelerations of the previous sub-step are stored */

void ukImplicitKeep(ukIsland *island, ukImplicit *of, double h)
{
    double *const a = island->bodies.shift;
    for (int k = 1; k <= N; k++) {
        ukNystromAccelerations(island, k, &of->stage[k], h, a);
        for (int i = 0; i < island->frames; i++) {
            const int moving = island->frame[i].moving;
            double *const to = ukRatesOf(island, i)->a[kept[k]];
            if (moving >= 0)
                memcpy(to, a + 6 * (size_t)moving, 6 * sizeof *a);
            else
                memset(to, 0, 6 * sizeof *a);
        }
    }
    of->before = h;
    of->longer = 0;
}

/* Extrapolates rates to the stages of a sub-step. They are taken from the polynomial through the rates `from` of
 * another sub-step, at its start (only if both have the same start) and at its stages. The new sub-step starts at the
 * fraction `begin` (0 or 1) of the other's length and is `part` times as long. */
static void extrapolateRates(ukIsland *island, const int from[N + 1], double begin, double part)
{
    const int least = begin > 0;
    double weight[N + 1][N + 1];
    for (int k = 1; k <= N; k++)
        for (int j = least; j <= N; j++) {
            weight[k][j] = 1;
            for (int i = least; i <= N; i++)
                if (i != j) weight[k][j] *= (begin + part * node[k] - node[i]) / (node[j] - node[i]);
        }
    for (int i = 0; i < island->frames; i++) {
        ukRates *rates = ukRatesOf(island, i);
        for (int c = 0; c < 6; c++) {
            double value[N + 1] = {0};
            for (int k = 1; k <= N; k++)
                for (int j = least; j <= N; j++) value[k] += weight[k][j] * rates->a[from[j]][c];
            for (int k = 1; k <= N; k++) rates->a[k][c] = value[k];
        }
    }
}

static void guessRates(ukIsland *island, const ukImplicit *of, double h)
{
    static const int own[N + 1] = {0, 1, 2, 3};
    if (of->longer > 0) {
        extrapolateRates(island, own, 0, h / of->longer);
    } else if (of->before > 0) {
        double *const a = island->bodies.shift;
        extrapolateRates(island, kept, 1, h / of->before);
        for (int k = 1; k <= N; k++) { /* from accelerations to rates */
            for (int i = 0; i < island->frames; i++) {
                const int moving = island->frame[i].moving;
                if (moving >= 0) memcpy(a + 6 * (size_t)moving, ukRatesOf(island, i)->a[k], 6 * sizeof *a);
            }
            ukNystromRecord(island, a, k, &of->stage[k], h);
        }
    } else {
        for (int i = 0; i < island->frames; i++)
            for (int k = 1; k <= N; k++)
                memcpy(ukRatesOf(island, i)->a[k], ukRatesOf(island, i)->a[0], 6 * sizeof(double));
    }
}

/* ---- Newton's iteration ------------------------------------------------------------------------------------------ */

/* h A and h^2 A A, where A are the coefficients of the collocation method */
static void scaleCoefficients(double h, double by_place[N * N], double by_rate[N * N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            by_rate[N * i + j] = h * collocation[i][j];
            by_place[N * i + j] = 0;
            for (int k = 0; k < N; k++) by_place[N * i + j] += h * h * collocation[i][k] * collocation[k][j];
        }
}

/* The difference between the accelerations at stage k and those of its rates, in the frames of the bodies. */
static int stageResidual(ukIsland *island, const ukIslandStart *start, const ukStepContext *at, const ukImplicit *of,
                         int k)
{
    const double h = at->rows.h;
    ukNystromPlace(island, &of->stage[k], h);
    int status = ukContinuousAssemble(island, start, at);
    if (status == ukOk) status = ukStiffUnchanged(island);
    if (status == ukOk) status = ukSolveMotion(island);
    if (status != ukOk) return status;
    ukLedgerStage(island, h * of->stage[N].rate[k]);
    ukImpulseStage(island, h * of->stage[N].rate[k]);
    const int n = 6 * island->problem->bodies;
    double *recorded = island->bodies.shift, *x = ukStiffVectors(island) + (k - 1) * n;
    const double *now = island->bodies.qdd;
    ukNystromAccelerations(island, k, &of->stage[k], h, recorded);
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        double off[6];
        if (f->moving < 0) continue;
        for (int c = 0; c < 6; c++) off[c] = now[6 * f->moving + c] - recorded[6 * f->moving + c];
        ukUnrotate(f->state.R, off, x + 6 * f->moving);
        ukUnrotate(f->state.R, off + 3, x + 6 * f->moving + 3);
    }
    return ukOk;
}

/* Corrects the rates of stage k; *change: the largest correction over the error that is allowed. */
static void correctStage(ukIsland *island, const ukImplicit *of, const ukMeasure *measure, int k, double h,
                         double *change)
{
    const int n = 6 * island->problem->bodies;
    double *recorded = island->bodies.shift, *now = island->bodies.qdd;
    const double *x = ukStiffVectors(island) + (k - 1) * n;
    ukNystromPlace(island, &of->stage[k], h);
    ukNystromAccelerations(island, k, &of->stage[k], h, recorded);
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        double *a = now + 6 * f->moving;
        ukRotate(f->state.R, x + 6 * f->moving, a);
        ukRotate(f->state.R, x + 6 * f->moving + 3, a + 3);
        for (int c = 0; c < 6; c++) a[c] += recorded[6 * f->moving + c];
    }
    ukNystromRecord(island, now, k, &of->stage[k], h);
    *change = fmax(*change, ukMeasureChange(island, measure, recorded, now, h * collocation[k - 1][k - 1], h));
}

/* The residuals of all stages once more: the forces' impulses and work in the ledger are those of the last evaluation,
 * which must include the last correction. */
static int recordStages(ukIsland *island, const ukIslandStart *start, ukStepContext *at, const ukImplicit *of,
                        double begin)
{
    int status = ukOk;
    ukContinuousReset(island);
    ukLedgerOpen(island);
    ukImpulseOpen(island);
    for (int k = 1; k <= N && status == ukOk; k++) {
        at->time = begin + node[k] * at->rows.h;
        status = stageResidual(island, start, at, of, k);
    }
    return status;
}

int ukImplicitSolve(ukIsland *island, const ukIslandStart *start, ukStepContext *at, ukImplicit *of,
                    const ukMeasure *measure, double begin, double h)
{
    enum { MaxIterations = 7 };
    static const double enough = 0.1; /* fraction of the error that a sub-step may have */
    double by_place[N * N], by_rate[N * N], last = 0;
    scaleCoefficients(h, by_place, by_rate);
    guessRates(island, of, h);
    const ukStiff stiff = {.stages = N, .stage = of->stage + 1, .h = h, .by_place = by_place, .by_rate = by_rate};
    const double g = h * ukImplicitFilter;
    int status = ukStiffUnchanged(island);
    of->strength = status == ukOk ? ukStiffRows(island, g) : 0;
    for (int iteration = 0; iteration < MaxIterations && status == ukOk; iteration++) {
        const bool turns = iteration == 0;
        double off = 0;
        ukContinuousReset(island);
        ukLedgerOpen(island);
        ukImpulseOpen(island);
        for (int k = 1; k <= N && status == ukOk; k++) {
            at->time = begin + node[k] * h;
            status = stageResidual(island, start, at, of, k);
            if (status == ukOk && turns) status = ukStiffUpdateRows(island, k - 1, at, g, measure->speed);
        }
        if (status == ukOk && turns) status = ukStiffCouple(island, &stiff);
        if (status != ukOk) return status;
        ukStiffCorrect(island, &stiff);
        for (int k = 1; k <= N; k++) correctStage(island, of, measure, k, h, &off);
        if (!(off < INFINITY)) return ukErrorNotFinite;
        of->iterations = iteration + 1;
        of->shrinks = iteration > 0 ? off / last : fmin(fmax(of->shrinks, 0.05), 0.3);
        if (off == 0 || (of->shrinks < 1 && off * of->shrinks / (1 - of->shrinks) <= enough))
            return ukContinuousBooks(island) ? recordStages(island, start, at, of, begin) : ukOk;
        if (iteration > 1 && !(off * pow(of->shrinks, MaxIterations - 1 - iteration) <= enough)) break;
        last = off;
    }
    of->shrinks = 1;
    return status != ukOk ? status
                          : ukRefuseBody(island->frame[0].body, ukErrorNotConverged,
                                         "its forces change too fast for a sub-step of %.2g s", h);
}

int ukImplicitError(ukIsland *island, const ukImplicit *of, const ukMeasure *measure, double h, double *error,
                    const ukBody **body)
{
    const double rate = h * ukImplicitFilter, place = rate * rate;
    double *x = ukStiffVectors(island), *e = island->bodies.shift;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        double off[6] = {0};
        if (f->moving < 0) continue;
        for (int j = 0; j <= N; j++)
            for (int c = 0; c < 6; c++) off[c] += h * of->difference.rate[j] * ukRatesOf(island, i)->a[j][c];
        ukUnrotate(f->state.R, off, x + 6 * f->moving);
        ukUnrotate(f->state.R, off + 3, x + 6 * f->moving + 3);
    }
    const ukStiff stiff = {
        .first = N - 1, .stages = 1, .stage = &of->stage[N], .h = h, .by_place = &place, .by_rate = &rate};
    const int status = ukStiffCouple(island, &stiff);
    if (status != ukOk) return status;
    ukStiffCorrect(island, &stiff);
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        ukRotate(f->state.R, x + 6 * f->moving, e + 6 * f->moving);
        ukRotate(f->state.R, x + 6 * f->moving + 3, e + 6 * f->moving + 3);
    }
    *error = ukMeasureError(island, measure, &of->difference, e, h, body);
    *error *= sqrt(1e3 * *error * ukMeasureAllowed(island, measure, h));
    return ukOk;
}
