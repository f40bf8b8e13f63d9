/* SPDX-License-Identifier: BSD-3-Clause */
/* A planar pendulum of 1 kg and 1 m on one hinge, let go horizontally: its period against the complete elliptic
 * integral, the pull in the hinge at the lowest point against 3 m g, for three step sizes. */
#include <math.h>
#include <stdio.h>

#include "demos/scenes.h"

static const double radius = 0.02, g = 9.81;

/* 4 sqrt(J/(m g l)) K(sin 45 deg), by the arithmetic-geometric mean */
static double exactPeriod(void)
{
    double a = 1, b = M_SQRT1_2;
    for (int i = 0; i < 8; i++) {
        const double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return 4 * sqrt((1 + 0.4 * radius * radius) / g) * M_PI / (2 * a);
}

static void swing(double h)
{
    Scene *scene = sceneNew(1, 1, h);
    const dReal origin[3] = {0, 0, 0};
    dMass mass;
    const dBodyID bob = sceneAddBox(scene, 1, radius, radius, radius, 1, 0, 0);
    dMassSetSphereTotal(&mass, 1, radius);
    dBodySetMass(bob, &mass);
    sceneAddHinge(scene, bob, 0, origin, 0, 1, 0);
    sceneWatch(scene);

    /* the lowest point is passed at a quarter and at three quarters of a period */
    double passed[4], pull = 0, before = 1;
    int passes = 0;
    for (int i = 1; passes < 4; i++) {
        sceneStep(scene, h, dWorldStep);
        const double x = dBodyGetPosition(bob)[0];
        if (before * x <= 0 && before != x) {
            passed[passes++] = h * (i - x / (x - before));
            pull = fmax(pull, scene->feedback[0].f1[2]);
        }
        before = x;
    }
    const double period = (passed[2] - passed[0] + passed[3] - passed[1]) / 2, exact = exactPeriod();
    printf("%8g   %.6f   %+.2e   %9.4f   %+.2e   %+.2e\n", h, period, period - exact, pull,
           pull - g * (1 + 2 / (1 + 0.4 * radius * radius)), sceneEnergy(scene));
    sceneDestroy(scene);
}

int main(void)
{
    dInitODE2(0);
    printf("pendulum let go at 90 degrees: exact period %.6f s, exact pull at the lowest point %.4f N\n", exactPeriod(),
           g * (1 + 2 / (1 + 0.4 * radius * radius)));
    printf("  h [s]   period [s]   error [s]    pull [N]   error [N]   energy gained [J]\n");
    swing(0.01);
    swing(0.001);
    swing(0.0001);
    dCloseODE();
    return 0;
}
