/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/body_state.h: all numbers that ODE holds of a body, to be compared to the bit; hashes of them. */
#ifndef UKODE_TESTS_BODY_STATE_H
#define UKODE_TESTS_BODY_STATE_H

#include <ode/ode.h>
#include <stdint.h>
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

/* FNV-1a, 64 bits; begins with this */
static const uint64_t hashStart = 0xcbf29ce484222325u;

static inline uint64_t hashBytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

/* position, orientation, velocities */
static inline uint64_t hashBody(uint64_t hash, dBodyID body)
{
    hash = hashBytes(hash, dBodyGetPosition(body), 3 * sizeof(dReal));
    hash = hashBytes(hash, dBodyGetQuaternion(body), 4 * sizeof(dReal));
    hash = hashBytes(hash, dBodyGetLinearVel(body), 3 * sizeof(dReal));
    return hashBytes(hash, dBodyGetAngularVel(body), 3 * sizeof(dReal));
}

#endif
