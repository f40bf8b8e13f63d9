/* SPDX-License-Identifier: BSD-3-Clause */
/* One of the scenes of demos/scenes.h by its name, for some seconds: what `demos/run gallery` records.
 *
 *      gallery SCENE [N [SECONDS]]
 *
 * N: its size (of "pile": boxes, of "walker": walkers, ...), 1 without one. Contacts have a surface layer of 1 mm. */
#include <stdio.h>
#include <stdlib.h>

#include "demos/scenes.h"

int main(int argc, char **argv)
{
    const int n = argc > 2 ? atoi(argv[2]) : 1;
    const double seconds = argc > 3 ? atof(argv[3]) : 5;
    dInitODE2(0);
    Scene *const scene = argc > 1 && n > 0 ? sceneByName(argv[1], n) : NULL;
    if (!scene) {
        fprintf(stderr, "usage: gallery SCENE [N [SECONDS]]; the scenes are listed in demos/scenes.h\n");
        return 2;
    }
    dWorldSetContactSurfaceLayer(scene->world, 1e-3);
    const dReal energy = sceneEnergy(scene);
    while (scene->time < seconds) sceneStep(scene, scene->h, dWorldStep);
    printf("%s: %d bodies, %d joints, energy %.3f J at the start and %.3f J after %g s\n", argv[1], scene->count,
           scene->joint_count, energy, sceneEnergy(scene), seconds);
    sceneDestroy(scene);
    dCloseODE();
    return 0;
}
