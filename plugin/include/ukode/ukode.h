/* SPDX-License-Identifier: BSD-3-Clause */
/* <ukode/ukode.h>: an exact, certified stepper for the Open Dynamics Engine.
 *
 * Quantities. Units are your own (SI in these comments). Everything is in the world frame. Velocities are [linear
 * velocity of the centre of mass; angular velocity], forces [force; torque about the centre of mass]. Quaternions are
 * w, x, y, z, body to world. Matrices are dense and row-major.
 *
 * Results. Functions return one of three things:
 *
 *   a status    ukOk (0) on success, a negative enum ukStatus on failure. ukErrorArgument: a null pointer or a value
 *               out of range; ukErrorHandle: an unknown handle. Comments name further errors only.
 *   a value     of a getter, or a count
 *   a pointer   or a handle
 *
 * ukWorldStep alone follows dWorldStep: 1 on success, 0 on failure. A call that fails leaves the world unchanged, and
 * its output arguments all zero: structs, the values of getters, the arrays of ukJointGetForces. ukGetLastError and
 * ukGetLastErrorMessage describe the thread's last failure.
 *
 * Unknown handles. For a world, body, joint, constraint or force that is null, unknown to the library or destroyed,
 * status functions return ukErrorHandle, value functions 0 (the first enumerator; ukWorldGetSwitch: INFINITY), pointer
 * functions NULL. All of them set ukGetLastError to ukErrorHandle.
 *
 * Getters. ukXSetY(x, value) has ukXGetY(x); several values are output arguments, each of which may be NULL. A getter
 * returns the value that was set, by the program, an environment variable UKODE_* or ukWorldRestore, also where it
 * stands for another one ("0: automatic").
 *
 * Struct sizes. ukReport, ukLedger, ukAudit, ukEquations, ukDiagnosis and ukMobility may get members in later versions,
 * at their end. The functions that fill them exist twice: ukXSized(..., size) is the exported symbol, for dlsym, weak
 * references and other languages too, and writes exactly `size` bytes (members that the library does not have are 0).
 * ukX(...) is an inline function that passes the size of the struct that the program was compiled with. All other
 * structs keep their layout.
 *
 * The library never exits or aborts, and prints only if UKODE_VERBOSE is set. Arrays that you pass stay yours; arrays
 * that a function returns belong to the library and are valid for as long as its comment says.
 *
 * Theory and equation numbers: docs/theory.md. Frames, signs, statuses: docs/conventions.md. */
#ifndef UKODE_UKODE_H
#define UKODE_UKODE_H

#include <stddef.h>

#include <ode/ode.h>

#include <ukode/status.h> /* enum ukStatus { ukOk = 0, ukErrorArgument = -1, ... } */

#define UKODE_VERSION_MAJOR 0 /* the version of this header, in numbers */
#define UKODE_VERSION_MINOR 1 /* its second number */
#define UKODE_VERSION_PATCH 0 /* its third */
#define UKODE_VERSION "0.1.0" /* the three as text */

#ifndef UKODE_API
#define UKODE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- stepping ---------------------------------------------------------------------------------------------------- */

/** Takes one step of `world`: the drop-in replacement of dWorldStep(), whether the world is enabled or not.
 *  Accelerations satisfy M qdd = Q + Qi + Qni with A qdd = b (docs/theory.md).
 *  @param stepsize  > 0 [s]
 *  @return 1 on success; 0 on failure, with every body in its previous state (ODE's convention; ukGetLastError has the
 *          status). A callback of dBodySetMovedCallback may destroy or attach any object; if it destroys the world,
 *          the step ends and returns 0.
 *  @note Allocates nothing as long as bodies, joints and rows do not exceed what an earlier step needed. */
UKODE_API int ukWorldStep(dWorldID world, double stepsize);

/** Lets ukode compute dWorldStep and dWorldQuickStep of `world`. The library must precede libode in the program's link
 *  or preload order. Under preload every world is enabled when it is created. */
UKODE_API int ukWorldEnable(dWorldID world);
/** Leaves dWorldStep and dWorldQuickStep of `world` to ODE again. */
UKODE_API int ukWorldDisable(dWorldID world);
/** @return 1 if ukode computes the world's steps, 0 if ODE does */
UKODE_API int ukWorldIsEnabled(dWorldID world);

/** Registers a world that was created before the library was loaded. Joints are found through the bodies. Data that ODE
 *  does not expose (relative poses of joints) are taken from the present state, which then counts as free of errors
 *  (docs/ode-differences.md).
 *  @param bodies  (count >= 0) every body of the world that is to move
 *  @return 0; ukErrorMemory. On an error the world is as it was before the call; if it was unknown, it stays so. */
UKODE_API int ukWorldAttach(dWorldID world, const dBodyID *bodies, int count);

/* ---- settings of a world (the UKODE_* variables set the defaults of new worlds) ---------------------------------- */

/** Solvers of the equations of a step. */
typedef enum ukSolver {
    ukSolverAuto,      /* the fastest exact solver (default) */
    ukSolverSparse,    /* block-sparse direct factorization */
    ukSolverMInverse,  /* Udwadia 2004 [9]: the M-weighted inverse; dense, any rank */
    ukSolverOneFour,   /* Udwadia 2000 [24]: a {1,4}-inverse; dense, any rank */
    ukSolverDAlembert, /* Udwadia, Kalaba & Hee-Chang 1997 [20]: null-space basis; dense, any rank */
    ukSolverGaussQP,   /* Kalaba & Udwadia 1994 [30]: quadratic programme; dense, any rank */
    ukSolverLagrange   /* SICM 1.10: multipliers; dense, full row rank: dependent rows are softened (compromise) */
} ukSolver;
/** Sets the solver.
 *  @return 0; ukErrorLapack: a dense solver was chosen, and this machine has no LAPACKE with a CBLAS */
UKODE_API int ukWorldSetSolver(dWorldID world, ukSolver solver);
/** @return the solver */
UKODE_API ukSolver ukWorldGetSolver(dWorldID world);

/** Methods of integration. */
typedef enum ukIntegrator {
    ukIntegratorEuler,    /* semi-implicit Euler on ODE's discrete right-hand side (default) */
    ukIntegratorRK4,      /* classical Runge-Kutta on the continuous right-hand side, then projection */
    ukIntegratorAdaptive, /* an embedded pair of orders 5 and 4 in sub-steps, to a tolerance; projection after each */
    ukIntegratorRattle,   /* variational, second order: bounded energy error; poses and velocities on the constraints */
    ukIntegratorRadau     /* as adaptive, but implicit (Radau IIA) from the first sub-step on, for stiff forces */
} ukIntegrator;
/** Sets the integrator. Euler steps every row in ODE's discrete form. The others step islands in the continuous form;
 *  an island with a row that has no continuous form takes the step in the discrete form (ukReport.discrete_islands).
 *
 *  row of the island                           | RK4        | adaptive (2)   | RATTLE
 *  --------------------------------------------|------------|----------------|-----------
 *  joint, motor of infinite force, constraint  | continuous | continuous     | continuous
 *  friction or law of a joint or constraint    | continuous | continuous     | continuous
 *  motor of finite force                       | discrete   | continuous     | discrete
 *  spring (CFM > 1e-6) in a joint or motor     | discrete   | continuous (1) | discrete
 *  stop of a joint                             | continuous | continuous     | continuous
 *  one-sided or bounded row of a constraint    | continuous | continuous     | continuous
 *  compliant stop (3), contact                 | discrete   | discrete       | discrete
 *
 *  (1) as a force with the stiffness and damping of the step that the program takes (docs/theory.md), if ERP is in
 *  0 ... 1, the island has at most 256 such rows and no friction or law. A joint whose only CFM is the world's, with
 *  cfm / h below a hundredth of its compliance (A M^-1 A'), is first tried as rigid, and is a spring where rigid rows
 *  have no solution.
 *
 *  (2) and Radau. Adaptive begins each island with an explicit pair and changes to Radau IIA where the island's forces
 *  (ukForceCreate, springs) are stiff. ukIntegratorRadau takes islands with such forces by Radau IIA alone, takes the
 *  others as adaptive does, and refuses forces together with joint laws or bodies without mass (ukErrorUnsupported).
 *  ukReport.implicit_substeps counts the sub-steps of Radau IIA.
 *
 *  (3) dParamStopCFM > 1e-6, or with a motor of finite force or a body without mass, or of an AMotor in Euler mode
 *  within 17 degrees of its singular pose: acts from the step after the one in which it is reached. Other stops act
 *  from that instant on. */
