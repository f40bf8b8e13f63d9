#include "solvers/bounded/lemke.h"

#include "solvers/problem/block.h"
#include "solvers/base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MostPivots = 30, /* a row */ Refinements = 3 };

/* How wide the friction bounds begin against the dead zones: contacts stick before they slide. Measured on piles of
 * cards with mu = 5 (islands of 38 bodies, 290 rows): 16 pivots a row and 5 % without an end at 1, 2.4 at 1000. */
static const double wide = 1000;

static const double sticking = 1e6, /* for mu = infinity */
    faint = 1e-12,                  /* softness of rigid rows while pivoting: redundant ones have an inverse */
    noise = 1e-12;                  /* of a rate, in units in which K_ii = 1 */

/* Where a row is on its law. Its force variable is lambda, at a bound lambda less that bound; its gap variable is w,
 * off zero w + d tau (positive side) or w - d tau. */
typedef enum State { Free, Zero, Rising, Falling, AtHi, AtLo } State; /* Free: an equality, always held */

/* A dictionary: basic variables as linear functions of the others, which are 0. Variables 2 i and 2 i + 1 are force and
 * gap of row i, 2 m is tau. */
typedef struct Tableau {
    ukBounded *B;
    bool coupled;
    int m, width;      /* columns: m, one more, the constants, padding */
    double *T;         /* ((m + 1) x width), the last row is scratch */
    double *d, *e;     /* (m) */
    double *unit;      /* (m) of force: 1 / sqrt(K_ii); of the gap: sqrt(K_ii). In these units K_ii = 1 */
    int *basic, *rest; /* variable of a row (m), of a column (m + 1) */
    int *place;        /* (2m + 1) row, or -1 - column */
    unsigned char *state;
    int driver, way; /* variable that grows (way = 1) or falls from 0 */
} Tableau;

static int force(int i)
{
    return 2 * i;
}

static int gap(int i)
{
    return 2 * i + 1;
}

static double *rowOf(const Tableau *t, int row)
{
    return t->T + (size_t)row * (size_t)t->width;
}

/* mu of a friction row whose bound goes along with its normal force, else 0 */
static double frictionOf(const Tableau *t, int i)
{
    const ukProblem *p = t->B->given;
    if (!t->coupled || ukProblemNormal(p, i) < 0) return 0;
    if (t->B->kind[i] != ukRowBox) return t->unit[p->normal[i]] / t->unit[i];
    return (isfinite(p->hi[i]) ? p->hi[i] : sticking) * t->unit[p->normal[i]] / t->unit[i];
}

/* the constant part of the bound on the side of `sign`, as a distance from 0 */
static double constantOf(const Tableau *t, int i, int sign)
{
    if (frictionOf(t, i) > 0) return 0;
    return (sign > 0 ? t->B->hi[i] : -t->B->lo[i]) / t->unit[i];
}

/* row += c (the variable) */
static void add(Tableau *t, int row, double c, int variable)
{
    double *to = rowOf(t, row);
    const int at = t->place[variable];
    if (at < 0) {
        to[-1 - at] += c;
        return;
    }
    const double *from = rowOf(t, at);
    for (int j = 0; j < t->width; j++) to[j] += c * from[j];
}

/* row += c (distance of row i's bound on the side of `sign`) */
static void addBound(Tableau *t, int row, double c, int i, int sign)
{
    const double mu = frictionOf(t, i);
    rowOf(t, row)[t->m + 1] += c * constantOf(t, i, sign);
    if (mu == 0) return;
    const int n = t->B->given->normal[i];
    add(t, row, c * mu, force(n));
    if (t->state[n] == AtHi) rowOf(t, row)[t->m + 1] += c * mu * constantOf(t, n, 1);
    add(t, row, c * t->e[i], 2 * t->m);
}

/* The basic variable of `row` and the one of `column` change places. */
static void exchange(Tableau *t, int row, int column)
{
    double *R = rowOf(t, row);
    const double scale = -1 / R[column];
    R[column] = -1;
    for (int j = 0; j < t->width; j++) R[j] *= scale;
    for (int i = 0; i < t->m; i++) {
        double *I = rowOf(t, i);
        const double f = I[column];
        if (i == row || f == 0) continue;
        const ukPair both = ukBothOf(f);
        I[column] = 0;
        for (int j = 0; j < t->width; j += 4) {
            ukStorePair(I + j, ukLoadPair(I + j) + both * ukLoadPair(R + j));
            ukStorePair(I + j + 2, ukLoadPair(I + j + 2) + both * ukLoadPair(R + j + 2));
        }
    }
    const int leaving = row < t->m ? t->basic[row] : -1, entering = t->rest[column];
    if (leaving < 0) return; /* scratch: another form of the same variable stays in the column */
    t->basic[row] = entering, t->rest[column] = leaving;
    t->place[entering] = row, t->place[leaving] = -1 - column;
}

