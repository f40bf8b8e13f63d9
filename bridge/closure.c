#include "bridge/closure.h"

#include <math.h>
#include <string.h>

#include "bridge/compromise.h"
#include "bridge/projection.h"
#include "bridge/solve.h"
#include "solvers/status.h"

/* of a world in double precision */
static const double default_cfm = 1e-10;

/* Singular values up to this times the drift are the drift's: measured on Bricard's linkage, 0.002 to 0.01 times it,
 * where the next one is 0.006 (relative, for bars of 1 m). */
static const double by_drift = 0.1, least_cut = 1e-7, most_cut = 1e-4;

/* Beside cfm/h, the square of a singular value: below, CFM lets go of what the row takes of a motion (rows dependent
 * wherever they are, as those of a door's hinges, keep the split of their forces that ODE gives them); above, CFM means
 * nothing. */
static const double negligible = 1e-9, binding = 300;

/* Of the accelerations in play: what the velocities asked of rows that are dependent on the constraints contradict one
 * another by is of second order in the drift (Bricard's linkage: 0.2 times it). More is first order, rows that ask for
 * different things, as a fixed joint made anew every step and a ball joint with a gap: CFM is their compromise, as in
 * ODE. */
static const double contradiction = 10, rounding = 1e-12, sure = 1e-9;

static double largestCfm(const ukStepper *s, const ukProblem *p)
{
    const double *cfm = s->cfm + (p->b - s->b);
    double largest = 0;
    for (int i = 0; i < p->rows; i++) largest = cfm[i] > largest ? cfm[i] : largest;
    return largest;
}

/* largest (A M^-1 A')_ii */
static double largestScale(const ukProblem *p)
{
    double largest = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++)
            largest = fmax(largest, ukProblemCompliance(p, &p->block[k], i));
    return largest;
}

static void soften(ukStepper *s, const ukProblem *p, double per_cfm)
{
    const size_t row0 = (size_t)(p->b - s->b);
    for (size_t i = row0; i < row0 + (size_t)p->rows; i++) s->softness[i] = s->cfm[i] * per_cfm;
}

/* |A' r| in M^-1 */
static double together(const ukProblem *p, const double *r, double *f)
{
    double sum = 0;
    memset(f, 0, 6 * (size_t)p->bodies * sizeof *f);
    ukProblemApplyTransposed(p, r, f);
    for (int i = 0; i < p->bodies; i++, f += 6) {
        const double *J = p->inverse_inertia + 9 * (size_t)i;
        for (int c = 0; c < 3; c++)
            sum += f[c] * f[c] / p->mass[i] + f[3 + c] * (J[3 * c] * f[3] + J[3 * c + 1] * f[4] + J[3 * c + 2] * f[5]);
    }
    return sqrt(sum);
}

static double norm(const double *r, size_t m)
{
    double sum = 0;
    for (size_t i = 0; i < m; i++) sum += r[i] * r[i];
    return sqrt(sum);
}

/* Right-hand sides that can be met together: what they miss is taken out if it is small and pushes nothing, as what
 * dependent rows contradict one another by does. False where it is another thing. */
static bool reconcile(ukStepper *s, const ukProblem *p, const ukSolution *out, double tolerance, double drift, double h)
{
    const size_t row0 = (size_t)(p->b - s->b), m = (size_t)p->rows;
    double *missed = s->scratch, play = 0, asked = 0;
    ukProblemApply(p, out->qdd, missed);
    for (size_t i = 0; i < m; i++) {
        missed[i] -= p->b[i];
        play = fmax(play, fabs(p->b[i]));
        asked += missed[i] * s->c[row0 + i];
    }
    for (int i = 0; i < 6 * p->bodies; i++)
        if (i % 6 < 3) play = fmax(play, fabs(p->Q[i]) / p->mass[i / 6]);
    const double size = norm(missed, m);
    if (!(fabs(asked) / h <= (contradiction * drift + sure) * play * size)) return false;
    if (together(p, missed, missed + m) > sqrt(largestScale(p)) * (tolerance * size + rounding * play)) return false;
    double *stated = missed;
    for (size_t i = 0; i < m; i++) {
        s->b[row0 + i] += missed[i];
        s->c[row0 + i] = s->rate[row0 + i] + h * s->b[row0 + i] + s->cfm[row0 + i] * out->lambda[i];
        stated[i] += s->cfm[row0 + i] / h * out->lambda[i];
    }
    s->outcomes[p - s->problems].compromise = ukCompromise(p, stated);
    s->outcomes[p - s->problems].cfm_aside = largestCfm(s, p) > 0;
    return true;
}

int ukClosureSolve(ukStepper *s, int index, ukSolution *out)
{
    const ukProblem *p = &s->problems[index];
    const double h = s->ideal[index].h, cfm = largestCfm(s, p);
    const double drift = ukDrift(s, p), cut = fmin(fmax(by_drift * drift, least_cut), most_cut);
    const double look = 3 * cut;
    int status = ukStepperScratch(s, (6 * (size_t)p->bodies + (size_t)p->rows) * sizeof(double));
    if (status == ukOk) status = ukSparseSolveProblem(s->sparse, p, 0, out);
    if (status != ukOk) return status;
    const double least = ukSparseLeast(s->sparse, look);
    if (least > cut) return ukOk;
    if (cfm > 0) {
        const double square = least * least * largestScale(p) * h / cfm;
        if (square < negligible || square > binding) return ukOk;
    }
    soften(s, p, 0);
    status = ukSparseSolveSuspect(s->sparse, p, cut, look, out);
    if (status != ukOk || (out->rank < p->rows && reconcile(s, p, out, cut, drift, h))) return status;
    soften(s, p, 1 / h);
    return ukSparseSolveProblem(s->sparse, p, 0, out);
}

bool ukClosureSuspect(const ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const ukBlockOwner *owner = s->owners + (p->block - s->blocks);
    if (p->lo || s->world->settings.rank_tolerance > 0 || !ukProblemHasLoops(p)) return false;
    for (int k = 0; k < p->blocks; k++)
        if (!owner[k].joint) return false;
    return !(largestCfm(s, p) > default_cfm);
}
