/* SPDX-License-Identifier: BSD-3-Clause */
/* <ukode/analysis.h>: questions about a world at its present state: linearization and modes of motion; poses
 * that satisfy its joints, equilibria, inverse dynamics.
 *
 * Conventions are those of <ukode/ukode.h>: statuses, struct sizes, frames, units. An analysis changes nothing
 * in the world (state, forces, initial guesses, report, dJointFeedback), except that searches move the bodies to the
 * poses found, and that ukWorldGetEquations has no equations until the next step or evaluation. The functions fail when
 * called from within a step of the world (ukErrorChanged), and where the machine has no LAPACKE with a CBLAS
 * (ukErrorLapack). The functions of user constraints, forces and laws are called many times; callbacks of
 * dBodySetMovedCallback are not called.
 *
 * Arrays that a function returns belong to the world, valid until its next call of the same function.
 *
 * Theory, examples, limits: docs/analysis.md. */
#ifndef UKODE_ANALYSIS_H
#define UKODE_ANALYSIS_H

#include <ukode/ukode.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of signals. */
typedef enum ukSignalKind {
    ukSignalJointForce,    /* input: force [N] or torque [N m] along `axis` of a joint, of body 1 against body 2: its
                              power is the signal times ukSignalJointRate */
    ukSignalMotorVelocity, /* input: dParamVel of motor `axis` of a joint [m/s or rad/s]. A motor within its bound is a
                              constraint with this velocity; at its bound it is a force, and the signal has no effect */
    ukSignalBodyForce,     /* input: force x, y, z [N] (axis 0, 1, 2), torque x, y, z about the centre of mass [N m] (3,
                              4, 5) on a body, world frame */
    ukSignalJointPosition, /* output: position [m] or angle [rad] `axis` of a joint, as ODE's getter returns it */
    ukSignalJointRate,     /* output: its rate [m/s or rad/s], as ODE's getter returns it */
    ukSignalReaction, /* output: force x, y, z [N], torque x, y, z [N m] of a joint on its first body (the second, if
                              the first is 0), as ukJointGetForces: ideal and non-ideal together */
    ukSignalBodyPosition, /* output: position x, y, z [m]; rotation about x, y, z from the present pose [rad] */
    ukSignalBodyVelocity  /* output: velocity x, y, z [m/s]; angular velocity x, y, z [rad/s] */
} ukSignalKind;

/** An input or output. For joints: `axis` counts the values of the type's getters, from 0 (Hinge, Slider: 0;
 *  Universal, Hinge-2: 0, 1; PR, Piston: position 0, angle 1; PU: angles 0, 1, position 2), or, for
 *  ukSignalMotorVelocity, its motors (dParamVel1: 0, dParamVel2: 1, dParamVel3: 2). */
typedef struct ukSignal {
    ukSignalKind kind;
    dJointID joint; /* of joint signals */
    dBodyID body;   /* of body signals */
    int axis;
} ukSignal;

/** A linearization: with the state x = [xi; eta], input u, output y, differences to the present state,
 *
 *      continuous  dx/dt = f + A x + B u,   y = C x + D u
 *      discrete    x+    = f + A x + B u,   y = C x + D u     (one step of the world)
 *
 *  xi are `positions` coordinates of poses, eta `velocities` coordinates of velocities: the motion of the bodies is
 *  dq = Nq' xi, dv = Nv' eta + (what xi demands of velocities), 6 numbers per body [linear; angular], world frame. The
 *  rows of Nq and Nv span the motions that the constraints admit, orthonormal in the metric of M: xi is in kg^1/2 m,
 *  eta in kg^1/2 m/s. Next to a motion (f is not 0) x is the deviation from it. */
typedef struct ukLinearization {
    int positions, velocities; /* of x; equal without nonholonomic rows and motors */
    int inputs, outputs;
    int bodies;          /* that move */
    int rank, redundant; /* of the rigid rows, and how many are implied by others */
    int discrete;        /* 1: a step of `stepsize` */
    const double *A;     /* (n x n), n = positions + velocities */
    const double *B;     /* (n x inputs) */
    const double *C;     /* (outputs x n) */
    const double *D;     /* (outputs x inputs) */
    const double *f;     /* (n) 0 at an equilibrium */
    const double *Nq;    /* (positions x 6*bodies) */
    const double *Nv;    /* (velocities x 6*bodies) */
    const dBodyID *body; /* (bodies) in the order of the columns of Nq and Nv */
    double error; /* estimate of the largest error of an entry of A, B, C, D, relative to the largest of its matrix */
    double moved; /* how far the present poses were from the constraints: |dq| in the metric of M [kg^1/2 m] */
    const char *activity; /* text: what contacts, stops, motors and friction count as, and which are near switching */
    double jump; /* by how much the present velocities were changed to satisfy the rigid rows, those of motors that have
                    not reached their velocity and of impacts, too: |dv| in the metric of M [kg^1/2 m/s] */
    int differences; /* 1: by differences of motions: a step, and where there is no tangent (dry friction in joints,
                        laws that depend on loads, sliding contacts, bodies without mass, reactions among outputs) */
} ukLinearization;

