/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/cases_library.c: what every function promises: statuses, and outputs that stay as they are. */
#include "tests/formulas/cases.h"

#include <string.h>
#include <ukode/status.h>

enum { kept = 7 };
static double out[4][4 * 24 * 24];

static void fill(void)
{
    for (int k = 0; k < 4; k++)
        for (size_t i = 0; i < sizeof out[k] / sizeof *out[k]; i++) out[k][i] = kept;
}

static bool untouched(void)
{
    for (int k = 0; k < 4; k++)
        for (size_t i = 0; i < sizeof out[k] / sizeof *out[k]; i++)
            if (out[k][i] != kept) return false;
    return true;
}

/* every function of a system, by number, with outputs in `out`; -100: no more */
static int call(int which, const ukFormulaSystem *s, const double *in)
{
    double *const a = out[0], *const b = out[1], *const c = out[2];
    switch (which) {
    case 0: return ukFormulaFree(s, a, b);
    case 1: return ukFormulaScaled(s, a, b);
    case 2: return ukFormulaVirtual(s, in, a);
    case 3: return ukFormulaPossible(s, in, a);
    case 4: return ukFormulaMInverse(s, a, b);
    case 5: return ukFormulaMDecomposition(s, a, b, c, NULL);
    case 6: return ukFormulaAcceleration(s, a);
    case 7: return ukFormulaDeviation(s, NULL, a, b);
    case 8: return ukFormulaForces(s, a, b);
    case 9: return ukFormulaOneFourAcceleration(s, NULL, a);
    case 10: return ukFormulaOneFourMomentum(s, NULL, a);
    case 11: return ukFormulaOneFourForces(s, NULL, a, b);
    case 12: return ukFormulaOneFourR(s, NULL, a);
    case 13: return ukFormulaGaussian(s, in, a);
    case 14: return ukFormulaGaussianNonIdeal(s, in, a);
    case 15: return ukFormulaMeasure(s, in, a, b);
    case 16: return ukFormulaExcess(s, in, a);
    case 17: return ukFormulaNullBasis(s, a, NULL);
    case 18: return ukFormulaExtended(s, a, b, c);
    case 19: return ukFormulaExtendedAcceleration(s, a);
    case 20: return ukFormulaExtendedForce(s, a);
    case 21: return ukFormulaExtendedSystem(s, a, b, NULL);
    case 22: return ukFormulaExtendedNormal(s, NULL, a, b);
    case 23: return ukFormulaExtendedInverse(s, a, b, c);
    case 24: return ukFormulaExtendedWeighted(s, NULL, a, b, c);
    case 25: return ukFormulaQuadratic(s, NULL, a, b);
    case 26: return ukFormulaQuadraticAcceleration(s, NULL, a);
    case 27: return ukFormulaControlForce(s, NULL, a);
    case 28: return ukFormulaMultipliers(s, in, a);
    case 29: return ukFormulaLagrange(s, a, b);
    case 30: return ukFormulaVakonomic(s, in, in, a, b);
    case 31: return ukFormulaSingularAcceleration(s, a, b);
    case 32: return ukFormulaUndetermined(s, a, NULL);
    default: return -100;
    }
}

/* all of them say `status` of s, and write nothing */
static void all(const ukFormulaSystem *s, const double *in, int status)
{
    fill();
    for (int which = 0; call(which, s, in) != -100; which++)
        if (!CHECK(call(which, s, in) == status)) printf("  function %d: %d\n", which, call(which, s, in));
    CHECK(untouched());
}

static void arguments(const System *y)
{
    ukFormulaSystem s = y->s;
    all(NULL, y->W, ukErrorArgument);
    s.n = 0, all(&s, y->W, ukErrorArgument), s = y->s;
    s.m = -1, all(&s, y->W, ukErrorArgument), s = y->s;
    s.M = NULL, all(&s, y->W, ukErrorArgument), s = y->s;
    s.A = NULL, all(&s, y->W, ukErrorArgument), s = y->s;
    s.b = NULL, all(&s, y->W, ukErrorArgument), s = y->s;
    s.tolerance = -1, all(&s, y->W, ukErrorArgument);
    s.tolerance = NAN, all(&s, y->W, ukErrorArgument);
    CHECK(ukFormulaVirtual(&y->s, NULL, out[0]) == ukErrorArgument);
    CHECK(ukFormulaAcceleration(&y->s, NULL) == ukErrorArgument);
    CHECK(ukFormulaForces(&y->s, out[0], NULL) == ukErrorArgument);
    CHECK(ukFormulaMeasure(&y->s, NULL, out[0], NULL) == ukErrorArgument);
    CHECK(ukFormulaRoot(0, y->M, out[0], NULL) == ukErrorArgument);
    CHECK(ukFormulaPseudoinverse(2, 2, NULL, 0, out[0]) == ukErrorArgument);
    CHECK(ukFormulaPseudoinverse(2, 2, y->A, 2, out[0]) == ukErrorArgument);
    CHECK(ukFormulaInner(2, y->Q, NULL, y->Q, out[0]) == ukErrorArgument);
    CHECK(untouched());
}