/* A variable's value, and its rate along the driver's way */
typedef struct Motion {
    double value, rate;
} Motion;

static Motion motion(const Tableau *t, int variable)
{
    const int at = t->place[variable];
    if (at < 0) return (Motion){0, variable == t->driver ? t->way : 0};
    const double *R = rowOf(t, at);
    return (Motion){R[t->m + 1], t->way * R[-1 - t->place[t->driver]]};
}

static Motion boundMotion(const Tableau *t, int i, int sign)
{
    const double mu = frictionOf(t, i), constant = constantOf(t, i, sign);
    if (mu == 0) return (Motion){constant, 0};
    const int n = t->B->given->normal[i];
    const Motion load = motion(t, force(n)), tau = motion(t, 2 * t->m);
    const double held = t->state[n] == AtHi ? constantOf(t, n, 1) : 0;
    return (Motion){mu * (load.value + held) + t->e[i] * tau.value, mu * load.rate + t->e[i] * tau.rate};
}

/* may lambda go to the side of sign? */
static bool open(const Tableau *t, int i, int sign)
{
    return frictionOf(t, i) > 0 || constantOf(t, i, sign) > 0;
}

typedef struct Event {
    double when, rate; /* how far the driver goes; rate of what becomes 0: the pivot */
    int row;           /* row of the problem; -1: tau becomes 0, -2: none */
    State to;
} Event;

/* `slack` must stay >= 0: where it ends. Of those that end together the steepest goes first; but where the path itself
 * ends, which is asked first, it ends: a row of which nothing is wanted has w = 0 all along, its dead zone closes just
 * there, and it is to get no force at all. */
static void meet(Event *first, Motion slack, int row, State to)
{
    if (!(slack.rate < -noise)) return;
    const double when = fmax(slack.value, 0) / -slack.rate;
    const bool tie = isfinite(first->when) && fabs(when - first->when) <= 1e-14 * first->when;
    if (tie && first->row == -1) return;
    if (when < first->when && !tie)
        *first = (Event){when, slack.rate, row, to};
    else if (tie && slack.rate < first->rate)
        *first = (Event){first->when, slack.rate, row, to};
}

static Motion sum(Motion x, double c, Motion y)
{
    return (Motion){x.value + c * y.value, x.rate + c * y.rate};
}

static Event nextEvent(const Tableau *t)
{
    const Motion tau = motion(t, 2 * t->m);
    Event first = {INFINITY, 0, -2, Zero};
    meet(&first, tau, -1, Zero);
    for (int i = 0; i < t->m; i++) {
        const bool drives = t->driver / 2 == i;
        const int sign = t->state[i] == Falling || t->state[i] == AtLo ? -1 : 1;
        switch (t->state[i]) {
        case Free: break;
        case Zero: {
            Motion w = motion(t, gap(i));
            if (drives) w = sum(w, -t->way * t->d[i], tau); /* the driver is w + d tau or w - d tau */
            if (open(t, i, 1) && !(drives && t->way > 0)) meet(&first, sum(w, t->d[i], tau), i, Rising);
            if (open(t, i, -1) && !(drives && t->way < 0))
                meet(&first, sum((Motion){-w.value, -w.rate}, t->d[i], tau), i, Falling);
            break;
        }
        case Rising:
        case Falling: {
            const Motion bound = boundMotion(t, i, sign);
            Motion size = motion(t, force(i));
            size.value *= sign, size.rate *= sign;
            const bool from_bound = drives && t->way == -sign;
            if (from_bound) size = sum(bound, 1, size); /* the driver is lambda less its bound */
            if (!(drives && t->way == sign)) meet(&first, size, i, Zero);
            if (!from_bound && isfinite(bound.value)) meet(&first, sum(bound, -1, size), i, sign > 0 ? AtHi : AtLo);
            break;
        }
        case AtHi:
        case AtLo: {
            const Motion w = motion(t, gap(i));
            if (!drives) meet(&first, (Motion){-sign * w.value, -sign * w.rate}, i, sign > 0 ? Rising : Falling);
            break;
        }
        }
    }
    return first;
}

/* Rewrites the row of a variable of problem row i, standing in its usual form, as the quantity that becomes 0 when i
 * goes from its state to `to`; or back (way = -1). */
static void reform(Tableau *t, int row, int i, State from, State to, int way)
{
    if (from == Zero) add(t, row, way * (to == Rising ? t->d[i] : -t->d[i]), 2 * t->m);
    if (to == AtHi) addBound(t, row, -way, i, 1);
    if (to == AtLo) addBound(t, row, way, i, -1);
}

