/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/body_work.h"

#include <math.h>
#include <string.h>

#include "bridge/world/energy.h"
#include "solvers/base/status.h"
#include "solvers/problem/block.h"

UKODE_INLINE ukPair pairOf(const double *x, const double *y)
{
    return (ukPair){*x, *y};
}

/* x' y of vectors (3), a lane each */
UKODE_INLINE ukPair dotPair(const ukPair x[3], const ukPair y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* The next frames of moving bodies from *at on, two of them or one, which then is both; returns their number. */
UKODE_INLINE int nextFrames(const ukIsland *island, int *at, const ukFrame *of[2])
{
    int count = 0;
    for (; *at < island->frames && count < 2; ++*at)
        if (island->frame[*at].moving >= 0) of[count++] = &island->frame[*at];
    if (count == 1) of[1] = of[0];
    return count;
}

/* ---- powers ------------------------------------------------------------------------------------------------------ */

/* Motion of a moving body and the forces on it: velocity, acceleration, total force, the user's force (6 each),
 * gyroscopic torque (3). */
typedef struct ActedBody {
    const double *v, *a, *force, *acted, *turning;
    double mass; /* 0: gravity does not act on it */
} ActedBody;

/* torque: memory for the gyroscopic torque of the continuous form */
UKODE_INLINE ActedBody actedBodyOf(const ukIsland *island, const ukFrame *f, double h, double torque[3])
{
    const ukProblem *p = island->problem;
    ActedBody body = {.v = h > 0 ? f->start.v : f->state.v,
                      .a = island->bodies.qdd + 6 * f->moving,
                      .force = f->force,
                      .acted = f->accumulator,
                      .turning = h > 0 ? f->turning : torque,
                      .mass = f->has_gravity ? p->mass[f->moving] : 0};
    if (h > 0) return body;
    memset(torque, 0, 3 * sizeof *torque);
    if (dBodyGetGyroscopicMode(f->body->handle))
        ukGyroscopicTorque(p->inertia + 9 * (size_t)f->moving, body.v + 3, 0, torque);
    return body;
}

ukBodyPower ukBodyPowers(const ukIsland *island, double h)
{
    const double *const g = island->gravity;
    const ukPair gravity[3] = {ukBothOf(g[0]), ukBothOf(g[1]), ukBothOf(g[2])};
    ukBodyPower sum = {0, 0, 0, 0};
    const ukFrame *f[2];
    for (int at = 0, count; (count = nextFrames(island, &at, f)) > 0;) {
        double torque[2][3];
        const ActedBody x = actedBodyOf(island, f[0], h, torque[0]), y = actedBodyOf(island, f[1], h, torque[1]);
        const ukPair mass = {x.mass, y.mass};
        ukPair mean[6], acted[6], rest[6], turning[3];
        UKODE_UNROLL
        for (int k = 0; k < 6; k++) {
            mean[k] = pairOf(x.v + k, y.v + k) + 0.5 * h * pairOf(x.a + k, y.a + k);
            acted[k] = pairOf(x.acted + k, y.acted + k);
            if (k >= 3) turning[k - 3] = pairOf(x.turning + k - 3, y.turning + k - 3);
            rest[k] = pairOf(x.force + k, y.force + k) - (acted[k] + (k < 3 ? mass * gravity[k] : turning[k - 3]));
        }
        const ukPair falls = mass * dotPair(gravity, mean), turns = dotPair(turning, mean + 3);
        const ukPair user = dotPair(acted, mean) + dotPair(acted + 3, mean + 3);
        const ukPair motors = dotPair(rest, mean) + dotPair(rest + 3, mean + 3);
        for (int i = 0; i < count; i++) {
            sum.gravity += falls[i];
            sum.gyroscopic += turns[i];
            sum.user += user[i];
            sum.motors += motors[i];
        }
    }
    return sum;
}

/* ---- after the solve --------------------------------------------------------------------------------------------- */

/* ukStateOrient for two: R (9) of q (4), which need not be of unit length */
UKODE_INLINE void orientPair(ukPair q[4], ukPair R[9])
{
    const ukPair square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const ukPair k = 1 / (ukPair){sqrt(square[0]), sqrt(square[1])};
    for (int i = 0; i < 4; i++) q[i] *= k;
    const ukPair xx = 2 * q[1] * q[1], yy = 2 * q[2] * q[2], zz = 2 * q[3] * q[3];
    R[0] = 1 - yy - zz;
    R[1] = 2 * (q[1] * q[2] - q[0] * q[3]);
    R[2] = 2 * (q[1] * q[3] + q[0] * q[2]);
    R[3] = 2 * (q[1] * q[2] + q[0] * q[3]);
    R[4] = 1 - xx - zz;
    R[5] = 2 * (q[2] * q[3] - q[0] * q[1]);
    R[6] = 2 * (q[1] * q[3] - q[0] * q[2]);
    R[7] = 2 * (q[2] * q[3] + q[0] * q[1]);
    R[8] = 1 - xx - yy;
}

/* ukSpinEnergy for two; B: the elements 0, 4, 8, 1, 2, 5 of each body's inertia */
UKODE_INLINE ukPair spinEnergyPair(const ukPair R[9], const ukPair B[6], const ukPair w[3])
{
    const ukPair x = R[0] * w[0] + R[3] * w[1] + R[6] * w[2];
    const ukPair y = R[1] * w[0] + R[4] * w[1] + R[7] * w[2];
    const ukPair z = R[2] * w[0] + R[5] * w[1] + R[8] * w[2];
    return 0.5 * (B[0] * x * x + B[1] * y * y + B[2] * z * z) + B[3] * x * y + B[4] * x * z + B[5] * y * z;
}

UKODE_INLINE void inertiaPair(const ukBody *x, const ukBody *y, ukPair B[6])
{
    static const int element[6] = {0, 4, 8, 1, 2, 5};
    UKODE_UNROLL
    for (int k = 0; k < 6; k++) B[k] = pairOf(x->constant.inertia + element[k], y->constant.inertia + element[k]);
}

static bool sameSpin(const ukFrame *f, const double w[3])
{
    const double *const spin = f->state.v + 3;
    return w[0] == spin[0] && w[1] == spin[1] && w[2] == spin[2];
}

void ukBodyFollow(const ukIsland *island, double h, ukLedger *l)
{
    const double *const g = island->gravity, *const qdd = island->bodies.qdd;
    const ukFrame *f[2];
    for (int at = 0, count; (count = nextFrames(island, &at, f)) > 0;) {
        const ukState *const s = &f[0]->start, *const t = &f[1]->start, *const x = &f[0]->state,
                             *const y = &f[1]->state;
        const double *const a = qdd + 6 * f[0]->moving + 3, *const b = qdd + 6 * f[1]->moving + 3;
        ukPair B[6], q[4], R[9], S[9], w[3], spin[3], fall[3];
        inertiaPair(f[0]->body, f[1]->body, B);
        UKODE_UNROLL
        for (int k = 0; k < 9; k++) R[k] = pairOf(s->R + k, t->R + k);
        UKODE_UNROLL
        for (int k = 0; k < 3; k++) {
            w[k] = pairOf(s->v + 3 + k, t->v + 3 + k) + ukBothOf(h) * pairOf(a + k, b + k);
            spin[k] = pairOf(x->v + 3 + k, y->v + 3 + k);
            fall[k] = ukBothOf(g[k]) * (pairOf(x->x + k, y->x + k) - pairOf(s->x + k, t->x + k));
        }
        for (int k = 0; k < 4; k++) q[k] = pairOf(x->q + k, y->q + k);
        orientPair(q, S);
        const ukPair before = spinEnergyPair(R, B, w), after = spinEnergyPair(S, B, spin);
        const ukPair fell = ukBothOf(0) + fall[0] + fall[1] + fall[2];
        for (int i = 0; i < count; i++) {
            const ukBody *const body = f[i]->body;
            const double end[3] = {w[0][i], w[1][i], w[2][i]};
            const double capped = sameSpin(f[i], end)
                                      ? before[i]
                                      : ukSpinEnergy(f[i]->start.R, 3, body->constant.inertia, f[i]->state.v + 3);
            l->damping += capped - before[i];
            l->gyroscopic += after[i] - capped;
            if (f[i]->has_gravity) l->integration -= body->constant.mass * fell[i];
        }
    }
}

/* ---- energies ---------------------------------------------------------------------------------------------------- */

static void addEnergyPair(const ukBody *const of[2], int count, const double g[3], dReal *kinetic, dReal *potential)
{
    const ukBody *const a = of[0], *const b = of[1];
    const ukPair mass = {a->constant.mass, b->constant.mass};
    ukPair B[6], R[9], v[3], w[3], x[3], gravity[3];
    inertiaPair(a, b, B);
    UKODE_UNROLL
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) R[3 * k + i] = pairOf(a->rotation + 4 * k + i, b->rotation + 4 * k + i);
        v[k] = pairOf(a->linear + k, b->linear + k);
        w[k] = pairOf(a->angular + k, b->angular + k);
        x[k] = pairOf(a->position + k, b->position + k);
        gravity[k] = ukBothOf(g[k]);
    }
    const ukPair moves = 0.5 * mass * dotPair(v, v) + spinEnergyPair(R, B, w), falls = mass * dotPair(gravity, x);
    for (int i = 0; i < count; i++) {
        *kinetic += moves[i];
        if (dBodyGetGravityMode(of[i]->handle)) *potential -= falls[i];
    }
}

bool ukBodyEnergies(const ukWorld *world, dReal *kinetic, dReal *potential)
{
    dVector3 gravity;
    bool callbacks = false, kinematic;
    const ukBody *of[2];
    int count = 0;
    *kinetic = *potential = 0;
    dWorldGetGravity(world->handle, gravity);
    const double g[3] = {gravity[0], gravity[1], gravity[2]};
    for (ukBody *b = world->oldest_body; b; b = b->newer) {
        callbacks |= b->moved != NULL;
        const bool known = b->constant.changes == world->changes && !world->attached;
        if (known) kinematic = b->constant.kinematic;
        if ((!known && ukFrameConstants(b, &kinematic) != ukOk) || kinematic) continue;
        of[count++] = b;
        if (count == 2) addEnergyPair(of, count, g, kinetic, potential);
        count %= 2;
    }
    of[1] = of[0];
    if (count == 1) addEnergyPair(of, count, g, kinetic, potential);
    return callbacks;
}
