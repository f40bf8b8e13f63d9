/* A door on two hinges with dry friction: pushed, it slows down, stops, and stays below the breakaway torque. Ten rows
 * of rank five: how the hinges share the load is not unique. Beside it the door's angle alone: hinge i carries, of
 * least norm (demos/door.c) with weight W, centre d from the axis, half the centripetal and tangential force, N_i^2 =
 * (W/2)^2 + (s z_i - m d w^2/2)^2 + (m d w'/2)^2,   s = W d/(z_1^2 + z_2^2 + 2), w' the acceleration without friction,
 * and  I w' = torque - mu r (N_1 + N_2). */
#include "demos/papers/paper.h"

static const double g = 9.81, m = 20, width = 0.9, depth = 0.04, height = 2, d = 0.45, z = 0.8;
static const double mu = 0.3, r = 0.05; /* of the hinges; radius of their pins */

static double inertia(void) /* about the axis */
{
    return m * (width * width + depth * depth) / 12 + m * d * d;
}

/* friction at rate w, while `torque` turns the door */
static double friction(double w, double torque)
{
    const double s = m * g * d / (2 * z * z + 2), tangential = m * d * torque / inertia() / 2;
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        const double radial = s * (i ? -z : z) + m * d * w * w / 2;
        sum += sqrt(m * g * m * g / 4 + radial * radial + tangential * tangential);
    }
    return mu * r * sum;
}

static void rates(const double *y, double *out, void *data)
{
    (void)data;
    out[0] = y[1];
    out[1] = -friction(y[1], 0) / inertia();
}

/* the torque that friction just holds, from rest */
static double breakaway(void)
{
    double torque = 0;
    for (int i = 0; i < 50; i++) torque = friction(0, torque);
    return torque;
}

static int push(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)c;
    force[5] = *(const double *)data;
    return 0;
}

static double angle(dBodyID door)
{
    const dReal *q = dBodyGetQuaternion(door);
    return 2 * atan2(q[3], q[0]);
}

int main(void)
{
    const dWorldID w = paperWorld(0, 0, -g);
    const double ixx = m * (depth * depth + height * height) / 12, iyy = m * (width * width + height * height) / 12;
    const dBodyID door = paperBody(w, m, ixx, iyy, m * (width * width + depth * depth) / 12, d, 0, 0);
    for (int i = 0; i < 2; i++) {
        const dJointID hinge = dJointCreateHinge(w, 0);
        dJointAttach(hinge, door, 0);
        dJointSetHingeAnchor(hinge, 0, 0, i ? -z : z);
        dJointSetHingeAxis(hinge, 0, 0, 1);
        if (ukJointSetCoulomb(hinge, mu, r) != 0) return 1;
    }
    double torque = 0;
    if (!ukForceCreate(w, &door, 1, push, &torque)) return 1;
    double y[2] = {0, 1};
    dBodySetAngularVel(door, 0, 0, y[1]);
    dBodySetLinearVel(door, 0, d * y[1], 0);
    paperRun(w, 0.001, 1.5);
    paperIntegrate(y, 2, 1e-4, 1.5, rates, NULL);
    printf("door of 20 kg on two dry hinges; after 1.5 s         ukode             expected\n");
    paperCompare("angle", angle(door), y[0], 1e-10);
    paperCompare("rate", dBodyGetAngularVel(door)[2], y[1], 1e-10);

    /* on to rest: in small steps, and what is left as if the friction stayed as it is at rest */
    while (y[1] > 1e-4 * friction(0, 0) / inertia()) paperIntegrate(y, 2, 1e-4, 1e-4, rates, NULL);
    const double stop = y[0] + 0.5 * y[1] * y[1] * inertia() / friction(0, 0);
    paperRun(w, 0.001, 3);
    const double rest = angle(door);
    paperCompare("angle at rest", rest, stop, 1e-8);
    paperCompare("rate at rest", dBodyGetAngularVel(door)[2], 0, 1e-15);

    torque = 0.999 * breakaway();
    paperRun(w, 0.001, 4);
    printf("with 0.999 of the breakaway torque of %.5f N m, 1 s later\n", breakaway());
    paperCompare("angle", angle(door), rest, 1e-15);
    paperCompare("rate", dBodyGetAngularVel(door)[2], 0, 1e-15);

    const double excess = 1.001 * breakaway() - friction(0, 1.001 * breakaway());
    torque = 1.001 * breakaway();
    paperRun(w, 0.001, 4.1);
    printf("with 1.001 of it, 0.1 s later\n");
    paperCompare("rate", dBodyGetAngularVel(door)[2], 0.1 * excess / inertia(), 1e-9);
    paperClose(w);
    return paperEnd();
}
