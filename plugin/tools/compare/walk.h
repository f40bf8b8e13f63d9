/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/compare/walk.h: iterates over the recorded states of a world: those of the steps whose bodies were
 * recorded. */
#ifndef UKODE_PLUGIN_TOOLS_COMPARE_WALK_H
#define UKODE_PLUGIN_TOOLS_COMPARE_WALK_H

#include "plugin/tools/query/query.h"

typedef struct WalkBody {
    int64_t key, from, to;   /* first step that it takes part in; first step without it */
    double x[3], q[4], v[6]; /* NaN: not known yet; a sleeping body keeps its last values */
    char name[64];           /* "": none */
    bool present;            /* in the present step */
} WalkBody;

typedef struct WalkJoint {
    int64_t key, from, to;
    char type[24], name[64];
    bool present; /* in the present step */
    bool force_known;
    double force[6]; /* all of it: force [N], torque about the centre of mass [N m], on its first body */
} WalkJoint;

typedef struct WalkContact {
    int64_t body[2]; /* keys; 0: the static world */
    double force[3]; /* on the first; NaN: not known */
} WalkContact;

typedef struct Walk {
    ukReader *reader;
    int64_t world;
    int64_t step, number;       /* of the present step: key; of the world's, from 1 */
    double time, energy;        /* after it [s], [J] */
    double seconds;             /* wall time of the call [s] */
    int64_t rows, active, rank; /* -1: not known */
    int bodies, joints, contacts;
    size_t body_capacity, joint_capacity, contact_capacity;
    WalkBody *body;       /* (bodies) all of the world, in order of creation */
    WalkJoint *joint;     /* (joints) likewise; contacts are not among them */
    WalkContact *contact; /* (contacts) of the present step */
    sqlite3_stmt *steps, *states, *forces, *touches;
} Walk;

/* Places the walk before the first state. false: it cannot be read (the reader's `error`). */
bool walkBegin(Walk *walk, ukReader *reader, int64_t world);
/* false: there is no further one, or an error. */
bool walkNext(Walk *walk);
void walkEnd(Walk *walk);

#endif
