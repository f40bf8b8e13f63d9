/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/subtrees.h"

#include <stdbool.h>

/* As fractions of all work. */
static const struct {
    double top[3]; /* the top, which one thread does, may have at most this much work: the best of three is taken */
    double grain;  /* subtrees with less are not divided further */
} subtree_work = {.top = {0.02, 0.1, 0.4}, .grain = 1.0 / 16};

/* a set of fronts from which every front's ancestors are in it, too */
typedef struct Top {
    int fronts;
    const int *parent, *first;
    const double *work, *total; /* total: of the subtree */
    int lowest[ukMostSubtrees]; /* the top is these fronts and their ancestors */
    int count;
    double sum; /* of its work */
} Top;

static bool isInTop(const Top *top, int f)
{
    for (int k = 0; k < top->count; k++)
        if (top->first[f] <= top->lowest[k] && top->lowest[k] <= f) return true;
    return false;
}

/* The front from which on, downwards from f, more than one child has work worth a part; -1: there is none. */
static int findFork(const Top *top, int f, double grain)
{
    for (;;) {
        int heavy = -1, worthy = 0;
        for (int c = f - 1; c >= top->first[f]; c = top->first[c] - 1) {
            worthy += top->total[c] >= grain;
            if (heavy < 0 || top->total[c] > top->total[heavy]) heavy = c;
        }
        if (worthy > 1) return f;
        if (heavy < 0 || top->total[heavy] < 2 * grain) {
            return heavy >= 0 && top->total[f] - top->total[heavy] >= 2 * grain ? f : -1; /* many small children */
        }
        f = heavy;
    }
}

/* work of the path from f upwards to the first front of the top */
static double workAbove(const Top *top, int f)
{
    double sum = 0;
    for (; f >= 0 && !isInTop(top, f); f = top->parent[f]) sum += top->work[f];
    return sum;
}

/* Ranges of whole subtrees between the fronts of the top, with at least `grain` of work each where that is possible. */
static void divideRanges(const Top *top, double grain, ukSubtrees *out)
{
    double sum = 0;
    int begin = -1;
    for (int f = 0; f < top->fronts; f++) {
        const bool in_top = isInTop(top, f);
        if (!in_top && begin < 0) begin = f, sum = 0;
        if (!in_top) sum += top->work[f];
        if (begin < 0) continue;
        const bool ends = f + 1 == top->fronts || isInTop(top, f + 1) || isInTop(top, f);
        const bool root = top->parent[f] < 0 || isInTop(top, top->parent[f]);
        if (!ends && !(root && sum >= grain && out->parts + 1 < ukMostSubtrees)) continue;
        if (out->parts == ukMostSubtrees) return; /* the rest is done with the top */
        out->first[out->parts] = begin;
        out->last[out->parts++] = f;
        begin = -1;
    }
}

/* the work of the last one of two threads: parts, in their order, go to the thread that is free */
static double longestOf(const Top *top, const ukSubtrees *s, double all)
{
    double busy[2] = {0, 0}, rest = all;
    for (int k = 0; k < s->parts; k++) {
        double sum = 0;
        for (int f = s->first[k]; f <= s->last[k]; f++) sum += top->work[f];
        busy[busy[1] < busy[0]] += sum;
        rest -= sum;
    }
    return rest + (busy[0] > busy[1] ? busy[0] : busy[1]);
}

/* Chooses parts so that the top has at most `most` of work. */
static ukSubtrees chooseWithin(Top *top, double most, double grain, double all)
{
    ukSubtrees out = {.parts = 0, .all = all};
    top->count = 0;
    top->sum = 0;
    for (int root = top->fronts - 1; root >= 0; root = top->first[root] - 1) {
        int candidate[ukMostSubtrees], candidates = 0; /* subtrees yet to be divided */
        if (top->total[root] < 2 * grain) continue;
        candidate[candidates++] = root;
        while (candidates > 0 && top->count < ukMostSubtrees) {
            const int f = findFork(top, candidate[--candidates], grain);
            const double more = f < 0 ? 0 : workAbove(top, f);
            if (f < 0 || top->sum + more > most) continue;
            top->lowest[top->count++] = f;
            top->sum += more;
            for (int c = f - 1; c >= top->first[f] && candidates < ukMostSubtrees; c = top->first[c] - 1)
                if (top->total[c] >= 2 * grain) candidate[candidates++] = c;
        }
    }
    divideRanges(top, grain, &out);
    out.longest = longestOf(top, &out, all);
    return out;
}

ukSubtrees ukSubtreesChoose(int fronts, const int *parent, const int *first, const double *work, double *total)
{
    Top top = {.fronts = fronts, .parent = parent, .first = first, .work = work, .total = total};
    ukSubtrees best = {.parts = 0};
    double all = 0;
    for (int f = 0; f < fronts; f++) {
        total[f] = work[f];
        for (int c = f - 1; c >= first[f]; c = first[c] - 1) total[f] += total[c];
        if (parent[f] < 0) all += total[f];
    }
    for (int k = 0; k < 3; k++) {
        const ukSubtrees parts = chooseWithin(&top, subtree_work.top[k] * all, subtree_work.grain * all, all);
        if (k == 0 || parts.longest < best.longest) best = parts;
    }
    return best;
}
