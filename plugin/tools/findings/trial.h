/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/trial.h: tries advice before it is printed: replays a recording with inputs under another
 * setting, records it into a temporary file, and measures the result. The time of trials is bounded: runs that took
 * long to record are not tried. */
#ifndef UKODE_PLUGIN_TOOLS_FINDINGS_TRIAL_H
#define UKODE_PLUGIN_TOOLS_FINDINGS_TRIAL_H

#include "plugin/tools/findings/findings.h"

/* TrialEuler: ukode's own steps, of what ODE's stepper took; TrialShorter: ten steps for each one. */
typedef enum TrialSetting {
    TrialAdaptive,
    TrialRk4,
    TrialSplit,
    TrialExact,
    TrialEuler,
    TrialShorter,
    TrialSettings
} TrialSetting;

struct Trial {
    int64_t world;
    TrialSetting setting;
    bool
        taken; /* all its steps: none failed, and none was left to ODE; and, unless `cut`, they are all recorded ones */
    bool cut;  /* the time for a trial was up before its end */
    double steps;   /* that it took */
    double all;     /* steps of the recording, or the shorter ones that they are divided into */
    double gap;     /* largest position error [m or rad] */
    double energy;  /* work of integration, gyroscopic torque and stabilization, without its sign [J]; NaN: unknown */
    double kinetic; /* largest kinetic energy [J] */
    double surge;   /* largest energy that the correction of position errors gave in one step [J]; 0: none */
    bool explodes;  /* the kinetic energy grows exponentially */
    double seconds; /* wall time a step, mean */
    double refused; /* steps */
};

/* "--integrator adaptive"; of the shorter step: "a step of 0.0025 s" (in one place) */
const char *trialOption(Findings *findings, int64_t world, TrialSetting setting);

/* Why the world is not tried under this setting, in words for the reader; NULL: it is. touching: also where it has
 * contacts, which a replay has where the recording has them. They do not follow bodies that move otherwise, and may
 * push them: what stays calm with them is cured, what does not may be. */
const char *trialHindrance(Findings *findings, int64_t world, TrialSetting setting, bool touching);
/* The world of the recording under this setting; the same one is tried once. NULL: there is a hindrance, or no
 * memory. */
const struct Trial *trialOf(Findings *findings, int64_t world, TrialSetting setting, bool touching);

#endif
