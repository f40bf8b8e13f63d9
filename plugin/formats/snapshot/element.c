/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/element.h"

#include "plugin/formats/snapshot/law.h"
#include "solvers/base/status.h"

static void constraint(ukTape *t, struct ukConstraint *c, uint64_t number)
{
    const int n = 6 * c->element.count;
    int rows = c->lambda_rows;
    if (!ukTapeSame(t, (uint64_t)c->rows, "the rows of constraint", number)) return;
    ukTapeArray(t, c->element.force, n);
    ukTapeArray(t, c->nonideal, n);
    ukTapeArray(t, c->impulse, n);
    ukTapeInt(t, &rows, 0, c->rows, "a number of rows");
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