/* The driver has become basic in `row`: back to the usual form of its state. */
static void settle(Tableau *t, int row)
{
    const int i = t->driver / 2;
    const State state = t->state[i];
    const bool is_force = t->driver == force(i);
    if (state == Zero && !is_force) reform(t, row, i, Zero, t->way > 0 ? Rising : Falling, -1);
    if (state == Rising && is_force && t->way < 0) reform(t, row, i, Rising, AtHi, -1);
    if (state == Falling && is_force && t->way > 0) reform(t, row, i, Falling, AtLo, -1);
}

/* Row i changes its state: what drives next, and where to. */
static void turnTo(Tableau *t, int i, State from, State to)
{
    const bool side = from == Rising || to == Rising; /* the positive one */
    t->state[i] = (unsigned char)to;
    t->driver = (from == Zero || from == AtHi || from == AtLo) ? force(i) : gap(i);
    t->way = (to == Zero || from == Zero) == side ? 1 : -1;
}

/* The driver's own row ends its way: the quantity that became 0 takes its column. */
static void exchangeOwn(Tableau *t, int i, State from, State to)
{
    const int column = -1 - t->place[t->driver], scratch = t->m;
    memset(rowOf(t, scratch), 0, (size_t)t->width * sizeof(double));
    add(t, scratch, 1, t->driver);
    settle(t, scratch); /* its usual form, and from there the quantity */
    reform(t, scratch, i, from, to, 1);
    exchange(t, scratch, column);
}

static bool pivot(Tableau *t, Event event)
{
    const int column = -1 - t->place[t->driver], i = event.row;
    if (i < 0) {
        const int row = t->place[2 * t->m];
        exchange(t, row, column);
        settle(t, row);
        return true;
    }
    const State from = t->state[i];
    if (t->driver / 2 == i) {
        exchangeOwn(t, i, from, event.to);
        turnTo(t, i, from, event.to);
        return false;
    }
    const bool off = from == Zero || from == AtHi || from == AtLo;
    const int leaving = off ? gap(i) : force(i), row = t->place[leaving];
    reform(t, row, i, from, event.to, 1);
    exchange(t, row, column);
    settle(t, row);
    turnTo(t, i, from, event.to);
    return false;
}

