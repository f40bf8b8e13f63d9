/* SPDX-License-Identifier: BSD-3-Clause */
/* The heights that ODE copies are copied here as well, all of them, whether a field is wider or deeper, and outlive the
 * program's; those that are not copied remain the program's. */
#include <stdlib.h>
#include <string.h>

#include "bridge/watch/geom.h"
#include "tests/check.h"

static void copies(int width, int depth)
{
    const size_t count = (size_t)width * (size_t)depth;
    double *const heights = malloc(count * sizeof *heights);
    for (size_t i = 0; i < count; i++) heights[i] = 1 + (double)i;
    const dHeightfieldDataID field = dGeomHeightfieldDataCreate();
    const ukHeightfield given = {.kind = ukHeightsDouble, .data = heights, .samples = {width, depth}};
    ukGeomHeightfield(field, &given, false);
    CHECK(ukGeomHeightfieldOf(field)->data == heights);
    ukGeomHeightfield(field, &given, true);
    memset(heights, 0, count * sizeof *heights);
    free(heights);
    const ukHeightfield *const kept = ukGeomHeightfieldOf(field);
    const double *const x = kept->data;
    if (CHECK(x != NULL && x != heights && kept->samples[0] == width && kept->samples[1] == depth))
        for (size_t i = 0; i < count; i++) CHECK(x[i] == 1 + (double)i);
    ukGeomDestroyed(field);
    dGeomHeightfieldDataDestroy(field);
}

int main(void)
{
    dInitODE2(0);
    ukGeomKeep();
    copies(3, 3);
    copies(2, 50);
    copies(50, 2);
    dCloseODE();
    return ukTestEnd();
}
