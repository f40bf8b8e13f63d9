/* SPDX-License-Identifier: BSD-3-Clause */
/* <ukode/ukode.h>: an exact, certified stepper for the Open Dynamics Engine.
 *
 * Quantities. Units are your own (SI in these comments). Everything is in the world frame. Velocities are [linear
 * velocity of the centre of mass; angular velocity], forces [force; torque about the centre of mass]. Quaternions are
 * w, x, y, z, body to world. Matrices are dense and row-major. dReal is double.
 *
 * Errors. A function that returns a status returns 0 (ukOk) on success and a negative enum ukStatus on failure;
 * ukGetErrorString has its text, ukGetLastErrorMessage what it was about. ukWorldStep alone follows dWorldStep: 1 is
 * success, 0 failure. A call that fails leaves the world and what it was to fill as they were. Every function answers
 * ukErrorHandle for a world, body, joint or constraint that is null, unknown or destroyed, and ukErrorArgument for null
 * pointers and values out of range; comments name other errors only.
 *
 * The library never exits, aborts, or prints unasked (UKODE_VERBOSE asks). Arrays that you pass stay yours; what a
 * function hands out stays the library's, for as long as its comment says.
 *
 * Theory and equation numbers: docs/theory.md. Frames, signs, statuses: docs/conventions.md. */
#ifndef UKODE_UKODE_H
#define UKODE_UKODE_H

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

/* A call that fails leaves the struct that it was to fill (ukReport, ukEquations, ukLedger, ukDiagnosis, ukAudit), and the
 * arrays of ukJointGetForces, all zero: counts 0 and pointers NULL. */

/* ---- stepping ---------------------------------------------------------------------------------------------------- */

/** Takes one step of `world`: the drop-in replacement of dWorldStep(), whether the world is enabled or not.
 *  Accelerations satisfy M qdd = Q + Qi + Qni with A qdd = b (docs/theory.md).
 *  @param stepsize  > 0 [s]
 *  @return 1 on success; 0 on failure, with every body as it was (ODE's convention; ukGetLastError says why). A moved
 *          callback may destroy or attach anything; if it destroys the world, the step ends and returns 0.
 *  @note Allocates nothing while bodies, joints and rows stay within what an earlier step needed. */
UKODE_API int ukWorldStep(dWorldID world, dReal stepsize);

/** From now on dWorldStep and dWorldQuickStep of `world` are ukode's. The library must stand before libode in your
 *  program's link or preload order. Under preload every world begins enabled. */
UKODE_API int ukWorldEnable(dWorldID world);
/** From now on they are ODE's own. */
UKODE_API int ukWorldDisable(dWorldID world);
/** @return 1 if the world's stepping is ukode's, 0 if it is ODE's own or the world is unknown */
UKODE_API int ukWorldIsEnabled(dWorldID world);

/** Hands over a world that was made before the library was there. Joints are found through the bodies. What ODE hides
 *  (relative poses) is taken from the present state, which then counts as satisfied (docs/ode-differences.md).
 *  @param bodies  (count >= 0) every body of the world that is to move
 *  @return 0; ukErrorMemory. On an error the world is as it was before the call, unknown if it was. */
UKODE_API int ukWorldAttach(dWorldID world, const dBodyID *bodies, int count);

/* ---- settings (each world its own; the defaults come from the UKODE_* variables) --------------------------------- */

/** Who solves the equations of a step. */
typedef enum ukSolver {
    ukSolverAuto,      /* the fastest that is exact */
    ukSolverSparse,    /* block-sparse direct factorization */
    ukSolverMInverse,  /* Udwadia 2004 [9]: the M-weighted inverse; dense, any rank */
    ukSolverOneFour,   /* Udwadia 2000 [24]: a {1,4}-inverse; dense, any rank */
    ukSolverDAlembert, /* Udwadia, Kalaba & Hee-Chang 1997 [20]: null-space basis; dense, any rank */
    ukSolverGaussQP,   /* Kalaba & Udwadia 1994 [30]: quadratic programme; dense, any rank */
    ukSolverLagrange   /* SICM 1.10: multipliers; dense, full row rank only: others are softened (compromise) */
} ukSolver;
/** Chooses who solves the equations.
 *  @return 0; ukErrorLapack: the solver is a dense one, and there is no LAPACKE with a CBLAS on this machine */
UKODE_API int ukWorldSetSolver(dWorldID world, ukSolver solver);
/** Of an unknown world: the default of new ones. */
UKODE_API ukSolver ukWorldGetSolver(dWorldID world);

/** How accelerations become motion. */
typedef enum ukIntegrator {
    ukIntegratorEuler,    /* semi-implicit Euler on ODE's discrete right-hand side: the compatible default */
    ukIntegratorRK4,      /* classical Runge-Kutta on the continuous right-hand side, then projection */
    ukIntegratorAdaptive, /* an embedded pair of orders 5 and 4 in sub-steps, to a tolerance; projection after each */
    ukIntegratorRattle /* variational, of second order: energies stay in a band; poses and velocities on the constraints */
} ukIntegrator;
/** All but Euler take islands without one-sided or bounded rows (active stops, contacts, motors of finite force) and
 *  without rows that CFM makes a spring; the adaptive one takes motors of finite force, too, which are forces without a
 *  row while they do all they can, and springs, which are forces: of joints that hold or drive, with ERP in 0 ... 1 and
 *  CFM above 1e-6, meant for the step that is taken (docs/theory.md), 256 an island, none beside a law. Joints to which
 *  the world's CFM alone gives little (cfm / h below a hundredth of 1/m of their bodies) are taken for rigid there, and
 *  for springs where rigid rows cannot be met. The others are stepped in the discrete form; ukReport.discrete_islands
 *  counts them.
 *  @return 0; ukErrorArgument */
