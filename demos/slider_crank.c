/* SPDX-License-Identifier: BSD-3-Clause */
/* Slider-crank without gravity: crank 0.1 m, rod 0.3 m, 20 rows of rank 17. The piston stands at
 * x = r cos a + sqrt(l^2 - (r sin a)^2) for the crank's angle a, and the energy is that of the start. */
#include <math.h>
#include <stdio.h>

#include "demos/scenes.h"

static void turn(double h)
{
    const double r = 0.1, l = 0.3;
    dInitODE2(0);
    Scene *scene = sceneSliderCrank();
    const double start = sceneEnergy(scene);
    double error = 0, gap = 0, lowest = start, highest = start, turned = 0, before = 0;
    for (int i = 0; i < (int)lround(5 / h); i++) {
        sceneStep(scene, h, dWorldStep);
        const dReal *R = dBodyGetRotation(scene->bodies[0]);
        const double angle = atan2(R[4], R[0]), e = sceneEnergy(scene);
        const double x = r * cos(angle) + sqrt(l * l - r * r * sin(angle) * sin(angle));
        error = fmax(error, fabs(dBodyGetPosition(scene->bodies[2])[0] - x));
        gap = fmax(gap, sceneGap(scene));
        lowest = fmin(lowest, e);
        highest = fmax(highest, e);
        turned += remainder(angle - before, 2 * M_PI);
        before = angle;
    }
    printf("%8g   %10.4f        %.2e       %.2e        %+.2e   %+.2e\n", h, turned / (2 * M_PI), error, gap,
           (lowest - start) / start, (highest - start) / start);
    sceneDestroy(scene);
    dCloseODE();
}

int main(void)
{
    printf(
        "slider-crank, 5 s\n  h [s]      turns   piston off [m]   joint gap [m]   relative energy: lowest, highest\n");
    turn(0.004);
    turn(0.001);
    turn(0.00025);
    return 0;
}