UKODE_API int ukWorldSetIntegrator(dWorldID world, ukIntegrator integrator);
/** @return the integrator */
UKODE_API ukIntegrator ukWorldGetIntegrator(dWorldID world);

/** Sets the tolerances of the adaptive integrator: the largest error of an island's sub-step.
 *
 *  relative  of positions, in units of the island's length L (its radius of gyration and the longest moment arm
 *            of its joints), and of velocities, in units of its speed, both in the metric of M (docs/accuracy.md);
 *            1e-8 unless set
 *  absolute  [m] adds absolute / L to the relative tolerance; 0 unless set
 *
 *  A sub-step is never longer than the step. If no sub-step is short enough the step fails with ukErrorNotConverged,
 *  and with ukErrorBudget if there are too many; the message names the joint.
 *  @param relative, absolute  >= 0, finite; values below 2e-15 have the effect of 2e-15 */
UKODE_API int ukWorldSetTolerance(dWorldID world, double relative, double absolute);
/** @param relative, absolute  out, or NULL */
UKODE_API int ukWorldGetTolerance(dWorldID world, double *relative, double *absolute);

/** Sets the work that one step may take, in evaluations of the world's equations. One evaluation assembles and solves
 *  every island once; an island counts by its share of the stepped bodies. Euler takes 1 (3 where user constraints
 *  conflict, one more for each repeated solve of bodies without mass or of softened rows), RK4 about 10, the adaptive
 *  integrator 7 to 10 per sub-step and more where forces are stiff. The count does not depend on the machine. A step
 *  that needs more fails with ukErrorBudget; the message names the joint and the sub-steps that took most evaluations.
 *  ukReport.evaluations is the work of the last step.
 *  @param evaluations  0 ... 1e9. 0, the default: 300000 / stepped bodies, at least 500 and at most 30000, which takes
 *                      some tenths of a second */
UKODE_API int ukWorldSetBudget(dWorldID world, int evaluations);
/** @return the budget that was set; 0: by the number of bodies */
UKODE_API int ukWorldGetBudget(dWorldID world);

/** Limits the factorizations that each island with bounded rows (contacts with their friction, stops, motors) may take
 *  in a step, and thereby the time of the slowest step. An island that needs more gets the best forces found so far;
 *  the step is then inexact. ukReport gives its residuals, `ok` is 0 where they exceed the tolerance of the Gauss
 *  check, and the action of the check (ukWorldSetGaussCheck) decides whether it is accepted (ukCheckWarn) or fails
 *  (ukCheckStop). Of two problems, such as the two phases of dWorldStep's law, the first may take half. Equality rows
 *  take one factorization more. ukReport.factorizations is the sum over the islands. The position problem of
 *  ukStabilizeSplit is not limited.
 *  @param passes  0 ... 1e9; 0, the default: no limit (docs/performance.md, A limit for the slowest step) */
UKODE_API int ukWorldSetPassLimit(dWorldID world, int passes);
/** @return the limit that was set; 0: none */
UKODE_API int ukWorldGetPassLimit(dWorldID world);

/** Methods that correct position errors of constraints. */
typedef enum ukStabilization {
    ukStabilizeErp,        /* ODE's first-order error correction (Euler only) */
    ukStabilizeBaumgarte,  /* b gets -2 alpha phi' - beta^2 phi; not for loops with redundant rows (theory.md, 6) */
    ukStabilizeProjection, /* pose, then velocity, onto the constraints after each step, nearest in M (default) */
    ukStabilizeNone,
    ukStabilizeSplit /* ERP moves poses, not velocities (docs/contact.md) */
} ukStabilization;
/** Sets the stabilization.
 *
 *  kind        | discrete form (Euler; islands that the others leave to it)  | RK4, adaptive, Radau
 *  ------------|------------------------------------------------------------|------------------------
 *  Erp, None   | ODE's ERP                                                  | none: constraints drift
 *  Baumgarte   | ODE's ERP                                                  | Baumgarte's terms in b
 *  Projection  | ODE's ERP                                                  | projection
 *  Split       | split correction                                           | projection
 *
 *  RATTLE satisfies the constraints with any kind.
 *
 *  The split correction solves velocities without ERP's correcting speeds; a second, frictionless problem then moves
 *  the poses by as much as ERP would (joints in both directions, contacts and stops outwards only), and its velocities
 *  are discarded. It adds no kinetic energy (ukLedger.stabilization <= 0), and large piles come to rest. ODE's surface
 *  layer and largest correcting velocity apply; a contact keeps a penetration of 1e-4 of its length L beneath it.
 *  Springs made of ERP and CFM remain springs. The Gauss check tests both problems.
 *  @param alpha, beta  Baumgarte's [1/s], >= 0; 0: the default, 5; the other kinds ignore them */
UKODE_API int ukWorldSetStabilization(dWorldID world, ukStabilization kind, double alpha, double beta);
/** @param kind, alpha, beta  out, or NULL */
UKODE_API int ukWorldGetStabilization(dWorldID world, ukStabilization *kind, double *alpha, double *beta);

/** Friction laws of contacts. */
typedef enum ukFriction {
    ukFrictionOde, /* ODE's box or pyramid, as in the stepper that the program calls (default) */
    ukFrictionCone /* isotropic (elliptic for mu != mu2) Coulomb cone */
} ukFriction;
/** Sets the friction law of contacts (docs/contact.md). */
UKODE_API int ukWorldSetFriction(dWorldID world, ukFriction law);
/** @return the friction law of contacts */
UKODE_API ukFriction ukWorldGetFriction(dWorldID world);
/** Sets the largest number of fixed-point iterations on the friction bounds, for islands in which the coupled solver
 *  found no self-consistent friction (dWorldQuickStep's law and the cone; large moving piles). Each iteration freezes
 *  the bounds at mu times the last normal forces and solves the rest exactly, at the cost of a solve. A rough coupled
 *  solve, where it succeeds, replaces the first two; the last two are skipped where the others leave a coupling of at
 *  most 0.01. ukReport.coupling is the error that remains.
 *  @param rounds  2 ... 100, default 5; with 2 a body that lands may stop short */
UKODE_API int ukWorldSetFrictionRounds(dWorldID world, int rounds);
/** @return the largest number of fixed-point iterations */
UKODE_API int ukWorldGetFrictionRounds(dWorldID world);

/** Rules for ODE's default CFM. */
typedef enum ukCfmRule {
    ukCfmAuto, /* counts as zero in closed loops with redundant rows (default) */
    ukCfmOde   /* acts everywhere, as in ODE */
} ukCfmRule;
/** Sets how ODE's default CFM acts, in the discrete form, in loops whose rows are dependent up to their drift. There it
 *  damps the mechanism (docs/ode-differences.md). A CFM above the default always acts. ukReport.cfm_islands counts the
 *  islands in which it was set to zero. */
UKODE_API int ukWorldSetCfmRule(dWorldID world, ukCfmRule rule);
/** @return the rule for ODE's default CFM */
UKODE_API ukCfmRule ukWorldGetCfmRule(dWorldID world);

/** Rows of joints in the discrete form (Euler). */
typedef enum ukJointRule {
    ukJointRuleODE,  /* ODE's own: displaced, some joints push their two bodies along different lines (default) */
    ukJointRuleExact /* those of the continuous form: gradients of the position errors, one wrench per joint */
} ukJointRule;
/** Sets the rows of joints under Euler (docs/ode-differences.md, The exact rows). A joint with exact rows exerts equal
 *  and opposite forces along one line, and so no net torque: angular momentum is conserved also where the joint is
 *  displaced, off its axis or soft, and to rounding for groups of bodies that only joints connect (their gyroscopic
 *  torques are adapted). The other integrators always use the exact rows. The rule may change between steps. */
UKODE_API int ukWorldSetJointRule(dWorldID world, ukJointRule rule);
/** @return the rows of joints under Euler */
UKODE_API ukJointRule ukWorldGetJointRule(dWorldID world);

/** Actions for a step that the Gauss check rejects. */
typedef enum ukCheckAction {
    ukCheckOff,      /* residuals are not computed */
    ukCheckWarn,     /* recorded in the report, and printed under UKODE_VERBOSE (default) */
    ukCheckResolve,  /* solved again by the reference solver (islands in the discrete form) */
    ukCheckFallback, /* dWorldStep takes ODE's own step; ukWorldStep fails */
    ukCheckStop      /* the step fails, the world stays unchanged */
} ukCheckAction;
/** Sets what to do with a step whose scaled residuals exceed `tolerance`; default ukCheckWarn at 1e-9.
 *  @param tolerance  > 0, finite; dimensionless */
