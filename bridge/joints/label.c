/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/label.h"

#include <stdio.h>

#include "bridge/joints/class.h"

void ukJointLabel(const ukJoint *joint, char *text, size_t size)
{
    if (!ukIsContact(joint) && joint->name) /* the record of a contact has no name */
        snprintf(text, size, "%s", joint->name);
    else
        snprintf(text, size, "%s joint %llu", joint->class->name, (unsigned long long)joint->serial);
}
