/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/compare/walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"

static bool noMemory(Walk *w)
{
    if (!w->reader->error[0]) snprintf(w->reader->error, sizeof w->reader->error, "no memory");
    return false;
}

/* ---- what there is of a world ------------------------------------------------------------------------------------ */

static void readText(const Query *q, int column, char *text, size_t size)
{
    snprintf(text, size, "%s", queryText(q, column));
}

#define LIFE "ifnull(created_step, 0), ifnull(destroyed_step, 9223372036854775807)"

static bool readBodies(Walk *w)
{
    Query q = queryBegin(w->reader, "SELECT body, " LIFE ", name FROM body WHERE world = %lld ORDER BY body",
                         (long long)w->world);
    for (; queryNext(&q); w->bodies++) {
        if (!ukArrayReserve(&w->body, sizeof *w->body, (size_t)w->bodies + 1, &w->body_capacity)) {
            queryEnd(&q);
            return noMemory(w);
        }
        WalkBody *const b = &w->body[w->bodies];
        *b = (WalkBody){.key = queryInteger(&q, 0), .from = queryInteger(&q, 1), .to = queryInteger(&q, 2)};
        for (int k = 0; k < 3; k++) b->x[k] = (double)NAN;
        for (int k = 0; k < 4; k++) b->q[k] = (double)NAN;
        for (int k = 0; k < 6; k++) b->v[k] = (double)NAN;
        readText(&q, 3, b->name, sizeof b->name);
    }
    return !w->reader->error[0];
}

static bool readJoints(Walk *w)
{
    Query q = queryBegin(w->reader, "SELECT joint, " LIFE ", type, name FROM joint WHERE world = %lld ORDER BY joint",
                         (long long)w->world);
    for (; queryNext(&q); w->joints++) {
        if (!ukArrayReserve(&w->joint, sizeof *w->joint, (size_t)w->joints + 1, &w->joint_capacity)) {
            queryEnd(&q);
            return noMemory(w);
        }
        WalkJoint *const j = &w->joint[w->joints];
        *j = (WalkJoint){.key = queryInteger(&q, 0), .from = queryInteger(&q, 1), .to = queryInteger(&q, 2)};
        readText(&q, 3, j->type, sizeof j->type);
        readText(&q, 4, j->name, sizeof j->name);
    }
    return !w->reader->error[0];
}

/* ---- one step ---------------------------------------------------------------------------------------------------- */

static void bindStep(sqlite3_stmt *query, int64_t step)
{
    ukSql.reset(query);
    ukSql.bind_int64(query, 1, step);
}

static void readReals(sqlite3_stmt *query, int column, double *to, int count)
{
    for (int k = 0; k < count; k++) to[k] = ukReaderReal(query, column + k);
}

static void takeStates(Walk *w)
{
    int i = 0;
    for (int k = 0; k < w->bodies; k++) w->body[k].present = w->body[k].from <= w->step && w->step < w->body[k].to;
    bindStep(w->states, w->step);
    while (ukReaderNext(w->reader, w->states)) {
        const int64_t key = ukSql.column_int64(w->states, 0);
        while (i < w->bodies && w->body[i].key < key) i++;
        if (i == w->bodies || w->body[i].key != key) continue;
        readReals(w->states, 1, w->body[i].x, 3);
        readReals(w->states, 4, w->body[i].q, 4);
        readReals(w->states, 8, w->body[i].v, 6);
    }
}

static void takeForces(Walk *w)
{
    int i = 0;
    for (int k = 0; k < w->joints; k++) {
        w->joint[k].present = w->joint[k].from <= w->step && w->step < w->joint[k].to;
        w->joint[k].force_known = false;
    }
    bindStep(w->forces, w->step);
    while (ukReaderNext(w->reader, w->forces)) {
        const int64_t key = ukSql.column_int64(w->forces, 0);
        while (i < w->joints && w->joint[i].key < key) i++;
        if (i == w->joints || w->joint[i].key != key) continue;
        w->joint[i].force_known = ukSql.column_int64(w->forces, 1) != 0;
        readReals(w->forces, 2, w->joint[i].force, 6);
    }
}