static void notFinite(const System *y)
{
    static System bad;
    double *const where[] = {bad.M, bad.A, bad.b, bad.Q, bad.C};
    for (int k = 0; k < 5; k++)
        for (int inf = 0; inf < 2; inf++) {
            bad = *y;
            bad.s.M = bad.M, bad.s.A = bad.A, bad.s.b = bad.b, bad.s.Q = bad.Q, bad.s.C = bad.C;
            where[k][0] = inf ? INFINITY : NAN;
            all(&bad.s, y->W, ukErrorNotFinite);
        }
    double in[square];
    memcpy(in, y->W, sizeof in);
    in[0] = NAN;
    CHECK(ukFormulaVirtual(&y->s, in, out[0]) == ukErrorNotFinite);
    CHECK(ukFormulaPossible(&y->s, in, out[0]) == ukErrorNotFinite);
    CHECK(ukFormulaGaussian(&y->s, in, out[0]) == ukErrorNotFinite);
    CHECK(ukFormulaOneFourAcceleration(&y->s, in, out[0]) == ukErrorNotFinite);
    CHECK(ukFormulaQuadraticAcceleration(&y->s, &(ukFormulaChoice){in, NULL, NULL}, out[0]) == ukErrorNotFinite);
    CHECK(ukFormulaQuadraticAcceleration(&y->s, &(ukFormulaChoice){NULL, in, NULL}, out[0]) == ukErrorNotFinite);
    CHECK(ukFormulaQuadraticAcceleration(&y->s, &(ukFormulaChoice){NULL, NULL, in}, out[0]) == ukErrorNotFinite);
    CHECK(ukFormulaExtendedWeighted(&y->s, in, out[0], NULL, NULL) == ukErrorNotFinite);
    CHECK(ukFormulaMultipliers(&y->s, in, out[0]) == ukErrorNotFinite);
    CHECK(ukFormulaVakonomic(&y->s, in, y->W, out[0], NULL) == ukErrorNotFinite);
    CHECK(ukFormulaPseudoinverse(1, 2, in, 0, out[0]) == ukErrorNotFinite);
    CHECK(untouched());
}

/* not symmetric, not positive definite */
static void masses(const System *y)
{
    static System bad;
    bad = *y;
    bad.s.M = bad.M;
    bad.M[1] += 0.5;
    all(&bad.s, y->W, ukErrorMass);
    bad.M[1] -= 0.5;
    bad.M[0] = -1;
    all(&bad.s, y->W, ukErrorMass);
    CHECK(ukFormulaRoot(y->n, bad.M, out[3], NULL) == ukErrorMass && out[3][0] == kept);
}

/* M >= 0 where A holds what has no mass, and where it does not */
static void massless(void)
{
    const double M[] = {1, 0, 0, 0}, A[] = {1, -1}, no[] = {1, 0}, b[] = {0}, K[] = {0, 0}, Q[] = {3, 0};
    ukFormulaSystem s = {.n = 2, .m = 1, .M = M, .A = A, .b = b, .Q = Q};
    fill();
    CHECK(ukFormulaAcceleration(&s, out[0]) == ukErrorMass);
    s.A = no;
    CHECK(ukFormulaLagrange(&s, out[0], out[1]) == ukErrorSingular);
    CHECK(ukFormulaVakonomic(&s, K, b, out[0], out[1]) == ukErrorSingular);
    CHECK(untouched());
    CHECK(ukFormulaSingularAcceleration(&s, out[0], out[1]) == ukErrorSingular && untouched());
    s.A = A;
    OK(ukFormulaLagrange(&s, out[0], out[1]));
    CHECK_NEAR(out[0][0], 3, 1e-14);
    CHECK_NEAR(out[0][1], 3, 1e-14);
    CHECK_NEAR(out[1][0], 0, 1e-14);
}

