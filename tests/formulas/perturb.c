/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/perturb.c: every function of the library in a wrapper (ld --wrap) that makes a chosen output wrong by
 * 0.1 %. UKODE_PERTURB=FUNCTION:OUTPUT:HOW, HOW `all`: every number of it, `largest`: the largest one. Without the
 * variable the wrappers change nothing. tests/formulas/perturbed.py runs the tests so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ukode/formulas.h>

static int least(const ukFormulaSystem *s)
{
    return s->m < s->n ? s->m : s->n;
}

static void perturb(const char *function, const char *output, double *x, int count)
{
    const char *const wanted = getenv("UKODE_PERTURB");
    char name[100];
    if (!wanted || !x || count == 0) return;
    const int length = snprintf(name, sizeof name, "%s:%s:", function, output);
    if (strncmp(wanted, name, (size_t)length) != 0) return;
    int largest = 0;
    for (int i = 0; i < count; i++)
        if (fabs(x[i]) > fabs(x[largest])) largest = i;
    for (int i = 0; i < count; i++)
        if (wanted[length] == 'a' || i == largest) x[i] *= 1.001;
}

#define WRAP(name, parameters, arguments, outputs)                                                                     \
    int __real_##name parameters;                                                                                      \
    int __wrap_##name parameters;                                                                                      \
    int __wrap_##name parameters                                                                                       \
    {                                                                                                                  \
        const char *const function = #name;                                                                            \
        const int status = __real_##name arguments;                                                                    \
        if (status == 0) {                                                                                             \
            outputs                                                                                                    \
        }                                                                                                              \
        return status;                                                                                                 \
    }
#define OUT(x, count) perturb(function, #x, x, count);

WRAP(ukFormulaRoot, (int n, const double *M, double *root, double *inverse_root), (n, M, root, inverse_root),
     OUT(root, n *n) OUT(inverse_root, n *n))
WRAP(ukFormulaPseudoinverse, (int m, int n, const double *A, double tolerance, double *X), (m, n, A, tolerance, X),
     OUT(X, n *m))
WRAP(ukFormulaGInverse, (int m, int n, const double *A, const double *U, double tolerance, double *X),
     (m, n, A, U, tolerance, X), OUT(X, n *m))
WRAP(ukFormulaLeastSquaresInverse, (int m, int n, const double *H, const double *U, double tolerance, double *X),
     (m, n, H, U, tolerance, X), OUT(X, n *m))
WRAP(ukFormulaOneFourInverse, (int m, int n, const double *B, const double *U, double tolerance, double *X),
     (m, n, B, U, tolerance, X), OUT(X, n *m))
WRAP(ukFormulaInner, (int n, const double *x, const double *Y, const double *y, double *value), (n, x, Y, y, value),
     OUT(value, 1))
WRAP(ukFormulaFree, (const ukFormulaSystem *s, double *a, double *c), (s, a, c), OUT(a, s->n) OUT(c, s->n))
WRAP(ukFormulaScaled, (const ukFormulaSystem *s, double *B, double *as), (s, B, as), OUT(B, s->m * s->n) OUT(as, s->n))
WRAP(ukFormulaVirtual, (const ukFormulaSystem *s, const double *y, double *v), (s, y, v), OUT(v, s->n))
WRAP(ukFormulaPossible, (const ukFormulaSystem *s, const double *y, double *qhat), (s, y, qhat), OUT(qhat, s->n))
WRAP(ukFormulaMInverse, (const ukFormulaSystem *s, double *X, double *P), (s, X, P),
     OUT(X, s->n * s->m) OUT(P, s->n * s->n))
WRAP(ukFormulaMDecomposition, (const ukFormulaSystem *s, double *W, double *lambda, double *V, int *rank),
     (s, W, lambda, V, rank), OUT(W, s->m *least(s)) OUT(lambda, least(s)) OUT(V, s->n *least(s)))
WRAP(ukFormulaAcceleration, (const ukFormulaSystem *s, double *qdd), (s, qdd), OUT(qdd, s->n))
WRAP(ukFormulaDeviation, (const ukFormulaSystem *s, const double *z, double *first, double *second),
     (s, z, first, second), OUT(first, s->n) OUT(second, s->n))
WRAP(ukFormulaForces, (const ukFormulaSystem *s, double *Qi, double *Qni), (s, Qi, Qni), OUT(Qi, s->n) OUT(Qni, s->n))
WRAP(ukFormulaOneFourAcceleration, (const ukFormulaSystem *s, const double *U, double *qdd), (s, U, qdd),
     OUT(qdd, s->n))
WRAP(ukFormulaOneFourMomentum, (const ukFormulaSystem *s, const double *U, double *force), (s, U, force),
     OUT(force, s->n))
