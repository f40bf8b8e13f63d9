/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/findings_trial.h: advice that is tried before it is given: a recording with inputs is replayed under another
 * setting, recorded into a temporary file, and measured. Bounded: what took long to record is not tried. */
#ifndef UKODE_PLUGIN_CLI_FINDINGS_TRIAL_H
#define UKODE_PLUGIN_CLI_FINDINGS_TRIAL_H

#include "plugin/cli/findings.h"

typedef enum TrialSetting { TrialAdaptive, TrialRk4, TrialSplit, TrialSettings } TrialSetting;

struct Trial {
    int64_t world;
    TrialSetting setting;
    bool
        taken; /* all its steps: none was refused, and none left to ODE; and, unless `cut`, they are all recorded ones */
    bool cut;  /* the time for a trial was up before its end */
    double steps;   /* that it took */
    double all;     /* steps of the recording */
    double gap;     /* largest position error [m or rad] */
    double energy;  /* work of integration, gyroscopic torque and stabilization, without its sign [J]; NaN: unknown */
    double seconds; /* wall time a step, mean */
    double refused; /* steps */
};

/* "--integrator adaptive" */
const char *trialOption(TrialSetting setting);

/* The world of the recording under this setting; the same one is tried once. NULL: the recording has no inputs, or
 * contacts, which a replay has as they were; or it would take too long; or there is no ukode-replay. */
const struct Trial *trialOf(Findings *findings, int64_t world, TrialSetting setting);

#endif
