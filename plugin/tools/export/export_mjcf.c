/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export_mjcf.c: a recorded world as a model of MuJoCo (MJCF): a tree of bodies with relative
 * joints, equality constraints where joints close loops, and the initial state as a keyframe. Every body's frame is its
 * centre of mass with ODE's orientation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "plugin/tools/export/export.h"
#include "plugin/tools/export/mjcf_parts.h"
#include "plugin/tools/export/model_file.h"

/* Parts of the file that are written while the tree is walked, and put together at the end. */
enum { MjcfBodies = ModelNotes + 1, MjcfEquality, MjcfActuator, MjcfVelocity, MjcfControl };

typedef ModelFile Mjcf;

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
    modelPutNumbers(file, "pos", x, 3);
    modelPutNumbers(file, "quat", q, 4);
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

static void putVelocity(Mjcf *o, const double *velocity, int count)
{
    for (int k = 0; k < count; k++) fprintf(o->part[MjcfVelocity], " %s", EXACT(velocity[k]));
}

static void putFreeBody(Mjcf *o, const BodyTreeBody *b)
{
    double velocity[6];
    memcpy(velocity, b->v, sizeof b->v);
    bodyTreeInto(b, false, b->w, velocity + 3); /* MuJoCo: the spin of a free joint is in the body's frame */
    fputs("<freejoint/>\n", o->part[MjcfBodies]);
    putVelocity(o, velocity, 6);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* ODE's stop with ERP and CFM is, at the step size h, an implicit spring and damper: h k = ERP (h k + d) , CFM = 1/(h k
 * + d). */
static void putSpring(FILE *file, double h, double erp, double cfm, double rest)
{
    fprintf(file, " stiffness=\"%s\" damping=\"%s\" springref=\"%s\"", EXACT(erp / (h * cfm)), EXACT((1 - erp) / cfm),
            EXACT(rest));
}

/* ODE's row without CFM: A qdd = -A v / h - ERP phi / h^2. MuJoCo's: A qdd = -b A v - k phi, softened by the impedance
 * d < 1, where solref = (-k d, -b d); its largest d is 0.9999, constant where dmin = dmax. */
static void putStiffness(FILE *file, const char *reference, const char *impedance, double erp, double h)
{
    static const double d = 0.9999;
    fprintf(file, " %s=\"%s %s\" %s=\"0.9999 0.9999 0.001\"", reference, EXACT(-erp * d / (h * h)), EXACT(-d / h),
            impedance);
}

/* Puts stops, springs and the motor of a hinge or a slider, as attributes of its joint, and its actuator. */
static void putAxis(Mjcf *o, const BodyTreeJoint *j)
{
    static const double far = 1e10;
    FILE *const file = o->part[MjcfBodies];
    const BodyTreeAxis *const l = &j->limit[0];
    const double ref = isfinite(j->angle) ? j->angle : 0;
    fprintf(file, " ref=\"%s\"", EXACT(ref));
    modelNoteLimits(o, j);
    if (modelAxisIsSpring(l)) {
        putSpring(file, o->tree.h, l->stop_erp, l->stop_cfm, l->lo);
    } else if (l->lo == l->hi && isfinite(l->lo)) {
        fputs("<joint", o->part[MjcfEquality]);
        modelPutName(o->part[MjcfEquality], "joint1", j->name);
        fprintf(o->part[MjcfEquality], " polycoef=\"%s 0 0 0 0\"/>\n", EXACT(l->lo - ref));
    } else if (l->lo < l->hi && (isfinite(l->lo) || isfinite(l->hi))) {
        fprintf(file, " limited=\"true\" range=\"%s %s\"", EXACT(fmax(l->lo, -far)), EXACT(fmin(l->hi, far)));
        putStiffness(file, "solreflimit", "solimplimit", l->stop_erp, o->tree.h);
        if (l->stop_cfm > 0) modelNote(o, "joint %lld: CFM %.6g of its stops", (long long)j->key, l->stop_cfm);
    }
    if (!(l->fmax > 0)) return;
    if (!(fabs(l->vel) > 0)) {
        fprintf(file, " frictionloss=\"%s\"", EXACT(fmin(l->fmax, far)));
        return;
    }
    fputs("<velocity", o->part[MjcfActuator]);
    modelPutName(o->part[MjcfActuator], "joint", j->name);
    const double most = fmin(l->fmax, far);
    fprintf(o->part[MjcfActuator], " kv=\"%s\" forcelimited=\"true\" forcerange=\"%s %s\"/>\n",
            EXACT(100 * most / fabs(l->vel)), EXACT(-most), EXACT(most));
    fprintf(o->part[MjcfControl], " %s", EXACT(fmax(-far, fmin(l->vel, far))));
    modelNote(o, "joint %lld: its motor reaches its speed exactly; the actuator's force ends within 1 %% of it",
              (long long)j->key);
}