UKODE_API int ukWorldSetIntegrator(dWorldID world, ukIntegrator integrator);
/** Tolerances of the adaptive integrator: the error that a sub-step of an island may have, at first 1e-8 and 0.
 *
 *  relative  of its length (its radius of gyration about its centre and the longest lever of its joints) in its places,
 *      and of its speed in its velocities, both in the metric of its masses (docs/accuracy.md): no unit matters
 *  absolute  [m] added to the first over its length: an error of places that is small enough
 *
 *  A sub-step is never longer than the step that the program asks for. Where none is short enough, the step fails with
 *  ukErrorNotConverged, or ukErrorBudget where they are too many; the world stays as it was, and the message names the
 *  joint.
 *  @param relative, absolute  >= 0, finite; 2e-15 is the least that counts
 *  @return 0; ukErrorArgument */
UKODE_API int ukWorldSetTolerance(dWorldID world, dReal relative, dReal absolute);

/** How much work one step may take: evaluations of the world's equations, which are assembly and solution of every
 *  island once, each island counted by its share of the stepped bodies. Euler takes 1 (and 3 where user constraints
 *  are contested), rk4 about 10, the adaptive integrator 7 to 10 a sub-step and more where forces are stiff. They are
 *  counted, not timed: the same on every machine. A step that needs more is refused with ukErrorBudget, the world as it
 *  was; the message names the joint and the sub-steps that took the work. ukReport.evaluations is what a step took.
 *  @param evaluations  0 ... 1e9; 0, the default: 300000 / stepped bodies, 500 at least and 30000 at most, which are
 *      some tenths of a second
 *  @return 0; ukErrorArgument */
UKODE_API int ukWorldSetBudget(dWorldID world, int evaluations);
/** Of an unknown world: the default of new ones. */
UKODE_API int ukWorldGetBudget(dWorldID world);

/** What keeps constraints closed. */
typedef enum ukStabilization {
    ukStabilizeErp,        /* ODE's first-order error correction (Euler only) */
    ukStabilizeBaumgarte,  /* b gets -2 alpha phi' - beta^2 phi; not for loops with redundant rows (theory.md, 6) */
    ukStabilizeProjection, /* pose, then velocity, onto the constraints after each step, nearest in the M-norm */
    ukStabilizeNone,
    ukStabilizeSplit /* poses move by ERP's share of the errors, velocities do not (docs/contact.md) */
} ukStabilization;
/** What keeps RK4 on the constraints; projection is the default. Euler has ODE's ERP under all kinds but one:
 *
 *  ukStabilizeSplit  Euler, and the islands that RK4 leaves to it (contacts, stops, motors of finite force): the
 *      velocities are solved without ERP's correcting speeds; then a second, frictionless problem moves the poses by as
 *      much as ERP would, joints both ways, contacts and stops outwards only, and its velocities are thrown away. The
 *      correction adds no kinetic energy (ukLedger.stabilization is never positive), and large piles come to rest.
 *      ODE's surface layer and greatest correcting velocity hold; a contact keeps 1e-4 of its reach beneath them. Springs
 *      made of ERP and CFM stay springs. The check judges both problems. RK4's other islands are projected.
 *  @param alpha, beta  Baumgarte's [1/s], >= 0; 0 means the default, 5; the other kinds ignore them */
UKODE_API int ukWorldSetStabilization(dWorldID world, ukStabilization kind, dReal alpha, dReal beta);

/** Laws of friction of contacts. */
typedef enum ukFriction {
    ukFrictionOde, /* ODE's box or pyramid, as the stepper that the program calls has it */
    ukFrictionCone /* isotropic (elliptic for mu != mu2) Coulomb cone */
} ukFriction;
/** The law of friction of contacts (docs/contact.md). */
UKODE_API int ukWorldSetFriction(dWorldID world, ukFriction law);
/** Of islands in which friction that agrees with the normal forces of the same solution (of dWorldQuickStep's law and of
 *  the cone) was not found, as in large piles that move: how often its bounds are taken from the normal forces and the
 *  rest is solved, exactly, once more, at most. At first 5. The first two are bounds that nearly agree, where those are
 *  found; the last two are taken only where the three or more before leave more than 0.01. ukReport.coupling tells how near
 *  that comes; every further round costs its share of the step.
 *  @param rounds  2 ... 100; with 2 a body that lands may stop short */
UKODE_API int ukWorldSetFrictionRounds(dWorldID world, int rounds);

/** Rules for ODE's default CFM. */
typedef enum ukCfmRule {
    ukCfmAuto, /* closed loops with a row too many: ODE's default CFM, which nobody chose, counts as zero */
    ukCfmOde   /* it stays as ODE has it */
} ukCfmRule;
/** What becomes of ODE's default CFM, in the discrete form, in loops whose rows depend on others up to their drift.
 *  There it brakes the mechanism (docs/ode-differences.md). A CFM above the default is always kept.
 *  ukReport.cfm_islands counts the islands in which it was set aside. */
