/* SPDX-License-Identifier: BSD-3-Clause */
/* The working solver alone on synthetic graphs: microseconds (the best of several rounds) to plan, factor, solve, and
 * for the whole equality-constrained solve; the last two columns per block (joint).
 *      bench_sparse [word]      only the scenes whose name contains the word */
#include "solvers/equality/equality.h"
#include "solvers/kkt/kkt.h"

#include "solvers/base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Scene {
    ukProblem p;
    int bodies, blocks, slots, rows, room;
    double *mass, *inertia, *inverse, *Q, *A, *b, *softness, *position;
    ukBlock *block;
    int *body;
} Scene;

static void *zeros(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) exit(1);
    return memory;
}

static Scene create(int bodies, int blocks)
{
    const size_t n = (size_t)bodies, m = (size_t)blocks;
    Scene s = {.mass = zeros(n, sizeof(double)),
               .inertia = zeros(9 * n, sizeof(double)),
               .inverse = zeros(9 * n, sizeof(double)),
               .Q = zeros(6 * n, sizeof(double)),
               .A = zeros(72 * m, sizeof(double)),
               .b = zeros(6 * m, sizeof(double)),
               .softness = zeros(6 * m, sizeof(double)),
               .position = zeros(3 * n, sizeof(double)),
               .block = zeros(m, sizeof(ukBlock)),
               .body = zeros(2 * m, sizeof(int))};
    return s;
}

static void destroy(Scene *s)
{
    void *all[] = {s->mass, s->inertia, s->inverse, s->Q, s->A, s->b, s->softness, s->position, s->block, s->body};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static int body(Scene *s, double x, double y, double z)
{
    const int i = s->bodies++;
    const double inertia[3] = {0.0008, 0.0017, 0.0017};
    s->mass[i] = 0.5;
    for (int c = 0; c < 3; c++) {
        s->inertia[9 * i + 4 * c] = inertia[c];
        s->inverse[9 * i + 4 * c] = 1 / inertia[c];
    }
    s->position[3 * i] = x, s->position[3 * i + 1] = y, s->position[3 * i + 2] = z;
    s->Q[6 * i] = 1, s->Q[6 * i + 2] = -0.5 * 9.81;
    return i;
}

/* row r: direction u at point P on bodies i and j (-1: the world) */
static void pointRow(Scene *s, double *A, int i, int j, const double *u, const double *P)
{
    for (int side = 0; side < 2; side++, A += 6) {
        const int k = side ? j : i;
        if (k < 0) continue;
        double r[3];
        for (int c = 0; c < 3; c++) r[c] = P[c] - s->position[3 * k + c], A[c] = side ? -u[c] : u[c];
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            A[3 + c] = (side ? -1 : 1) * (r[d] * u[e] - r[e] * u[d]);
        }
    }
}

static double *block(Scene *s, int rows, int i, int j)
{
    static const double noise[5] = {0.3, -0.7, 0.1, 0.9, -0.4};
    ukBlock *b = s->block + s->blocks++;
    *b = (ukBlock){.row = s->rows, .rows = rows, .slot = s->slots, .slots = 2, .A = (size_t)s->room};
    s->body[s->slots++] = i, s->body[s->slots++] = j;
    for (int r = 0; r < rows; r++) s->b[s->rows + r] = noise[(s->rows + r) % 5];
    s->rows += rows, s->room += 12 * rows;
    return s->A + b->A;
}

/* ball joint at P; with axis >= 0 a hinge about that axis */
static void joint(Scene *s, int i, int j, const double *P, int axis)
{
    double *A = block(s, axis < 0 ? 3 : 5, i, j);
    for (int r = 0; r < 3; r++, A += 12) pointRow(s, A, i, j, (double[]){r == 0, r == 1, r == 2}, P);
    for (int r = 1; r < 3 && axis >= 0; r++, A += 12)
        A[3 + (axis + r) % 3] = i < 0 ? 0 : 1, A[9 + (axis + r) % 3] = j < 0 ? 0 : -1;
}

static Scene chain(int n)
{
    Scene s = create(n, n);
    for (int i = 0; i < n; i++) {
        body(&s, 0.2 * i + 0.1, 0, 0);
        joint(&s, i, i - 1, (double[]){0.2 * i, 0, 0}, 1 + i % 2);
    }
    return s;
}

