/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/branch.h"

#include "solvers/base/status.h"

enum { Pairs = 8, Pivots = 6 };

/* Columns of a front, in pairs of rows, row 0 first; the destinations of L, with 1/d on its diagonal, and of the lower
 * triangle of the Schur complement. */
typedef struct Columns {
    ukPair c[Pivots][Pairs];
    double *F, *U;
} Columns;

UKODE_INLINE void beginBranch(Columns *m, const ukFront *front, double *L, double *stack)
{
    m->F = L + front->L;
    m->U = stack + front->U;
}

UKODE_INLINE double branchEntry(const Columns *m, int row, int column)
{
    return m->c[column][row / 2][row % 2];
}

/* stores m's F (ld x p) = L, 1/d on its diagonal */
UKODE_INLINE void storeBranch(const Columns *m, const int p, const int n, const double *inverse)
{
    const int ldu = (n - p + 1) & ~1, ld = (p + ldu + 1) & ~1;
    UKODE_UNROLL
    for (int k = 0; k < p; k++) {
        UKODE_UNROLL
        for (int i = (k + 1) / 2; i < (n + 1) / 2; i++) ukStorePair(m->F + k * ld + 2 * i, m->c[k][i]);
        m->F[k * ld + k] = inverse[k];
    }
}

/* computes m's U = the lower triangle of -L21 D R21', m the columns of L and w those of R */
UKODE_INLINE void branchComplement(const Columns *m, const Columns *w, const int p, const int n, const double *pivot)
{
    const int pairs = (n + 1) / 2, ldu = (n - p + 1) & ~1;
    UKODE_UNROLL
    for (int k = 0; k < n - p; k++) {
        ukPair t[Pivots];
        UKODE_UNROLL
        for (int j = 0; j < p; j++) t[j] = ukBothOf(branchEntry(w, p + k, j) * pivot[j]);
        UKODE_UNROLL
        for (int i = k / 2; i < (n - p + 1) / 2; i++) {
            ukPair sum = ukBothOf(0);
            UKODE_UNROLL
            for (int j = 0; j < p; j++) {
                const int row = p + 2 * i;
                const ukPair low = m->c[j][row / 2];
                const ukPair l = row % 2 ? (ukPair){low[1], row / 2 + 1 < pairs ? m->c[j][row / 2 + 1][0] : 0} : low;
                sum -= t[j] * l;
            }
            ukStorePair(m->U + k * ldu + 2 * i, sum);
        }
    }
}

/* As ukEliminate for p <= 6 pivots and n <= 16 rows. w: upper triangle of an unsymmetric front, transposed; else NULL.
 * floor NULL: every pivot must have its sign. False: a pivot does not meet its condition (F is then void). */
UKODE_INLINE bool eliminateBranch(Columns *m, Columns *w, const int p, const int n, const double sign,
                                  const double *floor, double *d)
{
    const int pairs = (n + 1) / 2;
    double inverse[Pivots], pivot[Pivots];
    bool ok = true;
    UKODE_UNROLL
    for (int k = 0; k < p; k++) {
        UKODE_UNROLL
        for (int j = 0; j < k; j++) {
            const ukPair t = ukBothOf(branchEntry(w ? w : m, k, j) * pivot[j]),
                         t1 = ukBothOf(branchEntry(m, k, j) * pivot[j]);
            UKODE_UNROLL
            for (int i = k / 2; i < pairs; i++) {
                m->c[k][i] -= t * m->c[j][i];
                if (w) w->c[k][i] -= t1 * w->c[j][i];
            }
        }
        pivot[k] = branchEntry(m, k, k);
        ok &= sign * pivot[k] > (floor ? floor[k] : 0);
        inverse[k] = 1 / pivot[k];
        UKODE_UNROLL
        for (int i = (k + 1) / 2; i < pairs; i++) {
            m->c[k][i] *= ukBothOf(inverse[k]);
            if (w) w->c[k][i] *= ukBothOf(inverse[k]);
        }
    }
    UKODE_UNROLL
    for (int k = 0; k < p; k++) d[k] = pivot[k];
    storeBranch(m, p, n, inverse);
    branchComplement(m, w ? w : m, p, n, pivot);
    if (w) storeBranch(w, p, n, inverse), branchComplement(w, m, p, n, pivot);
    return ok;
}

