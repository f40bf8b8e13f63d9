/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/freedom_rank.c: the rank of the rows of a mechanism's joints. */
#include <math.h>
#include <stdlib.h>

#include "bridge/base/vector.h"
#include "plugin/tools/findings/freedom.h"

/* two unit vectors that are perpendicular to a and to each other */
static void perpendicular(const double a[3], double p[3], double q[3])
{
    const int least = fabs(a[0]) < fabs(a[1]) ? (fabs(a[0]) < fabs(a[2]) ? 0 : 2) : (fabs(a[1]) < fabs(a[2]) ? 1 : 2);
    double e[3] = {0, 0, 0};
    e[least] = 1;
    ukCross(a, e, p);
    const double size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int k = 0; k < 3; k++) p[k] /= size > 0 ? size : 1;
    ukCross(a, p, q);
}

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

typedef struct Rows {
    double *at; /* (count, width) */
    int count, width;
    double length;
} Rows;

/* velocity of the anchor of body 1 against body 2's along n, or angular velocity about it; as a unit row */
static void put(Rows *rows, const Link *link, const double n[3], bool angular)
{
    double *const row = rows->at + (size_t)rows->count++ * (size_t)rows->width, sum = 0;
    for (int i = 0; i < 2; i++) {
        if (link->body[i] < 0) continue;
        const double sign = i ? -1 : 1;
        double *const own = row + 6 * link->body[i], lever[3];
        ukCross(link->arm[i], n, lever);
        for (int k = 0; k < 3; k++) {
            own[k] += angular ? 0 : sign * n[k];
            own[3 + k] += sign * (angular ? n[k] : lever[k] / rows->length);
        }
    }
    for (int k = 0; k < rows->width; k++) sum += row[k] * row[k];
    for (int k = 0; sum > 0 && k < rows->width; k++) row[k] /= sqrt(sum);
}

static void putLink(Rows *rows, const Link *link)
{
    static const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Kind kind = link->kind;
    double p[3], q[3], normal[3];
    perpendicular(link->axis[0], p, q);
    if (kind == KindBall || kind == KindHinge || kind == KindFixed || kind == KindUniversal || kind == KindHinge2)
        for (int k = 0; k < 3; k++) put(rows, link, e[k], false);
    if (kind == KindSlider || kind == KindPiston) put(rows, link, p, false), put(rows, link, q, false);
    if (kind == KindFixed || kind == KindSlider)
        for (int k = 0; k < 3; k++) put(rows, link, e[k], true);
    if (kind == KindHinge || kind == KindPiston) put(rows, link, p, true), put(rows, link, q, true);
    if (kind == KindUniversal || kind == KindHinge2) {
        ukCross(link->axis[0], link->axis[1], normal);
        put(rows, link, normal, true);
    }
}

/* ---- rank: eigenvalues of the rows' products, by Jacobi's rotations ---------------------------------------------------- */

static void rotate(double *g, int m, int i, int j)
{
    const double off = g[i * m + j];
    if (fabs(off) < 1e-17) return;
    const double angle = 0.5 * atan2(2 * off, g[j * m + j] - g[i * m + i]), c = cos(angle), s = sin(angle);
    for (int k = 0; k < m; k++) {
        const double x = g[k * m + i], y = g[k * m + j];
        g[k * m + i] = c * x - s * y, g[k * m + j] = s * x + c * y;
    }
    for (int k = 0; k < m; k++) {
        const double x = g[i * m + k], y = g[j * m + k];
        g[i * m + k] = c * x - s * y, g[j * m + k] = s * x + c * y;
    }
}

static void eigenvalues(double *g, int m)
{
    for (int sweep = 0; sweep < 12; sweep++) {
        double off = 0;
        for (int i = 0; i < m; i++)
            for (int j = i + 1; j < m; j++) {
                off = fmax(off, fabs(g[i * m + j]));
                rotate(g, m, i, j);
            }
        if (off < 1e-15) break;
    }
}

Rank mechanismRank(const Mechanism *m, double tolerance)
{
    Rank result = {0, 0, INFINITY};
    int count = 0;
    for (int i = 0; i < m->links; i++) count += kindRows(m->link[i].kind);
    Rows rows = {.width = 6 * m->bodies, .length = m->length};
    rows.at = calloc((size_t)count * (size_t)rows.width + 1, sizeof *rows.at);
    double *const g = calloc((size_t)count * (size_t)count + 1, sizeof *g);
    if (rows.at && g) {
        for (int i = 0; i < m->links; i++) putLink(&rows, &m->link[i]);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
                for (int k = 0; k < rows.width; k++)
                    g[i * count + j] += rows.at[i * rows.width + k] * rows.at[j * rows.width + k];
        eigenvalues(g, count);
        for (int i = 0; i < count; i++) {
            const double value = sqrt(fmax(g[i * count + i], 0));
            if (value <= tolerance) continue;
            result.rank++;
            result.least = fmin(result.least, value);
        }
    }
    result.rows = count;
    if (result.rank == 0) result.least = 0;
    free(rows.at);
    free(g);
    return result;
}
