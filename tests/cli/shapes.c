/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/cli/shapes.c: an ordinary program of ODE whose bodies, free, on a hinge and static, have shapes in all
 * orientations, those among them whose pitch is a right angle; it prints where ODE has each. Each has sizes of its own.
 */
#include <stdio.h>

#include <ode/ode.h>

static int made;

/* turned about z, then the new y, then the newest x */
static void turned(dReal *R, double yaw, double pitch, double roll)
{
    dMatrix3 z, y, x, zy;
    dRFromAxisAndAngle(z, 0, 0, 1, yaw), dRFromAxisAndAngle(y, 0, 1, 0, pitch), dRFromAxisAndAngle(x, 1, 0, 0, roll);
    dMultiply0(zy, z, y, 3, 3, 3);
    dMultiply0(R, zy, x, 3, 3, 3);
}

static dBodyID bodyAt(dWorldID w, double x, double yaw, double pitch, double roll)
{
    dMass m;
    dMatrix3 R;
    const dBodyID b = dBodyCreate(w);
    dMassSetBoxTotal(&m, 2, 1, 0.7, 0.4);
    dBodySetMass(b, &m);
    dBodySetPosition(b, x, -0.3, 5);
    turned(R, yaw, pitch, roll);
    dBodySetRotation(b, R);
    return b;
}

static void shape(dSpaceID space, dBodyID b, double yaw, double pitch, double roll)
{
    dMatrix3 R;
    const double size = 0.1 + 0.01 * made;
    const int kind = made++ % 4;
    const dGeomID g = kind == 0   ? dCreateBox(space, size, 2 * size, 3 * size)
                      : kind == 1 ? dCreateCylinder(space, size, 3 * size)
                      : kind == 2 ? dCreateSphere(space, size)
                                  : dCreateCapsule(space, size, 4 * size);
    turned(R, yaw, pitch, roll);
    if (b) {
        dGeomSetBody(g, b);
        dGeomSetOffsetPosition(g, 0.2, 0.1 * made, -0.3);
        dGeomSetOffsetRotation(g, R);
    } else {
        dGeomSetPosition(g, 1, 2, 0.25 * made);
        dGeomSetRotation(g, R);
    }
    const dReal *const x = dGeomGetPosition(g), *const at = dGeomGetRotation(g);
    printf("%s %.17g", (const char *const[]){"box", "cylinder", "sphere", "capsule"}[kind], size);
    for (int i = 0; i < 3; i++) printf(" %.17g", x[i]);
    for (int i = 0; i < 9; i++) printf(" %.17g", at[4 * (i / 3) + i % 3]);
    putchar('\n');
}

int main(void)
{
    static const double right = 1.5707963267948966;
    dInitODE2(0);
    const dWorldID w = dWorldCreate();
    const dSpaceID space = dSimpleSpaceCreate(NULL);
    const dBodyID body[] = {bodyAt(w, 0, 0, 0, 0), bodyAt(w, 5, 0.4, -0.7, 1.1), bodyAt(w, 10, 0.9, right, 0),
                            bodyAt(w, 15, 0, -right, 0.5), NULL};
    const dJointID hinge = dJointCreateHinge(w, NULL);
    dJointAttach(hinge, body[1], body[2]);
    dJointSetHingeAnchor(hinge, 7, 0, 5);
    dJointSetHingeAxis(hinge, 0.6, 0, 0.8);
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 4; i++) {
            shape(space, body[k], 0.3, 0.2, -0.6);
            shape(space, body[k], 0.7 * i, i % 2 ? right : -right, 0);
            shape(space, body[k], -1.1, 3, 2);
        }
    dWorldStep(w, 0.01);
    dSpaceDestroy(space);
    dWorldDestroy(w);
    dCloseODE();
    return 0;
}
