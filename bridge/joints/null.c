/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/null.c: no rows. It still connects islands and keeps bodies awake. */
#include "bridge/joints/class.h"

static void ignoreJoint(ukJoint *joint)
{
    (void)joint;
}

static int nullRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    (void)joint, (void)a, (void)b, (void)context, (void)sink;
    return 0;
}

const ukJointClass ukNullClass = {.name = "null",
                                  .type = dJointTypeNull,
                                  .max_rows = 0,
                                  .create = ignoreJoint,
                                  .refresh = ignoreJoint,
                                  .rows = nullRows};
