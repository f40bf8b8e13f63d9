/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/switching.h"

#include <math.h>

struct ukForce *ukSwitchingNext(const ukIsland *island, const struct ukForce *f)
{
    if (island->switches == 0) return NULL;
    bool passed = !f;
    for (int k = 0; k < island->elements; k++) {
        ukElement *e = island->element[k];
        if (passed && ukElementIsSwitch(e)) return (struct ukForce *)e;
        passed |= f && e == &f->element;
    }
    return NULL;
}

double ukSwitchingMargin(const struct ukForce *f)
{
    return f->side * f->value;
}

bool ukSwitchingAtStart(const struct ukForce *f, double margin)
{
    static const double rounding = 1e-12; /* relative to the change of g; events are located to 1e-13 */
    return f->before <= rounding * fabs(margin);
}

bool ukSwitchingTurn(const ukIsland *island)
{
    bool turned = false;
    for (struct ukForce *f = NULL; (f = ukSwitchingNext(island, f));) {
        const int side = f->value < 0 ? -1 : 1;
        turned |= side != f->side;
        f->side = side;
    }
    return turned;
}
