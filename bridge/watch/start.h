/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/watch/start.h: masses and initial states of bodies from UKODE_CONFIG, set once before their world's first
 * step. */
#ifndef UKODE_BRIDGE_WATCH_START_H
#define UKODE_BRIDGE_WATCH_START_H

#include <stdbool.h>
#include <stdint.h>

struct ukWorld;

enum {
    ukStartMass = 1,
    ukStartPosition = 2,
    ukStartOrientation = 4,
    ukStartVelocity = 8,
    ukStartSpin = 16
}; /* `given` */

/* Initial state of a body, found by its name or its number; only the given quantities are changed. */
typedef struct ukStartDefault {
    uint64_t serial; /* its number in the order of creation in its world, from 1; 0: by name */
    char *name;
    unsigned given;
    double mass;                     /* > 0 [kg]; the inertia is scaled with it */
    double position[3], velocity[3]; /* of the centre of mass, world [m], [m/s] */
    double orientation[4], spin[3];  /* w, x, y, z, not 0; world [rad/s] */
    bool met;                        /* a world had this body at its first step */
} ukStartDefault;

/* In the place of those before; copied. false: no memory, and they are as they were. */
bool ukStartSetDefaults(const ukStartDefault *starts, int count);
/* Before a step: sets the given initial values if this is the world's first step; later lines win. Warns of a body that
 * does not exist (ukLogWarning). */
void ukStartApply(struct ukWorld *world);
/* The first after `after` (NULL: of all) whose body no world had at its first step; NULL: there is none. */
const ukStartDefault *ukStartUnmetDefault(const ukStartDefault *after);

#endif
