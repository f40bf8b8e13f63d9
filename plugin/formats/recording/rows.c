/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/joints/angle.h"
#include "bridge/world/energy.h"
#include "plugin/formats/recording/queue.h"

enum { MostBytes = 1024 }; /* of one row */

/* a row under way, in the writing thread's own memory */
typedef struct Row {
    ukRows to;
    unsigned char bytes[MostBytes];
} Row;

static ukRows *beginRow(Row *row)
{
    row->to = (ukRows){.at = row->bytes};
    return &row->to;
}

static bool endRow(ukWriter *w, ukStatement statement, const Row *row)
{
    return ukWriterRows(w, statement, row->bytes, row->to.at);
}

bool ukRowsMasses(ukWriter *w, unsigned char *data, size_t size)
{
    ukRowsWorld *world;
    memcpy(&world, data, sizeof world);
    const size_t bytes = size - sizeof world;
    ukRawMass *const grown = realloc(world->mass, bytes > 0 ? bytes : 1);
    (void)w;
    if (!grown) return true; /* its steps have no rows until there is memory */
    memcpy(grown, data + sizeof world, bytes);
    world->mass = grown;
    world->masses = (int)(bytes / sizeof *grown);
    return true;
}

static void matrixOf(const double q[4], double R[9])
{
    dMatrix3 padded;
    dQtoR(q, padded);
    for (int i = 0; i < 3; i++) memcpy(R + 3 * i, padded + 4 * i, 3 * sizeof *R);
}

/* ---- step -------------------------------------------------------------------------------------------------------- */

static void rowsEnergies(const ukRawStep *s, const ukRawBody *body, double *kinetic, double *potential)
{
    *kinetic = *potential = 0;
    for (int i = 0; i < s->bodies && i < s->world->masses; i++) {
        const ukRawMass *const m = &s->world->mass[i];
        const ukRawBody *const b = &body[i];
        double R[9];
        if (m->kinematic) continue;
        matrixOf(b->q, R);
        *kinetic += 0.5 * m->mass * ukDot(b->v, b->v) + ukSpinEnergy(R, 3, m->inertia, b->v + 3);
        if (b->weight) *potential -= m->mass * ukDot(s->gravity, b->x);
    }
}

static void putCount(ukRows *to, bool given, int64_t x)
{
    ukRowsInt(to, given ? x : ukNullInt);
}

static void putReal(ukRows *to, bool given, double x)
{
    ukRowsReal(to, given ? x : (double)NAN);
}

static bool writeStep(ukWriter *w, const ukRawStep *s, const ukRawBody *body)
{
    Row row;
    double kinetic, potential;
    const ukReport *const r = &s->report;
    const bool o = s->ours;
    rowsEnergies(s, body, &kinetic, &potential);
    ukRows *const to = beginRow(&row);
    ukRowsInt(to, s->step);
    ukRowsInt(to, s->world->world);
    ukRowsInt(to, s->number);
    ukRowsReal(to, s->time);
    ukRowsReal(to, s->h);
    ukRowsInt(to, o);
    ukRowsInt(to, s->quick);
    ukRowsReal(to, kinetic);
    ukRowsReal(to, potential);
    putCount(to, o, r->bodies);
    putCount(to, o, r->joints);
    ukRowsInt(to, s->contact_count);
    putCount(to, o, r->rows);
    putCount(to, o && r->rank >= 0, r->rank);
    putCount(to, o, r->active_rows);
    putCount(to, o, r->pivots);
    putCount(to, o, r->factorizations);
    const double errors[] = {r->feasibility,    r->stationarity, r->complementarity, r->position_error,
                             r->velocity_error, r->coupling,     r->compromise};
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) putReal(to, o, errors[k]);
    putCount(to, o && s->checked, r->ok);
    ukRowsInt(to, s->fallback);
    ukRowsText(to, s->why[0] ? s->why : NULL);
    ukRowsReal(to, 1e6 * s->seconds);
    putReal(to, o, 1e6 * r->seconds_assemble);
    putReal(to, o, 1e6 * r->seconds_solve);
    putReal(to, o, 1e6 * r->seconds_check);
    putReal(to, o, 1e6 * r->seconds_write);
    ukRowsBlob(to, s->hashed ? s->hash : NULL, sizeof s->hash);
    putReal(to, o && s->checked, r->gaussian);
    putReal(to, o && s->checked, r->Gni);
    return endRow(w, ukInsertStep, &row);
}

