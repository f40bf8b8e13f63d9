/* SPDX-License-Identifier: BSD-3-Clause */
/* The continuous form of every joint type: Jdot v is the rate of J v along the motion, J v the rate of phi, and an
 * acceleration with J qdd = -Jdot v keeps phi at zero. Thousands of random poses and motions a type, both orders of
 * attachment, towards the world and towards a body, motors and locked stops among the rows. States are the test's own:
 * nothing is stepped. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/joints/geometry.h"
#include "bridge/world/frame.h"
#include "tests/check.h"
#include "tests/parity/joint_kind.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { Worlds = 1500, Rows = ukMaxJointRows };

/* ---- rows at states of the test's own ---- */

static void sample(Oracle *o, const ukState s[2], bool continuous, OracleRows *out)
{
    ukJoint *joint = &o->row_maker;
    const ukRowContext context = {.h = o->h, .erp = 0.2, .cfm = 0, .exact = true};
    ukRowSink sink = oracleSink(joint, out, continuous);
    out->rows = joint->class->rows(joint, &s[0], joint->body[1] ? &s[1] : NULL, &context, &sink);
}

static void statesOf(const Oracle *o, ukState s[2])
{
    s[0] = ukStateOf(o->row_maker.body[0]);
    s[1] = o->row_maker.body[1] ? ukStateOf(o->row_maker.body[1]) : s[0];
}

/* pose after `t` with constant acceleration (12) over both bodies; NULL: none. The velocity stays as it was. */
static void along(const ukState from[2], double t, const double *qdd, ukState to[2])
{
    for (int k = 0; k < 2; k++) {
        double theta[3];
        to[k] = from[k];
        for (int i = 0; i < 3; i++) {
            const double x = qdd ? qdd[6 * k + i] : 0, w = qdd ? qdd[6 * k + 3 + i] : 0;
            to[k].x[i] += t * from[k].v[i] + t * t / 2 * x;
            theta[i] = t * from[k].v[3 + i] + t * t / 2 * w;
        }
        ukRotateBy(to[k].q, theta);
        ukStateOrient(&to[k]);
    }
}

static double apply(const OracleRows *r, int i, const double *J, const double *x)
{
    double sum = 0;
    for (int k = 0; k < r->stride; k++) sum += J[i * r->stride + k] * x[k];
    return sum;
}

static void velocities(const ukState s[2], double v[12])
{
    memcpy(v, s[0].v, sizeof s[0].v);
    memcpy(v + 6, s[1].v, sizeof s[1].v);
}

/* x += J^+ r over the rows with use[i]; independent ones. Gauss without pivots on J J'. */
static void shift(const OracleRows *s, const bool *use, const double *r, double x[12])
{
    double K[Rows][Rows + 1];
    int row[Rows], n = 0;
    for (int i = 0; i < s->rows; i++)
        if (use[i]) row[n++] = i;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) K[i][j] = apply(s, row[i], s->J, s->J + row[j] * s->stride);
        K[i][n] = r[row[i]];
    }
    for (int c = 0; c < n; c++)
        for (int i = 0; i < n; i++)
            for (int j = n; i != c && j >= c; j--) K[i][j] -= K[i][c] / K[c][c] * K[c][j];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < s->stride; k++) x[k] += K[i][n] / K[i][i] * s->J[row[i] * s->stride + k];
}

/* which rows can be kept: those with an error, and of all of them the independent ones (locks of a Universal, say) */
static int holonomic(const OracleRows *r, bool use[Rows])
{
    int n = 0;
    for (int i = 0; i < r->rows; i++) n += use[i] = !r->velocity[i] && !r->stop[i];
    return n;
}

static double worstError(const OracleRows *r, const bool *use)
{
    double worst = 0;
    for (int i = 0; i < r->rows; i++)
        if (use[i]) worst = fmax(worst, fabs(r->phi[i]));
    return worst;
}

/* Moved away from where it was set up, the joint is brought back to its constraints by Newton steps with its own J and
 * phi: they converge quadratically only where J v is the rate of phi. */