static void putFreedom(Mjcf *o, const BodyTreeJoint *j, const BodyTreeBody *b, const BodyTreeFreedom *f, int index,
                       int count)
{
    FILE *const file = o->part[MjcfBodies];
    double axis[3], anchor[3];
    bodyTreeInto(b, false, f->axis, axis);
    bodyTreeInto(b, true, modelAnchor(j, b), anchor);
    fputs("<joint", file);
    fputs(" name=\"", file);
    modelPutEscaped(file, j->name);
    if (count > 1) fprintf(file, "/%d", index + 1);
    fprintf(file, "\" type=\"%s\"", f->slides ? "slide" : "hinge");
    modelPutNumbers(file, "axis", axis, 3);
    modelPutNumbers(file, "pos", anchor, 3);
    if (count == 1) {
        putAxis(o, j);
    } else if (f->slides && strcmp(j->type, "hinge2") == 0) {
        putSpring(file, o->tree.h, j->suspension_erp, j->suspension_cfm, 0);
        modelNote(o, "joint %lld (hinge2): its suspension is at rest in the initial pose of the model",
                  (long long)j->key);
    }
    fputs("/>\n", file);
}

static void putTreeJoint(Mjcf *o, int body)
{
    const BodyTreeBody *const b = &o->tree.body[body], *const parent = b->parent < 0 ? NULL : &o->tree.body[b->parent];
    const BodyTreeJoint *const j = &o->tree.joint[b->joint];
    BodyTreeFreedom f[3];
    bool is_ball;
    double twist[6], rate[3] = {0};
    const int n = bodyTreeFreedoms(j, body, f, &is_ball);
    bodyTreeTwist(b, parent, twist);
    const double left = bodyTreeRates(b, modelAnchor(j, b), f, n, twist, rate);
    if (left > 1e-6)
        modelNote(o, "joint %lld (%s): %.3g m/s or rad/s of its bodies' initial velocities, which the joint forbids",
                  (long long)j->key, j->type, left);
    modelNoteAxes(o, j, n == 1);
    if (is_ball) {
        double anchor[3], spin[3];
        bodyTreeInto(b, true, modelAnchor(j, b), anchor);
        bodyTreeInto(b, false, rate, spin); /* MuJoCo: in the child's frame */
        fputs("<joint", o->part[MjcfBodies]);
        modelPutName(o->part[MjcfBodies], "name", j->name);
        fputs(" type=\"ball\"", o->part[MjcfBodies]);
        modelPutNumbers(o->part[MjcfBodies], "pos", anchor, 3);
        fputs("/>\n", o->part[MjcfBodies]);
        putVelocity(o, spin, 3);
        return;
    }
    for (int i = 0; i < n; i++) putFreedom(o, j, b, &f[i], i, n);
    putVelocity(o, rate, n);
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static void putConnect(Mjcf *o, const BodyTreeJoint *j, const double *point)
{
    const int swap = j->body[0] < 0; /* the world is never the first body of an equality */
    const BodyTreeBody *const first = &o->tree.body[j->body[swap]];
    double anchor[3];
    fprintf(o->part[MjcfEquality], "<%s", point ? "connect" : "weld");
    modelPutName(o->part[MjcfEquality], "body1", first->name);
    if (j->body[!swap] >= 0) modelPutName(o->part[MjcfEquality], "body2", o->tree.body[j->body[!swap]].name);
    if (point) {
        bodyTreeInto(first, true, point, anchor);
        modelPutNumbers(o->part[MjcfEquality], "anchor", anchor, 3);
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
        modelNote(o, "joint %lld (%s): the whole joint", (long long)j->key, j->type);
        return;
    }
    modelNoteAxes(o, j, 0);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static void putGeom(const ModelShape *s, void *to)
{
    static const char *const type[] = {"box", "sphere", "capsule", "cylinder", "plane"};
    static const int count[] = {3, 1, 2, 2, 3};
    FILE *const file = to;
    double size[3] = {s->size[0], 0.5 * s->size[1], 0.5 * s->size[2]}; /* half edges; radius and half length */
    if (s->type == ModelBox) size[0] *= 0.5;
    if (s->type == ModelPlane) size[0] = size[1] = 0, size[2] = 1; /* infinite; the third is the spacing of its grid */
    fprintf(file, "<geom type=\"%s\"", type[s->type]);
    modelPutNumbers(file, "size", size, count[s->type]);
    modelPutNumbers(file, "pos", s->x, 3);
    modelPutNumbers(file, "quat", s->q, 4);
    fputs("/>\n", file);
}

static void beginBody(Mjcf *o, int i)
{
    FILE *const file = o->part[MjcfBodies];
    const BodyTreeBody *const b = &o->tree.body[i];
    fputs("<body", file);
    modelPutName(file, "name", b->name);
    putPose(file, b, b->parent < 0 ? NULL : &o->tree.body[b->parent]);
    if (b->kinematic) {
        fputs(" mocap=\"true\"", file);
        if (ukSize(b->v, 3) + ukSize(b->w, 3) > 0)
            modelNote(o, "body %lld (kinematic): its velocity", (long long)b->key);
    }
    fputs(">\n<inertial pos=\"0 0 0\"", file);
    modelPutNumbers(file, "mass", &b->mass, 1);
    modelPutNumbers(file, "fullinertia", b->inertia, 6);
    fputs("/>\n", file);
    if (b->joint >= 0)
        putTreeJoint(o, i);
    else if (!b->kinematic)
        putFreeBody(o, b);
    modelShapesPut(&o->shapes, b->key, putGeom, file, o->part[ModelNotes]);
}

/* Puts the bodies depth first, without recursion: a recording may contain a chain of any length. */
static void putBodies(Mjcf *o, const bool *begins_part)
{
    for (int i = o->tree.first; i >= 0;) {
        if (begins_part[i]) fputc(MjcfPartBegin, o->part[MjcfBodies]);
        beginBody(o, i);
        if (o->tree.body[i].child >= 0) {
            i = o->tree.body[i].child;
            continue;
        }
        for (;;) {
            fputs("</body>\n", o->part[MjcfBodies]);
            if (begins_part[i]) fputc(MjcfPartEnd, o->part[MjcfBodies]);
            if (o->tree.body[i].sibling >= 0 || o->tree.body[i].parent < 0) break;
            i = o->tree.body[i].parent;
        }
        i = o->tree.body[i].sibling;
    }
}

/* The positions of the keyframe are those of the model, which MuJoCo takes where `qpos` is missing; its default of the
 * others is 0. */
static const char *const keyAttribute[] = {"qvel", "ctrl"};

static bool isZero(const char *numbers)
{
    return !numbers[strspn(numbers, " -0")];
}

static void noteKeyframe(Mjcf *o)
{
    enum { NumbersOfAttribute = 1000 };
    for (int k = 0; k < 2; k++) {
        long long count = 0;
        if (fflush(o->part[MjcfVelocity + k]) != 0 || isZero(o->text[MjcfVelocity + k])) continue;
        for (const char *c = o->text[MjcfVelocity + k]; *c; c++) count += *c == ' ';
        if (count > NumbersOfAttribute)
            modelNote(o, "the keyframe has %lld numbers in %s: MuJoCo before 3.2.5 reads 1000, and refuses the file",
                      count, keyAttribute[k]);
    }
}

static bool writeMjcfModel(const ModelFile *o, ukReader *reader, const char *path, FILE *file)
{
    char *const *const t = o->text;
    fprintf(file, "<mujoco model=\"world_%lld\">\n", (long long)o->tree.key);
    modelPutNotes(o, file);
    fputs("<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n<option", file);
    modelPutNumbers(file, "timestep", &o->tree.h, 1);
    modelPutNumbers(file, "gravity", o->tree.gravity, 3);
    fputs("/>\n<default>\n<equality", file);
    putStiffness(file, "solref", "solimp", o->tree.erp, o->tree.h);
    fputs("/>\n</default>\n<worldbody>\n", file);
    const bool good = mjcfPartsPut(t[MjcfBodies], path, file, reader);
    fputs("</worldbody>\n", file);
    if (*t[MjcfEquality]) fprintf(file, "<equality>\n%s</equality>\n", t[MjcfEquality]);
    if (*t[MjcfActuator]) fprintf(file, "<actuator>\n%s</actuator>\n", t[MjcfActuator]);
    fprintf(file, "<keyframe>\n<key name=\"initial\"");
    for (int k = 0; k < 2; k++)
        if (!isZero(t[MjcfVelocity + k])) fprintf(file, " %s=\"%s\"", keyAttribute[k], t[MjcfVelocity + k] + 1);
    fputs("/>\n</keyframe>\n</mujoco>\n", file);
    return good;
}

/* MuJoCo 2.2.2 loads and steps a chain of 1500 bodies with a stack of 8 MB, and crashes with one of 5000. */
enum { MjcfStackDepth = 1500 };

/* everything but the world's own notes */
static bool putWorld(Mjcf *o, ukReader *reader, const char *path)
{
    bool *const begins_part = calloc((size_t)o->tree.bodies + 1, sizeof *begins_part);
    if (!begins_part) snprintf(reader->error, sizeof reader->error, "%.300s: out of memory", path);
    int depth;
    const bool good = begins_part && mjcfPartsChoose(&o->tree, path, begins_part, &depth, reader);
    if (good) {
        modelShapesPut(&o->shapes, 0, putGeom, o->part[MjcfBodies], o->part[ModelNotes]);
        putBodies(o, begins_part);
        for (int k = 0; k < o->tree.joints; k++)
            if (!o->tree.joint[k].in_tree) putLoop(o, &o->tree.joint[k]);
        noteKeyframe(o);
        if (depth > MjcfStackDepth)
            modelNote(
                o,
                "the tree of bodies is %d deep, and MuJoCo reads it by recursion: its stack must be large (ulimit -s)",
                depth);
    }
    free(begins_part);
    return good;
}

bool exportMjcf(ukReader *reader, const char *path, long long world, long long step)
{
    Mjcf o;
    bool good = modelFileOpen(&o, reader, world, step) && putWorld(&o, reader, path);
    if (good) {
        modelNote(
            &o,
            "world: ERP %.6g and CFM %.6g; in the file, rows of loops have this ERP, and the least softness of MuJoCo",
            o.tree.erp, o.tree.cfm);
        modelNoteWorld(&o, reader);
        good = modelFileWrite(&o, reader, path, writeMjcfModel);
    }
    modelFileFree(&o);
    return good;
}
