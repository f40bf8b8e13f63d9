/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/pushes.h"

#include <string.h>

void ukPushesNote(ukPushes *pushes, ukFrame *a, ukFrame *b, const double force[12])
{
    bool any = false;
    for (int k = 0; k < 12; k++) any |= force[k] != 0; /* true for NaN */
    if (!any) return;
    if (pushes->count < ukMostPushes) {
        pushes->of[pushes->count].a = a;
        pushes->of[pushes->count].b = b;
        memcpy(pushes->of[pushes->count].force, force, sizeof pushes->of[0].force);
    }
    pushes->count++;
}

void ukPushesApply(const ukPushes *pushes)
{
    for (int i = 0; i < pushes->count; i++)
        for (int k = 0; k < 6; k++) {
            pushes->of[i].a->force[k] += pushes->of[i].force[k];
            if (pushes->of[i].b) pushes->of[i].b->force[k] += pushes->of[i].force[6 + k];
        }
}