/* y (p) = L11^-1 y, z (u) -= L21 y */
UKODE_INLINE void branchForward(const double *F, const int p, const int u, double *y, double *z)
{
    const int ld = (p + ((u + 1) & ~1) + 1) & ~1;
    double v[Pivots], w[2 * Pairs];
    UKODE_UNROLL
    for (int k = 0; k < p; k++) v[k] = y[k];
    UKODE_UNROLL
    for (int i = 0; i < u; i++) w[i] = z[i];
    UKODE_UNROLL
    for (int k = 0; k < p; k++) {
        UKODE_UNROLL
        for (int i = k + 1; i < p; i++) v[i] -= F[k * ld + i] * v[k];
        UKODE_UNROLL
        for (int i = 0; i < u; i++) w[i] -= F[k * ld + p + i] * v[k];
    }
    UKODE_UNROLL
    for (int k = 0; k < p; k++) y[k] = v[k];
    UKODE_UNROLL
    for (int i = 0; i < u; i++) z[i] = w[i];
}

/* x (p) = L11'^-1 (D^-1 x - L21' z), z (u) */
UKODE_INLINE void branchBackward(const double *F, const int p, const int u, double *x, const double *z)
{
    const int ld = (p + ((u + 1) & ~1) + 1) & ~1;
    double v[Pivots];
    UKODE_UNROLL
    for (int k = p - 1; k >= 0; k--) {
        double even = 0, odd = 0;
        UKODE_UNROLL
        for (int i = 0; i < u; i++) {
            if (i % 2)
                odd += F[k * ld + p + i] * z[i];
            else
                even += F[k * ld + p + i] * z[i];
        }
        v[k] = F[k * ld + k] * x[k] - (even + odd);
    }
    UKODE_UNROLL
    for (int k = p - 1; k >= 0; k--) {
        UKODE_UNROLL
        for (int i = p - 1; i > k; i--) v[k] -= F[k * ld + i] * v[i];
        x[k] = v[k];
    }
}

/* x (6) = L11'^-1 D^-1 x, each inner product before it is subtracted, as in kernel.c: the same bits */
UKODE_INLINE void rootBackward(const double *F, double *x)
{
    double v[6];
    UKODE_UNROLL
    for (int k = 5; k >= 0; k--) {
        double inner = 0;
        UKODE_UNROLL
        for (int i = k + 1; i < 6; i++) inner += F[k * 6 + i] * v[i];
        v[k] = F[k * 6 + k] * x[k] - inner;
    }
    memcpy(x, v, sizeof v);
}

/* an interior body's update rows belong to two joints, r each */
UKODE_INLINE void interiorForward(const double *F, const int r, double *y, double *z0, double *z1)
{
    double z[2 * Pairs];
    UKODE_UNROLL
    for (int i = 0; i < r; i++) z[i] = z0[i], z[r + i] = z1[i];
    branchForward(F, 6, 2 * r, y, z);
    UKODE_UNROLL
    for (int i = 0; i < r; i++) z0[i] = z[i], z1[i] = z[r + i];
}

UKODE_INLINE void interiorBackward(const double *F, const int r, double *x, const double *z0, const double *z1)
{
    double z[2 * Pairs];
    UKODE_UNROLL
    for (int i = 0; i < r; i++) z[i] = z0[i], z[r + i] = z1[i];
    branchBackward(F, 6, 2 * r, x, z);
}

