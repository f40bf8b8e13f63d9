/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/limit.h: stops and motors: one limit and motor of a joint, and its row. */
#ifndef UKODE_BRIDGE_JOINTS_LIMIT_H
#define UKODE_BRIDGE_JOINTS_LIMIT_H

#include "bridge/joints/class.h"

/* The row of a stop, with a one-sided bound, or of a motor, with the bounds -+ FMax. Angular rows act about `axis`;
 * linear rows along it, with ODE's half lever arms (levers NULL) or the given anchors' lever arms (PU). `value` is the
 * position or angle that the stops limit; `tested` false: stops are ignored. Writes row i if there is one; returns 0 or
 * 1, or a negative status. */
typedef struct ukLimit {
    const ukMotor *motor;
    const double *axis; /* world */
    bool linear;
    const double *ra, *rb; /* linear: lever arms in PU's form, which end at b's anchor; NULL: half lever arms */
    bool tested;           /* stops are compared with value */
    double value;
    /* for Jdot v: the body with which the axis rotates (NULL: the world), or the rate of an axis that no body
     * carries */
    const ukState *carrier;
    const double *axis_rate;
    const ukTurn *turn; /* exact rows: the gradient along which the stop acts; NULL: along the axis */
    bool singular;      /* the angle is undefined in poses that the joint can reach: its stop has no mode */
} ukLimit;
int ukRowLimitSet(ukRowSink *sink, int i, const ukLimit *limit, const ukState *a, const ukState *b, double h);

/* The same; most joints have neither stop nor motor. */
static inline int ukRowLimit(ukRowSink *sink, int i, const ukLimit *limit, const ukState *a, const ukState *b, double h)
{
    const bool none = !limit->tested && !(limit->motor->fmax > 0) && !sink->stops;
    return none ? 0 : ukRowLimitSet(sink, i, limit, a, b, h);
}

/* The gap of a joint's anchors, which is kept at zero along u[0] and u[1], which a carries, by rows row and row + 1. */
typedef struct ukGapAcross {
    int row;
    const double *const *u, *gap;
} ukGapAcross;
/* ukRowLimit for a limit along the axis across which such rows act. At a rigid stop the gap along the axis is not free,
 * and what exceeds the stop is an error like the gap across: the three rows share the whole error
 * (ukRowsTransportGap). */
int ukRowSlideLimit(ukRowSink *sink, int i, const ukLimit *limit, const ukGapAcross *across, const ukState *a,
                    const ukState *b, const ukRowContext *context);
/* Whether row i, the limit's, is an exact row that keeps its angle. */
bool ukLimitLocks(const ukLimit *limit, const ukRowSink *sink, int i);
/* For two axes, axis[0] of a and axis[1] of b, whose angle row `between` keeps (-1: none), exact rows lock[k] lock the
 * rotation about axis[k] (-1: not). If axis k is locked, rows `between` and lock[k] together keep the direction of the
 * other axis fixed in the body that carries axis k (ukRowsTransportAxis). */
void ukRowsTransportFree(ukRowSink *sink, int between, const int lock[2], const double *const axis[2],
                         const ukState *const state[2]);
/* The rows, from i on, of the limits about the axes of a (limit[0]) and of b (limit[1]) whose angle row `cross` keeps,
 * with ukRowsTransportFree. Returns their number. */
int ukRowsCrossLimits(ukRowSink *sink, int i, int cross, const ukLimit limit[2], const ukState *a, const ukState *b,
                      const ukRowContext *context);
/* What ukLimitTurn and the rows of the limit read of a turn. */
static inline ukTurnNeed ukLimitNeed(const ukRowContext *context)
{
    if (context->exact) return ukTurnNeedRate;
    return context->since == 0 ? ukTurnNeedAngle : ukTurnNeedAxis;
}
/* Sets the rotational stops of the limit, whose motor is the joint's motor k, at the angle of `turn`. `angle`: the same
 * as ODE computes it, for ODE's rows. */
void ukLimitTurn(ukLimit *limit, ukJoint *joint, int k, const ukTurn *turn, double angle, const ukState *const state[2],
                 const ukRowContext *context);
/* The same for the angle of ukTurnTwist; *turn is set as far as the rows need it. */
void ukLimitTwistSet(ukLimit *limit, ukJoint *joint, int k, ukTurn *turn, const ukState *a, const ukState *b,
                     const ukRowContext *context);

/* The same, if the motor has stops. */
static inline void ukLimitTwist(ukLimit *limit, ukJoint *joint, int k, ukTurn *turn, const ukState *a, const ukState *b,
                                const ukRowContext *context)
{
    if (ukStopsTested(limit->motor)) ukLimitTwistSet(limit, joint, k, turn, a, b, context);
}

/* the body that carries axis i of a motor; NULL: the world */
static inline const ukState *ukMotorCarrier(const ukMotorAxes *axes, int i, const ukState *a, const ukState *b)
{
    return axes->rel[i] == 1 ? a : axes->rel[i] == 2 ? b : NULL;
}

/* Constructor values of the joint's first `count` limits and motors: the world's ERP and CFM are copied. */
void ukMotorsCreate(ukJoint *joint, int count);
/* Reads them through the type's getter: groups 0, 1, 2 are dParamX, dParamX2, dParamX3. */
void ukMotorsRefresh(ukJoint *joint, dReal (*get)(dJointID, int), int count);

#endif
