/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/bounded_rows.c: findings: one-sided and bounded rows of user constraints that are violated
 * before the first step, saturated, without effect, or inconsistent. */
#include <math.h>

#include "plugin/tools/findings/findings.h"

static const double violated =
    0.005; /* [m or rad] largest violation before the first step that is accepted; as for stops */
static const double closing = 0.1;   /* [m/s or rad/s] of a closed gap before the first step */
static const double touching = 1e-6; /* [m or rad] */
static const double often = 0.5;     /* of the steps */
static const double remains =
    0.8; /* the error has not decreased if this fraction of its largest value remains at the end */
static const double noticed = 0.05; /* [m/s or rad/s] */
static const double apart = 0.3;    /* of the larger rate */
enum { LeastSteps = 10, LeastFlicker = 10, MaxStepGap = 3 /* steps between two rows that are compared */ };

/* One row of a user constraint. The numbers of its last recorded step, and sums over all of them. */
typedef struct Row {
    int64_t constraint, row, body, number, step;
    bool one_sided, holonomic, jumped; /* jumped: a closed gap closed before the first step */
    double low, high, restitution, error, rate_error, time, multiplier;
    double error_at_start, rate_at_start; /* before the first step; NaN: not known */
    double largest, prescribed, rates;    /* error; sums of |A v - rate error| and |rate error| */
    int steps, saturated, idle, without_bodies, compared, inconsistent, flickers;
    int64_t first_saturated, first_step, free_since; /* free_since: number of the step; 0: the row acts, or never did */
    double begin;                                    /* [s] */
    bool at_bound;                                   /* in the last step */
} Row;

static const char bounded_rows[] =
    "SELECT r.constraint_number, r.row, r.body_1, s.number, r.one_sided, r.low, r.high, r.restitution, "
    "r.position_error, r.rate_error, r.rate, r.compliance, r.multiplier, s.time, r.step FROM bounded_row_step r JOIN "
    "step s ON s.step = r.step WHERE s.world = %lld ORDER BY 1, 2, r.step";

static Finding *addOfRow(Findings *findings, int64_t world, const Row *r, const char *kind, Severity severity,
                         int64_t step)
{
    Finding *const f = findingAdd(findings, severity, kind);
    f->depth = 1, f->world = world, f->body = r->body, f->step = step;
    return f;
}

/* ---- before the first step --------------------------------------------------------------------------------------- */

