/* SPDX-License-Identifier: BSD-3-Clause */
/* A walker of nine boxes goes for ten seconds on four legs, by servos of bounded torque in hips and knees: how far and
 * how fast, and how far its joints come apart.
 *
 *      walker [hard] [trot|pace|bound|pronk|stand [SEED [SECONDS]]]
 *
 * hard: leaves ODE's defaults: contacts with no surface layer, and as hard as can be, on which its feet flicker. SEED
 * changes the rate of its legs by up to a fifth; 0, and without one: not at all. stand: its legs are bent, and rest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demos/scenes.h"

/* the legs that go by half a turn behind: of right and left in front, right and left behind */
static const struct {
    const char *name;
    int behind[4];
} gaits[] = {{"trot", {0, 1, 1, 0}},
             {"pace", {0, 1, 0, 1}},
             {"bound", {0, 0, 1, 1}},
             {"pronk", {0, 0, 0, 0}},
             {"stand", {0, 0, 0, 0}}};
enum { Stand = 4, Gaits = sizeof gaits / sizeof *gaits };

static int choose(Scene *scene, int argc, char **argv)
{
    int k = 0;
    while (argc > 0 && k < Gaits && strcmp(gaits[k].name, argv[0]) != 0) k++;
    if (k == Gaits) {
        fprintf(stderr, "walker: '%s' is not one of: trot, pace, bound, pronk, stand\n", argv[0]);
        return -1;
    }
    if (k == Stand) scene->gait.rate = 0;
    for (int leg = 0; leg < 4; leg++) scene->gait.phase[leg] = gaits[k].behind[leg] ? M_PI : 0;
    const long seed = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    const double golden = 0.6180339887498949 * (double)seed;
    if (seed != 0) scene->gait.rate *= 0.8 + 0.4 * (golden - floor(golden));
    return 0;
}

int main(int argc, char **argv)
{
    const int hard = argc > 1 && strcmp(argv[1], "hard") == 0, first = 1 + hard;
    const double seconds = argc > first + 2 ? strtod(argv[first + 2], NULL) : 10;
    dInitODE2(0);
    Scene *const scene = sceneWalker(1);
    if (choose(scene, argc - first, argv + first) != 0) return 2;
    const dReal *const trunk = dBodyGetPosition(scene->bodies[0]);
    const dReal x = trunk[0], y = trunk[1], energy = sceneEnergy(scene);
    double gap = 0;
    if (!hard) {
        dWorldSetContactSurfaceLayer(scene->world, 1e-3); /* [m] */
        dWorldSetCFM(scene->world, 1e-5);
    }
    sceneWatch(scene);
    printf("    t [s]   walked [m]   trunk's height [m]   contacts\n");
    for (int i = 0; scene->time < seconds; i++) {
        if (i % (int)(1 / scene->h) == 0)
            printf("%9.2f   %10.3f   %18.3f   %8d\n", scene->time, hypot(trunk[0] - x, trunk[1] - y), trunk[2],
                   scene->contact_count);
        sceneStep(scene, scene->h, dWorldStep);
        gap = fmax(gap, sceneGap(scene));
    }
    printf("gap of the joints %.2e m at most; energy %.2f J, %.2f J at the start\n", gap, sceneEnergy(scene), energy);
    sceneDestroy(scene);
    dCloseODE();
    return 0;
}
