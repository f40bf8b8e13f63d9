#include "solvers/sparse.h"

#include "solvers/status.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* K = A M^-1 A' + S in row profile (skyline) form, K = L D L', rows in the problem's own order. */
struct ukSparse {
    int bodies, blocks, rows, slots;
    ukBlock *block;
    int *body;                    /* structure of the plan */
    int *start, *at;              /* incidences: body i has at[start[i]] ... , pairs (block, column offset) */
    int *first;                   /* first column of each row's profile */
    size_t *row;                  /* L(i,j) = L[row[i] + j - first[i]] */
    double *L, *D, *own;          /* own: K_ii before elimination */
    double *work, *x, *l, *shift; /* scratch */
    unsigned char *held;
    const ukProblem *p;
    size_t capacity[12];
};

static bool grow(void *where, size_t *capacity, size_t bytes)
{
    void **array = where;
    if (bytes <= *capacity) return true;
    free(*array);
    *array = malloc(bytes);
    *capacity = *array ? bytes : 0;
    return *array != NULL;
}

ukSparse *ukSparseCreate(void)
{
    return calloc(1, sizeof(ukSparse));
}

void ukSparseDestroy(ukSparse *s)
{
    if (!s) return;
    void *all[] = {s->block, s->body, s->start, s->at, s->first, s->row, s->L, s->D, s->work, s->held};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    free(s);
}

static int slotsOf(const ukProblem *p)
{
    int n = 0;
    for (int k = 0; k < p->blocks; k++)
        if (p->block[k].slot + p->block[k].slots > n) n = p->block[k].slot + p->block[k].slots;
    return n;
}

static bool planned(const ukSparse *s, const ukProblem *p, int slots)
{
    return s->block && s->bodies == p->bodies && s->blocks == p->blocks && s->rows == p->rows && s->slots == slots &&
           (p->blocks == 0 || memcmp(s->block, p->block, (size_t)p->blocks * sizeof *p->block) == 0) &&
           (slots == 0 || memcmp(s->body, p->body, (size_t)slots * sizeof *p->body) == 0);
}

int ukSparsePlan(ukSparse *s, const ukProblem *p)
{
    const int slots = slotsOf(p);
    if (planned(s, p, slots)) return ukOk;
    const size_t m = (size_t)p->rows + 1, n = (size_t)p->bodies + 1;
    s->bodies = -1;
    if (!grow(&s->block, s->capacity, ((size_t)p->blocks + 1) * sizeof *s->block) ||
        !grow(&s->body, s->capacity + 1, ((size_t)slots + 1) * sizeof *s->body) ||
        !grow(&s->start, s->capacity + 2, (n + 1) * sizeof *s->start) ||
        !grow(&s->at, s->capacity + 3, 2 * ((size_t)slots + 1) * sizeof *s->at) ||
        !grow(&s->first, s->capacity + 4, m * sizeof *s->first) ||
        !grow(&s->row, s->capacity + 5, m * sizeof *s->row) || !grow(&s->D, s->capacity + 6, 7 * m * sizeof *s->D) ||
        !grow(&s->work, s->capacity + 7, 18 * n * sizeof *s->work) || !grow(&s->held, s->capacity + 8, m))
        return ukErrorMemory;
    s->own = s->D + m, s->l = s->D + 2 * m, s->shift = s->D + 3 * m;
    s->x = s->work + 6 * n;

    /* the blocks of every body */
    memset(s->start, 0, (n + 1) * sizeof *s->start);
    for (int k = 0; k < p->blocks; k++)
        for (int c = 0; c < p->block[k].slots; c++)
            if (p->body[p->block[k].slot + c] >= 0) s->start[p->body[p->block[k].slot + c] + 2]++;
    for (size_t i = 2; i <= n; i++) s->start[i] += s->start[i - 1];
    for (int k = 0; k < p->blocks; k++)
        for (int c = 0; c < p->block[k].slots; c++) {
            const int i = p->body[p->block[k].slot + c];
            if (i < 0) continue;
            s->at[2 * s->start[i + 1]] = k;
            s->at[2 * s->start[i + 1]++ + 1] = c;
        }

    /* a row reaches back to the first row that shares a body with it */
    size_t size = 0;
    for (int k = 0; k < p->blocks; k++) {
        int first = p->block[k].row;
        for (int c = 0; c < p->block[k].slots; c++) {
            const int i = p->body[p->block[k].slot + c];
            if (i >= 0 && p->block[s->at[2 * s->start[i]]].row < first) first = p->block[s->at[2 * s->start[i]]].row;
        }
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            s->first[i] = first;
            s->row[i] = size;
            size += (size_t)(i - first);
        }
    }
    s->row[p->rows] = size;
    if (!grow(&s->L, s->capacity + 9, (size + 1) * sizeof *s->L)) return ukErrorMemory;
    if (p->blocks > 0) memcpy(s->block, p->block, (size_t)p->blocks * sizeof *p->block);
    if (slots > 0) memcpy(s->body, p->body, (size_t)slots * sizeof *p->body);
    s->blocks = p->blocks, s->rows = p->rows, s->slots = slots, s->bodies = p->bodies;
    return ukOk;
}

