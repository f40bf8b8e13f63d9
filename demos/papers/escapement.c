/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided rows (1994, item 8 of the conclusions) in joint space: the recoil escapement of a pendulum clock. A torque
 * turns the escape wheel; its teeth rest on two pallets of the anchor in turn. A tooth pushes the pendulum along while
 * the pallet gives way, leaves it at the angle `release` of the pendulum, and the wheel drops until the next tooth is
 * caught by the other pallet. The wheel gives the pendulum 2 T s release a beat, and viscous friction takes pi/2 c w
 * a^2 of it: a = sqrt(4 T s release / (pi c w)). Beyond the release the next tooth pushes the pendulum back, a
 * stiffness of 4 T s sqrt(1 - (release/a)^2) / (pi a) on average over a swing, and gravity's is less by a^2/8: a
 * clock's two errors of rate. */
#include "demos/papers/paper.h"

static const double g = 9.81;

typedef struct Clock {
    double pitch, slope, release; /* of the wheel per beat [rad]; d(wheel)/d(pendulum) on a pallet; [rad] */
    double torque;                /* on the wheel [N m] */
} Clock;

static double angleOf(const ukBodyState *body)
{
    return 2 * atan2(body->orientation[2], body->orientation[0]);
}

/* The beat that the wheel is in, and 1 or -1: the pallet that holds it. */
static double beatOf(const Clock *clock, double wheel, double *pallet)
{
    const double beat = ceil((wheel - clock->slope * clock->release) / clock->pitch);
    *pallet = fmod(beat, 2) == 0 ? 1 : -1;
    return beat;
}

/* bodies: pendulum, wheel */
static int toothRow(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    const Clock *clock = data;
    double pallet;
    beatOf(clock, angleOf(&c->bodies[1]), &pallet);
    A[4] = pallet * clock->slope;
    A[6 + 4] = -1;
    b[0] = 0;
    return 0;
}

static int toothGap(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const Clock *clock = data;
    const double wheel = angleOf(&c->bodies[1]);
    double pallet;
    const double beat = beatOf(clock, wheel, &pallet);
    phi[0] = beat * clock->pitch + pallet * clock->slope * angleOf(&c->bodies[0]) - wheel;
    psi[0] = pallet * clock->slope * c->bodies[0].spin[1] - c->bodies[1].spin[1];
    return 0;
}

static int drive(const struct ukConstraintContext *c, double *force, void *data)
{
    (void)c;
    force[4] = ((const Clock *)data)->torque;
    return 0;
}

static dJointID hinge(dWorldID w, dBodyID body)
{
    const dJointID joint = dJointCreateHinge(w, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetHingeAnchor(joint, 0, 0, 0);
    dJointSetHingeAxis(joint, 0, 1, 0);
    return joint;
}

int main(void)
{
    Clock clock = {.pitch = acos(-1) / 15, .slope = 1, .release = 0.08, .torque = 1.8e-3};
    const double length = 0.25, mass = 1, friction = 0.002, h = 5e-4, time = 30;
    const double frequency = sqrt(g / length), pi = acos(-1);
    const double expected = sqrt(4 * clock.torque * clock.slope * clock.release / (pi * friction * frequency));
    const dWorldID w = paperWorld(0, 0, -g);
    dBodyID body[2] = {paperBody(w, mass, 1e-6, 1e-6, 1e-6, 0, 0, -length),
                       paperBody(w, 0.01, 1e-6, 1e-6, 1e-6, 0, 0, 0)};
    if (ukJointSetViscous(hinge(w, body[0]), friction) != 0) exit(1);
    hinge(w, body[1]);
    paperApply(w, &body[1], 1, drive, &clock);
    const ukConstraintID tooth = paperJoin(w, 1, body, 2, toothRow, toothGap, &clock);
    if (ukConstraintSetOneSided(tooth, 0) != 0) exit(1);
    dBodySetLinearVel(body[0], -length * expected * frequency, 0, 0);
    dBodySetAngularVel(body[0], 0, expected * frequency, 0);

    double amplitude = 0, turned = 0, wheel = 0, last = 0, first_passage = 0, last_passage = 0;
    int swings = 0;
    for (int i = 1; i * h <= time; i++) {
        paperRun(w, h, i * h);
        const double swing = -asin(dBodyGetPosition(body[0])[0] / length);
        const dReal *q = dBodyGetQuaternion(body[1]);
        const double now = 2 * atan2(q[2], q[0]);
        turned += remainder(now - wheel, 2 * pi);
        wheel = now;
        if (swing * last < 0) {
            last_passage = (i - swing / (swing - last)) * h;
            if (swings++ == 0) first_passage = last_passage;
        }
        last = swing != 0 ? swing : last;
        if (i * h > time - 3) amplitude = fmax(amplitude, fabs(swing));
    }
    printf("escapement: a pendulum of %g m, a wheel of 15 teeth and %g mN m, %g s\n", length, 1e3 * clock.torque, time);
    paperCompare("beats of the wheel", turned / clock.pitch, swings, 1); /* the last one is not complete */
    paperCompare("amplitude [rad]", amplitude, expected, 0.05 * expected);
    const double inside = clock.release / expected;
    const double push = 4 * clock.torque * clock.slope * sqrt(1 - inside * inside) / (pi * expected);
    const double shifted = frequency * (1 + push / (2 * mass * g * length) - expected * expected / 16);
    paperCompare("frequency of the swings [rad/s]", pi * (swings - 1) / (last_passage - first_passage), shifted,
                 5e-5 * shifted);
    paperCompare("its error of rate", pi * (swings - 1) / (last_passage - first_passage) / frequency - 1,
                 shifted / frequency - 1, 3e-5);
    ukLedger ledger;
    if (ukWorldGetLedger(w, &ledger) != 0) exit(1);
    paperCompare("ledger's residual [J]", ledger.residual, 0, 1e-12);
    dWorldDestroy(w);
    return paperEnd();
}
