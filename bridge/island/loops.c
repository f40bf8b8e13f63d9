/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/loops.c: a spanning forest of the island's bodies and the static world; a joint outside of it closes a
 * loop with the forest's path between its bodies. */
#include "bridge/island/loops.h"

#include <string.h>

#include "bridge/base/disjoint.h"
#include "bridge/joints/class.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

/* Nodes 0 ... bodies - 1 are bodies; node `bodies` is the static world, and every kinematic body. */
typedef struct Forest {
    const ukIsland *island;
    int bodies;
    int *first, *incident; /* joints at node i: incident[first[i]] ... incident[first[i + 1] - 1] */
    int *parent, *depth;   /* parent -1: a root, -2: not reached yet */
    int *top;              /* i: the edge from i to its parent is in no loop found so far; else nearer to the root */
    int *queue;
} Forest;

static int nodeOf(const Forest *forest, const ukBody *body)
{
    if (!body || dBodyIsKinematic(body->handle)) return forest->bodies;
    return body->index - forest->island->first_frame;
}

static void nodesOf(const Forest *forest, int j, int node[2])
{
    for (int k = 0; k < 2; k++) node[k] = nodeOf(forest, forest->island->joint[j]->body[k]);
}

static void listIncident(const Forest *forest)
{
    const ukIsland *island = forest->island;
    int node[2], *first = forest->first;
    memset(first, 0, ((size_t)forest->bodies + 3) * sizeof *first);
    for (int j = 0; j < island->joints; j++) {
        if (!island->joint[j]->class->restricts_rotation) continue;
        nodesOf(forest, j, node);
        for (int k = 0; k < 2; k++) first[node[k] + 2]++;
    }
    for (int i = 2; i < forest->bodies + 3; i++) first[i] += first[i - 1];
    for (int j = 0; j < island->joints; j++) {
        if (!island->joint[j]->class->restricts_rotation) continue;
        nodesOf(forest, j, node);
        for (int k = 0; k < 2; k++) forest->incident[first[node[k] + 1]++] = j;
    }
}

/* the tree of all nodes that can be reached from `root`, breadth first */
static void growTree(const Forest *forest, int root)
{
    int begin = 0, end = 0;
    forest->parent[root] = -1, forest->depth[root] = 0;
    forest->queue[end++] = root;
    while (begin < end) {
        const int from = forest->queue[begin++];
        for (int e = forest->first[from]; e < forest->first[from + 1]; e++) {
            int node[2];
            nodesOf(forest, forest->incident[e], node);
            const int to = node[node[0] == from];
            if (forest->parent[to] != -2) continue;
            forest->parent[to] = from, forest->depth[to] = forest->depth[from] + 1;
            forest->queue[end++] = to;
        }
    }
}

/* notes that the edges of the path between two nodes lie in a loop */
static void closePath(const Forest *forest, int a, int b)
{
    a = ukDisjointRoot(forest->top, a), b = ukDisjointRoot(forest->top, b);
    while (a != b) {
        int *deeper = forest->depth[a] > forest->depth[b] ? &a : &b;
        forest->top[*deeper] = forest->parent[*deeper];
        *deeper = ukDisjointRoot(forest->top, *deeper);
    }
}

/* the node whose edge to its parent connects the same nodes; -1: none */
static int edgeBetween(const Forest *forest, const int node[2])
{
    for (int k = 0; k < 2; k++)
        if (forest->parent[node[k]] == node[!k]) return node[k];
    return -1;
}

static int reserveForest(const ukIsland *island, Forest *forest)
{
    const size_t nodes = (size_t)island->frames + 1, ints = 5 * nodes + 2 + 2 * (size_t)island->joints;
    const int status = ukScratchReserve(island->solvers, ints * sizeof(int));
    if (status != ukOk) return status;
    int *at = island->solvers->scratch;
    *forest = (Forest){.island = island,
                       .bodies = island->frames,
                       .first = at,
                       .parent = at + nodes + 2,
                       .depth = at + 2 * nodes + 2,
                       .top = at + 3 * nodes + 2,
                       .queue = at + 4 * nodes + 2,
                       .incident = at + 5 * nodes + 2};
    return ukOk;
}

int ukLoopsMark(ukIsland *island)
{
    Forest forest;
    const int status = reserveForest(island, &forest);
    if (status != ukOk) return status;
    listIncident(&forest);
    for (int i = 0; i <= forest.bodies; i++) forest.parent[i] = -2, forest.top[i] = i;
    for (int i = forest.bodies; i >= 0; i--)
        if (forest.parent[i] == -2) growTree(&forest, i);
    int node[2];
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < island->joints; j++) {
            ukJoint *joint = island->joint[j];
            if (!joint->class->restricts_rotation) continue;
            nodesOf(&forest, j, node);
            const int edge = edgeBetween(&forest, node);
            if (pass == 0 && edge < 0) closePath(&forest, node[0], node[1]);
            if (pass == 1) joint->looped = edge < 0 || forest.top[edge] != edge;
        }
    return ukOk;
}