UKODE_API int ukWorldSetCfmRule(dWorldID world, ukCfmRule rule);

/** The rows of joints in the discrete form (Euler). */
typedef enum ukJointRule {
    ukJointRuleODE,  /* ODE's own: displaced, some joints push their two bodies along different lines (default) */
    ukJointRuleExact /* those of the continuous form: the gradients of the position errors, one wrench per joint */
} ukJointRule;
/** Which rows joints have under Euler (docs/ode-differences.md, The exact rows). A joint with exact rows exerts equal
 *  and opposite forces along one line, so it exerts no net torque: angular momentum is kept also where the joint is
 *  displaced, off its axis or soft. rk4, adaptive and RATTLE always take the exact rows, whatever is set here.
 *  Of bodies that only joints hold together it is kept to rounding: their gyroscopic torques become those that keep it.
 *  Saved, recorded and replayed with the world. May be changed between steps.
 *  @return 0; ukErrorHandle; ukErrorArgument (no such rule: the world keeps the one that it has) */
UKODE_API int ukWorldSetJointRule(dWorldID world, ukJointRule rule);
/** The rule that was set (ukJointRule), or ukErrorHandle. */
UKODE_API int ukWorldGetJointRule(dWorldID world);

/** What becomes of a step whose residuals are too large. */
typedef enum ukCheckAction {
    ukCheckOff,      /* residuals are not computed */
    ukCheckWarn,     /* counted in the report, and named under UKODE_VERBOSE */
    ukCheckResolve,  /* solved again by the reference solver (not within steps of RK4) */
    ukCheckFallback, /* the step is ODE's own (of dWorldStep; ukWorldStep fails) */
    ukCheckStop      /* the step fails, the world stays as it was */
} ukCheckAction;
/** What a step does whose scaled residuals exceed `tolerance`; at first ukCheckWarn at 1e-9.
 *  @param tolerance  > 0, finite; dimensionless */
UKODE_API int ukWorldSetGaussCheck(dWorldID world, dReal tolerance, ukCheckAction action);

/* ---- what a step tells ------------------------------------------------------------------------------------------- */

typedef struct ukReport {     /* of the last step; sums over its islands, or the largest of them */
    int bodies, joints, rows; /* stepped bodies (kinematic ones included), joints with rows, rows */
    int rank;                 /* numerical rank of the rows held; -1 if the solver did not determine it */
    int active_rows;          /* rows held as equalities at the solution */
    int pivots;               /* changes of the active set */
    int discrete_islands;     /* islands in the discrete form although another integrator was chosen */
    int fallbacks;            /* steps of this world taken by ODE's own stepper since it was created */
    dReal gaussian;           /* (M qdd - Q)' M^-1 (M qdd - Q) [N m/s^2], and its two M-orthogonal parts: */
    dReal gaussian_ideal, gaussian_nonideal;
    dReal feasibility, stationarity, complementarity; /* scaled residuals, dimensionless */
    dReal compromise; /* by what the equations as stated are missed where another problem was solved (CFM set aside,
                             errors met half-way, rows softened): of the accelerations in play, dimensionless; else 0 */
    dReal coupling;   /* of islands whose friction follows the normal forces of the same solution: |x - y| / |x - a|,
                             metric of M, of the accelerations of the last two rounds; 0 where the law is met */
    int cfm_islands;  /* islands in which ODE's default CFM was set aside (docs/ode-differences.md) */
    dReal position_error; /* largest |phi| of the holonomic rows [m or rad] */
    dReal velocity_error; /* largest |A v - target| of the rows held, at the end of the step [m/s or rad/s] */
    dReal kinetic_energy, potential_energy; /* of the stepped dynamic bodies, at the end of the step [J] */
    double seconds_assemble, seconds_solve, seconds_check, seconds_write; /* of the step, by stage [s] */
    int ok;                 /* 1: every residual is within the tolerance of the check */
    int substeps, rejected; /* sub-steps of all islands (adaptive; RATTLE: parts, 0 as a rule), trials not accepted */
    dReal evaluations;      /* of the world's equations that the step took (ukWorldSetBudget) */
} ukReport;
/** The report of the last step or evaluation; all zero before the first. */
UKODE_API int ukWorldGetReport(dWorldID world, ukReport *report);

/** The equations of the last step or evaluation, dense and row-major; the arrays are the world's.
 *  M qdd = Q + Qi + Qni, A qdd = b (less softness x lambda where CFM softens a row), a = M^-1 Q. C is the whole
 *  prescription, dry friction that sticks included (its rows are not in A). Qi = M A_M^+ (b - A a); Qni = C + A' times
 *  what C changes of lambda. */
typedef struct ukEquations {
    int n, m;              /* n = 6 x moving bodies; m rows */
    const dReal *M;        /* (n x n) mass matrix */
    const dReal *A;        /* (m x n) Jacobian of the constraints */
    const dReal *b;        /* (m) right-hand sides */
    const dReal *a;        /* (n) accelerations without constraints */
    const dReal *C;        /* (n) prescription of non-ideal forces */
    const dReal *qdd;      /* (n) accelerations */
    const dReal *Qi, *Qni; /* (n) ideal and non-ideal forces of constraint */
    const dReal *lambda;   /* (m) multipliers */
    const dBodyID *bodies; /* (n/6), in the order of the columns */
    const dReal *softness; /* (m) cfm/h; rows between their bounds: A qdd + softness lambda = b */
    const dReal *lo, *hi;  /* (m) bounds of lambda in force at the solution, infinite: none */
} ukEquations;
/** The equations that were solved, for you to study or to check again. The arrays are valid until the world's next
 *  step, evaluation, diagnosis or call of this function.
 *  @return 0; ukErrorArgument also if the world's last step or evaluation failed, or there was none; ukErrorMemory */
