#include "solvers/factor.h"

#include "solvers/branch.h"
#include "solvers/status.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static bool grow(void *where, size_t *capacity, size_t bytes)
{
    void **array = where;
    if (bytes <= *capacity) return true;
    free(*array);
    *array = malloc(bytes);
    *capacity = *array ? bytes : 0;
    return *array != NULL;
}

int ukFactorReserve(ukFactor *f, const ukSymbolic *plan)
{
    const size_t n = 6 * (size_t)plan->bodies + (size_t)plan->rows + 2, d = sizeof(double);
    const bool ok = grow(&f->L, f->capacity, (plan->factor + 2) * d) &&
                    grow(&f->stack, f->capacity + 1, (plan->stack + 2) * d) && grow(&f->own, f->capacity + 2, n * d) &&
                    grow(&f->pivot, f->capacity + 3, n * d) && grow(&f->floor, f->capacity + 4, n * d) &&
                    grow(&f->work, f->capacity + 5, 4 * n * d) && grow(&f->shifted, f->capacity + 6, n * sizeof(int));
    return ok ? ukOk : ukErrorMemory;
}

void ukFactorFree(ukFactor *f)
{
    void *all[] = {f->L, f->stack, f->own, f->pivot, f->floor, f->work, f->shifted};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    *f = (ukFactor){0};
}

/* mass and inertia (row-major, symmetric) positive definite; NaN is not */
static bool positive(double mass, const double *I)
{
    const double a = I[4] * I[8] - I[5] * I[7], b = I[3] * I[8] - I[5] * I[6], c = I[3] * I[7] - I[4] * I[6];
    return mass > 0 && mass <= DBL_MAX && I[0] > 0 && I[0] * I[4] - I[1] * I[3] > 0 &&
           I[0] * a - I[1] * b + I[2] * c > 0;
}

/* the bodies' own mass matrices, and the coefficients of their rows below */
UKODE_INLINE void placeBodies(double *F, int ld, int pivots, const ukFront *front, const ukSymbolic *plan,
                              const ukProblem *p, const unsigned char *held)
{
    for (int j = 0; j < pivots; j += 6) {
        const size_t i = (size_t)((-1 - plan->row[front->at + j]) / 6);
        const double *I = p->inertia + 9 * i;
        double *own = F + j * (ld + 1);
        for (int c = 0; c < 3; c++) {
            own[c * (ld + 1)] = p->mass[i];
            for (int r = 0; r < 3; r++) own[(3 + c) * ld + 3 + r] = I[3 * r + c];
        }
    }
    for (int k = 0; k < front->entries; k++) {
        const ukEntry *e = plan->entry + front->entry + k;
        const double *A = p->A + e->A;
        double *to = F + e->column * ld + e->at;
        for (int r = 0; r < e->rows; r++, A += e->stride) {
            if (held && !held[e->row + r]) continue;
            for (int c = 0; c < 6; c++) to[c * ld + r] = A[c];
        }
    }
}

/* softness of the rows, and their coefficients on bodies that go later */
UKODE_INLINE void placeRows(double *F, int ld, int pivots, const ukFront *front, const ukSymbolic *plan,
                            const ukProblem *p, const unsigned char *held, const double *softness)
{
    for (int j = 0; j < pivots; j++) {
        const int row = plan->row[front->at + j];
        F[j * (ld + 1)] = held && !held[row] ? -1 : softness ? -softness[row] : 0;
    }
    for (int k = 0; k < front->entries; k++) {
        const ukEntry *e = plan->entry + front->entry + k;
        const double *A = p->A + e->A;
        for (int r = 0; r < e->rows; r++, A += e->stride)
            if (!held || held[e->row + r]) memcpy(F + (e->at + r) * ld + e->column, A, 6 * sizeof *A);
    }
}

UKODE_INLINE void addRun(double *to, const double *from, int count)
{
    int x = 0;
    for (; x + 1 < count; x += 2) ukStorePair(to + x, ukLoadPair(to + x) + ukLoadPair(from + x));
    if (x < count) to[x] += from[x];
}

