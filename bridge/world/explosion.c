/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/explosion.h"

#include <math.h>

enum { Levels = ukExplosionLevels, Half = Levels / 2, Rises = ukExplosionRises };

static const double same_pace = 2; /* steps of the second half over those of the first */
static const int steps_least = 12;
static const double fallen = 0.1;  /* potential energy lost meanwhile, of the kinetic one */
static const double least = 1e-12; /* [J] of a kinetic energy that is looked at */

static void raiseLevel(ukExplosion *e, int level, const ukExplosionMark *mark)
{
    const int rise = e->levels > 0 ? level - e->top : 1;
    for (int k = Levels; k >= 0; k--) e->level[k] = k >= rise ? e->level[k - rise] : *mark;
    for (int k = Rises; k > 0; k--) e->rise[k] = e->rise[k - 1];
    e->rise[0] = *mark;
    e->top = level;
    e->levels = e->levels + rise > Levels + 1 ? Levels + 1 : e->levels + rise;
    e->rises = e->rises > Rises ? e->rises : e->rises + 1;
}

static bool isUnpaid(const ukExplosionMark *from, const ukExplosionMark *to)
{
    return from->potential - to->potential < fallen * to->kinetic;
}

/* Whether the energy has grown at a constant rate, from step to step. */
static bool isSteady(const ukExplosion *e)
{
    const ukExplosionMark *const m = e->level;
    int apart = 0; /* levels that took a step of their own: a blow passes many in one */
    if (e->levels <= Levels) return false;
    for (int k = 0; k < Levels; k++) apart += m[k].number > m[k + 1].number;
    if (apart < Levels - 2) return false;
    const int64_t late = m[0].number - m[Half].number, early = m[Half].number - m[Levels].number;
    return late + early >= steps_least && early > 0 && (double)late <= same_pace * (double)early &&
           isUnpaid(&m[Levels], &m[0]);
}

/* severalfold in each step */
static bool isFast(const ukExplosion *e)
{
    const ukExplosionMark *const m = e->rise;
    return e->rises > Rises && m[0].number - m[Rises].number <= 2 * Rises && isUnpaid(&m[Rises], &m[0]);
}

/* Level of a kinetic energy above `least`: its logarithm to the base 4. */
static int levelOf(double kinetic)
{
    return isfinite(kinetic) ? (int)floor(log2(kinetic) / 2) : 600;
}

bool ukExplosionTakes(const ukExplosion *e, double kinetic)
{
    return kinetic > least && (e->levels == 0 || levelOf(kinetic) > e->top);
}

bool ukExplosionTake(ukExplosion *e, int64_t number, int64_t key, double kinetic, double potential)
{
    const ukExplosionMark mark = {number, key, kinetic, potential};
    if (!ukExplosionTakes(e, kinetic)) return false;
    raiseLevel(e, levelOf(kinetic), &mark);
    const bool steady = isSteady(e), found = steady || isFast(e);
    if (!found) return false;
    e->from = steady ? e->level[Levels] : e->rise[Rises];
    e->to = mark;
    return true;
}