UKODE_API int ukWorldGetEquations(dWorldID world, ukEquations *equations);

/** Where the energy of a world's dynamic bodies went since the ledger was switched on or reset: work done on them, by
 *  cause [J]. kinetic + potential = kinetic_start + potential_start + all causes + residual. Gravity is potential
 *  energy (of the present field; without one, 0 at any height). Under Euler every cause is computed from its own force,
 *  over the velocities before and after (h F (v + v+)/2), and the residual is rounding. Under RK4 powers are weighted
 *  as the integrator weights them, and `integration` is what is left, of its order. */
typedef struct ukLedger {
    dReal time;                           /* stepped since [s] */
    dReal kinetic_start, potential_start; /* then */
    dReal kinetic, potential;             /* now, sleeping bodies included */
    dReal applied;                        /* dBodyAddForce and the like, ukForce; springs made of ERP and CFM in joints:
                                             rows that their CFM lets yield to a hundredth of the free motion or more */
    dReal ideal;    /* ideal constraint forces: not zero where constraints move (kinematic bodies, rheonomic ones) */
    dReal nonideal; /* dry and viscous friction, laws */
    dReal motors;   /* of joints */
    dReal stops;    /* of joints */
    dReal contact_normal, contact_friction; /* of contact joints: first row, and the others */
    dReal gyroscopic;    /* numerical: gyroscopic torques over the step, and the turn of the inertia after it */
    dReal stabilization; /* ERP, CFM (not of springs), Baumgarte; projection, the last of a rate that friction stops */
    dReal damping;       /* dBodySetDamping and the like; speed caps */
    dReal sleeping;      /* velocities that auto-disable took */
    dReal outside;       /* what was changed between steps and by moved callbacks: states, masses, gravity, bodies made
                            or destroyed, steps of ODE's own */
    dReal integration;   /* of the discretisation: gravity over the fall of the step, constraints that turned since;
                            what ukStabilizeSplit lifts against gravity */
    dReal residual;      /* what is not explained */
} ukLedger;
/** Keeps a ledger from now on (1), or no more (0, the default). It costs some per cent of a step.
 *  These four @return 0; ukErrorMemory; ukErrorChanged if they are called from within a step of the world */
UKODE_API int ukWorldSetLedger(dWorldID world, int on);
/** The ledger up to now; switches it on if it was off (the first answer is then all zero but for the energies). */
UKODE_API int ukWorldGetLedger(dWorldID world, ukLedger *ledger);
/** The power of every cause over the last step [W]: what it added to the ledger, divided by the step size, which is
 *  `time` [s]. kinetic and potential are their rates, their starts are 0. All zero before the first step, and after one
 *  that failed. */
UKODE_API int ukWorldGetPower(dWorldID world, ukLedger *power);
/** Begins the ledger anew, and switches it on. */
UKODE_API int ukWorldResetLedger(dWorldID world);

/* ---- constraints and forces that ODE has no joint for ------------------------------------------------------------ */

/** What a function of yours sees of one body: world frame, at the centre of mass. */
typedef struct ukBodyState {
    dReal position[3];    /* [m] */
    dReal orientation[4]; /* w, x, y, z, body to world */
    dReal velocity[3];    /* [m/s] */
    dReal spin[3];        /* angular velocity [rad/s] */
    dReal mass;           /* [kg]; of a kinematic body as dBodyGetMass has it */
    dReal inertia[9];     /* about the centre of mass, row-major [kg m^2] */
} ukBodyState;

/** What a function of yours sees of its bodies. */
struct ukConstraintContext {
    dReal time, stepsize;      /* of the state below [s]; of the step in progress [s] */
    int count;                 /* bodies */
    const ukBodyState *bodies; /* (count), in the order given at creation */
};

/** A constraint of your own: nonholonomic, time-dependent, nonlinear in the velocities, servo. */
typedef struct ukConstraint *ukConstraintID;

/** Your function that writes the rows A qdd = b at the state in `context`. It may be called several times a step, and
 *  must depend on context and data alone.
 *  @param A  out (rows x 6*count) row-major, zero on entry; per body linear [1], then angular [m/rad], world frame
 *  @param b  out (rows) [m/s^2], zero on entry;  both arrays are the library's, valid during the call
 *  @return 0, or a non-zero value to fail the step */
typedef int ukConstraintFn(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data);

/** Your function that writes the errors of the rows, so that ERP, Baumgarte and projection see them. Optional.
 *  @param phi  out (rows), zero on entry: position error [m or rad], NaN for a nonholonomic row
 *  @param psi  out (rows), zero on entry: A v - target [m/s or rad/s]
 *  @return 0, or a non-zero value to fail the step */
typedef int ukErrorFn(const struct ukConstraintContext *context, dReal *phi, dReal *psi, void *data);