/* adds the columns of a child's Schur complement that are pivots here (panel), or those that are not (U) */
static void addChild(const ukFront *front, const ukFront *child, const ukRun *run, const double *S, double *F,
                     double *U, bool pivots)
{
    for (int b = 0, column = 0; b < child->runs; column += run[b].count, b++)
        for (int y = 0; y < run[b].count; y++) {
            const int to = run[b].to + y;
            if ((to < front->p) != pivots) continue;
            double *target = pivots ? F + (size_t)to * (size_t)front->ld
                                    : U + (size_t)(to - front->p) * (size_t)front->ldu - front->p;
            const double *source = S + (size_t)(column + y) * (size_t)child->ldu + column + y;
            addRun(target + to, source, run[b].count - y);
            source += run[b].count - y;
            for (int a = b + 1; a < child->runs; source += run[a].count, a++)
                addRun(target + run[a].to, source, run[a].count);
        }
}

static void addChildren(const ukSymbolic *plan, int f, double *stack, double *F, double *U, bool pivots)
{
    const ukFront *front = plan->front + f;
    for (int c = f - 1; c >= front->first; c = plan->front[c].first - 1) {
        const ukFront *child = plan->front + c;
        addChild(front, child, plan->run + child->run, stack + child->U, F, U, pivots);
    }
}

/* what the rows of a body lost to it (J P^-1 J' > 0) is the measure for their own pivots */
UKODE_INLINE void measure(const ukFront *front, const ukSymbolic *plan, const double *U, double *own)
{
    for (int r = 0; r < front->runs; r++) {
        const ukRun *run = plan->run + front->run + r;
        for (int x = 0; x < run->count; x++, U += front->ldu + 1) own[run->at + x] -= *U;
    }
}

typedef struct Input {
    const ukProblem *p;
    const unsigned char *held;
    const double *softness;
    double least, floor;
} Input;

/* The front's matrix is gathered and its pivots are eliminated. */
static int frontOf(ukFactor *factor, const ukSymbolic *plan, int f, const Input *in)
{
    const ukFront *front = plan->front + f;
    const int p = front->p, n = p + front->u, ld = front->ld, ldu = front->ldu;
    double *F = factor->L + front->L, *own = factor->own + front->at, *d = factor->pivot + front->at;
    double *U = factor->stack + front->U, *floor = factor->floor, *t = factor->work;
    int *shifted = factor->shifted + factor->shifts;
    const bool body = front->body >= 0;

    memset(F, 0, (size_t)(ld * p) * sizeof *F);
    if (body)
        placeBodies(F, ld, p, front, plan, in->p, in->held);
    else
        placeRows(F, ld, p, front, plan, in->p, in->held, in->softness);
    addChildren(plan, f, factor->stack, F, NULL, true);
    for (int j = 0; j < p; j++) {
        if (body) {
            floor[j] = 0;
            continue;
        }
        const int row = plan->row[front->at + j];
        const double soft = in->softness ? in->softness[row] : 0;
        const bool held = !in->held || in->held[row];
        own[j] = held ? own[j] + soft : 1;
        floor[j] = !held ? 0 : soft > 0 ? 0.5 * soft : fmax(in->floor, in->least * own[j]);
        if (!(own[j] > floor[j])) own[j] = 1; /* a row without coefficients to speak of */
    }
    const double sign = body ? 1 : -1;
    const int count = n < 16 ? ukEliminate(F, ld, p, n, sign, floor, own, d, t, shifted, U, ldu)
                             : ukEliminateLarge(F, ld, p, n, sign, floor, own, d, t, shifted, U, ldu);
    if (body) {
        if (count > 0) return ukErrorMass;
        measure(front, plan, U, factor->own);
    } else {
        for (int k = 0; k < count; k++) shifted[k] += front->at;
        factor->shifts += count;
        if (front->doubtful) factor->doubtful += count;
        for (int j = 0; j < p; j++) factor->weak += -d[j] < 1e-6 * own[j];
    }
    if (front->rest) addChildren(plan, f, factor->stack, NULL, U, false);
    return ukOk;
}