/* ---- bodies, joints, contacts ------------------------------------------------------------------------------------ */

static bool writeBodies(ukWriter *w, const ukRawStep *s, const ukRawBody *body)
{
    Row row;
    bool good = true;
    for (int i = 0; good && i < s->bodies; i++) {
        if (!body[i].row) continue;
        ukRows *const to = beginRow(&row);
        ukRowsInt(to, s->step);
        ukRowsInt(to, s->world->mass[i].key);
        ukRowsReals(to, body[i].x, 3);
        ukRowsReals(to, body[i].q, 4);
        ukRowsReals(to, body[i].v, 6);
        ukRowsInt(to, body[i].awake);
        good = endRow(w, ukInsertBodyStep, &row);
    }
    return good;
}

static ukState stateOf(const ukRawBody *body)
{
    ukState state;
    memcpy(state.x, body->x, sizeof state.x);
    memcpy(state.q, body->q, sizeof state.q);
    memcpy(state.v, body->v, sizeof state.v);
    matrixOf(state.q, state.R);
    return state;
}

/* Computes the results of dJointGetHingeAngle and dJointGetHingeAngleRate. */
static void hingeState(const ukRawJoint *j, const ukRawBody *body, double *angle, double *rate)
{
    const ukState a = stateOf(&body[j->body[0]]);
    const bool second = j->body[1] != ukRawNoBody;
    const ukState b = second ? stateOf(&body[j->body[1]]) : (ukState){.q = {1}};
    ukJoint joint;
    double axis[3];
    memcpy(joint.axis1, j->axis, sizeof joint.axis1);
    memcpy(joint.qrel, j->qrel, sizeof joint.qrel);
    ukRotate(a.R, joint.axis1, axis);
    const double side = j->hinge;
    *rate = side * (ukDot(axis, a.v + 3) - (second ? ukDot(axis, b.v + 3) : 0));
    *angle = side * ukHingeAngle(&joint, &a, second ? &b : NULL);
}

static double rowsPower(const ukRawJoint *j, const ukRawParts *parts, const ukRawBody *body)
{
    double sum = 0;
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 6 && j->body[k] != ukRawNoBody; c++)
            sum += (j->ideal[k][c] + parts->nonideal[k][c]) * body[j->body[k]].v[c];
    return sum;
}

static void putForce(ukRows *to, bool given, const double force[6])
{
    for (int c = 0; c < 6; c++) putReal(to, given, force[c]);
}

static void putMoves(ukRows *to, const ukRawJoint *j, const ukRawBody *body)
{
    double angle[3] = {0, (double)NAN, (double)NAN}, rate[3] = {0, (double)NAN, (double)NAN};
    if (j->hinge != 0) hingeState(j, body, &angle[0], &rate[0]);
    ukRowsReals(to, j->hinge != 0 ? angle : j->angle, 3);
    ukRowsReals(to, j->hinge != 0 ? rate : j->rate, 3);
}

