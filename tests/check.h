/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/check.h: the checks that every test program is written with. A failed check prints where it stands and is
 * counted; the program ends with `return ukTestEnd();`, which is non-zero when any failed or none was made. */
#ifndef UKODE_TESTS_CHECK_H
#define UKODE_TESTS_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* one count a program, whichever of its files checks */
__attribute__((weak)) int ukTestPassed, ukTestFailed;

static inline bool ukTestCheck(bool ok, const char *what, const char *file, int line)
{
    if (ok)
        ukTestPassed++;
    else if (++ukTestFailed <= 20)
        printf("%s:%d: failed: %s\n", file, line, what);
    return ok;
}

static inline bool ukTestNear(double x, double y, double tolerance, const char *what, const char *file, int line)
{
    const bool ok = fabs(x - y) <= tolerance; /* false for NaN */
    if (ok)
        ukTestPassed++;
    else if (++ukTestFailed <= 20)
        printf("%s:%d: failed: %s: %.17g, expected %.17g, differ by %.3g > %.3g\n", file, line, what, x, y, fabs(x - y),
               tolerance);
    return ok;
}

static inline bool ukTestNearAll(const double *x, const double *y, size_t n, double tolerance, const char *what,
                                 const char *file, int line)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i] - y[i]) <= tolerance)) return ukTestNear(x[i], y[i], tolerance, what, file, line);
    return ukTestCheck(true, what, file, line);
}

/* each is true when the check holds; tolerances are absolute */
#define CHECK(condition) ukTestCheck((condition), #condition, __FILE__, __LINE__)
#define CHECK_NEAR(x, y, tolerance) ukTestNear((x), (y), (tolerance), #x " ~ " #y, __FILE__, __LINE__)
#define CHECK_NEAR_ALL(x, y, n, tolerance)                                                                             \
    ukTestNearAll((x), (y), (size_t)(n), (tolerance), #x " ~ " #y, __FILE__, __LINE__)

/* Of `rounds` of a loop whose rounds differ only in a seed or a moment, how many a build takes: all, and a fifth under
 * a sanitizer, which is several times slower and looks for faults of memory that each round would show. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define UKODE_TEST_SHARE 5
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UKODE_TEST_SHARE 5
#endif
#endif
#ifndef UKODE_TEST_SHARE
#define UKODE_TEST_SHARE 1
#endif
static inline int ukTestRounds(int rounds)
{
    return rounds > UKODE_TEST_SHARE ? rounds / UKODE_TEST_SHARE : rounds;
}

#ifdef UKODE_VALIDATE
/* bridge/watch/validate.h; a program without the library's objects has none */
__attribute__((weak)) int ukValidateFaults(void);
__attribute__((weak)) int ukTestFaultsMeant; /* that a test put in itself */
#endif

static inline int ukTestEnd(void)
{
#ifdef UKODE_VALIDATE
    if (ukValidateFaults && ukValidateFaults() != ukTestFaultsMeant)
        ukTestCheck(false, "records are what ODE's getters tell", __FILE__, 0);
#endif
    printf("%d passed, %d failed\n", ukTestPassed, ukTestFailed);
    return ukTestFailed != 0 || ukTestPassed == 0;
}

#endif