static Scene halfCircle(int n)
{
    Scene s = create(n, n + 1);
    for (int i = 0; i < n; i++) {
        const double a = 3.14159265358979 * (i + 0.5) / n, e = 3.14159265358979 * i / n;
        body(&s, cos(a), 0.1 * sin(3 * a), sin(a));
        joint(&s, i, i - 1, (double[]){cos(e), 0.1 * sin(3 * e), sin(e)}, -1);
    }
    joint(&s, n - 1, -1, (double[]){-1, 0, 0}, -1);
    return s;
}

static Scene tree(int n)
{
    Scene s = create(n, n);
    for (int i = 0; i < n; i++) {
        const int parent = i == 0 ? -1 : (i - 1) / 2;
        const double x = parent < 0 ? 0 : s.position[3 * parent] + 0.1, y = parent < 0 ? 0 : s.position[3 * parent + 1];
        body(&s, x + 0.1, y + (i % 2 ? 0.05 : -0.05), 0);
        joint(&s, i, parent, (double[]){x, y, 0.01}, 1 + i % 2);
    }
    return s;
}

static Scene hub(int n)
{
    Scene s = create(n + 1, n);
    body(&s, 0, 0, 0);
    for (int i = 1; i <= n; i++) {
        body(&s, cos(i), sin(i), 0.01 * i);
        joint(&s, 0, i, (double[]){0.5 * cos(i), 0.5 * sin(i), 0}, i % 3);
    }
    return s;
}

static double height = 1; /* of the bumps of a net; 0: its rows are dependent */

static double bump(int i, int j)
{
    return height * 0.05 * sin(1.3 * i) * cos(0.9 * j) + height * 0.02 * sin(3.1 * i + 1.7 * j);
}

static Scene net(int n)
{
    Scene s = create(n * n, 2 * n * (n - 1) + 2);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) body(&s, 0.2 * i, 0.2 * j, bump(i, j));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int k = i * n + j;
            const double *x = s.position + 3 * k;
            for (int way = 0; way < 2; way++) {
                const int l = way ? k + 1 : k + n;
                if (way ? j + 1 == n : i + 1 == n) continue;
                const double *y = s.position + 3 * l;
                joint(&s, k, l, (double[]){0.5 * (x[0] + y[0]), 0.5 * (x[1] + y[1]), 0.5 * (x[2] + y[2])}, -1);
            }
        }
    joint(&s, 0, -1, (double[]){-0.1, -0.1, 0}, -1);
    joint(&s, n * n - n, -1, (double[]){0.2 * n, -0.1, 0}, -1);
    return s;
}

