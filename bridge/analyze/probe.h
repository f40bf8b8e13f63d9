/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/probe.h: accelerations of a world at states near its present one, in the continuous form. States are
 * those of the frames; ODE's bodies stay where they are. Laws, contacts, stops and motors of bounded force keep the
 * modes (sticking or sliding, closed or open, driving or at the bound) that they have at the present state, so that the
 * accelerations are smooth. A CFM of the world's counts as zero where it is no spring (bridge/island/spring.h).
 *
 * Evaluations use the workspace of the world's steps and the modes of its laws: plugin/analysis/preserve.h saves and
 * restores both. */
#ifndef UKODE_BRIDGE_ANALYZE_PROBE_H
#define UKODE_BRIDGE_ANALYZE_PROBE_H

#include "bridge/analyze/active.h"
#include "bridge/island/assemble.h"
#include "bridge/island/stepper.h"

/* The rows that an analysis considers. */
typedef enum ukProbeForm {
    ukProbeContinuous, /* all rows of the continuous form: rigid, or forces; others are refused */
    ukProbePose,       /* rigid rows alone, for coordinates and projections: contacts, stops, springs, friction and
                          motors of bounded force are left out; there are no accelerations */
} ukProbeForm;

typedef struct ukProbe {
    ukWorld *world;
    ukStepper *s;
    ukProbeForm form;
    ukStepContext context;
    ukReport before;
    ukActivity activity;
    int bodies; /* that move; frames of kinematic bodies are not counted */
    int begun;  /* islands that are assembled, with their modes decided: the first ones, all unless the begin failed */
    bool open;
} ukProbe;

/* Begins an analysis of the world at its present state: gathers and assembles it, decides modes (ukProbeContinuous). h
 * [s]: of the steps that the program takes, of which springs made of ERP and CFM have their stiffness. release
 * (releases): motors that count as their present forces. Nothing is moved: the state may violate the constraints. ukOk;
 * ukErrorUnsupported: a row without a continuous form; the statuses of an assembly or solution. ukProbeEnd is to be
 * called in any case. */
int ukProbeBegin(ukProbe *probe, ukWorld *world, ukProbeForm form, double h, const ukRelease *release, int releases);
void ukProbeEnd(ukProbe *probe);

/* The frame of moving body k (0 ... bodies - 1), in the order of the coordinates. */
ukFrame *ukProbeFrame(const ukProbe *probe, int k);

/* Moves the frames' states onto the rigid rows, by the least change in the M-norm: poses with `pose`, then velocities.
 * Assembles the islands there. *moved: |dq|_M of the poses [kg^1/2 m]; may be NULL. ukOk, ukErrorNotConverged, or a
 * status of the assembly or solver. */
int ukProbeProject(ukProbe *probe, bool pose, double *moved);

/* The same onto the rows of joints first; contacts keep the places that they have there. Contacts that were found at
 * poses beside the joints would contradict these. */
int ukProbeSettle(ukProbe *probe, double *moved);

/* The islands assembled at the frames' states. ukOk or a status of the assembly. */
int ukProbeAssemble(ukProbe *probe);

/* Accelerations of the frames' states, which meet the constraints, to s->bodies.qdd (6 a moving body); with `judge`,
 * rows that contradict each other are refused (ukErrorContradiction). ukOk or a status of the assembly or solver. */
int ukProbeSolve(ukProbe *probe, bool judge);

/* Whether row i of an assembled island is rigid in this form. */
bool ukProbeRigid(const ukProbe *probe, const ukIsland *island, int i);

/* The largest position error of an assembled island's rigid rows, as an angle. */
double ukProbeDrift(const ukProbe *probe, const ukIsland *island);

#endif