UKODE_API int ukWorldSetGaussCheck(dWorldID world, double tolerance, ukCheckAction action);
/** @param tolerance, action  out, or NULL */
UKODE_API int ukWorldGetGaussCheck(dWorldID world, double *tolerance, ukCheckAction *action);

/** Sets the rank tolerance: singular values at or below `relative` count as zero. They are those of A M^-1/2 with each
 *  row divided by its norm, so they do not depend on units (docs/theory.md).
 *  @param relative  0 <= relative < 1. 0, the default: follows the drift; rounding for the discrete form without closed
 *                   loops */
UKODE_API int ukWorldSetRankTolerance(dWorldID world, double relative);
/** @return the rank tolerance that was set; 0: automatic */
UKODE_API double ukWorldGetRankTolerance(dWorldID world);

/** Sets how many threads solve the islands of a step, the caller's included, and share the work of an island with more
 *  than 40 000 unknowns. The threads belong to the process and sleep between steps;
 *  dWorldSetStepThreadingImplementation concerns ODE's own stepper alone. Results are identical, bit for bit. User
 *  functions and callbacks of dBodySetMovedCallback run on the caller's thread, in ODE's order. Islands with such a
 *  function or a joint law, all islands under other integrators than Euler, and all with a dense solver are solved one
 *  after the other. ukWorldRestore does not change the number.
 *  @param threads  1 ... 64, default 1 */
UKODE_API int ukWorldSetThreads(dWorldID world, int threads);
/** @return the number of threads */
UKODE_API int ukWorldGetThreads(dWorldID world);

/* ---- results of a step ------------------------------------------------------------------------------------------- */

/* With Euler, constraint forces, equations and reports belong to the step just taken, as ODE's feedback does. With the
 * other integrators they belong to the end of the step, the state that you see; dJointFeedback and
 * ukConstraintGetImpulse cover the whole step. ukWorldEvaluate computes them for the present state. */

/** The last step or evaluation: sums or maxima over its islands. */
typedef struct ukReport {
    int bodies, joints, rows; /* stepped bodies (kinematic ones included), joints with rows, rows */
    int rank;                 /* numerical rank of the active rows; -1 if the solver did not determine it */
    int active_rows;          /* the active set: equalities, and bounded rows strictly between their bounds */
    int pivots;               /* changes of the active set: rows that became free or met a bound, over all iterations of
                                 the active-set methods (an interior point has no active set) */
    int factorizations;       /* of systems with bounded rows; a homotopy, which updates one factor, counts as one */
    int discrete_islands;     /* islands in the discrete form although another integrator was chosen */
    int fallbacks;            /* steps of this world taken by ODE's own stepper since it was created */
    double gaussian;          /* Gauss's function G_i = Qc' M^-1 Qc, Qc = M qdd - Q [N m/s^2], and its two M-orthogonal
                                 parts: */
    double gaussian_ideal, gaussian_nonideal;
    double feasibility, stationarity, complementarity; /* scaled residuals, dimensionless */
    double compromise; /* violation of the stated equations, relative to the accelerations, where another problem was
                         solved (CFM set to zero, conflicting errors in the least-squares sense, softened rows); of
                         motors of unlimited force whose rates contradict each other, the error of a rate relative to
                         the largest that a row prescribes; else 0 */
    double coupling;   /* error of self-consistent friction: |x - y| / |x - a| in the metric of M, of the accelerations
                         of the last two fixed-point iterations; 0: the friction law is satisfied */
    int cfm_islands;   /* islands in which ODE's default CFM was set to zero (docs/ode-differences.md) */
    double position_error; /* largest |phi| of joints and user constraints [m or rad] */
    double velocity_error; /* largest |A v - target| of the active rows, at the end of the step [m/s or rad/s] */
    double kinetic_energy, potential_energy; /* of the stepped dynamic bodies, at the end of the step [J] */
    double seconds_assemble, seconds_solve, seconds_check, seconds_write; /* wall time of the step, by stage [s] */
    int ok;                 /* 1: every residual is within the tolerance of the Gauss check */
    int substeps, rejected; /* sub-steps of all islands (adaptive; RATTLE: parts, usually 0), rejected trials */
    double evaluations;     /* of the world's equations that the step took (ukWorldSetBudget) */
    double Gni; /* Gauss's function with C: G_ni = (Qc - C)' M^-1 (Qc - C) [N m/s^2], which qdd minimises (2000 [15],
                  [16]); equal to `gaussian` without laws. Both 0 if the check is off. */
    int implicit_substeps; /* of `substeps`, those that the implicit method for stiff forces took (Radau IIA; adaptive:
                              from where a spring's or damper's rate times the sub-step exceeds 0.3) */
} ukReport;
/** The report of the last step or evaluation; all zero before the first.
 *  @param report  out (size bytes)
 *  @param size    sizeof(ukReport) of the calling program */
