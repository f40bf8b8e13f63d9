/* SPDX-License-Identifier: BSD-3-Clause */
/* Diagnoses of random graphs of bodies on fixed joints against the graph alone: rank by its components, redundancy and
 * uniqueness by its cycles, and, where joints are a millimetre apart, the smallest conflict by trying every set. (The
 * levers of such joints differ by the millimetre, and with them what the graph says of rank and reactions.) */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Bodies = 5, MostJoints = 8, Worlds = 400 };

typedef struct Graph {
    int joints, end[MostJoints][2]; /* bodies; Bodies: the world */
    int lift[MostJoints];           /* by how many millimetres the first end stood too high when the joint was made */
} Graph;

/* Heights of all bodies that meet the set's joints? Relaxation along the edges: place[] and the component's root. */
static bool consistent(const Graph *g, unsigned set, int *components)
{
    int root[Bodies + 1], height[Bodies + 1] = {0};
    for (int i = 0; i <= Bodies; i++) root[i] = i;
    *components = Bodies + 1;
    for (int k = 0; k < g->joints; k++) {
        if (!(set >> k & 1)) continue;
        const int a = g->end[k][0], b = g->end[k][1], rest = height[a] - height[b] - g->lift[k];
        if (root[a] == root[b] && rest != 0) return false;
        if (root[a] == root[b]) continue;
        --*components;
        const int from = root[a];
        for (int i = 0; i <= Bodies; i++) {
            if (root[i] != from) continue;
            root[i] = root[b];
            height[i] -= rest;
        }
    }
    return true;
}

static int sizeOf(unsigned set)
{
    int size = 0;
    for (; set; set >>= 1) size += (int)(set & 1);
    return size;
}

static int smallestConflict(const Graph *g)
{
    int least = 0, components;
    for (unsigned set = 1; set < 1u << g->joints; set++)
        if ((least == 0 || sizeOf(set) < least) && !consistent(g, set, &components)) least = sizeOf(set);
    return least;
}

static Graph draw(Random *r, bool apart)
{
    Graph g = {.joints = 1 + (int)randomBelow(r, MostJoints)};
    for (int k = 0; k < g.joints; k++) {
        g.end[k][0] = (int)randomBelow(r, Bodies);
        g.end[k][1] = (g.end[k][0] + 1 + (int)randomBelow(r, Bodies)) % (Bodies + 1);
        g.lift[k] = apart && randomBelow(r, 3) == 0 ? (int)randomBelow(r, 3) - 1 : 0;
    }
    return g;
}

/* bodies on a circle, so that nothing lies in line by accident */
static void build(const Graph *g, dWorldID w, dBodyID *body, dJointID *joint)
{
    for (int i = 0; i < Bodies; i++) {
        dMass m;
        body[i] = dBodyCreate(w);
        dMassSetBoxTotal(&m, 1 + i, 0.5, 0.6, 0.7);
        dBodySetMass(body[i], &m);
        dBodySetPosition(body[i], cos(i), sin(i), 0.1 * i);
    }
    body[Bodies] = 0;
    for (int k = 0; k < g->joints; k++) {
        const int i = g->end[k][0];
        dBodySetPosition(body[i], cos(i), sin(i), 0.1 * i + 1e-3 * g->lift[k]);
        joint[k] = dJointCreateFixed(w, 0);
        dJointAttach(joint[k], body[i], body[g->end[k][1]]);
        dJointSetFixed(joint[k]);
        dBodySetPosition(body[i], cos(i), sin(i), 0.1 * i);
    }
}

static int numberOf(const Graph *g, const dJointID *joint, dJointID which)
{
    for (int k = 0; k < g->joints; k++)
        if (joint[k] == which) return k;
    return -1;
}

static int compare(const Graph *g, bool apart, uint64_t seed)
{
    const dWorldID w = dWorldCreate();
    dBodyID body[Bodies + 1];
    dJointID joint[MostJoints];
    dWorldSetCFM(w, 0);
    build(g, w, body, joint);
    ukDiagnosis d;
    CHECK(ukWorldDiagnose(w, &d) == 0);
    const unsigned all = (1u << g->joints) - 1;
    Graph flat = *g;
    int components, others, least = smallestConflict(g);
    memset(flat.lift, 0, sizeof flat.lift);
    CHECK(consistent(&flat, all, &components));
    CHECK(d.rows == 6 * g->joints && d.count == g->joints);
    CHECK(apart || d.rank == 6 * (Bodies + 1 - components));
    unsigned set = 0;
    for (int i = 0; i < d.count; i++) {
        const int k = numberOf(g, joint, d.joints[i].joint);
        if (!CHECK(k >= 0)) continue;
        CHECK(consistent(&flat, all & ~(1u << k), &others));
        const bool cycle = others == components; /* the graph hangs together without it */
        CHECK(apart || d.joints[i].unique == !cycle);
        CHECK(apart || d.joints[i].redundant_rows == (cycle ? 6 : 0));
        for (int c = 0; c < 6; c++) CHECK(apart || d.joints[i].unique_component[c] == !cycle);
        set |= (unsigned)(d.joints[i].in_conflict != 0) << k;
    }
    const bool good = d.conflict == (least > 0 ? ukConflictPose : ukConflictNone) && d.conflict_joints == least &&
                      sizeOf(set) == least && (least == 0 || !consistent(g, set, &others));
    if (!CHECK(good)) printf("seed %d: %d joints in conflict, smallest %d\n", (int)seed, d.conflict_joints, least);
    if (least > 0) { /* a simple cycle that does not close by so many millimetres */
        const double gap = 1e3 * d.conflict_size;
        CHECK(gap > 0.5 && !d.conflict_is_angle);
        CHECK_NEAR(gap, round(gap), 1e-4); /* told to first order: a millimetre seen from half a metre */
    }
    dWorldDestroy(w);
    return least;
}

int main(void)
{
    int found[MostJoints + 1] = {0};
    dInitODE2(0);
    for (uint64_t seed = 1; seed <= Worlds; seed++) {
        Random r = {.state = seed * 7919};
        const bool apart = seed % 4 != 0;
        const Graph g = draw(&r, apart);
        found[compare(&g, apart, seed)]++;
    }
    dCloseODE();
    printf("smallest conflicts:");
    for (int i = 0; i <= MostJoints; i++) printf(" %d of %d", found[i], i);
    printf("\n");
    CHECK(found[0] > 50 && found[2] > 50 && found[3] > 20 && found[4] > 5);
    return ukTestEnd();
}
