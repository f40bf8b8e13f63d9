/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/compare/parting.h: describes in words where two runs of a program diverge. */
#ifndef UKODE_PLUGIN_TOOLS_COMPARE_PARTING_H
#define UKODE_PLUGIN_TOOLS_COMPARE_PARTING_H

#include "plugin/tools/compare/difference.h"

typedef struct Parting {
    bool parted;
    int compared;     /* steps so far */
    int64_t number;   /* of the last one */
    char first[1000]; /* of the first step after which they are apart */
    char latest[200]; /* of the last one */
} Parting;

/* Two states of the same step, and what differs between them: the runs diverge at the first after which a body is more
 * than 1e-6 (m or rad) from its place in the other run, or has no finite position. `where`: "natively", "in
 * a.ukode". */
void partingTake(Parting *parting, const Walk *x, const Walk *y, const Difference *difference, const char *where);

/* One sentence or more: that step; the body, by how much; the joint whose reaction differs most then, in which of its
 * components; rows and contacts; and how far they are apart at the end. */
void partingDescribe(const Parting *parting, const char *where, char *text, size_t size);

#endif
