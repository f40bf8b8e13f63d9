/* bridge/rows.h: small vector algebra and the row kernels that several joint types share. World frame. */
#ifndef UKODE_BRIDGE_ROWS_H
#define UKODE_BRIDGE_ROWS_H

#include "bridge/joints.h"

/* x (3), q (4), R (9 row-major); outputs may not alias inputs */
static inline double ukDot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}
static inline void ukCross(const double *x, const double *y, double *z)
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}
static inline void ukRotate(const double *R, const double *x, double *y) /* y = R x */
{
    for (int i = 0; i < 3; i++) y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}
static inline void ukUnrotate(const double *R, const double *x, double *y) /* y = R' x */
{
    for (int i = 0; i < 3; i++) y[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
}
double ukNormalize(double x[3]); /* to unit length; the zero vector becomes e_x, as in ODE. Returns the old length */
void ukPlaneSpace(const double n[3], double p[3], double q[3]);               /* ODE's dPlaneSpace; n = 0: p = q = 0 */
void ukQuaternionMultiply(const double p[4], const double q[4], double r[4]); /* r = p q */
void ukQuaternionDifference(const double p[4], const double q[4], double r[4]); /* r = p^-1 q */

/* State of a body as ODE holds it now (setters are noted at such moments). */
ukState ukStateOf(const ukBody *body);

/* P = x + R anchor, or the anchor itself for the world (s NULL); r = P - x (zero lever for the world) */
void ukAnchor(const ukState *s, const double anchor[3], double P[3], double r[3]);
/* axis in world axes; the axis itself for the world */
void ukAxis(const ukState *s, const double axis[3], double out[3]);

/* Row i: la = u, aa = ra x u on a; lb = -u, ab = -rb x u on b (b NULL: only a). */
void ukRowPoint(ukRowSink *sink, int i, const double u[3], const double ra[3], const double *rb);
/* Row i: aa = u, ab = -u. */
void ukRowAxis(ukRowSink *sink, int i, const double u[3], bool has_b);
/* Row i: la = u, lb = -u, aa = ab = (p_b - p_a) x u / 2: a translation along u without a couple (b NULL: la alone). */
void ukRowSlide(ukRowSink *sink, int i, const double u[3], const ukState *a, const ukState *b);
/* c = -(erp/h) phi, phi recorded */
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
                   double erp, double cfm, double h);
/* The row that holds the anchors at the distance joint->target (DBall, DHinge): row i. Returns in D = P_a - P_b. */
void ukRowDistance(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double h,
                   double D[3]);

/* Rate of a relative to b about, or (with half levers) along, an axis. */
double ukRateAbout(const double axis[3], const ukState *a, const ukState *b);
double ukRateAlong(const double axis[3], const ukState *a, const ukState *b);
/* Rate along an axis through b's anchor (of b): of the points of a and b that are there now (PR, PU, Piston). */
double ukRateAtAnchor(const double axis[3], const double anchor2[3], const ukState *a, const ukState *b);

/* The limit and motor row (ode-semantics 2.3). Angular rows turn about `axis`; linear rows move along it, with ODE's
 * half levers (levers NULL) or at the given anchors' levers (PU). `value` is the position or angle that the stops
 * bound, `limited` false: stops are not tested. Writes row i if there is one; returns 0 or 1, or a negative status. */
typedef struct ukLimit {
    const ukMotor *motor;
    const double *axis; /* world */
    bool linear;
    const double *ra, *rb; /* linear: levers of PU's form, which end at b's anchor; NULL: half levers */
    bool tested;           /* stops are tested against value */
    double value;
    /* for Jdot v: the body that the axis turns with (NULL: the world), or the rate of an axis that none carries */
    const ukState *carrier;
    const double *axis_rate;
    double gain; /* J v is so many times the rate of value; 0: once */
} ukLimit;
int ukRowLimit(ukRowSink *sink, int i, const ukLimit *limit, const ukState *a, const ukState *b, double h);
/* Whether ODE tests these stops at all: rotational ones beyond +-pi are open. */
bool ukStopsTested(const ukMotor *motor, bool rotational);

/* Angles that stops bound, in [-pi, pi). Both grow as a turns positively about the axis relative to b.
 * Hinge: of the relative rotation from qrel, about axis1 (in a's frame). */
double ukHingeAngle(const ukJoint *joint, const ukState *a, const ukState *b);
/* The same where the axes are aligned, and smooth beside that: the turn about axis1 alone, for the continuous form.
 * ukHingeAngle takes every misalignment for a part of the angle, which has a kink at zero. */
double ukTwistAngle(const ukJoint *joint, const ukState *a, const ukState *b);
/* Of a cross (Universal, PU): the turn about `axis` (in the frame of s, any length > 0), from that axis's plane space
 * to the component of `other` (world) perpendicular to it; s NULL: the world. ODE's angles are minus (axis 1) or plus
 * (axis 2) this, less their value at the reference pose. */
double ukCrossAngle(const ukState *s, const double axis[3], const double other[3]);
double ukWrapAngle(double angle); /* from (-3 pi, 3 pi) to [-pi, pi) */

/* What setters store, at the poses of this moment. Body NULL: the world. */
void ukRelativeRotation(const ukJoint *joint, double qrel[4]); /* q_a^-1 q_b; joint attached */
/* qrel of a joint not seen being set up: aligned at present, its hinge angle (internal) as ODE tells it. */
void ukAssumeRotation(ukJoint *joint, double angle);
void ukLocalPoint(const ukBody *body, const double point[3], double local[3]);
void ukLocalAxis(const ukBody *body, const double axis[3], double local[3]); /* not normalised */

/* Both anchors through the type's getters, which answer in user order: swapped for REVERSE. */
void ukAnchorsRefresh(ukJoint *joint, void (*get1)(dJointID, dReal *), void (*get2)(dJointID, dReal *));

/* Constructor values of a limit and motor: the world's ERP and CFM are copied. */
void ukMotorCreate(ukMotor *motor, const ukWorld *world);
/* Reads one limit and motor through the type's getter (group 0, 1, 2: dParamX, dParamX2, dParamX3). */
void ukMotorRefresh(ukMotor *motor, dJointID joint, dReal (*get)(dJointID, int), int group);

#endif
