/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces whose squares overflow leave nothing that could be certified: the step fails, leaves the bodies as they were,
 * and its message names the body, whichever of a chain it is. */
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/body_state.h"
#include "tests/support/plain_world.h"

enum { Bodies = 4 };

static void overflows(int which, double size)
{
    const dWorldID world = newWorld(0);
    dBodyID body[Bodies];
    BodyState before[Bodies];
    for (int i = 0; i < Bodies; i++) {
        body[i] = ball(world, 1, i, 0, 0);
        const dJointID joint = dJointCreateSlider(world, NULL);
        dJointAttach(joint, body[i], i ? body[i - 1] : NULL);
        dJointSetSliderAxis(joint, 1, 0, 0);
    }
    dBodyAddForce(body[which], 0, size, 0); /* which the sliders hold */
    for (int i = 0; i < Bodies; i++) before[i] = bodyStateOf(body[i]);
    char begins[80];
    snprintf(begins, sizeof begins, "body %d: its forces or accelerations overflow", which + 1);
    CHECK(ukWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorNotFinite);
    if (!CHECK(strncmp(ukGetLastErrorMessage(), begins, strlen(begins)) == 0))
        printf("%d %g %s\n", which, size, ukGetLastErrorMessage());
    for (int i = 0; i < Bodies; i++) {
        const BodyState after = bodyStateOf(body[i]);
        CHECK(memcmp(&before[i], &after, sizeof after) == 0);
    }
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    for (int i = 0; i < Bodies; i++)
        for (double size = 1e156; size < 1e181; size *= 1e4) overflows(i, size); /* beyond, spins overflow, too */
    dCloseODE();
    return ukTestEnd();
}
