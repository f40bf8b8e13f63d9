/* SPDX-License-Identifier: BSD-3-Clause */
/* A semicircular arch of 20 voussoirs without mortar, radial joints, no sliding: it stands from a certain thickness on
 * (Couplet, Heyman, Milankovitch), and falls by hinges that open below that. Voussoirs are sectors of a ring with their
 * true centroids; at each joint the four corners of one face meet the plane of the other. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { Voussoirs, TrueCentroid, HingeAngle, Thickness, Columns };
enum { Sag, FallenSag, Hinges, HingeAt, Count, N = 20 };

static const double width = 0.5;

static const Figure figures[Count] = {
    [Sag] = {"1.05 of the threshold: crown sinks in 1 s", 0, 1e-5, "R"},
    [FallenSag] = {"0.95 of the threshold: crown sinks by 0.01 R in 1 s (1: it does)", 1, 0, ""},
    [Hinges] = {"0.95 of the threshold: hinges, by then", 5, 0, ""},
    [HingeAt] = {"0.95 of the threshold: hinge of the haunch, from the crown", 54, 0, "°"},
};

typedef struct Arch {
    RefWorld *w;
    dBodyID stone[N];
    double mu, inner, outer, centroid; /* radii */
} Arch;

/* a point of the ring in the frame of voussoir i, which is upright when built: world axes, origin at the centroid */
static void onRing(const Arch *a, int i, double radius, double angle, double y, double *p)
{
    const double middle = (i + 0.5) * M_PI / (double)N;
    p[0] = radius * cos(angle) - a->centroid * cos(middle);
    p[1] = y;
    p[2] = radius * sin(angle) - a->centroid * sin(middle);
}

static Arch build(Stepper stepper, double h, double mu, double thickness)
{
    Arch a = {.w = refWorld(stepper, h), .mu = mu, .inner = 1 - thickness / 2, .outer = 1 + thickness / 2};
    const double ri = a.inner, ro = a.outer, half = M_PI / (double)(2 * N), area = (ro * ro - ri * ri) * half;
    const double m = area * width, polar = m * (ri * ri + ro * ro) / 2;
    a.centroid = 2 * (ro * ro * ro - ri * ri * ri) / (3 * (ro * ro - ri * ri)) * sin(half) / half;
    const double I = polar - m * a.centroid * a.centroid, across = m * width * width / 12 + I / 2;
    for (int i = 0; i < N; i++) {
        const double middle = (i + 0.5) * M_PI / (double)N;
        a.stone[i] = refBody(a.w, m, across, I, across, a.centroid * cos(middle), 0, a.centroid * sin(middle));
    }
    return a;
}

/* Contacts of joint j, at the angle j pi/N: corners of the stone before it (of stone 0 on the ground at joint 0).
 * gap (2): at the inner and the outer edge. */
static void joint(const Arch *a, int j, bool contacts, double *gap)
{
    const double angle = j * M_PI / (double)N, sign = j == 0 ? 1 : -1;
    const int of = j == 0 ? 0 : j - 1;
    const dBodyID stone = a->stone[of], other = j == 0 || j == N ? 0 : a->stone[j];
    for (int c = 0; c < 4; c++) {
        dVector3 p, on = {0}, n = {0, 0, 1, 0};
        double local[3];
        onRing(a, of, c & 1 ? a->outer : a->inner, angle, c & 2 ? width / 2 : -width / 2, local);
        dBodyGetRelPointPos(stone, local[0], local[1], local[2], p);
        if (other) {
            onRing(a, j, 1, angle, 0, local);
            dBodyGetRelPointPos(other, local[0], local[1], local[2], on);
            dBodyVectorToWorld(other, sign * -sin(angle), 0, sign * cos(angle), n);
        }
        gap[c & 1] = (p[0] - on[0]) * n[0] + (p[1] - on[1]) * n[1] + (p[2] - on[2]) * n[2];
        if (contacts) refContact(a->w, stone, other, p, n, gap[c & 1], a->mu);
    }
}

static double crown(const Arch *a)
{
    return 0.5 * (dBodyGetPosition(a->stone[N / 2 - 1])[2] + dBodyGetPosition(a->stone[N / 2])[2]);
}

/* Sinking of the crown after a second, or when it is beyond `enough`; then the joints that are open. */
static double stand(Arch *a, double enough, double *hinges, double *at)
{
    const double start = crown(a);
    double gap[2], sag = 0;
    for (int k = 0; k < (int)lround(1 / a->w->h) && sag < enough; k++) {
        for (int j = 0; j <= N; j++) joint(a, j, true, gap);
        refStep(a->w);
        sag = start - crown(a);
    }
    *hinges = *at = 0;
    for (int j = 0; j <= N; j++) {
        joint(a, j, false, gap);
        if (fabs(gap[0] - gap[1]) < 1e-4) continue;
        (*hinges)++;
        if (j > 0 && j < N / 2) *at = 90 - j * 180.0 / (double)N;
    }
    return sag;
}

static void arch(Stepper stepper, double h, double mu, double *out)
{
    int rows;
    double *table = refTable("contact_masonry_arch.csv", Columns, &rows), least = NAN, hinges, at;
    for (int r = 0; r < rows; r++)
        if (table[r * Columns + Voussoirs] == (double)N) least = table[r * Columns + Thickness];
    free(table);
    Arch a = build(stepper, h, mu, 1.05 * least);
    out[Sag] = stand(&a, INFINITY, &hinges, &at);
    refWorldEnd(a.w);
    a = build(stepper, h, mu, 0.95 * least);
    out[FallenSag] = stand(&a, 0.01, &out[Hinges], &out[HingeAt]) >= 0.01;
    refWorldEnd(a.w);
}

static void withoutSliding(Stepper stepper, double h, double *out)
{
    arch(stepper, h, dInfinity, out);
}

/* enough against sliding, and every contact has its cone */
static void withCones(Stepper stepper, double h, double *out)
{
    arch(stepper, h, 0.7, out);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("masonry arch, mu infinite", figures, Count, 1e-3, withoutSliding);
    refProblem("masonry arch, mu = 0.7", figures, Count, 2e-3, withCones);
    return refEnd();
}
