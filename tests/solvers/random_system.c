/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/solvers/random_system.h"

#include <math.h>
#include <string.h>

static uint64_t next(ukRandom *r) /* xorshift64* */
{
    r->state ^= r->state >> 12, r->state ^= r->state << 25, r->state ^= r->state >> 27;
    return r->state * UINT64_C(2685821657736338717);
}

double ukRandomUniform(ukRandom *r, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(next(r) >> 11) * 0x1p-53);
}

int ukRandomInt(ukRandom *r, int lo, int hi)
{
    return lo + (int)(next(r) >> 33) % (hi - lo + 1);
}

double ukRandomDecade(ukRandom *r, double lo, double hi)
{
    return pow(10, ukRandomUniform(r, lo, hi));
}

void ukRandomVector(ukRandom *r, double scale, double *x, int n)
{
    for (int i = 0; i < n; i++) x[i] = scale * ukRandomUniform(r, -1, 1);
}

/* C (m x n) = A (m x k) B (k x n) */
static void product(int m, int n, int k, const double *A, const double *B, double *C)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += A[i * k + l] * B[l * n + j];
            C[i * n + j] = sum;
        }
}

void ukRandomDenseMake(ukRandomDense *s, ukRandom *r, bool consistent)
{
    const int n = ukRandomInt(r, 1, 12), m = ukRandomInt(r, 0, 14), most = n < m ? n : m,
              rank = ukRandomInt(r, 0, most);
    double left[ukRandomMaxM * ukRandomMaxN], right[ukRandomMaxM * ukRandomMaxN], size[ukRandomMaxN], x[ukRandomMaxN];
    memset(s, 0, sizeof *s);
    s->rank = rank;

    /* M = diag(size) (I + small symmetric) diag(size) */
    for (int i = 0; i < n; i++) size[i] = ukRandomDecade(r, -1.5, 1.5);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            s->M[i * n + j] = s->M[j * n + i] = size[i] * size[j] * (i == j ? 1 : ukRandomUniform(r, -0.5, 0.5) / n);

    /* A = left (m x rank) right (rank x n), each well-conditioned: a unit block somewhere */
    ukRandomVector(r, 0.3, left, m * rank);
    ukRandomVector(r, 0.3, right, rank * n);
    for (int i = 0; i < rank; i++) left[(m - 1 - i) * rank + i] += 1, right[i * n + (i + rank) % n] += 1;
    product(m, n, rank, left, right, s->A);
    if (rank == 0) memset(s->A, 0, sizeof s->A);

    ukRandomVector(r, 10, s->Q, n);
    ukRandomVector(r, ukRandomInt(r, 0, 1) * 3, s->C, n);
    ukRandomVector(r, 5, x, n);
    product(m, 1, n, s->A, x, s->b);
    if (!consistent) ukRandomVector(r, 5, s->b, m);
    for (int i = 0; i < m; i++) s->D[i] = ukRandomInt(r, 0, 1) ? ukRandomDecade(r, -6, 2) : 0;
    s->p = (ukDense){.n = n, .m = m, .M = s->M, .Q = s->Q, .C = s->C, .A = s->A, .b = s->b};
}

/* R diag(d) R' for the rotation about a random axis, and its inverse */
static void turned(ukRandom *r, const double d[3], double *I, double *inverse)
{
    double q[4], R[9], length = 0;
    ukRandomVector(r, 1, q, 4);
    for (int i = 0; i < 4; i++) length += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rotation[] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                               2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                               2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, rotation, sizeof R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            I[3 * i + j] = inverse[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) {
                I[3 * i + j] += R[3 * i + k] * R[3 * j + k] * d[k];
                inverse[3 * i + j] += R[3 * i + k] * R[3 * j + k] / d[k];
            }
        }
}

void ukRandomBlocksMake(ukRandomBlocks *s, ukRandom *r, double force)
{
    memset(s, 0, sizeof *s);
    const int bodies = ukRandomInt(r, 1, ukRandomMaxBodies), blocks = ukRandomInt(r, 0, ukRandomMaxBlocks);
    int rows = 0, slots = 0;
    size_t A = 0;
    for (int i = 0; i < bodies; i++) {
        s->mass[i] = ukRandomDecade(r, -3, 3);
        const double size = s->mass[i] * ukRandomDecade(r, -2, 0.5);
        const double d[3] = {size, size * ukRandomUniform(r, 0.1, 1), size * ukRandomUniform(r, 0.1, 1)};
        turned(r, d, s->inertia + 9 * i, s->inverse + 9 * i);
        ukRandomVector(r, force * ukRandomDecade(r, -2, 1), s->Q + 6 * i, 6);
        if (i % 2) ukRandomVector(r, force, s->C + 6 * i, 6);
    }
    for (int k = 0; k < blocks; k++) {
        ukBlock *b = s->block + k;
        *b = (ukBlock){.row = rows,
                       .rows = ukRandomInt(r, 0, 9) ? ukRandomInt(r, 1, 6) : ukRandomInt(r, 9, 12),
                       .slot = slots,
                       .slots = ukRandomInt(r, 1, 3),
                       .A = A};
        const int first = ukRandomInt(r, 0, bodies - 1);
        for (int c = 0; c < b->slots; c++)
            s->body[slots + c] = c < bodies && ukRandomInt(r, 0, 7) ? (first + c) % bodies : -1;
        const int count = 6 * b->rows * b->slots;
        ukRandomVector(r, 1, s->A + A, count);
        const ukBlock *before = b - 1;
        if (k > 0 && before->rows == b->rows && before->slots == b->slots && ukRandomInt(r, 0, 1)) { /* redundant */
            memcpy(s->A + A, s->A + before->A, (size_t)count * sizeof *s->A);
            memcpy(s->body + slots, s->body + before->slot, (size_t)b->slots * sizeof *s->body);
        }
        if (ukRandomInt(r, 0, 9) == 0) memset(s->A + A, 0, 6 * (size_t)b->slots * sizeof *s->A);
        rows += b->rows, slots += b->slots, A += (size_t)count;
    }
    for (int i = 0; i < rows; i++) s->lo[i] = -INFINITY, s->hi[i] = INFINITY, s->normal[i] = -1;
    s->p = (ukProblem){.bodies = bodies,
                       .blocks = blocks,
                       .rows = rows,
                       .mass = s->mass,
                       .inertia = s->inertia,
                       .inverse_inertia = s->inverse,
                       .Q = s->Q,
                       .C = s->C,
                       .block = s->block,
                       .body = s->body,
                       .A = s->A,
                       .b = s->b,
                       .softness = s->softness,
                       .lo = s->lo,
                       .hi = s->hi,
                       .normal = s->normal,
                       .cone = s->cone};
}
