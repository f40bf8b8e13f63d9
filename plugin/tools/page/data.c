/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/page/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/page/curves.h"
#include "plugin/tools/page/frames.h"
#include "plugin/tools/page/parts.h"
#include "plugin/tools/query/partition.h"
#include "plugin/tools/terminal/column.h"

enum { Fine = 20, Usual = 14, Coarse = 11 }; /* bits of a column: poses; what curves show; contacts */

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

#define POSE "position_x, position_y, position_z, orientation_w, orientation_x, orientation_y, orientation_z"
enum { BodyWidth = 14 };

static bool readBodyTable(ukReader *reader, const Frames *frames, ObjectTable *bodies)
{
    if (!objectTableRead(
            reader, frames, "SELECT body, coalesce(destroyed_step, 0) FROM body WHERE world = ?1 ORDER BY body",
            "SELECT step, body, " POSE ", velocity_x, velocity_y, velocity_z, spin_x, spin_y, spin_z, awake "
            "FROM body_step ORDER BY step",
            BodyWidth, bodies))
        return false;
    /* q and -q are one orientation: the nearer one, so that differences are small */
    for (int i = 0; i < bodies->count; i++) {
        for (int f = bodies->first[i] + 1; f <= bodies->last[i]; f++) {
            const double *const p = objectTableAt(bodies, f - 1, i) + 3;
            double *const q = objectTableAt(bodies, f, i) + 3;
            if (p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0)
                for (int k = 0; k < 4; k++) q[k] = -q[k];
        }
    }
    return true;
}

