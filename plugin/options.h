/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/options.h: the options that have a UKODE_* variable, shared by the library (plugin/environment.c) and the
 * command (plugin/tools/). No ODE, no state. */
#ifndef UKODE_PLUGIN_OPTIONS_H
#define UKODE_PLUGIN_OPTIONS_H

#include <stddef.h>

typedef struct ukOption {
    const char *name;     /* of the command's option and of UKODE_CONFIG's key: "solver" */
    const char *variable; /* "UKODE_SOLVER" */
    const char *choices;  /* "auto, sparse, ...": in the order of the public enumeration, so that an index is a value */
    int has_number;       /* 1: the choice may be followed by :x, x > 0 */
    int amounts;          /* 1: nothing to choose from, but "x", finite and >= 0; 2: or "x,y"; its value is 0 */
    int least, most;      /* most > 0: no names to choose from but the numbers least ... most, each its own value */
    const char *usual;    /* the default, as it would be written */
    const char *help;
} ukOption;

enum {
    ukOptionSolver,
    ukOptionFriction,
    ukOptionFrictionRounds,
    ukOptionCfm,
    ukOptionJoints,
    ukOptionCheck,
    ukOptionIntegrator,
    ukOptionTolerance,
    ukOptionStabilization,
    ukOptionStep,
    ukOptionThreads,
    ukOptionBudget,
    ukOptionPasses,
    ukOptionCount
};
extern const ukOption ukOptions[ukOptionCount];

/* Index of the choice that `text` names (upper or lower case, - and _ do not matter), or -1. number[0], and [1] for the
 * second amount, are set only where they were given. */
int ukOptionParse(const ukOption *option, const char *text, double number[2]);
/* "1", "yes", "on", "true": 1; "", "0", "no", "off", "false", NULL: 0; else -1 */
int ukOptionFlag(const char *text);
/* Writes the error of `text`, with the value and the choices. */
void ukOptionComplain(const ukOption *option, const char *text, char *message, size_t size);

#endif
