/* SPDX-License-Identifier: BSD-3-Clause */
/* When the file of saved states is written: once for all worlds, as soon as each has a new state or one its second, and
 * at the end; never once for each world, which takes a time that grows with the square of their number. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/world/registry.h"
#include "plugin/formats/snapshot/file.h"
#include "tests/check.h"

enum { Worlds = 40, Rounds = 5 };

static char path[64];
static dWorldID world[Worlds];
static dBodyID body[Worlds];

/* the number of worlds in the file, which is written little-endian behind two words */
static int inFile(void)
{
    unsigned char head[24] = {0};
    FILE *const file = fopen(path, "rb");
    if (!file) return -1;
    CHECK(fread(head, sizeof head, 1, file) == 1);
    fclose(file);
    return head[16] + 256 * head[17];
}

/* whether the file was written since the last call: another is then in its place, and the one that is held open has no
 * name */
static bool written(void)
{
    static int held = -1;
    struct stat status;
    if (held >= 0 && fstat(held, &status) == 0 && status.st_nlink > 0) return false;
    if (held >= 0) close(held);
    held = open(path, O_RDONLY);
    return held >= 0;
}

static void stepWorld(int i)
{
    CHECK(ukWorldStep(world[i], 0.01) == 1);
}

static void oneWriteARound(void)
{
    int writes = 0;
    for (int k = 0; k < Rounds; k++)
        for (int i = 0; i < Worlds; i++) {
            stepWorld(i);
            writes += written();
        }
    CHECK(writes >= Rounds - 1 && writes <= Rounds + 1);
    CHECK(inFile() == Worlds);
}

/* one world alone goes on: each of its states is in the file at the latest when there is the next one */
static void oneGoesOn(void)
{
    for (int k = 0; k < 4; k++) {
        stepWorld(3);
        stepWorld(3);
        CHECK(written());
    }
}

static void oneIsLeft(void)
{
    for (int i = 1; i < Worlds; i++) dWorldDestroy(world[i]);
    stepWorld(0);
    CHECK(inFile() == 1);
    CHECK(written());
    for (int k = 0; k < 3; k++) { /* every state of a single world is written at once */
        stepWorld(0);
        CHECK(written());
    }
}

/* the last states are in the file after the end, and worlds that are built again go on from them */
static void restored(void)
{
    dVector3 end;
    stepWorld(0);
    for (int k = 0; k < 3; k++) end[k] = dBodyGetPosition(body[0])[k];
    ukKeepFileClose();
    dWorldDestroy(world[0]);
    CHECK(ukKeepFileRestore(path) == NULL);
    world[0] = dWorldCreate();
    ukWorldEnable(world[0]);
    body[0] = dBodyCreate(world[0]);
    CHECK(ukKeepFileTake(ukRegistryWorld(world[0])));
    for (int k = 0; k < 3; k++) CHECK(dBodyGetPosition(body[0])[k] == end[k]);
    ukKeepFileClose();
    dWorldDestroy(world[0]);
}

int main(void)
{
    dInitODE();
    snprintf(path, sizeof path, "/tmp/ukode-rounds-%d", (int)getpid());
    ukKeepFileSave(path, 0);
    for (int i = 0; i < Worlds; i++) {
        world[i] = dWorldCreate();
        CHECK(ukWorldEnable(world[i]) == 0);
        dWorldSetGravity(world[i], 0, 0, -9.81);
        body[i] = dBodyCreate(world[i]);
        dBodySetPosition(body[i], i, 0, 1);
    }
    oneWriteARound();
    oneGoesOn();
    oneIsLeft();
    restored();
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
