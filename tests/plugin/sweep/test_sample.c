/* SPDX-License-Identifier: BSD-3-Clause */
/* The values that a study draws have the distributions that its file states: every whole number of a range with its own
 * chance, both ends included; normal and even ones by Kolmogorov and Smirnov's test. One sample goes with each
 * combination of lists and grids, in turns. Sizes are powers of 1024. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/sweep/sample.h"
#include "tests/check.h"

enum { Draws = 4000 };

static Study read(const char *lines)
{
    Study study;
    char why[200] = "";
    char *const text = strdup(lines);
    if (!CHECK(text && studyRead(&study, text, why, sizeof why))) printf("%s\n", why), exit(1);
    free(text);
    return study;
}

static double drawn(const Study *study, int variable, long point)
{
    Text text = {0};
    sampleValue(study, variable, point, &text);
    const double x = text.at ? strtod(text.at, NULL) : (double)NAN;
    textFree(&text);
    return x;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* the largest distance of the draws' distribution from F, times the root of their number: above 2 once in 1500 times */
static double distance(const Study *study, int variable, double (*F)(double))
{
    static double x[Draws];
    double most = 0;
    for (int i = 0; i < Draws; i++) x[i] = drawn(study, variable, i + 1);
    qsort(x, Draws, sizeof *x, compare);
    for (int i = 0; i < Draws; i++) {
        const double f = F(x[i]);
        most = fmax(most, fmax(f - (double)i / Draws, (double)(i + 1) / Draws - f));
    }
    return most * sqrt(Draws);
}

static double normalOf3(double x)
{
    return 0.5 * erfc(-(x - 3) / 0.5 / sqrt(2));
}
static double evenTo1(double x)
{
    return fmin(fmax(0.5 * (x + 1), 0), 1);
}
static double decades(double x)
{
    return fmin(fmax(log10(x) / 3, 0), 1);
}

static void distributions(void)
{
    for (int seed = 1; seed < 4; seed++) {
        char text[200];
        snprintf(
            text, sizeof text,
            "vary bell normal 3 0.5\nvary dice random -1 1\nvary size random 1 1000 log\nsamples = 4000\nseed = %d\n",
            seed);
        Study s = read(text);
        CHECK(distance(&s, 0, normalOf3) < 2);
        CHECK(distance(&s, 1, evenTo1) < 2);
        CHECK(distance(&s, 2, decades) < 2);
        CHECK(distance(&s, 1, normalOf3) > 10); /* it can fail */
        studyFree(&s);
    }
}

/* Whole numbers: the interval [k, k + 1) of [low, high + 1), by its length or by the ratio of its ends. */
static void wholeNumbers(bool logarithmic, const char *kind)
{
    const int low = 2, high = 9;
    int count[16] = {0};
    char text[100];
    snprintf(text, sizeof text, "vary n %s %d %d whole%s\nsamples = 4000\n", kind, low, high,
             logarithmic ? " log" : "");
    Study s = read(text);
    for (int i = 1; i <= Draws; i++) {
        const double x = drawn(&s, 0, i);
        if (!CHECK(x == floor(x) && x >= low && x <= high)) break;
        count[(int)x]++;
    }
    for (int k = low; k <= high; k++) {
        const double chance = logarithmic ? log((k + 1.0) / k) / log((high + 1.0) / low) : 1.0 / (high + 1 - low);
        const double expected = Draws * chance, scatter = kind[0] == 'h' ? 20 : 5 * sqrt(expected);
        if (!CHECK_NEAR(count[k], expected, scatter)) printf("  %s, log %d: %d\n", kind, logarithmic, k);
    }
    studyFree(&s);
}

/* points 1 ... 6 are the combinations of the lists with the first sample, 7 ... 12 those with the second */
static void combinations(void)
{
    Study s = read("vary a in 1 2 3\nvary x random 0 1\nvary b from 4 to 5 count 2\nvary y halton 0 1\nsamples = 4\n");
    CHECK(studyPoints(&s) == 24);
    for (int point = 1; point <= 24; point++) {
        const int sample = (point - 1) / 6, at = (point - 1) % 6;
        CHECK(drawn(&s, 0, point) == 1 + at / 2 && drawn(&s, 2, point) == 4 + at % 2);
        CHECK(drawn(&s, 1, point) == drawn(&s, 1, 1 + 6 * sample));
        CHECK(drawn(&s, 3, point) == drawn(&s, 3, 1 + 6 * sample));
        if (sample > 0) CHECK(drawn(&s, 1, point) != drawn(&s, 1, point - 6));
    }
    for (int sample = 0; sample < 4; sample++)
        CHECK_NEAR(drawn(&s, 3, 1 + 6 * sample), sampleHalton(sample + 1, 0), 1e-14);
    studyFree(&s);
}

/* each name has its own numbers, and so has each seed */
static void independence(void)
{
    Study one = read("vary p random 0 1\nvary q random 0 1\nsamples = 50\nseed = 1\n");
    Study two = read("vary p random 0 1\nvary q random 0 1\nsamples = 50\nseed = 2\n");
    Study again = read("vary q random 0 1\nvary p random 0 1\nsamples = 50\nseed = 1\n");
    int alike = 0;
    for (int i = 1; i <= 50; i++) {
        alike += drawn(&one, 0, i) == drawn(&one, 1, i) || drawn(&one, 0, i) == drawn(&two, 0, i);
        CHECK(drawn(&one, 0, i) == drawn(&again, 1, i) && drawn(&one, 1, i) == drawn(&again, 0, i));
    }
    CHECK(alike == 0);
    studyFree(&one), studyFree(&two), studyFree(&again);
}

static void sizes(void)
{
    static const struct {
        const char *text;
        double bytes;
    } cases[] = {{"2G", 2147483648.0}, {"100M", 104857600}, {"4k", 4096}, {"1000", 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        snprintf(text, sizeof text, "vary x in 1\nmemory = %s\ndisk = %s\n", cases[i].text, cases[i].text);
        Study s = read(text);
        CHECK((double)s.memory == cases[i].bytes && (double)s.disk == cases[i].bytes);
        studyFree(&s);
    }
}

static void refused(const char *lines, const char *part)
{
    Study study;
    char why[200] = "";
    char *const text = strdup(lines);
    if (!CHECK(!studyRead(&study, text, why, sizeof why) && strstr(why, part))) printf("%s: %s\n", lines, why);
    free(text);
}

int main(void)
{
    distributions();
    for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
        wholeNumbers(logarithmic, "halton");
        wholeNumbers(logarithmic, "random");
    }
    combinations();
    independence();
    sizes();
    refused("vary x from -1e308 to 1e308 count 3\n", "farther than the largest number");
    refused("vary x from 1e-300 to 1e300 count 3 log\n", "farther than the largest number");
    refused("vary x halton -1e308 1e308\n", "farther than the largest number");
    refused("vary x random 1e-300 1e300 log\n", "farther than the largest number");
    refused("vary x in 1\nkeep /tmp/x\n", "is not within a run's folder");
    refused("vary x in 1\nkeep ../x\n", "is not within a run's folder");
    refused("vary x in 1\nkeep a/../../x\n", "is not within a run's folder");
    return ukTestEnd();
}
