/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/problem/frictionless.h"

#include <string.h>

void ukFrictionlessCarve(ukFrictionless *f, const ukProblem *whole, size_t pairs, ukArena *arena)
{
    const size_t m = (size_t)whole->rows;
    f->row = ukArenaInts(arena, m);
    f->block = ukArenaBytes(arena, (size_t)whole->blocks * sizeof *f->block);
    f->A = ukArenaDoubles(arena, 6 * pairs);
    f->b = ukArenaDoubles(arena, m);
    f->softness = ukArenaDoubles(arena, m);
    f->lo = ukArenaDoubles(arena, m);
    f->hi = ukArenaDoubles(arena, m);
    f->cone = ukArenaBytes(arena, m);
}

void ukFrictionlessSet(ukFrictionless *f, const ukProblem *whole)
{
    size_t at = 0;
    int rows = 0;
    for (int k = 0; k < whole->blocks; k++) {
        const ukBlock *from = whole->block + k;
        const size_t width = 6 * (size_t)from->slots;
        f->block[k] = (ukBlock){.row = rows, .slot = from->slot, .slots = from->slots, .A = at};
        for (int r = from->row; r < from->row + from->rows; r++) {
            if (ukProblemNormal(whole, r) >= 0) continue;
            memcpy(f->A + at, whole->A + from->A + (size_t)(r - from->row) * width, width * sizeof *f->A);
            f->row[rows] = r;
            f->b[rows] = whole->b[r];
            f->softness[rows] = whole->softness ? whole->softness[r] : 0;
            f->lo[rows] = whole->lo[r];
            f->hi[rows] = whole->hi[r];
            f->cone[rows] = whole->cone ? whole->cone[r] : 0;
            rows++, at += width;
        }
        f->block[k].rows = rows - f->block[k].row;
    }
    f->p = *whole;
    f->p.rows = rows;
    f->p.block = f->block;
    f->p.A = f->A;
    f->p.b = f->b, f->p.softness = f->softness, f->p.lo = f->lo, f->p.hi = f->hi;
    f->p.normal = NULL;
    f->p.cone = whole->cone ? f->cone : NULL;
}

void ukFrictionlessGather(const ukFrictionless *f, const double *all, double *rows)
{
    for (int i = 0; i < f->p.rows; i++) rows[i] = all[f->row[i]];
}

void ukFrictionlessScatter(const ukFrictionless *f, const ukProblem *whole, const double *rows, double *all)
{
    memset(all, 0, (size_t)whole->rows * sizeof *all);
    for (int i = 0; i < f->p.rows; i++) all[f->row[i]] = rows[i];
}
