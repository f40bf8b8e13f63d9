/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/frame.h: the state of the stepped bodies, in arrays: gathered from ODE (bridge/island/gather.h), written
 * back by bridge/results/write_back.h. Their masses, and the forces on them.
 *
 * ODE's order within a step (docs/conventions.md): accumulators gain gravity, then the gyroscopic torque; afterwards
 * body by body: velocity, speed cap, pose, moved callback, damping, accumulators cleared. */
#ifndef UKODE_BRIDGE_WORLD_FRAME_H
#define UKODE_BRIDGE_WORLD_FRAME_H

#include "bridge/world/state.h"

static inline bool ukFiniteAll(const double *x, size_t count)
{
    double even = 0, odd = 0; /* two sums, to hide the latency of the additions */
    for (size_t i = 0; i + 1 < count; i += 2) even += x[i] * 0, odd += x[i + 1] * 0;
    if (count % 2 != 0) even += x[count - 1] * 0;
    return even + odd == 0; /* 0 times infinity or NaN is NaN */
}

/* How a discrete step rotates a body by h w, before q is normalised. w_n and w_t are the components of w along and
 * across the body's finite rotation axis, exp(x) is the quaternion of the rotation by the vector 2 x. Recorded as
 * numbers. */
typedef enum ukRotation {
    ukRotationFirstOrder, /* q := (1, h w/2) q */
    ukRotationFinite,     /* q := exp(h w/2) q; with an axis q := (1, h w_t/4) exp(h w_n/2) q, as in ODE */
    ukRotationWhole       /* with an axis and exact rows: q := (1, h w_t/2) exp(h w_n/2) q */
} ukRotation;

/* One body of the step. */
typedef struct ukFrame {
    ukBody *body;
    ukState start;         /* as ODE stores it at the start of the step */
    ukState state;         /* where the equations are written: the start, or a stage of an integrator */
    double accumulator[6]; /* the user's force and torque at the start */
    double force[6];       /* at `state`: accumulator, gravity, gyroscopic torque, motors at stops, user forces */
    double turning[3];     /* the gyroscopic torque, of `force` */
    double damping[2];     /* factors of the new linear and angular velocity, set by ukFrameSetDamping */
    double cap;            /* limit of the new angular velocity [rad/s], and how it rotated the body: */
    ukRotation rotation;   /* ... both of a discrete step (bridge/integrate/integrate_euler.h) */
    bool has_gravity;      /* gravity is in `force` */
    int moving;            /* index in its island's problem; -1: kinematic */
    bool written;          /* its result was handed to ODE */
    bool woken;            /* was enabled by this step's island search */
} ukFrame;

/* Whether the body has no mass: it moves, and exerts and resists no force of inertia. */
static inline bool ukFrameIsMassless(const ukFrame *f)
{
    return f->body->massless && f->moving >= 0;
}

/* Whether a gyroscopic torque acts on the body. */
static inline bool ukFrameTurns(const ukFrame *f)
{
    return !f->body->massless && dBodyGetGyroscopicMode(f->body->handle) != 0;
}

/* Prefetches ODE's state of a body that is read or written soon. */
static inline void ukFrameFetch(const ukBody *body)
{
    __builtin_prefetch(body->position);
    __builtin_prefetch(body->rotation + 4);
    __builtin_prefetch(body->quaternion);
    __builtin_prefetch(body->linear);
    __builtin_prefetch(body->force);
}

/* The step in which ODE's gyroscopic torque of a step h is implicit: h, or 0 where it is explicit
 * (bridge/ode/class.h). */
double ukFrameTurningStep(const ukFrame *f, double h);
/* f->force at f->state: the accumulator, gravity g (3) by the body's mode, and the gyroscopic torque: ODE's, implicit
 * in h, or -w x I w for h = 0. A moving body's mass, world inertia (9) and its inverse (9) go to the given places. */
void ukFrameForces(ukFrame *f, const double g[3], double h, double *mass, double *inertia, double *inverse_inertia);
/* Declares whether a body has no mass; its mass properties are read again. */
void ukFrameDeclareMassless(ukBody *body, bool massless);
/* Reads mass properties where they may have changed; whether the body is kinematic. ukOk or ukErrorMass. */
int ukFrameConstants(ukBody *body, bool *kinematic);
/* The reason why ukFrameConstants refused the body, such as "inertia is not symmetric". */
const char *ukFrameMassFault(const ukBody *body);

/* W = R B R' (9 each, row-major), B symmetric in the body's frame. */
void ukInertiaToWorld(const double R[9], const double B[9], double W[9]);

/* Torque of ODE's implicit gyroscopic term [N m]: T = (1/h) (I (I - h [L]x)^-1 - 1) L, L = I w; adds to torque (3). */
void ukGyroscopicTorque(const double I[9], const double w[3], double h, double torque[3]);

/* q := exp(theta) q for a rotation vector theta (3) [rad], world frame; not normalised. */
void ukRotateBy(double q[4], const double theta[3]);
/* Normalises s->q and computes s->R. */
void ukStateOrient(ukState *s);

/* Name of the first part of the state that is not finite, or of a zero quaternion; NULL: the state is valid. */
const char *ukStateFault(const ukState *s);

#endif
