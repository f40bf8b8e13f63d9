/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/single.h: a served copy of ODE of single precision (dReal is float). The library is compiled for double
 * precision: ukOde then contains functions of double arguments and results, which convert and call the copy's.
 *
 * The interposed functions are compiled for double precision, too. A float argument is the lower half of the register
 * that a double one has (x86-64, arm64), so that they pass their arguments on unread to copies that are not served, and
 * convert those of the served one: UKODE_GIVEN. */
#ifndef UKODE_BRIDGE_ODE_SINGLE_H
#define UKODE_BRIDGE_ODE_SINGLE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "bridge/ode/ode.h"

/* `served`, `own`: ukOdeFunctions; of served, those with real numbers become functions of double precision that call
 * own's, which is copied. */
void ukSingleServe(void *served, const void *own);
/* Whether that is possible: with registers as above, and headers of ODE that have both precisions. */
bool ukSingleServes(void);

/* ---- arguments of the program ---------------------------------------------------------------------------------- */

/* dMass, dContact of the program: `given` in single precision, `mass`, `contact` in double. */
void ukSingleMass(const void *given, void *mass);
void ukSingleContact(const void *given, void *contact);

/* a real argument as received */
static inline double ukSingleArgument(double received)
{
    float x;
    memcpy(&x, &received, sizeof x);
    return x;
}

/* a real result as it is to be returned */
static inline double ukSingleResult(double x)
{
    const float rounded = (float)x;
    double returned = 0;
    memcpy(&returned, &rounded, sizeof rounded);
    return returned;
}

/* x[i] of an array of the program */
static inline double ukSingleElement(const double *x, size_t i)
{
    if (!ukOdeSingle) return x[i];
    float element;
    memcpy(&element, (const char *)x + i * sizeof element, sizeof element);
    return element;
}

/* The first n of an array of the program are set. */
static inline void ukSingleReturn(double *result, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        const float rounded = (float)x[i];
        if (ukOdeSingle)
            memcpy((char *)result + (size_t)i * sizeof rounded, &rounded, sizeof rounded);
        else
            result[i] = x[i];
    }
}

/* In an interposed function: its real arguments, if its call belongs to a served copy of single precision. */
#define UKODE_GIVEN(ode, ...)                                                                                          \
    do {                                                                                                               \
        if (ukOdeSingle && (ode) == &ukOde) {                                                                          \
            double *const given[] = {__VA_ARGS__};                                                                     \
            for (size_t i_ = 0; i_ < sizeof given / sizeof *given; i_++) *given[i_] = ukSingleArgument(*given[i_]);    \
        }                                                                                                              \
    } while (0)

#endif
