/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/row.h: the row kernels that joint types share. World frame. */
#ifndef UKODE_BRIDGE_JOINTS_ROW_H
#define UKODE_BRIDGE_JOINTS_ROW_H

#include "bridge/joints/class.h"

/* Row i: la = u, aa = ra x u on a; lb = -u, ab = -rb x u on b (b NULL: only a). */
void ukRowPoint(ukRowSink *sink, int i, const double u[3], const double ra[3], const double *rb);
/* Row i: aa = u, ab = -u. */
void ukRowAxis(ukRowSink *sink, int i, const double u[3], bool has_b);
/* Row i: la = u, lb = -u, aa = ab = (p_b - p_a) x u / 2: a translation along u without a couple (b NULL: la alone). */
void ukRowSlide(ukRowSink *sink, int i, const double u[3], const ukState *a, const ukState *b);
/* -(erp/h) phi to c, or, where it is kept apart, to push; phi and erp recorded */
void ukRowError(ukRowSink *sink, int i, double phi, double erp, double h);

/* The three rows that hold the anchors of a and b together (Ball): rows i ... i+2. */
void ukRowsBall(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double erp,
                double cfm, double h);
/* The three rows that hold the orientations together (Slider, Fixed): rows i ... i+2. */
void ukRowsOrientation(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double erp,
                       double cfm, double h);

/* Two rows that hold b's ax2 on a's ax1 (world axes; Hinge, DHinge, Piston): rows i, i+1 about p, q of ax1's plane
 * space. */
void ukRowsAligned(ukRowSink *sink, int i, const double ax1[3], const double ax2[3], const ukState *a, const ukState *b,
                   double erp, const ukRowContext *context);
/* The row that holds the anchors at the distance joint->target (DBall, DHinge): row i. Returns in D = P_a - P_b. */
void ukRowDistance(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double h,
                   double D[3]);

#endif
