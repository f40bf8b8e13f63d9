/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/rates.h"

#include <math.h>

#include "bridge/island/refuse.h"
#include "solvers/problem/tolerance.h"

/* whether the block prescribes rates */
static bool prescribesRates(const ukBlockOwner *owner)
{
    return !owner->law && !(owner->constraint && !owner->constraint->error);
}

/* the change of row i's rate by the velocities x */
static double rateChange(const ukProblem *p, const ukBlock *block, int i, const double *x)
{
    const double *A = p->A + block->A + 6 * (size_t)((i - block->row) * block->slots);
    double sum = 0;
    for (int slot = block->slot; slot < block->slot + block->slots; slot++, A += 6)
        for (int c = 0; c < 6 && p->body[slot] >= 0; c++) sum += A[c] * x[6 * p->body[slot] + c];
    return sum;
}

/* the largest rate that a row prescribes, in unit rows */
static double largestRate(const ukIsland *island, const ukProblem *p)
{
    double most = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            if (!prescribesRates(island->rows.owners + k)) continue;
            const double w = ukRowRate(island, p, k, i);
            if (w != 0) most = fmax(most, fabs(w) * ukRowUnit(p, &p->block[k], i, 0));
        }
    return most;
}

ukMissedRate ukRatesMissed(const ukIsland *island, const ukProblem *p, const double *x)
{
    const ukBlockOwner *owner = island->rows.owners;
    ukMissedRate by = {.row = -1};
    const double asked = largestRate(island, p);
    double chosen = 0;
    for (int k = 0; k < p->blocks && asked > 0; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            if (!prescribesRates(owner + k) || !ukRowExact(island, i)) continue;
            const double rate =
                fabs(island->rows.rate[i] - island->rows.target[i] + (x ? rateChange(p, &p->block[k], i, x) : 0));
            const double missed = rate * ukRowUnit(p, &p->block[k], i, 0) / asked;
            const bool user = owner[k].constraint != NULL;
            if (!(missed > ukRateContradiction)) continue;
            by.missed = fmax(by.missed, missed);
            if (user == by.user ? missed <= chosen : by.user) continue;
            chosen = missed;
            by.block = k, by.row = i, by.rate = rate, by.user = user;
        }
    return by;
}

int ukRatesRefuse(const ukIsland *island, const ukProblem *p, const ukMissedRate *by)
{
    return ukRefuseContradiction(island, p, by->block, by->row, "rate error [m/s or rad/s]", by->rate);
}