static double random01(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* w = K lambda + A a - b, equalities solved for their multipliers; all others 0. */
static bool begin(Tableau *t)
{
    ukBounded *B = t->B;
    const int m = t->m;
    memset(t->T, 0, (size_t)(m + 1) * (size_t)t->width * sizeof *t->T);
    for (int j = 0; j < m; j++) { /* K is symmetric */
        double *K = rowOf(t, j), size = 0;
        memset(B->f, 0, (size_t)B->n * sizeof *B->f);
        memset(B->y, 0, (size_t)m * sizeof *B->y);
        B->y[j] = 1;
        ukBoundedTurn(B, B->y);
        ukProblemApplyTransposed(&B->p, B->y, B->f);
        ukProblemAccelerate(&B->p, B->f, B->x);
        ukProblemApply(&B->p, B->x, K);
        for (int i = 0; i < m; i++) size += K[i] * B->y[i], K[i] += B->softness[i] * B->y[i];
        ukBoundedTurn(B, K);
        K[j] = fmax(K[j], (1 + faint) * size);
        if (!(K[j] > 0)) K[j] = 1; /* a row of nothing: its multiplier is 0, or its bound */
        t->unit[j] = 1 / sqrt(K[j]);
    }
    ukProblemApply(&B->p, B->a, B->y);
    for (int i = 0; i < m; i++) B->y[i] -= B->p.b[i];
    ukBoundedTurn(B, B->y);
    for (int i = 0; i < m; i++) {
        double *row = rowOf(t, i);
        for (int j = 0; j < m; j++) row[j] *= t->unit[i] * t->unit[j];
        row[m + 1] = t->unit[i] * B->y[i];
        t->basic[i] = gap(i), t->rest[i] = force(i);
        t->place[gap(i)] = i, t->place[force(i)] = -1 - i;
        t->state[i] = Zero;
    }
    t->rest[m] = 2 * m, t->place[2 * m] = -1 - m;
    for (int i = 0; i < m; i++) {
        if (frictionOf(t, i) > 0 || isfinite(B->lo[i]) || isfinite(B->hi[i])) continue;
        if (!(rowOf(t, i)[i] > 0)) return false;
        exchange(t, i, i);
        t->state[i] = Free;
    }
    return true;
}

/* The largest tau at which a row leaves its dead zone; tau is basic afterwards. False: lambda = 0 is the solution. */
static bool enter(Tableau *t)
{
    unsigned long long seed = 1;
    double most = 0;
    int row = -1;
    State to = Rising;
    for (int i = 0; i < t->m; i++) {
        t->d[i] = 1 + random01(&seed), t->e[i] = wide * (1 + random01(&seed));
        if (t->state[i] != Zero) continue;
        const double w = rowOf(t, i)[t->m + 1] / t->d[i];
        if (open(t, i, 1) && -w > most) most = -w, row = i, to = Rising;
        if (open(t, i, -1) && w > most) most = w, row = i, to = Falling;
    }
    if (row < 0) return false;
    reform(t, row, row, Zero, to, 1);
    exchange(t, row, t->m);
    turnTo(t, row, Zero, to);
    return true;
}

static double valueOf(const Tableau *t, int variable)
{
    const int at = t->place[variable];
    return at < 0 ? 0 : rowOf(t, at)[t->m + 1];
}

static void readOut(const Tableau *t, double *lambda)
{
    const ukProblem *p = t->B->given;
    for (int i = 0; i < t->m; i++) {
        lambda[i] = t->state[i] == Zero ? 0 : valueOf(t, force(i));
        if (frictionOf(t, i) > 0) continue;
        if (t->state[i] == AtHi) lambda[i] = constantOf(t, i, 1);
        if (t->state[i] == AtLo) lambda[i] = -constantOf(t, i, -1);
    }
    for (int i = 0; i < t->m; i++)
        if (frictionOf(t, i) > 0 && (t->state[i] == AtHi || t->state[i] == AtLo))
            lambda[i] = (t->state[i] == AtHi ? 1 : -1) * frictionOf(t, i) * lambda[p->normal[i]];
    for (int i = 0; i < t->m; i++) lambda[i] *= t->unit[i];
    ukBoundedTurn(t->B, lambda);
}

/* What the softness lent to rigid rows and rounding left of w in the rows held goes into the gaps, and so into the
 * forces: the tableau is the inverse of the final set. */
static void refine(Tableau *t, double *lambda)
{
    ukBounded *B = t->B;
    for (int round = 0; round < Refinements; round++) {
        ukBoundedEvaluate(B, lambda);
        ukBoundedTurn(B, B->w);
        for (int j = 0; j <= t->m; j++) {
            const int i = t->rest[j] / 2;
            if (t->rest[j] != gap(i)) continue; /* tau, too */
            if (t->state[i] != Free && t->state[i] != Rising && t->state[i] != Falling) continue;
            for (int k = 0; k < t->m; k++) rowOf(t, k)[t->m + 1] -= rowOf(t, k)[j] * (t->unit[i] * B->w[i]);
        }
        readOut(t, lambda);
    }
}

static int reserve(ukLemke *L, Tableau *t)
{
    const size_t m = (size_t)t->m, rows = m + 1, width = (m + 2 + 3) / 4 * 4;
    for (int pass = 0; pass < 2; pass++) {
        ukArena arena = ukArenaOver(pass == 0 ? NULL : L->memory, pass == 0 ? 0 : L->size);
        t->width = (int)width;
        t->T = ukArenaDoubles(&arena, rows * width);
        t->d = ukArenaDoubles(&arena, m);
        t->e = ukArenaDoubles(&arena, m);
        t->unit = ukArenaDoubles(&arena, m);
        t->basic = ukArenaInts(&arena, m + 1);
        t->rest = ukArenaInts(&arena, m + 1);
        t->place = ukArenaInts(&arena, 2 * m + 1);
        t->state = ukArenaBytes(&arena, m);
        if (pass == 1 || arena.used <= L->size) continue;
        free(L->memory);
        L->size = 0;
        L->memory = aligned_alloc(64, (arena.used + 63) / 64 * 64);
        if (!L->memory) return ukErrorMemory;
        L->size = (arena.used + 63) / 64 * 64;
    }
    return ukOk;
}

void ukLemkeFree(ukLemke *L)
{
    free(L->memory);
    *L = (ukLemke){NULL, 0};
}

int ukLemkeSolve(ukLemke *L, ukBounded *B, bool coupled, double *lambda, int *pivots)
{
    *pivots = 0;
    if ((B->cones && !coupled) || B->m > ukLemkeMostRows) return ukErrorUnsupported;
    Tableau t = {.B = B, .coupled = coupled, .m = B->m};
    const int status = reserve(L, &t);
    if (status != ukOk) return status;
    if (!begin(&t)) return ukErrorSingular;
    for (bool done = !enter(&t); !done;) {
        const Event event = nextEvent(&t);
        if (event.row == -2 || ++*pivots > MostPivots * t.m) return ukErrorSingular;
        done = pivot(&t, event);
    }
    readOut(&t, lambda);
    refine(&t, lambda);
    if (coupled) ukBoundedFreeze(B, lambda);
    ukBoundedProject(B, lambda);
    return ukOk;
}
