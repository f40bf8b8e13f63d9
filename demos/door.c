/* SPDX-License-Identifier: BSD-3-Clause */
/* A door on two coaxial hinges: ten rows where five are enough. What both hinges carry together is unique, how they
 * share it is not. The split printed beside is the one of least norm, rows counted in N and N m alike:
 *     vertical m g / 2 each;  mu = m g d / (z1^2 + z2^2 + 2),  horizontal mu z_i,  torque mu.
 *
 *     door [CFM] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "demos/scenes.h"

int main(int argc, char **argv)
{
    const double weight = 20 * 9.81, d = 0.45, z[2] = {0.8, -0.8}, mu = weight * d / (z[0] * z[0] + z[1] * z[1] + 2);
    dInitODE2(0);
    Scene *scene = sceneDoor(2);
    if (argc > 1) dWorldSetCFM(scene->world, atof(argv[1]));
    for (int i = 0; i < 200; i++) sceneStep(scene, scene->h, dWorldStep);

    double up = 0, across = 0, moment = 0;
    printf("door of %.1f N, hinges at z = %g and %g m, centre %g m away from them\n", weight, z[0], z[1], d);
    printf("             vertical [N]   horizontal [N]   torque across [N m]\n");
    for (int i = 0; i < 2; i++) {
        const dJointFeedback *f = &scene->feedback[i];
        /* the feedback's torque is about the door's centre: the hinge's own is t - r x f with r = (-d, 0, z) */
        const double own = f->t1[1] - (z[i] * f->f1[0] + d * f->f1[2]);
        up += f->f1[2];
        across += f->f1[0];
        moment += f->t1[1];
        printf("hinge %d       %10.4f       %10.4f            %10.4f\n", i + 1, f->f1[2], f->f1[0], own);
        printf("least norm    %10.4f       %10.4f            %10.4f\n", weight / 2, -mu * z[i], -mu);
    }
    printf("total         %10.4f       %10.4f   about the centre %8.1e\n", up, across, moment);
    printf("exact         %10.4f       %10.4f   about the centre %8.1e\n", weight, 0.0, 0.0);
    sceneDestroy(scene);
    dCloseODE();
    return 0;
}