static bool bringBack(Oracle *o, const JointKind *kind, ukState s[2], OracleRows *r)
{
    bool use[Rows];
    ukState from[2];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 6; i++) s[k].v[i] = randomUniform(&o->random, -0.3, 0.3);
    memcpy(from, s, sizeof from);
    along(from, 1, NULL, s);
    sample(o, s, true, r);
    double error[12];
    int n = 0;
    for (; n < 12 && holonomic(r, use); n++) {
        double step[12] = {0}, back[Rows];
        error[n] = worstError(r, use);
        if (error[n] < 1e-14) break;
        for (int i = 0; i < r->rows; i++) back[i] = -r->phi[i];
        shift(r, use, back, step);
        memcpy(from, s, sizeof from);
        for (int k = 0; k < 2; k++) memcpy(from[k].v, step + 6 * k, sizeof from[k].v);
        along(from, 1, NULL, s);
        sample(o, s, true, r);
    }
    const double rest = worstError(r, use);
    if (!CHECK(rest < 1e-13)) {
        printf("%s: phi", kind->class->name);
        for (int i = 0; i < n; i++) printf(" %.2g", error[i]);
        printf("\n");
        return false;
    }
    for (int i = 0; i + 1 < n; i++)
        if (error[i] < 1e-2 && !CHECK(error[i + 1] < 100 * error[i] * error[i] + 1e-14))
            printf("%s: phi %.3g then %.3g\n", kind->class->name, error[i], error[i + 1]);
    return true;
}

static void anyMotion(Oracle *o, ukState s[2])
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 6; i++) s[k].v[i] = randomUniform(&o->random, -2, 2);
}

static void complain(const JointKind *kind, int row, uint64_t seed, const char *what)
{
    printf("%s (mode %d), row %d, seed %llu: %s\n", kind->class->name, kind->mode, row, (unsigned long long)seed, what);
}

/* no stop was reached or left on the way, and no plane space or chain changed its branch */
static bool sameRows(const OracleRows *r, const OracleRows *before, const OracleRows *after)
{
    if (before->rows != r->rows || after->rows != r->rows) return false;
    for (int i = 0; i < r->rows; i++) {
        if (before->stop[i] != r->stop[i] || after->stop[i] != r->stop[i]) return false;
        for (int k = i * r->stride; k < (i + 1) * r->stride; k++)
            if (fabs(after->J[k] - before->J[k]) > 0.1 || fabs(after->J[k] - 2 * r->J[k] + before->J[k]) > 1e-3)
                return false;
    }
    return true;
}

/* any pose, any motion: bias against the central difference of J v; stops have no continuous form */
static bool biasIsTheRate(Oracle *o, const JointKind *kind, const ukState s[2], bool satisfied, uint64_t seed)
{
    static const double step[2] = {1e-5, 2e-5};
    OracleRows here, before, after;
    ukState to[2];
    double v[12], rate[2][Rows];
    bool right = true;
    sample(o, s, true, &here);
    velocities(s, v);
    for (int d = 0; d < 2; d++) {
        along(s, -step[d], NULL, to);
        sample(o, to, true, &before);
        jointKindCarry(&o->row_maker, &s[0], &to[0], &before);
        along(s, step[d], NULL, to);
        sample(o, to, true, &after);
        jointKindCarry(&o->row_maker, &s[0], &to[0], &after);
        if (!sameRows(&here, &before, &after)) return false;
        for (int i = 0; i < here.rows; i++)
            rate[d][i] = (apply(&here, i, after.J, v) - apply(&here, i, before.J, v)) / (2 * step[d]);
    }
    for (int i = 0; i < here.rows; i++) {
        if (here.stop[i]) continue;
        const double best = rate[0][i] + (rate[0][i] - rate[1][i]) / 3; /* to fourth order */
        if (!CHECK_NEAR(here.bias[i], best, 0.01 * fabs(rate[0][i] - rate[1][i]) + 1e-8 * (1 + fabs(best)))) {
            complain(kind, i, seed, satisfied ? "bias, satisfied" : "bias, any state");
            right = false;
        }
    }
    return right;
}

