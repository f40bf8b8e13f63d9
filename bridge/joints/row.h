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
/* adds -(erp/h) phi to c or, with the split correction, to push; stores phi and erp */
void ukRowError(ukRowSink *sink, int i, double phi, double erp, double h);

/* Exact rows (context->exact): phi is a function of the bodies' relative pose alone, J its gradient, so the row
 * transmits one wrench, f_1 + f_2 = 0 along one line. Vectors "of a" rotate with a, "of b" with b (NULL: the world).
 * Rows that constrain a whole vector, or the plane across an axis, may use any basis at a pose if it is differentiated
 * as a vector of a: the basis is the world's axes, or the axis's plane space, which change little from pose to pose. */

/* Row i: phi = u . (P_a - P_b), u and P_a of a, P_b of b: both lever arms end at P_b. Jdot v if sink->bias is set; the
 * caller writes the error. */
void ukRowAt(ukRowSink *sink, int i, const double u[3], const double Pb[3], const ukState *a, const ukState *b);
/* P_a - P_b, and the part of it that the rows keep at zero; the rest is a travel; world frame [m] */
typedef struct ukGap {
    double whole[3], error[3];
} ukGap;

/* The errors of such rows i ... i + rows - 1, phi_k = u_k . gap, each with its erp, and ukRowsTransportGap of
 * gap->error. */
void ukRowsGap(ukRowSink *sink, int i, int rows, const double *const u[], const ukGap *gap, const double erp[],
               const ukState *a, const ukRowContext *context);
/* Adds the transport term of exact rows in the discrete form, which keeps the direction of an error in the world, to
 * sink->transport.
 *
 * J v is the rate of phi_k = u_k . error, whose u_k rotates with a: without this term the rows would rotate the error
 * with a. On a wheel at 100 rad/s they would move the anchors along the tangent of a circle, to error + h w_a x error,
 * which is longer by the factor sqrt(1 + |h w_a|^2) than ERP can make up for, and swing the other body at the wheel's
 * speed. The rate of u_k is that of the start of the step; ODE's rows at the bodies' own anchors do the same to
 * errors. */
void ukRowsTransportGap(ukRowSink *sink, int i, int rows, const double *const u[], const double error[3],
                        const ukState *a, const ukRowContext *context);
/* The same for the two rows that align y, a unit vector of one body, with a direction of the other body, which may spin
 * about it (is_a: it is a). */
void ukRowsTransportAxis(ukRowSink *sink, const int row[2], const double y[3], const ukState *spinning, bool is_a);
/* Rows i ... i + 2 along the world's axes: the whole gap is kept at zero. */
void ukRowsAnchored(ukRowSink *sink, int i, const double gap[3], const double Pb[3], const ukState *a, const ukState *b,
                    double erp, const ukRowContext *context);
/* Rows i, i + 1 along two perpendicular unit vectors of a: the gap is free along the third. */
void ukRowsAcross(ukRowSink *sink, int i, const double *const u[2], const double gap[3], const double Pb[3],
                  const ukState *a, const ukState *b, const ukRowContext *context);
/* Rows i, i + 1: phi = k . y, two perpendicular unit vectors k of a and y of b: couples along k x y, which align y with
 * k[0] x k[1] or its opposite. Writes their errors, too, and in the discrete form the transport terms
 * (ukRowsTransportAxis). */
void ukRowsCosine(ukRowSink *sink, int i, const double *const k[2], const double y[3], const ukState *a,
                  const ukState *b, double erp, double h);
/* Row i, about n along p x q, p of a, q of b: keeps the angle between them at theta_0, given by its sine and cosine
 * (Universal, Hinge2, PU). Exact: phi = theta_0 - theta, whose rate is J v for any length of p and q; ODE's: phi is the
 * sine of that difference. */
void ukRowCross(ukRowSink *sink, int i, const double p[3], const double q[3], const double angle[2], const ukState *a,
                const ukState *b, const ukRowContext *context);

/* The three rows that join the anchors of a and b (Ball): rows i ... i+2. */
void ukRowsBall(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double erp,
                double cfm, const ukRowContext *context);
/* The three rows that fix the relative orientation (Slider, Fixed): rows i ... i+2. Exact: phi is the rotation vector
 * of the relative rotation. */
void ukRowsOrientation(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b,
                       const ukRowContext *context);

/* Whether the hinge or hinge2 has a suspension along an axis of its own (bridge/joints/suspension.h). */
static inline bool ukSuspended(const ukJoint *joint)
{
    const double *const axis = joint->axisP;
    return axis[0] != 0 || axis[1] != 0 || axis[2] != 0;
}

/* Whether ODE's rows of the joint act at anchors that may be permanently apart: along a prismatic axis or a suspension,
 * or by the joint's CFM. The joint's two forces are then not collinear. */
bool ukRowsApart(const ukJoint *joint);

/* Two rows that align b's ax2 (world) with a's axis1 (Hinge, DHinge, Piston): rows i, i+1 about p, q of its plane
 * space. */
void ukRowsAligned(ukRowSink *sink, int i, const ukJoint *joint, const double ax2[3], const ukState *a,
                   const ukState *b, double erp, const ukRowContext *context);
/* The row that keeps the anchors at the distance joint->target (DBall, DHinge): row i. Returns D = P_a - P_b. */
void ukRowDistance(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double h,
                   double D[3]);

#endif
