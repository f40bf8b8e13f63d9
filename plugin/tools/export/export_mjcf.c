/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export_mjcf.c: a recorded world as a model of MuJoCo (MJCF): a tree of bodies with relative joints,
 * equality constraints where joints close loops, and the initial state as a keyframe. Every body's frame is its centre of mass
 * with ODE's orientation. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "plugin/tools/export/export.h"
#include "plugin/tools/export/body_tree.h"
#include "plugin/tools/export/mjcf_geom.h"
#include "plugin/tools/terminal/output_file.h"

/* Parts of the file that are written while the tree is walked, and put together at the end. */
enum { MjcfBodies, MjcfEquality, MjcfActuator, MjcfPosition, MjcfVelocity, MjcfControl, MjcfNotes, MjcfParts };

typedef struct Mjcf {
    const BodyTree *m;
    MjcfGeoms geoms;
    FILE *part[MjcfParts];
    char *text[MjcfParts];
    size_t size[MjcfParts];
} Mjcf;

/* What the format has no counterpart for. Notes consist of the exporter's words and of numbers: they end up in a comment. */
static void __attribute__((format(printf, 2, 3))) noteMissing(Mjcf *o, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(o->part[MjcfNotes], format, arguments);
    va_end(arguments);
    fputc('\n', o->part[MjcfNotes]);
}

/* names are printable ASCII */
static void putEscaped(FILE *file, const char *name)
{
    for (; *name; name++) {
        if (strchr("&<>\"'", *name))
            fprintf(file, "&#%d;", *name);
        else
            fputc(*name, file);
    }
}

static void putNumbers(FILE *file, const char *attribute, const double *x, int count)
{
    fprintf(file, " %s=\"", attribute);
    for (int k = 0; k < count; k++) fprintf(file, "%s%.17g", k ? " " : "", x[k]);
    fputc('"', file);
}

static void putName(FILE *file, const char *attribute, const char *name)
{
    fprintf(file, " %s=\"", attribute);
    putEscaped(file, name);
    fputc('"', file);
}

