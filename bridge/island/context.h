/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/context.h: the parameters of a step's assemblies (assemble.h): form, step size, time, gravity, and
 * which rows have modes. */
#ifndef UKODE_BRIDGE_ISLAND_CONTEXT_H
#define UKODE_BRIDGE_ISLAND_CONTEXT_H

#include "bridge/island/island.h"
#include "bridge/joints/class.h"

/* Whether stops of joints, and one-sided rows of user constraints, have modes within a step of the continuous form
 * (bridge/integrate/one_sided.h): no; yes, and they are undecided; yes. */
typedef enum ukStopModes { ukStopsIgnored, ukStopsUndecided, ukStopsModal } ukStopModes;

/* The parameters that all islands of a step share. */
typedef struct ukStepContext {
    ukRowContext rows;
    double time;           /* time of the states: start of the step, or of a stage [s] */
    ukSwitchWindow window; /* of the step, or of its part: the times that user functions receive lie in it */
    double gravity[3];
    ukFrictionLaw friction;
    bool modal_rows;   /* motors of bounded force have modes (ukIsland.modal_motor): continuous form only */
    ukStopModes stops; /* continuous form only */
    bool springs;      /* rows with a CFM that the user set are forces (spring.h): continuous form only */
    bool damped;       /* ... also in islands with laws, where none depends on loads: not for stiff steps */
    bool rigid;        /* ... except where the world's CFM is small: such rows are rigid (bridge/step/rigid_trial.h) */
    bool sided;        /* switching functions keep their sides (bridge/integrate/switching.h) */
    bool continuous;   /* the continuous form, with Baumgarte's gains: */
    double alpha, beta;
} ukStepContext;

#endif
