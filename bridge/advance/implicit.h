/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/advance/implicit.h: the embedded pair for stiff forces, of orders 5 and 4: ESDIRK5(4)7L[2]SA2 of Kennedy &
 * Carpenter (2019), as a method for second-order equations on the group (nystrom.h). Its first stage is explicit, the
 * others hold their own acceleration with one and the same diagonal; it is L-stable, and its last stage is its end.
 * Stages are solved for by Newton's method, an assembly and a solve a pass (stiff.h). */
#ifndef UKODE_BRIDGE_ADVANCE_IMPLICIT_H
#define UKODE_BRIDGE_ADVANCE_IMPLICIT_H

#include "bridge/advance/measure.h"
#include "bridge/island/assemble.h"

enum { ukImplicitStages = 7 };
static const double ukImplicitDiagonal = 23. / 125;

/* The pair as a method for second-order equations, and what order 5 has beyond order 4. */
void ukImplicitPair(ukMethod *method, ukStage *difference);

/* A sub-step's stages, one after the other. */
typedef struct ukImplicit {
    const ukMethod *method;
    const ukMeasure *measure;
    double h, shrinks; /* length [s]; the part of an error that a pass leaves, as far as known */
} ukImplicit;

/* Stage k (1 ...) from the rates of those before it: rates k, with the island assembled and solved where the last pass
 * was. ukOk, ukNotContinuous, or negative: ukErrorNotConverged where passes come no nearer. */
int ukImplicitStage(ukStepper *stepper, int island, const ukIslandStart *start, const ukStepContext *at, ukImplicit *of,
                    int k);

#endif