/* first (order 1) or second rate of the phi of all rows at s along its velocity and qdd, to fourth order, and how far
 * that may be off; false where other rows are written on the way */
static bool phiRate(Oracle *o, const ukState s[2], const double *qdd, int order, double step, double rate[Rows],
                    double off[Rows])
{
    double coarse[2][Rows];
    OracleRows here, before, after;
    sample(o, s, true, &here);
    for (int d = 0; d < 2; d++) {
        const double h = (1 + d) * step;
        ukState to[2];
        along(s, -h, qdd, to);
        sample(o, to, true, &before);
        along(s, h, qdd, to);
        sample(o, to, true, &after);
        if (!sameRows(&here, &before, &after)) return false;
        for (int i = 0; i < here.rows; i++)
            coarse[d][i] = order == 1 ? (after.phi[i] - before.phi[i]) / (2 * h)
                                      : (after.phi[i] - 2 * here.phi[i] + before.phi[i]) / (h * h);
    }
    for (int i = 0; i < here.rows; i++) {
        rate[i] = coarse[0][i] + (coarse[0][i] - coarse[1][i]) / 3;
        off[i] = 0.01 * fabs(coarse[0][i] - coarse[1][i]);
    }
    return true;
}

/* on the constraints: J v is the rate of phi in any motion, and J qdd + Jdot v its second rate in a possible one */
static void accelerationKeepsPhi(Oracle *o, const JointKind *kind, ukState s[2], const OracleRows *r, const bool *use,
                                 uint64_t seed)
{
    OracleRows here;
    double v[12], qdd[12], wanted[Rows], rate[Rows], off[Rows];
    anyMotion(o, s);
    velocities(s, v);
    if (phiRate(o, s, NULL, 1, 1e-4, rate, off))
        for (int i = 0; i < r->rows; i++)
            if (use[i] && !CHECK_NEAR(rate[i], apply(r, i, r->J, v), off[i] + 1e-8 * (1 + fabs(rate[i]))))
                complain(kind, i, seed, "rate of phi");

    for (int i = 0; i < r->rows; i++) wanted[i] = -apply(r, i, r->J, v);
    shift(r, use, wanted, v);
    memcpy(s[0].v, v, sizeof s[0].v);
    memcpy(s[1].v, v + 6, sizeof s[1].v);
    sample(o, s, true, &here);
    double size = 1;
    for (int i = 0; i < r->rows; i++) size = fmax(size, fabs(here.bias[i]));
    for (int i = 0; i < 12; i++) qdd[i] = randomUniform(&o->random, -2, 2);
    for (int i = 0; i < r->rows; i++) wanted[i] = -here.bias[i] - apply(&here, i, here.J, qdd);
    shift(&here, use, wanted, qdd);
    if (!phiRate(o, s, qdd, 2, 1e-3, rate, off)) return;
    for (int i = 0; i < r->rows; i++)
        if (use[i] && !CHECK_NEAR(rate[i], 0, off[i] + 1e-7 * size)) complain(kind, i, seed, "second rate of phi");
}