static void writeBodies(FILE *file, ukReader *reader, const ObjectTable *bodies)
{
    static const Part parts[] = {
        {"p", 0, 3, Fine}, {"q", 3, 4, 16}, {"v", 7, 3, Usual}, {"w", 10, 3, Usual}, {"awake", 13, 1, 1}};
    static const char sql[] =
        "SELECT body, name, mass, inertia_xx, inertia_yy, inertia_zz, inertia_xy, inertia_xz, inertia_yz, kinematic "
        "FROM body WHERE world = ?1 ORDER BY body";
    fprintf(file, ",\n\"bodies\":");
    pageWriteObjects(file, reader, sql, bodies, parts, sizeof parts / sizeof *parts);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

#define FORCE(cause)                                                                                                   \
    "force_" cause "_x, force_" cause "_y, force_" cause "_z, torque_" cause "_x, torque_" cause "_y, torque_" cause   \
    "_z, "
enum { JointWidth = 33 };

static bool readJoints(ukReader *reader, const Frames *frames, ObjectTable *joints)
{
    return objectTableRead(reader, frames,
                           "SELECT joint, coalesce(destroyed_step, 0) FROM joint WHERE world = ?1 ORDER BY joint",
                           "SELECT step, joint, angle_1, angle_2, angle_3, rate_1, rate_2, rate_3, " FORCE("ideal")
                               FORCE("motor") FORCE("stop") FORCE("non_ideal") "power, unique_reaction, gauss_ni "
                                                                               "FROM joint_step ORDER BY step",
                           JointWidth, joints);
}

static void writeJoints(FILE *file, ukReader *reader, const ObjectTable *joints)
{
    static const Part parts[] = {{"angle", 0, 3, Usual},  {"rate", 3, 3, Usual},         {"ideal", 6, 6, 12},
                                 {"motor", 12, 6, 12},    {"stop", 18, 6, 12},           {"non_ideal", 24, 6, 12},
                                 {"power", 30, 1, Usual}, {"unique_reaction", 31, 1, 1}, {"gauss", 32, 1, Usual}};
    static const char sql[] =
        "SELECT joint, name, type, body_1, body_2, anchor_x, anchor_y, anchor_z, anchor_2_x, anchor_2_y, "
        "anchor_2_z, axis_1_x, axis_1_y, axis_1_z, axis_2_x, axis_2_y, axis_2_z, created_step FROM joint WHERE "
        "world = ?1 ORDER BY joint";
    fprintf(file, ",\n\"joints\":");
    pageWriteObjects(file, reader, sql, joints, parts, sizeof parts / sizeof *parts);
}

/* ---- contacts: the k-th of every step in one slot, so that a body at rest has the same numbers ------------------- */

enum { ContactWidth = 15 };
#define CONTACT_SLOTS "400"

static bool writeContacts(FILE *file, ukReader *reader, const Frames *frames)
{
    static const Part parts[] = {{"bodies", 0, 2, 20},    {"p", 2, 3, 12},     {"n", 5, 3, 7},
                                 {"depth", 8, 1, Coarse}, {"f", 9, 3, Coarse}, {"slip", 12, 3, 9}};
    ObjectTable slots;
    if (!objectTableRead(
            reader, frames,
            "SELECT DISTINCT contact, NULL FROM contact_step c JOIN step s ON s.step = c.step WHERE s.world = ?1 ORDER "
            "BY contact LIMIT " CONTACT_SLOTS,
            "SELECT step, contact, coalesce(body_1, 0), coalesce(body_2, 0), position_x, position_y, position_z, "
            "normal_x, normal_y, normal_z, depth, force_x, force_y, force_z, slip_x, slip_y, slip_z "
            "FROM contact_step ORDER BY step",
            ContactWidth, &slots))
        return false;
    fprintf(file, ",\n\"contacts\":[");
    for (int i = 0; i < slots.count; i++) {
        double *const there = calloc((size_t)frames->count + 1, sizeof *there);
        if (!there) break;
        const int first = slots.first[i], count = slots.last[i] - first + 1;
        for (int f = 0; f < count; f++) there[f] = isfinite(*objectTableAt(&slots, first + f, i));
        fprintf(file, "%s{\"there\":[", i ? "," : "");
        columnWrite(file, there, count > 0 ? (size_t)count : 0, 1, 1);
        fprintf(file, "]");
        pageWriteParts(file, &slots, i, parts, sizeof parts / sizeof *parts);
        putc('}', file);
        free(there);
    }
    putc(']', file);
    objectTableFree(&slots);
    return true;
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static void writeArray(FILE *file, const unsigned char *data, size_t bytes, size_t width)
{
    putc('[', file);
    for (size_t i = 0; i + width <= bytes; i += width) {
        double real;
        int32_t whole;
        if (i) putc(',', file);
        if (width == sizeof real) {
            memcpy(&real, data + i, sizeof real);
            fprintf(file, "%.6g", isfinite(real) ? real : 0);
        } else {
            memcpy(&whole, data + i, sizeof whole);
            fprintf(file, "%d", whole);
        }
    }
    putc(']', file);
}

static void writeMeshes(FILE *file, ukReader *reader)
{
    bool first = true;
    fprintf(file, ",\n\"meshes\":{");
    for (Query q = queryBegin(reader, "SELECT mesh, vertices, faces FROM mesh WHERE face_count <= 20000");
         queryNext(&q); first = false) {
        fprintf(file, "%s\"%lld\":{\"vertices\":", first ? "" : ",", (long long)queryInteger(&q, 0));
        writeArray(file, ukSql.column_blob(q.statement, 1), (size_t)ukSql.column_bytes(q.statement, 1), sizeof(double));
        fprintf(file, ",\"faces\":");
        writeArray(file, ukSql.column_blob(q.statement, 2), (size_t)ukSql.column_bytes(q.statement, 2),
                   sizeof(int32_t));
        putc('}', file);
    }
    putc('}', file);
}

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

static void writeStill(FILE *file, ukReader *reader, int64_t world)
{
    fprintf(file, ",\n\"shapes\":");
    pageWriteRows(file, reader, "SELECT * FROM shape WHERE world = ?1 ORDER BY shape", world);
    fprintf(file, ",\n\"parameters\":");
    pageWriteRows(
        file, reader,
        "SELECT p.* FROM joint_parameter p JOIN joint j ON j.joint = p.joint WHERE j.world = ?1 ORDER BY p.joint",
        world);
    fprintf(file, ",\n\"events\":");
    pageWriteRows(file, reader,
                  "SELECT time, kind, body, joint, value, text FROM event WHERE world = ?1 ORDER BY event LIMIT 2000",
                  world);
}

/* the poses of the same bodies in another run, at its own times: by order of creation in the same world */
static bool writeGhost(FILE *file, ukReader *ghost, int64_t world, double rate)
{
    static const Part parts[] = {{"p", 0, 3, Fine}, {"q", 3, 4, 16}};
    Frames frames;
    ObjectTable bodies = {.key = NULL};
    bool good = framesRead(ghost, world, rate, PageFrames, &frames) && readBodyTable(ghost, &frames, &bodies);
    if (good) {
        fprintf(file, ",\n\"ghost\":{\"integrator\":");
        Query q = queryBegin(ghost, "SELECT integrator FROM world WHERE world = %lld", (long long)world);
        columnWriteText(file, queryNext(&q) ? queryText(&q, 0) : "");
        queryEnd(&q);
        pageWriteTime(file, ghost, &frames);
        good = pageWriteCurves(file, ghost, &frames);
        fprintf(file, ",\"bodies\":");
        pageWriteObjects(file, ghost, "SELECT body FROM body WHERE world = ?1 ORDER BY body", &bodies, parts,
                         sizeof parts / sizeof *parts);
        putc('}', file);
    }
    objectTableFree(&bodies);
    framesFree(&frames);
    return good;
}

static bool writeWorld(FILE *file, ukReader *reader, ukReader *ghost, int64_t world, double rate)
{
    Frames frames;
    ObjectTable bodies = {.key = NULL}, joints = {.key = NULL};
    bool good = framesRead(reader, world, rate, PageFrames, &frames) && readBodyTable(reader, &frames, &bodies) &&
                readJoints(reader, &frames, &joints);
    if (good) {
        Query q =
            queryBegin(reader,
                       "SELECT w.*, count(*) AS steps, avg(s.h) AS h, max(s.time) AS duration FROM world w JOIN step "
                       "s ON s.world = w.world WHERE w.world = %lld",
                       (long long)world);
        if (queryNext(&q)) pageOpenObject(file, &q);
        queryEnd(&q);
        pageWriteTime(file, reader, &frames);
        writeBodies(file, reader, &bodies);
        writeJoints(file, reader, &joints);
        writeStill(file, reader, world);
        good = writeContacts(file, reader, &frames) && pageWriteCurves(file, reader, &frames) &&
               pageWriteLedger(file, reader, &frames) && (!ghost || writeGhost(file, ghost, world, rate));
        putc('}', file);
    }
    objectTableFree(&bodies);
    objectTableFree(&joints);
    framesFree(&frames);
    return good;
}

bool pageDataWrite(FILE *file, ukReader *recording, ukReader *ghost, double rate)
{
    bool good = true, first = true;
    fprintf(file, "\"run\":");
    pageWriteRows(file, recording, "SELECT * FROM run", 0);
    writeMeshes(file, recording);
    fprintf(file, ",\n\"worlds\":[");
    Partition own, other = {.reader = ghost};
    good = partitionBegin(&own, recording) && (!ghost || partitionBegin(&other, ghost));
    for (Query q = queryBegin(recording, "SELECT DISTINCT world FROM main.step ORDER BY world"); good && queryNext(&q);
         first = false) {
        const int64_t world = queryInteger(&q, 0);
        if (!first) fprintf(file, ",\n");
        good = partitionSelect(&own, world) && (!ghost || partitionSelect(&other, world)) &&
               writeWorld(file, recording, ghost, world, rate);
        if (!good) queryEnd(&q);
    }
    partitionEnd(&own);
    if (ghost) partitionEnd(&other);
    putc(']', file);
    return good && !recording->error[0];
}
