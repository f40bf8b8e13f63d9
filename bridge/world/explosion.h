/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/explosion.h: whether a world's kinetic energy grows exponentially, from its energies step by step,
 * whichever stepper takes them.
 *
 * Under forces, the energy grows as a power of the time: each next factor of 4^4 takes at least four times as long as
 * the one before, and 16 times if it grows with the square of the time. If a method amplifies the energy from step to
 * step, each factor takes as long as the one before; or, if it does so severalfold in each step, the energy grows by
 * 4^12 within 24 steps, which not even the fifth power of the time does from its first step on. */
#ifndef UKODE_BRIDGE_WORLD_EXPLOSION_H
#define UKODE_BRIDGE_WORLD_EXPLOSION_H

#include <stdbool.h>
#include <stdint.h>

enum { ukExplosionLevels = 8, ukExplosionRises = 12 };

/* A step at whose end the kinetic energy was larger than ever before, by a factor of 4. */
typedef struct ukExplosionMark {
    int64_t number, key;       /* of the step; the caller's key of it */
    double kinetic, potential; /* [J] */
} ukExplosionMark;

typedef struct ukExplosion {                      /* all zero: at the start */
    int top, levels, rises;                       /* highest level so far, in factors of 4; how many marks are known */
    ukExplosionMark level[ukExplosionLevels + 1]; /* [0]: when the top was reached; [k]: k levels below */
    ukExplosionMark rise[ukExplosionRises + 1];   /* [0]: the last step that rose; [k]: the k-th before it */
    ukExplosionMark from, to;                     /* of the growth that was found last */
} ukExplosion;

/* Whether a step with this kinetic energy is to be taken: it is larger than ever before, by a factor of 4. All others
 * leave the explosion as it is, so that their potential energy need not be known. */
bool ukExplosionTakes(const ukExplosion *explosion, double kinetic);

/* Takes one step's energies [J]. Whether the growth up to this step is exponential (`from`, `to`); potential energy
 * that pays for it is a cause. */
bool ukExplosionTake(ukExplosion *explosion, int64_t number, int64_t key, double kinetic, double potential);

#endif