/** A constraint on some bodies. It joins the islands of its bodies and wakes them, as a joint does. It dies with its
 *  world. When one of its bodies is destroyed it becomes inactive, and using it is an error.
 *
 *  Rows A qdd = b that contradict other constraints or joints (beyond 1e-3 of the accelerations in play) fail the step,
 *  and ukWorldEvaluate, with ukErrorContradiction; the message names one of them. Position errors that contradict are
 *  met half-way, in the sense of least squares. Where contacts, stops or bounded motors exclude what rows ask, the
 *  Gauss check tells (ukReport.ok). If a constraint or a law of yours fails, an enabled world is not stepped by ODE
 *  instead.
 *  @param rows    1 ... 1536, fixed
 *  @param bodies  (count, 1 ... 256) all of `world`, different from each other. Kinematic ones may be among them: their
 *                 motion enters b through the context only, their columns of A are ignored.
 *  @param data    handed to fn; stays yours
 *  @return NULL on failure (ukGetLastError) */
UKODE_API ukConstraintID ukConstraintCreate(dWorldID world, int rows, const dBodyID *bodies, int count,
                                            ukConstraintFn *fn, void *data);
/** From now on every use of the handle is an error. No other constraint or force of the process ever gets it. */
UKODE_API void ukConstraintDestroy(ukConstraintID constraint);
/** The control force A' lambda: the constraint's ideal force, whatever friction it has. With Euler that of the last step,
 *  with every other integrator the one at the end of it; velocity jumps are impulses, and are not in it.
 *  @param force  out (6*count): force [N], torque about the centre of mass [N m] on each body, world frame */
UKODE_API int ukConstraintGetForce(ukConstraintID constraint, dReal *force);
/** What the constraint gave its bodies over the last step, with everything that acted: its force, ideal and non-ideal,
 *  integrated as the integrator does, velocity jumps at the start of the step and the projection's. Divided by the step
 *  it is what a dJointFeedback reports of a joint.
 *  @param impulse  out (6*count): [N s], about the centre of mass [N m s] on each body, world frame; 0 before the first
 *                  step */
UKODE_API int ukConstraintGetImpulse(ukConstraintID constraint, dReal *impulse);
/** @param fn  NULL: no error function (the rows are then held at acceleration level, and drift) */
UKODE_API int ukConstraintSetError(ukConstraintID constraint, ukErrorFn *fn, void *data);

/** One comparison of an audit: the entry that is off by most. */
typedef struct ukAuditFinding {
    int row;                       /* -1: nothing to compare */
    int body, component;           /* of A: the body as given at creation, from 0; its column 0 ... 5; -1: b and psi */
    dReal written, expected, size; /* expected: from differences; size: |written - expected| */
    int wrong;                     /* 1: more than differences can be off by */
} ukAuditFinding;
/** What an audit of a constraint found. */
typedef struct ukAudit {
    int ok;               /* 1: nothing is wrong */
    ukAuditFinding A_phi; /* A against dphi/dq (holonomic rows) */
    ukAuditFinding A_psi; /* A against dpsi/dv */
    ukAuditFinding psi;   /* psi against dphi/dt along the motion (holonomic rows) */
    ukAuditFinding b;     /* b against -dpsi/dt at constant velocities */
} ukAudit;
/** Checks a constraint's A and b against differences of its own phi and psi, at the present state. Nothing moves; the
 *  functions are called 8 times a column and 5 times more.
 *  @return 0 whatever is found; ukErrorArgument also without error function; ukErrorCallback if a function fails;
 *          ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukConstraintAudit(ukConstraintID constraint, ukAudit *result);

/** An applied force that depends on the state (spring, drag, controller). It is evaluated at every stage of an
 *  integrator, unlike dBodyAddForce, which is constant over the step. */
typedef struct ukForce *ukForceID;
/** Your function that writes it.
 *  @param force  out (6*count), zero on entry: force [N] and torque about the centre of mass [N m] on each body
 *  @return 0, or a non-zero value to fail the step */
typedef int ukForceFn(const struct ukConstraintContext *context, dReal *force, void *data);
/** @param bodies  (count, 1 ... 256) all of `world`, different from each other
 *  @param data    handed to fn; stays yours
 *  @return NULL on failure (ukGetLastError) */
UKODE_API ukForceID ukForceCreate(dWorldID world, const dBodyID *bodies, int count, ukForceFn *fn, void *data);
UKODE_API void ukForceDestroy(ukForceID force);

/* ---- non-ideal constraints --------------------------------------------------------------------------------------- */

/* A real joint or guide also does work: v'Qc = v'C for virtual displacements v, with C prescribed (Udwadia 2000, 2004;
 * docs/theory.md). The ideal force Qi does not depend on C; laws may, and do, depend on Qi. Where joints are redundant,
 * only their total ideal force is unique. It is split in the least-norm way (of the multipliers of unit rows), and a
 * law sees its joint's share.
 *
 * Euler takes dry and viscous friction at the rate at the end of the step, so that it never overshoots zero, however
 * large. It takes drag and your own laws at the state at the start. RK4 evaluates laws at every stage, and locates the
 * moments where dry friction sticks or gives way. A joint's dJointFeedback is the whole of its force. Laws die with
 * their joint or constraint. None can be set from within a step of their world (ukErrorChanged). */

