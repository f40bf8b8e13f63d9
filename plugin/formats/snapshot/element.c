/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/element.h"

#include <math.h>
#include <string.h>

#include "bridge/user/constraint.h"
#include "plugin/formats/snapshot/law.h"
#include "solvers/base/status.h"

/* Bounds of the rows; of a constraint that has none when it is saved, all are equalities. */
static void keepLimits(ukTape *t, struct ukConstraint *c, bool limited)
{
    for (int i = 0; i < c->rows && (limited || c->limit); i++) {
        double bounds[2] = {-INFINITY, INFINITY};
        bool one_sided = false;
        if (c->limit) {
            bounds[0] = c->limit[i].lo;
            bounds[1] = c->limit[i].hi;
            one_sided = c->limit[i].one_sided;
        }
        if (limited) {
            ukTapeBool(t, &one_sided);
            ukTapeReals(t, bounds, 2);
        } else {
            bounds[0] = -INFINITY, bounds[1] = INFINITY;
            one_sided = false;
        }
        if (t->status != ukOk) return;
        if (!(bounds[0] <= bounds[1])) {
            ukTapeRefuse(t, ukErrorArgument, "the bounds of a row of a constraint are not an interval");
            return;
        }
        if (t->mode == ukTapeRead && ukConstraintLimit(c, i, bounds[0], bounds[1], one_sided) != ukOk)
            ukTapeRefuse(t, ukErrorMemory, "no memory");
    }
}

/* tells two weights apart; 0: none */
static uint64_t weightOf(const struct ukConstraint *c)
{
    uint64_t sum = 0, word;
    for (int i = 0; c->weight && i < c->rows * c->rows; i++) {
        memcpy(&word, &c->weight[i], sizeof word);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    }
    return sum << 16;
}

static void constraint(ukTape *t, struct ukConstraint *c, uint64_t number)
{
    const int n = 6 * c->element.count;
    const int limits = c->rows + 1; /* added to the number of rows where bounds of the rows follow */
    int rows = c->lambda_rows + (c->limit ? limits : 0);
    if (!ukTapeSame(t, (uint64_t)c->rows ^ weightOf(c), "the rows or weights of constraint", number)) return;
    ukTapeArray(t, c->element.force, n);
    ukTapeArray(t, c->nonideal, n);
    ukTapeArray(t, c->impulse, n);
    ukTapeInt(t, &rows, 0, limits + c->rows, "a number of rows");
    const bool limited = rows >= limits;
    rows -= limited ? limits : 0;
    keepLimits(t, c, limited);
    ukTapeArray(t, c->lambda, rows);
    if (t->mode == ukTapeRead) c->lambda_rows = rows;
    ukKeepLawOfConstraint(t, c, number);
}

void ukKeepElement(ukTape *t, ukElement *e, uint64_t number, const ukNames *names)
{
    if (!ukTapeSame(t, e->is_force, "the kind of user constraint or force", number) ||
        !ukTapeSame(t, (uint64_t)e->count, "the bodies of user constraint or force", number))
        return;
    for (int i = 0; i < e->count; i++)
        if (!ukTapeSame(t, ukNamesNumber(names, e->body[i]), "a body of user constraint or force", number)) return;
    if (!e->is_force) constraint(t, (struct ukConstraint *)e, number);
}
