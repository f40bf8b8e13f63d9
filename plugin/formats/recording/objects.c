/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/objects.h"

#include <math.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bridge/joints/class.h"
#include "bridge/joints/getters.h"

/* ---- run --------------------------------------------------------------------------------------------------------- */

static void formatNow(char text[32])
{
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* the file that was executed, as it was named: where there is no /proc */
static const char *invocationName(void)
{
    const char *const name = (const char *)getauxval(AT_EXECFN);
    return name ? name : "";
}

/* the command line, its words apart by blanks */
static void readCommandLine(char *text, size_t size)
{
    FILE *const file = fopen("/proc/self/cmdline", "re");
    size_t n = file ? fread(text, 1, size - 1, file) : 0;
    if (file) fclose(file);
    while (n > 0 && text[n - 1] == 0) n--;
    for (size_t i = 0; i < n; i++)
        if (text[i] == 0) text[i] = ' ';
    text[n] = 0;
    if (n == 0) snprintf(text, size, "%s", invocationName());
}

static void readProgramPath(char *text, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", text, size - 1);
    text[n > 0 ? n : 0] = 0;
    if (n <= 0) snprintf(text, size, "%s", invocationName());
}

void ukObjectsRun(ukQueue *q, const ukRecordOptions *options)
{
    char path[1024], words[4096], here[1024], machine[512] = "", started[32];
    struct utsname name;
    readProgramPath(path, sizeof path);
    readCommandLine(words, sizeof words);
    formatNow(started);
    if (!getcwd(here, sizeof here)) here[0] = 0;
    if (uname(&name) == 0)
        snprintf(machine, sizeof machine, "%s %s %s %s", name.sysname, name.release, name.machine, name.nodename);
    ukQueuePut(q, ukInsertRun, (long long)ukRecordingVersion, path, words, here, started, UKODE_VERSION,
               dGetConfiguration(), __VERSION__, machine, options->rate, (long long)options->every_step,
               (long long)options->inputs, (long long)options->certificates, (const char *)NULL);
}

void ukObjectsEnded(ukQueue *q)
{
    char ended[32];
    formatNow(ended);
    ukQueuePut(q, ukUpdateRunEnded, ended);
}

/* ---- world ------------------------------------------------------------------------------------------------------- */

void ukObjectsWorld(ukQueue *q, const ukWorld *world, int64_t key, double time)
{
    /* in the order of the enumerators of <ukode/ukode.h>; the words of the command's options */
    static const char *const solvers[] = {"auto",      "sparse",   "m-inverse", "one-four",
                                          "dalembert", "gauss-qp", "lagrange"};
    static const char *const integrators[] = {"euler", "rk4", "adaptive", "rattle", "radau"};
    static const char *const frictions[] = {"ode", "cone"}, *const rules[] = {"auto", "ode"};
    static const char *const joint_rules[] = {"ode", "exact"};
    static const char *const stabilizations[] = {"erp", "baumgarte", "projection", "none", "split"};
    static const char *const actions[] = {"off", "warn", "resolve", "fallback", "stop"};
    const ukSettings *const s = &world->settings;
    dVector3 g;
    dWorldGetGravity(world->handle, g);
    ukQueuePut(q, ukInsertWorld, (long long)key, (const char *)NULL,
               world->enabled ? integrators[s->integrator] : "native", frictions[s->friction],
               (long long)s->friction_rounds, stabilizations[s->stabilization], s->alpha, s->beta, solvers[s->solver],
               rules[s->cfm_rule], joint_rules[s->joint_rule], s->rank_tolerance, actions[s->check], s->check_tolerance,
               (long long)s->threads, g[0], g[1], g[2], dWorldGetERP(world->handle), dWorldGetCFM(world->handle),
               dWorldGetContactSurfaceLayer(world->handle), dWorldGetContactMaxCorrectingVel(world->handle), time);
}

/* ---- bodies and joints ------------------------------------------------------------------------------------------- */

void ukObjectsBody(ukQueue *q, const ukBody *body, int64_t world, int64_t step)
{
    dMass m;
    dBodyGetMass(body->handle, &m);
    if (body->massless && !dBodyIsKinematic(body->handle)) m = (dMass){0};
    ukQueuePut(q, ukInsertBody, (long long)body->recorded.key, (long long)world, (const char *)body->name, m.mass,
               m.I[0], m.I[5], m.I[10], m.I[1], m.I[2], m.I[6], (long long)dBodyIsKinematic(body->handle),
               (long long)step, ukNullInt);
}

static void putJointParameters(ukQueue *q, const ukJoint *joint, const ukJointGetters *g)
{
    static const struct {
        const char *name;
        int parameter;
    } list[] = {{"lo_stop", dParamLoStop},
                {"hi_stop", dParamHiStop},
                {"vel", dParamVel},
                {"fmax", dParamFMax},
                {"bounce", dParamBounce},
                {"fudge_factor", dParamFudgeFactor},
                {"cfm", dParamCFM},
                {"stop_erp", dParamStopERP},
                {"stop_cfm", dParamStopCFM},
                {"suspension_erp", dParamSuspensionERP},
                {"suspension_cfm", dParamSuspensionCFM},
                {"erp", dParamERP}};
    for (int group = 0; group < g->groups; group++) {
        for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
            const int p = list[i].parameter;
            const bool suspension = p == dParamSuspensionERP || p == dParamSuspensionCFM;
            const bool own = p == dParamERP || p == dParamCFM;
            if (suspension ? !g->suspension || group > 0 : g->stops ? p == dParamERP : !own) continue;
            const double value = (*g->parameter)(joint->handle, p + group * dParamGroup);
            ukQueuePut(q, ukInsertJointParameter, (long long)joint->key, (long long)(group + 1), list[i].name, value);
        }
    }
}

static void getVector(const ukJoint *joint, ukVectorGetter get, double x[3])
{
    dVector3 found = {0};
    if (get) (*get)(joint->handle, found);
    for (int i = 0; i < 3; i++) x[i] = get ? found[i] : (double)NAN;
}

static long long keyOf(const ukBody *body)
{
    return body && body->recorded.key > 0 ? body->recorded.key : ukNullInt;
}

void ukObjectsJoint(ukQueue *q, const ukJoint *joint, int64_t world, int64_t step)
{
    const ukJointGetters *const g = ukJointGettersOf(joint->class->type);
    static const ukJointGetters none;
    const ukJointGetters *const get = g && joint->body[0] ? g : &none;
    double anchor[3], other[3], axis1[3], axis2[3];
    getVector(joint, get->anchor, anchor);
    getVector(joint, get->anchor_2, other);
    getVector(joint, get->axis_1, axis1);
    getVector(joint, get->axis_2, axis2);
    ukQueuePut(q, ukInsertJoint, (long long)joint->key, (long long)world, joint->class->name,
               keyOf(joint->body[joint->reverse]), keyOf(joint->body[!joint->reverse]), (const char *)joint->name,
               anchor[0], anchor[1], anchor[2], other[0], other[1], other[2], axis1[0], axis1[1], axis1[2], axis2[0],
               axis2[1], axis2[2], (long long)step, ukNullInt);
    if (get != &none) putJointParameters(q, joint, get);
    if (get->mode)
        ukQueuePut(q, ukInsertJointParameter, (long long)joint->key, 1ll, "mode", (double)(*get->mode)(joint->handle));
}
