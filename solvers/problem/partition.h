/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/problem/partition.h: the blocks of a large problem in parts that threads may process at the same time.
 *
 * A part is a range of blocks. Of these, those on bodies that no other part acts on may add to their bodies while other
 * parts do; the others (shared) follow, in their order. Bodies and rows are divided into as many ranges of equal
 * length. All of this depends on the structure of the problem alone. */
#ifndef UKODE_SOLVERS_PROBLEM_PARTITION_H
#define UKODE_SOLVERS_PROBLEM_PARTITION_H

#include "solvers/base/team.h"
#include "solvers/problem/problem.h"

enum { ukPartitionParts = 8 };

typedef struct ukPartition { /* the arrays are the caller's */
    unsigned char *shared;   /* (blocks) */
    int *owner;              /* (bodies) scratch */
    int *sharing;            /* (blocks) the shared blocks, ascending */
    int count;               /* of these */
    int bodies, blocks;      /* of the problem that was divided */
} ukPartition;

/* Problems with fewer unknowns are solved before another thread has been woken up a dozen times. */
enum { ukPartitionUnknowns = 40000 };

static inline bool ukPartitionIsDivided(const ukProblem *p)
{
    return 6 * p->bodies + p->rows >= ukPartitionUnknowns;
}

/* Makes p->partition point to `partition`, divided for p, if p is large enough; else NULL. */
void ukPartitionDivide(ukPartition *partition, ukProblem *p);

/* The partition of a problem; NULL if it is not divided, or is another one than that whose partition it names. */
static inline const ukPartition *ukPartitionOf(const ukProblem *p)
{
    const ukPartition *const partition = p->partition;
    return partition && partition->bodies == p->bodies && partition->blocks == p->blocks ? partition : NULL;
}

/* the first of n things that task k of `tasks` processes; that of task `tasks` is n */
static inline int ukPartitionBegin(int n, int tasks, int k)
{
    return tasks == 1 ? n * k : (int)((long long)n * k / tasks);
}

#endif
