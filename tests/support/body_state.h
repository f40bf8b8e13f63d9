/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/body_state.h: all numbers that ODE holds of a body, to be compared to the bit. */
#ifndef UKODE_TESTS_BODY_STATE_H
#define UKODE_TESTS_BODY_STATE_H

#include <ode/ode.h>
#include <string.h>

typedef struct BodyState {
    dReal x[3], q[4], R[12], v[3], w[3], force[3], torque[3];
} BodyState;

static inline BodyState bodyStateOf(dBodyID b)
{
    BodyState s;
    memcpy(s.x, dBodyGetPosition(b), sizeof s.x);
    memcpy(s.q, dBodyGetQuaternion(b), sizeof s.q);
    memcpy(s.R, dBodyGetRotation(b), sizeof s.R);
    memcpy(s.v, dBodyGetLinearVel(b), sizeof s.v);
    memcpy(s.w, dBodyGetAngularVel(b), sizeof s.w);
    memcpy(s.force, dBodyGetForce(b), sizeof s.force);
    memcpy(s.torque, dBodyGetTorque(b), sizeof s.torque);
    return s;
}

#endif