/** Linearizes the equations of motion about the present state by their tangent, or, where there is none, and one step,
 *  by extrapolated central differences on the constraints (docs/analysis.md).
 *
 *  Continuous: rigid rows are those of joints, user constraints, contacts, active stops, motors within their bound and
 *  sticking friction; springs made of ERP and CFM, forces, laws, motors at their bound and sliding friction are forces.
 *  Friction, motors, contacts and stops keep the mode that they have in the world's next step: contacts and stops are
 *  bilateral while they carry something, and left out otherwise; sliding friction is mu times the normal force of the
 *  same solution. A joint force among the inputs stands for the motor of its axis: the motor is no constraint then, its
 *  present force stays, and the input is added. A CFM of the world's counts as zero where it is no spring. Discrete:
 *  the step that ukWorldStep takes from there, with the integrator, ERP, contact joints, stops, motors and friction of
 *  the present state; auto-disable and callbacks of dBodySetMovedCallback have no effect.
 *  @param in        (inputs) NULL if inputs is 0
 *  @param out       (outputs) NULL if outputs is 0
 *  @param stepsize  0: continuous; > 0: a step of this size [s]
 *  @param result    out (size bytes)
 *  @param size      sizeof(ukLinearization) of the calling program
 *  @return 0; ukErrorArgument: a signal that its joint or body does not have; ukErrorHandle: a signal's joint or body
 *          is not of this world; ukErrorNotConverged: the poses violate the constraints by more than 5e-2, as an angle;
 *          ukErrorSingular: a singular pose; ukErrorContradiction; ukErrorUnsupported: continuous, with a row that has
 *          no continuous form; ukErrorMemory, ukErrorLapack, ukErrorChanged, or the status with which a step would
 *          fail */
