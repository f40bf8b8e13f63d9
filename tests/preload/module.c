/* SPDX-License-Identifier: BSD-3-Clause */
/* A module that is linked with libode; see loader.c. */
#include "tests/preload/scene.h"

void moduleRun(void);

__attribute__((visibility("default"))) void moduleRun(void)
{
    dInitODE();
    sceneChain("in a module", 4, 50);
    dCloseODE();
}
