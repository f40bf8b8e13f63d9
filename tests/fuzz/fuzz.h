/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/fuzz.h: one random world from a seed, with whatever a program can do to it, and what must hold for it
 * whatever is done. Numbers go to the ends of double and beyond; ODE's own setters are given only what ODE's assertions
 * let pass (`fuzz --native` shows that), ukode's functions anything.
 *
 * Built twice: linked with the library's objects, and without ukode (FUZZ_PLAIN), for LD_PRELOAD: then the functions of
 * ukode are weak references, which the preloaded library fills in. */
#ifndef UKODE_TESTS_FUZZ_FUZZ_H
#define UKODE_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ukode/ukode.h>

#include "tests/support/random_world.h"

enum { FuzzBodies = 8, FuzzJoints = 20, FuzzElements = 4, FuzzStatuses = 32 };

/* what the parent process gets of its children, in memory they share */
typedef struct FuzzTally {
    char fault[400]; /* of the world in progress: what must hold and does not; "": nothing */
    long steps, refused[FuzzStatuses], certified, doubtful, fallbacks, judged;
} FuzzTally;

typedef enum FuzzEntry { FuzzStep, FuzzEnabled, FuzzQuick } FuzzEntry; /* ukWorldStep; enabled: dWorldStep, QuickStep */

typedef struct Fuzz {
    Random random;
    FuzzTally *tally;
    bool replay;          /* fuzzReplay */
    bool verbose, native; /* native: nothing of ukode is called, no step is taken */
    int reach;            /* of numbers: 0 ordinary, 1 wide, 2 the range of double */
    double wild;          /* chance of a number being none, or at the end of the range */
    double meddle;        /* chance of a callback to do something */
    FuzzEntry entry;
    dReal h;
    ukCheckAction check;
    dReal tolerance;             /* of the check */
    double turnover;             /* what the ledger has seen [J], for scale */
    double far;                  /* of the body farthest from the origin before the step */
    bool elliptic, ledger, drag; /* drag: some joint has it */

    dWorldID world;
    dJointGroupID group;
    dBodyID body[FuzzBodies]; /* NULL: destroyed */
    int bodies;
    dJointID joint[FuzzJoints];
    int joints;
    dJointFeedback feedback[FuzzJoints];
    ukConstraintID constraint[FuzzElements];
    ukForceID force[FuzzElements];
    int constraints, forces;

    int inside;    /* > 0: in a call of ukode's, callbacks left out */
    bool stepping; /* a step is under way, callbacks included */
    bool meddled;  /* a callback of the step in progress changed states, */
    bool called;   /* or did anything else to the world */
} Fuzz;

extern Fuzz *fuzz_now; /* the world in progress, for callbacks without data */

/* ---- draw.c: numbers ---- */
bool fuzzChance(Fuzz *f, double p);
int fuzzBelow(Fuzz *f, int n);
double fuzzUniform(Fuzz *f, double lo, double hi);
double fuzzScale(Fuzz *f, double ordinary, double wide, double extreme); /* 10^e, e within -+ that of the reach */
double fuzzReal(Fuzz *f, double size); /* within -+ size, wider with the reach, sometimes wild */
double fuzzSize(Fuzz *f, double size); /* the same, finite and > 0 */
double fuzzErp(Fuzz *f);
double fuzzCfm(Fuzz *f);
void fuzzDirections(Fuzz *f, double u[3], double v[3]); /* orthogonal, of any length that ODE can normalise */

/* ---- make.c: a world, its bodies and joints ---- */
void fuzzBuild(Fuzz *f);
void fuzzMakeBody(Fuzz *f);
void fuzzMakeJoint(Fuzz *f);
void fuzzMakeContact(Fuzz *f, dJointGroupID group);
void fuzzSetParameters(Fuzz *f, dJointID joint);
void fuzzSetMass(Fuzz *f, dBodyID body);
void fuzzSetState(Fuzz *f, dBodyID body);
dBodyID fuzzAnyBody(Fuzz *f);   /* NULL: that one is gone */
dJointID fuzzAnyJoint(Fuzz *f); /* the same */

