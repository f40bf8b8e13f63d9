/* SPDX-License-Identifier: BSD-3-Clause */
/* A planar four-bar of four spatial hinges: 20 constraint rows of rank 17, and of rank 16 each time the bars lie in one
 * line. An ordinary ODE program: ten seconds of dWorldStep.
 *
 *     four_bar [-c CFM] [-h STEP] [-o FILE]      FILE gets: time, loop gap, energy */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "demos/scenes.h"

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The four-bar has one freedom, the crank's angle: A theta'' = -3 g cos(theta), by small RK4 steps; rates at the ends
 * of ten thousand steps a second are exact to 1e-12. */
static void reference(double *angle, double *rate, double h)
{
    const double k = 3 * 9.81 / (2 * (0.25 + (1 + 0.05 * 0.05) / 12) + 2);
    const int n = (int)ceil(h * 10000);
    for (int i = 0; i < n; i++) {
        const double d = h / n, a1 = -k * cos(*angle), v1 = *rate;
        const double a2 = -k * cos(*angle + d / 2 * v1), v2 = *rate + d / 2 * a1;
        const double a3 = -k * cos(*angle + d / 2 * v2), v3 = *rate + d / 2 * a2;
        const double a4 = -k * cos(*angle + d * v3), v4 = *rate + d * a3;
        *angle += d / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        *rate += d / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
}

int main(int argc, char **argv)
{
    double cfm = NAN, h = 0.01;
    FILE *out = NULL;
    for (int option; (option = getopt(argc, argv, "c:h:o:")) != -1;) {
        if (option == 'c')
            cfm = atof(optarg);
        else if (option == 'h')
            h = atof(optarg);
        else if (option == 'o')
            out = fopen(optarg, "w");
        else
            return 2;
    }
    if (!(h > 0) || (optind < argc)) return 2;

    dInitODE2(0);
    Scene *scene = sceneFourBar();
    if (!isnan(cfm)) dWorldSetCFM(scene->world, cfm);
    const double start = sceneEnergy(scene);
    const int steps = (int)lround(10 / h);
    double worst_gap = 0, spent = 0, angle = M_PI / 4, rate = 0, worst_angle = 0, previous = angle;
    int passages = 0;
    for (int i = 0; i < steps; i++) {
        const double before = seconds();
        dWorldStep(scene->world, h);
        spent += seconds() - before;
        const double gap = sceneGap(scene), now = sceneFourBarAngle(scene);
        if (gap > worst_gap) worst_gap = gap;
        if (sin(previous) * sin(now) < 0) passages++; /* through the line, at angle 0 or pi */
        previous = now;
        reference(&angle, &rate, h);
        const double error = fabs(remainder(now - angle, 2 * M_PI));
        if (error > worst_angle) worst_angle = error;
        if (out) fprintf(out, "%.6g %.6e %.9g\n", (i + 1) * h, gap, sceneEnergy(scene));
    }
    printf("steps %d\npassages %d\ngap %.3e\nloss %.4g\nof %.4g\nangle_error %.3g\nmicroseconds %.3g\n", steps,
           passages, worst_gap, start - sceneEnergy(scene), start, worst_angle, 1e6 * spent / steps);
    if (out) fclose(out);
    sceneDestroy(scene);
    dCloseODE();
    return 0;
}
