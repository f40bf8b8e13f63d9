/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/raw.h: the samples that the stepping thread hands over: copies of numbers, with as few
 * instructions and as little memory as possible, since the memory that it writes evicts the world from the processor's
 * cache. The writing thread makes rows of them (rows.h): energies, angles, rates and powers are computed there. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_RAW_H
#define UKODE_PLUGIN_FORMATS_RECORDING_RAW_H

#include <stdbool.h>
#include <stdint.h>

#include "bridge/world/settings.h"

/* Data of a world's bodies that the writing thread keeps, in the order of its list; written again when they change. */
typedef struct ukRawMass {
    int64_t key;
    double mass, inertia[9]; /* body frame */
    int64_t kinematic;
} ukRawMass;

typedef struct ukRawBody {
    double x[3], q[4], v[6];
    int8_t awake, row; /* row: it is to have one in body_step, if the step has such rows */
    int8_t weight;     /* gravity acts on it */
    int8_t reserved[5];
} ukRawBody;

enum { ukRawNoBody = -1, ukRawNoParts = -1 };
enum { ukRawUnknown, ukRawWhole, ukRawSplit }; /* forces of a joint */

/* A joint other than a contact. "a" and "b" are ODE's internal bodies: b is none if only one is attached. */
typedef struct ukRawJoint {
    int64_t key;
    int32_t body[2]; /* places of a and b among the raw bodies; ukRawNoBody: the world */
    int32_t parts;   /* place of its forces' parts among the raw ones; ukRawNoParts: they are all ideal */
    int8_t forces;   /* which forces are known: ukRawUnknown ... */
    int8_t hinge;    /* 1: its angle is to be computed, of axis and qrel; -1: and counts the other way */
    int8_t unique;   /* 1, 0; -1: unknown */
    int8_t reserved;
    double ideal[2][6]; /* force, torque on a and b; motors and stops included */
    double gauss[2];    /* share of Gauss's function: G_i, G_ni (bridge/results/effort.h) */
    union {
        struct {
            double axis[3], qrel[4]; /* hinge: in a's frame; reference orientation */
        };
        struct {
            double angle[3], rate[3]; /* other joints; NaN: none */
        };
    };
} ukRawJoint;

/* Quantities that few joints have in a step. */
typedef struct ukRawParts {
    double nonideal[2][6];    /* force, torque on a and b */
    double motor[6], stop[6]; /* on a, of `ideal` */
} ukRawParts;

typedef struct ukRawContact {
    int32_t body[2]; /* of the first and second body of dJointAttach */
    double position[3], normal[3], depth;
    double force[3]; /* on the first */
    double bounce;   /* NaN: none */
    double mu;
    int64_t mu_is_force, undirected;
} ukRawContact;

struct ukRowsWorld;

/* A step; after it its bodies, joints, parts and contacts. */
typedef struct ukRawStep {
    struct ukRowsWorld *world;
    int64_t step, number;
    double time, h, seconds;
    double gravity[3];
    int32_t bodies, joints, parts, contacts; /* raw ones that follow */
    int32_t contact_count;                   /* contact joints of the world */
    bool ours, quick, rows, checked, fallback, hashed;
    ukReport report; /* zero for steps of ODE's */
    unsigned char hash[16];
    char why[160];
} ukRawStep;

#endif
