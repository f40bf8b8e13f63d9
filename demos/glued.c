/* SPDX-License-Identifier: BSD-3-Clause */
/* Two spring-mass parts, modelled alone and glued by a constraint. Each part is a mass on a rail with a spring of its
 * own; a Fixed joint makes them move as one. Against (m1 + m2) x'' = -(k1 + k2) x and the force in the glue,
 * F = m2 x'' + k2 x on the second mass. */
#include <math.h>
#include <stdio.h>

#include "demos/scenes.h"

int main(void)
{
    const double m1 = 2, m2 = 1, k1 = 100, k2 = 10, x0 = 0.1, h = 0.0005;
    const double omega = sqrt((k1 + k2) / (m1 + m2));
    dInitODE2(0);
    Scene *scene = sceneGlued();
    sceneWatch(scene);
    dWorldSetGravity(scene->world, 0, 0, 0);
    const dBodyID a = scene->bodies[0], b = scene->bodies[1];
    const double rest_b = dBodyGetPosition(b)[0];
    dBodySetPosition(a, x0, 0, 0);
    dBodySetPosition(b, rest_b + x0, 0, 0);

    printf("two spring-mass parts, glued: omega %.4f 1/s\n", omega);
    printf("  time [s]     x1 [m]   exact [m]   x2 - x1 - d [m]   glue force [N]   exact [N]\n");
    double worst = 0, worst_force = 0, worst_gap = 0;
    for (int i = 1; i <= 4000; i++) {
        const double at = dBodyGetPosition(a)[0]; /* the force of this step acts here */
        dBodyAddForce(a, -k1 * at, 0, 0);
        dBodyAddForce(b, -k2 * (dBodyGetPosition(b)[0] - rest_b), 0, 0);
        sceneStep(scene, h, dWorldStep);
        const double t = i * h, x = dBodyGetPosition(a)[0], exact = x0 * cos(omega * t);
        const double gap = dBodyGetPosition(b)[0] - rest_b - x;
        const double force = scene->feedback[2].f2[0];
        const double exact_force = (k2 - m2 * omega * omega) * x0 * cos(omega * (t - h));
        worst = fmax(worst, fabs(x - exact));
        worst_gap = fmax(worst_gap, fabs(gap));
        worst_force = fmax(worst_force, fabs(force - exact_force));
        if (i % 500 == 0)
            printf("  %8.3f  %9.5f   %9.5f          %8.1e        %9.5f   %9.5f\n", t, x, exact, gap, force,
                   exact_force);
    }
    printf("largest: error of x %.1e m, of the glue force %.1e N, gap of the glue %.1e m\n", worst, worst_force,
           worst_gap);
    sceneDestroy(scene);
    dCloseODE();
    return 0;
}
