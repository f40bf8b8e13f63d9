/* SPDX-License-Identifier: BSD-3-Clause */
/* <ukode/status.h>: the status codes of the whole project. 0 is success, negative an error; expected outcomes (rank,
 * pivots, iterations) are results, never statuses. Their texts are in bridge/base/log.c, for ukGetErrorString and the
 * log.
 *
 * <ukode/ukode.h> includes it. The file is solvers/base/status.h, because solvers/ does not depend on the rest;
 * plugin/include/ukode/status.h is a link to it. */
#ifndef UKODE_SOLVERS_BASE_STATUS_H
#define UKODE_SOLVERS_BASE_STATUS_H

/** Return value of a function: 0, or the reason of its failure. */
enum ukStatus {
    ukOk = 0,                   /* success */
    ukErrorArgument = -1,       /* null or out-of-range argument */
    ukErrorHandle = -2,         /* a world, body, joint or constraint that does not exist (any more) */
    ukErrorStepsize = -3,       /* step size not finite or not > 0 */
    ukErrorNotFinite = -4,      /* NaN or infinity in the state, the forces or a joint's parameters */
    ukErrorMass = -5,           /* a mass matrix that is not positive definite */
    ukErrorSingular = -6,       /* a system that the chosen solver cannot take (rank deficient) */
    ukErrorMemory = -7,         /* no memory, or scratch too small */
    ukErrorLapack = -8,         /* LAPACK reported a failure, or is not there */
    ukErrorNotConverged = -9,   /* an iteration hit its bound above the tolerance */
    ukErrorCheck = -10,         /* the Gauss check rejected the step */
    ukErrorUnsupported = -11,   /* something this version does not compute; ODE's own step can */
    ukErrorChanged = -12,       /* world, body or joint destroyed or re-attached inside a callback of the step */
    ukErrorCallback = -13,      /* a user's function returned non-zero or wrote NaN */
    ukErrorContradiction = -14, /* constraints that contradict each other */
    ukErrorParameter = -15,     /* a joint parameter without meaning (lo > hi, NaN, infinite force) */
    ukErrorBudget = -16         /* the step's work budget is spent (ukWorldSetBudget) */
};

#endif
