/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/sample.h: the value of a variable at a point of a study. It depends only on the study and the
 * point, so that runs can be executed in any order, on any machine, and repeated.
 *
 * Lists and grids are enumerated, the last variable fastest; each sample of the other variables is combined with all of
 * these combinations, so that more samples add points after the existing ones.
 *
 * halton: the sequence of Halton, one prime per variable, digits reversed but for 0 (d to b - d), which keeps the
 * sequences of large primes from being alike: B. Vandewoestyne and R. Cools, Good permutations for deterministic
 * scrambled Halton sequences in terms of L2-discrepancy, J. Comput. Appl. Math. 189 (2006). random, normal: by a hash
 * of seed, name and sample (splitmix64: Steele, Lea and Flood, OOPSLA 2014). */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_SAMPLE_H
#define UKODE_PLUGIN_TOOLS_SWEEP_SAMPLE_H

#include "plugin/tools/sweep/study.h"

/* Writes the value of the variable at the point (from 1), as a text of at most 15 digits. */
void sampleValue(const Study *study, int variable, long point, Text *text);

/* The index-th number, from 1, of Halton's reversed sequence of the k-th prime, from 0: in (0, 1). */
double sampleHalton(long index, int k);

#endif
