/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/contradiction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/progress.h"
#include "solvers/base/status.h"

/* The largest error of each part, weighted as in r. */
static void weightedErrors(const ukErrors *e, double *error)
{
    memset(error, 0, (size_t)e->parts * sizeof *error);
    for (int i = 0; i < e->rows; i++) error[e->part[i]] = fmax(error[e->part[i]], fabs(e->r[i]));
}

/* Whether the parts in `in` can be met, from the compromise and from other starts. */
static int areMet(ukApproach *a, const unsigned char *in, const ukState *compromise, bool *met)
{
    enum { Starts = 6 };
    int starts;
    a->errors.in = in;
    ukPosesReturn(a->poses, compromise);
    const int status = ukApproachFromMany(a, Starts, met, &starts);
    a->errors.in = NULL;
    return status;
}

static int reduceContradiction(ukApproach *a, unsigned char *in, const double *error, const ukState *compromise)
{
    static const double negligible = 1e-6;
    const int parts = a->errors.parts;
    double most = 0;
    bool met;
    for (int k = 0; k < parts; k++) most = fmax(most, error[k]);
    for (int k = 0; k < parts; k++) in[k] = error[k] > negligible * most;
    int status = areMet(a, in, compromise, &met);
    if (status != ukOk) return status;
    if (met) memset(in, 1, (size_t)parts); /* it takes others, too, which are met at the compromise */
    for (int k = 0; k < parts && status == ukOk; k++) {
        if (!in[k]) continue;
        ukProgressStore(ukProgressAssembling, k, parts);
        in[k] = 0;
        status = areMet(a, in, compromise, &met);
        if (met) in[k] = 1;
    }
    return status;
}

int ukContradictionFind(ukApproach *a, unsigned char *in, double *error)
{
    const size_t bodies = (size_t)a->poses->bodies;
    ukState *const compromise = malloc((bodies + 1) * sizeof *compromise);
    if (!compromise) return ukErrorSet(ukErrorMemory, "no memory for %d bodies", a->poses->bodies);
    ukPosesKeep(a->poses, compromise);
    weightedErrors(&a->errors, error);
    int status = reduceContradiction(a, in, error, compromise);
    ukPosesReturn(a->poses, compromise);
    free(compromise);
    if (status == ukOk) status = ukPosesAssemble(a->poses);
    if (status != ukOk) return status;
    ukErrorsFill(&a->errors);
    memset(error, 0, (size_t)a->errors.parts * sizeof *error);
    for (int i = 0; i < a->errors.rows; i++)
        error[a->errors.part[i]] = fmax(error[a->errors.part[i]], fabs(a->errors.phi[i]));
    return ukOk;
}