static bool writeJoints(ukWriter *w, const ukRawStep *s, const ukRawBody *body, const ukRawJoint *joint,
                        const ukRawParts *parts)
{
    static const ukRawParts none;
    Row row;
    bool good = true;
    for (const ukRawJoint *j = joint; good && j < joint + s->joints; j++) {
        const ukRawParts *const p = j->parts == ukRawNoParts ? &none : &parts[j->parts];
        const bool known = j->forces != ukRawUnknown, split = j->forces == ukRawSplit;
        double ideal[6];
        for (int c = 0; c < 6; c++) ideal[c] = j->ideal[0][c] - (split ? p->motor[c] + p->stop[c] : 0);
        ukRows *const to = beginRow(&row);
        ukRowsInt(to, s->step);
        ukRowsInt(to, j->key);
        putMoves(to, j, body);
        putForce(to, known, ideal);
        putForce(to, split, p->motor);
        putForce(to, split, p->stop);
        putForce(to, split, p->nonideal[0]);
        putReal(to, known, rowsPower(j, p, body));
        putCount(to, j->unique >= 0, j->unique);
        for (int k = 0; k < 2; k++) putReal(to, s->ours, j->gauss[k]);
        good = endRow(w, ukInsertJointStep, &row);
    }
    return good;
}

/* velocity of a body's point */
static void pointVelocity(const ukRawBody *body, const double point[3], double v[3])
{
    const double r[3] = {point[0] - body->x[0], point[1] - body->x[1], point[2] - body->x[2]};
    const double *const w = body->v + 3;
    v[0] = body->v[0] + w[1] * r[2] - w[2] * r[1];
    v[1] = body->v[1] + w[2] * r[0] - w[0] * r[2];
    v[2] = body->v[2] + w[0] * r[1] - w[1] * r[0];
}

static void slipOf(const ukRawContact *c, const ukRawBody *body, double slip[3])
{
    memset(slip, 0, 3 * sizeof *slip);
    for (int k = 0; k < 2; k++) {
        double v[3];
        if (c->body[k] == ukRawNoBody) continue;
        pointVelocity(&body[c->body[k]], c->position, v);
        for (int i = 0; i < 3; i++) slip[i] += k == 0 ? v[i] : -v[i];
    }
    const double along = ukDot(slip, c->normal);
    for (int i = 0; i < 3; i++) slip[i] -= along * c->normal[i];
}

static bool writeContacts(ukWriter *w, const ukRawStep *s, const ukRawBody *body, const ukRawContact *contact)
{
    Row row;
    bool good = true;
    for (int i = 0; good && i < s->contacts; i++) {
        const ukRawContact *const c = &contact[i];
        double slip[3];
        slipOf(c, body, slip);
        ukRows *const to = beginRow(&row);
        ukRowsInt(to, s->step);
        ukRowsInt(to, i + 1);
        for (int k = 0; k < 2; k++)
            putCount(to, c->body[k] != ukRawNoBody, c->body[k] < 0 ? 0 : s->world->mass[c->body[k]].key);
        ukRowsReals(to, c->position, 3);
        ukRowsReals(to, c->normal, 3);
        ukRowsReal(to, c->depth);
        ukRowsReals(to, c->force, 3);
        ukRowsReals(to, slip, 3);
        ukRowsReal(to, c->bounce);
        ukRowsReal(to, c->mu);
        ukRowsInt(to, c->mu_is_force);
        ukRowsInt(to, c->undirected);
        good = endRow(w, ukInsertContactStep, &row);
    }
    return good;
}

bool ukRowsStep(ukWriter *w, unsigned char *data, size_t size)
{
    const ukRawStep *const s = (const ukRawStep *)(const void *)data;
    const ukRawBody *const body = (const ukRawBody *)(const void *)(s + 1);
    const ukRawJoint *const joint = (const ukRawJoint *)(const void *)(body + s->bodies);
    const ukRawParts *const parts = (const ukRawParts *)(const void *)(joint + s->joints);
    const ukRawContact *const contact = (const ukRawContact *)(const void *)(parts + s->parts);
    (void)size;
    if (!writeStep(w, s, body)) return false;
    if (!s->rows || s->world->masses != s->bodies) return true;
    return writeBodies(w, s, body) && writeJoints(w, s, body, joint, parts) && writeContacts(w, s, body, contact);
}
