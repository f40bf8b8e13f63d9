/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/activity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/plural.h"
#include "bridge/joints/getters.h"
#include "bridge/user/gap.h"
#include "bridge/user/joint_law.h"
#include "plugin/analysis/signal_list.h"

typedef struct Text {
    char *text;
    size_t size;
} Text;

static void __attribute__((format(printf, 2, 3))) addLine(const Text *t, const char *format, ...)
{
    const size_t used = strlen(t->text);
    va_list args;
    va_start(args, format);
    vsnprintf(t->text + used, t->size - used, format, args);
    va_end(args);
}

static const char *slideMode(const ukSlide *slide)
{
    return slide->mode == ukSlideMoving ? "slides: a force" : "sticks: a constraint";
}

static void describeLaws(const Text *t, const ukIsland *island)
{
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *const law = ukIslandLaw(island, i);
        for (int k = 0; law && law->mu > 0 && k < law->slides; k++) {
            if (law->slide[k].axes == 0) continue;
            if (law->joint)
                addLine(t, "friction of %s joint %llu: %s\n", law->joint->class->name,
                        (unsigned long long)law->joint->serial, slideMode(&law->slide[k]));
            else
                addLine(t, "friction of a user constraint: %s\n", slideMode(&law->slide[k]));
        }
    }
}