/* dependent rows: the formulas with multipliers refuse them, the others do not */
static void dependent(const System *y)
{
    if (y->rank == y->m) return;
    fill();
    CHECK(ukFormulaMultipliers(&y->s, y->Q, out[0]) == ukErrorSingular);
    CHECK(ukFormulaLagrange(&y->s, out[0], out[1]) == ukErrorSingular);
    CHECK(ukFormulaVakonomic(&y->s, y->W, y->W, out[0], out[1]) == ukErrorSingular);
    double W[24 * 24] = {0};
    CHECK(ukFormulaExtendedWeighted(&y->s, W, out[0], out[1], out[2]) == ukErrorSingular); /* W = 0 */
    CHECK(untouched());
    for (int which = 0; which < 28; which++) CHECK(call(which, &y->s, y->qhat) == 0);
}

/* no rows at all: every formula is that of the free system; no C, no Q */
static void free_(const System *y)
{
    ukFormulaSystem s = {.n = y->n, .M = y->M, .Q = y->Q};
    for (int which = 0; call(which, &s, y->W) != -100; which++) CHECK(call(which, &s, y->W) == 0);
    OK(ukFormulaAcceleration(&s, out[0]));
    SAME(out[0], y->a, y->n);
    OK(ukFormulaExtendedAcceleration(&s, out[0]));
    SAME(out[0], y->a, y->n);
    s.Q = NULL;
    OK(ukFormulaOneFourAcceleration(&s, NULL, out[0]));
    for (int i = 0; i < y->n; i++) CHECK_NEAR(out[0][i], 0, 0);
}

/* a larger tolerance takes a weak row out */
static void tolerance(void)
{
    const double M[] = {1, 0, 0, 1}, A[] = {1, 0, 0, 1e-6}, b[] = {1, 1e-6}, Q[] = {0, 0};
    ukFormulaSystem s = {.n = 2, .m = 2, .M = M, .A = A, .b = b, .Q = Q};
    OK(ukFormulaAcceleration(&s, out[0]));
    CHECK_NEAR(out[0][1], 1, 1e-9);
    s.tolerance = 1e-5;
    OK(ukFormulaAcceleration(&s, out[0]));
    CHECK_NEAR(out[0][1], 0, 1e-15);
    OK(ukFormulaQuadraticAcceleration(&s, NULL, out[0]));
    CHECK_NEAR(out[0][1], 0, 1e-15);
    int rank = 0;
    OK(ukFormulaNullBasis(&s, out[0], &rank));
    CHECK(rank == 1);
}

/* heavy and light bodies: M^1/2 qdd is right to rounding, so the heavy one's part to rounding times M's
 * condition^1/2 */
static void ratios(void)
{
    const double big = 1e8, M[] = {big, 0, 0, 1}, A[] = {1, -1}, b[] = {1}, Q[] = {0, 0};
    const ukFormulaSystem s = {.n = 2, .m = 1, .M = M, .A = A, .b = b, .Q = Q};
    OK(ukFormulaAcceleration(&s, out[0]));
    CHECK_NEAR(out[0][0] * big, 1 / (1 + 1 / big), 1e-11);
    CHECK_NEAR(out[0][1], -1 / (1 + 1 / big), 1e-15);
}

static int failing(const ukFormulaState *s, double *value, void *data)
{
    (void)s, (void)value;
    return --*(int *)data < 0;
}

static void callbacks(void)
{
    const double q[] = {1, 2}, v[] = {3, 4};
    const ukFormulaState s = {.n = 2, .q = q, .v = v};
    fill();
    for (int after = 0; after < 10; after++) {
        int left = after;
        CHECK(ukFormulaDifferentiate(&s, 1, 0, failing, &left, out[0], out[1]) == ukErrorCallback);
    }
    CHECK(ukFormulaDifferentiate(&s, 1, 0, NULL, NULL, out[0], out[1]) == ukErrorArgument);
    CHECK(ukFormulaDifferentiate(NULL, 1, 0, failing, NULL, out[0], out[1]) == ukErrorArgument);
    CHECK(untouched());
    for (int status = 0; status > -9; status--) CHECK(strlen(ukFormulaErrorString(status)) > 4);
    CHECK(strcmp(ukFormulaErrorString(ukErrorMass), ukFormulaErrorString(ukErrorSingular)) != 0);
}

const Case cases_library[] = {
    {.name = "library/arguments", .on = arguments},
    {.name = "library/not-finite", .on = notFinite, .independent = true},
    {.name = "library/masses", .on = masses, .independent = true},
    {.name = "library/massless", .once = massless},
    {.name = "library/dependent", .on = dependent},
    {.name = "library/free", .on = free_},
    {.name = "library/tolerance", .once = tolerance},
    {.name = "library/ratios", .once = ratios},
    {.name = "library/callbacks", .once = callbacks},
    {.name = NULL},
};
