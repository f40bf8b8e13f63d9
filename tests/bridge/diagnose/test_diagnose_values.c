/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of a diagnosis against a decomposition of A M^-1 A' from the equations themselves (Jacobi's method):
 * singular values, rank, redundant rows of each joint, and which components of its reaction are unique, for random
 * systems of joints of several types with redundant rows. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Bodies = 3, Joints = 5, MostRows = 6 * Joints, N = 6 * Bodies, Systems = 300 };

typedef struct System {
    dWorldID world;
    dBodyID body[Bodies];
    int m;
    double A[MostRows][N], norm[MostRows], G[MostRows][MostRows]; /* G = unit rows: A M^-1 A' */
    dBodyID order[Bodies];
} System;

static dBodyID brick(dWorldID w, Random *r)
{
    dMass m;
    const dBodyID b = dBodyCreate(w);
    dMassSetBoxTotal(&m, randomUniform(r, 0.5, 3), randomUniform(r, 0.4, 1), randomUniform(r, 0.4, 1),
                     randomUniform(r, 0.4, 1));
    dBodySetMass(b, &m);
    dBodySetPosition(b, randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, -1, 1));
    return b;
}

static void join(const System *s, Random *r)
{
    const int a = randomBelow(r, Bodies), c = randomBelow(r, Bodies + 1), kind = randomBelow(r, 4);
    dBodyID one = s->body[a], two = c == Bodies || c == a ? NULL : s->body[c];
    if (!two && randomBelow(r, 2)) two = one, one = NULL;
    const double x = randomUniform(r, -1, 1), y = randomUniform(r, -1, 1), z = randomUniform(r, -1, 1);
    dJointID j;
    if (kind == 0) {
        j = dJointCreateBall(s->world, NULL);
        dJointAttach(j, one, two);
        dJointSetBallAnchor(j, x, y, z);
    } else if (kind == 1) {
        j = dJointCreateHinge(s->world, NULL);
        dJointAttach(j, one, two);
        dJointSetHingeAnchor(j, x, y, z);
        dJointSetHingeAxis(j, y, z, x);
    } else if (kind == 2) {
        j = dJointCreateSlider(s->world, NULL);
        dJointAttach(j, one, two);
        dJointSetSliderAxis(j, z, x, y);
    } else {
        j = dJointCreateFixed(s->world, NULL);
        dJointAttach(j, one, two);
        dJointSetFixed(j);
    }
}

/* x (6) := M_b^-1 row (6), by Cramer's rule for the inertia */
static void soften(const ukEquations *e, int b, const double *row, double *x)
{
    double I[3][3], inverse[3][3];
    for (int i = 0; i < 3; i++) {
        x[i] = row[i] / e->M[(6 * b + i) * e->n + 6 * b + i];
        for (int k = 0; k < 3; k++) I[i][k] = e->M[(6 * b + 3 + i) * e->n + 6 * b + 3 + k];
    }
    double det = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int p = (i + 1) % 3, q = (i + 2) % 3, u = (k + 1) % 3, v = (k + 2) % 3;
            inverse[k][i] = I[p][u] * I[q][v] - I[p][v] * I[q][u];
            if (i == 0) det += I[0][k] * inverse[k][0];
        }
    for (int i = 0; i < 3; i++) {
        x[3 + i] = 0;
        for (int k = 0; k < 3; k++) x[3 + i] += inverse[i][k] / det * row[3 + k];
    }
}

static void equations(System *s)
{
    ukEquations e;
    CHECK(ukWorldEvaluate(s->world) == 0 && ukWorldGetEquations(s->world, &e) == 0 && e.m <= MostRows);
    s->m = e.m;
    double scaled[MostRows][N] = {{0}};
    memset(s->A, 0, sizeof s->A);
    for (int b = 0; b < e.n / 6; b++) s->order[b] = e.bodies[b];
    for (int i = 0; i < e.m; i++) {
        double square = 0;
        memcpy(s->A[i], e.A + i * e.n, (size_t)e.n * sizeof(double));
        for (int b = 0; b < e.n / 6; b++) soften(&e, b, s->A[i] + 6 * b, scaled[i] + 6 * b);
        for (int c = 0; c < e.n; c++) square += s->A[i][c] * scaled[i][c];
        s->norm[i] = sqrt(square);
    }
    for (int i = 0; i < e.m; i++)
        for (int k = 0; k < e.m; k++) {
            s->G[i][k] = 0;
            for (int c = 0; c < e.n; c++) s->G[i][k] += s->A[i][c] * scaled[k][c] / s->norm[i] / s->norm[k];
        }
}

