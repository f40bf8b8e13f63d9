#include "bridge/integrate_euler.h"

#include <string.h>

#include "bridge/log.h"
#include "solvers/status.h"

int ukIntegrateEuler(ukStepper *s, int index, double h)
{
    const ukIsland *island = &s->islands[index];
    const double *qdd = s->qdd + (s->problems[index].Q - s->Q);
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->frames[i];
        if (!f->body->handle) continue; /* destroyed by an earlier body's callback */
        double v[6], x[3], q[4];
        memcpy(v, f->start.v, sizeof v);
        memcpy(x, f->start.x, sizeof x);
        memcpy(q, f->start.q, sizeof q);
        if (f->moving >= 0)
            for (int k = 0; k < 6; k++) v[k] += h * qdd[6 * f->moving + k];
        ukFrameCap(f->body, v);
        ukFrameAdvance(f->body, v, h, x, q);
        ukFrameScatter(f, v, x, q);
        if (!s->world->handle) {
            ukErrorSet(ukErrorHandle, "the world was destroyed in a moved callback");
            return ukErrorHandle;
        }
    }
    return ukOk;
}
