/* SPDX-License-Identifier: BSD-3-Clause */
/* The half-lever row of a translation (linear motors, friction of a slider): Jdot v against the difference of J v along
 * the motion. */
#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/joints/bias.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Stride = 12, Rows = 4 };

typedef struct Sink {
    ukRowSink sink;
    double J[Rows * Stride], phi[Rows], bias[Rows];
} Sink;

static ukRowSink *empty(Sink *s)
{
    memset(s, 0, sizeof *s);
    s->sink.J = s->J;
    s->sink.phi = s->phi;
    s->sink.bias = s->bias;
    s->sink.stride = Stride;
    return &s->sink;
}

static ukState any(Random *r)
{
    ukState s;
    memset(&s, 0, sizeof s);
    for (int k = 0; k < 3; k++) s.x[k] = randomUniform(r, -1, 1);
    for (int k = 0; k < 6; k++) s.v[k] = randomUniform(r, -2, 2);
    return s;
}

/* J v of the row at time t: bodies move on at constant velocities, u turns with a */
static double rowRate(const ukState *a, const ukState *b, const double u[3], double t)
{
    Sink sink;
    ukState at[2] = {*a, b ? *b : *a};
    double n[3], size = 0, along, turned[3], sum = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) at[i].x[k] += t * at[i].v[k];
    for (int k = 0; k < 3; k++) size += a->v[3 + k] * a->v[3 + k];
    size = sqrt(size);
    for (int k = 0; k < 3; k++) n[k] = a->v[3 + k] / size;
    ukCross(n, u, turned);
    along = ukDot(n, u);
    double moved[3];
    for (int k = 0; k < 3; k++)
        moved[k] = cos(size * t) * u[k] + sin(size * t) * turned[k] + (1 - cos(size * t)) * along * n[k];
    ukRowSlide(empty(&sink), 0, moved, &at[0], b ? &at[1] : NULL);
    for (int k = 0; k < 6; k++) sum += sink.J[k] * a->v[k] + (b ? sink.J[6 + k] * b->v[k] : 0);
    return sum;
}

static void biasIsTheRate(Random *r, bool has_b)
{
    const double step = 1e-4, axis[3] = {randomUniform(r, -1, 1), randomUniform(r, -1, 1), 0.6};
    const ukState a = any(r), other = any(r), *b = has_b ? &other : NULL;
    double u_dot[3];
    Sink sink;
    ukTurnRate(&a, axis, u_dot);
    ukBiasSlide(empty(&sink), 0, axis, u_dot, &a, b);
    const double rate = (rowRate(&a, b, axis, step) - rowRate(&a, b, axis, -step)) / (2 * step);
    CHECK_NEAR(sink.bias[0], rate, 1e-6);
}

int main(void)
{
    Random r = {1234};
    for (int i = 0; i < 100; i++) {
        biasIsTheRate(&r, false);
        biasIsTheRate(&r, true);
    }
    return ukTestEnd();
}
