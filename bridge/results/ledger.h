/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/ledger.h: work by cause (the energy ledger). The change of the bodies' energy in a step is booked as
 * the work of each force and of each change without a force, so that the sum can be checked against the energies.
 *
 * Discrete form, per body with v+ = v + h qdd: the work of a force F is h F (v + v+)/2, and the kinetic energy at the
 * inertia of the start changes by exactly the sum of these; later changes (speed cap, rotated inertia, pose) are booked
 * when they happen. Continuous form: powers at the stages, weighted as the integrator weights them; the rest of the
 * change of energy is the integrator's own error. A part of a step is provisional until it is accepted. */
#ifndef UKODE_BRIDGE_RESULTS_LEDGER_H
#define UKODE_BRIDGE_RESULTS_LEDGER_H

#include "bridge/island/assemble.h"

/* The ledger of a world, NULL while the world keeps none. */
typedef struct ukBook {
    ukLedger sum;     /* since the reset, to the end of the last step */
    ukLedger before;  /* `sum` at the start of the last step, or of the one in progress */
    ukLedger earlier; /* `before` when the step in progress began; restored if it fails */
    ukLedger open;    /* work of the open sub-step */
    double energy;    /* the island's expected energy [J], from its start or the last ukLedgerMark */
    ukLedger island;  /* `sum` before the island in progress */
    double began;     /* the world's energy at the start of this step [J] */
    bool callbacks;   /* whether bodies had moved callbacks then */
    bool untouched;   /* no body has changed since the last step, and none has a moved callback, says the owner */
    double g[3];      /* gravity at the end of the last step [m/s^2] */
} ukBook;

/* Switches the ledger on (from now) or off; ukOk, ukErrorMemory. */
int ukLedgerSwitch(ukWorld *world, bool on);
void ukLedgerReset(ukWorld *world);                     /* requires a ledger */
void ukLedgerRead(const ukWorld *world, ukLedger *out); /* requires a ledger, own or lent */
void ukLedgerLast(const ukWorld *world,
                  ukLedger *out); /* or lent: as the last step of ukode's left it, bodies unasked */
void ukLedgerPower(const ukWorld *world, ukLedger *out); /* requires a ledger: the last step, see ukWorldGetPower */

/* Books all further steps in `book`, from the world's present energies, while the world keeps no ledger of its own. */
void ukLedgerLend(ukWorld *world, ukBook *book);

/* The stages of a step. All of these do nothing for a world without a ledger. */
void ukLedgerBegin(ukWorld *world); /* before any change */
void ukLedgerSlept(ukWorld *world); /* a body was auto-disabled, or discovered */
void ukLedgerEnd(ukWorld *world, double h);
void ukLedgerUndo(ukWorld *world); /* the step failed */

/* Discrete form: books the whole island, solved at the frames' start, at its new states before they are written.
 * has_feedback: ukFeedbackIsland has computed the joints' reactions, which need not be computed again. */
void ukLedgerDiscrete(ukIsland *island, double h, bool has_feedback);
/* Books the energy that ODE's damping will take from the island's new velocities. */
void ukLedgerDamping(ukIsland *island);

/* Continuous form. Open: a sub-step begins at the frames' states; Stage: books the solved stage with `weight` [s];
 * Mark: books the change of energy since the last mark in excess of the booked work under one cause; Accept: accepts
 * the sub-step, whose remaining difference is the integrator's. */
typedef enum ukMark { ukMarkIntegration, ukMarkDamping, ukMarkStabilization, ukMarkOutside } ukMark;
void ukLedgerOpen(ukIsland *island);
void ukLedgerStage(ukIsland *island, double weight);
void ukLedgerForces(ukIsland *island, double weight); /* only forces without rows; then the rows: */
/* The rows of an island in a kick of RATTLE: A as in its problem, multipliers, A v - target; begins: at the velocities
 * of the frames' starts. zero: (rows) zeros. */
typedef struct ukKickRows {
    const double *A;
    double *lambda, *psi, *zero;
    bool begins;
} ukKickRows;
void ukLedgerRows(const ukIsland *island, const ukKickRows *rows, double weight);
void ukLedgerMark(ukIsland *island, ukMark cause);
void ukLedgerAccept(ukIsland *island);
/* Books a jump of velocities from the frames' starts by h qdd of the island's problem, with the impulses h lambda of
 * its rows: motors, stops and contacts have their work; the remainder, of joints whose rates violated their rows, goes
 * to `cause`. */
void ukLedgerJump(ukIsland *island, double h, ukMark cause);
/* Island saves the ledger before the island's first sub-step; Reject restores it, with accepted sub-steps, to repeat
 * the step. */
void ukLedgerIsland(ukWorld *world);
void ukLedgerReject(ukWorld *world);

#endif
