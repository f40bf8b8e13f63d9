/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotation: gyroscopic terms and the advance on the group. Heavy top, Dzhanibekov's flips, a tumbling body. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/reference/mechanism.h"
#include "tests/reference/reference.h"

static Scene *heavyTop(void)
{
    static const double origin[3] = {0, 0, 0}, x[3] = {0, 1, 0}, v[3] = {4.61538, 0, 0}, w[3] = {0, 150, -4.61538};
    Scene *s = sceneNew(1, 1, 1e-4);
    const dBodyID top = mechanismBody(s, 15, 0.234375, 0.46875, 0.234375, x, NULL);
    mechanismMotion(top, v, w);
    sceneAddBall(s, top, 0, origin);
    return s;
}

static void pose(const Scene *s, double *out)
{
    const dReal *x = dBodyGetPosition(s->bodies[0]), *q = dBodyGetQuaternion(s->bodies[0]);
    for (int i = 0; i < 3; i++) out[i] = x[i];
    for (int i = 0; i < 4; i++) out[3 + i] = q[i];
}

static Scene *freeBody(double wx, double wy, double wz)
{
    static const double origin[3] = {0, 0, 0}, still[3] = {0, 0, 0};
    const double w[3] = {wx, wy, wz};
    Scene *s = sceneNew(1, 0, 0.005);
    dWorldSetGravity(s->world, 0, 0, 0);
    mechanismMotion(mechanismBody(s, 1, 1, 2, 3, origin, NULL), still, w);
    return s;
}

static Scene *flipping(void)
{
    return freeBody(0.01, 3, 0.02);
}

static void ratesAndPose(const Scene *s, double *out)
{
    const dReal *w = dBodyGetAngularVel(s->bodies[0]), *q = dBodyGetQuaternion(s->bodies[0]);
    dVector3 local;
    dBodyVectorFromWorld(s->bodies[0], w[0], w[1], w[2], local);
    for (int i = 0; i < 3; i++) out[i] = local[i];
    for (int i = 0; i < 4; i++) out[3 + i] = q[i];
}

static const Mechanism mechanisms[] = {
    {.name = "heavy top at 150 rad/s (Brüls & Cardona 2010)",
     .build = heavyTop,
     .measure = pose,
     .data = "heavy_top.csv",
     .columns = 7,
     .h = 1e-4,
     .duration = 2,
     .energy = 5435.7e-6,
     .judged = {{"position [m]", 0, 3, 2, 1e-3, false}, {"quaternion", 3, 4, 2, 1e-3, true}}},
    {.name = "Dzhanibekov's flips",
     .build = flipping,
     .measure = ratesAndPose,
     .data = "dzhanibekov.csv",
     .columns = 7,
     .h = 0.005,
     .duration = 40,
     .energy = 1e-6 * 9,
     .judged = {{"rates [rad/s]", 0, 3, 13.6, 1e-3, false},
                {"rates [rad/s]", 0, 3, 40, 1e-2, false},
                {"quaternion", 3, 4, 40, 1e-2, true}}}};

static void momentum(const Scene *s, double L[3])
{
    static const double I[3] = {1, 2, 3};
    const dReal *w = dBodyGetAngularVel(s->bodies[0]);
    dVector3 local, world;
    dBodyVectorFromWorld(s->bodies[0], w[0], w[1], w[2], local);
    dBodyVectorToWorld(s->bodies[0], I[0] * local[0], I[1] * local[1], I[2] * local[2], world);
    for (int i = 0; i < 3; i++) L[i] = world[i];
}

/* A body tumbling at about 3 rad/s: angular momentum in the world, of direction and size, over 60 s, with h = 2 ms. */
static void momentumIsKept(void)
{
    static const double h = 0.002;
    double L0[3], L[3], off = 0;
    Scene *s = freeBody(1, 2.5, -0.7);
    CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
    momentum(s, L0);
    const double size = sqrt(L0[0] * L0[0] + L0[1] * L0[1] + L0[2] * L0[2]), energy = sceneEnergy(s);
    for (int k = 0; k < 30000; k++) {
        CHECK(ukWorldStep(s->world, h) == 1);
        momentum(s, L);
        for (int i = 0; i < 3; i++) off = refMax(off, fabs(L[i] - L0[i]) / size);
    }
    CHECK_NEAR(off, 0, 1e-9);
    CHECK_NEAR(sceneEnergy(s) / energy, 1, 1e-9);
    printf("tumbling body, 60 s, h %g: angular momentum %.2g, energy %.2g (relative)\n", h, off,
           fabs(sceneEnergy(s) / energy - 1));
    sceneDestroy(s);
}

int main(int argc, char **argv)
{
    mechanismBegin(argc, argv);
    for (unsigned i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) mechanismCheck(&mechanisms[i]);
    if (argc < 2) momentumIsKept();
    return mechanismEnd();
}
