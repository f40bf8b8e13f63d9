#include "bridge/advance/integrate_euler.h"

void ukIntegrateEuler(ukStepper *s, int index, double h)
{
    const ukIsland *island = &s->islands[index];
    const double *qdd = s->qdd + (s->problems[index].Q - s->Q);
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->frames[i];
        if (f->moving >= 0)
            for (int k = 0; k < 6; k++) f->state.v[k] += h * qdd[6 * f->moving + k];
        ukFrameCap(f->body, f->state.v);
        ukFrameAdvance(f->body, f->state.v, h, f->state.x, f->state.q);
    }
}