UKODE_API int ukWorldGetReportSized(dWorldID world, ukReport *report, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldGetReport(dWorldID world, ukReport *report)
{
    return ukWorldGetReportSized(world, report, sizeof *report);
}

/** The equations of the last step or evaluation, dense and row-major.
 *  M qdd = Q + Qi + Qni, A qdd = b (less softness x lambda where CFM softens a row), a = M^-1 Q. C is the whole
 *  prescription, sticking friction included (its rows are not in A). Qi = M A_M^+ (b - A a); Qni = C + A' times the
 *  change of lambda that C causes. */
typedef struct ukEquations {
    int n, m;               /* n = 6 x moving bodies; m rows */
    const double *M;        /* (n x n) mass matrix; 0 for bodies without mass */
    const double *A;        /* (m x n) Jacobian of the constraints */
    const double *b;        /* (m) right-hand sides */
    const double *a;        /* (n) accelerations without constraints; 0 for bodies without mass */
    const double *C;        /* (n) prescription of non-ideal forces */
    const double *qdd;      /* (n) accelerations */
    const double *Qi, *Qni; /* (n) ideal and non-ideal forces of constraint */
    const double *lambda;   /* (m) multipliers */
    const dBodyID *bodies;  /* (n/6), in the order of the columns */
    const double *softness; /* (m) cfm/h; rows between their bounds: A qdd + softness lambda = b */
    const double *lo, *hi;  /* (m) bounds of lambda at the solution, infinite: none */
} ukEquations;
/** The equations that were solved. The arrays belong to the world, valid until its next step, evaluation, diagnosis or
 *  call of this function.
 *  @param equations  out (size bytes)
 *  @param size       sizeof(ukEquations) of the calling program
 *  @return 0; ukErrorArgument also if the world's last step or evaluation failed, or there was none; ukErrorMemory */
UKODE_API int ukWorldGetEquationsSized(dWorldID world, ukEquations *equations, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldGetEquations(dWorldID world, ukEquations *equations)
{
    return ukWorldGetEquationsSized(world, equations, sizeof *equations);
}

/** A joint's share of Gauss's function in the last step or evaluation: where the constraint effort is. With F = A_k'
 *  lambda_k the force of the joint's rows, and Qc the whole constraint force of the world, C_k the joint's law,
 *
 *      G_ni,k = F' M^-1 (Qc - C),   G_i,k = (F_0 + Qni_k)' M^-1 Qc   (F_0: F; with laws the ideal force)
 *
 *  so the shares of all joints, contacts and user constraints add up to Gni and `gaussian` of the report. M^-1 (Qc - C)
 *  is the acceleration that the constraints cause: a share is a force times the acceleration that it has to correct. It
 *  is negative where a joint's force acts against what the others achieve together. Springs made of CFM and motors at
 *  their largest force, where they have no row (adaptive), are part of Q and have no share. Where joints are redundant
 *  the shares follow the split with least norm.
 *  @param Gi, Gni  out [N m/s^2], or NULL; 0 for a joint that took no part (a sleeping one)
 *  @return 0; ukErrorArgument also if the world's last step or evaluation failed, or there was none (as after
 *          ukWorldRestore); ukErrorMemory */
UKODE_API int ukJointGetGaussian(dJointID joint, double *Gi, double *Gni);

/** What can move now: a basis of the velocities that the rigid rows admit at the present state, A v = 0, which is the
 *  column space of P = I - A_M^+ A (2004 [17]). Rows as in ukDiagnosis (no contacts, active stops, bounded motors,
 *  springs); bodies that a step would move. */
typedef struct ukMobility {
    int n, count;             /* n = 6 x moving bodies; count = n - rank A: degrees of freedom */
    const double *basis;      /* (count x n) row-major, orthonormal in M: basis M basis' = I. P = basis' basis M */
    const double *motion;     /* (count x n) the same space by independent coordinates, each row of v' M v = 1: motion i
                            moves coordinate i, and no other coordinate. Coordinates are free axes of joints in the
                            order of creation, as far as they are independent, then directions of bodies. */
    const char *const *words; /* (count) motion i: the joints that move, "slider 6 and hinge 2 together", or "body 1
                                 along x"; names instead of numbers where given */
    const dBodyID *bodies;    /* (n/6) in the order of the columns */
} ukMobility;
/** Computes what can move, island by island, by dense singular value decompositions: a question, not something for
 *  every step. Nothing moves. ukWorldGetEquations has no equations until the next step or ukWorldEvaluate. The arrays
 *  belong to the world, valid until its next call of this function.
 *  @param mobility  out (size bytes)
 *  @param size      sizeof(ukMobility) of the calling program
 *  @return 0; ukErrorMemory, ukErrorLapack, or the status with which a step would fail */
UKODE_API int ukWorldGetMobilitySized(dWorldID world, ukMobility *mobility, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldGetMobility(dWorldID world, ukMobility *mobility)
{
    return ukWorldGetMobilitySized(world, mobility, sizeof *mobility);
}

/** Energy balance of a world's dynamic bodies since the ledger was switched on or reset: work done on them, by cause
 *  [J]. kinetic + potential = kinetic_start + potential_start + all causes + residual. Gravity is potential energy (of
 *  the present field; without one, 0 at any height). Under Euler every cause is computed from its own force, over the
 *  velocities before and after (h F (v + v+)/2), and the residual is rounding. Under RK4 powers are weighted as the
 *  integrator weights them, and `integration` is the remainder, of the integrator's order. */
typedef struct ukLedger {
    double time;                           /* stepped since the start [s] */
    double kinetic_start, potential_start; /* at the start */
    double kinetic, potential;             /* now, sleeping bodies included */
    double applied;  /* dBodyAddForce and the like, ukForce; springs made of ERP and CFM in joints:
                                             rows that their CFM lets yield by at least 1/100 of the free motion */
    double ideal;    /* ideal constraint forces: not zero where constraints move (kinematic bodies, rheonomic ones) */
    double nonideal; /* dry and viscous friction, laws */
    double motors;   /* of joints */
    double stops;    /* of joints */
    double contact_normal, contact_friction; /* of contact joints: first row, and the others */
    double gyroscopic;    /* numerical: gyroscopic torques over the step, and the change of inertia as the body turns */
    double stabilization; /* ERP, CFM (not of springs), Baumgarte, projection (except of rates stopped by friction) */
    double damping;       /* dBodySetDamping and the like; speed caps */
    double sleeping;      /* velocities that auto-disable set to zero */
    double outside;       /* changes between steps and by callbacks of dBodySetMovedCallback: states, masses, gravity,
                            bodies created or destroyed, steps of ODE's own */
    double integration;   /* of the discretization: gravity over the fall of the step, constraints that turned since;
                            work of ukStabilizeSplit against gravity */
    double residual;      /* unexplained */
} ukLedger;
/** Switches the ledger on (1) or off (0, the default). It costs a few per cent of a step.
 *  @return 0; ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukWorldSetLedger(dWorldID world, int on);
/** @return 1 if the world keeps a ledger, 0 if not */
UKODE_API int ukWorldIsLedgerOn(dWorldID world);
/** The ledger up to now. Switches it on if it was off (then all work is still zero).
 *  @param ledger  out (size bytes)
 *  @param size    sizeof(ukLedger) of the calling program
 *  @return 0; ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukWorldGetLedgerSized(dWorldID world, ukLedger *ledger, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldGetLedger(dWorldID world, ukLedger *ledger)
{
    return ukWorldGetLedgerSized(world, ledger, sizeof *ledger);
}
/** The mean power of every cause over the last step [W]: its work in that step, divided by the step size, which is
 *  `time` [s]. kinetic and potential are the rates of these energies, their starts are 0. All zero before the first
 *  step and after a step that failed. Switches the ledger on if it was off.
 *  @param power  out (size bytes)
 *  @param size   sizeof(ukLedger) of the calling program
 *  @return 0; ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukWorldGetPowerSized(dWorldID world, ukLedger *power, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldGetPower(dWorldID world, ukLedger *power)
{
    return ukWorldGetPowerSized(world, power, sizeof *power);
}
/** Resets the ledger, and switches it on.
 *  @return 0; ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukWorldResetLedger(dWorldID world);

/* ---- constraints and forces for which ODE has no joint ----------------------------------------------------------- */

/** State of a body, as your functions get it: world frame, at the centre of mass. */
typedef struct ukBodyState {
    double position[3];    /* [m] */
    double orientation[4]; /* w, x, y, z, body to world */
    double velocity[3];    /* [m/s] */
    double spin[3];        /* angular velocity [rad/s] */
    double mass;           /* [kg]; of a kinematic body dBodyGetMass's */
    double inertia[9];     /* about the centre of mass, row-major [kg m^2] */
} ukBodyState;

/** Argument of your constraint and force functions. */
typedef struct ukConstraintContext {
    double time, stepsize;     /* of the state below [s]; of the step in progress [s] */
    int count;                 /* bodies */
    const ukBodyState *bodies; /* (count), in the order given at creation */
} ukConstraintContext;

/** A constraint of your own: nonholonomic, time-dependent, nonlinear in the velocities, servo. */
typedef struct ukConstraint *ukConstraintID;

/** Your function that writes the rows A qdd = b at the state in `context`. It may be called several times per step, and
 *  must depend on context and data alone.
 *  @param A  out (rows x 6*count) row-major, zero on entry; per body linear [1], then angular [m/rad], world frame
 *  @param b  out (rows) [m/s^2], zero on entry;  both arrays are the library's, valid during the call
 *  @return 0, or a non-zero value to fail the step */
typedef int ukConstraintFn(const ukConstraintContext *context, double *A, double *b, void *data);

/** Your function that writes the errors of the rows, for ERP, Baumgarte and projection. Optional.
 *  @param phi  out (rows), zero on entry: position error [m or rad], NaN for a nonholonomic row
 *  @param psi  out (rows), zero on entry: A v - target [m/s or rad/s]
 *  @return 0, or a non-zero value to fail the step */
typedef int ukErrorFn(const ukConstraintContext *context, double *phi, double *psi, void *data);

/** Creates a constraint on some bodies. It joins the islands of its bodies and wakes them, as a joint does. It is
 *  destroyed with its world. When one of its bodies is destroyed it becomes inactive, and its use is an error.
 *
 *  Rows A qdd = b that conflict with other constraints or joints (beyond 1e-3 of the accelerations) fail the step, and
 *  ukWorldEvaluate, with ukErrorContradiction; the message names one of them. A step also fails on rates of error
 *  functions that conflict with each other, with joints or with motors of unlimited force (beyond 1e-3 of the largest
 *  rate that a row prescribes; without stabilization only under Euler and RATTLE), and on position errors that no poses
 *  near the present ones make zero together, where they are corrected: beyond rounding by a projection, under Euler
 *  where a correction is missed by more than 1e-3 of the accelerations (a smaller one is in ukReport.position_error).
 *  Where contacts, stops or bounded motors prevent rows from being satisfied, the Gauss check rejects the step
 *  (ukReport.ok). If a function of yours fails, an enabled world does not fall back to ODE's step.
 *  @param rows    1 ... 1536, fixed
 *  @param bodies  (count, 1 ... 256) all of `world`, different from each other. For kinematic bodies the columns of A
 *                 are ignored: their motion enters b through the context.
 *  @param data    passed to fn; stays yours
 *  @return NULL on failure (ukGetLastError) */
UKODE_API ukConstraintID ukConstraintCreate(dWorldID world, int rows, const dBodyID *bodies, int count,
                                            ukConstraintFn *fn, void *data);
/** Destroys a constraint. The handle is not used again for another constraint or force of the process. */
UKODE_API void ukConstraintDestroy(ukConstraintID constraint);
/** The control force A' lambda: the constraint's ideal force, without friction and laws. With Euler that of the last
 *  step, with the other integrators the one at its end; velocity jumps are impulses, and not part of it.
 *  @param force  out (6*count): force [N], torque about the centre of mass [N m] on each body, world frame */
UKODE_API int ukConstraintGetForce(ukConstraintID constraint, double *force);
/** The constraint's impulse on its bodies over the last step: ideal and non-ideal force, integrated as the integrator
 *  does, velocity jumps at the start of the step and of the projection included. Divided by the step size it is what a
 *  dJointFeedback reports for a joint.
 *  @param impulse  out (6*count): [N s], about the centre of mass [N m s] on each body, world frame; 0 before the first
 *                  step */
UKODE_API int ukConstraintGetImpulse(ukConstraintID constraint, double *impulse);
/** The constraint's share of Gauss's function, as ukJointGetGaussian.
 *  @param Gi, Gni  out [N m/s^2], or NULL */
UKODE_API int ukConstraintGetGaussian(ukConstraintID constraint, double *Gi, double *Gni);
/** Sets the error function of a constraint.
 *  @param fn    NULL, the default: none (rows then hold at acceleration level, and drift)
 *  @param data  passed to fn; stays yours */
UKODE_API int ukConstraintSetError(ukConstraintID constraint, ukErrorFn *fn, void *data);
/** @param fn, data  out, or NULL */
UKODE_API int ukConstraintGetError(ukConstraintID constraint, ukErrorFn **fn, void **data);

/** Bounds the multiplier of a row, lo <= lambda <= hi: where the row needs more, the multiplier is at its bound and
 *  the row is not satisfied. A row with error function and finite bounds is a motor or servo of finite force. It always
 *  acts; a row that was one-sided no longer is. All integrators but Euler locate the times at which the multiplier
 *  reaches a bound (docs/theory.md, section 6; rows of positions with Baumgarte only); in the ledger the row's work
 *  counts as that of motors.
 *  @param row  0 ... rows - 1
 *  @param lo   -INFINITY: none; multiplier of a row in metres [N], of a row in radians [N m]; its force on a body is
 *              A' lambda
 *  @param hi   >= lo, INFINITY: none. Both infinite, the default: the row is an equality.
 *  @return 0; ukErrorHandle; ukErrorArgument; ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukConstraintSetBounds(ukConstraintID constraint, int row, double lo, double hi);
/** @param lo, hi  out, or NULL; of a one-sided row 0 and INFINITY */
UKODE_API int ukConstraintGetBounds(ukConstraintID constraint, int row, double *lo, double *hi);
/** Makes a row one-sided: its error phi is a gap, and it acts only where the gap is not positive, with lambda >= 0:
 *  A pushes the gap open (a rope that goes slack, a surface that is left, an obstacle to joints). Of nonholonomic rows
 *  (phi NaN) the rate psi >= 0 is kept (a one-way clutch), of a row without error function A qdd >= b. It is inelastic
 *  unless ukConstraintSetRestitution was called.
 *  Gauss's principle subject to inequalities decides whether it acts (1994, item 8; docs/theory.md).
 *
 *  All integrators but Euler locate the times at which the row starts and ceases to act. Under Euler, and where its
 *  island has contacts, compliant stops, massless bodies or actuators of servo constraints, it acts in the discrete
 *  form, as contacts do. In the ledger its work counts as that of stops. ukConstraintSetBounds makes the row two-sided
 *  again.
 *  @param row  0 ... rows - 1
 *  @return 0; ukErrorHandle; ukErrorArgument; ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukConstraintSetOneSided(ukConstraintID constraint, int row);
/** @return 1: the row is one-sided; 0: it is not, or there is no such row */
UKODE_API int ukConstraintGetOneSided(ukConstraintID constraint, int row);
/** Restitution of a one-sided row with a gap, as dParamBounce of a stop: where the gap closes at the rate psi < 0, it
 *  opens at the rate -restitution psi. ukConstraintSetOneSided and ukConstraintSetBounds reset it to 0.
 *  @param row          0 ... rows - 1, one-sided
 *  @param restitution  0, the default (inelastic) ... 1
 *  @return 0; ukErrorHandle; ukErrorArgument; ukErrorChanged from within a step of the world */
UKODE_API int ukConstraintSetRestitution(ukConstraintID constraint, int row, double restitution);
/** @return the restitution; 0 also where there is no such row */
UKODE_API double ukConstraintGetRestitution(ukConstraintID constraint, int row);
/** Sets the weight W of a constraint whose rows are measured, and contradict each other or the joints (1997 [37],
 *  [38]).
 *  Of all accelerations that the rigid rows of the island admit, those that minimise
 *
 *      (A qdd - b)' W (A qdd - b)        A, b: the constraint's rows; the sum, for several weighted constraints
 *
 *  and among these the one of least Gauss's function. Position errors and velocity errors are corrected in the same
 *  metric. W is the inverse of the covariance of the rows' errors. It has no effect on rows that do not contradict each
 *  other. ukWorldGetEquations, the report's errors and the check contain the part of b that can be satisfied. Together
 *  with ukStabilizeSplit, bounds of rows, or a constraint whose rows are holonomic in part, the step fails with
 *  ukErrorUnsupported. Saved states contain the weight, as they do bounds of rows and actuators.
 *  @param weight  full 0: (rows) the diagonal of W; full 1: (rows x rows), symmetric; positive definite, copied. NULL,
 *                 the default: none (contradictory rows are an error)
 *  @return 0; ukErrorArgument; ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukConstraintSetWeight(ukConstraintID constraint, const double *weight, int full);
/** @param weight  out (rows x rows): W; zero: none; or NULL
 *  @return 1 if the constraint has a weight, 0 if not */
UKODE_API int ukConstraintGetWeight(ukConstraintID constraint, double *weight);
/** An actuator of a servo constraint: a force [N] or torque [N m] u along one axis. */
typedef struct ukActuator {
    dJointID joint; /* along free axis `axis` of this joint (ukNonIdealContext.axis), on its first body, and opposite on
                       the second; NULL: on `body` */
    dBodyID body;   /* along (axis 0, 1, 2) or about (3, 4, 5) x, y, z of the body's frame, at its centre of mass */
    int axis;
    double cost; /* r > 0 of r u^2 */
} ukActuator;
/** Makes a servo constraint of a constraint: its force is exerted by the given actuators, and by nothing else. Of all u
 *  with which the rigid rows of the island and the rows A qdd = b of the constraint hold, the step takes those of
 *
 *      least sum r_k u_k^2             (docs/theory.md, "Actuators of a servo constraint")
 *
 *  so the force on the bodies lies in the span of the actuators, not of A'. With a weight (ukConstraintSetWeight), u
 *  minimises (A qdd - b)' W (A qdd - b) first. Without one a step fails with ukErrorContradiction where the actuators
 *  cannot satisfy the rows; the message names one. Errors phi and psi are corrected along the motions that actuators
 *  cause. ukWorldGetEquations and the Gauss check contain equivalent rows A_u qdd = b_u, whose A_u' spans the forces of
 *  least cost; the check also compares A qdd with b (ukReport.feasibility).
 *
 *  Contacts, stops, dry friction of joints and other rows with bounds that hold count as rigid rows, those at a bound
 *  as forces; where no such set is found, a step fails with ukErrorNotConverged. The force C of a joint law is an
 *  applied force. A step fails with ukErrorUnsupported, and the message names a remedy, beside bounds of its own rows
 *  or a second servo constraint in the island (use one with the rows of both); with ukStabilizeSplit; where
 *  restitution acts not under Euler; with rows that are holonomic in part; beside bodies without mass; and where an
 *  actuator's joint is destroyed, disabled or of other bodies. RK4, RATTLE and adaptive step islands with bounded
 *  motors, one-sided rows, springs made of CFM or dry friction of joints in the discrete form. Linearizations and
 *  searches (<ukode/analysis.h>) with actuators fail, too.
 *  @param actuators  (count) copied; bodies are among those of the constraint, whose columns of A may be zero. NULL:
 *                    none, the default
 *  @param count      0: none
 *  @return 0; ukErrorHandle; ukErrorArgument: an actuator that its joint or body does not have; ukErrorMemory;
 *          ukErrorChanged from within a step of the world */
UKODE_API int ukConstraintSetActuators(ukConstraintID constraint, const ukActuator *actuators, int count);
/** @param actuators  out, or NULL: at least as many as are returned. Where a joint was destroyed, joint and body are
 *                    NULL
 *  @return how many; 0: none */
UKODE_API int ukConstraintGetActuators(ukConstraintID constraint, ukActuator *actuators);
/** The forces u of the actuators: with Euler of the last step, with the other integrators at its end.
 *  @param u  out (ukConstraintGetActuators) [N or N m] */
UKODE_API int ukConstraintGetActuatorForces(ukConstraintID constraint, double *u);

/** One comparison of an audit: the entry with the largest difference. */
typedef struct ukAuditFinding {
    int row;                        /* -1: nothing to compare */
    int body, component;            /* of A: the body as given at creation, from 0; its column 0 ... 5; -1: b and psi */
    double written, expected, size; /* expected: by finite differences; size: |written - expected| */
    int wrong;                      /* 1: more than the error of finite differences */
} ukAuditFinding;
/** Result of an audit. */
typedef struct ukAudit {
    int ok;               /* 1: nothing is wrong */
    ukAuditFinding A_phi; /* A against dphi/dq (holonomic rows) */
    ukAuditFinding A_psi; /* A against dpsi/dv */
    ukAuditFinding psi;   /* psi against dphi/dt along the motion (holonomic rows) */
    ukAuditFinding b;     /* b against -dpsi/dt at constant velocities */
} ukAudit;
/** Checks a constraint's A and b against finite differences of its phi and psi, at the present state. Nothing moves;
 *  the functions are called 8 times per column and 5 times more.
 *  @param audit  out (size bytes)
 *  @param size   sizeof(ukAudit) of the calling program
 *  @return 0 whatever is found; ukErrorArgument also without an error function; ukErrorCallback if a function fails;
 *          ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukConstraintAuditSized(ukConstraintID constraint, ukAudit *audit, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukConstraintAudit(ukConstraintID constraint, ukAudit *audit)
{
    return ukConstraintAuditSized(constraint, audit, sizeof *audit);
}

/** An applied force that depends on the state (spring, drag, controller). It is evaluated at every stage of an
 *  integrator, unlike dBodyAddForce, which is constant over the step. */
typedef struct ukForce *ukForceID;
/** Your function that writes it.
 *  @param force  out (6*count), zero on entry: force [N] and torque about the centre of mass [N m] on each body
 *  @return 0, or a non-zero value to fail the step */
typedef int ukForceFn(const ukConstraintContext *context, double *force, void *data);
/** Creates a force on some bodies.
 *  @param bodies  (count, 1 ... 256) all of `world`, different from each other
 *  @param data    passed to fn; stays yours
 *  @return NULL on failure (ukGetLastError) */
UKODE_API ukForceID ukForceCreate(dWorldID world, const dBodyID *bodies, int count, ukForceFn *fn, void *data);
/** Destroys a force. */
UKODE_API void ukForceDestroy(ukForceID force);

/** A switching function g of yours: where it changes its sign, a function of yours (law, force, constraint) changes
 *  abruptly. All integrators but Euler locate the change within the step, to rounding, divide the step there and keep
 *  their order. Your other functions read the side with ukSwitchGetSide, instead of comparing states themselves:
 *
 *      force = ukSwitchGetSide(slope) > 0 ? k * x : 0;        (instead of x > x0 ? k * x : 0)
 *
 *  The side is constant within each part of a step, also at stages that lie beyond the change, so that each part
 *  integrates a smooth function. Euler, and islands that take the step in the discrete form (ukWorldSetIntegrator), do
 *  not divide it: the side is that of the start of the step, and the error is of first order. An even number of changes
 *  within one step, or one sub-step of adaptive, is not noticed. Where the motion is driven back to g = 0 from both
 *  sides, the island takes the step in the discrete form. */
typedef struct ukSwitch *ukSwitchID;
/** Your function that writes g. It may be called several times per step, and must depend on context and data alone.
 *  @param value  out, 0 on entry: g, in any unit; continuous and monotonic near its zero
 *  @return 0, or a non-zero value to fail the step */
typedef int ukSwitchFn(const ukConstraintContext *context, double *value, void *data);
/** Creates a switching function. It has no force; it joins the islands of its bodies, as ukForceCreate does.
 *  @param bodies  (count, 1 ... 256) all of `world`, different from each other: those that g depends on, and at least
 *                 one that the functions that read the side act on
 *  @param data    passed to fn; stays yours
 *  @return NULL on failure (ukGetLastError) */
UKODE_API ukSwitchID ukSwitchCreate(dWorldID world, const dBodyID *bodies, int count, ukSwitchFn *fn, void *data);
/** Destroys a switching function. */
UKODE_API void ukSwitchDestroy(ukSwitchID switching);
/** The side at which the functions of yours that are being called are evaluated; between steps, the one of the last
 *  evaluation. It is not part of the world's state: each step begins with the side of its start.
 *  @return 1: g >= 0; -1: g < 0; 0: not evaluated yet */
UKODE_API int ukSwitchGetSide(ukSwitchID switching);

/* ---- non-ideal constraints --------------------------------------------------------------------------------------- */

/* Non-ideal constraints do work: v'Qc = v'C for virtual displacements v, with C prescribed (Udwadia 2000, 2004;
 * docs/theory.md). The ideal force Qi does not depend on C; laws may depend on Qi. Where joints are redundant, only
 * their total ideal force is unique. It is split with least norm (of the multipliers of unit rows), and a law gets its
 * joint's share.
 *
 * Euler evaluates dry and viscous friction at the rate at the end of the step, so that it never reverses the rate,
 * however large it is; drag and user-defined laws at the start of the step. The other integrators evaluate laws at
 * every stage, and locate the times at which dry friction sticks or slips. dJointFeedback is the joint's whole force.
 * Laws are destroyed with their joint or constraint; they cannot be set during a step of the world (ukErrorChanged). */

/** Sets dry friction in a joint: along each free translation a force of mu |N| [N], about each free axis a torque of
 *  mu arm |N| [N m], against the sliding. N is the force (not the torque) of the joint's ideal constraint without
 *  motors and stops, of the ideal solve: the load of the frictionless mechanism at this state. At zero rate friction
 *  sticks as long as that takes less; otherwise it opposes the motion that would follow. The three rotations of a Ball
 *  joint slide as one (the torque opposes the relative angular velocity), and so do the two translations of a Plane2D.
 *  Other axes have separate friction.
 *  @param mu   >= 0, default 0: none
 *  @param arm  >= 0 [m], default 0; radius of the bearing; translations ignore it
 *  @return 0; ukErrorArgument also for joints without load or free axis (Fixed, motors, DBall, Transmission, Contact,
 *          whose friction is dContact's) */
UKODE_API int ukJointSetCoulomb(dJointID joint, double mu, double arm);
/** @param mu, arm  out, or NULL */
UKODE_API int ukJointGetCoulomb(dJointID joint, double *mu, double *arm);

/** Sets Stribeck's law: dry friction that is stronger at rest, with mu + (mu_static - mu) exp(-(rate/speed)^2) instead
 *  of mu. Where it falls with the rate it excites stick-slip oscillations. Euler evaluates it at the start of the step.
 *  @param mu_static  >= the mu > 0 of ukJointSetCoulomb. ukJointSetCoulomb with a larger mu, or 0, removes the law.
 *  @param speed      > 0 [m/s; rad/s]; both 0, the default: none */
UKODE_API int ukJointSetStribeck(dJointID joint, double mu_static, double speed);
/** @param mu_static, speed  out, or NULL */
UKODE_API int ukJointGetStribeck(dJointID joint, double *mu_static, double *speed);

/** Sets viscous friction: -coefficient x rate on every free axis, in addition to dry friction.
 *  @param coefficient  >= 0, N s/m along translations, N m s/rad about axes; default 0: none */
UKODE_API int ukJointSetViscous(dJointID joint, double coefficient);
/** @return the coefficient of viscous friction */
UKODE_API double ukJointGetViscous(dJointID joint);
/** Sets quadratic drag: -coefficient x |rate| x rate on every free axis, in addition. Euler evaluates it at the start
 *  of the step.
 *  @param coefficient  >= 0, N s^2/m^2, N m s^2/rad^2; default 0: none */
UKODE_API int ukJointSetDrag(dJointID joint, double coefficient);
/** @return the coefficient of quadratic drag */
UKODE_API double ukJointGetDrag(dJointID joint);

/** Argument of your joint law. Bodies are in the order of dJointAttach; world frame. */
typedef struct ukNonIdealContext {
    double time, stepsize;      /* of the state below [s]; of the step in progress, or its part [s] */
    dJointID joint;             /* the joint with the law */
    const ukBodyState *body[2]; /* NULL: the static world */
    const double (*ideal)[6];   /* (2 x 6) its ideal force and torque on each body (world: 0), with motors and stops */
    int axes;                   /* free axes: 0 ... 3 */
    const double (*axis)[3];    /* (axes x 3) unit vectors */
    const double *rate;         /* (axes) of body 1 relative to body 2 [m/s or rad/s] */
    const int *is_translation;  /* (axes) */
    const double (*stop)[6];  /* (2 x 6) the part of `ideal` that is of stops, zero while none is reached; of a contact
                                 its normal force */
    const double (*motor)[6]; /* (2 x 6) the part of `ideal` that is of motors, of a contact its friction. The adaptive
                                 integrator applies a motor at the limit of its force without a row: zero */
} ukNonIdealContext;

/** Your joint law: C of one joint. Any force is allowed, also one that adds energy. The constraint force balances its
 *  component along the constraint.
 *  @param force_and_torque  out, zero on entry: force [N] and torque about the centre of mass [N m] on each body. A
 *                           torque f about axis i is {0, f axis} on body 1 and the opposite on body 2; a force f along
 *                           it is {f axis, its moment} and the opposite. NaN fails the step with
 *                           ukErrorCallback. */
typedef void ukNonIdealFn(const ukNonIdealContext *context, double force_and_torque[2][6], void *data);
/** Sets a joint law of your own, in addition to the friction above. All types of joints take one, contact joints
 *  included (set it on each contact joint that dNearCallback creates; rolling resistance, a conveyor belt, viscous
 *  ground: docs/laws.md). A law that acts on a stop or a motor reads `stop` and `motor` of the context. Where a law
 *  changes abruptly at a known time, declare that time (ukWorldSetSwitch); at a state, ukSwitchCreate.
 *  @param law   NULL, the default: none
 *  @param data  passed to it; stays yours */
UKODE_API int ukJointSetNonIdeal(dJointID joint, ukNonIdealFn *law, void *data);
/** @param law, data  out, or NULL */
UKODE_API int ukJointGetNonIdeal(dJointID joint, ukNonIdealFn **law, void **data);

/** The joint's forces of the last step that it took part in: force [N] and torque about the centre of mass [N m] on the
 *  bodies in the order of dJointAttach (zero for the static world). With Euler those of the step, with the other
 *  integrators those at its end, where dJointFeedback is the mean over the step, velocity jumps included. Either may be
 *  NULL.
 *  @param ideal     of Qi: the joint's force without any law in its island
 *  @param nonideal  of Qni: friction and laws, and the joint's reaction to those of its island */
UKODE_API int ukJointGetForces(dJointID joint, double ideal[2][6], double nonideal[2][6]);

/** Sets dry friction on a user constraint, for bodies that slide on something at rest (other cases need a law): on each
 *  of its bodies a force of mu |f| against that part of the velocity of the centre of mass that the constraint leaves
 *  free; f is the constraint's ideal force on the body. It sticks as in ukJointSetCoulomb.
 *  @param mu  >= 0, default 0: none */
UKODE_API int ukConstraintSetCoulomb(ukConstraintID constraint, double mu);
/** @return mu */
UKODE_API double ukConstraintGetCoulomb(ukConstraintID constraint);
/** Your law of a user constraint: its C.
 *  @param ideal  (6*count) the constraint's ideal force, as ukConstraintGetForce returns it
 *  @param force  out (6*count), zero on entry: C, force and torque on each body. NaN fails the step. */
typedef void ukConstraintNonIdealFn(const ukConstraintContext *context, const double *ideal, double *force, void *data);
/** Sets a law of your own on a user constraint.
 *  @param law   NULL, the default: none
 *  @param data  passed to it; stays yours */
UKODE_API int ukConstraintSetNonIdeal(ukConstraintID constraint, ukConstraintNonIdealFn *law, void *data);
/** @param law, data  out, or NULL */
UKODE_API int ukConstraintGetNonIdeal(ukConstraintID constraint, ukConstraintNonIdealFn **law, void **data);
/** The non-ideal force of the last step on each body: friction and laws, and the constraint's reaction to those of its
 *  island.
 *  @param force  out (6*count): force [N], torque about the centre of mass [N m], world frame */
UKODE_API int ukConstraintGetNonIdealForce(ukConstraintID constraint, double *force);

/* ---- evaluation without a step ----------------------------------------------------------------------------------- */

/** Computes equations (continuous form), forces, errors and report at the present state; nothing moves. Islands with
 *  one-sided rows are evaluated in the discrete form, for the last step size (0.01 s before the first step).
 *  @return 0, or the status with which a step would fail */
UKODE_API int ukWorldEvaluate(dWorldID world);
/** Moves poses, then velocities, onto the constraints, by the least change in the M-norm. Contacts and stops are
 *  ignored.
 *  @return 0, or the status with which a step would fail */
UKODE_API int ukWorldProject(dWorldID world);

/* ---- bodies without mass ----------------------------------------------------------------------------------------- */

/** Declares whether a body has no mass and no inertia, such as a terminal between the parts of a mechanism. Its motion
 *  follows from those of its joints and user constraints; neither gravity nor gyroscopic torques act on it, and other
 *  forces on it act on the bodies that it is connected with. M is singular, and M qdd = Q + C + A' lambda, A qdd = b
 *  have one solution where [M; A] has full column rank (Udwadia & Phohomsiri 2006; docs/theory.md). A step fails with
 *  ukErrorMass, naming the motion, where the rows without bounds of joints and constraints leave a motion of bodies
 *  without mass undetermined, and with ukErrorUnsupported under RATTLE. ODE requires a positive dMass, which is kept
 *  and has no influence; ODE's own stepper, which would use it, is never given the world by ukode.
 *  A kinematic body is not affected.
 *  @param massless  1: no mass; 0, the default: the mass and inertia of dBodySetMass
 *  @return 0; ukErrorHandle; ukErrorArgument; ukErrorChanged during a step */
UKODE_API int ukBodySetMassless(dBodyID body, int massless);
/** @return 1 if the body was declared to have no mass, else 0 */
UKODE_API int ukBodyGetMassless(dBodyID body);

/* ---- names and lists --------------------------------------------------------------------------------------------- */

/** Sets a body's name, for recordings, reports and messages. It is copied.
 *  @param name  NULL or "", the default: none
 *  @return 0; ukErrorMemory */
UKODE_API int ukBodySetName(dBodyID body, const char *name);
/** Sets a joint's name, as ukBodySetName.
 *  @return 0; ukErrorMemory; ukErrorArgument for a contact joint */
UKODE_API int ukJointSetName(dJointID joint, const char *name);
/** @return the body's name, valid until it is set again or the body is destroyed; NULL: none */
UKODE_API const char *ukBodyGetName(dBodyID body);
/** @return the joint's name, valid until it is set again or the joint is destroyed; NULL: none */
UKODE_API const char *ukJointGetName(dJointID joint);

/** The worlds that the library knows, in the order of creation.
 *  @param index  from 0; NULL beyond the last */
UKODE_API dWorldID ukGetWorld(int index);
/** @return how many worlds the library knows */
UKODE_API int ukGetWorldCount(void);
/** @return the number of bodies of a world */
UKODE_API int ukWorldGetBodyCount(dWorldID world);
/** The bodies of a world, in the order of creation. A loop over all of them takes time in proportion to their number.
 *  @param index  from 0; NULL beyond the last */
UKODE_API dBodyID ukWorldGetBody(dWorldID world, int index);
/** @return the number of joints of a world, without contacts */
UKODE_API int ukWorldGetJointCount(dWorldID world);
/** The joints of a world without contacts, as ukWorldGetBody.
 *  @param index  from 0; NULL beyond the last */
UKODE_API dJointID ukWorldGetJoint(dWorldID world, int index);

/* ---- recordings -------------------------------------------------------------------------------------------------- */

/** Content of a recording. All zero: `step` of every step, the rest 60 times per second of simulated time. */
typedef struct ukRecordOptions {
    double rate;      /* rows of body_step, joint_step, contact_step and ledger_step [1/s]; 0: 60 */
    int every_step;   /* 1: these have rows of every step, whatever the rate, and the ledger is switched on */
    int inputs;       /* 1: what ukode replay needs; the world may have been stepped before */
    int certificates; /* 1: what ukode verify needs */
} ukRecordOptions;
/** Records a world from its next step on, into an SQLite file whose tables docs/recording.md describes. Several worlds
 *  can share a file, which has the options of the first one. A separate thread writes; however the process ends, the
 *  file is complete up to the last second. A write error (a full disk) ends the recording with a message on stderr.
 *  @param path     an existing recording is replaced, any other file is not; NULL: ends the recording
 *  @param options  copied; NULL: all zero
 *  @return 0; ukErrorArgument also for a file that cannot be created; ukErrorUnsupported without SQLite (Debian:
 *          libsqlite3-0), or for inputs of a world attached with ukWorldAttach; ukErrorNotFinite for inputs if a body's
 *          state is not finite; ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukWorldRecord(dWorldID world, const char *path, const ukRecordOptions *options);

/* ---- diagnosis --------------------------------------------------------------------------------------------------- */

/** Diagnosis of one joint, or of one user constraint. */
typedef struct ukJointDiagnosis {
    dJointID joint;            /* NULL: a user constraint, */
    ukConstraintID constraint; /* this one */
    int rows;                  /* rigid rows */
    int redundant_rows;        /* how many of them are implied by all others */
    int unique;                /* 1: its reaction is determined; 0: an arbitrary split among redundant joints */
    int unique_component[6];   /* the same for force x, y, z and torque x, y, z on its first body */
    int in_conflict;           /* 1: belongs to the smallest conflicting set */
} ukJointDiagnosis;

/** Kinds of conflicts. */
typedef enum ukConflict {
    ukConflictNone,
    ukConflictPose,        /* position errors that no motion removes [m or rad] */
    ukConflictVelocity,    /* contradictory target rates [m/s or rad/s] */
    ukConflictAcceleration /* right-hand sides b [m/s^2 or rad/s^2] */
} ukConflict;

/** Rank, redundancy and conflicts of a world's joints. */
typedef struct ukDiagnosis {
    int rows, columns; /* of A: rigid rows (no contacts, active stops, bounded motors, springs); 6 per body */
    int rank;          /* numerical rank of B = A M^-1/2 with each row divided by its norm */
    double largest, kept, dropped;  /* singular values of B: the largest; the smallest above the rank tolerance; the
                                     largest below it (0: none) */
    int count;                      /* joints and user constraints with such rows */
    const ukJointDiagnosis *joints; /* (count) in the order of assembly; valid until the world's next diagnosis */
    ukConflict conflict;            /* its kind, if any */
    int conflict_joints;   /* joints in the smallest conflicting set (the smallest up to pairs, irreducible beyond) */
    double conflict_size;  /* size of the contradiction between its rows, in the unit of ukConflict */
    int conflict_is_angle; /* 1: rad, else m */
} ukDiagnosis;
/** Finds rank, redundancy and conflicts of the joints at the present state, by a dense singular value decomposition of
 *  the whole world: a question, not something for every step. Nothing moves. ukWorldGetEquations has no equations until
 *  the next step or ukWorldEvaluate.
 *  @param diagnosis  out (size bytes)
 *  @param size       sizeof(ukDiagnosis) of the calling program
 *  @return 0; ukErrorMemory, ukErrorLapack, or the status with which a step would fail */
UKODE_API int ukWorldDiagnoseSized(dWorldID world, ukDiagnosis *diagnosis, size_t size);
/** The same, with the size of this header's struct. */
static inline int ukWorldDiagnose(dWorldID world, ukDiagnosis *diagnosis)
{
    return ukWorldDiagnoseSized(world, diagnosis, sizeof *diagnosis);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/** Text of a status (enum ukStatus), for every int; never NULL. Static storage. */
UKODE_API const char *ukGetErrorString(int status);
/** @return the status of this thread's last call that failed; 0 if none did */
UKODE_API int ukGetLastError(void);
/** Message of that call ("hinge joint 12: ..."); "" if none failed. Valid until the thread's next failure. */
UKODE_API const char *ukGetLastErrorMessage(void);

/* ---- version ----------------------------------------------------------------------------------------------------- */

/** Version of the library that runs, "1.2.3", for comparison with UKODE_VERSION, with which the program was compiled.
 *  Static storage. */
UKODE_API const char *ukGetVersion(void);

/* ---- time -------------------------------------------------------------------------------------------------------- */

/** Sets the world's time, for constraints, forces and laws that depend on it.
 *  @param time  finite [s]; 0 when the world is created, advanced by every step */
UKODE_API int ukWorldSetTime(dWorldID world, double time);
/** @return the world's time [s] */
UKODE_API double ukWorldGetTime(dWorldID world);
/** Declares a time at which a function of yours (law, force, constraint) changes abruptly: a valve opens, a motor is
 *  switched. All integrators but Euler divide the step there and keep their order; a step across an undeclared
 *  discontinuity has an error of first order. Functions get times below `time` before it and times from `time` on after
 *  it, also where the sum of step sizes misses it by rounding: `t < time ? f : g` is evaluated on the right side. Euler
 *  and islands in the discrete form (ukWorldSetIntegrator) evaluate functions at the start of the step, and do not
 *  divide it. Times that have passed are removed by the step.
 *  @param time  finite [s]; at most 64 lie ahead; a time that has passed is ignored
 *  @return 0; ukErrorArgument; ukErrorChanged from within a step of the world */
UKODE_API int ukWorldSetSwitch(dWorldID world, double time);
/** Removes all switching times of the world.
 *  @return 0; ukErrorChanged from within a step of the world */
UKODE_API int ukWorldClearSwitches(dWorldID world);
/** @param index  from 0, in the order of time
 *  @return the switching time [s] that lies ahead, INFINITY beyond the last one */
UKODE_API double ukWorldGetSwitch(dWorldID world, int index);

/* ---- saving, restoring, hashing ---------------------------------------------------------------------------------- */

/** Saves everything that the future of `world` depends on (docs/keep.md): its bodies' states to the bit, forces,
 *  masses, auto-disable countdowns and samples; its joints' parameters, running values and reactions; laws, ledger,
 *  time, settings, ODE's world parameters and random seed; the contact forces of the last steps, and the solvers'
 *  initial guesses. After ukWorldRestore the world continues as without interruption, bit for bit, in this
 *  process or another that builds the same world, with any number of threads.
 *  @param buffer  (size bytes) written if it is large enough, else unchanged; NULL: only the size is returned
 *  @return the size needed [bytes]; 0 on failure: ukErrorMemory, ukErrorChanged (from within a step of the world)
 *  @note The bytes are little-endian, have a version and a checksum, and contain no addresses. They do not contain what
 *        belongs to the program: callbacks, users' functions and their data, geoms without a body. */
UKODE_API size_t ukWorldSave(dWorldID world, void *buffer, size_t size);

/** Restores a state that ukWorldSave wrote of this world, or of one that was built the same way: the same bodies,
 *  joints, user constraints and forces, created and attached in the same order, joints with the same anchors and axes,
 *  geoms in the same order on their bodies. Contact joints do not count; the program creates the next step's as usual.
 *  @param buffer  (size bytes) any bytes: all of them are checked before anything changes
 *  @return 0; ukErrorArgument (not a saved state, corrupt, or of another world: ukGetLastErrorMessage names the
 *          difference), ukErrorUnsupported (of another version), ukErrorNotFinite, ukErrorMass, ukErrorLapack (its
 *          solver), ukErrorMemory, ukErrorChanged (from within a step)
 *  @note Not from within a collision callback, whose space is locked. ukWorldGetEquations has no equations until the
 *        next step. */
UKODE_API int ukWorldRestore(dWorldID world, const void *buffer, size_t size);

/** 128-bit hash of the state of motion: time, and every body's position, quaternion, velocity, spin, force, torque and
 *  whether it is awake, in order of creation; angles of AMotors and phases of transmissions. Initial guesses of the
 *  solvers and auto-disable countdowns are not part of it.
 *  @param hash  out (16); states that are equal to the bit have equal hashes, on any machine; different ones differ
 *               except with probability 2^-128
 *  @note About 10 ns per body. */
UKODE_API int ukWorldHash(dWorldID world, unsigned char hash[16]);

#ifdef __cplusplus
}
#endif

#endif
