/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/corners.h"

#include <math.h>
#include <string.h>

void touchCorners(dBodyID block, const double half[3], double mu, dJointGroupID group)
{
    dContact c = {.surface = {.mode = dContactApprox1, .mu = mu}, .geom = {.normal = {0, 0, 1}}};
    for (int k = 0; k < 4; k++) {
        dVector3 p;
        dBodyGetRelPointPos(block, k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], -half[2], p);
        memcpy(c.geom.pos, p, sizeof c.geom.pos);
        c.geom.depth = fmax(0, -p[2]);
        dJointAttach(dJointCreateContact(dBodyGetWorld(block), group, &c), block, NULL);
    }
}
