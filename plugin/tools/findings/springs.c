/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/springs.c: finding: springs made of ERP and CFM whose oscillation the time step damps. In steps
 * of h, ERP = h k/(h k + d) and CFM = 1/(h k + d) are a spring k with a damper d; the discrete form steps them
 * implicitly, which adds a damper of h k, the fraction ERP of h k + d. At the frequency w, half of the amplitude is
 * lost in 2 ln 2/(w^2 h). */
#include <math.h>

#include "plugin/tools/findings/findings.h"

static const double mostly = 0.9;   /* ERP from which on the time step's is nearly all of the damping */
static const double near = 3;       /* factor between the half-life that is seen, and that of the time step */
static const double clearly = 1e-3; /* amplitude [rad or m] */
/* In a quarter of a period, at least: steps, since what is shorter corrects an error; recorded ones, since a faster
 * oscillation seems to have another frequency. */
enum { Steps = 3, Samples = 2 };

/* a stop at one place: joint, axis, place, ERP, CFM */
static const char springs[] =
    "SELECT j.joint, lo.axis, lo.value, erp.value, cfm.value FROM joint j JOIN world w ON w.world = j.world JOIN "
    "joint_parameter lo ON lo.joint = j.joint AND lo.name = 'lo_stop' JOIN joint_parameter hi ON hi.joint = j.joint "
    "AND "
    "hi.axis = lo.axis AND hi.name = 'hi_stop' AND hi.value = lo.value JOIN joint_parameter erp ON erp.joint = j.joint "
    "AND "
    "erp.axis = lo.axis AND erp.name = 'stop_erp' JOIN joint_parameter cfm ON cfm.joint = j.joint AND cfm.axis = "
    "lo.axis "
    "AND cfm.name = 'stop_cfm' AND cfm.value > 0 WHERE j.world = %lld AND w.integrator NOT IN ('adaptive', 'radau') "
    "AND erp.value >= "
    "%g "
    "ORDER BY j.joint, lo.axis";

/* How one spring swings, as far as it was read. */
typedef struct Swing {
    double peak, time;    /* largest deflection, and when [s] */
    double before, at;    /* the last sample */
    double crossed, half; /* first time at which it passes its rest after the peak, 0: none; last at half of the peak */
    double end;
    int samples;  /* from the peak to `crossed` */
    int64_t step; /* of the peak */
} Swing;

static void addSample(Swing *s, int64_t step, double time, double x)
{
    if (fabs(x) > s->peak) {
        *s = (Swing){.peak = fabs(x), .time = time, .step = step, .half = time};
    } else {
        if (s->crossed == 0) s->samples++;
        if (s->crossed == 0 && x * s->before <= 0) s->crossed = s->at + (time - s->at) * s->before / (s->before - x);
        if (fabs(x) > s->peak / 2) s->half = time;
    }
    s->before = x;
    s->at = s->end = time;
}

static Swing swingOf(Findings *findings, int64_t joint, int64_t axis, double rest)
{
    Swing s = {.peak = 0};
    for (Query q = queryBegin(findings->reader,
                              "SELECT s.step, s.time, CASE %lld WHEN 1 THEN j.angle_1 WHEN 2 THEN j.angle_2 ELSE "
                              "j.angle_3 END FROM joint_step j JOIN step s ON s.step = j.step WHERE j.joint = %lld "
                              "ORDER BY s.step",
                              (long long)axis, (long long)joint);
         queryNext(&q);) {
        const double x = queryNumber(&q, 2) - rest;
        if (isfinite(x)) addSample(&s, queryInteger(&q, 0), queryNumber(&q, 1), x);
    }
    return s;
}

/* the half-life [s], as the time step's damping explains it; 0: it does not */
static double halfLife(const Swing *s, double h)
{
    const double quarter = s->crossed - s->time, seen = s->half - s->time;
    if (!(s->peak > clearly) || !(s->crossed > 0) || !(quarter > Steps * h) || s->samples <= Samples) return 0;
    const double w = acos(-1) / (2 * quarter), expected = 2 * log(2) / (w * w * h);
    if (!(s->end - s->time > 2 * fmax(expected, seen))) return 0;
    /* extremes are half a period apart: the last one above half of the peak is up to that much early */
    return seen + 2 * quarter > expected / near && seen < near * expected ? expected : 0;
}

static void judgeDamping(Findings *findings, int64_t world, const Query *q, double h)
{
    const int64_t joint = queryInteger(q, 0), axis = queryInteger(q, 1);
    const double erp = queryNumber(q, 3), cfm = queryNumber(q, 4);
    const Swing s = swingOf(findings, joint, axis, queryNumber(q, 2));
    const double life = halfLife(&s, h);
    Finding *const f = life > 0 ? findingAdd(findings, FindingWarning, "spring_damped") : NULL;
    if (!f) return;
    f->depth = 1, f->world = world, f->joint = joint, f->step = s.step, f->value = life, f->unit = "s",
    f->excess = (s.end - s.time) / life;
    findingWhat(f, "spring damped by the time step: %s loses half of its amplitude in %.2g s",
                findingJoint(findings->reader, joint), life);
    findingCause(
        f,
        "Its ERP and CFM about axis %lld are a spring of %.3g (N/m or N m/rad) with a damper of %.3g (N s/m or N m "
        "s/rad); the step adds a damper of %.3g, h times the spring.",
        (long long)axis, erp / (cfm * h), fmax(1 - erp, 0) / cfm, erp / cfm);
    findingRemedy(f, "a shorter step h, with ERP = h k/(h k + d) and CFM = 1/(h k + d) for it.");
}

void findingsOfSprings(Findings *findings, int64_t world)
{
    const double h = queryOne(findings->reader, "SELECT avg(h) FROM step WHERE world = %lld", (long long)world);
    for (Query q = queryBegin(findings->reader, springs, (long long)world, mostly); queryNext(&q);)
        judgeDamping(findings, world, &q, h);
}
