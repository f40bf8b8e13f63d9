/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/tangent.h: the tangent of a world's accelerations, without a solution per direction. At the base state
 * let M qdd = Q + C + A' lambda, A qdd = b, and N_v span null(A). For a change (dq, dv) of the state
 *
 *      M dqdd - A' dlambda = dr,   r(q, v) = Q(q, v) + C(q, v) + A(q)' lambda - M(q) qdd   with qdd and lambda of the
 *      base state
 *
 * so N_v' M dqdd = N_v' dr: if only the accelerations along the constraints are needed, neither the change of the rows
 * nor a factorization is computed. r is a sum over bodies and joints; its derivatives by the coordinates of single
 * bodies are central differences of the assembled equations, extrapolated twice, of whole groups of bodies at once
 * (bridge/analyze/coloring.h); by velocities, in which r is quadratic but for forces of the program, one difference is
 * exact. */
#ifndef UKODE_BRIDGE_ANALYZE_TANGENT_H
#define UKODE_BRIDGE_ANALYZE_TANGENT_H

#include "bridge/analyze/coloring.h"
#include "bridge/analyze/coordinates.h"

typedef struct ukTangent {
    ukProbe *probe;
    const ukCoordinates *c;
    ukColoring coloring;
    int n, rows;          /* of the bodies; of all islands */
    double smallest;      /* displacement of an extrapolation so far [rad] */
    double length, rate;  /* of a displacement of 1 rad [m]; of changes of velocity [1/s] */
    double *qdd, *lambda; /* (n), (rows) at the base state */
    double *ideal;        /* (rows) ideal multipliers there, for functions of laws */
    double *side[2];      /* (n + c->rows): r, then A v - target of each rigid row */
    double *slope[3];     /* the same */
    double *fine;         /* the same, of lower order */
    double *kept[2];      /* slope[0] and fine of larger displacements */
    void *memory;         /* owned */
} ukTangent;

/* Directions (dq or dv: `count` x n), and what r and A v - target change with them (count x n, count x c->rows; rates
 * NULL: not asked for). The coarse ones are of lower order: the differences estimate the errors. */
typedef struct ukTangentProduct {
    int count;
    const double *direction, *coarse_direction;
    double *r, *coarse, *rates, *coarse_rates;
} ukTangentProduct;

/* Whether the world of the probe, which has been solved, has one: no force that follows multipliers, of laws or sliding
 * contacts, and no body without mass. ukOk or a status of a law's function. */
int ukTangentPossible(const ukProbe *probe, bool *possible);

/* At the base state of c, where the probe has just been solved. ukOk, ukErrorMemory. To be ended in any case. */
int ukTangentBegin(ukTangent *t, ukProbe *probe, const ukCoordinates *c, double length, double rate);
void ukTangentEnd(ukTangent *t);

/* Slopes of r and of A v - target, to slope[0], and of lower order to fine, by coordinate i (0 ... 5 of poses, 6 ... 11
 * of velocities) of the bodies of a group at once. ukOk or a status of an assembly. */
int ukTangentDifferentiate(ukTangent *t, int group, int i);
/* The same along (dq, dv: n each) of all bodies at once, to compare products with. ukOk or a status of an assembly. */
int ukTangentAlong(ukTangent *t, const double *dq, const double *dv);
/* Assembles the probe at the base state again, after the last of these. */
int ukTangentReturn(ukTangent *t);

/* Products with the derivative by poses, or by velocities: adds to r, coarse and rates. ukOk or a status of an
 * assembly. */
int ukTangentPoses(ukTangent *t, const ukTangentProduct *product);
int ukTangentVelocities(ukTangent *t, const ukTangentProduct *product);

/* Rounding error of the slopes of r, in coordinates that are orthonormal in the metric of M [1/s^2]: the rounding of
 * its terms over the smallest displacement. The probe is assembled at the base state. */
double ukTangentRounding(const ukTangent *t);

/* r (n) and A v - target (c->rows) at the base state, as the world is set: for inputs. */
int ukTangentResidual(ukTangent *t, double *residual);

#endif
