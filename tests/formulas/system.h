/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/system.h: random constrained systems whose solution is known in closed form. M = S^2 and A = F R of
 * full rank r in both factors are drawn; with them, in extended precision and without singular values,
 *
 *      A_M^+ = M^-1 R' (R M^-1 R')^-1 (F'F)^-1 F',    M^1/2 = S.
 *
 * Nothing here calls the library. */
#ifndef UKODE_TESTS_FORMULAS_SYSTEM_H
#define UKODE_TESTS_FORMULAS_SYSTEM_H

#include <stdbool.h>
#include <ukode/formulas.h>

enum { most = 24, square = most * most };

typedef struct System {
    int n, m, rank;
    double S[square], Si[square], M[square], Mi[square]; /* M^1/2, M^-1/2, M, M^-1 */
    double A[square], b[most], Q[most], C[most];
    double X[square], P[square];       /* A_M^+, I - A_M^+ A */
    double B[square], Bp[square];      /* A M^-1/2, its Moore-Penrose inverse */
    double Ap[square];                 /* A^+ */
    double a[most], c[most], as[most]; /* M^-1 Q, M^-1 C, M^-1/2 (Q + C) */
    double qdd[most], Qi[most], Qni[most];
    double y[most], v[most];              /* any vector, P y */
    double qhat[most];                    /* a possible acceleration, not the actual one */
    double U[square], W[square], w[most]; /* arbitrary (n x m), (n x n), (n) */
    ukFormulaSystem s;
} System;

/* the trial-th system: 3 <= n <= 8, 1 <= m <= 9, 0 < rank < n, rank = m where independent */
void makeSystem(int trial, bool independent, System *y);

double uniform(double lo, double hi); /* of the same sequence */
void vectorOf(double *x, int n);      /* uniform in [-1, 1] */

/* ---- plain matrices, row-major */
void mul(int r, int k, int c, const double *X, const double *Y, double *Z);  /* Z = X Y */
void tmul(int r, int k, int c, const double *X, const double *Y, double *Z); /* Z = X' Y, X (k x r) */
void transpose(int r, int c, const double *X, double *Y);                    /* Y (c x r) = X' */
void axpy(int n, double factor, const double *x, double *y);
double dot(int n, const double *x, const double *y);
double over(int n, const double *x, const double *Y, const double *y); /* x' Y y */
double norm(int n, const double *x);
double trace(int n, const double *X);
bool inverse(int n, const double *X, double *Y); /* in extended precision */
void identity(int n, double *X);

/* |X - Y| <= 1e-9 (|X| + |Y| + size) */
bool sameFrom(const double *X, const double *Y, int count, double size, const char *what, const char *file, int line);
#define SAME(X, Y, count) sameFrom((X), (Y), (count), 0, #X " = " #Y, __FILE__, __LINE__)
#define SAME_WITHIN(X, Y, count, size) sameFrom((X), (Y), (count), (size), #X " = " #Y, __FILE__, __LINE__)
#define ZERO(X, count, size) sameFrom((X), NULL, (count), (size), #X " = 0", __FILE__, __LINE__)

#endif