static bool takeContacts(Walk *w)
{
    w->contacts = 0;
    bindStep(w->touches, w->step);
    while (ukReaderNext(w->reader, w->touches)) {
        if (!ukArrayReserve(&w->contact, sizeof *w->contact, (size_t)w->contacts + 1, &w->contact_capacity))
            return noMemory(w);
        WalkContact *const c = &w->contact[w->contacts++];
        for (int k = 0; k < 2; k++) c->body[k] = ukSql.column_int64(w->touches, k);
        readReals(w->touches, 2, c->force, 3);
    }
    return true;
}

static int64_t countOf(sqlite3_stmt *query, int column)
{
    return ukSql.column_type(query, column) == ukSqlNull ? -1 : ukSql.column_int64(query, column);
}

bool walkNext(Walk *w)
{
    if (!w->steps || !ukReaderNext(w->reader, w->steps)) return false;
    w->step = ukSql.column_int64(w->steps, 0);
    w->number = ukSql.column_int64(w->steps, 1);
    w->time = ukReaderReal(w->steps, 2);
    w->energy = ukReaderReal(w->steps, 3);
    w->seconds = 1e-6 * ukReaderReal(w->steps, 4);
    w->rows = countOf(w->steps, 5);
    w->active = countOf(w->steps, 6);
    w->rank = countOf(w->steps, 7);
    takeStates(w);
    takeForces(w);
    return takeContacts(w) && !w->reader->error[0];
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

/* A part that is NULL adds nothing where the ideal one, which is then all of it, is there. */
#define SUM(what)                                                                                                      \
    "force_ideal_" what " + ifnull(force_motor_" what ", 0) + ifnull(force_stop_" what                                 \
    ", 0) + ifnull(force_non_ideal_" what ", 0)"
#define TURN(what)                                                                                                     \
    "torque_ideal_" what " + ifnull(torque_motor_" what ", 0) + ifnull(torque_stop_" what                              \
    ", 0) + ifnull(torque_non_ideal_" what ", 0)"

/* Selects the steps that have rows, or should have. */
static const char steps_sql[] =
    "SELECT step, number, time, kinetic_energy + potential_energy, microseconds, rows, active, rank FROM step s "
    "WHERE world = ?1 AND ((SELECT every_step OR rate * s.h >= 1 FROM run) OR "
    "EXISTS (SELECT 1 FROM body_step b WHERE b.step = s.step)) ORDER BY step";
static const char states_sql[] =
    "SELECT body, position_x, position_y, position_z, orientation_w, orientation_x, orientation_y, orientation_z, "
    "velocity_x, velocity_y, velocity_z, spin_x, spin_y, spin_z FROM body_step WHERE step = ?1 ORDER BY body";
/* In steps of ODE's stepper, a joint without feedback has no ideal force; a force that is not finite is NULL as
 * well. */
static const char forces_sql[] = "SELECT joint, power IS NOT NULL OR force_ideal_x IS NOT NULL, " SUM("x") ", " SUM(
    "y") ", " SUM("z") ", " TURN("x") ", " TURN("y") ", " TURN("z") " FROM joint_step WHERE step = ?1 ORDER BY joint";
static const char touches_sql[] = "SELECT ifnull(body_1, 0), ifnull(body_2, 0), force_x, force_y, force_z "
                                  "FROM contact_step WHERE step = ?1 ORDER BY contact";

bool walkBegin(Walk *w, ukReader *reader, int64_t world)
{
    *w = (Walk){.reader = reader, .world = world};
    if (!readBodies(w) || !readJoints(w)) return false;
    w->steps = ukReaderBorrow(reader, steps_sql);
    w->states = ukReaderBorrow(reader, states_sql);
    w->forces = ukReaderBorrow(reader, forces_sql);
    w->touches = ukReaderBorrow(reader, touches_sql);
    if (w->steps) ukSql.bind_int64(w->steps, 1, world);
    return w->steps && w->states && w->forces && w->touches;
}

void walkEnd(Walk *w)
{
    ukReaderReturn(w->reader, w->steps);
    ukReaderReturn(w->reader, w->states);
    ukReaderReturn(w->reader, w->forces);
    ukReaderReturn(w->reader, w->touches);
    free(w->body);
    free(w->joint);
    free(w->contact);
    *w = (Walk){.reader = NULL};
}