/* ---- settings.c: what a user of ukode chooses and adds ---- */
void fuzzSettings(Fuzz *f);
void fuzzMakeElement(Fuzz *f);
void fuzzSetLaw(Fuzz *f);
void fuzzMisuse(Fuzz *f); /* calls of ukode's with null, stale and mistaken arguments: each must be refused */

/* ---- change.c: what a program does to a world ---- */
void fuzzChange(Fuzz *f); /* between steps */
void fuzzHeal(Fuzz *f);   /* states and forces become ordinary numbers again */
void fuzzMeddle(void);    /* from within callbacks */
void fuzzMoved(dBodyID body);

/* ---- judge.c: what must hold ---- */
void fuzzFault(Fuzz *f, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
void fuzzSay(const Fuzz *f, const char *format, ...) __attribute__((format(printf, 2, 3))); /* where verbose */
bool fuzzUkode(void);                                                                       /* the library is there */
void fuzzJudgeStep(Fuzz *f);

/* ---- replay.c: the same in a second world: before the first one is made, and then; around its steps ---- */
void fuzzReplayWorld(Fuzz *f);
void fuzzReplayMade(Fuzz *f);
bool fuzzReplayStep(Fuzz *f); /* whether the world was restored to an earlier state */
void fuzzReplayStepped(Fuzz *f);

/* a call of ukode's: what ODE says or refuses meanwhile is ukode's fault */
#define FUZZ_CALL(f, call) ((f)->inside++, (void)(call), (void)(f)->inside--)

#ifdef FUZZ_PLAIN
#pragma weak ukConstraintAuditSized
#pragma weak ukConstraintCreate
#pragma weak ukConstraintDestroy
#pragma weak ukConstraintGetForce
#pragma weak ukConstraintGetNonIdealForce
#pragma weak ukConstraintSetActuators
#pragma weak ukConstraintSetBounds
#pragma weak ukConstraintSetCoulomb
#pragma weak ukConstraintSetError
#pragma weak ukConstraintSetNonIdeal
#pragma weak ukConstraintSetOneSided
#pragma weak ukConstraintSetWeight
#pragma weak ukForceCreate
#pragma weak ukForceDestroy
#pragma weak ukGetErrorString
#pragma weak ukGetLastError
#pragma weak ukGetLastErrorMessage
#pragma weak ukJointGetForces
#pragma weak ukJointGetGaussian
#pragma weak ukJointSetCoulomb
#pragma weak ukJointSetDrag
#pragma weak ukJointSetNonIdeal
#pragma weak ukJointSetStribeck
#pragma weak ukJointSetViscous
#pragma weak ukSwitchCreate
#pragma weak ukWorldAttach
#pragma weak ukWorldClearSwitches
#pragma weak ukWorldDiagnoseSized
#pragma weak ukWorldDisable
#pragma weak ukWorldEnable
#pragma weak ukWorldEvaluate
#pragma weak ukWorldGetEquationsSized
#pragma weak ukWorldGetLedgerSized
#pragma weak ukWorldGetMobilitySized
#pragma weak ukWorldGetPowerSized
#pragma weak ukWorldGetReportSized
#pragma weak ukWorldGetSolver
#pragma weak ukWorldGetTime
#pragma weak ukWorldIsEnabled
#pragma weak ukWorldProject
#pragma weak ukWorldResetLedger
#pragma weak ukWorldSave
#pragma weak ukWorldSetFriction
#pragma weak ukWorldSetGaussCheck
#pragma weak ukWorldSetIntegrator
#pragma weak ukWorldSetLedger
#pragma weak ukWorldSetRankTolerance
#pragma weak ukWorldSetSolver
#pragma weak ukWorldSetStabilization
#pragma weak ukWorldSetSwitch
#pragma weak ukWorldSetThreads
#pragma weak ukWorldSetTime
#pragma weak ukWorldSetTolerance
#pragma weak ukWorldStep
#endif

#endif
