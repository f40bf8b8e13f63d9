/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one of the models: model NAME; model --list has the names of the faulty and the sound ones, each with the kind
 * of its first finding, "-" for none, "+KIND" for any of this kind, "!KIND" for none of this kind. model --rules lists
 * the models of single rules in the same way; model --record FOLDER [every] records all of them, preloaded. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "tests/report/model.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

dWorldID world;
dSpaceID space;
bool attach_reversed, collide_joined;
int collide_each = 1, empty_each = 1;
dContact surface;
static dJointGroupID contacts;

static dBodyID body(dMass *mass, double px, double py, double pz)
{
    const dBodyID b = dBodyCreate(world);
    dBodySetMass(b, mass);
    dBodySetPosition(b, px, py, pz);
    return b;
}

dBodyID box(double mass, double x, double y, double z, double px, double py, double pz)
{
    dMass m;
    dMassSetBoxTotal(&m, mass, x, y, z);
    const dBodyID b = body(&m, px, py, pz);
    dGeomSetBody(dCreateBox(space, x, y, z), b);
    return b;
}

dBodyID ball(double mass, double radius, double px, double py, double pz)
{
    dMass m;
    dMassSetSphereTotal(&m, mass, radius);
    const dBodyID b = body(&m, px, py, pz);
    dGeomSetBody(dCreateSphere(space, radius), b);
    return b;
}

dJointID hinge(dBodyID a, dBodyID b, double x, double y, double z, double ax, double ay, double az)
{
    const dJointID j = dJointCreateHinge(world, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, y, z);
    dJointSetHingeAxis(j, ax, ay, az);
    return j;
}

dJointID ballJoint(dBodyID a, dBodyID b, double x, double y, double z)
{
    const dJointID j = dJointCreateBall(world, 0);
    dJointAttach(j, a, b);
    dJointSetBallAnchor(j, x, y, z);
    return j;
}

void ground(void)
{
    dCreatePlane(space, 0, 0, 1, 0);
}

static void touch(void *data, dGeomID a, dGeomID b)
{
    dContact contact[4];
    const dBodyID x = dGeomGetBody(a), y = dGeomGetBody(b);
    (void)data;
    if (!collide_joined && x && y && dAreConnectedExcluding(x, y, dJointTypeContact)) return;
    const int n = dCollide(a, b, 4, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        contact[i].surface = surface.surface;
        memcpy(contact[i].fdir1, surface.fdir1, sizeof surface.fdir1);
        dJointAttach(dJointCreateContact(world, contacts, &contact[i]), attach_reversed ? y : x,
                     attach_reversed ? x : y);
    }
}

/* what is done with a world before its first step; NULL: nothing */
typedef int Prepare(const Model *model, int how);

static void run(const Model *model, int how, Prepare *prepare)
{
    dInitODE2(0);
    world = dWorldCreate();
    space = dSimpleSpaceCreate(0);
    contacts = dJointGroupCreate(0);
    memset(&surface, 0, sizeof surface);
    surface.surface.mu = 1;
    collide_each = empty_each = 1;
    attach_reversed = collide_joined = false;
    dWorldSetGravity(world, 0, 0, -9.81);
    model->make();
    if (prepare && prepare(model, how) != 0) fprintf(stderr, "%s: not recorded\n", model->name);
    for (int step = 0; step < model->steps; step++) {
        if (model->force) model->force(step);
        if (step % collide_each == 0) dSpaceCollide(space, NULL, touch);
        (how & ModelQuick ? dWorldQuickStep : dWorldStep)(world, model->h);
        if ((step + 1) % empty_each == 0) dJointGroupEmpty(contacts);
    }
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
}

/* the last two lists are not for --list */
static const Model *const lists[] = {faulty_models,   sound_models,  limits_models,
                                     settings_models, advice_models, large_models};
enum { Lists = sizeof lists / sizeof *lists };

static void printList(const Model *models)
{
    for (const Model *m = models; m->name; m++) printf("%s %s\n", m->name, m->kind ? m->kind : "-");
}

static const Model *modelOf(const char *name)
{
    for (int i = 0; i < Lists; i++)
        for (const Model *m = lists[i]; m->name; m++)
            if (strcmp(name, m->name) == 0) return m;
    return NULL;
}

/* ---- the models of single rules
 * ---------------------------------------------------------------------------------------- */

static const RuleModel *const rules[] = {
    joint_models,  energy_models, contact_models,   spring_models, model_models,       resting_models,
    limits_rules,  length_models, outcome_models,   step_models,   bounded_row_models, native_models,
    couple_models, cfm_models,    kinematic_models, kept_models,   slide_models};
enum { Rules = sizeof rules / sizeof *rules };

/* of the preloaded library: this program is an ordinary one */
static const char *folder;
static struct {
    double rate;
    int every_step, inputs, certificates;
} options;

static int record(const Model *model, int how)
{
    char path[512];
    int (*begin)(dWorldID, const char *, const void *) = NULL, (*disable)(dWorldID) = NULL;
    int (*integrator)(dWorldID, int) = NULL, (*check)(dWorldID, double, int) = NULL;
    *(void **)&begin = dlsym(RTLD_DEFAULT, "ukWorldRecord");
    *(void **)&disable = dlsym(RTLD_DEFAULT, "ukWorldDisable");
    *(void **)&integrator = dlsym(RTLD_DEFAULT, "ukWorldSetIntegrator");
    *(void **)&check = dlsym(RTLD_DEFAULT, "ukWorldSetGaussCheck");
    if (!begin || !disable || !integrator || !check) return 1;
    if (how & ModelRk4 && integrator(world, 1) != 0) return 1; /* ukIntegratorRK4 */
    if (how & ModelStrict && check(world, 1e-25, how & ModelFallback ? 3 : 1) != 0)
        return 1; /* ukCheckFallback, ukCheckWarn */
    if (how & ModelNative) disable(world);
    snprintf(path, sizeof path, "%s/%s.ukode", folder, model->name);
    return begin(world, path, &options);
}

static void recordRules(void)
{
    for (int i = 0; i < Rules; i++)
        for (const RuleModel *m = rules[i]; m->model.name; m++) run(&m->model, m->how, record);
}

static void listRules(void)
{
    for (int i = 0; i < Rules; i++)
        for (const RuleModel *m = rules[i]; m->model.name; m++) printf("%s %s\n", m->model.name, m->model.kind);
}

static const RuleModel *ruleOf(const char *name)
{
    for (int i = 0; i < Rules; i++)
        for (const RuleModel *m = rules[i]; m->model.name; m++)
            if (strcmp(name, m->model.name) == 0) return m;
    return NULL;
}

int main(int argc, char **argv)
{
    const RuleModel *const rule = argc == 2 ? ruleOf(argv[1]) : NULL;
    if (rule) return run(&rule->model, rule->how, NULL), 0;

    if (argc == 2 && strcmp(argv[1], "--rules") == 0) return listRules(), 0;
    if (argc >= 3 && strcmp(argv[1], "--record") == 0) {
        folder = argv[2];
        options.every_step = argc > 3;
        return recordRules(), 0;
    }

    const bool list = argc == 2 && strcmp(argv[1], "--list") == 0;
    const Model *const model = argc == 2 ? modelOf(argv[1]) : NULL;
    for (int i = 0; list && i < Lists - 2; i++) printList(lists[i]);
    if (model) run(model, 0, NULL);
    if (list || model) return 0;
    fprintf(stderr, "usage: model NAME | --list | --rules | --record FOLDER [every]\n");
    return 2;
}