static void judgeStart(Findings *findings, int64_t world, const Row *r)
{
    if (!r->one_sided) return;
    if (r->error_at_start < -violated) {
        Finding *const f = addOfRow(findings, world, r, "row_at_start", FindingWarning, r->first_step);
        f->value = -r->error_at_start, f->unit = "m or rad", f->excess = f->value / violated;
        findingWhat(
            f, "violated at the start: one-sided row %lld of constraint %lld (of %s) has a gap of %.3g m or rad",
            (long long)r->row, (long long)r->constraint, findingBody(findings->reader, r->body), r->error_at_start);
        findingCause(f, "The first steps push the bodies until the gap is open.");
        findingRemedy(f, "Start with a gap that is not negative, or correct the error function.");
    } else if (r->jumped) {
        Finding *const f = addOfRow(findings, world, r, "row_jump_at_start", FindingNote, r->first_step);
        f->value = -r->rate_at_start, f->unit = "m/s or rad/s", f->excess = f->value / closing;
        findingWhat(f,
                    "impact in the first step: one-sided row %lld of constraint %lld (of %s) is closed, and closes at "
                    "%.3g m/s or rad/s",
                    (long long)r->row, (long long)r->constraint, findingBody(findings->reader, r->body), f->value);
        findingCause(f, "The initial velocities do not satisfy the row: the first step changes them by an impact.");
        findingRemedy(f, "Start with velocities along the row, or with an open gap.");
    }
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* A row whose target is zero is a brake or dry friction: it slides at its bound, as intended. */
static void judgeSaturation(Findings *findings, int64_t world, const Row *r)
{
    const double error = fabs(r->holonomic ? r->error : r->rate_error);
    if (r->one_sided || r->steps < LeastSteps || r->saturated < often * r->steps || !r->at_bound) return;
    if (!(error > (r->holonomic ? violated : noticed)) || error < remains * r->largest) return;
    if (!r->holonomic && r->prescribed < 0.1 * r->rates) return;
    Finding *const f = addOfRow(findings, world, r, "row_limit", FindingWarning, r->first_saturated);
    f->value = r->multiplier, f->unit = "N or N m", f->excess = (double)r->saturated / (often * r->steps);
    findingWhat(
        f, "bounds too narrow: row %lld of constraint %lld (of %s) is at its bound of %.4g in %.0f %% of the steps",
        (long long)r->row, (long long)r->constraint, findingBody(findings->reader, r->body), r->multiplier,
        100.0 * r->saturated / r->steps);
    findingCause(f, "Its %s error of %.3g does not decrease: the load exceeds the bound.",
                 r->holonomic ? "position" : "rate", error);
    findingRemedy(f, "Wider bounds (ukConstraintSetBounds), or a smaller load.");
}

static void judgeIdle(Findings *findings, int64_t world, const Row *r)
{
    const bool without_bodies = r->without_bodies == r->steps;
    if (r->steps == 0 || (!without_bodies && r->idle < r->steps)) return;
    Finding *const f = addOfRow(findings, world, r, "idle_row", FindingWarning, 0);
    findingWhat(f, "row without effect: row %lld of constraint %lld (of %s)", (long long)r->row,
                (long long)r->constraint, findingBody(findings->reader, r->body));
    findingCause(f, "%s",
                 without_bodies ? "Its coefficients are zero for all bodies that move."
                                : "Both its bounds are zero in all steps.");
    findingRemedy(f, "%s", without_bodies ? "Write A in the constraint's function." : "Set bounds that admit a force.");
}

/* ---- the error function ------------------------------------------------------------------------------------------ */

static void judgeRate(Findings *findings, int64_t world, const Row *r)
{
    if (r->compared < LeastSteps || r->inconsistent < often * r->compared) return;
    Finding *const f = addOfRow(findings, world, r, "row_rate", FindingError, 0);
    f->value = (double)r->inconsistent / r->compared, f->excess = f->value / often;
    findingWhat(f, "inconsistent error function: row %lld of constraint %lld (of %s), in %.0f %% of the steps",
                (long long)r->row, (long long)r->constraint, findingBody(findings->reader, r->body), 100 * f->value);
    findingCause(f, "The position error phi does not change at the rate psi that the function returns.");
    findingRemedy(f,
                  "Return psi = d phi/d t, in the same unit and with the same sign; ukConstraintAudit compares them.");
}

static void judgeFlicker(Findings *findings, int64_t world, const Row *r)
{
    const double duration = r->time - r->begin;
    if (r->flickers < LeastFlicker || !(r->flickers >= 4 * duration)) return;
    Finding *const f = addOfRow(findings, world, r, "row_flickers", FindingWarning, r->first_step);
    f->value = r->flickers, f->excess = (double)r->flickers / LeastFlicker;
    findingWhat(f,
                "row flickers: one-sided row %lld of constraint %lld (of %s) opens for at most %d steps and closes "
                "again, %d times",
                (long long)r->row, (long long)r->constraint, findingBody(findings->reader, r->body), MaxStepGap - 1,
                r->flickers);
    findingCause(f, "The correction of the position error opens the gap, because ERP times phi exceeds the violation.");
    findingRemedy(f, "A smaller ERP (dWorldSetERP), or a gap phi in metres or radians.");
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

static void judgeRow(Findings *findings, int64_t world, const Row *r)
{
    if (r->constraint == 0) return;
    judgeStart(findings, world, r);
    judgeSaturation(findings, world, r);
    judgeIdle(findings, world, r);
    judgeRate(findings, world, r);
    judgeFlicker(findings, world, r);
}

/* Whether phi changed from `before` to `now` at none of the rates between psi then and psi now. */
static void compareRates(Row *now, const Row *before)
{
    const double dt = now->time - before->time, change = (now->error - before->error) / dt;
    const double low = fmin(before->rate_error, now->rate_error), high = fmax(before->rate_error, now->rate_error);
    const double scale = fmax(fabs(change), fmax(fabs(low), fabs(high)));
    if (!(dt > 0) || !isfinite(change) || !isfinite(low + high) || scale < noticed) return;
    now->compared++;
    now->inconsistent += change < low - apart * scale || change > high + apart * scale;
}

static void countFlicker(Row *now, const Row *before)
{
    const bool acts = now->multiplier > 0, acted = before->multiplier > 0;
    if (!now->one_sided || !now->holonomic || now->restitution > 0) return;
    if (acted && !acts) now->free_since = now->number;
    if (!acts) return;
    now->flickers += now->free_since > 0 && now->number - now->free_since < MaxStepGap;
    now->free_since = 0;
}

static bool isAt(double multiplier, double bound)
{
    return isfinite(bound) && bound != 0 && fabs(multiplier - bound) <= 1e-3 * fabs(bound);
}

/* Adds the recorded step at q to the row's sums, which start from zero if it belongs to another row. */
static Row nextRow(const Query *q, const Row *before, bool every)
{
    Row r = *before;
    const bool same = before->constraint == queryInteger(q, 0) && before->row == queryInteger(q, 1);
    if (!same) r = (Row){.constraint = queryInteger(q, 0), .row = queryInteger(q, 1), .body = queryInteger(q, 2)};
    r.number = queryInteger(q, 3), r.one_sided = queryInteger(q, 4) != 0;
    r.low = queryNumber(q, 5), r.high = queryNumber(q, 6), r.restitution = queryNumber(q, 7);
    r.error = queryNumber(q, 8), r.rate_error = queryNumber(q, 9), r.multiplier = queryNumber(q, 12);
    r.time = queryNumber(q, 13), r.step = queryInteger(q, 14);
    r.holonomic = isfinite(r.error);
    if (!same) {
        const bool first = every || r.number == 1;
        r.begin = r.time, r.first_step = r.step;
        r.error_at_start = first ? r.error : NAN, r.rate_at_start = first ? r.rate_error : NAN;
        r.jumped = first && !(r.error > touching) && !(r.restitution > 0) && r.rate_error < -closing;
    } else if (r.number - before->number <= MaxStepGap) {
        if (r.holonomic) compareRates(&r, before);
        countFlicker(&r, before);
    }
    r.at_bound = isAt(r.multiplier, r.low) || isAt(r.multiplier, r.high);
    if (r.at_bound && r.saturated == 0) r.first_saturated = r.step;
    r.steps++, r.saturated += r.at_bound;
    r.idle += r.low == 0 && r.high == 0;
    r.without_bodies += queryNumber(q, 11) == 0;
    r.largest = fmax(r.largest, fabs(r.holonomic ? r.error : r.rate_error));
    r.prescribed += fabs(queryNumber(q, 10) - r.rate_error), r.rates += fabs(r.rate_error);
    return r;
}

void findingsOfBoundedRows(Findings *findings, int64_t world)
{
    Row row = {.constraint = 0};
    if (!findingsHave(findings, "bounded_row_step")) return;
    const bool every = queryOne(findings->reader, "SELECT every_step FROM run") > 0;
    for (Query q = queryBegin(findings->reader, bounded_rows, (long long)world); queryNext(&q);) {
        const Row now = nextRow(&q, &row, every);
        if (now.constraint != row.constraint || now.row != row.row) judgeRow(findings, world, &row);
        row = now;
    }
    judgeRow(findings, world, &row);
}