/** Dry friction in a joint: along each free translation a force of mu |N| [N], about each free axis a torque of
 *  mu arm |N| [N m], against the sliding. N is the force (not the torque) of the joint's ideal constraint, its motors
 *  and stops left out, of the ideal solve: the load of the frictionless mechanism at this state. At zero rate friction
 *  sticks as long as what is needed stays below that; else it acts against the motion that would follow. The three
 *  rotations of a Ball joint slide as one (the torque is against the relative angular velocity), and so do the two
 *  translations of a Plane2D. Other axes have each their own friction.
 *  @param mu   >= 0; 0: none
 *  @param arm  >= 0 [m], radius of the bearing; translations ignore it
 *  @return ukErrorArgument for joints that bear nothing or have no free axis (Fixed, motors, DBall, Transmission,
 *          Contact, whose friction is dContact's) */
UKODE_API int ukJointSetCoulomb(dJointID joint, dReal mu, dReal arm);

/** Stribeck's law: dry friction that is stronger at rest, mu + (mu_static - mu) exp(-(rate/speed)^2) instead of mu.
 *  Where it falls with the rate it feeds oscillations: stick and slip. Euler takes it for the rate at the start of the
 *  step.
 *  @param mu_static  >= the mu > 0 of ukJointSetCoulomb, which takes it back where its mu is larger, or 0
 *  @param speed      > 0 [m/s; rad/s]; both 0: none */
UKODE_API int ukJointSetStribeck(dJointID joint, dReal mu_static, dReal speed);

/** Viscous friction: -coefficient x rate on every free axis, in addition to dry friction.
 *  @param coefficient  >= 0, N s/m along translations, N m s/rad about axes; 0: none */
UKODE_API int ukJointSetViscous(dJointID joint, dReal coefficient);
/** Quadratic drag: -coefficient x |rate| x rate on every free axis, in addition; Euler takes it for the start of the
 *  step.
 *  @param coefficient  >= 0, N s^2/m^2, N m s^2/rad^2; 0: none */
UKODE_API int ukJointSetDrag(dJointID joint, dReal coefficient);

/** What a law of yours sees of its joint. Bodies are in the order of dJointAttach; world frame. */
struct ukNonIdealContext {
    dReal time, stepsize;       /* of the state below [s]; of the step in progress, or its part [s] */
    dJointID joint;             /* whose law it is */
    const ukBodyState *body[2]; /* NULL: the static world */
    const dReal (*ideal)[6];    /* (2 x 6) the joint's ideal force and torque on each body, motors and stops included */
    int axes;                   /* free axes: 0 ... 3 */
    const dReal (*axis)[3];     /* (axes x 3) unit vectors */
    const dReal *rate;          /* (axes) of body 1 relative to body 2 [m/s or rad/s] */
    const int *is_translation;  /* (axes) */
};

/** Your law: C of one joint. You may prescribe any force, also one that feeds energy. What would act along the
 *  constraint is answered by it.
 *  @param force_and_torque  out, zero on entry: force [N] and torque about the centre of mass [N m] on each body, as a
 *  torque or force f along axis i is {0, f axis} or {f axis, torque of its lever} on body 1 and the opposite on body 2.
 *  NaN fails the step with ukErrorCallback, the world as it was. */
typedef void ukNonIdealFn(const struct ukNonIdealContext *context, dReal force_and_torque[2][6], void *data);
/** Sets a law of your own, in addition to the friction above.
 *  @param law   NULL: none
 *  @param data  handed to it; stays yours */
UKODE_API int ukJointSetNonIdeal(dJointID joint, ukNonIdealFn *law, void *data);

/** The joint's forces of the last step that it took part in (with Euler those of the step, with every other integrator
 *  those at its end, where dJointFeedback is the mean over the step, velocity jumps included): force [N] and torque about the centre of mass [N m] on the
 *  bodies in the order of dJointAttach (zero for the static world). Either may be NULL.
 *  @param ideal     of Qi: what the joint would exert without any law in its island
 *  @param nonideal  of Qni: friction and laws, and what the joint answers to those of its island */
UKODE_API int ukJointGetForces(dJointID joint, dReal ideal[2][6], dReal nonideal[2][6]);

/** Dry friction on a user constraint, for bodies that slide on something at rest; other cases need a law. On each of
 *  its bodies it is a force of mu |f| against the velocity of the centre of mass, less what the constraint itself
 *  governs of that; f is the constraint's ideal force on the body. It sticks as in ukJointSetCoulomb.
 *  @param mu  >= 0; 0: none */
UKODE_API int ukConstraintSetCoulomb(ukConstraintID constraint, dReal mu);
/** Your law: C of one constraint.
 *  @param ideal  (6*count) the constraint's ideal force, as ukConstraintGetForce has it
 *  @param force  out (6*count), zero on entry: C, force and torque on each body. NaN fails the step. */
typedef void ukConstraintNonIdealFn(const struct ukConstraintContext *context, const dReal *ideal, dReal *force,
                                    void *data);
/** @param law   NULL: none
 *  @param data  handed to it; stays yours */
UKODE_API int ukConstraintSetNonIdeal(ukConstraintID constraint, ukConstraintNonIdealFn *law, void *data);
/** The non-ideal force of the last step on each body: friction and laws, and what the constraint answers to those of
 *  its island.
 *  @param force  out (6*count): force [N], torque about the centre of mass [N m], world frame */