/* mass matrix of a limb or pair, and what its children give */
UKODE_INLINE void placeMass(ukColumns *m, const ukFactor *factor, const ukSymbolic *plan, int f, const ukProblem *p)
{
    const ukFront *front = plan->front + f;
    const double *I = p->inertia + 9 * (size_t)front->body, mass = p->mass[front->body];
    UKODE_UNROLL
    for (int c = 0; c < 6; c++) {
        UKODE_UNROLL
        for (int k = c / 2; k < ukBranchPairs; k++) m->c[c][k] = ukBothOf(0);
    }
    m->c[0][0][0] = m->c[1][0][1] = m->c[2][1][0] = mass;
    m->c[3][1][1] = I[0], m->c[3][2] = (ukPair){I[3], I[6]};
    m->c[4][2] = (ukPair){I[4], I[7]};
    m->c[5][2][1] = I[8];
    for (int child = f - 1; child >= front->first; child = plan->front[child].first - 1) {
        const double *U = factor->stack + plan->front[child].U;
        UKODE_UNROLL
        for (int c = 0; c < 6; c++) {
            UKODE_UNROLL
            for (int k = c / 2; k < 3; k++) m->c[c][k] += ukLoadPair(U + 6 * c + 2 * k);
        }
    }
}

/* rows of a limb or pair from row 6 + at on */
UKODE_INLINE void placeJoint(ukColumns *m, const ukEntry *e, const double *values, const int r, const int at)
{
    const double *A = values + e->A;
    const size_t stride = (size_t)e->stride;
    UKODE_UNROLL
    for (int c = 0; c < 6; c++) {
        UKODE_UNROLL
        for (int k = 0; k < r; k++) m->c[c][3 + (at + k) / 2][(at + k) % 2] = A[(size_t)k * stride + (size_t)c];
    }
}

UKODE_INLINE int limbOf(ukFactor *factor, const ukSymbolic *plan, int f, const ukProblem *p, const int r)
{
    const ukFront *front = plan->front + f;
    ukColumns m;
    placeMass(&m, factor, plan, f, p);
    placeJoint(&m, plan->entry + front->entry, p->A, r, 0);
    return ukEliminateBranch(&m, 6, 6 + r, 1, NULL, factor->pivot + front->at, factor->L + front->L,
                             factor->stack + front->U)
               ? ukOk
               : ukErrorMass;
}

UKODE_INLINE int pairOf(ukFactor *factor, const ukSymbolic *plan, int f, const ukProblem *p, const int r)
{
    const ukFront *front = plan->front + f;
    const ukEntry *e = plan->entry + front->entry;
    const int swapped = e[0].at > e[1].at;
    ukColumns m;
    placeMass(&m, factor, plan, f, p);
    placeJoint(&m, e + swapped, p->A, r, 0);
    placeJoint(&m, e + !swapped, p->A, r, r);
    double *U = factor->stack + front->U;
    if (!ukEliminateBranch(&m, 6, 6 + 2 * r, 1, NULL, factor->pivot + front->at, factor->L + front->L, U))
        return ukErrorMass;
    measure(front, plan, U, factor->own);
    return ukOk;
}

