/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/imbalance.h"

#include <math.h>
#include <stdio.h>

#include "bridge/base/vector.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"

static const double noticed = 0.05;  /* least share that is reported */
static const double rounding = 1e-9; /* relative to the lever arms; a smaller gap counts as zero */

bool ukImbalanceMatters(const ukImbalance *imbalance)
{
    return imbalance->ratio > noticed;
}

/* The bodies of a joint: b is NULL for the static world, and where it is kinematic, `beside` is true. */
typedef struct Pair {
    const ukFrame *a, *b;
    bool beside;
} Pair;

/* size of the angular momentum of a body's rotation, and its energy */
static double spinOf(const ukFrame *f, double *energy)
{
    double local[3], turned[3];
    ukUnrotate(f->start.R, f->start.v + 3, local);
    ukRotate(f->body->constant.inertia, local, turned);
    *energy += ukDot(local, turned) / 2;
    return ukSize(turned, 3);
}

/* Adds the motion of both bodies about their common centre: an upper bound of the angular momentum, and the kinetic
 * energy. Where b does not move: of a about the anchor. */
static double imbalanceMomentumOf(const Pair *pair, const double anchor[3], double *energy)
{
    const ukFrame *const a = pair->a, *const b = pair->b;
    const double ma = a->body->constant.mass;
    double x[3], v[3], sum = spinOf(a, energy), reduced = ma;
    const bool moves = b && !pair->beside;
    for (int k = 0; k < 3; k++) {
        x[k] = a->start.x[k] - (moves ? b->start.x[k] : anchor[k]);
        v[k] = a->start.v[k] - (b ? b->start.v[k] : 0);
    }
    if (moves) {
        const double mb = b->body->constant.mass;
        reduced = ma + mb > 0 ? ma * mb / (ma + mb) : 0;
        sum += spinOf(b, energy);
    }
    *energy += reduced * ukDot(v, v) / 2;
    return sum + reduced * ukSize(x, 3) * ukSize(v, 3);
}

/* Adds a body's kinetic energy, and the power of gravity on it. */
static void addBodyEnergy(const ukFrame *f, const double gravity[3], double *kinetic, double *power)
{
    const double mass = f->body->constant.mass;
    spinOf(f, kinetic);
    *kinetic += mass * ukDot(f->start.v, f->start.v) / 2;
    *power += mass * ukDot(gravity, f->start.v);
}

/* The energy that the work of the torque is compared with. Of free bodies, it is that of their relative motion. */
static void watchEnergy(ukJoint *joint, const Pair *pair, const double *gravity, double relative, double h)
{
    double kinetic = 0, power = 0;
    if (gravity) {
        addBodyEnergy(pair->a, gravity, &kinetic, &power);
        if (pair->b && !pair->beside) addBodyEnergy(pair->b, gravity, &kinetic, &power);
    } else {
        kinetic = relative;
    }
    joint->imbalance.kinetic = fmax(joint->imbalance.kinetic, kinetic);
    joint->imbalance.gravity += h * power;
    joint->imbalance.low = fmin(joint->imbalance.low, joint->imbalance.gravity);
    joint->imbalance.high = fmax(joint->imbalance.high, joint->imbalance.gravity);
}

/* gravity NULL: the island is free */
static void watchJoint(ukJoint *joint, const Pair *pair, const double *gravity, double h)
{
    const ukFrame *const a = pair->a, *const b = pair->b;
    double Pa[3], Pb[3], lever[2][3] = {{0}}, gap[3], f[3], torque[3], relative = 0;
    ukAnchor(&a->start, joint->anchor1, Pa, lever[0]);
    ukAnchor(b ? &b->start : NULL, joint->anchor2, Pb, lever[1]);
    for (int k = 0; k < 3; k++) {
        gap[k] = Pa[k] - Pb[k];
        f[k] = joint->reaction->ideal[0][k] + joint->reaction->nonideal[0][k];
    }
    ukCross(gap, f, torque);
    const double momentum = imbalanceMomentumOf(pair, Pb, &relative);
    watchEnergy(joint, pair, gravity, relative, h);
    const double length = ukSize(lever[0], 3) + ukSize(lever[1], 3) + ukSize(Pa, 3);
    if (!(ukSize(gap, 3) > rounding * length)) return;
    joint->imbalance.work += h * ukDot(torque, a->start.v + 3);
    joint->imbalance.worked = fmax(joint->imbalance.worked, fabs(joint->imbalance.work));
    if (gravity) return;
    joint->imbalance.momentum = fmax(joint->imbalance.momentum, momentum);
    for (int k = 0; k < 3; k++) joint->imbalance.impulse[k] += h * torque[k];
    joint->imbalance.turned = fmax(joint->imbalance.turned, ukSize(joint->imbalance.impulse, 3));
}

static ukImbalance imbalanceOf(const ukJoint *joint)
{
    const double energy = fmax(joint->imbalance.kinetic, joint->imbalance.high - joint->imbalance.low);
    ukImbalance now = {.impulse = joint->imbalance.turned,
                       .momentum = joint->imbalance.momentum,
                       .work = joint->imbalance.worked,
                       .energy = energy,
                       .serial = joint->serial};
    const double ratio[2] = {now.momentum > 0 ? now.impulse / now.momentum : 0, energy > 0 ? now.work / energy : 0};
    now.ratio = fmax(ratio[0], ratio[1]);
    if (joint->name)
        snprintf(now.joint, sizeof now.joint, "%s", joint->name);
    else
        snprintf(now.joint, sizeof now.joint, "%s %llu", joint->class->name, (unsigned long long)joint->serial);
    return now;
}

/* Whether only the joints' own forces act on the island's angular momentum. */
static bool isFree(const ukIsland *island)
{
    if (island->elements > 0) return false;
    for (int j = 0; j < island->joints; j++)
        if (ukIsContact(island->joint[j]) || !island->joint[j]->body[1]) return false;
    for (int i = 0; i < island->frames; i++)
        if (island->frame[i].body->constant.kinematic) return false;
    return true;
}

static bool isWatched(const ukJoint *joint)
{
    return ukRowsApart(joint) && joint->handle && joint->body[0] && !ukIsContact(joint) &&
           !joint->body[0]->constant.kinematic;
}

static void watchIsland(const ukIsland *island, double h, ukImbalance *worst, ukImbalance *most)
{
    const double *gravity = island->gravity;
    bool known = false;
    for (int j = 0; j < island->joints; j++) {
        ukJoint *joint = island->joint[j];
        if (!isWatched(joint)) continue;
        if (!known) gravity = isFree(island) ? NULL : gravity, known = true;
        Pair pair = {.a = ukIslandFrame(island, joint->body[0])};
        if (joint->body[1]) {
            pair.b = ukIslandFrame(island, joint->body[1]);
            pair.beside = joint->body[1]->constant.kinematic;
        }
        if (!pair.a || (joint->body[1] && !pair.b)) continue;
        watchJoint(joint, &pair, gravity, h);
        const ukImbalance now = imbalanceOf(joint);
        if (now.serial == worst->serial) *worst = now;
        if (now.ratio > most->ratio) *most = now;
    }
}

void ukImbalanceWatch(const ukIsland *islands, int count, double h, ukImbalance *worst)
{
    ukImbalance most = {.ratio = 0};
    for (int i = 0; i < count; i++) watchIsland(&islands[i], h, worst, &most);
    if (most.ratio > worst->ratio) *worst = most;
}
