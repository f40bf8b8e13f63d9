/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/random_system.h: random equations of constrained motion, dense and in blocks, from a fixed seed. */
#ifndef UKODE_TESTS_RANDOM_SYSTEM_H
#define UKODE_TESTS_RANDOM_SYSTEM_H

#include "solvers/papers/dense.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ukRandom {
    uint64_t state;
} ukRandom;

double ukRandomUniform(ukRandom *random, double lo, double hi);
int ukRandomInt(ukRandom *random, int lo, int hi);             /* both included */
double ukRandomDecade(ukRandom *random, double lo, double hi); /* 10^uniform */
void ukRandomVector(ukRandom *random, double scale, double *x, int n);

enum { ukRandomMaxN = 24, ukRandomMaxM = 24 };

typedef struct ukRandomDense {
    ukDense p;
    int rank; /* of A, by construction */
    double M[ukRandomMaxN * ukRandomMaxN], Q[ukRandomMaxN], C[ukRandomMaxN], A[ukRandomMaxM * ukRandomMaxN],
        b[ukRandomMaxM], D[ukRandomMaxM];
} ukRandomDense;

/* n <= 12, m <= 14, any rank, M of condition up to 1e6; b = A x for some x where consistent. D is filled, p.D is NULL.
 */
void ukRandomDenseMake(ukRandomDense *s, ukRandom *random, bool consistent);

enum { ukRandomMaxBodies = 6, ukRandomMaxBlocks = 8, ukRandomMaxRows = 96 };

typedef struct ukRandomBlocks {
    ukProblem p;
    double mass[ukRandomMaxBodies], inertia[9 * ukRandomMaxBodies], inverse[9 * ukRandomMaxBodies];
    double Q[6 * ukRandomMaxBodies], C[6 * ukRandomMaxBodies];
    ukBlock block[ukRandomMaxBlocks];
    int body[3 * ukRandomMaxBlocks], normal[ukRandomMaxRows];
    double A[18 * ukRandomMaxRows], b[ukRandomMaxRows], softness[ukRandomMaxRows], lo[ukRandomMaxRows],
        hi[ukRandomMaxRows];
    unsigned char cone[ukRandomMaxRows];
} ukRandomBlocks;

/* 1 to 6 bodies of 1e-3 to 1e3 kg, 0 to 8 blocks of 1 to 3 slots and 1 to 6 rows, seldom 9 to 12, zero rows, repeated
 * blocks and slots that cannot move among them; forces of size `force`. b is 0, softness and bounds are filled with
 * hard equalities. */
void ukRandomBlocksMake(ukRandomBlocks *s, ukRandom *random, double force);

#endif