UKODE_API int ukWorldLinearizeSized(dWorldID world, const ukSignal *in, int inputs, const ukSignal *out, int outputs,
                                    double stepsize, ukLinearization *result, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldLinearize(dWorldID world, const ukSignal *in, int inputs, const ukSignal *out, int outputs,
                                   double stepsize, ukLinearization *result)
{
    return ukWorldLinearizeSized(world, in, inputs, out, outputs, stepsize, result, sizeof *result);
}

/** A mode of motion: a pair of conjugate eigenvalues growth +- i frequency of A, or a real one (frequency 0). */
typedef struct ukMode {
    double frequency;                 /* damped [rad/s] */
    double growth;                    /* real part [1/s]; < 0: decays */
    double damping;                   /* ratio, -growth / |eigenvalue|; 1: aperiodic */
    int unstable;                     /* 1: grows, by more than the error of A */
    const double *shape, *shape_imag; /* (6 x ukWorldGetBodyCount) real and imaginary part of the displacement of each
                                        body [linear; angular], in the order of creation; the largest of all has size 1
                                        and is real. Zero for bodies that do not move */
} ukMode;
/** Modes of motion about the present state, in the order of |eigenvalue|, of the continuous linearization. About a
 *  motion the coordinates follow it: those of velocities the rows, and all of them a steady rotation of the whole world
 *  (docs/analysis.md).
 *  @param modes  out: (count)
 *  @param count  out
 *  @param zero   out: independent motions without a restoring force (rigid ones, as the translation of a free body);
 *                they are not among the modes. May be NULL
 *  @return as ukWorldLinearize */
UKODE_API int ukWorldModes(dWorldID world, const ukMode **modes, int *count, int *zero);
/** The same without motors: those of the axes of `in`.
 *  @param in  (inputs) joint forces, which stand for the motors of their axes (ukWorldLinearize); NULL if inputs is 0
 *  @return as ukWorldLinearize */
UKODE_API int ukWorldModesOf(dWorldID world, const ukSignal *in, int inputs, const ukMode **modes, int *count,
                             int *zero);

/** A linear-quadratic regulator: forces u = force - position dq - velocity dv that hold the present state, dq (6 per
 *  body) = [displacement; rotation vector] of each body from its present pose, dv (6 per body) the change of its
 *  velocity, world frame. */
typedef struct ukRegulator {
    int inputs, states, bodies; /* as in ukLinearization; states: positions + velocities */
    int discrete;
    const double *force;       /* (inputs) that balance the present state as well as they can; those of motors that they
                              stand for included [N or N m] */
    const double *position;    /* (inputs x 6*bodies) [input per m, per rad] */
    const double *velocity;    /* (inputs x 6*bodies) [input per m/s, per rad/s] */
    const double *K;           /* (inputs x states) the same on x = [xi; eta] of ukLinearization */
    const double *real, *imag; /* (states) eigenvalues of the closed loop [1/s]; of one step if discrete */
    const dBodyID *body;       /* (bodies) in the order of the columns */
    double unbalanced; /* what these forces leave of the accelerations: |eta'| [kg^1/2 m/s^2]; of a step [kg^1/2 m/s] */
    const char *activity; /* as in ukLinearization */
} ukRegulator;

/** Gains of a linear-quadratic regulator about the present state, which minimise
 *
 *      |eta|^2 + rate^2 |xi|^2 + effort b^2 / rate^2 |u|^2
 *
 *  over time (a sum over steps, if stepsize > 0), b^2 the mean of |column of B|^2 (of B / stepsize), rate [1/s] that
 *  of the motion that gravity and forces cause over the world's own length. The Riccati equation is solved by
 *  structure-preserving doubling (Chu, Fan, Lin 2005: A structure-preserving doubling algorithm for continuous-time
 *  algebraic Riccati equations; Chu, Fan, Lin, Wang 2004 for the discrete one).
 *  @param in         (inputs) at least one
 *  @param effort     > 0: larger ones give smaller forces; 1 is a start
 *  @param stepsize   as in ukWorldLinearize
 *  @param regulator  out (size bytes); arrays are valid until the next call for this world
 *  @param size       sizeof(ukRegulator) of the calling program
 *  @return as ukWorldLinearize; ukErrorNotConverged also where the inputs cannot stabilize the state */
UKODE_API int ukWorldRegulateSized(dWorldID world, const ukSignal *in, int inputs, double effort, double stepsize,
                                   ukRegulator *regulator, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldRegulate(dWorldID world, const ukSignal *in, int inputs, double effort, double stepsize,
                                  ukRegulator *regulator)
{
    return ukWorldRegulateSized(world, in, inputs, effort, stepsize, regulator, sizeof *regulator);
}

/* ---- linear operators -------------------------------------------------------------------------------------------- */

/** A and B of a continuous linearization, which are applied to vectors without being formed: for large worlds. */
typedef struct ukLinearOperator *ukLinearOperatorID;

/** What a linear operator is about. Arrays belong to it. */
typedef struct ukLinearOperatorInfo {
    int bodies;                /* that move; vectors have 12 x bodies numbers: [dq; dv], 6 per body each */
    int inputs;                /* of B */
    int positions, velocities; /* as in ukLinearization: dimensions of the admissible dq and dv */
    int rank, redundant;       /* of the rigid rows, and how many are implied by others */
    const double *f;           /* (12 x bodies) 0 at an equilibrium */
    const dBodyID *body;       /* (bodies) in the order of the vectors */
    double error;              /* estimate of the error of A x and B u, relative to their size, in the metric of M */
    double moved;              /* as in ukLinearization */
    const char *activity;      /* as in ukLinearization */
} ukLinearOperatorInfo;

/** Linearizes the equations of motion about the present state, as ukWorldLinearize does with stepsize 0, in the
 *  velocities and displacements of the bodies:
 *
 *      d/dt [dq; dv] = f + A [dq; dv] + B u,   6 numbers per body [linear; angular], world frame.
 *
 *  With N = [Nq' 0; 0 Nv'] and the coordinates x = [xi; eta] of ukLinearization, whose matrices are A_x and B_x,
 *
 *      A = N A_x N' M,   B = N B_x,   f = N f_x,   M = diag(mass matrices, mass matrices):
 *
 *  [dq; dv] = N x, A projects other vectors onto the admissible ones, and its eigenvalues are those of A_x, and zeros.
 *  dv is the part of the velocities that the constraints leave free: what dq demands of velocities is left out. The
 *  derivatives of the equations and one sparse factorization of the rows (Davis 2006: Direct methods for sparse linear
 *  systems) are kept; each product takes four substitutions.
 *  @param in      (inputs) NULL if inputs is 0
 *  @return the operator, which stays as it is whatever becomes of the world, and is destroyed by
 *          ukLinearOperatorDestroy; NULL on failure (ukGetLastError): as ukWorldLinearize; ukErrorUnsupported also
 *          where there is no tangent (dry friction in joints, laws that depend on loads, sliding contacts, bodies
 *          without mass), ukErrorSingular also
 *          where dependent rows are independent near it, ukErrorNotConverged also where the error is above 1e-6 */
UKODE_API ukLinearOperatorID ukLinearOperatorCreate(dWorldID world, const ukSignal *in, int inputs);
/** Destroys an operator; NULL: nothing. */
UKODE_API void ukLinearOperatorDestroy(ukLinearOperatorID linear);
/** @param info  out (size bytes)
 *  @param size  sizeof(ukLinearOperatorInfo) of the calling program
 *  @return 0, ukErrorHandle (NULL), ukErrorArgument */
UKODE_API int ukLinearOperatorGetInfoSized(ukLinearOperatorID linear, ukLinearOperatorInfo *info, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukLinearOperatorGetInfo(ukLinearOperatorID linear, ukLinearOperatorInfo *info)
{
    return ukLinearOperatorGetInfoSized(linear, info, sizeof *info);
}
/** y = A x, or y = A' x. No allocation; one call of an operator at a time.
 *  @param transposed  1: A'
 *  @param x, y        (12 x bodies) may be the same array
 *  @return 0, ukErrorHandle (NULL), ukErrorArgument */
UKODE_API int ukLinearOperatorApply(ukLinearOperatorID linear, int transposed, const double *x, double *y);
/** y = B u, or u = B' y. No allocation; one call of an operator at a time.
 *  @param transposed  1: from = y (12 x bodies), to = u (inputs); 0: from = u, to = y
 *  @return 0, ukErrorHandle (NULL), ukErrorArgument */
UKODE_API int ukLinearOperatorApplyInputs(ukLinearOperatorID linear, int transposed, const double *from, double *to);

/* ---- searches ----------------------------------------------------------------------------------------------------
 *
 * A search returns 0 whatever it finds, and its result says what. It moves bodies only if it succeeds. The
 * integrator of the world and its stabilization have no effect. Sleeping bodies are not moved. */

/* ---- assembly ---------------------------------------------------------------------------------------------------- */

/** Where a body is to be: a target of ukWorldAssemble. */
typedef struct ukTarget {
    dBodyID body;
    double point[3];           /* of the body, in its own frame [m]; 0 0 0: the centre of mass */
    double position[3];        /* where that point is to be [m] */
    double orientation[4];     /* of the body: w, x, y, z, body to world; any length but zero */
    double position_weight;    /* >= 0 [1/m]; 0: the position is free */
    double orientation_weight; /* >= 0 [1/rad]; 0: the orientation is free */
} ukTarget;

/** The position error that a joint or user constraint has at the compromise. */
typedef struct ukContradiction {
    dJointID joint;            /* NULL: a user constraint, */
    ukConstraintID constraint; /* this one */
    double error;              /* largest of its rows [m or rad] */
} ukContradiction;

/** Result of an assembly. */
typedef struct ukAssembly {
    int met;                 /* 1: every joint is satisfied, and the world has these poses; 0: it is unchanged */
    double gap;              /* largest position error at the poses found [m or rad] */
    int rows, rank;          /* rows with position errors, and how many are independent there */
    int freedoms;            /* 6 per moving body, less the rank: motions that the joints leave */
    int starts, passes;      /* starts tried, singular value decompositions */
    double target_error;     /* sqrt of the sum of (weight x error)^2 of all targets, at the poses found */
    int targets_met;         /* 1: that is rounding; 0: the targets' least-squares compromise among poses that meet the
                              joints */
    int count;               /* moving bodies, and what was found of them, whether they were moved there or not: */
    const dBodyID *bodies;   /* (count) */
    const double *positions; /* (3 count) centres of mass [m] */
    const double *orientations;           /* (4 count) w, x, y, z */
    int contradictions;                   /* joints that cannot be satisfied together; 0 if met */
    const ukContradiction *contradiction; /* (contradictions) */
} ukAssembly;

/** Moves bodies to poses that satisfy every joint, from poses however far away: rows with position errors of joints and
 *  user constraints, and stops that are exceeded. Contacts, springs (CFM > 1e-6), motors and friction are ignored. The
 *  axes of hinges end up parallel, never opposite.
 *
 *  The search minimises the position errors by the Levenberg-Marquardt method in the M-norm, from the present poses
 *  first, then from others in a fixed pseudo-random sequence. The poses found are not always the nearest: a four-bar
 *  has two assemblies. With targets it continues along the motions that the joints leave and minimises the targets'
 *  errors (inverse kinematics): joints are always met, targets as well as they can be; up to 20
 *  other assemblies are tried where they are not met. Velocities stay as they are; ukWorldProject makes them agree with
 *  the new poses.
 *
 *  Where the joints cannot all be met (`met` 0) the world stays as it was, `positions` and `orientations` are those of
 *  the least-squares compromise, and `contradiction` lists an irreducible set of joints: no poses were found that meet
 *  them all, and without any one of them there were. As with any local search, this is no proof.
 *  @param targets   (count) of moving bodies of the world; NULL: none
 *  @param count     >= 0
 *  @param assembly  out (size bytes)
 *  @param size      sizeof(ukAssembly) of the calling program
 *  @return 0 whatever is found; ukErrorArgument also for a target's body that is kinematic, asleep or of another world,
 *          or of which a number is not finite; ukErrorMemory, ukErrorLapack, ukErrorChanged (from within a step), or
 *          the status with which a step would fail
 *  @note Dense: the time grows with the cube of the number of bodies, about 10 ms a pass for 20 bodies. */
UKODE_API int ukWorldAssembleSized(dWorldID world, const ukTarget *targets, int count, ukAssembly *assembly,
                                   size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldAssemble(dWorldID world, const ukTarget *targets, int count, ukAssembly *assembly)
{
    return ukWorldAssembleSized(world, targets, count, assembly, sizeof *assembly);
}

/* ---- equilibrium ------------------------------------------------------------------------------------------------- */

/** The force of a joint, contact or user constraint at an equilibrium. */
typedef struct ukCarried {
    dJointID joint;            /* NULL: a user constraint, */
    ukConstraintID constraint; /* this one */
    double force[2][6];        /* force [N] and torque about the centre of mass [N m] on its bodies, in the order of
                                  dJointAttach or of creation (the first two) */
    int unique;                /* 1: determined; 0: an arbitrary split, among redundant joints or within friction */
    int at_bound;              /* rows at a bound: a contact that is open or about to slip, a motor at its limit */
} ukCarried;

/** Result of a search for an equilibrium. */
typedef struct ukEquilibrium {
    int found;       /* 1: the world has these poses, at rest; 0: it is unchanged; the rest is of the best poses */
    double residual; /* unbalanced part of the forces over their size, in the metric of M^-1 */
    double gap;      /* largest position error [m or rad] */
    int passes;      /* Newton steps */
    int freedoms;    /* independent motions that the active rows leave */
    int stable;      /* 1: every motion has a restoring force; 0: not; see also: */
    int unstable, neutral; /* numbers of motions with a repelling force, and without any */
    double softest;        /* least eigenvalue of the stiffness in the metric of M [1/s^2]; its root is the frequency of
                              the softest mode without damping; 0 without freedoms */
    int conservative;      /* 1: the stiffness is symmetric; 0: forces do work around closed paths (followers), and
                              `stable` is without damping */
    dBodyID unbalanced;    /* if not found: the body with the largest share of the residual */
    int count;             /* moving bodies, and the poses found: */
    const dBodyID *bodies; /* (count) */
    const double *positions;    /* (3 count) [m] */
    const double *orientations; /* (4 count) w, x, y, z */
    int carriers;               /* joints and constraints with rows there */
    const ukCarried *carried;   /* (carriers) */
} ukEquilibrium;

/** Moves the world to an equilibrium: poses at which the forces balance at rest, and sets all velocities of moving
 *  bodies to zero. Forces are gravity, accumulated forces, force functions, springs made of ERP and CFM (with the
 *  stiffness of the last step's size, 0.01 s before the first), and those of rows within their bounds: stops, contacts
 *  with their friction, motors (dParamVel 0: within FMax; else pushing with FMax). Dry friction in joints is left out:
 *  an equilibrium without it is one with it. Viscous friction and drag vanish at rest. Contact joints are those that
 *  exist: a contact's point stays on its bodies while they move, and its plane keeps its direction. Where shapes roll
 *  or tip, detect collisions there and search again.
 *
 *  The search assembles the world if necessary, then takes Newton steps in the motions that the active rows leave,
 *  with the eigenvalues of the stiffness made positive, so that it goes downhill and ends at a stable equilibrium; an
 *  unstable one is kept if the search begins there.
 *  @param tolerance    of the residual, >= 0; 0: 1e-12
 *  @param equilibrium  out (size bytes)
 *  @param size         sizeof(ukEquilibrium) of the calling program
 *  @return 0 whatever is found; ukErrorUnsupported: a motor of unlimited force with a velocity, a contact surface in
 *          motion, a law whose force at rest depends on the load; ukErrorMemory, ukErrorLapack, ukErrorChanged, or the
 *          status with which a step would fail */
UKODE_API int ukWorldEquilibriumSized(dWorldID world, double tolerance, ukEquilibrium *equilibrium, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldEquilibrium(dWorldID world, double tolerance, ukEquilibrium *equilibrium)
{
    return ukWorldEquilibriumSized(world, tolerance, equilibrium, sizeof *equilibrium);
}

/* ---- inverse dynamics -------------------------------------------------------------------------------------------- */

/** Result of an inverse dynamics. */
typedef struct ukInverse {
    int met;         /* 1: the actuators, joints and contacts give the accelerations, up to rounding */
    double residual; /* what they cannot give, over M qdd - Q, in the metric of M^-1 */
    int rank;        /* of the actuators' forces, along the motions that the joints leave, contacts in use included */
    int freedoms;    /* independent motions that the joints leave */
    double
        inconsistent; /* largest |A qdd - b| of the prescribed accelerations over their size: violation of the joints */
    int bodies;       /* all of the world, in the order of creation */
    const double *missing; /* (6 x bodies) force [N] and torque [N m] on each that no actuator can give */
    dBodyID worst;         /* the body with the largest share of it; NULL: met */
    int carriers; /* joints, contacts and constraints with rows; their `unique` is 0 wherever rows are redundant */
    const ukCarried *carried; /* (carriers) what they carry */
} ukInverse;

/** Forces of actuators that give bodies the prescribed accelerations, at the present state. Of all that do, the ones
 *  with the least sum of (weight x force)^2; if none do, those that leave the least unbalanced force in the metric of
 *  M^-1, `missing`.
 *
 *  The equations are M qdd = Q + A' lambda + W u: Q as in ukWorldEvaluate's, W the actuators' unit forces. Rows of
 *  joints and user constraints take any force; active stops and touching contacts (depth >= 0) push within their
 *  friction: ODE's box, or, for the Coulomb cone, a cone of 16 edges within it. Motors of the joints are left out:
 *  they are what `u` stands for. With contacts, the least sum is that among the solutions with the same contact forces
 *  in use.
 *  @param actuators     (count) ukSignalJointForce and ukSignalBodyForce
 *  @param count         >= 0
 *  @param weights       (count) > 0; NULL: all 1
 *  @param acceleration  (6 x ukWorldGetBodyCount) linear [m/s^2], angular [rad/s^2], in the order of creation, world
 *                       frame; of bodies that do not move ignored; NULL: all zero
 *  @param forces        out (count) [N or N m]
 *  @param inverse       out (size bytes)
 *  @param size          sizeof(ukInverse) of the calling program
 *  @return 0 whatever is found; ukErrorArgument, ukErrorHandle: an actuator that its joint or body does not have;
 *          ukErrorUnsupported: dry friction or a law function of a joint or constraint beside touching contacts or
 *          active stops; ukErrorNotConverged: the forces of laws, which depend on the joints' loads, and they on the
 *          actuators, are not found; ukErrorMemory, ukErrorLapack, ukErrorChanged, or the status with which a step
 *          would fail */
UKODE_API int ukWorldInverseDynamicsSized(dWorldID world, const ukSignal *actuators, int count, const double *weights,
                                          const double *acceleration, double *forces, ukInverse *inverse, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldInverseDynamics(dWorldID world, const ukSignal *actuators, int count, const double *weights,
                                         const double *acceleration, double *forces, ukInverse *inverse)
{
    return ukWorldInverseDynamicsSized(world, actuators, count, weights, acceleration, forces, inverse,
                                       sizeof *inverse);
}

#ifdef __cplusplus
}
#endif

#endif