/* layers of n x n boxes, every layer shifted by half a box: four neighbours below, `points` contacts each (3 rows) */
static Scene pile(int n, int layers, int points)
{
    Scene s = create(n * n * layers, 4 * n * n * layers * points);
    for (int l = 0; l < layers; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                const double shift = 0.5 * (l % 2);
                const int k = body(&s, i + shift, j + shift, l + 0.5);
                for (int q = 0; q < 4; q++) {
                    const int u = i + (l % 2 ? q % 2 : -(q % 2)), v = j + (l % 2 ? q / 2 : -(q / 2));
                    if (l > 0 && (u < 0 || v < 0 || u >= n || v >= n)) continue;
                    if (l == 0 && q > 0) continue;
                    const int below = l == 0 ? -1 : ((l - 1) * n + u) * n + v;
                    for (int c = 0; c < points; c++) {
                        const double P[3] = {i + shift + 0.2 * (c % 2) + 0.1 * q, j + shift + 0.2 * (c / 2), l};
                        double *A = block(&s, 3, k, below);
                        for (int r = 0; r < 3; r++, A += 12)
                            pointRow(&s, A, k, below, (double[]){r == 1, r == 2, r == 0}, P);
                    }
                }
            }
    for (int r = 0; r < s.rows; r++) s.softness[r] = 1e-8;
    return s;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void measure(const char *name, Scene s, const char *only, int soft)
{
    s.p = (ukProblem){.bodies = s.bodies,
                      .blocks = s.blocks,
                      .rows = s.rows,
                      .mass = s.mass,
                      .inertia = s.inertia,
                      .inverse_inertia = s.inverse,
                      .Q = s.Q,
                      .block = s.block,
                      .body = s.body,
                      .A = s.A,
                      .b = s.b,
                      .softness = s.softness};
    if (!only || strstr(name, only)) {
        ukEquality *equality = ukEqualityCreate();
        ukKkt *kkt = ukEqualityKkt(equality);
        ukKktFactor factor;
        unsigned char *springs = zeros((size_t)s.blocks, 1);
        memset(springs, soft, (size_t)s.blocks);
        double *x = zeros(6 * (size_t)s.bodies, sizeof *x), *l = zeros((size_t)s.rows, sizeof *l);
        double *y = zeros((size_t)s.rows, sizeof *y), best[4] = {1e30, 1e30, 1e30, 1e30}, worst = 0, size = 0;
        ukProblem other = s.p; /* another structure, so that every round plans anew */
        ukSolution solution = {.qdd = x, .lambda = l};
        const double begin = now();
        int status = ukOk;
        other.blocks = 0, other.rows = 0;
        for (int round = 0; round < 2000 && (round < 3 || now() - begin < 3e5); round++) {
            double t[5];
            ukKktPlan(kkt, &other, NULL);
            t[0] = now();
            ukKktPlan(kkt, &s.p, springs);
            t[1] = now();
            status = ukKktFactorize(kkt, &s.p, NULL, NULL, &factor);
            t[2] = now();
            if (status == ukOk) ukKktSolve(&factor, s.Q, s.b, x, l);
            t[3] = now();
            if (!soft) ukEqualitySolve(equality, &s.p, 0, &solution);
            t[4] = now();
            for (int k = 0; k < 4; k++) best[k] = fmin(best[k], t[k + 1] - t[k]);
        }
        ukProblemApply(&s.p, x, y);
        for (int r = 0; r < s.rows; r++) {
            const double b = s.b[r] - s.softness[r] * l[r];
            worst = fmax(worst, fabs(y[r] - b)), size = fmax(size, fmax(fabs(b), fabs(y[r])));
        }
        printf("%-16s %6d %6d %7d %10.1f %10.1f %10.1f %10.1f %9.3f %9.3f %9.1e%s\n", name, s.bodies, s.blocks, s.rows,
               best[0], best[1], best[2], best[3], (best[1] + best[2]) / s.blocks, best[3] / s.blocks, worst / size,
               status == ukOk ? "" : " singular");
        fflush(stdout);
        ukEqualityDestroy(equality);
        free(x), free(l), free(y), free(springs);
    }
    destroy(&s);
}

int main(int count, char **word)
{
    const char *only = count > 1 ? word[1] : NULL;
    printf("%-16s %6s %6s %7s %10s %10s %10s %10s %9s %9s %9s\n", "scene", "bodies", "blocks", "rows", "plan us",
           "factor us", "solve us", "whole us", "f+s/block", "whole/bl.", "residual");
    measure("chain 10", chain(10), only, 0);
    measure("chain 100", chain(100), only, 0);
    measure("chain 1000", chain(1000), only, 0);
    measure("chain 10000", chain(10000), only, 0);
    measure("half circle 10", halfCircle(10), only, 0);
    measure("half circle 100", halfCircle(100), only, 0);
    measure("half circle 300", halfCircle(300), only, 0);
    measure("tree 127", tree(127), only, 0);
    measure("tree 1023", tree(1023), only, 0);
    measure("hub 100", hub(100), only, 0);
    measure("hub 1000", hub(1000), only, 0);
    measure("net 10", net(10), only, 0);
    measure("net 20", net(20), only, 0);
    measure("net 40", net(40), only, 0);
    height = 0;
    measure("flat net 10", net(10), only, 0);
    measure("flat net 20", net(20), only, 0);
    measure("stack 10x4", pile(1, 10, 4), only, 0);
    measure("pile 25x4x1", pile(5, 4, 1), only, 0);
    measure("pile 25x8x1", pile(5, 8, 1), only, 0);
    measure("pile 25x8x4", pile(5, 8, 4), only, 0);
    measure("soft stack 10x4", pile(1, 10, 4), only, 1);
    measure("soft pile 25x4x1", pile(5, 4, 1), only, 1);
    measure("soft pile 25x8x1", pile(5, 8, 1), only, 1);
    measure("soft pile 25x8x4", pile(5, 8, 4), only, 1);
    return 0;
}