UKODE_API int ukConstraintGetNonIdealForce(ukConstraintID constraint, dReal *force);

/* ---- the equations at the present state -------------------------------------------------------------------------- */

/* With Euler, constraint forces, equations and reports belong to the step just taken, as ODE's feedback does. With
 * every other integrator they belong to the end of the step, the state that you see, but for dJointFeedback and
 * ukConstraintGetImpulse, which are of the whole step. ukWorldEvaluate makes them
 * current. */

/** Computes equations (continuous form), forces, errors and report at the present state; nothing moves. Islands with
 *  one-sided rows are evaluated in the discrete form, for the last step size (0.01 s before the first step).
 *  @return 0, or what a step would fail with */
UKODE_API int ukWorldEvaluate(dWorldID world);
/** Moves pose, then velocity, onto the constraints, to what is nearest in the M-norm. Contacts and stops are left
 *  alone.
 *  @return 0, or what a step would fail with */
UKODE_API int ukWorldProject(dWorldID world);
/** What counts as dependent: singular values at or below `relative`, of A M^-1/2 with each row divided by its own size
 *  there, so that units do not matter (docs/theory.md).
 *  @param relative  0 <= relative < 1. 0: automatic, following the drift; rounding for the discrete form without closed
 *                   loops */
UKODE_API int ukWorldSetRankTolerance(dWorldID world, dReal relative);
/** Sets how many threads solve the islands of a step, the caller's included. They belong to the process and sleep
 *  between steps; dWorldSetStepThreadingImplementation concerns ODE's own stepper alone. The result is the same to the
 *  last bit. Your functions and moved callbacks run on the caller's thread, in ODE's order; islands that have one, that
 *  have a non-ideal law, or that rk4 steps, are solved there too.
 *  @param threads  1 ... 64; 1 at first */
UKODE_API int ukWorldSetThreads(dWorldID world, int threads);
UKODE_API int ukWorldGetThreads(dWorldID world);

/* ---- names and lists --------------------------------------------------------------------------------------------- */

/** A name, for recordings and what is made of them. It is copied.
 *  @param name  NULL or "": none
 *  @return ukErrorHandle, ukErrorMemory; ukErrorArgument for a contact joint */
UKODE_API int ukBodySetName(dBodyID body, const char *name);
UKODE_API int ukJointSetName(dJointID joint, const char *name);
/** NULL: none, or an unknown object. Valid until the name is set again, or the object is destroyed. */
UKODE_API const char *ukBodyGetName(dBodyID body);
UKODE_API const char *ukJointGetName(dJointID joint);

/** The worlds that the library knows, in the order of creation.
 *  @param index  from 0; NULL beyond the last */
UKODE_API dWorldID ukGetWorld(int index);
UKODE_API int ukGetWorldCount(void);
/** The bodies of a world, and its joints without contacts, in the order of creation.
 *  @return how many, or ukErrorHandle; NULL beyond the last, and for an unknown world. A loop over all takes time in
 *          proportion to their number, as long as none is made or destroyed. */
UKODE_API int ukWorldGetBodyCount(dWorldID world);
UKODE_API dBodyID ukWorldGetBody(dWorldID world, int index);
UKODE_API int ukWorldGetJointCount(dWorldID world);
UKODE_API dJointID ukWorldGetJoint(dWorldID world, int index);

/* ---- recordings -------------------------------------------------------------------------------------------------- */

/** What goes into a recording. All zero: `step` of every step, the rest 60 times a second of simulated time. */
typedef struct ukRecordOptions {
    double rate;      /* rows of body_step, joint_step, contact_step and ledger_step [1/s]; 0: 60 */
    int every_step;   /* 1: these have rows of every step, whatever the rate, and the ledger is switched on */
    int inputs;       /* 1: what ukode replay needs; whatever the world has done so far */
    int certificates; /* 1: what ukode verify needs */
} ukRecordOptions;
/** Records a world from its next step on, into an SQLite file whose tables docs/recording.md describes. Several worlds
 *  can go into one file, whose options are the first one's. A thread of its own writes it; it is whole up to the last
 *  second however the process ends. An error of the file (a full disk) ends the recording with a message on stderr.
 *  @param path     a recording that is there already is replaced, any other file is not; NULL: ends the recording
 *  @param options  copied; NULL: all zero
 *  @return ukErrorHandle; ukErrorArgument for options or a file that cannot be made; ukErrorUnsupported without
 *          SQLite (Debian: libsqlite3-0), or for inputs of a world that ukWorldAttach handed over;
 *          ukErrorNotFinite for inputs where a body is nowhere; ukErrorMemory; ukErrorChanged from within a step of the world */
UKODE_API int ukWorldRecord(dWorldID world, const char *path, const ukRecordOptions *options);

/* ---- diagnosis --------------------------------------------------------------------------------------------------- */

/** What the rows of one joint, or of one user constraint, are to the others. */
typedef struct ukJointDiagnosis {
    dJointID joint;            /* NULL: a user constraint, */
    ukConstraintID constraint; /* which is this one */
    int rows;                  /* that are held rigidly */
    int redundant_rows;        /* how many of them the rest already implies */
    int unique;                /* 1: its reaction is determined; 0: an arbitrary split among redundant joints */
    int unique_component[6];   /* the same for force x, y, z and torque x, y, z on its first body */
    int in_conflict;           /* 1: one of the smallest set that contradicts itself */
} ukJointDiagnosis;

