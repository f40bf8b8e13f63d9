/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/freedom_rank.c: the rank of the rows of a mechanism's joints. */
#include <math.h>
#include <stdlib.h>

#include "bridge/base/vector.h"
#include "plugin/tools/findings/freedom.h"
#include "solvers/base/status.h"
#include "solvers/equality/left_null.h"

/* two unit vectors that are perpendicular to a and to each other */
static void perpendicularTo(const double a[3], double p[3], double q[3])
{
    const int least = fabs(a[0]) < fabs(a[1]) ? (fabs(a[0]) < fabs(a[2]) ? 0 : 2) : (fabs(a[1]) < fabs(a[2]) ? 1 : 2);
    double e[3] = {0, 0, 0};
    e[least] = 1;
    ukCross(a, e, p);
    const double size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int k = 0; k < 3; k++) p[k] /= size > 0 ? size : 1;
    ukCross(a, p, q);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

typedef struct Rows {
    double *at; /* (count, width) */
    int count, width;
    double length;
} Rows;

/* velocity of the anchor of body 1 against body 2's along n, or angular velocity about it; as a unit row */
static void addUnitRow(Rows *rows, const Link *link, const double n[3], bool angular)
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
    perpendicularTo(link->axis[0], p, q);
    if (kind == KindBall || kind == KindHinge || kind == KindFixed || kind == KindUniversal || kind == KindHinge2)
        for (int k = 0; k < 3; k++) addUnitRow(rows, link, e[k], false);
    if (kind == KindSlider || kind == KindPiston) addUnitRow(rows, link, p, false), addUnitRow(rows, link, q, false);
    if (kind == KindFixed || kind == KindSlider)
        for (int k = 0; k < 3; k++) addUnitRow(rows, link, e[k], true);
    if (kind == KindHinge || kind == KindPiston) addUnitRow(rows, link, p, true), addUnitRow(rows, link, q, true);
    if (kind == KindUniversal || kind == KindHinge2) {
        ukCross(link->axis[0], link->axis[1], normal);
        addUnitRow(rows, link, normal, true);
    }
}

/* ---- rank -------------------------------------------------------------------------------------------------------- */

/* The rank of the rows, which are overwritten. Where it cannot be computed (no memory, no LAPACK) no row counts as
 * dependent, so that nothing is reported. */
static Rank rankOf(Rows *rows, double tolerance)
{
    const size_t m = (size_t)rows->count;
    Rank result = {.rows = rows->count, .rank = rows->count, .least = 1};
    double *const sigma = malloc(m * (m + 1) * sizeof *sigma);
    int rank;
    if (sigma && ukLeftNull(rows->count, rows->width, rows->at, tolerance, sigma + m, sigma, &rank) == ukOk) {
        result.rank = rank;
        result.least = rank > 0 ? sigma[rank - 1] : 0;
        result.rest = rank < rows->count ? sigma[rank] : 0;
    }
    free(sigma);
    return result;
}

Rank mechanismRank(const Mechanism *m, double tolerance)
{
    Rank result = {.rows = 0};
    size_t count = 0;
    for (int i = 0; i < m->links; i++) count += (size_t)kindRows(m->link[i].kind);
    Rows rows = {.width = 6 * m->bodies, .length = m->length};
    rows.at = calloc(count * (size_t)rows.width + 1, sizeof *rows.at);
    for (int i = 0; rows.at && i < m->links; i++) putLink(&rows, &m->link[i]);
    if (rows.at && count > 0) result = rankOf(&rows, tolerance);
    free(rows.at);
    return result;
}
