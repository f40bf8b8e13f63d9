/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes of the states of random worlds, to tell whether a change of the code changes any bit of a motion.
 * Usage: hash_worlds [-v] [WORLDS [STEPS [FIRST SEED]]]      default 1000 worlds of 200 steps; -v: one line a world
 *
 * All joint types, no bounded rows; Euler and RK4 in turns. Two builds of the same compiler and C library that print
 * the same hash have moved every world alike, to the last bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/body_state.h"
#include "tests/support/random_world.h"
#include "ukode/ukode.h"

static uint64_t mixWorld(uint64_t hash, uint64_t seed, int steps)
{
    const RandomWorldKind kind = {.types = randomEqualityTypes, .cfm_lo = 1e-10, .cfm_hi = 1e-3};
    RandomWorld w;
    randomWorldBuild(&w, seed, &kind);
    ukWorldSetIntegrator(w.world, seed % 2 ? ukIntegratorRK4 : ukIntegratorEuler);
    for (int i = 0; i < steps; i++) {
        const int ok = ukWorldStep(w.world, 0.005);
        hash = hashBytes(hash, &ok, sizeof ok);
        if (!ok) break;
        for (int b = 0; b < w.bodies; b++) hash = hashBody(hash, w.body[b]);
    }
    randomWorldDestroy(&w);
    return hash;
}

int main(int argc, char **argv)
{
    const int verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    argc -= verbose, argv += verbose;
    const int worlds = argc > 1 ? atoi(argv[1]) : 1000, steps = argc > 2 ? atoi(argv[2]) : 200;
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    uint64_t all = hashStart;
    dInitODE2(0);
    for (int i = 0; i < worlds; i++) {
        const uint64_t seed = first + (uint64_t)i, one = mixWorld(hashStart, seed, steps);
        if (verbose) printf("%llu %016llx\n", (unsigned long long)seed, (unsigned long long)one);
        all = hashBytes(all, &one, sizeof one);
    }
    printf("%d worlds, %d steps: %016llx\n", worlds, steps, (unsigned long long)all);
    dCloseODE();
    return 0;
}
