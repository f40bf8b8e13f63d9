/* SPDX-License-Identifier: BSD-3-Clause */
/* A door on two hinges with dry friction: pushed, it slows down, stops, and stays below the breakaway torque. Ten rows
 * of rank five: how the hinges share the load is not unique. Beside it the door's angle alone: of least norm in unit
 * rows (docs/theory.md), hinge i carries half the weight W, half of what moves the centre, m a, and +-g of the couple W
 * d that its distance d from the axis makes, what torques of the hinges' own leave of it; and I w' = torque - mu r (N_1
 * + N_2). */
#include "demos/papers/paper.h"

static const double g = 9.81, m = 20, width = 0.9, depth = 0.04, height = 2, d = 0.45, z = 0.8;
static const double mu = 0.3, r = 0.05; /* of the hinges; radius of their pins */

static double inertia(void) /* about the axis */
{
    return m * (width * width + depth * depth) / 12 + m * d * d;
}

/* (A M^-1 A')_ii of a hinge's row that holds its point along the world's x (y), and of that which holds its turning
 * about it, at an angle of the door: acceleration per force, and per torque */
static void compliances(double theta, int y, double *force, double *torque)
{
    const double Ixx = m * (depth * depth + height * height) / 12, Iyy = m * (width * width + height * height) / 12;
    const double Izz = m * (width * width + depth * depth) / 12;
    const double a = y ? sin(theta) : cos(theta), b = y ? cos(theta) : -sin(theta); /* the axis in the door's frame */
    *force = 1 / m + z * z * (b * b / Ixx + a * a / Iyy) + d * d * b * b / Izz;
    *torque = a * a / Ixx + b * b / Iyy;
}

/* friction at an angle and rate w, while `torque` turns the door */
static double friction(double theta, double w, double torque)
{
    const double c = cos(theta), s = sin(theta), W = m * g, along = m * d * torque / inertia(), inwards = m * d * w * w;
    const double half[2] = {(-inwards * c - along * s) / 2, (-inwards * s + along * c) / 2};
    double Kf[2], Kt[2], couple[2], sum = 0;
    for (int y = 0; y < 2; y++) compliances(theta, y, &Kf[y], &Kt[y]);
    couple[0] = -W * d * c / 2 * z / (z * z + Kf[0] / Kt[1]);
    couple[1] = -W * d * s / 2 * z / (z * z + Kf[1] / Kt[0]);
    for (int sign = -1; sign <= 1; sign += 2) {
        const double x = half[0] + sign * couple[0], y = half[1] + sign * couple[1];
        sum += sqrt(W * W / 4 + x * x + y * y);
    }
    return mu * r * sum;
}

static void rates(const double *y, double *out, void *data)
{
    (void)data;
    out[0] = y[1];
    out[1] = -friction(y[0], y[1], 0) / inertia();
}

/* the torque that friction just holds, from rest */
static double breakaway(double theta)
{
    double torque = 0;
    for (int i = 0; i < 50; i++) torque = friction(theta, 0, torque);
    return torque;
}

static int push(const struct ukConstraintContext *c, double *force, void *data)
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
    while (y[1] > 1e-4 * friction(y[0], 0, 0) / inertia()) paperIntegrate(y, 2, 1e-4, 1e-4, rates, NULL);
    const double stop = y[0] + 0.5 * y[1] * y[1] * inertia() / friction(y[0], 0, 0);
    paperRun(w, 0.001, 3);
    const double rest = angle(door);
    paperCompare("angle at rest", rest, stop, 1e-8);
    paperCompare("rate at rest", dBodyGetAngularVel(door)[2], 0, 1e-15);

    torque = 0.999 * breakaway(rest);
    paperRun(w, 0.001, 4);
    printf("with 0.999 of the breakaway torque of %.5f N m, 1 s later\n", breakaway(rest));
    paperCompare("angle", angle(door), rest, 1e-15);
    paperCompare("rate", dBodyGetAngularVel(door)[2], 0, 1e-15);

    const double excess = 1.001 * breakaway(rest) - friction(rest, 0, 1.001 * breakaway(rest));
    torque = 1.001 * breakaway(rest);
    paperRun(w, 0.001, 4.1);
    printf("with 1.001 of it, 0.1 s later\n");
    paperCompare("rate", dBodyGetAngularVel(door)[2], 0.1 * excess / inertia(), 1e-9);
    paperClose(w);
    return paperEnd();
}
