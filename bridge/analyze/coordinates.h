/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/coordinates.h: coordinates of a world on its constraints, about a state (q0, v0).
 *
 * A are the rigid rows of the world, A_h those of them that are holonomic. N_q spans null(A_h), N_v spans null(A), both
 * orthonormal in the metric of M. The point with coordinates (xi, eta) is
 *
 *      q(xi)  the point of the constraints nearest in the M-norm to q0 (+) N_q xi,
 *      v(xi, eta)  nearest in the M-norm to v0 + N_v eta, with A(q) v = target,
 *
 * where (+) adds translations and rotates each body by exp of a rotation vector in the world frame. The inverse is, to
 * second order, xi = N_q' M dq and eta = N_v' M dv. Velocities and dq are 6 numbers per moving body: [linear; angular],
 * world frame. */
#ifndef UKODE_BRIDGE_ANALYZE_COORDINATES_H
#define UKODE_BRIDGE_ANALYZE_COORDINATES_H

#include "bridge/analyze/probe.h"
#include "bridge/analyze/row_space.h"
#include "bridge/analyze/tangent_space.h"

typedef struct ukCoordinates {
    int n, bodies, rows;       /* n = 6 x bodies; rigid rows of the world */
    int positions, velocities; /* columns of N_q and of N_v */
    int rank;                  /* of A */
    double gap;                /* the smallest singular value of unit rows that counts as independent; 1 without rows
                                  or in large worlds */
    double moved;              /* |dq|_M by which the present state was moved onto the constraints [kg^1/2 m] */
    double jump;               /* |dv|_M of its velocities [kg^1/2 m/s] */
    double scale;              /* a step of xi that moves the world by about its own length [kg^1/2 m] */
    bool sparse;               /* begun by ukCoordinatesBeginSparse: A, Nq, Nv, MNq, MNv are empty */
    double *M;                 /* (bodies x 36) mass matrix of each body at the state */
    double *A;                 /* (rows x n) rigid rows */
    double *unit;              /* (rows) what makes each of them a unit row */
    unsigned char *holonomic;  /* (rows) */
    ukRowSpace space;          /* of all unit rows, in the metric of M; of large worlds empty */
    bool large;                /* the rows are factored by a sparse method instead: */
    ukTangentSpace motions;    /* of all rows */
    double *Nq, *Nv;           /* (positions x n), (velocities x n): one vector a row */
    double *MNq, *MNv;         /* the same times M */
    ukState *state;            /* (bodies) the base state, on the constraints */
    void *memory;              /* owned */
} ukCoordinates;

/* Coordinates about the present state of a probe that has begun: projects it onto the constraints and computes the rest
 * there. ukOk; ukErrorNotConverged: the state violates its constraints by more than 5e-2 (as an angle), or cannot be
 * moved onto them; ukErrorSingular: the rank is not determined; ukErrorMemory, ukErrorLapack, statuses of an
 * assembly. */
int ukCoordinatesBegin(ukCoordinates *c, ukProbe *probe);
/* The same without null spaces, in memory and time of the order of the bodies: M, state, scale, rows and moved alone;
 * positions, velocities and rank are 0. The rows stay in the probe. */
int ukCoordinatesBeginSparse(ukCoordinates *c, ukProbe *probe);
void ukCoordinatesEnd(ukCoordinates *c);

/* The frames' states to the point with coordinates xi (positions) and eta (velocities); NULL: zero. The islands are
 * assembled there. ukOk; ukErrorSingular: the constraints cannot be met near the point; statuses of the projection. */
int ukCoordinatesMove(const ukCoordinates *c, ukProbe *probe, const double *xi, const double *eta);

/* xi (positions) of a displacement dq (n), eta (velocities) of a change of velocity dv (n). */
void ukCoordinatesOfPose(const ukCoordinates *c, const double *dq, double *xi);
void ukCoordinatesOfVelocity(const ukCoordinates *c, const double *dv, double *eta);

/* Changes of velocity dv (n each), least in the M-norm, with A dv = rates (rows each; overwritten), `count` of them.
 * The probe's masses are still those of the base state. ukOk or a status of LAPACK. */
int ukCoordinatesAnswer(const ukCoordinates *c, const ukProbe *probe, int count, double *rates, double *dv);
/* Their multipliers mu (rows each): M dv = A' mu. rates are overwritten. */
int ukCoordinatesMultipliers(const ukCoordinates *c, int count, double *rates, double *mu);
/* The rigid rows (rows x n) at the state at which the probe is assembled. */
void ukCoordinatesRows(const ukCoordinates *c, const ukProbe *probe, double *A);

/* dq (6) = [x - x0; rotation vector of R R0'], world frame, of a body. */
void ukCoordinatesDifference(const ukState *from, const ukState *to, double dq[6]);

#endif