/* Lists the one-sided and bounded rows of user constraints. */
static void describeUserRows(const Text *t, const ukIsland *island)
{
    for (int k = 0; k < island->elements; k++) {
        const struct ukConstraint *const c = (const struct ukConstraint *)island->element[k];
        for (int i = 0; !c->element.is_force && c->limit && i < c->rows; i++) {
            const ukRowBounds *const limit = &c->limit[i];
            if (!limit->one_sided && ukGapBounded(c, i) == ukBoundedNone) continue;
            const bool active = limit->mode == ukRowActive;
            addLine(t, "row %d of user constraint %llu: %s\n", i, (unsigned long long)c->element.serial,
                    limit->one_sided ? (active ? "acts: a constraint" : "left out: its gap is open, or opens")
                    : active         ? "within its bounds: a constraint"
                                     : "at its bound: a force");
        }
    }
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

/* Distance from a bound, relative to it, below which a row is reported as near switching. */
static const double near = 0.05;
/* A stop that is not reached yet, but will be at this distance [rad or m]. */
static const double close_by = 0.01;

/* A motor's velocity is reached within this [rad/s or m/s]. */
static const double reached = 1e-6;

static void describeJoint(const Text *t, const ukActiveJoint *j)
{
    char label[64];
    ukSignalJointLabel(j->joint, label, sizeof label);
    for (int k = 0; k < 3; k++) {
        const bool stop = j->axis[k].stop, keeps_speed = j->axis[k].mode == ukMotorHolds;
        if (!stop && !j->axis[k].motor) continue;
        addLine(t, "%s of %s: %s%s\n", stop ? "stop" : "motor", label,
                stop                  ? "active: a constraint"
                : j->axis[k].released ? "replaced by an input; its present force stays"
                : keeps_speed         ? "within its bound: a constraint"
                                      : "at its bound: a force",
                (stop || keeps_speed) && j->axis[k].margin < near ? ", near switching" : "");
        if (!stop && keeps_speed && !j->axis[k].released && fabs(j->axis[k].off) > reached)
            addLine(t, "  has not reached its velocity, by %.3g: linearized with the velocity that it reaches\n",
                    -j->axis[k].off);
    }
}

/* Lists the motors that reach their speed in the next step, but not at the present state: with an integrator of higher
 * order they slip. */
static void describeSlipping(const Text *t, const ukIsland *island)
{
    char label[64];
    for (ukModalMotor *m = ukNextModalMotor(island, NULL); m; m = ukNextModalMotor(island, m)) {
        const double force = m->mode == ukMotorHolds && m->row >= 0 ? fabs(island->rows.lambda[m->row]) : 0;
        if (!(force > (1 - near) * m->bound)) continue;
        ukSignalJointLabel(ukModalMotorJoint(island, m), label, sizeof label);
        addLine(t, "motor of %s: takes %.4g of %.4g at this state, near switching\n", label, force, m->bound);
    }
}

/* Lists stops that are almost reached. */
static void describeStops(const Text *t, const ukActiveJoint *j)
{
    const ukJointGetters *const getters = ukJointGettersOf(j->joint->class->type);
    char label[64];
    ukSignalJointLabel(j->joint, label, sizeof label);
    for (int k = 0; k < getters->moves && k < getters->groups; k++) {
        const ukMotor *const was = &j->was[k];
        if (j->axis[k].stop || !ukStopsTested(was) || was->lo_stop == was->hi_stop || !getters->angle[k]) continue;
        const double angle = (*getters->angle[k])(j->joint->handle);
        const double at = j->joint->reverse ? -angle : angle; /* stops are those of the bodies' own order */
        const double ahead = fmin(at - was->lo_stop, was->hi_stop - at);
        if (ahead < close_by) addLine(t, "stop of %s: %.2g ahead, not active, near switching\n", label, ahead);
    }
}

/* numbers of contacts by their state */
typedef struct Counts {
    int sticks, slides, smooth, soft, open, near;
} Counts;

static void countContact(const ukActiveContact *c, Counts *counts)
{
    bool slides = false, sticks = false, close = false;
    const ukActiveMode normal = c->row[0].mode;
    if (normal == ukActiveUndecided) {
        counts->open++;
        return;
    }
    for (int k = 0; k < c->rows; k++) {
        const bool tangent = c->row[k].kind == ukTouchSlide1 || c->row[k].kind == ukTouchSlide2;
        slides |= tangent && c->row[k].mode == ukActiveBound;
        sticks |= tangent && (c->row[k].mode == ukActiveRigid || c->row[k].mode == ukActiveSoft);
        close |= c->row[k].margin < near;
    }
    counts->soft += normal == ukActiveSoft;
    counts->slides += slides;
    counts->sticks += sticks && !slides;
    counts->smooth += !slides && !sticks;
    counts->near += close;
}

static void describeContact(const Text *t, const ukActiveContact *c)
{
    static const char *const rows[] = {"normal force",     "friction",         "friction",
                                       "rolling friction", "rolling friction", "spinning friction"};
    for (int k = 0; k < c->rows; k++) {
        if (c->row[k].mode == ukActiveUndecided || c->row[k].mode == ukActiveBound || !(c->row[k].margin < near))
            continue;
        char label[2][64] = {"the world", "the world"};
        for (int side = 0; side < 2; side++)
            if (c->joint->body[side]) ukBodyLabel(c->joint->body[side], label[side], sizeof label[side]);
        addLine(t, "contact %llu of %s and %s: %s near switching\n", (unsigned long long)c->joint->serial, label[0],
                label[1], rows[c->row[k].kind]);
    }
}

static void addCount(const Text *t, int count, const char *what, bool *first)
{
    if (count == 0) return;
    addLine(t, "%s%d %s", *first ? "" : ", ", count, what);
    *first = false;
}

static void describeModes(const Text *t, const ukActivity *activity)
{
    Counts n = {0};
    bool first = true;
    for (int k = 0; k < activity->contacts; k++) countContact(&activity->contact[k], &n);
    if (activity->contacts > 0) {
        addLine(t, "contacts, kept as they are: ");
        addCount(t, n.sticks, "stick", &first);
        addCount(t, n.slides, "slide", &first);
        addCount(t, n.smooth, "without friction", &first);
        addCount(t, n.open, "without force: left out", &first);
        addLine(t, n.soft > 0 ? " (%d soft: springs)\n" : "\n", n.soft);
    }
    for (int k = 0; k < activity->joints; k++) describeJoint(t, &activity->joint[k]);
    for (int k = 0; k < activity->joints; k++) describeStops(t, &activity->joint[k]);
    for (int k = 0; k < activity->contacts; k++) describeContact(t, &activity->contact[k]);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Describes the one-sided rows in the step of an island; *contacts: their number so far. */
static bool describeStep(const Text *t, const ukIsland *island, int *contacts)
{
    const ukProblem *const p = &island->ideal->problem;
    bool sided = false;
    for (int k = 0; k < p->blocks; k++) {
        const ukJoint *const joint = island->rows.owners[k].joint;
        if (joint && ukIsContact(joint)) ++*contacts;
        for (int row = p->block[k].row; row < p->block[k].row + p->block[k].rows; row++) {
            sided |= island->rows.lo[row] > -INFINITY || island->rows.hi[row] < INFINITY;
            if (joint && !ukIsContact(joint) && island->rows.discrete_only[row])
                addLine(t, "stop of %s joint %llu: reached\n", joint->class->name, (unsigned long long)joint->serial);
        }
    }
    return sided;
}

bool ukActivityDescribe(const ukProbe *probe, bool continuous, char *text, size_t size)
{
    const Text t = {text, size};
    int contacts = 0;
    bool sided = false;
    text[0] = 0;
    if (continuous) describeModes(&t, &probe->activity);
    for (int i = 0; i < probe->s->island_count; i++) {
        const ukIsland *const island = &probe->s->islands[i];
        if (continuous)
            describeSlipping(&t, island), describeLaws(&t, island), describeUserRows(&t, island);
        else
            sided |= describeStep(&t, island, &contacts);
    }
    if (contacts > 0) addLine(&t, "%d contact joint%s\n", contacts, ukPlural(contacts));
    return sided;
}
