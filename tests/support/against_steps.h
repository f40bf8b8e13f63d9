/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/against_steps.h: the continuous linearization of a world against the linearizations of its steps (whose
 * matrices are differences of steps that are taken), as the step size goes to zero: (A_h - 1)/h -> A, B_h/h -> B. Steps
 * have coordinates of joints alone; the directions of the continuous linearization are among them. */
#ifndef UKODE_TESTS_SUPPORT_AGAINST_STEPS_H
#define UKODE_TESTS_SUPPORT_AGAINST_STEPS_H

#include <stdbool.h>
#include <ukode/analysis.h>

typedef struct AgainstSteps {
    int status;      /* of the first call that failed */
    double off;      /* the largest difference of an entry of A or B, relative to the largest of its matrix */
    double expected; /* the error of the extrapolated steps and the reported errors, the same */
} AgainstSteps;

/* inputs: at most 8 body forces or joint forces. h: the largest step size, relative to 1/|A|, 0.02 if 0. */
AgainstSteps againstSteps(dWorldID w, const ukSignal *in, int inputs, double h);

/* Whether off <= expected and expected <= enough, which is checked; `name` is printed otherwise. */
bool checkAgainstSteps(dWorldID w, const ukSignal *in, int inputs, double enough, const char *name);

#endif
