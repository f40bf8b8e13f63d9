/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/bias.h: Jdot v of the row kernels of row.h, for the continuous form A qdd = -Jdot v. World frame.
 *
 * Called only where sink->bias is asked for; each names the row its kernel wrote. A lever that ends at the other body's
 * anchor moves with that anchor. */
#ifndef UKODE_BRIDGE_JOINTS_BIAS_H
#define UKODE_BRIDGE_JOINTS_BIAS_H

#include "bridge/joints/class.h"

/* ukRowAxis: u_dot . (w_a - w_b) */
void ukBiasAxis(ukRowSink *sink, int i, const double u_dot[3], const ukState *a, const ukState *b);
/* The row about n along p x q, p fixed in a, q in b (ukRowCross): n_dot . (w_a - w_b) */
void ukBiasCross(ukRowSink *sink, int i, const double p[3], const double q[3], const ukState *a, const ukState *b);
/* ukRowPoint, levers fixed in a and b:
 * u . (w_a x (w_a x r_a) - w_b x (w_b x r_b)) + u_dot . (relative velocity of the points) */
void ukBiasPoint(ukRowSink *sink, int i, const double u[3], const double u_dot[3], const double ra[3],
                 const double rb[3], const ukState *a, const ukState *b);
/* ukRowsBall: the same along e_x, e_y and e_z, rows i ... i + 2 */
void ukBiasBall(ukRowSink *sink, int i, const double ra[3], const double rb[3], const ukState *a, const ukState *b);
/* ukRowPoint, both levers to the point fixed in b (of the world for b NULL): that of a changes by v_b + w_b x r_b - v_a
 */
void ukBiasAtAnchor(ukRowSink *sink, int i, const double u[3], const double u_dot[3], const double ra[3],
                    const double rb[3], const ukState *a, const ukState *b);
/* ukRowSlide: u_dot . (v_a - v_b) + (d_dot x u + d x u_dot) . (w_a + w_b), d = (p_b - p_a)/2 */
void ukBiasSlide(ukRowSink *sink, int i, const double u[3], const double u_dot[3], const ukState *a, const ukState *b);
/* ukRowDistance: |rate of D across D|^2 / |D| + u . (w_a x (w_a x r_a) - w_b x (w_b x r_b)) */
void ukBiasDistance(ukRowSink *sink, int i, const double D[3], const double ra[3], const double rb[3], const ukState *a,
                    const ukState *b);

#endif
