/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/summary.h: the lines reported by the library (plugin/summary/summary.h), summed over the
 * processes of a run. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_SUMMARY_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Summary {
    int started, ended; /* processes that stepped; of these, that came to their end */
    int uninitialized;  /* of these, that never called dInitODE */
    double simulated, steps, native_steps, fallbacks, failed, checked, rejected;
    double cfm_islands, compromised,
        compromise; /* CFM ignored; steps that solved another problem, by how much at most */
    double surges, surge_time, surge_before, surge_work; /* bridge/results/surge.h; the largest */
    double explosion_time, explosion_steps, explosion_before, explosion_grown,
        explosion_most;                           /* bridge/world/explosion.h; the first */
    double opening, opening_length, opening_time; /* bridge/results/opening.h; the largest share */
    char opening_joint[64];
    double yielding, yielding_cfm;       /* bridge/results/yielding.h; the largest gap */
    char yielding_joint[64];             /* "": none */
    double energy_error, energy_kinetic; /* [J] of RK4 and RATTLE: of the process with the largest share */
    double imbalance_impulse, imbalance_momentum, imbalance_work,
        imbalance_energy;                      /* bridge/results/imbalance.h; of the process with the largest share */
    char imbalance_joint[64];                  /* "": none */
    double linear_motor_way, linear_motor_row; /* bridge/joints/linear_motor.h; of the process with the largest share */
    char linear_motor_joint[64];               /* "": none */
    double pole_time, pole_sine;               /* bridge/joints/pole.h; the nearest */
    char pole_joint[64];                       /* "": none */
    double cost_steps, evaluations, plain_evaluations; /* steps of that integrator, and means: of the equations; the
                                                          same of plain steps; */
    double attempts, events, tolerance;          /* sub-steps tried; events; the tightest tolerance of the worlds */
    char event_source[64];                       /* "": there were no events */
    double idle_limits;                          /* bridge/joints/idle.h: most of one world, */
    char idle_limit[200];                        /* and the first of them */
    double integrated_islands, discrete_islands; /* where another integrator was chosen */
    bool apart;                                  /* none was integrated, and one of them had no contacts */
    int integrator;                              /* that one: a ukIntegrator */
    double unknown_joint,
        unknown_body;         /* of the configuration, by number; 0: some process created them, or none named */
    double unable_joint;      /* that cannot have the law that the configuration sets; 0: none */
    char unset_body[32][100]; /* names or numbers of those that the configuration sets and no process had, */
    int unset_bodies;         /* and their number; more are not named */
    double unwritten;         /* files that the user asked for and that could not be written */
    int without_joint, without_body, without_start;                    /* processes that lacked them */
    double seconds_per_step, seconds_per_native_step;                  /* means */
    double feasibility, stationarity, complementarity, position_error; /* the largest */
    int unserved_count;                                                /* copies of ODE whose worlds are not stepped, */
    char unserved[4][900];                                             /* and why, of so many of them */
    char unreached[1300];                                              /* why no step reached the library */
    char reasons[256];                                                 /* of fallbacks and failures, as written */
    char first_reason[256];                                            /* of the first of them, in words */
    int hashed;                                                        /* processes that reported their final state: */
    uint64_t hash[2];                                                  /* of one, its halves; of several, their sums */
} Summary;

/* `text`: NULL: nothing was received. It is cut into its lines. */
void summaryRead(char *text, Summary *summary);
/* Prints one line on stderr for each copy of ODE whose worlds ukode did not step. */
void summaryPrintUnserved(const Summary *summary);

#endif
