/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of contacts: non-ideal constraints (2000, 2004) whose prescription C depends on the normal force. A ball rolls
 * out under a rolling resistance that is proportional to its load, twice as far where half of its weight is lifted; a
 * belt takes a block along; a block comes to rest on viscous ground. Each is set on the contact joints, as a program
 * makes them in every step, and printed beside its closed form; steps with contacts are of first order in h. */
#include "demos/papers/paper.h"

static const double g = 9.81, m = 2, R = 0.3, h = 1e-4;

/* |normal force| on the body: the part `stop` of the ideal force; the static world comes second here */
static double load(const ukNonIdealContext *c)
{
    const double *n = c->stop[0];
    return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/* data: the arm [m] of the couple arm x load, which is against the rolling */
static void rollingResistance(const ukNonIdealContext *c, double force_and_torque[2][6], void *data)
{
    const double *w = c->body[0]->spin;
    const double spin = sqrt(w[0] * w[0] + w[1] * w[1]), couple = *(const double *)data * load(c);
    for (int i = 0; i < 2 && spin > 0; i++) force_and_torque[0][3 + i] = -couple * w[i] / spin;
}

typedef struct Ground {
    double velocity, viscous; /* along x [m/s]; force per load and velocity [s/m] */
} Ground;

/* a belt, or ground that is at rest, drags by a film between it and the block */
static void viscousGround(const ukNonIdealContext *c, double force_and_torque[2][6], void *data)
{
    const Ground *ground = data;
    const double *v = c->body[0]->velocity;
    const double drag = ground->viscous * load(c);
    force_and_torque[0][0] = -drag * (v[0] - ground->velocity);
    force_and_torque[0][1] = -drag * v[1];
}

/* one contact below the centre, with the law */
static void run(dWorldID w, dBodyID body, double mu, double time, ukNonIdealFn *law, void *data)
{
    const dJointGroupID contacts = dJointGroupCreate(0);
    if (ukWorldResetLedger(w) != 0) exit(1);
    while (ukWorldGetTime(w) < time - 0.5 * h) {
        const dReal *x = dBodyGetPosition(body);
        dContact c = {.surface.mu = mu, .geom = {.pos = {x[0], x[1], 0}, .normal = {0, 0, 1}, .depth = R - x[2]}};
        const dJointID joint = dJointCreateContact(w, contacts, &c);
        dJointAttach(joint, body, NULL);
        if (ukJointSetNonIdeal(joint, law, data) != 0 || !ukWorldStep(w, h)) exit(1);
        dJointGroupEmpty(contacts);
    }
    dJointGroupDestroy(contacts);
}

static dBodyID on(dWorldID w, double v)
{
    const double inertia = 0.4 * m * R * R;
    const dBodyID body = paperBody(w, m, inertia, inertia, inertia, 0, 0, R);
    dBodySetLinearVel(body, v, 0, 0);
    return body;
}

static double work(dWorldID w)
{
    ukLedger l;
    if (ukWorldGetLedger(w, &l) != 0) exit(1);
    return l.nonideal;
}

/* about the point of contact: (7/5) m R^2 w' = -arm N */
static void ballRolls(double lifted)
{
    double arm = 0.01;
    const double v = 1.5, N = m * g - lifted, slows = 5 * N * arm / (7 * m * R), time = 0.8 * v / slows;
    const dWorldID w = paperWorld(0, 0, -N / m);
    const dBodyID ball = on(w, v);
    dBodySetAngularVel(ball, 0, v / R, 0);
    run(w, ball, dInfinity, time, rollingResistance, &arm);
    const double t = ukWorldGetTime(w), now = v - slows * t;
    printf("ball of %g kg, load %.4g N, rolling resistance with an arm of %g m\n", m, N, arm);
    paperCompare("velocity [m/s]", dBodyGetLinearVel(ball)[0], now, 1e-6);
    paperCompare("distance [m]", dBodyGetPosition(ball)[0], v * t - slows * t * t / 2, 1e-3);
    paperCompare("work of the law [J]", work(w), 0.7 * m * (now * now - v * v), 1e-3);
    dWorldDestroy(w);
}

/* v' = -viscous g (v - velocity) */
static void blockOn(const char *what, double velocity, double v)
{
    Ground ground = {.velocity = velocity, .viscous = 0.25};
    const dWorldID w = paperWorld(0, 0, -g);
    const dBodyID block = on(w, v);
    run(w, block, 0, 1, viscousGround, &ground);
    const double left = (v - velocity) * exp(-ground.viscous * g);
    printf("%s of %g m/s, a block of %g m/s\n", what, velocity, v);
    paperCompare("velocity after 1 s [m/s]", dBodyGetLinearVel(block)[0], velocity + left, 1e-3);
    paperCompare("work of the law [J]", work(w), 0.5 * m * ((velocity + left) * (velocity + left) - v * v), 1e-2);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    ballRolls(0);
    ballRolls(0.5 * m * g);
    blockOn("belt", 2, 0);
    blockOn("viscous ground", 0, 2);
    return paperEnd();
}
