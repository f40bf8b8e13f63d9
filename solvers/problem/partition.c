/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/problem/partition.h"

void ukPartitionDivide(ukPartition *partition, ukProblem *p)
{
    enum { Nobody = -1, Several = -2 };
    p->partition = NULL;
    if (!ukPartitionIsDivided(p)) return;
    int *owner = partition->owner;
    for (int i = 0; i < p->bodies; i++) owner[i] = Nobody;
    for (int part = 0; part < ukPartitionParts; part++)
        for (int k = ukPartitionBegin(p->blocks, ukPartitionParts, part);
             k < ukPartitionBegin(p->blocks, ukPartitionParts, part + 1); k++)
            for (int s = p->block[k].slot; s < p->block[k].slot + p->block[k].slots; s++)
                if (p->body[s] >= 0)
                    owner[p->body[s]] = owner[p->body[s]] == Nobody || owner[p->body[s]] == part ? part : Several;
    partition->count = 0;
    partition->bodies = p->bodies, partition->blocks = p->blocks;
    for (int k = 0; k < p->blocks; k++) {
        partition->shared[k] = 0;
        for (int s = p->block[k].slot; s < p->block[k].slot + p->block[k].slots; s++)
            if (p->body[s] >= 0 && owner[p->body[s]] == Several) partition->shared[k] = 1;
        if (partition->shared[k]) partition->sharing[partition->count++] = k;
    }
    p->partition = partition;
}
