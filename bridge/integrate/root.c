/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/root.h"

#include <math.h>

ukRoot ukRootOf(double lo, double at_lo, double hi, double at_hi, double accepted, double least)
{
    return (ukRoot){
        .lo = lo, .at_lo = at_lo, .hi = hi, .at_hi = at_hi, .accepted = accepted, .least = least, .before = INFINITY};
}

bool ukRootFound(const ukRoot *root)
{
    return root->at_hi >= -root->accepted || root->hi - root->lo <= root->least;
}

/* Halves a bracket; one that spans orders of magnitude in its logarithm, because a gap that is hardly open closes after
 * a tiny part of the step. */
static double bisectBracket(const ukRoot *root)
{
    const double from = fmax(root->lo, root->least);
    return root->hi > 16 * from ? sqrt(from * root->hi) : 0.5 * (root->lo + root->hi);
}

/* x of y = 0 on the parabola x(y) through three points; NaN where it is not monotone between them */
static double interpolateInverse(const ukRoot *root, double aim)
{
    const bool lower = root->left < root->lo; /* the third point is beyond lo, or beyond hi */
    const double a = lower ? root->lo : root->hi, fa = (lower ? root->at_lo : root->at_hi) + aim;
    const double b = lower ? root->hi : root->lo, fb = (lower ? root->at_hi : root->at_lo) + aim;
    const double c = root->left, fc = root->at_left + aim;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)) return NAN;
    return a + (b - a) * fa / (fb - fa) * (fc / (fb - fc)) + (c - a) * fa / (fc - fa) * (fb / (fc - fb));
}

double ukRootNext(const ukRoot *root)
{
    const double aim = 0.5 * root->accepted, from = root->at_lo + aim, past = root->at_hi + aim;
    double x = root->slow ? NAN : root->three ? interpolateInverse(root, aim) : NAN;
    if (!root->slow && !(x > root->lo && x < root->hi)) x = root->hi - past * (root->hi - root->lo) / (past - from);
    if (!(x > root->lo && x < root->hi)) x = bisectBracket(root);
    return x > root->lo && x < root->hi ? x : 0.5 * (root->lo + root->hi);
}

void ukRootAdd(ukRoot *root, double x, double y)
{
    const bool past = y < 0;
    root->left = past ? root->hi : root->lo;
    root->at_left = past ? root->at_hi : root->at_lo;
    root->three = true;
    if (past)
        root->hi = x, root->at_hi = y;
    else
        root->lo = x, root->at_lo = y;
    root->slow = !(fabs(y) < 0.25 * root->before);
    root->before = fabs(y);
}