/* places the mass matrix of a body, and adds the Schur complements of its children */
UKODE_INLINE void placeBranchMass(Columns *m, double *L, double *stack, const ukSymbolic *plan, int f,
                                  const ukProblem *p)
{
    const ukFront *front = plan->front + f;
    const double *I = p->inertia + 9 * (size_t)front->body, mass = p->mass[front->body];
    UKODE_UNROLL
    for (int c = 0; c < 6; c++) {
        UKODE_UNROLL
        for (int k = c / 2; k < Pairs; k++) m->c[c][k] = ukBothOf(0);
    }
    beginBranch(m, front, L, stack);
    m->c[0][0][0] = m->c[1][0][1] = m->c[2][1][0] = mass;
    m->c[3][1][1] = I[0], m->c[3][2] = (ukPair){I[3], I[6]};
    m->c[4][2] = (ukPair){I[4], I[7]};
    m->c[5][2][1] = I[8];
    for (int child = f - 1; child >= front->first; child = plan->front[child].first - 1) {
        const double *U = stack + plan->front[child].U;
        UKODE_UNROLL
        for (int c = 0; c < 6; c++) {
            UKODE_UNROLL
            for (int k = c / 2; k < 3; k++) m->c[c][k] += ukLoadPair(U + 6 * c + 2 * k);
        }
    }
}

/* places the rows of a leaf or interior body from row 6 + at on */
UKODE_INLINE void placeBranchJoint(Columns *m, const ukEntry *e, const double *values, const int r, const int at)
{
    const double *A = values + e->A;
    const size_t stride = (size_t)e->stride;
    UKODE_UNROLL
    for (int c = 0; c < 6; c++) {
        UKODE_UNROLL
        for (int k = 0; k < r; k++) m->c[c][3 + (at + k) / 2][(at + k) % 2] = A[(size_t)k * stride + (size_t)c];
    }
}

UKODE_INLINE int factorLeafBody(ukFactor *factor, const ukSymbolic *plan, int f, const ukProblem *p, const int r)
{
    const ukFront *front = plan->front + f;
    Columns m;
    placeBranchMass(&m, factor->L, factor->stack, plan, f, p);
    placeBranchJoint(&m, plan->entry + front->entry, p->A, r, 0);
    if (!eliminateBranch(&m, NULL, 6, 6 + r, 1, NULL, factor->pivot + front->at)) return ukErrorMass;
    ukFrontMeasure(front, plan, m.U, factor->diagonal);
    return ukOk;
}

UKODE_INLINE int factorRootBody(ukFactor *factor, const ukSymbolic *plan, int f, const ukProblem *p)
{
    Columns m;
    placeBranchMass(&m, factor->L, factor->stack, plan, f, p);
    return eliminateBranch(&m, NULL, 6, 6, 1, NULL, factor->pivot + plan->front[f].at) ? ukOk : ukErrorMass;
}

UKODE_INLINE int factorInteriorBody(ukFactor *factor, const ukSymbolic *plan, int f, const ukProblem *p, const int r)
{
    const ukFront *front = plan->front + f;
    const ukEntry *e = plan->entry + front->entry;
    const int swapped = e[0].at > e[1].at;
    Columns m;
    placeBranchMass(&m, factor->L, factor->stack, plan, f, p);
    placeBranchJoint(&m, e + swapped, p->A, r, 0);
    placeBranchJoint(&m, e + !swapped, p->A, r, r);
    if (!eliminateBranch(&m, NULL, 6, 6 + 2 * r, 1, NULL, factor->pivot + front->at)) return ukErrorMass;
    ukFrontMeasure(front, plan, m.U, factor->diagonal);
    return ukOk;
}

