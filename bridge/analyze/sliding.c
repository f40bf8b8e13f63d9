/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/sliding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/massless.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

/* Normal forces N (count) of the island's slides, and the response R: how lambda_N changes with each. */
typedef struct Sliding {
    const ukActiveSlide **slide; /* (count) */
    int count;
    double load;                  /* the largest normal force of the island's contacts in the step */
    double *N, *found, *R, *left; /* (count) twice, (count x count) twice */
    lapack_int *pivot;
} Sliding;

static void pushSlide(ukIsland *island, const ukActiveSlide *slide, double N)
{
    for (int side = 0; side < 2; side++) ukMasslessPush(island, slide->body[side], slide->direction[side], N);
}

/* lambda_N with the friction of N to `found` */
static int answerTo(const Sliding *s, ukIsland *island, ukIslandSolve *solve, const double *N, double *found)
{
    for (int k = 0; k < s->count; k++) pushSlide(island, s->slide[k], N[k]);
    const int status = solve(island);
    for (int k = 0; k < s->count; k++) pushSlide(island, s->slide[k], -N[k]);
    for (int k = 0; status == ukOk && k < s->count; k++) found[k] = island->rows.lambda[s->slide[k]->normal];
    return status;
}

/* R by unit forces, about N = 0: found is lambda_N there */
static int findResponse(const Sliding *s, ukIsland *island, ukIslandSolve *solve)
{
    const int n = s->count;
    double size = 0;
    memset(s->N, 0, (size_t)n * sizeof *s->N);
    int status = answerTo(s, island, solve, s->N, s->found);
    for (int k = 0; k < n; k++) size = fmax(size, fabs(s->found[k]));
    if (!(size > 0)) size = 1;
    for (int k = 0; k < n && status == ukOk; k++) {
        s->N[k] = size;
        status = answerTo(s, island, solve, s->N, s->left);
        for (int i = 0; i < n; i++) s->R[i * n + k] = (s->left[i] - s->found[i]) / size;
        s->N[k] = 0;
    }
    return status;
}

/* N += (I - R)^-1 (found - N); *change: the largest, as a part of the largest normal force: a contact that carries next
 * to nothing has the rounding of the others */
static int stepNewton(const Sliding *s, double *change)
{
    const int n = s->count;
    double most = 0, size = s->load;
    for (int i = 0; i < n; i++) {
        s->found[i] -= s->N[i];
        for (int j = 0; j < n; j++) s->left[j * n + i] = (i == j) - s->R[i * n + j];
    }
    if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, s->left, n, s->pivot, s->found, n) != 0)
        return ukErrorSet(
            ukErrorSingular,
            "the normal forces of sliding contacts are not unique, because friction is too large (Painleve's paradox): "
            "reduce mu");
    for (int i = 0; i < n; i++) {
        s->N[i] += s->found[i];
        most = fmax(most, fabs(s->found[i]));
        size = fmax(size, fabs(s->N[i]));
    }
    *change = size > 0 ? most / size : 0;
    return ukOk;
}

static int solveSliding(const Sliding *s, ukIsland *island, ukIslandSolve *solve)
{
    enum { Most = 50 };
    static const double rounding = 1e-13;
    double change = INFINITY, before = INFINITY;
    int status = findResponse(s, island, solve);
    for (int k = 0; k < Most && status == ukOk; k++) {
        status = k > 0 ? answerTo(s, island, solve, s->N, s->found) : ukOk;
        if (status == ukOk) status = stepNewton(s, &change);
        if (status != ukOk || change <= rounding || (change < 1e3 * rounding && change >= 0.5 * before)) break;
        before = change;
    }
    if (status != ukOk) return status;
    if (!(change < 1e3 * rounding))
        return ukErrorSet(ukErrorNotConverged, "the friction of sliding contacts does not converge");
    return answerTo(s, island, solve, s->N, s->found);
}

int ukSlidingIsland(const ukActivity *activity, ukIsland *island, ukIslandSolve *solve)
{
    size_t n = 0;
    for (int k = 0; k < activity->slides; k++) n += activity->slide[k].island == island->number;
    if (n == 0) return solve(island);
    Sliding s = {.slide = calloc(n, sizeof *s.slide),
                 .N = calloc(2 * n + 2 * n * n, sizeof *s.N),
                 .pivot = calloc(n, sizeof *s.pivot)};
    int status = s.slide && s.N && s.pivot ? ukOk : ukErrorMemory;
    if (status == ukOk) {
        s.found = s.N + n;
        s.R = s.found + n;
        s.left = s.R + n * n;
        for (int k = 0; k < activity->slides; k++)
            if (activity->slide[k].island == island->number) s.slide[s.count++] = &activity->slide[k];
        for (int k = 0; k < activity->contacts; k++)
            if (activity->contact[k].island == island->number)
                s.load = fmax(s.load, activity->contact[k].row[0].lambda);
        status = solveSliding(&s, island, solve);
    }
    free(s.slide);
    free(s.N);
    free(s.pivot);
    return status;
}
