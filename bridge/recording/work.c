/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/recording/work.h"

#include "bridge/account/ledger.h"

static const int64_t apart = 7; /* steps from one sample to the next, or more: the ledger is up to 0.3 of a step */

typedef struct Cause {
    const char *name;
    double work;
} Cause;

enum { Causes = ukWorkCauses };

/* `left`: what the others do not explain */
static void causesOf(const ukLedger *l, const char *left, double unexplained, Cause list[Causes])
{
    const Cause all[Causes] = {{"applied", l->applied},
                               {"ideal", l->ideal},
                               {"nonideal", l->nonideal},
                               {"motors", l->motors},
                               {"stops", l->stops},
                               {"contact_normal", l->contact_normal},
                               {"contact_friction", l->contact_friction},
                               {"gyroscopic", l->gyroscopic},
                               {"damping", l->damping},
                               {"stabilization", l->stabilization},
                               {"sleeping", l->sleeping},
                               {"outside", l->outside},
                               {"integration", l->integration},
                               {left, unexplained}};
    memcpy(list, all, sizeof all);
}

static void put(const ukTape *t, const Cause list[Causes])
{
    for (int k = 0; k < Causes; k++)
        ukQueuePut(t->recording->queue, ukInsertLedgerStep, (long long)t->step, list[k].name, list[k].work);
}

static double energyOf(const ukLedger *l)
{
    return l->kinetic + l->potential;
}

/* the sampled step, and those since the sample before it */
static void count(ukWork *w, const ukLedger *sample, int64_t number)
{
    Cause list[Causes];
    const double steps = (double)(number - w->last);
    causesOf(sample, "unsampled", 0, list);
    if (w->samples++ == 0) w->energy = sample->kinetic_start + sample->potential_start;
    for (int k = 0; k < Causes; k++) {
        const double now = list[k].work, before = w->samples > 1 ? w->sample[k] : now;
        w->sum[k] += 0.5 * steps * (before + now) + 0.5 * (now - before);
        w->sample[k] = now;
    }
    w->last = number;
}

static void putEstimate(const ukTape *t, const ukLedger *sample)
{
    Cause list[Causes];
    double missed = energyOf(sample) - t->work.energy;
    causesOf(sample, "unsampled", 0, list);
    for (int k = 0; k < Causes - 1; k++) missed -= list[k].work = t->work.sum[k];
    list[Causes - 1].work = missed;
    put(t, list);
}

void ukWorkTake(ukTape *t, const ukWorld *world, bool rows, bool ours)
{
    const ukBook *const kept = world->lent;
    if (world->book && rows) {
        Cause list[Causes];
        ukLedger l;
        (ours ? ukLedgerLast : ukLedgerRead)(world, &l);
        causesOf(&l, "residual", l.residual, list);
        put(t, list);
    }
    if (world->book || !kept || !(kept->sum.time > 0)) return;
    count(&t->work, &kept->sum, t->number);
    if (rows) putEstimate(t, &kept->sum);
}

void ukWorkPlan(ukTape *t, ukWorld *world, double h, bool ours)
{
    ukWork *const w = &t->work;
    const bool due = t->time + h >= t->next * (1 - 1e-12);
    world->lent = NULL;
    if (world->book || !ours) return;
    if (w->samples > 0 && (!due || t->number + 1 - w->last < apart)) return;
    if (w->samples == 0) w->last = t->number; /* it begins with the next step */
    ukLedgerLend(world, w->book);
}