/* Eigenvalues, descending, and vectors (columns of V) of the rows of G that are `in`. */
static int eigen(const System *s, const bool *in, double *value, double V[MostRows][MostRows])
{
    int at[MostRows], n = 0;
    double G[MostRows][MostRows];
    for (int i = 0; i < s->m; i++)
        if (in[i]) at[n++] = i;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) G[i][k] = s->G[at[i]][at[k]], V[i][k] = i == k;
    for (int sweep = 0; sweep < 60; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (fabs(G[p][q]) < 1e-300) continue;
                const double theta = 0.5 * atan2(2 * G[p][q], G[q][q] - G[p][p]), c = cos(theta), t = sin(theta);
                for (int k = 0; k < n; k++) {
                    const double x = G[k][p], y = G[k][q];
                    G[k][p] = c * x - t * y, G[k][q] = t * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    const double x = G[p][k], y = G[q][k];
                    G[p][k] = c * x - t * y, G[q][k] = t * x + c * y;
                    const double u = V[k][p], v = V[k][q];
                    V[k][p] = c * u - t * v, V[k][q] = t * u + c * v;
                }
            }
    for (int i = 0; i < n; i++) value[i] = G[i][i];
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            if (value[k] <= value[i]) continue;
            const double x = value[i];
            value[i] = value[k], value[k] = x;
            for (int r = 0; r < n; r++) {
                const double u = V[r][i];
                V[r][i] = V[r][k], V[r][k] = u;
            }
        }
    return n;
}

static int rankOf(const double *value, int n)
{
    int rank = 0;
    while (rank < n && value[rank] > 1e-10) rank++;
    return rank;
}

static int placeOf(const System *s, dBodyID body)
{
    for (int b = 0; b < Bodies; b++)
        if (s->order[b] == body) return b;
    return -1;
}

static void compareJoint(const System *s, const ukJointDiagnosis *j, int first, int rank, int nulls,
                         double V[MostRows][MostRows])
{
    bool others[MostRows];
    double value[MostRows], unused[MostRows][MostRows];
    for (int i = 0; i < s->m; i++) others[i] = i < first || i >= first + j->rows;
    const int n = eigen(s, others, value, unused);
    CHECK(j->redundant_rows == j->rows - (rank - rankOf(value, n)));
    bool unique = true;
    const dBodyID one = dJointGetBody(j->joint, 0), head = one ? one : dJointGetBody(j->joint, 1);
    for (int k = 0; k < 2; k++) {
        const dBodyID body = dJointGetBody(j->joint, k);
        const int b = body ? placeOf(s, body) : -1;
        for (int c = 0; c < 6 && b >= 0; c++) {
            double free = 0;
            for (int z = 0; z < nulls; z++) {
                double f = 0;
                for (int i = first; i < first + j->rows; i++)
                    f += s->A[i][6 * b + c] / s->norm[i] * V[i][s->m - nulls + z];
                free = fmax(free, fabs(f));
            }
            if (free > 1e-4) unique = false;
            if (body == head && (free > 1e-4 || free < 1e-8)) CHECK(j->unique_component[c] == (free < 1e-8));
        }
    }
    CHECK(j->unique == unique);
}

static int redundant, half;

static void compare(uint64_t seed)
{
    Random r = {.state = seed * 7919 + 11};
    System s = {.world = dWorldCreate()};
    bool all[MostRows];
    double value[MostRows], V[MostRows][MostRows];
    for (int i = 0; i < Bodies; i++) s.body[i] = brick(s.world, &r);
    for (int i = 0; i < Joints; i++) join(&s, &r);
    dWorldSetGravity(s.world, 0, 0, -9.81);
    equations(&s);
    memset(all, 1, sizeof all);
    const int m = eigen(&s, all, value, V), rank = rankOf(value, m);
    ukDiagnosis d;
    for (int coarse = 0; coarse < 2; coarse++) {
        CHECK(ukWorldSetRankTolerance(s.world, coarse ? 0.2 : 0) == 0);
        CHECK(ukWorldDiagnose(s.world, &d) == 0 && d.rows == m && d.count == Joints && d.conflict == ukConflictNone);
        if (!coarse) CHECK(d.rank == rank);
        CHECK(d.rank >= 0 && d.rank <= rank);
        CHECK_NEAR(d.largest, sqrt(value[0]), 1e-9);
        CHECK_NEAR(d.kept, d.rank > 0 ? sqrt(value[d.rank - 1]) : 0, 1e-6);
        CHECK_NEAR(d.dropped, d.rank < m ? sqrt(fmax(value[d.rank], 0)) : 0, 1e-6);
        half += coarse && d.rank < rank;
        int first = 0;
        for (int i = 0; i < d.count && !coarse; i++) {
            compareJoint(&s, &d.joints[i], first, rank, m - rank, V);
            first += d.joints[i].rows;
        }
        if (!coarse) CHECK(first == m);
    }
    redundant += rank < m;
    dWorldDestroy(s.world);
}

int main(void)
{
    dInitODE2(0);
    for (uint64_t seed = 1; seed <= (uint64_t)ukTestRounds(Systems); seed++) compare(seed);
    CHECK(redundant > 20 && half > 20);
    dCloseODE();
    return ukTestEnd();
}