WRAP(ukFormulaOneFourForces, (const ukFormulaSystem *s, const double *U, double *Qi, double *Qni), (s, U, Qi, Qni),
     OUT(Qi, s->n) OUT(Qni, s->n))
WRAP(ukFormulaOneFourR, (const ukFormulaSystem *s, const double *U, double *r), (s, U, r), OUT(r, s->n))
WRAP(ukFormulaGaussian, (const ukFormulaSystem *s, const double *qhat, double *G), (s, qhat, G), OUT(G, 1))
WRAP(ukFormulaGaussianNonIdeal, (const ukFormulaSystem *s, const double *qhat, double *G), (s, qhat, G), OUT(G, 1))
WRAP(ukFormulaMeasure, (const ukFormulaSystem *s, const double *Qc, double *Gi, double *Gni), (s, Qc, Gi, Gni),
     OUT(Gi, 1) OUT(Gni, 1))
WRAP(ukFormulaExcess, (const ukFormulaSystem *s, const double *qhat, double *excess), (s, qhat, excess), OUT(excess, 1))
WRAP(ukFormulaNullBasis, (const ukFormulaSystem *s, double *V, int *rank), (s, V, rank), OUT(V, s->n * s->n))
WRAP(ukFormulaExtended, (const ukFormulaSystem *s, double *D, double *E, double *J), (s, D, E, J),
     OUT(D, s->n * s->n) OUT(E, s->n * s->n) OUT(J, s->n * s->n))
WRAP(ukFormulaExtendedAcceleration, (const ukFormulaSystem *s, double *qdd), (s, qdd), OUT(qdd, s->n))
WRAP(ukFormulaExtendedForce, (const ukFormulaSystem *s, double *force), (s, force), OUT(force, s->n))
WRAP(ukFormulaExtendedSystem, (const ukFormulaSystem *s, double *L, double *rhs, int *rows), (s, L, rhs, rows),
     OUT(L, (2 * s->n + s->m) * 2 * s->n) OUT(rhs, 2 * s->n + s->m))
WRAP(ukFormulaExtendedNormal, (const ukFormulaSystem *s, const double *W, double *G, double *g), (s, W, G, g),
     OUT(G, 4 * s->n * s->n) OUT(g, 2 * s->n))
WRAP(ukFormulaExtendedInverse, (const ukFormulaSystem *s, double *P, double *J, double *S), (s, P, J, S),
     OUT(P, s->n * s->n) OUT(J, s->n * s->n) OUT(S, s->n * s->n))
WRAP(ukFormulaExtendedWeighted, (const ukFormulaSystem *s, const double *W, double *r, double *qdd, double *force),
     (s, W, r, qdd, force), OUT(r, 2 * s->n) OUT(qdd, s->n) OUT(force, s->n))
WRAP(ukFormulaQuadratic, (const ukFormulaSystem *s, const ukFormulaChoice *choice, double *H, double *z),
     (s, choice, H, z), OUT(H, s->n * s->n) OUT(z, s->n))
WRAP(ukFormulaQuadraticAcceleration, (const ukFormulaSystem *s, const ukFormulaChoice *choice, double *qdd),
     (s, choice, qdd), OUT(qdd, s->n))
WRAP(ukFormulaControlForce, (const ukFormulaSystem *s, const ukFormulaChoice *choice, double *force),
     (s, choice, force), OUT(force, s->n))
WRAP(ukFormulaMultipliers, (const ukFormulaSystem *s, const double *force, double *lambda), (s, force, lambda),
     OUT(lambda, s->m))
WRAP(ukFormulaLagrange, (const ukFormulaSystem *s, double *qdd, double *lambda), (s, qdd, lambda),
     OUT(qdd, s->n) OUT(lambda, s->m))
WRAP(ukFormulaVakonomic, (const ukFormulaSystem *s, const double *K, const double *lambda, double *qdd, double *rate),
     (s, K, lambda, qdd, rate), OUT(qdd, s->n) OUT(rate, s->m))
WRAP(ukFormulaSingularAcceleration, (const ukFormulaSystem *s, double *qdd, double *force), (s, qdd, force),
     OUT(qdd, s->n) OUT(force, s->n))
WRAP(ukFormulaUndetermined, (const ukFormulaSystem *s, double *Y, int *count), (s, Y, count), OUT(Y, s->n * s->n))
WRAP(ukFormulaDifferentiate,
     (const ukFormulaState *state, int m, int velocities, ukFormulaConstraintFn *constraint, void *data, double *A,
      double *b),
     (state, m, velocities, constraint, data, A, b), OUT(A, m * state->n) OUT(b, m))