/* False: a pivot vanished. */
UKODE_INLINE bool linkOf(ukFactor *factor, const ukSymbolic *plan, int f, const Input *in, const int r)
{
    const ukFront *front = plan->front + f;
    const double *S = factor->stack + plan->front[f - 1].U; /* of the pair: 2 r x 2 r */
    double *own = factor->own + front->at, *d = factor->pivot + front->at, *U = factor->stack + front->U, floor[6];
    const int ldu = (r + 1) & ~1;
    ukColumns m;
    UKODE_UNROLL
    for (int k = 0; k < r; k++) {
        UKODE_UNROLL
        for (int i = k / 2; i < r; i++) m.c[k][i] = ukLoadPair(S + k * 2 * r + 2 * i);
        const double soft = in->softness ? in->softness[plan->row[front->at + k]] : 0;
        m.c[k][k / 2] -= k % 2 ? (ukPair){0, soft} : (ukPair){soft, 0};
        own[k] += soft;
        floor[k] = soft > 0 ? 0.5 * soft : fmax(in->floor, in->least * own[k]);
    }
    for (int child = plan->front[f - 1].first - 1; child >= front->first; child = plan->front[child].first - 1) {
        const double *V = factor->stack + plan->front[child].U;
        UKODE_UNROLL
        for (int k = 0; k < r; k++) {
            UKODE_UNROLL
            for (int i = k; i < r; i++) m.c[k][i / 2][i % 2] += V[k * ldu + i];
        }
    }
    if (!ukEliminateBranch(&m, r, 2 * r, -1, floor, d, factor->L + front->L, U)) {
        UKODE_UNROLL
        for (int k = 0; k < r; k++) own[k] -= in->softness ? in->softness[plan->row[front->at + k]] : 0;
        return false;
    }
    UKODE_UNROLL
    for (int k = 0; k < r; k++) {
        UKODE_UNROLL
        for (int i = k; i < r; i++) U[k * ldu + i] += S[(r + k) * 2 * r + r + i];
        factor->weak += -d[k] < 1e-6 * own[k];
    }
    return true;
}

/* branch.h's joint: softness, what the body below gives, the coefficients on the body above. False: a pivot vanished.
 */
UKODE_INLINE bool jointOf(ukFactor *factor, const ukSymbolic *plan, int f, const Input *in, const int r)
{
    const ukFront *front = plan->front + f;
    const ukEntry *e = plan->entry + front->entry;
    const double *A = in->p->A + e->A, *U = factor->stack + plan->front[f - 1].U;
    const size_t stride = (size_t)e->stride;
    const int ldu = (r + 1) & ~1;
    double *own = factor->own + front->at, floor[6];
    ukColumns m;
    UKODE_UNROLL
    for (int k = 0; k < r; k++) {
        const double soft = in->softness ? in->softness[e->row + k] : 0;
        UKODE_UNROLL
        for (int i = k / 2; 2 * i < r; i++) m.c[k][i] = ukLoadPair(U + k * ldu + 2 * i);
        m.c[k][k / 2] -= k % 2 ? (ukPair){0, soft} : (ukPair){soft, 0};
        own[k] = -ukAt(&m, k, k);
        floor[k] = soft > 0 ? 0.5 * soft : fmax(in->floor, in->least * own[k]);
        const double *a = A + (size_t)k * stride;
        if (r % 2) {
            m.c[k][r / 2][1] = a[0];
            m.c[k][r / 2 + 1] = ukLoadPair(a + 1);
            m.c[k][r / 2 + 2] = ukLoadPair(a + 3);
            m.c[k][r / 2 + 3] = (ukPair){a[5], 0};
        } else {
            UKODE_UNROLL
            for (int i = 0; i < 3; i++) m.c[k][r / 2 + i] = ukLoadPair(a + 2 * i);
        }
    }
    double *d = factor->pivot + front->at;
    if (!ukEliminateBranch(&m, r, r + 6, -1, floor, d, factor->L + front->L, factor->stack + front->U)) return false;
    UKODE_UNROLL
    for (int k = 0; k < r; k++) factor->weak += -d[k] < 1e-6 * own[k];
    return true;
}

