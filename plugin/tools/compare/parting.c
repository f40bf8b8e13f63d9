/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/compare/parting.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double apart = 1e-6; /* [m or rad] */

static void appendText(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void appendText(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

static void addName(char *text, size_t size, const char *name)
{
    if (*name) appendText(text, size, " (%s)", name);
}

/* ---- the joint whose reaction differs most ----------------------------------------------------------------------- */

typedef struct Worst {
    int x, y;    /* its indices in both; -1: none */
    double most; /* by how much a component of it differs [N or N m] */
    bool any;    /* of some joint both reactions are known */
} Worst;

static double largestForceDifference(const double *f, const double *g)
{
    double most = 0;
    for (int c = 0; c < 6; c++)
        if (!(fabs(f[c] - g[c]) <= most)) most = fabs(f[c] - g[c]);
    return most;
}

static Worst worstOf(const Walk *x, const Walk *y)
{
    Worst w = {.x = -1, .y = -1};
    for (int i = 0, k = 0; differencePairJoints(x, y, &i, &k); i++, k++) {
        const WalkJoint *const p = &x->joint[i], *const q = &y->joint[k];
        if (!p->force_known || !q->force_known || strcmp(p->type, q->type) != 0) continue;
        w.any = true;
        const double most = largestForceDifference(p->force, q->force);
        if (!(most <= w.most)) w = (Worst){i, k, most, true};
    }
    return w;
}

/* its components that differ by a hundredth of the one that differs most, or more */
static void describeComponents(const WalkJoint *p, const WalkJoint *q, double most, char *text, size_t size)
{
    static const char *const name[] = {"force x", "force y", "force z", "torque x", "torque y", "torque z"};
    bool first = true;
    for (int c = 0; c < 6; c++) {
        const double differs = fabs(p->force[c] - q->force[c]);
        if (differs < 0.01 * most) continue;
        appendText(text, size, "%s %s by %.3g of %.3g %s", first ? "" : ",", name[c], differs, fabs(p->force[c]),
                   c < 3 ? "N" : "N m");
        first = false;
    }
}

static void describeReactions(const Walk *x, const Walk *y, char *text, size_t size)
{
    const Worst w = worstOf(x, y);
    if (!w.any && x->joints > 0 && y->joints > 0)
        appendText(text, size, " No joint has a dJointFeedback, so their reactions cannot be compared.");
    if (!w.any) return;
    if (w.x < 0) {
        appendText(text, size, " All joint reactions are the same at this step.");
        return;
    }
    const WalkJoint *const p = &x->joint[w.x], *const q = &y->joint[w.y];
    appendText(text, size, " The reaction with the largest difference is that of %s joint %lld", q->type,
               (long long)q->key);
    addName(text, size, q->name);
    appendText(text, size, ":");
    describeComponents(p, q, w.most, text, size);
    appendText(text, size, ".");
}

/* ---- rows and contacts ------------------------------------------------------------------------------------------- */

static void describeCount(const char *what, int64_t x, int64_t y, const char *where, char *text, size_t size)
{
    if (x >= 0 && y >= 0 && x != y)
        appendText(text, size, " There are %lld %s at this step, %lld %s.", (long long)y, what, (long long)x, where);
}

static void describeRows(const Walk *x, const Walk *y, const char *where, char *text, size_t size)
{
    describeCount("contacts", x->contacts, y->contacts, where, text, size);
    if (x->contacts == y->contacts && !differenceSameContacts(x, y))
        appendText(text, size, " Different bodies are in contact.");
    describeCount("rows", x->rows, y->rows, where, text, size);
    describeCount("active rows", x->active, y->active, where, text, size);
    describeCount("independent rows", x->rank, y->rank, where, text, size);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void describeFirst(Parting *p, const Walk *x, const Walk *y, const Difference *d, const char *where)
{
    char *const text = p->first;
    const size_t size = sizeof p->first;
    snprintf(text, size,
             "%s step %lld, %.4g s:", y->number == p->number + 1 ? "The runs diverge at" : "The runs have diverged by",
             (long long)y->number, y->time);
    if (d->farthest >= 0) {
        const WalkBody *const b = &y->body[d->farthest];
        appendText(text, size, " body %lld", (long long)b->key);
        addName(text, size, b->name);
        appendText(text, size, " is %.3g m and %.3g rad from its pose %s.", d->farthest_position, d->farthest_angle,
                   where);
    } else {
        appendText(text, size, " the bodies are not the same %s.", where);
    }
    describeReactions(x, y, text, size);
    describeRows(x, y, where, text, size);
}

void partingTake(Parting *p, const Walk *x, const Walk *y, const Difference *d, const char *where)
{
    const bool together = d->position <= apart && d->orientation <= apart && d->alike;
    if (!p->parted && !together) describeFirst(p, x, y, d, where);
    p->parted = p->parted || !together;
    p->compared++;
    p->number = y->number;
    if (d->farthest >= 0)
        snprintf(p->latest, sizeof p->latest, "At the end, %.4g s, body %lld differs most: %.3g m, %.3g rad.", y->time,
                 (long long)y->body[d->farthest].key, d->farthest_position, d->farthest_angle);
    else
        snprintf(p->latest, sizeof p->latest, "At the end, %.4g s, all bodies are at their poses %s.", y->time, where);
}

void partingDescribe(const Parting *p, const char *where, char *text, size_t size)
{
    if (p->parted)
        snprintf(text, size, "%s %s", p->first, p->latest);
    else if (p->compared == 0)
        snprintf(text, size, "The runs have no common step with recorded states.");
    else
        snprintf(text, size,
                 "The runs do not diverge: after each step (of %d) every body is within %g m or rad of its pose %s.",
                 p->compared, apart, where);
}
