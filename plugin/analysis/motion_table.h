/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/motion_table.h: a motion as a table of times and positions of joints or bodies (CSV), and the poses,
 * velocities and accelerations of a world's bodies that follow it: at each time the poses that satisfy the joints and
 * have these positions, by Newton's method from those before; derivatives by polynomials through seven neighbours. */
#ifndef UKODE_PLUGIN_ANALYSIS_MOTION_TABLE_H
#define UKODE_PLUGIN_ANALYSIS_MOTION_TABLE_H

#include "plugin/analysis/signal_list.h"

typedef struct ukMotionTable {
    ukSignalList list; /* of the columns after the time: position:JOINT[.AXIS], place:BODY.AXIS */
    int rows, bodies;
    double *time;  /* (rows), ascending */
    double *value; /* (rows x list.count) */
    size_t time_capacity, value_capacity;
    double *pose; /* (rows x bodies of the world x 7): position, quaternion; in the order of creation */
} ukMotionTable;

/* Reads a file. ukOk, ukErrorMemory, or ukErrorArgument with a message that names the line: a value is not a number,
 * times do not increase, or a column is not a position. To be ended in any case. */
int ukMotionTableRead(ukMotionTable *table, ukWorld *world, const char *path);
void ukMotionTableEnd(ukMotionTable *table);

/* Finds the poses of all rows; moves the world's bodies, of which ODE has the last poses afterwards. ukOk;
 * ukErrorArgument: positions that the joints do not admit, or that leave motions undetermined; ukErrorUnsupported: the
 * world has contacts; statuses of coordinates. */
int ukMotionTableFollow(ukMotionTable *table, ukWorld *world, double h);

/* The world's bodies to the poses and velocities of a row, and their accelerations (6 x bodies). */
void ukMotionTablePlace(const ukMotionTable *table, ukWorld *world, int row, dReal *acceleration);

#endif