/* A spring's rows go one by one, each with pivot -softness (infinite: not held): U = sum of J' J / softness. */
static void springOf(ukFactor *factor, const ukSymbolic *plan, int f, const Input *in)
{
    const ukFront *front = plan->front + f;
    double *U = factor->stack + front->U, *d = factor->pivot + front->at, *J = factor->work;
    memset(U, 0, (size_t)(front->ldu * front->u) * sizeof *U);
    for (int k = 0; k < front->entries;) {
        const ukEntry *e = plan->entry + front->entry + k;
        int bodies = 1;
        while (k + bodies < front->entries && e[bodies].row == e->row) bodies++;
        for (int r = 0; r < e->rows; r++) {
            const double soft = in->softness ? in->softness[e->row + r] : 0;
            if (in->held && !in->held[e->row + r]) {
                d[e->at + r] = -INFINITY;
                continue;
            }
            d[e->at + r] = -soft;
            factor->own[front->at + e->at + r] = 1;
            if (!(soft > 0)) {
                factor->shifted[factor->shifts++] = front->at + e->at + r;
                d[e->at + r] = -1;
            }
            for (int c = 0; c < bodies; c++)
                memcpy(J + e[c].column - front->p, in->p->A + e[c].A + (size_t)(r * e[c].stride), 6 * sizeof *J);
            for (int c = 0; c < front->u; c++) {
                const ukPair t = ukBothOf(J[c] / -d[e->at + r]);
                double *column = U + c * front->ldu;
                for (int i = c & ~1; i < front->u; i += 2)
                    ukStorePair(column + i, ukLoadPair(column + i) + t * ukLoadPair(J + i));
            }
        }
        k += bodies;
    }
}

/* rows of a spring, then its bodies' part z of the right-hand side */
static void springForward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, const double *y,
                          double *z)
{
    const double *d = factor->pivot + front->at;
    for (const ukEntry *e = plan->entry + front->entry, *end = e + front->entries; e < end; e++)
        for (int r = 0; r < e->rows; r++) {
            const double t = y[e->at + r] / d[e->at + r], *A = factor->A + e->A + (size_t)(r * e->stride);
            for (int c = 0; c < 6; c++) z[e->column - front->p + c] -= A[c] * t;
        }
}

static void springBackward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y,
                           const double *z)
{
    const double *d = factor->pivot + front->at;
    for (const ukEntry *e = plan->entry + front->entry, *end = e + front->entries; e < end; e++)
        for (int r = 0; r < e->rows; r++) {
            const double *A = factor->A + e->A + (size_t)(r * e->stride), *x = z + e->column - front->p;
            y[e->at + r] -= (A[0] * x[0] + A[1] * x[1] + A[2] * x[2]) + (A[3] * x[3] + A[4] * x[4] + A[5] * x[5]);
        }
    for (int k = 0; k < front->p; k++) y[k] /= d[k];
}

int ukFactorCompute(ukFactor *factor, const ukSymbolic *plan, const ukProblem *p, const unsigned char *held,
                    const double *softness, double least, double floor)
{
    const Input in = {p, held, softness, least, floor};
    factor->A = p->A;
    factor->shifts = factor->doubtful = factor->weak = 0;
    for (int i = 0; i < p->bodies; i++)
        if (!positive(p->mass[i], p->inertia + 9 * (size_t)i)) return ukErrorMass;
    memset(factor->own, 0, (6 * (size_t)p->bodies + (size_t)p->rows) * sizeof *factor->own);
    for (int f = 0; f < plan->fronts; f++) {
        const ukFront *front = plan->front + f;
        int status = ukOk;
        bool done = true;
        switch (held && front->kind != ukFrontSpring ? ukFrontAny : front->kind) {
        case ukFrontSpring: springOf(factor, plan, f, &in); break;
        case ukFrontPair3: status = pairOf(factor, plan, f, p, 3); break;
        case ukFrontPair5: status = pairOf(factor, plan, f, p, 5); break;
        case ukFrontLink3: done = linkOf(factor, plan, f, &in, 3); break;
        case ukFrontLink5: done = linkOf(factor, plan, f, &in, 5); break;
        case ukFrontLimb3: status = limbOf(factor, plan, f, p, 3); break;
        case ukFrontLimb5: status = limbOf(factor, plan, f, p, 5); break;
        case ukFrontJoint3: done = jointOf(factor, plan, f, &in, 3); break;
        case ukFrontJoint5: done = jointOf(factor, plan, f, &in, 5); break;
        default: done = false;
        }
        if (!done) status = frontOf(factor, plan, f, &in);
        if (status != ukOk) return status;
    }
    return ukOk;
}

