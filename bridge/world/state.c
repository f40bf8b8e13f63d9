/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/state.h"

ukState ukStateOf(const ukBody *body)
{
    ukState s;
    for (int i = 0; i < 3; i++) {
        s.x[i] = body->position[i];
        s.v[i] = body->linear[i];
        s.v[3 + i] = body->angular[i];
        for (int j = 0; j < 3; j++) s.R[3 * i + j] = body->rotation[4 * i + j];
    }
    for (int i = 0; i < 4; i++) s.q[i] = body->quaternion[i];
    return s;
}
