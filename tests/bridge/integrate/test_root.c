/* SPDX-License-Identifier: BSD-3-Clause */
/* Roots of event functions: what is found lies past the root by no more than is accepted, and takes few evaluations, for
 * smooth functions, for roots of high order, and for roots at a tiny part of the bracket. */
#include <math.h>

#include "bridge/integrate/root.h"
#include "tests/check.h"

typedef double Function(double x, double root);

static double line(double x, double root)
{
    return root - x;
}

static double parabola(double x, double root)
{
    return (root - x) * (1 + 3 * x);
}

static double wave(double x, double root)
{
    return sin(2 * (root - x)) * exp(-x);
}

/* nearly level up to the root, and steep behind it */
static double late(double x, double root)
{
    return 1e-6 * root - (x > root ? 1e3 * (x - root) * (x - root) + 1e-6 * x : 1e-6 * x);
}

/* a gap that is hardly open: it closes at the root, and is deep at the end */
static double hardlyOpen(double x, double root)
{
    return root * root * root - x * x * x;
}

/* evaluations of all roots; *roots: how many these are */
static int count(Function *f, double accepted, int *roots)
{
    int sum = 0;
    for (double at = 1e-10; at < 1; at *= 1.7, ++*roots) {
        ukRoot root = ukRootOf(0, f(0, at), 1, f(1, at), accepted * fabs(f(1, at)), 1e-13);
        int own = 0;
        for (; own < 200 && !ukRootFound(&root); own++) {
            const double x = ukRootNext(&root);
            CHECK(x > root.lo && x < root.hi);
            ukRootAdd(&root, x, f(x, at));
        }
        CHECK(own < 200 && root.lo <= at && root.hi >= at && f(root.lo, at) >= 0 && f(root.hi, at) <= 0);
        CHECK(f(root.hi, at) >= -root.accepted || root.hi - root.lo <= 1e-13);
        sum += own;
    }
    return sum;
}

int main(void)
{
    static const struct {
        const char *name;
        Function *f;
        double most; /* evaluations of a root, on average */
    } of[] = {{"line", line, 1},
              {"parabola", parabola, 5.8},
              {"wave", wave, 4.2},
              {"late", late, 13},
              {"hardly open", hardlyOpen, 6.8}};
    static const double accepted[] = {1e-6, 1e-10, 1e-14};
    for (int i = 0; i < 5; i++) {
        int sum = 0, roots = 0;
        for (int k = 0; k < 3; k++) sum += count(of[i].f, accepted[k], &roots);
        if (!CHECK(sum <= of[i].most * roots)) printf("%s: %.2f evaluations\n", of[i].name, (double)sum / roots);
    }
    return ukTestEnd();
}