static bool positive(double mass, const double *I)
{
    const double b = I[4] - I[3] * I[1] / I[0];
    const double l = (I[7] - I[6] * I[1] / I[0]) / b;
    return mass > 0 && I[0] > 0 && b > 0 && I[8] - I[6] * I[2] / I[0] - l * (I[5] - I[3] * I[2] / I[0]) > 0;
}

/* y (6) = M_i^-1 x */
static void accelerate(const ukProblem *p, int i, const double *x, double *y)
{
    const double *I = p->inverse_inertia + 9 * (size_t)i;
    for (int c = 0; c < 3; c++) {
        y[c] = x[c] / p->mass[i];
        y[3 + c] = I[3 * c] * x[3] + I[3 * c + 1] * x[4] + I[3 * c + 2] * x[5];
    }
}

static const double *coefficients(const ukProblem *p, int k, int row, int c)
{
    const ukBlock *b = p->block + k;
    return p->A + b->A + (size_t)(row * 6 * b->slots + 6 * c);
}

static void assemble(ukSparse *s, const ukProblem *p, const double *softness)
{
    memset(s->L, 0, s->row[p->rows] * sizeof *s->L);
    for (int i = 0; i < p->rows; i++) s->D[i] = softness ? softness[i] : 0;
    for (int i = 0; i < p->bodies; i++)
        for (int e = s->start[i]; e < s->start[i + 1]; e++) {
            const int k = s->at[2 * e];
            for (int r = 0; r < p->block[k].rows; r++) {
                const int row = p->block[k].row + r;
                double y[6];
                accelerate(p, i, coefficients(p, k, r, s->at[2 * e + 1]), y);
                for (int f = s->start[i]; f <= e; f++) {
                    const int l = s->at[2 * f], rows = f < e ? p->block[l].rows : r + 1;
                    for (int q = 0; q < rows; q++) {
                        const double *J = coefficients(p, l, q, s->at[2 * f + 1]);
                        const int column = p->block[l].row + q;
                        double sum = 0;
                        for (int c = 0; c < 6; c++) sum += J[c] * y[c];
                        if (column == row)
                            s->D[row] += sum;
                        else
                            s->L[s->row[row] + (size_t)(column - s->first[row])] += sum;
                    }
                }
            }
        }
}

int ukSparseFactor(ukSparse *s, const ukProblem *p, const unsigned char *held, const double *softness)
{
    s->p = p;
    for (int i = 0; i < p->bodies; i++)
        if (!positive(p->mass[i], p->inertia + 9 * (size_t)i)) return ukErrorMass;
    for (int i = 0; i < p->rows; i++) s->held[i] = held ? held[i] : 1;
    assemble(s, p, softness ? softness : p->softness);
    memcpy(s->own, s->D, (size_t)p->rows * sizeof *s->own);

    for (int i = 0; i < p->rows; i++) {
        double *Li = s->L + s->row[i];
        if (!s->held[i]) {
            memset(Li, 0, (size_t)(i - s->first[i]) * sizeof *Li);
            s->D[i] = s->own[i] = 1;
            continue;
        }
        for (int j = s->first[i]; j < i; j++) {
            if (!s->held[j]) {
                Li[j - s->first[i]] = 0;
                continue;
            }
            const int from = s->first[i] > s->first[j] ? s->first[i] : s->first[j];
            const double *Lj = s->L + s->row[j];
            double sum = Li[j - s->first[i]];
            for (int c = from; c < j; c++) sum -= Li[c - s->first[i]] * Lj[c - s->first[j]];
            Li[j - s->first[i]] = sum;
        }
        for (int j = s->first[i]; j < i; j++) {
            const double v = Li[j - s->first[i]];
            Li[j - s->first[i]] = v / s->D[j];
            s->D[i] -= v * v / s->D[j];
        }
        if (!(s->D[i] > 16 * DBL_EPSILON * s->own[i])) return ukErrorSingular;
    }
    return ukOk;
}