/** What it is that contradicts itself. */
typedef enum ukConflict {
    ukConflictNone,
    ukConflictPose,        /* position errors that no motion removes [m or rad] */
    ukConflictVelocity,    /* target rates that exclude each other [m/s or rad/s] */
    ukConflictAcceleration /* right-hand sides b [m/s^2 or rad/s^2] */
} ukConflict;

typedef struct ukDiagnosis { /* owned by the world, valid until the next diagnosis */
    int rows, columns; /* of A: rows held rigidly (no contacts, active stops, bounded motors, springs); 6 a body */
    int rank;          /* numerical rank of B = A M^-1/2, of unit rows: each divided by its own size there */
    dReal largest, kept, dropped; /* singular values of B: the largest, the smallest that counts, the largest that does
                                     not (0: none) */
    int count;                    /* joints and user constraints with such rows */
    const ukJointDiagnosis *joints; /* (count) in the order of assembly */
    ukConflict conflict;            /* of which kind, if any */
    int conflict_joints;            /* in the smallest set in conflict (the smallest up to pairs, irreducible beyond) */
    dReal conflict_size;            /* by how much its rows exclude each other, in the unit of ukConflict */
    int conflict_is_angle;          /* 1: rad, else m */
} ukDiagnosis;
/** Finds rank, redundancy and contradictions of the joints at the present state, by a dense singular value
 *  decomposition of the whole world: for asking, not for every step. Nothing moves. ukWorldGetEquations answers again
 *  after the next step or ukWorldEvaluate.
 *  @return 0; ukErrorMemory, ukErrorLapack, or what a step would fail with */
UKODE_API int ukWorldDiagnose(dWorldID world, ukDiagnosis *diagnosis);

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/** Text of a status (enum ukStatus), for every int; never NULL. Static storage. */
UKODE_API const char *ukGetErrorString(int status);
/** Status of this thread's last call that failed; 0 if none did. */
UKODE_API int ukGetLastError(void);
/** What that call was about ("hinge joint 12: ..."); "" if none failed. Valid until the thread's next failure. */
UKODE_API const char *ukGetLastErrorMessage(void);

/* ---- version ----------------------------------------------------------------------------------------------------- */

/** Version of the library that runs, "1.2.3". Compare it with UKODE_VERSION, which your program was compiled with.
 *  Static storage. */
UKODE_API const char *ukGetVersion(void);

/* ---- time -------------------------------------------------------------------------------------------------------- */

/** Time that ukode has stepped `world` through [s]; 0 for an unknown world. */
UKODE_API dReal ukWorldGetTime(dWorldID world);
/** Sets it, for constraints, forces and laws that depend on time. @param time  finite [s] */
UKODE_API int ukWorldSetTime(dWorldID world, dReal time);

/* ---- saving, restoring, hashing ---------------------------------------------------------------------------------- */

/** Saves everything that the future of `world` depends on (docs/keep.md): its bodies' states to the bit, forces,
 *  masses, auto-disable countdowns and samples; its joints' parameters, running values and reactions; laws, ledger, time,
 *  settings, ODE's world parameters and random seed; what the contacts of the last steps bore, and what the solvers
 *  remember. Going on after ukWorldRestore gives the same bits as never having stopped, in this process or another that
 *  builds the same world, with any number of threads.
 *  @param buffer  (size bytes) written where it is large enough, else left as it is; NULL: only the size is asked for
 *  @return the size needed [bytes]; 0 on failure: ukErrorMemory, ukErrorChanged (from within a step of the world)
 *  @note The bytes are little-endian, have a version and a checksum, and hold no addresses. Anything that only the
 *        program knows is not in them: callbacks, users' functions and their data, geoms without a body. */
UKODE_API size_t ukWorldSave(dWorldID world, void *buffer, size_t size);

/** Takes over what ukWorldSave wrote of this world, or of one that was built the same way: the same bodies, joints,
 *  user constraints and forces, made and attached in the same order, joints with the same anchors and axes, geoms in the
 *  same order on their bodies. Contact joints do not count; the next step's are the program's to make, as ever.
 *  @param buffer  (size bytes) any bytes: nothing is touched before all of them are found good
 *  @return 0; ukErrorArgument (not a saved state, spoilt, or of another world: ukGetLastErrorMessage names what differs),
 *          ukErrorUnsupported (of another version), ukErrorNotFinite, ukErrorMass, ukErrorLapack (its solver), ukErrorMemory,
 *          ukErrorChanged (from within a step): the world is as it was
 *  @note Not from within a collision callback, whose space is locked. ukWorldGetEquations has none until the next step. */
UKODE_API int ukWorldRestore(dWorldID world, const void *buffer, size_t size);

/** 128 bits of the state of motion: time, and every body's position, quaternion, velocity, spin, force, torque and whether
 *  it is awake, in order of creation; angles of AMotors and phases of transmissions. Not what is remembered for the
 *  solvers or for falling asleep; that is told by the hashes of the steps to come.
 *  @param hash  out (16); equal states to the bit have equal hashes, on any machine; different ones differ but for an
 *               accident of 2^-128
 *  @return 0
 *  @note Some 10 ns a body. */
UKODE_API int ukWorldHash(dWorldID world, unsigned char hash[16]);

#ifdef __cplusplus
}
#endif

#endif
