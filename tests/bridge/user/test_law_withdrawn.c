/* SPDX-License-Identifier: BSD-3-Clause */
/* A law of a joint that is taken back leaves nothing: the world moves and is saved as one that never had it. */
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/world/registry.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

typedef struct Scene {
    dWorldID world;
    dJointID hinge;
} Scene;

static Scene make(void)
{
    Scene s = {.world = newWorld(9.81)};
    s.hinge = dJointCreateHinge(s.world, NULL);
    dJointAttach(s.hinge, box(s.world, 1, 0.5, 0, 0), NULL);
    dJointSetHingeAnchor(s.hinge, 0, 0, 0);
    dJointSetHingeAxis(s.hinge, 0, 1, 0);
    return s;
}

/* the same settings, bytes and motion */
static void same(const char *what, Scene x, Scene y)
{
    const size_t size = ukWorldSave(x.world, NULL, 0);
    unsigned char hash[2][16], *const bytes = malloc(size);
    if (!CHECK((ukRegistryJoint(x.hinge)->law == NULL) == (ukRegistryJoint(y.hinge)->law == NULL)))
        printf("%s: a law is left\n", what);
    if (!CHECK(ukWorldSave(y.world, NULL, 0) == size)) printf("%s: saved otherwise\n", what);
    CHECK(bytes && ukWorldSave(x.world, bytes, size) == size);
    for (int i = 0; i < 50; i++) CHECK(ukWorldStep(x.world, 0.01) == 1 && ukWorldStep(y.world, 0.01) == 1);
    CHECK(ukWorldHash(x.world, hash[0]) == 0 && ukWorldHash(y.world, hash[1]) == 0);
    if (!CHECK(memcmp(hash[0], hash[1], 16) == 0)) printf("%s: moves otherwise\n", what);
    free(bytes);
    dWorldDestroy(x.world), dWorldDestroy(y.world);
}

int main(void)
{
    dInitODE2(0);
    Scene with = make(), without = make();
    CHECK(ukJointSetCoulomb(with.hinge, 0.3, 0.02) == 0 && ukJointSetStribeck(with.hinge, 0.9, 5) == 0);
    CHECK(ukJointSetCoulomb(with.hinge, 0, 0) == 0 && ukRegistryJoint(with.hinge)->law == NULL);
    same("friction", with, without);

    /* Static friction ends with the sliding friction that it belongs to, or where that is larger. */
    with = make(), without = make();
    CHECK(ukJointSetCoulomb(with.hinge, 0.3, 0.02) == 0 && ukJointSetStribeck(with.hinge, 0.9, 5) == 0);
    CHECK(ukJointSetCoulomb(with.hinge, 0, 0) == 0);
    CHECK(ukJointSetCoulomb(with.hinge, 0.3, 0.02) == 0 && ukJointSetCoulomb(without.hinge, 0.3, 0.02) == 0);
    same("friction set again", with, without);
    with = make(), without = make();
    CHECK(ukJointSetCoulomb(with.hinge, 0.1, 0.02) == 0 && ukJointSetStribeck(with.hinge, 0.2, 5) == 0);
    CHECK(ukJointSetCoulomb(with.hinge, 0.3, 0.02) == 0 && ukJointSetCoulomb(without.hinge, 0.3, 0.02) == 0);
    same("larger friction", with, without);

    with = make(), without = make();
    CHECK(ukJointSetViscous(with.hinge, 0.5) == 0 && ukJointSetDrag(with.hinge, 0.5) == 0);
    CHECK(ukJointSetViscous(with.hinge, 0) == 0 && ukJointSetDrag(with.hinge, 0) == 0);
    same("drag", with, without);
    dCloseODE();
    return ukTestEnd();
}