/* False: a pivot vanished. */
UKODE_INLINE bool factorInteriorJoint(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in,
                                      const int r)
{
    const ukFront *front = plan->front + f;
    const double *S = factor->stack + plan->front[f - 1].U; /* Schur complement of the interior body: 2 r x 2 r */
    double *diagonal = factor->diagonal + front->at, *d = factor->pivot + front->at, floor[6];
    const int ldu = (r + 1) & ~1;
    Columns m;
    beginBranch(&m, front, factor->L, factor->stack);
    UKODE_UNROLL
    for (int k = 0; k < r; k++) {
        UKODE_UNROLL
        for (int i = k / 2; i < r; i++) m.c[k][i] = ukLoadPair(S + k * 2 * r + 2 * i);
        const double soft = in->softness ? in->softness[plan->row[front->at + k]] : 0;
        m.c[k][k / 2] -= k % 2 ? (ukPair){0, soft} : (ukPair){soft, 0};
        diagonal[k] += soft;
        floor[k] = ukFrontFloor(in, soft, diagonal[k]);
    }
    for (int child = plan->front[f - 1].first - 1; child >= front->first; child = plan->front[child].first - 1) {
        const double *V = factor->stack + plan->front[child].U;
        UKODE_UNROLL
        for (int k = 0; k < r; k++) {
            UKODE_UNROLL
            for (int i = k; i < r; i++) m.c[k][i / 2][i % 2] += V[k * ldu + i];
        }
    }
    if (!eliminateBranch(&m, NULL, r, 2 * r, -1, floor, d)) {
        UKODE_UNROLL
        for (int k = 0; k < r; k++) diagonal[k] -= in->softness ? in->softness[plan->row[front->at + k]] : 0;
        return false;
    }
    UKODE_UNROLL
    for (int k = 0; k < r; k++) {
        UKODE_UNROLL
        for (int i = k; i < r; i++) m.U[k * ldu + i] += S[(r + k) * 2 * r + r + i];
        factor->weak += ukFrontIsWeak(d[k], diagonal[k]);
    }
    return true;
}

/* places a joint's row k: its coefficients on the body above, below its r pivots, which are odd */
UKODE_INLINE void placeJointAbove(Columns *m, const int k, const double *a, const int r)
{
    m->c[k][r / 2][1] = a[0];
    m->c[k][r / 2 + 1] = ukLoadPair(a + 1);
    m->c[k][r / 2 + 2] = ukLoadPair(a + 3);
    m->c[k][r / 2 + 3] = (ukPair){a[5], 0};
}

/* Places softness, the Schur complement of the body below, the coefficients on the body above. False: a pivot
 * vanished. */
UKODE_INLINE bool factorLeafJoint(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in, const int r)
{
    const ukFront *front = plan->front + f;
    const ukEntry *e = plan->entry + front->entry;
    const double *A = in->p->A + e->A, *U = factor->stack + plan->front[f - 1].U;
    const size_t stride = (size_t)e->stride;
    const int ldu = (r + 1) & ~1;
    double *diagonal = factor->diagonal + front->at, *d = factor->pivot + front->at, floor[6];
    Columns m;
    beginBranch(&m, front, factor->L, factor->stack);
    UKODE_UNROLL
    for (int k = 0; k < r; k++) {
        const double soft = in->softness ? in->softness[e->row + k] : 0;
        UKODE_UNROLL
        for (int i = k / 2; 2 * i < r; i++) m.c[k][i] = ukLoadPair(U + k * ldu + 2 * i);
        m.c[k][k / 2] -= k % 2 ? (ukPair){0, soft} : (ukPair){soft, 0};
        diagonal[k] += soft;
        floor[k] = ukFrontFloor(in, soft, diagonal[k]);
        placeJointAbove(&m, k, A + (size_t)k * stride, r);
    }
    if (!eliminateBranch(&m, NULL, r, r + 6, -1, floor, d)) {
        UKODE_UNROLL
        for (int k = 0; k < r; k++) diagonal[k] -= in->softness ? in->softness[e->row + k] : 0;
        return false;
    }
    UKODE_UNROLL
    for (int k = 0; k < r; k++) factor->weak += ukFrontIsWeak(d[k], diagonal[k]);
    return true;
}

UKODE_INLINE bool factorLeafBodyPair(const ukBoth *to, const ukSymbolic *plan, int f, const int r)
{
    const ukFront *front = plan->front + f;
    const ukEntry *e = plan->entry + front->entry;
    Columns m, w;
    placeBranchMass(&m, to->L, to->lower, plan, f, to->rows);
    placeBranchJoint(&m, e, to->rows->A, r, 0);
    placeBranchMass(&w, to->R, to->upper, plan, f, to->columns);
    placeBranchJoint(&w, e, to->columns->A, r, 0);
    return eliminateBranch(&m, &w, 6, 6 + r, 1, NULL, to->pivot + front->at);
}

