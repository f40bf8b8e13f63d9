/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/integrate_euler.h"
#include "bridge/island/each.h"
#include "bridge/island/island.h"

typedef struct EulerStep {
    ukIsland *island;
    double h;
    bool shifted, mean;
} EulerStep;

UKODE_INLINE void stepFrames(void *context, int begin, int end)
{
    const EulerStep *step = context;
    ukIsland *const island = step->island;
    const double h = step->h;
    for (int i = begin; i < end; i++) {
        ukFrame *f = &island->frame[i];
        double *v = f->state.v, along[6];
        const size_t at = 6 * (size_t)(f->moving >= 0 ? f->moving : 0);
        if (f->moving >= 0)
            for (int k = 0; k < 6; k++) v[k] += h * island->bodies.qdd[at + (size_t)k];
        f->cap = ukFrameCap(f->body, v);
        for (int k = 0; k < 6; k++) along[k] = step->mean ? 0.5 * (f->start.v[k] + v[k]) : v[k];
        if (step->shifted && f->moving >= 0)
            for (int k = 0; k < 6; k++) along[k] += island->bodies.shift[at + (size_t)k];
        f->finite = ukFrameAdvance(f->body, along, h, f->state.x, f->state.q);
    }
}

void ukIntegrateEuler(ukIsland *island, double h, bool shifted, bool mean)
{
    ukEach(island, island->frames, stepFrames, &(EulerStep){island, h, shifted, mean});
}
