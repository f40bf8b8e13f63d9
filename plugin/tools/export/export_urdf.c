/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export_urdf.c: a recorded world as a robot in URDF: a tree of links below one that stands for the
 * world. At the exported state the frames of all links are parallel to the world's; a link's origin is the anchor of
 * the joint to its parent, which URDF demands. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "plugin/tools/export/export.h"
#include "plugin/tools/export/model_file.h"

enum { UrdfLinks = ModelNotes + 1, UrdfJoints };

static const double unlimited = 1e10;

/* the origin of a body's link in the world's frame */
static const double *linkOrigin(const ModelFile *o, int body)
{
    static const double zero[3] = {0};
    if (body < 0) return zero;
    const BodyTreeBody *const b = &o->tree.body[body];
    return b->joint >= 0 ? modelAnchor(&o->tree.joint[b->joint], b) : b->x;
}

static void putOrigin(FILE *file, const double *x, const double *from, const double rpy[3])
{
    double difference[3];
    for (int k = 0; k < 3; k++) difference[k] = x[k] - from[k];
    fputs("<origin", file);
    modelPutNumbers(file, "xyz", difference, 3);
    modelPutNumbers(file, "rpy", rpy, 3);
    fputs("/>\n", file);
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

typedef struct ShapeTarget {
    ModelFile *model;
    const BodyTreeBody *body; /* NULL: the world */
    const double *origin;
} ShapeTarget;

/* Computes the angles with Rz(yaw) Ry(pitch) Rx(roll) = R. */
static void anglesOf(const double R[9], double rpy[3])
{
    const double level = hypot(R[0], R[3]);
    rpy[1] = atan2(-R[6], level);
    if (level > 1e-9) {
        rpy[0] = atan2(R[7], R[8]), rpy[2] = atan2(R[3], R[0]);
    } else { /* roll and yaw have one axis */
        rpy[0] = 0, rpy[2] = atan2(-R[1], R[4]);
    }
}

static void putUrdfShape(const ModelShape *s, void *to)
{
    static const char *const kind[] = {"collision", "visual"};
    static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const ShapeTarget *const t = to;
    FILE *const file = t->model->part[UrdfLinks];
    if (s->type == ModelCapsule || s->type == ModelPlane) { /* URDF has neither */
        modelNote(t->model, "shape %lld of body %lld (%s)", (long long)s->key, (long long)s->body,
                  s->type == ModelCapsule ? "capsule" : "plane");
        return;
    }
    double Rb[9], Rs[9], R[9], x[3], rpy[3];
    memcpy(Rb, upright, sizeof Rb);
    if (t->body) bodyTreeRotation(t->body->q, Rb);
    bodyTreeRotation(s->q, Rs);
    for (int i = 0; i < 3; i++) {
        x[i] = t->body ? t->body->x[i] : 0;
        for (int k = 0; k < 3; k++) {
            x[i] += Rb[3 * i + k] * s->x[k];
            R[3 * i + k] = Rb[3 * i] * Rs[k] + Rb[3 * i + 1] * Rs[3 + k] + Rb[3 * i + 2] * Rs[6 + k];
        }
    }
    anglesOf(R, rpy);
    for (int k = 0; k < 2; k++) {
        fprintf(file, "<%s>\n", kind[k]);
        putOrigin(file, x, t->origin, rpy);
        fputs("<geometry><", file);
        if (s->type == ModelBox)
            fputs("box", file), modelPutNumbers(file, "size", s->size, 3);
        else
            fputs(s->type == ModelSphere ? "sphere" : "cylinder", file), modelPutNumbers(file, "radius", s->size, 1);
        if (s->type == ModelCylinder) modelPutNumbers(file, "length", &s->size[1], 1);
        fprintf(file, "/></geometry>\n</%s>\n", kind[k]);
    }
}

static void putShapes(ModelFile *o, int body)
{
    const BodyTreeBody *const b = body < 0 ? NULL : &o->tree.body[body];
    ShapeTarget t = {o, b, linkOrigin(o, body)};
    modelShapesPut(&o->shapes, b ? b->key : 0, putUrdfShape, &t, o->part[ModelNotes]);
}

static void putUrdfLink(ModelFile *o, int body)
{
    static const double zero[3] = {0};
    static const char *const name[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
    FILE *const file = o->part[UrdfLinks];
    const BodyTreeBody *const b = &o->tree.body[body];
    const double *const I = b->inertia;
    const double tensor[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    double R[9];
    bodyTreeRotation(b->q, R);
    fputs("<link", file);
    modelPutName(file, "name", b->name);
    fputs(">\n<inertial>\n", file);
    putOrigin(file, b->x, linkOrigin(o, body), zero);
    fprintf(file, "<mass value=\"%s\"/>\n<inertia", EXACT(b->mass));
    for (int k = 0; k < 6; k++) { /* R I R' */
        double sum = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) sum += R[3 * row[k] + i] * tensor[i][j] * R[3 * column[k] + j];
        modelPutNumbers(file, name[k], &sum, 1);
    }
    fputs("/>\n</inertial>\n", file);
    putShapes(o, body);
    fputs("</link>\n", file);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* Attributes and elements of a joint of one axis: limits of a hinge or slider, its motor's limits, friction and
 * damping. */
static void putUrdfLimits(ModelFile *o, const BodyTreeJoint *j, bool limited, bool slides)
{
    FILE *const file = o->part[UrdfJoints];
    const BodyTreeAxis *const l = &j->limit[0];
    const double angle = isfinite(j->angle) ? j->angle : 0;
    const bool spring = modelAxisIsSpring(l), motor = l->fmax > 0 && fabs(l->vel) > 0;
    fputs("<limit", file);
    if (limited || slides)
        fprintf(file, " lower=\"%s\" upper=\"%s\"", EXACT(limited ? fmax(l->lo - angle, -unlimited) : -unlimited),
                EXACT(limited ? fmin(l->hi - angle, unlimited) : unlimited));
    fprintf(file, " effort=\"%s\" velocity=\"%s\"/>\n", EXACT(motor ? fmin(l->fmax, unlimited) : 0),
            EXACT(motor ? fabs(l->vel) : unlimited));
    if (spring)
        fprintf(file, "<dynamics damping=\"%s\" friction=\"0\"/>\n", EXACT((1 - l->stop_erp) / l->stop_cfm));
    else if (l->fmax > 0 && !motor)
        fprintf(file, "<dynamics damping=\"0\" friction=\"%s\"/>\n", EXACT(fmin(l->fmax, unlimited)));
}

static void noteUrdfAxis(ModelFile *o, const BodyTreeJoint *j)
{
    const BodyTreeAxis *const l = &j->limit[0];
    const long long key = (long long)j->key;
    const double angle = isfinite(j->angle) ? j->angle : 0;
    modelNoteLimits(o, j);
    if (fabs(angle) > 0)
        modelNote(o, "joint %lld: its angle or position %s, which is 0 in the file", key, EXACT(angle));
    if (modelAxisIsSpring(l))
        modelNote(o, "joint %lld: its spring of stiffness %s, at rest at %s", key,
                  EXACT(l->stop_erp / (o->tree.h * l->stop_cfm)), EXACT(l->lo - angle));
    else if (l->lo <= l->hi && (isfinite(l->lo) || isfinite(l->hi)))
        modelNote(o, "joint %lld: ERP %.6g and CFM %.6g of its stops", key, l->stop_erp, l->stop_cfm);
    if (l->fmax > 0 && fabs(l->vel) > 0)
        modelNote(o, "joint %lld: its motor, with the speed %s and the force %s, which are its limits in the file", key,
                  EXACT(l->vel), EXACT(l->fmax));
}

typedef struct UrdfJoint {
    const BodyTreeJoint *j;
    int body, index, count; /* the child; the freedom, from 0, of so many */
} UrdfJoint;

static void putUrdfFreedom(ModelFile *o, const UrdfJoint *u, const BodyTreeFreedom *f)
{
    static const double zero[3] = {0};
    FILE *const file = o->part[UrdfJoints];
    const BodyTreeAxis *const l = &u->j->limit[0];
    const bool single = u->count == 1,
               range = single && !modelAxisIsSpring(l) && l->lo <= l->hi && (isfinite(l->lo) || isfinite(l->hi));
    const BodyTreeBody *const b = &o->tree.body[u->body];
    fputs("<joint name=\"", file);
    modelPutEscaped(file, u->j->name);
    if (!single) fprintf(file, "/%d", u->index + 1);
    fprintf(file, "\" type=\"%s\">\n<parent link=\"", f->slides ? "prismatic" : range ? "revolute" : "continuous");
    if (u->index > 0)
        modelPutEscaped(file, u->j->name), fprintf(file, "/link_%d", u->index);
    else
        modelPutEscaped(file, b->parent < 0 ? "world" : o->tree.body[b->parent].name);
    fputs("\"/>\n<child link=\"", file);
    if (u->index < u->count - 1) {
        modelPutEscaped(file, u->j->name), fprintf(file, "/link_%d", u->index + 1);
        fputs("<link name=\"", o->part[UrdfLinks]);
        modelPutEscaped(o->part[UrdfLinks], u->j->name);
        fprintf(o->part[UrdfLinks], "/link_%d\"/>\n", u->index + 1);
    } else {
        modelPutEscaped(file, b->name);
    }
    fputs("\"/>\n", file);
    const double *const origin = linkOrigin(o, u->body);
    putOrigin(file, origin, u->index > 0 ? origin : linkOrigin(o, b->parent), zero);
    fputs("<axis", file);
    modelPutNumbers(file, "xyz", f->axis, 3);
    fputs("/>\n", file);
    if (single)
        putUrdfLimits(o, u->j, range, f->slides);
    else if (f->slides)
        fprintf(file, "<limit lower=\"%s\" upper=\"%s\" effort=\"0\" velocity=\"%s\"/>\n", EXACT(-unlimited),
                EXACT(unlimited), EXACT(unlimited));
    fputs("</joint>\n", file);
}

/* a joint without axes: fixed, or floating */
static void putRigid(ModelFile *o, int body, const char *type, const char *name)
{
    static const double zero[3] = {0};
    FILE *const file = o->part[UrdfJoints];
    const BodyTreeBody *const b = &o->tree.body[body];
    fputs("<joint name=\"", file);
    modelPutEscaped(file, name);
    fprintf(file, "%s\" type=\"%s\">\n<parent", name == b->name ? "/free" : "", type);
    modelPutName(file, "link", b->parent < 0 ? "world" : o->tree.body[b->parent].name);
    fputs("/>\n<child", file);
    modelPutName(file, "link", b->name);
    fputs("/>\n", file);
    putOrigin(file, linkOrigin(o, body), linkOrigin(o, b->parent), zero);
    fputs("</joint>\n", file);
}

static void noteVelocity(ModelFile *o, const BodyTreeBody *b)
{
    const double *const v = b->v, *const w = b->w;
    if (ukSize(v, 3) + ukSize(w, 3) > 0)
        modelNote(o, "body %lld: its velocity %s %s %s and angular velocity %s %s %s", (long long)b->key, EXACT(v[0]),
                  EXACT(v[1]), EXACT(v[2]), EXACT(w[0]), EXACT(w[1]), EXACT(w[2]));
}

static void putUrdfBody(ModelFile *o, int body)
{
    const BodyTreeBody *const b = &o->tree.body[body];
    BodyTreeFreedom f[3];
    bool is_ball;
    putUrdfLink(o, body);
    noteVelocity(o, b);
    if (b->joint < 0) {
        putRigid(o, body, b->kinematic ? "fixed" : "floating", b->name);
        if (b->kinematic) modelNote(o, "body %lld (kinematic): it is fixed to the world", (long long)b->key);
        return;
    }
    const BodyTreeJoint *const j = &o->tree.joint[b->joint];
    const int n = bodyTreeFreedoms(j, body, f, &is_ball);
    modelNoteAxes(o, j, n == 1);
    const BodyTreeAxis *const l = &j->limit[0];
    if (n == 1) noteUrdfAxis(o, j);
    if (n == 0 || (n == 1 && l->lo == l->hi && isfinite(l->lo) && !modelAxisIsSpring(l))) {
        putRigid(o, body, "fixed", j->name);
        return;
    }
    if (strcmp(j->type, "hinge2") == 0 && j->suspension_cfm > 0)
        modelNote(o, "joint %lld (hinge2): the spring and damper of its suspension: stiffness %s, damping %s",
                  (long long)j->key, EXACT(j->suspension_erp / (o->tree.h * j->suspension_cfm)),
                  EXACT((1 - j->suspension_erp) / j->suspension_cfm));
    if (is_ball)
        modelNote(o, "joint %lld (ball): three axes in series, singular where the second has turned by 90 degrees",
                  (long long)j->key);
    for (int i = 0; i < n; i++) putUrdfFreedom(o, &(UrdfJoint){j, body, i, n}, &f[i]);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static bool putUrdf(const ModelFile *o, ukReader *reader, const char *path, FILE *file)
{
    (void)reader, (void)path;
    fprintf(file, "<robot name=\"world_%lld\">\n", (long long)o->tree.key);
    modelPutNotes(o, file);
    fprintf(file, "%s%s</robot>\n", o->text[UrdfLinks], o->text[UrdfJoints]);
    return true;
}

bool exportUrdf(ukReader *reader, const char *path, long long world, long long step)
{
    ModelFile o;
    bool good = modelFileOpen(&o, reader, world, step);
    if (good) {
        const double *const g = o.tree.gravity;
        modelNote(&o, "world: gravity %s %s %s, step size %s, ERP %.6g and CFM %.6g", EXACT(g[0]), EXACT(g[1]),
                  EXACT(g[2]), EXACT(o.tree.h), o.tree.erp, o.tree.cfm);
        fputs("<link name=\"world\">\n", o.part[UrdfLinks]);
        putShapes(&o, BodyTreeWorld);
        fputs("</link>\n", o.part[UrdfLinks]);
        for (int i = 0; i < o.tree.bodies; i++) putUrdfBody(&o, i);
        for (int k = 0; k < o.tree.joints; k++) {
            const BodyTreeJoint *const j = &o.tree.joint[k];
            if (!j->in_tree && strcmp(j->type, "null") != 0)
                modelNote(&o, "joint %lld (%s): the whole joint%s", (long long)j->key, j->type,
                          bodyTreeFreedoms(j, j->body[0] >= 0 ? j->body[0] : j->body[1], (BodyTreeFreedom[3]){{0}},
                                           &(bool){0}) >= 0
                              ? ", which closes a loop"
                              : "");
        }
        modelNoteWorld(&o, reader);
        good = modelFileWrite(&o, reader, path, putUrdf);
    }
    modelFileFree(&o);
    return good;
}
