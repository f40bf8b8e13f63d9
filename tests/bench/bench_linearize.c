/* SPDX-License-Identifier: BSD-3-Clause */
/* One linearization, and steps, of a scene of demos/scenes.h, to be counted by valgrind --tool=callgrind with
 * --toggle-collect=ukWorldLinearizeSized or ukDriveStep.
 *
 *     bench_linearize SCENE:N STEPS [operator]
 *
 * The scene takes STEPS steps of 1 ms before and 10 after the linearization, which has three inputs: forces in z on
 * the first body and on those at one and two thirds of their number. With `operator`, no matrices are formed: ten
 * products with A and ten with B of a linear operator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/analysis.h>
#include <ukode/ukode.h>

#include "demos/scenes.h"

enum { Inputs = 3, Steps = 10 };

static int multiplyOperator(dWorldID world, const ukSignal *in)
{
    const ukLinearOperatorID a = ukLinearOperatorCreate(world, in, Inputs);
    const int numbers = 12 * ukWorldGetBodyCount(world);
    double *const x = calloc(2 * (size_t)numbers, sizeof *x), u[Inputs] = {1, 2, 3};
    for (int i = 0; x && i < numbers; i++) x[i] = (i * 7919) % 101 - 50;
    for (int i = 0; a && x && i < Steps; i++) ukLinearOperatorApply(a, 0, x, x + numbers);
    for (int i = 0; a && x && i < Steps; i++) ukLinearOperatorApplyInputs(a, 0, u, x + numbers);
    ukLinearOperatorDestroy(a);
    free(x);
    return a ? ukOk : ukGetLastError();
}

int main(int argc, char **argv)
{
    char name[32];
    int n, status;
    if (argc < 3 || sscanf(argv[1], "%31[^:]:%d", name, &n) != 2) return 2;
    dInitODE2(0);
    Scene *const s = sceneByName(name, n);
    if (!s) return 2;
    ukWorldEnable(s->world);
    for (int i = 0; i < atoi(argv[2]); i++) ukWorldStep(s->world, 1e-3);
    const int bodies = ukWorldGetBodyCount(s->world);
    ukSignal in[Inputs];
    for (int i = 0; i < Inputs; i++)
        in[i] = (ukSignal){.kind = ukSignalBodyForce, .body = ukWorldGetBody(s->world, i * bodies / Inputs), .axis = 2};
    ukLinearization l = {0};
    if (argc > 3 && strcmp(argv[3], "operator") == 0) {
        status = multiplyOperator(s->world, in);
    } else {
        status = ukWorldLinearize(s->world, in, Inputs, NULL, 0, 0, &l);
    }
    if (status != ukOk)
        fprintf(stderr, "%s\n", ukGetLastErrorMessage());
    else
        printf("%d bodies, %d positions, rank %d, %d redundant, error %.1g\n", l.bodies, l.positions, l.rank,
               l.redundant, l.error);
    for (int i = 0; i < Steps; i++) ukWorldStep(s->world, 1e-3);
    sceneDestroy(s);
    dCloseODE();
    return status != ukOk;
}
