/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/bounded_oracle.h: random bounded problems, and what checks their solutions without the solver's code:
 * dense K = A M^-1 A' + S, enumeration of all sets, projected Gauss-Seidel, and the conditions one by one. */
#ifndef UKODE_TESTS_BOUNDED_ORACLE_H
#define UKODE_TESTS_BOUNDED_ORACLE_H

#include "random_system.h"
#include "solvers/bounded/friction_law.h"

enum { ukOracleBodies = 12, ukOracleBlocks = 24, ukOracleRows = 96 };

typedef struct ukOracleProblem {
    ukProblem p;
    double mass[ukOracleBodies], inertia[9 * ukOracleBodies], inverse[9 * ukOracleBodies];
    double Q[6 * ukOracleBodies], C[6 * ukOracleBodies];
    ukBlock block[ukOracleBlocks];
    int body[2 * ukOracleBlocks], normal[ukOracleRows];
    unsigned char cone[ukOracleRows];
    double A[12 * ukOracleRows], b[ukOracleRows], softness[ukOracleRows], lo[ukOracleRows], hi[ukOracleRows];
    size_t used;
    /* dense, of ukOracleDense */
    double full[ukOracleRows * 6 * ukOracleBodies], K[ukOracleRows * ukOracleRows], r[ukOracleRows];
} ukOracleProblem;

/* Bodies with random masses, rotated inertias, forces; no rows yet. */
void ukOracleBegin(ukOracleProblem *s, ukRandom *random, int bodies);
/* A block on bodies a and b (-1: one slot only); rows follow through ukOracleRow. */
void ukOracleBlock(ukOracleProblem *s, int a, int b);
/* A row of the last block; J: 12 coefficients, or 6. Returns its index. */
int ukOracleRow(ukOracleProblem *s, const double *J, double b, double softness, double lo, double hi, int normal);
/* Random blocks of equalities, stops, force-limited motors, contacts (normal and friction rows, cone marked; rolling).
 */
void ukOracleFill(ukOracleProblem *s, ukRandom *random, int rows, double softness_lo, double softness_hi,
                  bool friction);
/* Random blocks of two or three rows that share a constant bound. */
void ukOracleDiscs(ukOracleProblem *s, ukRandom *random, int blocks, double softness);
/* dense A, K and r = b - A a */
void ukOracleDense(ukOracleProblem *s);

/* lambda by projected Gauss-Seidel on K; lo, hi (rows) constant, or with `follow` those of p, friction following the
 * normal forces. Returns the last change. */
double ukOracleSweep(const ukOracleProblem *s, const double *lo, const double *hi, bool follow, double *lambda);
/* lambda by trying every assignment of rows to lo, between, hi; false when none fits. */
bool ukOracleEnumerate(const ukOracleProblem *s, const double *lo, const double *hi, double *lambda);
/* Largest violation of M qdd = Q + C + A' lambda [force], bounds [force] and signs of w [acceleration], each relative
 * to the largest force or acceleration in the problem. lo, hi: in force. */
double ukOracleViolation(const ukOracleProblem *s, const double *qdd, const double *lambda, const double *lo,
                         const double *hi, bool cones);

#endif
