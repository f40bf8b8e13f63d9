/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/ledger.h: work by cause (the energy ledger). What a step does to the energy of its bodies is booked
 * as the work of each force that acted and of each change that no force made, so that the sum can be checked against
 * the energies.
 *
 * Discrete form, per body with v+ = v + h qdd: the work of a force F is h F (v + v+)/2, and the kinetic energy at the
 * inertia of the start changes by exactly the sum of these; what follows (speed cap, turned inertia, pose) is booked
 * as it happens. Continuous form: powers at the stages, weighted as the integrator weights them; what is left of
 * the change of energy is the integrator's own error. A part of a step is open until it is accepted. */
#ifndef UKODE_BRIDGE_RESULTS_LEDGER_H
#define UKODE_BRIDGE_RESULTS_LEDGER_H

#include "bridge/island/assemble.h"

/* Of a world, NULL while it keeps none. */
typedef struct ukBook {
    ukLedger sum, before,
        earlier;     /* since the reset, to the end of the last step; as that step, or the one in progress, found it */
    ukLedger open;   /* work of the part in progress, */
    double energy;   /* and the island's energy where it began, or at the last ukLedgerMark */
    ukLedger island; /* `sum` as the island in progress found it */
    double began;    /* the world's energy at the beginning of this step */
    bool callbacks;  /* bodies had moved callbacks then */
} ukBook;

/* Switches it on (from now) or off; ukOk, ukErrorMemory. */
int ukLedgerSwitch(ukWorld *world, bool on);
void ukLedgerReset(ukWorld *world);                     /* on */
void ukLedgerRead(const ukWorld *world, ukLedger *out); /* on, or lent */
void ukLedgerLast(const ukWorld *world,
                  ukLedger *out); /* or lent: as the last step of ukode's left it, bodies unasked */
void ukLedgerPower(const ukWorld *world, ukLedger *out); /* on: of the last step, see ukWorldGetPower */

/* Steps from now on are booked there, from the world's present energies, while the world keeps no book of its own. */
void ukLedgerLend(ukWorld *world, ukBook *book);

/* A step. All of these do nothing for a world without a book. */
void ukLedgerBegin(ukWorld *world); /* before anything happens */
void ukLedgerSlept(ukWorld *world); /* a body was auto-disabled, or discovered */
void ukLedgerEnd(ukWorld *world, double h);
void ukLedgerUndo(ukWorld *world); /* the step failed */

/* Discrete form: the whole island, solved at the frames' start, at its new states before they are written. */
void ukLedgerDiscrete(ukIsland *island, double h);
/* What ODE's damping will take from the island's new velocities. */
void ukLedgerDamping(ukIsland *island);

/* Continuous form: a part begins at the frames' states; the solved stage counts with `weight` [s]; what changed since
 * the last mark beyond the work booked goes to one cause; the part is accepted, what is left is the integrator's. */
typedef enum ukMark { ukMarkIntegration, ukMarkDamping, ukMarkStabilization, ukMarkOutside } ukMark;
void ukLedgerOpen(ukIsland *island);
void ukLedgerStage(ukIsland *island, double weight);
void ukLedgerMark(ukIsland *island, ukMark cause);
void ukLedgerAccept(ukIsland *island);
/* Velocities jump from the frames' starts by h qdd of the island's problem, by the impulses h lambda of its rows: motors,
 * stops and contacts have their work; what is left, of joints that had other rates than they allow, goes to `cause`. */
void ukLedgerJump(ukIsland *island, double h, ukMark cause);
/* Before the first part of an island; and back to there, parts accepted since included: it is taken again. */
void ukLedgerIsland(ukWorld *world);
void ukLedgerReject(ukWorld *world);

#endif