/* l = (K + S)^-1 l */
static void substitute(const ukSparse *s, double *l)
{
    for (int i = 0; i < s->rows; i++)
        for (int j = s->first[i]; j < i; j++) l[i] -= s->L[s->row[i] + (size_t)(j - s->first[i])] * l[j];
    for (int i = 0; i < s->rows; i++) l[i] /= s->D[i];
    for (int i = s->rows - 1; i >= 0; i--)
        for (int j = s->first[i]; j < i; j++) l[j] -= s->L[s->row[i] + (size_t)(j - s->first[i])] * l[i];
}

void ukSparseSolve(ukSparse *s, const double *f, const double *r, double *x, double *l)
{
    const ukProblem *p = s->p;
    const size_t n = 6 * (size_t)p->bodies;
    memset(s->work, 0, n * sizeof *s->work);
    if (f) memcpy(s->work, f, n * sizeof *s->work);
    ukProblemAccelerate(p, s->work, x);
    ukProblemApply(p, x, l);
    for (int i = 0; i < p->rows; i++) l[i] = s->held[i] ? (r ? r[i] : 0) - l[i] : 0;
    substitute(s, l);
    ukProblemApplyTransposed(p, l, s->work);
    ukProblemAccelerate(p, s->work, x);
}

/* y = K l */
static void applyK(ukSparse *s, const double *l, double *y)
{
    const size_t n = 6 * (size_t)s->p->bodies;
    memset(s->work, 0, n * sizeof *s->work);
    ukProblemApplyTransposed(s->p, l, s->work);
    ukProblemAccelerate(s->p, s->work, s->x);
    ukProblemApply(s->p, s->x, y);
}

int ukSparseSolveProblem(ukSparse *s, const ukProblem *p, double rank_tolerance, ukSolution *solution)
{
    int status = ukSparsePlan(s, p);
    if (status != ukOk) return status;
    const size_t n = 6 * (size_t)p->bodies, m = (size_t)p->rows;
    double *r = s->shift, *y = r + m, *z = y + m;
    status = ukSparseFactor(s, p, NULL, NULL);
    if (status == ukErrorMass) return status;
    solution->rank = p->rows;
    solution->active = p->rows;
    solution->pivots = 0;
    solution->residual = 0;
    if (status == ukOk) {
        double *f = solution->qdd;
        memcpy(f, p->Q, n * sizeof *f);
        for (size_t i = 0; p->C && i < n; i++) f[i] += p->C[i];
        double *x = s->x;
        ukSparseSolve(s, f, p->b, x, solution->lambda);
        memcpy(solution->qdd, x, n * sizeof *x);
        return ukOk;
    }
    /* dependent rows: l += G (r - K l), G = (K + eps)^-1 K (K + eps)^-1, which creates nothing outside range(K) */
    double largest = 0;
    for (size_t i = 0; i < m; i++) largest = fmax(largest, s->own[i]);
    const double eps = largest * fmax(1e-9, rank_tolerance * rank_tolerance);
    for (size_t i = 0; i < m; i++) r[i] = eps + (p->softness ? p->softness[i] : 0);
    status = ukSparseFactor(s, p, NULL, r);
    if (status != ukOk) return status;
    solution->rank = 0;
    for (size_t i = 0; i < m; i++) solution->rank += s->D[i] > sqrt(eps / largest) * s->own[i];
    memcpy(s->work, p->Q, n * sizeof *s->work);
    for (size_t i = 0; p->C && i < n; i++) s->work[i] += p->C[i];
    ukProblemAccelerate(p, s->work, solution->qdd);
    ukProblemApply(p, solution->qdd, r);
    for (size_t i = 0; i < m; i++) r[i] = p->b[i] - r[i], solution->lambda[i] = 0;
    for (int pass = 0; pass < 6; pass++) {
        applyK(s, solution->lambda, y);
        for (size_t i = 0; i < m; i++) y[i] = r[i] - y[i] - (p->softness ? p->softness[i] * solution->lambda[i] : 0);
        substitute(s, y);
        applyK(s, y, z);
        substitute(s, z);
        for (size_t i = 0; i < m; i++) solution->lambda[i] += z[i];
    }
    memcpy(s->work, p->Q, n * sizeof *s->work);
    for (size_t i = 0; p->C && i < n; i++) s->work[i] += p->C[i];
    ukProblemApplyTransposed(p, solution->lambda, s->work);
    ukProblemAccelerate(p, s->work, solution->qdd);
    return ukOk;
}
