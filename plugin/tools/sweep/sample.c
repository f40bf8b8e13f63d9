/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/sample.h"

#include <math.h>

static const int primes[MostVariables] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29,  31,  37,  41,  43,  47,  53,
                                          59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131};

double sampleHalton(long index, int k)
{
    const int base = primes[k];
    double x = 0, place = 1;
    for (; index > 0; index /= base) {
        const long digit = index % base;
        place /= base;
        x += place * (double)(digit ? base - digit : 0);
    }
    return x;
}

static uint64_t mixBits(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* number `which` of the uniform random numbers in (0, 1) of a variable's sample: a hash of the arguments */
static double hashUniform(uint64_t seed, const char *name, long sample, int which)
{
    uint64_t x = mixBits(seed);
    for (; *name; name++) x = mixBits(x ^ (unsigned char)*name);
    x = mixBits(mixBits(x ^ (uint64_t)sample) ^ (uint64_t)which);
    return ((double)(x >> 12) + 0.5) * 0x1p-52;
}

/* number of combinations that lists and grids of the variables from `first` on have */
static long countCombinations(const Study *study, int first)
{
    long n = 1;
    for (int i = first; i < study->variables; i++) n *= study->variable[i].values;
    return n;
}

/* maps u in (0, 1) to the variable's range; whole numbers are equally likely, both ends included */
static double mapToRange(const Variable *v, double u)
{
    const double more = v->whole ? 1 : 0;
    const double x =
        v->logarithmic ? v->low * pow((v->high + more) / v->low, u) : v->low + u * (v->high + more - v->low);
    return v->whole ? fmin(floor(x), v->high) : x;
}

void sampleValue(const Study *study, int variable, long point, Text *text)
{
    const Variable *const v = &study->variable[variable];
    const long all = countCombinations(study, 0), sample = (point - 1) / all, at = (point - 1) % all;
    double x = 0;
    switch (v->kind) {
    case VariableList: textPrint(text, "%s", v->value[at / countCombinations(study, variable + 1) % v->values]); return;
    case VariableHalton: x = mapToRange(v, sampleHalton(sample + 1, v->order)); break;
    case VariableRandom: x = mapToRange(v, hashUniform(study->seed, v->name, sample, 0)); break;
    case VariableNormal: /* Box and Muller */
        x = v->low + v->high * sqrt(-2 * log(hashUniform(study->seed, v->name, sample, 0))) *
                         cos(2 * M_PI * hashUniform(study->seed, v->name, sample, 1));
        break;
    }
    textPrint(text, "%.15g", x);
}