/* z (u) = y at the update rows, or back */
UKODE_INLINE void gather(const ukFront *front, const ukSymbolic *plan, const double *y, int origin, double *z)
{
    for (int r = 0; r < front->runs; r++) {
        const ukRun *run = plan->run + front->run + r;
        for (int x = 0; x < run->count; x++) *z++ = y[run->at - origin + x];
    }
    *z = 0;
}

UKODE_INLINE void scatter(const ukFront *front, const ukSymbolic *plan, const double *z, double *y, int origin)
{
    for (int r = 0; r < front->runs; r++) {
        const ukRun *run = plan->run + front->run + r;
        for (int x = 0; x < run->count; x++) y[run->at - origin + x] = *z++;
    }
}

void ukFactorSolve(const ukFactor *factor, const ukSymbolic *plan, int first, int last, double *y)
{
    if (first > last) return;
    double *buffer = factor->work;
    const int origin = plan->front[first].at;
    for (int f = first; f <= last; f++) {
        const ukFront *front = plan->front + f;
        const double *L = factor->L + front->L;
        double *v = y + front->at - origin, *z = front->kind ? y + plan->run[front->run].at - origin : NULL;
        switch (front->kind) {
        case ukFrontSpring:
            gather(front, plan, y, origin, buffer);
            springForward(factor, plan, front, v, buffer);
            scatter(front, plan, buffer, y, origin);
            break;
        case ukFrontPair3: ukForwardPair(L, 3, v, z, y + plan->run[front->run + 1].at - origin); break;
        case ukFrontPair5: ukForwardPair(L, 5, v, z, y + plan->run[front->run + 1].at - origin); break;
        case ukFrontLink3: ukForwardBranch(L, 3, 3, v, z); break;
        case ukFrontLink5: ukForwardBranch(L, 5, 5, v, z); break;
        case ukFrontLimb3: ukForwardBranch(L, 6, 3, v, z); break;
        case ukFrontLimb5: ukForwardBranch(L, 6, 5, v, z); break;
        case ukFrontJoint3: ukForwardBranch(L, 3, 6, v, z); break;
        case ukFrontJoint5: ukForwardBranch(L, 5, 6, v, z); break;
        default:
            gather(front, plan, y, origin, buffer);
            ukForward(L, front->ld, front->p, front->p + front->u, v, buffer);
            scatter(front, plan, buffer, y, origin);
        }
    }
    for (int f = last; f >= first; f--) {
        const ukFront *front = plan->front + f;
        const double *L = factor->L + front->L;
        double *v = y + front->at - origin, *z = front->kind ? y + plan->run[front->run].at - origin : NULL;
        switch (front->kind) {
        case ukFrontSpring:
            gather(front, plan, y, origin, buffer);
            springBackward(factor, plan, front, v, buffer);
            break;
        case ukFrontPair3: ukBackwardPair(L, 3, v, z, y + plan->run[front->run + 1].at - origin); break;
        case ukFrontPair5: ukBackwardPair(L, 5, v, z, y + plan->run[front->run + 1].at - origin); break;
        case ukFrontLink3: ukBackwardBranch(L, 3, 3, v, z); break;
        case ukFrontLink5: ukBackwardBranch(L, 5, 5, v, z); break;
        case ukFrontLimb3: ukBackwardBranch(L, 6, 3, v, z); break;
        case ukFrontLimb5: ukBackwardBranch(L, 6, 5, v, z); break;
        case ukFrontJoint3: ukBackwardBranch(L, 3, 6, v, z); break;
        case ukFrontJoint5: ukBackwardBranch(L, 5, 6, v, z); break;
        default:
            gather(front, plan, y, origin, buffer);
            ukBackward(L, front->ld, front->p, front->p + front->u, v, buffer);
        }
    }
}
