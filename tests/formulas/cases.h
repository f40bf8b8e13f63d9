/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/cases.h: one case an equation, by the name that docs/formulas.md gives it. */
#ifndef UKODE_TESTS_FORMULAS_CASES_H
#define UKODE_TESTS_FORMULAS_CASES_H

#include "tests/check.h"
#include "tests/formulas/system.h"

typedef struct Case {
    const char *name;
    void (*on)(const System *y); /* on every random system; independent rows where the name is followed by a + */
    void (*once)(void);          /* an example */
    bool independent;
} Case;

extern const Case cases_1994[], cases_1997[], cases_1997_sphere[], cases_2000[], cases_2004[], cases_2006[],
    cases_sicm[], cases_library[]; /* up to NULL */

#define OK(call) CHECK((call) == 0)

/* A and b of two constraints of three coordinates, by ukFormulaDifferentiate and in closed form (constraints.c):
 * phi(q, t) = q0^2 + q1^2 + q2^2 - (1 + t/2)^2, psi(q, v, t) = v0 v1 - q2 v2 + sin t */
typedef struct Constrained {
    double t, q[3], v[3];
    double A[6], b[2];               /* by differences */
    double A_closed[6], b_closed[2]; /* in closed form */
    double linear_A[3], linear_b[1]; /* of psi = t v0 + q1 v1 - q0 v2 - t^2, which is linear in v, by differences */
    double linear_A_closed[3], linear_b_closed[1];
} Constrained;
void constrain(Constrained *c);
double positionError(const double *q, double t); /* phi */

#endif