UKODE_INLINE bool factorLeafJointPair(const ukBoth *to, const ukSymbolic *plan, int f, const int r)
{
    const ukFront *front = plan->front + f;
    const ukEntry *e = plan->entry + front->entry;
    const double *U = to->lower + plan->front[f - 1].U, *V = to->upper + plan->front[f - 1].U;
    const int ldu = (r + 1) & ~1;
    Columns m, w;
    beginBranch(&m, front, to->L, to->lower);
    beginBranch(&w, front, to->R, to->upper);
    UKODE_UNROLL
    for (int k = 0; k < r; k++) {
        UKODE_UNROLL
        for (int i = k / 2; 2 * i < r; i++) {
            m.c[k][i] = ukLoadPair(U + k * ldu + 2 * i);
            w.c[k][i] = ukLoadPair(V + k * ldu + 2 * i);
        }
        placeJointAbove(&m, k, to->columns->A + e->A + k * e->stride, r);
        placeJointAbove(&w, k, to->rows->A + e->A + k * e->stride, r);
    }
    return eliminateBranch(&m, &w, r, r + 6, -1, NULL, to->pivot + front->at);
}

bool ukBranchFactorBoth(const ukBoth *to, const ukSymbolic *plan, int f, bool *ok)
{
    switch (plan->front[f].kind) {
    case ukFrontLeafBody3: *ok = factorLeafBodyPair(to, plan, f, 3); return true;
    case ukFrontLeafBody5: *ok = factorLeafBodyPair(to, plan, f, 5); return true;
    case ukFrontLeafJoint3: *ok = factorLeafJointPair(to, plan, f, 3); return true;
    case ukFrontLeafJoint5: *ok = factorLeafJointPair(to, plan, f, 5); return true;
    default: return false;
    }
}

/* whether all rows of the front's joints are active */
static bool isWholeFront(const ukSymbolic *plan, const ukFront *front, const unsigned char *active)
{
    for (int k = 0; k < front->p && front->body < 0; k++)
        if (!active[plan->row[front->at + k]]) return false;
    for (const ukEntry *e = plan->entry + front->entry, *end = e + front->entries; e < end; e++)
        for (int k = 0; k < e->rows; k++)
            if (!active[e->row + k]) return false;
    return true;
}

UKODE_INLINE bool factorBranch(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in, int *status)
{
    *status = ukOk;
    if (in->active && plan->front[f].kind != ukFrontAny && !isWholeFront(plan, plan->front + f, in->active))
        return false;
    switch (plan->front[f].kind) {
    case ukFrontInteriorBody3: *status = factorInteriorBody(factor, plan, f, in->p, 3); return true;
    case ukFrontInteriorBody5: *status = factorInteriorBody(factor, plan, f, in->p, 5); return true;
    case ukFrontInteriorJoint3: return factorInteriorJoint(factor, plan, f, in, 3);
    case ukFrontInteriorJoint5: return factorInteriorJoint(factor, plan, f, in, 5);
    case ukFrontLeafBody3: *status = factorLeafBody(factor, plan, f, in->p, 3); return true;
    case ukFrontLeafBody5: *status = factorLeafBody(factor, plan, f, in->p, 5); return true;
    case ukFrontLeafJoint3: return factorLeafJoint(factor, plan, f, in, 3);
    case ukFrontLeafJoint5: return factorLeafJoint(factor, plan, f, in, 5);
    case ukFrontRootBody: *status = factorRootBody(factor, plan, f, in->p); return true;
    default: return false;
    }
}