/* gears: J v is the rate of phi where the wheels turn about bearings that stand still */
static void gearRate(Oracle *o, const JointKind *kind, ukState s[2], uint64_t seed)
{
    static const double step = 1e-6;
    const ukGear *gear = &o->row_maker.of.gear;
    OracleRows here, before, after;
    double v[12];
    for (int k = 0; k < 2; k++) {
        double n[3], r[3], swing[3];
        const double spin = randomUniform(&o->random, -2, 2);
        ukAxis(&s[k], gear->axis[k], n);
        ukAxis(&s[k], gear->anchor[k], r);
        for (int i = 0; i < 3; i++) s[k].v[3 + i] = spin * n[i];
        ukCross(r, s[k].v + 3, swing);
        for (int i = 0; i < 3; i++) s[k].v[i] = swing[i];
    }
    sample(o, s, true, &here);
    velocities(s, v);
    for (int sign = -1; sign <= 1; sign += 2) {
        ukState turned[2] = {s[0], s[1]};
        for (int k = 0; k < 2; k++) {
            const double theta[3] = {sign * step * s[k].v[3], sign * step * s[k].v[4], sign * step * s[k].v[5]};
            double r0[3], r1[3];
            ukAxis(&turned[k], gear->anchor[k], r0);
            ukRotateBy(turned[k].q, theta);
            ukStateOrient(&turned[k]);
            ukAxis(&turned[k], gear->anchor[k], r1);
            for (int i = 0; i < 3; i++) turned[k].x[i] += r0[i] - r1[i];
        }
        sample(o, turned, true, sign < 0 ? &before : &after);
    }
    if (!CHECK_NEAR((after.phi[0] - before.phi[0]) / (2 * step), apply(&here, 0, here.J, v), 1e-7))
        complain(kind, 0, seed, "rate of phi");
}

/* The exact rows of the discrete form are those of the continuous one, to the bit; so are their right-hand sides if the
 * bodies do not rotate (a gap turns with its body, ukRowsGap). */
static void oneSetOfRows(Oracle *o, const JointKind *kind, const ukState s[2], uint64_t seed)
{
    ukState still[2] = {s[0], s[1]};
    for (int k = 0; k < 3; k++) still[0].v[3 + k] = still[1].v[3 + k] = 0;
    OracleRows with, without;
    sample(o, still, true, &with);
    sample(o, still, false, &without);
    for (int i = 0; i < with.rows; i++)
        if (!CHECK(with.c[i] == without.c[i])) complain(kind, i, seed, "discrete right-hand side");
    sample(o, s, true, &with);
    sample(o, s, false, &without);
    CHECK(with.rows == without.rows);
    if (!CHECK(memcmp(with.lo, without.lo, sizeof with.lo) == 0 && memcmp(with.hi, without.hi, sizeof with.hi) == 0 &&
               memcmp(with.J, without.J, sizeof with.J) == 0))
        complain(kind, 0, seed, "discrete rows");
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < JointKinds; k++) {
        const JointKind *kind = &joint_kinds[k];
        const bool gear = kind->class == &ukTransmissionClass;
        int compared = 0, kept = 0;
        for (uint64_t seed = 1; seed <= Worlds; seed++) {
            Oracle o;
            OracleRows r;
            ukState s[2];
            bool use[Rows];
            jointKindBuild(&o, seed + 100000u * (unsigned)k, kind);
            statesOf(&o, s);
            if (gear) { /* the mesh is measured at the first step */
                const ukRowContext context = {.h = o.h, .commit = true, .exact = true};
                OracleRows first;
                ukRowSink sink = {.J = first.J,
                                  .stride = 12,
                                  .c = first.c,
                                  .phi = first.phi,
                                  .cfm = first.cfm,
                                  .lo = first.lo,
                                  .hi = first.hi,
                                  .velocity = first.velocity,
                                  .discrete_only = first.stop};
                CHECK(kind->class->rows(&o.row_maker, &s[0], &s[1], &context, &sink) == 1);
                gearRate(&o, kind, s, seed);
            }
            oneSetOfRows(&o, kind, s, seed);
            anyMotion(&o, s);
            ukState away[2];
            along(s, 0.2, NULL, away);
            compared += biasIsTheRate(&o, kind, away, false, seed);
            if (!gear && bringBack(&o, kind, s, &r) && holonomic(&r, use)) {
                accelerationKeepsPhi(&o, kind, s, &r, use, seed);
                kept += biasIsTheRate(&o, kind, s, true, seed);
            }
            oracleEnd(&o);
        }
        printf("%-12s mode %d: %d any, %d satisfied\n", kind->class->name, kind->mode, compared, kept);
        CHECK(compared > Worlds / 2);
    }
    dCloseODE();
    return ukTestEnd();
}
