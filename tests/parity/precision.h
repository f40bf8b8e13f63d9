/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/parity/precision.h: how well a step of ukode and one of ODE agree: in the two precisions of ODE. tests/forks
 * compiles the programs of this folder in single precision. */
#ifndef UKODE_TESTS_PARITY_PRECISION_H
#define UKODE_TESTS_PARITY_PRECISION_H

#include <ode/ode.h>

#ifdef dIDESINGLE
#define PARITY_AGREES 1e-4  /* relative difference of motions and reactions, */
#define PARITY_BOUNDED 1e-4 /* with active inequalities */
#define PARITY_NUDGE 1e-6   /* a change of states to find out what rounding does to ODE's step; floats round at 6e-8 */
#define PARITY_CFM 1e-5     /* dWorldGetCFM of a new world; ODE solves nothing with less */
#define PARITY_LEAST_CFM 1e-5
#define PARITY_ROWS 0    /* whether rows and records of joints can be read; */
#define PARITY_STEP 1e-4 /* agreement of a step with one that their rows give */
#define PARITY_ILL 0.06  /* largest share of worlds in which ODE's own step rounds to more than PARITY_AGREES */
#else
#define PARITY_AGREES 1e-8
#define PARITY_BOUNDED 1e-6
#define PARITY_NUDGE 1e-13
#define PARITY_CFM 1e-10
#define PARITY_LEAST_CFM 1e-6
#define PARITY_ROWS 1
#define PARITY_STEP 1e-9
#define PARITY_ILL 0.005
#endif

#endif