UKODE_INLINE bool forwardBranch(const double *panels, const ukSymbolic *plan, const ukFront *front, double *y,
                                int origin)
{
    const ukRun *run = plan->run + front->run;
    const double *L = panels + front->L;
    double *v = y + front->at - origin;
    switch (front->kind) {
    case ukFrontInteriorBody3: interiorForward(L, 3, v, y + run[0].at - origin, y + run[1].at - origin); return true;
    case ukFrontInteriorBody5: interiorForward(L, 5, v, y + run[0].at - origin, y + run[1].at - origin); return true;
    case ukFrontInteriorJoint3: branchForward(L, 3, 3, v, y + run->at - origin); return true;
    case ukFrontInteriorJoint5: branchForward(L, 5, 5, v, y + run->at - origin); return true;
    case ukFrontLeafBody3: branchForward(L, 6, 3, v, y + run->at - origin); return true;
    case ukFrontLeafBody5: branchForward(L, 6, 5, v, y + run->at - origin); return true;
    case ukFrontLeafJoint3: branchForward(L, 3, 6, v, y + run->at - origin); return true;
    case ukFrontLeafJoint5: branchForward(L, 5, 6, v, y + run->at - origin); return true;
    case ukFrontRootBody: branchForward(L, 6, 0, v, NULL); return true;
    default: return false;
    }
}

UKODE_INLINE bool backwardBranch(const double *panels, const ukSymbolic *plan, const ukFront *front, double *y,
                                 int origin)
{
    const ukRun *run = plan->run + front->run;
    const double *L = panels + front->L;
    double *v = y + front->at - origin;
    switch (front->kind) {
    case ukFrontInteriorBody3: interiorBackward(L, 3, v, y + run[0].at - origin, y + run[1].at - origin); return true;
    case ukFrontInteriorBody5: interiorBackward(L, 5, v, y + run[0].at - origin, y + run[1].at - origin); return true;
    case ukFrontInteriorJoint3: branchBackward(L, 3, 3, v, y + run->at - origin); return true;
    case ukFrontInteriorJoint5: branchBackward(L, 5, 5, v, y + run->at - origin); return true;
    case ukFrontLeafBody3: branchBackward(L, 6, 3, v, y + run->at - origin); return true;
    case ukFrontLeafBody5: branchBackward(L, 6, 5, v, y + run->at - origin); return true;
    case ukFrontLeafJoint3: branchBackward(L, 3, 6, v, y + run->at - origin); return true;
    case ukFrontLeafJoint5: branchBackward(L, 5, 6, v, y + run->at - origin); return true;
    case ukFrontRootBody: rootBackward(L, v); return true;
    default: return false;
    }
}

/* Twice, as in solvers/factor/kernel.c: the same operations in the same order. */
#define UKODE_BRANCH(suffix, target)                                                                                   \
    target static bool factorBranch##suffix(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in,  \
                                            int *status)                                                               \
    {                                                                                                                  \
        return factorBranch(factor, plan, f, in, status);                                                              \
    }                                                                                                                  \
    target static bool forwardBranch##suffix(const double *panels, const ukSymbolic *plan, const ukFront *front,       \
                                             double *y, int origin)                                                    \
    {                                                                                                                  \
        return forwardBranch(panels, plan, front, y, origin);                                                          \
    }                                                                                                                  \
    target static bool backwardBranch##suffix(const double *panels, const ukSymbolic *plan, const ukFront *front,      \
                                              double *y, int origin)                                                   \
    {                                                                                                                  \
        return backwardBranch(panels, plan, front, y, origin);                                                         \
    }

UKODE_FOR_PROCESSORS(UKODE_BRANCH)

bool ukBranchFactor(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in, int *status)
{
    return UKODE_CHOSEN(factorBranch)(factor, plan, f, in, status);
}

bool ukBranchForward(const double *panels, const ukSymbolic *plan, const ukFront *front, double *y, int origin)
{
    return UKODE_CHOSEN(forwardBranch)(panels, plan, front, y, origin);
}

bool ukBranchBackward(const double *panels, const ukSymbolic *plan, const ukFront *front, double *y, int origin)
{
    return UKODE_CHOSEN(backwardBranch)(panels, plan, front, y, origin);
}
