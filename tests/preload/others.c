/* SPDX-License-Identifier: BSD-3-Clause */
/* others rights|steps: whether this process runs with rights that are not its caller's; a step of ukode's. */
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include <ukode/ukode.h>

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "rights") == 0) {
        puts(getauxval(AT_SECURE) ? "secure" : "usual");
        return 0;
    }
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    dBodyCreate(world);
    const int ok = ukWorldEnable(world) == 0 && dWorldStep(world, 0.01) == 1;
    dWorldDestroy(world);
    dCloseODE();
    return !ok;
}
