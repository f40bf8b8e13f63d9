/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/body_tree.h: a recorded world as a tree of bodies with relative joints, for formats of robots:
 * bodies and joints at the start of the run or after one of its steps, a spanning tree of the joints, and the joints
 * that close loops. */
#ifndef UKODE_PLUGIN_TOOLS_EXPORT_BODY_TREE_H
#define UKODE_PLUGIN_TOOLS_EXPORT_BODY_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/formats/recording/reader.h"

enum { BodyTreeWorld = -1, BodyTreeNone = -2, BodyTreeNameSize = 48 };

typedef struct BodyTreeBody {
    int64_t key;
    char name[BodyTreeNameSize]; /* printable ASCII, unique among the bodies of the world */
    double mass, inertia[6];     /* xx yy zz xy xz yz, about the centre of mass, in the body's frame */
    double x[3], q[4], v[3],
        w[3]; /* centre of mass, unit quaternion (w first), velocity, spin: all in the world's frame */
    bool kinematic;
    int parent, joint;  /* in the tree: a body or the world; the joint to it, BodyTreeNone: free, or kinematic */
    int child, sibling; /* first child, next child of the same parent; BodyTreeNone: there is none */
} BodyTreeBody;

/* The parameters of one axis, as ODE has them. */
typedef struct BodyTreeAxis {
    double lo, hi, vel, fmax, fudge, bounce, cfm, stop_erp, stop_cfm;
} BodyTreeAxis;

typedef struct BodyTreeJoint {
    int64_t key;
    char name[BodyTreeNameSize];
    char type[16];
    int body[2];                         /* of dJointAttach, or the world */
    double anchor[3], axis[2][3], angle; /* in the world's frame; angle: of axis 1, as stops have it */
    BodyTreeAxis limit[3];
    double suspension_erp, suspension_cfm;
    double erp; /* its own, with limit[0].cfm; NaN: its type has none */
    bool in_tree;
} BodyTreeJoint;

typedef struct BodyTree {
    int64_t key, step; /* of the world; the step after which its state is, 0: before the first one */
    double gravity[3], h, erp, cfm;
    BodyTreeBody *body;
    BodyTreeJoint *joint;
    int bodies, joints;
    int first; /* child of the world */
} BodyTree;

/* One scalar degree of freedom of a joint, at the initial pose: a rotation about an axis through the joint's anchor, or
 * a translation along it, of the child relative to the parent. */
typedef struct BodyTreeFreedom {
    bool slides;
    double axis[3];
} BodyTreeFreedom;

/* The freedoms of a joint of the tree, from the parent to the child; their number is 0 for fixed joints, 3 with
 * *is_ball for balls, and -1 for types that are no chain of these. `child` is the index of the child body. */
int bodyTreeFreedoms(const BodyTreeJoint *joint, int child, BodyTreeFreedom freedom[3], bool *is_ball);

/* Reads the state after m->step into a tree with the initial state; false: reader->error. */
bool bodyTreeAdvance(ukReader *reader, BodyTree *tree);

void bodyTreeRotation(const double q[4], double R[9]);
/* A point, or with `point` false a direction, of the world in the frame of a body. */
void bodyTreeInto(const BodyTreeBody *body, bool point, const double *x, double *y);
/* Velocity and spin (twist) of a body relative to its parent, NULL: the world, at the body's centre of mass. */
void bodyTreeTwist(const BodyTreeBody *body, const BodyTreeBody *parent, double twist[6]);
/* The rates of a joint's freedoms for a twist, by least squares; returns the largest component that they leave, in m/s
 * or rad/s. */
double bodyTreeRates(const BodyTreeBody *body, const double *anchor, const BodyTreeFreedom *freedom, int freedoms,
                     const double twist[6], double rate[3]);

/* Reads a world after step `step` of its own (0: before the first one) and chooses the tree. Bodies and joints that
 * appear after the first step are not in it, nor are those that no longer exist. Anchors and axes are carried along by
 * their bodies. false: reader->error. bodyTreeFree in either case. */
bool bodyTreeRead(ukReader *reader, int64_t world, int64_t step, BodyTree *tree);
void bodyTreeFree(BodyTree *tree);

#endif
