/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/measure.h: a norm without units for the error of an island's state.
 *
 *   place   |e_q|_M / (sqrt(m) L)       |x|_M^2 = sum m_i |x_i|^2 + t_i' I_i t_i over its moving bodies, m their mass
 *   speed   |e_u|_M / V                 V^2 = |u|_M^2 + |a|_M sqrt(m) L
 *
 * The tolerance of a sub-step is proportional to its length h [s] over the time sqrt(m) L / V in which the island
 * crosses its own length, and at least a hundredth: so the accumulated error does not depend on the number of
 * sub-steps.
 *
 * Errors below rounding are ignored: the rounding of a position at the distance X from the origin, and a velocity error
 * that causes as much position error in the user's step. Without this rule, an island that settles on damped springs
 * would need sub-steps that resolve the rounding of its cancelling forces.
 *
 * L is the island's length: L^2 is the sum of the squares of its radius of gyration about its centre and of the longest
 * lever of its joints. V contains the speed that the present acceleration would give the island over that length, so
 * that it is not zero where a pendulum reverses. Both errors are the same numbers in all units of length, mass and
 * time. */
#ifndef UKODE_BRIDGE_INTEGRATE_MEASURE_H
#define UKODE_BRIDGE_INTEGRATE_MEASURE_H

#include "bridge/integrate/nystrom.h"

/* |x|_M^2 of one moving body of p: x (6) */
double ukMeasureSquare(const ukProblem *p, int body, const double *x);
/* |M^-1 Q|_M of the applied forces */
double ukMeasureForces(const ukIsland *island);
/* |v|_M of the velocities at the frames' states, and |a|_M of the frames' first accelerations (rates 0) */
double ukMeasureVelocity(const ukIsland *island);
double ukMeasureAcceleration(const ukIsland *island);
/* |v|_M at the frames' states, plus the change by forces in h [s]: the scale of rates and jumps of velocities. The
 * second is for known `forces` (ukMeasureForces). */
double ukMeasureScale(const ukIsland *island, double h);
double ukMeasureScaleOf(const ukIsland *island, double h, double forces);
/* Differences of velocities below this fraction of the scale are rounding. */
extern const double ukMeasureLeast;

/* Velocities at the frames' states that are the remainder of an impulse on velocities of |v|_M = `before`: sets them to
 * zero if they are rounding errors of these, or if rows of this `rank` permit no motion. Rounding errors satisfy no
 * constraint, and neither would the accelerations that follow from them. */
void ukMeasureRound(const ukIsland *island, double before, int rank);

typedef struct ukMeasure {
    double mass, length, speed, acceleration; /* m, L, V, |a|_M; 0: nothing moves */
    double rounded, step;                     /* rounding error of a position [m]; the user's step [s] */
} ukMeasure;

/* The measure of an island assembled at its frames' starts, whose accelerations there are rates 0, in a user's step of
 * `step` [s]. */
ukMeasure ukMeasureOf(const ukIsland *island, double step);

/* The larger of the errors of position and speed, over the allowed error, that the rates give with the coefficients of
 * `difference` in a step of h [s]; *body: the body with the largest share. rate: NULL, or the error of speed (6 per
 * moving body); `node` h times this counts as error of position. */
double ukMeasureError(const ukIsland *island, const ukMeasure *measure, const ukStage *difference, const double *rate,
                      double h, const ukBody **body);

/* A fraction of V, plus the speed that moves a body by its position's rounding in the user's step. */
double ukMeasureSpeed(const ukMeasure *measure, double part);

/* The allowed error: relative + absolute / L, times the fraction for h. */
double ukMeasureAllowed(const ukIsland *island, const ukMeasure *measure, double h);

/* The same for velocities that differ by g [s] times the difference of two accelerations (6 per moving body), and
 * positions by g^2 times. */
double ukMeasureChange(const ukIsland *island, const ukMeasure *measure, const double *before, const double *now,
                       double g, double h);

#endif
