/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/cli/mujoco.c: loads a model of `ukode export --mjcf` into MuJoCo, takes one step of its RK4 from the keyframe
 * `initial`, and prints the name, the mean acceleration and the mean angular acceleration of each body (world's axes)
 * over that step. Arguments: MODEL.xml [contact]; contacts and friction loss are disabled without `contact`. */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char error[1000] = "";
    if (argc < 2) return 2;
    mjModel *const m = mj_loadXML(argv[1], NULL, error, sizeof error);
    if (!m || error[0]) fprintf(stderr, "%s: %s\n", argv[1], error);
    if (!m) return 1;
    if (argc < 3) m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_FRICTIONLOSS;
    m->opt.integrator = mjINT_RK4;
    m->opt.tolerance = 0, m->opt.iterations = 1000;
    mjData *const d = mj_makeData(m);
    mjtNum(*const before)[6] = calloc((size_t)m->nbody, sizeof *before);
    if (!d || !before) return 1;
    mj_resetDataKeyframe(m, d, 0);
    mj_forward(m, d);
    for (int i = 1; i < m->nbody; i++) mj_objectVelocity(m, d, mjOBJ_BODY, i, before[i], 0);
    mj_step(m, d);
    mj_forward(m, d);
    for (int i = 1; i < m->nbody; i++) {
        mjtNum after[6]; /* angular, then linear */
        mj_objectVelocity(m, d, mjOBJ_BODY, i, after, 0);
        printf("%s", m->names + m->name_bodyadr[i]);
        for (int k = 0; k < 6; k++) printf("\t%.17g", (after[(k + 3) % 6] - before[i][(k + 3) % 6]) / m->opt.timestep);
        printf("\n");
    }
    free(before);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
