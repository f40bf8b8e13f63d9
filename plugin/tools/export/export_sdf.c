/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export_sdf.c: a recorded world in SDF 1.9, the format of Gazebo: one model that contains all
 * bodies as links, with joints between any two of them, and their velocities as the world's state. A link's frame is
 * its centre of mass with ODE's orientation; the model's frame is the world's. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plugin/tools/export/export.h"
#include "plugin/tools/export/model_file.h"

enum { SdfLinks = ModelNotes + 1, SdfJoints, SdfState, SdfStatic };

/* Intermediate links of joints that SDF composes of two or three must have mass: this share of the child's. */
static const double intermediate_share = 1e-9;

static void putSdfPose(FILE *file, const double x[3], const double q[4])
{
    fprintf(file, "<pose rotation_format=\"quat_xyzw\">%s %s %s %s %s %s %s</pose>\n", EXACT(x[0]), EXACT(x[1]),
            EXACT(x[2]), EXACT(q[1]), EXACT(q[2]), EXACT(q[3]), EXACT(q[0]));
}

static void putElement(FILE *file, const char *element, double value)
{
    fprintf(file, "<%s>%s</%s>\n", element, EXACT(value), element);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static void putSdfShape(const ModelShape *s, void *to)
{
    static const char *const kind[] = {"collision", "visual"};
    FILE *const file = to;
    for (int k = 0; k < 2; k++) {
        fprintf(file, "<%s name=\"%s_%lld\">\n", kind[k], kind[k], (long long)s->key);
        putSdfPose(file, s->x, s->q);
        fputs("<geometry>", file);
        if (s->type == ModelBox)
            fprintf(file, "<box><size>%s %s %s</size></box>", EXACT(s->size[0]), EXACT(s->size[1]), EXACT(s->size[2]));
        else if (s->type == ModelSphere)
            fprintf(file, "<sphere><radius>%s</radius></sphere>", EXACT(s->size[0]));
        else if (s->type == ModelPlane)
            fputs("<plane><normal>0 0 1</normal><size>100 100</size></plane>",
                  file); /* Gazebo: infinite for collisions */
        else
            fprintf(file, "<%s><radius>%s</radius><length>%s</length></%s>",
                    s->type == ModelCapsule ? "capsule" : "cylinder", EXACT(s->size[0]), EXACT(s->size[1]),
                    s->type == ModelCapsule ? "capsule" : "cylinder");
        fprintf(file, "</geometry>\n</%s>\n", kind[k]);
    }
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

static void putInertial(FILE *file, double mass, const double inertia[6], double share)
{
    static const char *const name[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    fputs("<inertial>\n", file);
    putElement(file, "mass", mass * share);
    fputs("<inertia>\n", file);
    for (int k = 0; k < 6; k++) putElement(file, name[k], inertia[k] * share);
    fputs("</inertia>\n</inertial>\n", file);
}

static void putLink(ModelFile *o, const BodyTreeBody *b)
{
    FILE *const file = o->part[SdfLinks], *const state = o->part[SdfState];
    fputs("<link", file);
    modelPutName(file, "name", b->name);
    fputs(">\n", file);
    putSdfPose(file, b->x, b->q);
    putInertial(file, b->mass, b->inertia, 1);
    if (b->kinematic) fputs("<kinematic>true</kinematic>\n", file);
    modelShapesPut(&o->shapes, b->key, putSdfShape, file, o->part[ModelNotes]);
    fputs("</link>\n", file);
    fputs("<link", state);
    modelPutName(state, "name", b->name);
    fputs(">\n", state);
    putSdfPose(state, b->x, b->q);
    fprintf(state, "<velocity>%s %s %s %s %s %s</velocity>\n</link>\n", EXACT(b->v[0]), EXACT(b->v[1]), EXACT(b->v[2]),
            EXACT(b->w[0]), EXACT(b->w[1]), EXACT(b->w[2]));
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* Stops, spring and dry friction of an axis. SDF's joint position is 0 in the model's pose. */
static void putLimits(FILE *file, const BodyTreeJoint *j, double h)
{
    const BodyTreeAxis *const l = &j->limit[0];
    const double angle = isfinite(j->angle) ? j->angle : 0;
    const bool spring = modelAxisIsSpring(l), friction = l->fmax > 0 && !(fabs(l->vel) > 0);
    fputs("<limit>\n", file);
    if (!spring && l->lo <= l->hi && isfinite(l->lo)) putElement(file, "lower", l->lo - angle);
    if (!spring && l->lo <= l->hi && isfinite(l->hi)) putElement(file, "upper", l->hi - angle);
    fputs("</limit>\n", file);
    if (!spring && !friction) return;
    fputs("<dynamics>\n", file);
    if (spring) putElement(file, "damping", (1 - l->stop_erp) / l->stop_cfm);
    if (friction) putElement(file, "friction", l->fmax);
    if (spring) putElement(file, "spring_reference", l->lo - angle);
    if (spring) putElement(file, "spring_stiffness", l->stop_erp / (h * l->stop_cfm));
    fputs("</dynamics>\n", file);
}

/* ODE's own parameters, which SDF names after it: of the motor and of the stops of a hinge or slider, of a
 * suspension. */
static void putParameters(FILE *file, const BodyTreeJoint *j, bool single, bool suspended)
{
    const BodyTreeAxis *const l = &j->limit[0];
    if (!suspended && !(single && modelAxisActs(l))) return;
    fputs("<physics><ode>\n", file);
    if (single) {
        putElement(file, "fudge_factor", l->fudge);
        putElement(file, "cfm", l->cfm);
        putElement(file, "bounce", l->bounce);
        if (l->fmax > 0 && fabs(l->vel) > 0)
            putElement(file, "max_force", fmin(l->fmax, 1e10)), putElement(file, "velocity", l->vel);
        fprintf(file, "<limit><cfm>%s</cfm><erp>%s</erp></limit>\n", EXACT(l->stop_cfm), EXACT(l->stop_erp));
    } else {
        fprintf(file, "<suspension><cfm>%s</cfm><erp>%s</erp></suspension>\n", EXACT(j->suspension_cfm),
                EXACT(j->suspension_erp));
    }
    fputs("</ode></physics>\n", file);
}

/* One joint of SDF with `count` axes between two links; names are those of links, `parent` "world" for the world. The
 * joint's frame is at `place` in the child's frame. */
typedef struct SdfJoint {
    const char *name, *parent, *child, *type;
    int index; /* 0: the only one of its joint of ODE, else from 1 */
    double place[3];
} SdfJoint;

static void putEnds(FILE *file, const SdfJoint *s, int last)
{
    fputs("<joint name=\"", file);
    modelPutEscaped(file, s->name);
    if (s->index > 0) fprintf(file, "/%d", s->index);
    fprintf(file, "\" type=\"%s\">\n<parent>", s->type);
    if (s->index > 1)
        modelPutEscaped(file, s->name), fprintf(file, "/link_%d", s->index - 1);
    else
        modelPutEscaped(file, s->parent);
    fputs("</parent>\n<child>", file);
    if (s->index > 0 && s->index < last)
        modelPutEscaped(file, s->name), fprintf(file, "/link_%d", s->index);
    else
        modelPutEscaped(file, s->child);
    fprintf(file, "</child>\n<pose>%s %s %s 0 0 0</pose>\n", EXACT(s->place[0]), EXACT(s->place[1]),
            EXACT(s->place[2]));
}

static void putSdfAxis(ModelFile *o, const BodyTreeJoint *j, const BodyTreeFreedom *f, bool second, bool single)
{
    FILE *const file = o->part[SdfJoints];
    fprintf(file, "<%s>\n<xyz expressed_in=\"__model__\">%s %s %s</xyz>\n", second ? "axis2" : "axis",
            EXACT(f->axis[0]), EXACT(f->axis[1]), EXACT(f->axis[2]));
    if (single)
        putLimits(file, j, o->tree.h);
    else
        fputs("<limit/>\n", file);
    fprintf(file, "</%s>\n", second ? "axis2" : "axis");
}

/* A joint whose freedoms are a chain of links. */
static void putSdfChain(ModelFile *o, const BodyTreeJoint *j, SdfJoint *s, const BodyTreeBody *child,
                        const BodyTreeFreedom *f, int n)
{
    FILE *const file = o->part[SdfJoints];
    const double *const anchor = modelAnchor(j, child);
    for (int i = 1; i < n; i++) {
        fputs("<link name=\"", o->part[SdfLinks]);
        modelPutEscaped(o->part[SdfLinks], j->name);
        fprintf(o->part[SdfLinks], "/link_%d\">\n<pose>%s %s %s 0 0 0</pose>\n", i, EXACT(anchor[0]), EXACT(anchor[1]),
                EXACT(anchor[2]));
        const double inertia[6] = {child->inertia[0], child->inertia[1], child->inertia[2]};
        putInertial(o->part[SdfLinks], child->mass, inertia, intermediate_share);
        fputs("</link>\n", o->part[SdfLinks]);
    }
    for (int i = 0; i < n; i++) {
        s->index = i + 1, s->type = f[i].slides ? "prismatic" : "revolute";
        memset(s->place, 0, sizeof s->place);
        if (i == n - 1) bodyTreeInto(child, true, anchor, s->place);
        putEnds(file, s, n);
        putSdfAxis(o, j, &f[i], false, false);
        fputs("</joint>\n", file);
    }
    modelNote(o, "joint %lld (%s): its %d intermediate links must have mass in SDF: 1e-9 of the mass of body %lld",
              (long long)j->key, j->type, n - 1, (long long)child->key);
}

static void putSdfJoint(ModelFile *o, const BodyTreeJoint *j)
{
    FILE *const file = o->part[SdfJoints];
    const bool hinge2 = strcmp(j->type, "hinge2") == 0; /* axis 1, that of the suspension, is of the parent */
    const int end = j->body[0] < 0 || (hinge2 && j->body[1] >= 0), child = j->body[end], other = j->body[!end];
    BodyTreeFreedom f[3];
    bool is_ball;
    if (strcmp(j->type, "null") == 0 || child < 0) return;
    const bool suspended = hinge2 && j->suspension_cfm > 0, cross = strcmp(j->type, "universal") == 0 || hinge2;
    int n = bodyTreeFreedoms(j, child, f, &is_ball);
    if (n < 0) {
        modelNote(o, "joint %lld (%s): the whole joint", (long long)j->key, j->type);
        return;
    }
    modelNoteAxes(o, j, n == 1);
    if (suspended)
        modelNote(o, "joint %lld (hinge2): its suspension is at rest in the initial pose of the model",
                  (long long)j->key);
    for (int i = 0, k = 0; suspended && i < 3; i++)
        if (!f[i].slides) f[k++] = f[i]; /* the suspension is a parameter */
    if (suspended) n = 2;
    SdfJoint s = {.name = j->name,
                  .parent = other >= 0 ? o->tree.body[other].name : "world",
                  .child = o->tree.body[child].name,
                  .type = is_ball       ? "ball"
                          : n == 0      ? "fixed"
                          : f[0].slides ? "prismatic"
                                        : "revolute"};
    if (cross) s.type = hinge2 ? "revolute2" : "universal";
    if (n > 1 && !cross && !is_ball) {
        putSdfChain(o, j, &s, &o->tree.body[child], f, n);
        return;
    }
    bodyTreeInto(&o->tree.body[child], true, modelAnchor(j, &o->tree.body[child]), s.place);
    putEnds(file, &s, 0);
    for (int i = 0; i < n && !is_ball; i++) putSdfAxis(o, j, &f[i], i == 1, n == 1);
    if (suspended && end == 0)
        modelNote(o, "joint %lld (hinge2): its suspension, because its axis is fixed in the child", (long long)j->key);
    putParameters(file, j, n == 1, suspended && end == 1);
    fputs("</joint>\n", file);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static bool putSdf(const ModelFile *o, ukReader *reader, const char *path, FILE *file)
{
    (void)reader, (void)path;
    char *const *const t = o->text;
    const double *const g = o->tree.gravity;
    fprintf(file, "<sdf version=\"1.9\">\n");
    modelPutNotes(o, file);
    fprintf(file, "<world name=\"world_%lld\">\n<physics name=\"ode\" type=\"ode\">\n", (long long)o->tree.key);
    putElement(file, "max_step_size", o->tree.h);
    fputs("<real_time_factor>1</real_time_factor>\n<real_time_update_rate>0</"
          "real_time_update_rate>\n<ode>\n<solver><type>world</type></solver>\n<constraints>\n",
          file);
    putElement(file, "cfm", o->tree.cfm), putElement(file, "erp", o->tree.erp);
    fprintf(file, "</constraints>\n</ode>\n</physics>\n<gravity>%s %s %s</gravity>\n", EXACT(g[0]), EXACT(g[1]),
            EXACT(g[2]));
    if (*t[SdfStatic])
        fprintf(file,
                "<model name=\"static_shapes\">\n<static>true</static>\n<link "
                "name=\"static_shapes\">\n%s</link>\n</model>\n",
                t[SdfStatic]);
    fprintf(file, "<model name=\"bodies\">\n%s%s</model>\n", t[SdfLinks], t[SdfJoints]);
    fprintf(file,
            "<state world_name=\"world_%lld\">\n<model name=\"bodies\">\n%s</model>\n</state>\n</world>\n</sdf>\n",
            (long long)o->tree.key, t[SdfState]);
    return true;
}

bool exportSdf(ukReader *reader, const char *path, long long world, long long step)
{
    ModelFile o;
    bool good = modelFileOpen(&o, reader, world, step);
    if (good) {
        modelShapesPut(&o.shapes, 0, putSdfShape, o.part[SdfStatic], o.part[ModelNotes]);
        for (int i = 0; i < o.tree.bodies; i++) putLink(&o, &o.tree.body[i]);
        for (int k = 0; k < o.tree.joints; k++) putSdfJoint(&o, &o.tree.joint[k]);
        modelNoteWorld(&o, reader);
        good = modelFileWrite(&o, reader, path, putSdf);
    }
    modelFileFree(&o);
    return good;
}