static void putPose(FILE *file, const BodyTreeBody *b, const BodyTreeBody *parent)
{
    double x[3], q[4];
    memcpy(x, b->x, sizeof x);
    memcpy(q, b->q, sizeof q);
    if (parent) {
        const double *const p = parent->q, *const c = b->q;
        double cross[3];
        bodyTreeInto(parent, true, b->x, x);
        ukCross(c + 1, p + 1, cross); /* p^-1 c */
        q[0] = p[0] * c[0] + ukDot(p + 1, c + 1);
        for (int k = 0; k < 3; k++) q[1 + k] = p[0] * c[1 + k] - c[0] * p[1 + k] + cross[k];
    }
    putNumbers(file, "pos", x, 3);
    putNumbers(file, "quat", q, 4);
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

static void putState(Mjcf *o, const double *position, int positions, const double *velocity, int velocities)
{
    for (int k = 0; k < positions; k++) fprintf(o->part[MjcfPosition], " %.17g", position[k]);
    for (int k = 0; k < velocities; k++) fprintf(o->part[MjcfVelocity], " %.17g", velocity[k]);
}

static void putFreeBody(Mjcf *o, const BodyTreeBody *b)
{
    double position[7], velocity[6];
    memcpy(position, b->x, sizeof b->x);
    memcpy(position + 3, b->q, sizeof b->q);
    memcpy(velocity, b->v, sizeof b->v);
    bodyTreeInto(b, false, b->w, velocity + 3); /* MuJoCo: the spin of a free joint is in the body's frame */
    fputs("<freejoint/>\n", o->part[MjcfBodies]);
    putState(o, position, 7, velocity, 6);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* ODE's stop with ERP and CFM is, at the step size h, an implicit spring and damper: h k = ERP (h k + d) , CFM = 1/(h k + d). */
static void putSpring(FILE *file, double h, double erp, double cfm, double rest)
{
    fprintf(file, " stiffness=\"%.17g\" damping=\"%.17g\" springref=\"%.17g\"", erp / (h * cfm), (1 - erp) / cfm, rest);
}

/* Stops, springs and the motor of a hinge or a slider, as attributes of its joint, and its actuator. */
static void putAxis(Mjcf *o, const BodyTreeJoint *j)
{
    static const double far = 1e10;
    FILE *const file = o->part[MjcfBodies];
    const BodyTreeAxis *const l = &j->limit[0];
    const double ref = isfinite(j->angle) ? j->angle : 0;
    fprintf(file, " ref=\"%.17g\"", ref);
    if (l->lo == l->hi && l->stop_cfm > 0) {
        putSpring(file, o->m->h, l->stop_erp, l->stop_cfm, l->lo);
    } else if (l->lo == l->hi && isfinite(l->lo)) {
        fputs("<joint", o->part[MjcfEquality]);
        putName(o->part[MjcfEquality], "joint1", j->name);
        fprintf(o->part[MjcfEquality], " polycoef=\"%.17g 0 0 0 0\"/>\n", l->lo - ref);
    } else if (l->lo < l->hi && (isfinite(l->lo) || isfinite(l->hi))) {
        fprintf(file, " limited=\"true\" range=\"%.17g %.17g\"", fmax(l->lo, -far), fmin(l->hi, far));
        noteMissing(o, "joint %lld: ERP, CFM and bounce of its stops; MuJoCo's solreflimit and solimplimit differ",
                    (long long)j->key);
    }
    if (!(l->fmax > 0)) return;
    if (!(fabs(l->vel) > 0)) {
        fprintf(file, " frictionloss=\"%.17g\"", fmin(l->fmax, far));
        return;
    }
    fputs("<velocity", o->part[MjcfActuator]);
    putName(o->part[MjcfActuator], "joint", j->name);
    const double most = fmin(l->fmax, far);
    fprintf(o->part[MjcfActuator], " kv=\"%.17g\" forcelimited=\"true\" forcerange=\"%.17g %.17g\"/>\n",
            100 * most / fabs(l->vel), -most, most);
    fprintf(o->part[MjcfControl], " %.17g", fmax(-far, fmin(l->vel, far)));
    noteMissing(o, "joint %lld: its motor reaches its speed exactly; the actuator's force ends within 1 %% of it",
                (long long)j->key);
}

/* whether an axis has a stop or a motor that acts */
static bool axisActs(const BodyTreeAxis *l)
{
    return l->fmax > 0 || (l->lo <= l->hi && (isfinite(l->lo) || isfinite(l->hi)));
}

static void noteAxes(Mjcf *o, const BodyTreeJoint *j)
{
    if (axisActs(&j->limit[0]) || axisActs(&j->limit[1]))
        noteMissing(o, "joint %lld (%s): its stops and motors", (long long)j->key, j->type);
}

static const double *anchorOf(const BodyTreeJoint *j, const BodyTreeBody *b)
{
    return isfinite(j->anchor[0] + j->anchor[1] + j->anchor[2]) ? j->anchor : b->x;
}

static void putFreedom(Mjcf *o, const BodyTreeJoint *j, const BodyTreeBody *b, const BodyTreeFreedom *f, int index,
                       int count)
{
    FILE *const file = o->part[MjcfBodies];
    double axis[3], anchor[3];
    bodyTreeInto(b, false, f->axis, axis);
    bodyTreeInto(b, true, anchorOf(j, b), anchor);
    fputs("<joint", file);
    fputs(" name=\"", file);
    putEscaped(file, j->name);
    if (count > 1) fprintf(file, "/%d", index + 1);
    fprintf(file, "\" type=\"%s\"", f->slides ? "slide" : "hinge");
    putNumbers(file, "axis", axis, 3);
    putNumbers(file, "pos", anchor, 3);
    double position = 0;
    if (count == 1) {
        putAxis(o, j);
        position = isfinite(j->angle) ? j->angle : 0;
    } else if (f->slides && strcmp(j->type, "hinge2") == 0) {
        putSpring(file, o->m->h, j->suspension_erp, j->suspension_cfm, 0);
        noteMissing(o, "joint %lld (hinge2): its suspension is at rest in the initial pose of the model",
                    (long long)j->key);
    }
    fputs("/>\n", file);
    putState(o, &position, 1, NULL, 0);
}

static void putTreeJoint(Mjcf *o, int body)
{
    static const double identity[4] = {1, 0, 0, 0};
    const BodyTreeBody *const b = &o->m->body[body], *const parent = b->parent < 0 ? NULL : &o->m->body[b->parent];
    const BodyTreeJoint *const j = &o->m->joint[b->joint];
    BodyTreeFreedom f[3];
    bool is_ball;
    double twist[6], rate[3] = {0};
    const int n = bodyTreeFreedoms(j, body, f, &is_ball);
    bodyTreeTwist(b, parent, twist);
    const double left = bodyTreeRates(b, anchorOf(j, b), f, n, twist, rate);
    if (left > 1e-6)
        noteMissing(o, "joint %lld (%s): %.3g m/s or rad/s of its bodies' initial velocities, which the joint forbids",
                    (long long)j->key, j->type, left);
    if (n != 1) noteAxes(o, j);
    if (is_ball) {
        double anchor[3], spin[3];
        bodyTreeInto(b, true, anchorOf(j, b), anchor);
        bodyTreeInto(b, false, rate, spin); /* MuJoCo: in the child's frame */
        fputs("<joint", o->part[MjcfBodies]);
        putName(o->part[MjcfBodies], "name", j->name);
        fputs(" type=\"ball\"", o->part[MjcfBodies]);
        putNumbers(o->part[MjcfBodies], "pos", anchor, 3);
        fputs("/>\n", o->part[MjcfBodies]);
        putState(o, identity, 4, spin, 3);
        return;
    }
    for (int i = 0; i < n; i++) putFreedom(o, j, b, &f[i], i, n);
    putState(o, NULL, 0, rate, n);
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static void putConnect(Mjcf *o, const BodyTreeJoint *j, const double *point)
{
    const int swap = j->body[0] < 0; /* the world is never the first body of an equality */
    const BodyTreeBody *const first = &o->m->body[j->body[swap]];
    double anchor[3];
    fprintf(o->part[MjcfEquality], "<%s", point ? "connect" : "weld");
    putName(o->part[MjcfEquality], "body1", first->name);
    if (j->body[!swap] >= 0) putName(o->part[MjcfEquality], "body2", o->m->body[j->body[!swap]].name);
    if (point) {
        bodyTreeInto(first, true, point, anchor);
        putNumbers(o->part[MjcfEquality], "anchor", anchor, 3);
    }
    fputs("/>\n", o->part[MjcfEquality]);
}

static void putLoop(Mjcf *o, const BodyTreeJoint *j)
{
    const bool anchored = isfinite(j->anchor[0] + j->anchor[1] + j->anchor[2]);
    if (strcmp(j->type, "null") == 0) return;
    if (strcmp(j->type, "fixed") == 0) {
        putConnect(o, j, NULL);
    } else if (strcmp(j->type, "ball") == 0 && anchored) {
        putConnect(o, j, j->anchor);
    } else if (strcmp(j->type, "hinge") == 0 && anchored && isfinite(j->axis[0][0] + j->axis[0][1] + j->axis[0][2])) {
        double along[3];
        for (int k = 0; k < 3; k++) along[k] = j->anchor[k] + j->axis[0][k];
        putConnect(o, j, j->anchor),
            putConnect(o, j, along); /* six rows of rank five: the redundant one is consistent */
    } else {
        noteMissing(o, "joint %lld (%s): the whole joint", (long long)j->key, j->type);
        return;
    }
    noteAxes(o, j);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static void beginBody(Mjcf *o, int i)
{
    FILE *const file = o->part[MjcfBodies];
    const BodyTreeBody *const b = &o->m->body[i];
    fputs("<body", file);
    putName(file, "name", b->name);
    putPose(file, b, b->parent < 0 ? NULL : &o->m->body[b->parent]);
    if (b->kinematic) {
        fputs(" mocap=\"true\"", file);
        if (ukSize(b->v, 3) + ukSize(b->w, 3) > 0)
            noteMissing(o, "body %lld (kinematic): its velocity", (long long)b->key);
    }
    fputs(">\n<inertial pos=\"0 0 0\"", file);
    putNumbers(file, "mass", &b->mass, 1);
    putNumbers(file, "fullinertia", b->inertia, 6);
    fputs("/>\n", file);
    if (b->joint >= 0)
        putTreeJoint(o, i);
    else if (!b->kinematic)
        putFreeBody(o, b);
    mjcfPutGeoms(&o->geoms, b->key, file, o->part[MjcfNotes]);
}

/* Depth first without recursion: a chain may be as long as the recording says. */
static void putBodies(Mjcf *o)
{
    for (int i = o->m->first; i >= 0;) {
        beginBody(o, i);
        if (o->m->body[i].child >= 0) {
            i = o->m->body[i].child;
            continue;
        }
        for (;;) {
            fputs("</body>\n", o->part[MjcfBodies]);
            if (o->m->body[i].sibling >= 0 || o->m->body[i].parent < 0) break;
            i = o->m->body[i].parent;
        }
        i = o->m->body[i].sibling;
    }
}

static void putFile(const Mjcf *o, FILE *file)
{
    char *const *const t = o->text;
    fputs("<?xml version=\"1.0\"?>\n", file);
    fprintf(file, "<mujoco model=\"world_%lld\">\n", (long long)o->m->key);
    if (*t[MjcfNotes]) fprintf(file, "<!-- Without a counterpart in this file:\n%s-->\n", t[MjcfNotes]);
    fputs("<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n<option", file);
    putNumbers(file, "timestep", &o->m->h, 1);
    putNumbers(file, "gravity", o->m->gravity, 3);
    fprintf(file, "/>\n<worldbody>\n%s</worldbody>\n", t[MjcfBodies]);
    if (*t[MjcfEquality]) fprintf(file, "<equality>\n%s</equality>\n", t[MjcfEquality]);
    if (*t[MjcfActuator]) fprintf(file, "<actuator>\n%s</actuator>\n", t[MjcfActuator]);
    fprintf(file, "<keyframe>\n<key name=\"initial\"");
    static const char *const attribute[] = {"qpos", "qvel", "ctrl"};
    for (int k = 0; k < 3; k++)
        if (*t[MjcfPosition + k]) fprintf(file, " %s=\"%s\"", attribute[k], t[MjcfPosition + k] + 1);
    fputs("/>\n</keyframe>\n</mujoco>\n", file);
}

static bool writeMjcf(ukReader *reader, const Mjcf *o, const char *path)
{
    FILE *const file = outputFileOpen(path, false);
    bool good = file != NULL;
    if (file) {
        putFile(o, file);
        good = !ferror(file);
        if (fclose(file) != 0) good = false;
    }
    if (!good) snprintf(reader->error, sizeof reader->error, "%.300s: %.80s", path, outputFileFault(errno));
    return good;
}

static void noteLater(Mjcf *o, ukReader *reader)
{
    static const char *const kind[] = {"body", "joint"};
    char sql[400];
    for (int k = 0; k < 2; k++) {
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM %s WHERE world = ?1 AND %s NOT IN (SELECT %s FROM %s_start WHERE step = (SELECT "
                 "min(step) "
                 "FROM step WHERE world = ?1))",
                 kind[k], kind[k], kind[k], kind[k]);
        sqlite3_stmt *const rows = ukReaderAsk(reader, sql);
        if (!rows) return;
        ukSql.bind_int64(rows, 1, o->m->key);
        const long long count = ukReaderNext(reader, rows) ? ukSql.column_int64(rows, 0) : 0;
        ukReaderDone(rows);
        if (count > 0) noteMissing(o, "%lld of the %s rows: they are not there before the first step", count, kind[k]);
    }
}

/* what concerns the whole world, and what a recording does not contain */
static void noteWorld(Mjcf *o, ukReader *reader)
{
    sqlite3_stmt *const rows = ukReaderAsk(
        reader, "SELECT erp, cfm, (SELECT max(contacts) FROM step WHERE world = ?1) FROM world WHERE world = ?1");
    if (!rows) return;
    ukSql.bind_int64(rows, 1, o->m->key);
    if (ukReaderNext(reader, rows)) {
        noteMissing(o, "world: ERP %.6g and CFM %.6g; MuJoCo softens its constraints by solref and solimp",
                    ukSql.column_double(rows, 0), ukSql.column_double(rows, 1));
        if (ukSql.column_int64(rows, 2) > 0)
            noteMissing(o,
                        "contacts: friction, bounce and softness, which are the program's; MuJoCo's are of its geoms");
    }
    ukReaderDone(rows);
    noteMissing(
        o, "user constraints, joint laws and forces of the program: the tables of a recording do not contain them");
}

bool exportMjcf(ukReader *reader, const char *path, long long world)
{
    BodyTree m;
    Mjcf o = {.m = &m};
    bool good = bodyTreeRead(reader, world, &m) && mjcfReadGeoms(reader, world, &o.geoms);
    for (int k = 0; k < MjcfParts; k++) {
        o.part[k] = good ? open_memstream(&o.text[k], &o.size[k]) : NULL;
        good = good && o.part[k];
    }
    if (good) {
        mjcfPutGeoms(&o.geoms, 0, o.part[MjcfBodies], o.part[MjcfNotes]);
        putBodies(&o);
        for (int k = 0; k < m.joints; k++)
            if (!m.joint[k].in_tree) putLoop(&o, &m.joint[k]);
        noteLater(&o, reader);
        noteWorld(&o, reader);
    }
    for (int k = 0; k < MjcfParts; k++)
        if (o.part[k] && (ferror(o.part[k]) | fclose(o.part[k])) != 0) good = false;
    if (!good && !reader->error[0]) snprintf(reader->error, sizeof reader->error, "%.300s: out of memory", path);
    good = good && !reader->error[0] && writeMjcf(reader, &o, path);
    if (good && *o.text[MjcfNotes]) fprintf(stderr, "ukode: without a counterpart in %s:\n%s", path, o.text[MjcfNotes]);
    for (int k = 0; k < MjcfParts; k++) free(o.text[k]);
    mjcfFreeGeoms(&o.geoms);
    bodyTreeFree(&m);
    return good;
}
