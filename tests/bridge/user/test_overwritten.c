/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of a user constraint that writes one number more than it has rows fails the step, whichever of its arrays
 * it is, and leaves the body as it was. */
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/body_state.h"
#include "tests/support/plain_world.h"

typedef enum Array { None, Rows, Sides, Positions, Rates, Arrays } Array;

static int writeRow(const ukConstraintContext *context, double *A, double *b, void *data)
{
    const Array beyond = *(const Array *)data;
    (void)context;
    A[2] = 1;
    if (beyond == Rows) A[6] = 1;
    if (beyond == Sides) b[1] = 1;
    return 0;
}

static int writeError(const ukConstraintContext *context, double *phi, double *psi, void *data)
{
    const Array beyond = *(const Array *)data;
    (void)context;
    if (beyond == Positions) phi[1] = 1;
    if (beyond == Rates) psi[1] = 1;
    return 0;
}

int main(void)
{
    dInitODE2(0);
    for (Array array = None; array < Arrays; array++) {
        const dWorldID world = newWorld(9.81);
        const dBodyID body = ball(world, 1, 0, 0, 0);
        const ukConstraintID c = ukConstraintCreate(world, 1, &body, 1, writeRow, &array);
        CHECK(c != NULL && ukConstraintSetError(c, writeError, &array) == 0);
        const BodyState before = bodyStateOf(body);
        CHECK(ukWorldStep(world, 0.01) == (array == None));
        if (array != None) {
            const BodyState after = bodyStateOf(body);
            CHECK(memcmp(&before, &after, sizeof before) == 0);
            CHECK(ukGetLastError() == ukErrorCallback && strstr(ukGetLastErrorMessage(), "beyond the rows") != NULL);
        }
        dWorldDestroy(world);
    }
    dCloseODE();
    return ukTestEnd();
}
