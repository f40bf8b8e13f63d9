/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/integrate_euler.h"
#include "bridge/island/view.h"

void ukIntegrateEuler(ukStepper *s, int index, double h, bool shifted, bool mean)
{
    const ukIsland *island = &s->islands[index];
    const size_t first = ukViewOf(s, &s->problems[index]).column0;
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->bodies.frames[i];
        double *v = f->state.v, along[6];
        const size_t at = first + 6 * (size_t)(f->moving >= 0 ? f->moving : 0);
        if (f->moving >= 0)
            for (int k = 0; k < 6; k++) v[k] += h * s->bodies.qdd[at + (size_t)k];
        f->cap = ukFrameCap(f->body, v);
        for (int k = 0; k < 6; k++) along[k] = mean ? 0.5 * (f->start.v[k] + v[k]) : v[k];
        if (shifted && f->moving >= 0)
            for (int k = 0; k < 6; k++) along[k] += s->bodies.shift[at + (size_t)k];
        f->finite = ukFrameAdvance(f->body, along, h, f->state.x, f->state.q);
    }
}
