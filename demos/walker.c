/* SPDX-License-Identifier: BSD-3-Clause */
/* A walker of nine boxes trots for ten seconds on four legs, by servos of bounded torque in hips and knees: how far and
 * how fast, and how far its joints come apart. `walker hard` leaves ODE's defaults: contacts with no surface layer, and as
 * hard as can be, on which its feet flicker. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demos/scenes.h"

int main(int argc, char **argv)
{
    dInitODE2(0);
    Scene *const scene = sceneWalker(1);
    const dReal *const trunk = dBodyGetPosition(scene->bodies[0]);
    const dReal x = trunk[0], y = trunk[1], energy = sceneEnergy(scene);
    double gap = 0;
    if (argc < 2 || strcmp(argv[1], "hard") != 0) {
        dWorldSetContactSurfaceLayer(scene->world, 1e-3); /* [m] */
        dWorldSetCFM(scene->world, 1e-5);
    }
    sceneWatch(scene);
    printf("    t [s]   walked [m]   trunk's height [m]   contacts\n");
    for (int i = 0; scene->time < 10; i++) {
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
