/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/config.h: parses the file of UKODE_CONFIG. It changes nothing, and calls neither ODE nor the bridge: the
 * library uses it for its defaults (plugin/environment.c), the command checks it.
 *
 *      # a comment
 *      solver = sparse                   a setting: the command's option without its dashes
 *      hinge coulomb 0.1 radius 0.02     a law of every hinge: dry friction, mu, radius of the bearing [m]
 *      slider coulomb 0.3 static 0.4 speed 0.01       Stribeck's law: 0.4 at rest [m/s]
 *      joint 3 viscous 0.5 drag 0.1      linear and quadratic drag of the third joint made in its world (no contacts)
 *      all viscous 0.01                  of every joint that has free axes
 *      name body 1 torso                 a name, up to the line's end: of the first body made in its world;
 *      name joint 3 left knee            of the third joint (contacts are not counted)
 *      body torso mass 8 velocity 1 0 0  what a body begins with: mass [kg], position, orientation (w x y z), velocity,
 *      body 2 position 0 0 1.5           spin; by name ("left shank", with a blank) or by number
 *
 * A line may have several laws. Of the same law of a joint the last line counts, 0 is none; upper and lower case are
 * one. */
#ifndef UKODE_PLUGIN_CONFIG_H
#define UKODE_PLUGIN_CONFIG_H

#include <stddef.h>

#include "bridge/user/joint_law.h"
#include "bridge/watch/start.h"
#include "bridge/world/name.h"
#include "plugin/options.h"

typedef struct ukConfig {
    struct {
        int value;        /* as ukOptionParse has it; -1: not set */
        double number[2]; /* as it has them; 0: none given */
    } option[ukOptionCount];
    ukLawDefault *law;     /* (laws) in the order of the file, owned */
    ukNameDefault *name;   /* (names) in the order of the file, owned with their texts */
    ukStartDefault *start; /* (starts) in the order of the file, owned with their names */
    int laws, names, starts;
    size_t law_capacity, name_capacity, start_capacity;
} ukConfig;

/* 0; or -1 with "PATH, line N: ..." (or why it cannot be read) in `message`, and the config empty. */
int ukConfigRead(const char *path, ukConfig *config, char *message, size_t size);
void ukConfigFree(ukConfig *config);

#endif
