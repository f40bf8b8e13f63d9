/* SPDX-License-Identifier: BSD-3-Clause */
/* A hanging chain of rods on hinges: what one step costs as the chain grows.
 *     chain [-q] [N...]      -q: dWorldQuickStep instead of dWorldStep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "demos/scenes.h"

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void hang(int n, SceneStepFn *step)
{
    Scene *scene = sceneHingeChain(n);
    const double start = seconds();
    double gap = 0;
    int steps = 0;
    do {
        sceneStep(scene, scene->h, step);
        steps++;
    } while (steps < 500 && (steps < 5 || seconds() - start < 2));
    const double each = (seconds() - start) / steps;
    gap = sceneGap(scene);
    printf("%8d   %8d   %12.4g   %12.4g   %.2e\n", n, steps, 1e6 * each, 1e6 * each / n, gap);
    sceneDestroy(scene);
}

int main(int argc, char **argv)
{
    static const int usual[] = {10, 30, 100, 300};
    SceneStepFn *step = dWorldStep;
    int first = 1;
    if (argc > 1 && strcmp(argv[1], "-q") == 0) {
        step = dWorldQuickStep;
        first = 2;
    }
    dInitODE2(0);
    printf("  joints      steps      us a step     us a joint   joint gap [m]\n");
    for (int i = first; i < argc; i++)
        if (atoi(argv[i]) > 0) hang(atoi(argv[i]), step);
    for (int i = 0; first == argc && i < 4; i++) hang(usual[i], step);
    dCloseODE();
    return 0;
}
