/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/parity/joint_oracle.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/joints/class.h"
#include "bridge/ode/class.h"
#include "tests/check.h"

void oracleRecords(Oracle *o, const ukJointClass *class)
{
    for (int k = 0; k < 2; k++) {
        const dBodyID body = o->body[k];
        o->record[k] = (ukBody){.handle = body,
                                .world = &o->world,
                                .position = dBodyGetPosition(body),
                                .quaternion = dBodyGetQuaternion(body),
                                .rotation = dBodyGetRotation(body),
                                .linear = dBodyGetLinearVel(body),
                                .angular = dBodyGetAngularVel(body),
                                .force = dBodyGetForce(body),
                                .torque = dBodyGetTorque(body)};
    }
    o->world.rules = ukClassRules(&ukOde);
    o->row_maker = (ukJoint){.handle = o->joint, .world = &o->world, .class = class, .observed = true};
    if (class->create) class->create(&o->row_maker);
}

void oracleNote(Oracle *o, ukNoteKind kind, int i, int rel, const double x[6])
{
    ukNote note = {.kind = kind, .i = i, .rel = rel};
    if (x) memcpy(note.x, x, sizeof note.x);
    if (o->row_maker.class->note) {
        o->row_maker.class->note(&o->row_maker, &note);
    } else {
        o->row_maker.stale = true;
    }
}

ukRowSink oracleSink(ukJoint *joint, OracleRows *out, bool bias)
{
    if (joint->stale && joint->class->refresh) joint->class->refresh(joint);
    joint->stale = false;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < ukMaxJointRows; i++) {
        out->lo[i] = -INFINITY;
        out->hi[i] = INFINITY;
        out->normal[i] = -1;
    }
    out->stride = joint->body[1] ? 12 : 6;
    return (ukRowSink){.J = out->J,
                       .stride = out->stride,
                       .c = out->c,
                       .phi = out->phi,
                       .target = out->target,
                       .bias = bias ? out->bias : NULL,
                       .cfm = out->cfm,
                       .lo = out->lo,
                       .hi = out->hi,
                       .normal = out->normal,
                       .velocity = out->velocity,
                       .discrete_only = out->stop,
                       .force_a = out->force[0],
                       .force_b = out->force[1]};
}

static void evaluate(const Oracle *o, ukJoint *joint, bool commit, OracleRows *out)
{
    const ukState a = ukStateOf(joint->body[0]), b = joint->body[1] ? ukStateOf(joint->body[1]) : a;
    const ukRowContext context = {.h = o->h,
                                  .erp = dWorldGetERP(o->world.handle),
                                  .cfm = dWorldGetCFM(o->world.handle),
                                  .contact_max_velocity = dWorldGetContactMaxCorrectingVel(o->world.handle),
                                  .contact_surface_layer = dWorldGetContactSurfaceLayer(o->world.handle),
                                  .commit = commit};
    ukRowSink sink = oracleSink(joint, out, false);
    out->rows = joint->class->rows(joint, &a, joint->body[1] ? &b : NULL, &context, &sink);
}

void oracleRows(const Oracle *o, ukJoint *joint, OracleRows *out)
{
    evaluate(o, joint, false, out);
}

int oracleAssumedIsNoted(Oracle *o, bool sides)
{
    OracleRows noted, assumed;
    ukJoint unseen = {.handle = o->joint,
                      .world = &o->world,
                      .class = o->row_maker.class,
                      .body = {o->row_maker.body[0], o->row_maker.body[1]},
                      .reverse = o->row_maker.reverse,
                      .stale = true,
                      .assumed = true};
    unseen.class->create(&unseen);
    if (unseen.class->assume) unseen.class->assume(&unseen);
    oracleRows(o, &o->row_maker, &noted);
    oracleRows(o, &unseen, &assumed);
    CHECK(noted.rows == assumed.rows);
    CHECK_NEAR_ALL(assumed.J, noted.J, ukMaxJointRows * 12, 1e-12);
    CHECK_NEAR_ALL(assumed.phi, noted.phi, ukMaxJointRows, 1e-12);
    if (sides) CHECK_NEAR_ALL(assumed.c, noted.c, ukMaxJointRows, 1e-9);
    return noted.rows;
}

/* x = M^-1 f of one body */
static void accelerate(const ukBody *body, const double f[6], double x[6])
{
    memset(x, 0, 6 * sizeof *x);
    if (dBodyIsKinematic(body->handle)) return;
    dMass mass;
    dMatrix3 inverse;
    double local[3], turned[3];
    const ukState s = ukStateOf(body);
    dBodyGetMass(body->handle, &mass);
    dInvertPDMatrix(mass.I, inverse, 3);
    ukUnrotate(s.R, f + 3, local);
    for (int i = 0; i < 3; i++) turned[i] = ukDot(inverse + 4 * i, local);
    ukRotate(s.R, turned, x + 3);
    for (int i = 0; i < 3; i++) x[i] = f[i] / mass.mass;
}

/* K x = r, n <= ukMaxJointRows, partial pivoting */
static void solveDense(int n, long double K[][ukMaxJointRows + 1], long double *x)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++)
            if (fabsl(K[i][c]) > fabsl(K[pivot][c])) pivot = i;
        for (int j = 0; j <= n; j++) {
            const long double t = K[c][j];
            K[c][j] = K[pivot][j];
            K[pivot][j] = t;
        }
        for (int i = c + 1; i < n; i++) {
            const long double f = K[i][c] / K[c][c];
            for (int j = c; j <= n; j++) K[i][j] -= f * K[c][j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = K[i][n];
        for (int j = i + 1; j < n; j++) x[i] -= K[i][j] * x[j];
        x[i] /= K[i][i];
    }
}

enum { Free, AtLow, AtHigh };

static double tryCase(int m, long double K[][ukMaxJointRows], const long double *rhs, const double *lo,
                      const double *hi, const int *state, double *lambda)
{
    long double S[ukMaxJointRows][ukMaxJointRows + 1], x[ukMaxJointRows];
    int row[ukMaxJointRows], n = 0;
    double force = 1e-12, rate = 1e-12, violation = 0;
    for (int i = 0; i < m; i++) {
        lambda[i] = state[i] == AtLow ? lo[i] : state[i] == AtHigh ? hi[i] : 0;
        if (state[i] == Free) row[n++] = i;
    }
    for (int i = 0; i < n; i++) {
        S[i][n] = rhs[row[i]];
        for (int j = 0; j < n; j++) S[i][j] = K[row[i]][row[j]];
        for (int j = 0; j < m; j++)
            if (state[j] != Free) S[i][n] -= K[row[i]][j] * (long double)lambda[j];
    }
    solveDense(n, S, x);
    for (int i = 0; i < n; i++) lambda[row[i]] = (double)x[i];
    for (int i = 0; i < m; i++) {
        force = fmax(force, fabs(lambda[i]));
        rate = fmax(rate, fabs((double)rhs[i]));
    }
    for (int i = 0; i < m; i++) {
        if (state[i] == Free) {
            violation = fmax(violation, fmax(lo[i] - lambda[i], lambda[i] - hi[i]) / force);
            continue;
        }
        if (lo[i] == hi[i]) continue; /* pinned: w may be anything */
        long double w = -rhs[i];
        for (int j = 0; j < m; j++) w += K[i][j] * (long double)lambda[j];
        violation = fmax(violation, (double)(state[i] == AtLow ? -w : w) / rate);
    }
    return violation;
}

/* the case among all that violates its conditions least; a row with lo = hi is pinned there */
static double tryAll(int m, long double K[][ukMaxJointRows], const long double *rhs, const double *lo, const double *hi,
                     double *lambda)
{
    int bounded[ukMaxJointRows], state[ukMaxJointRows], count = 0, cases = 1;
    double best = INFINITY, tried[ukMaxJointRows];
    for (int i = 0; i < m; i++) {
        state[i] = lo[i] == hi[i] ? AtLow : Free;
        if (state[i] == Free && (lo[i] > -INFINITY || hi[i] < INFINITY)) bounded[count++] = i, cases *= 3;
    }
    for (int c = 0; c < cases && best > 0; c++) {
        bool possible = true;
        for (int i = 0, rest = c; i < count; i++, rest /= 3) {
            state[bounded[i]] = rest % 3;
            if (rest % 3 == AtLow && !(lo[bounded[i]] > -INFINITY)) possible = false;
            if (rest % 3 == AtHigh && !(hi[bounded[i]] < INFINITY)) possible = false;
        }
        if (!possible) continue;
        const double violation = tryCase(m, K, rhs, lo, hi, state, tried);
        if (violation < best) {
            best = violation;
            memcpy(lambda, tried, sizeof *lambda * (size_t)m);
        }
    }
    return best;
}

/* dWorldStep's friction: without the rows that hang on a normal first, then all, their bounds frozen at mu |lambda_n|
 */
static double tryTwice(const OracleRows *r, long double K[][ukMaxJointRows], const long double *rhs, double *lambda)
{
    double lo[ukMaxJointRows] = {0}, hi[ukMaxJointRows] = {0};
    bool friction = false;
    for (int i = 0; i < r->rows; i++) {
        const bool frictional = r->normal[i] >= 0;
        lo[i] = frictional ? 0 : r->lo[i];
        hi[i] = frictional ? 0 : r->hi[i];
        friction = friction || frictional;
    }
    const double first = tryAll(r->rows, K, rhs, lo, hi, lambda);
    if (!friction) return first;
    for (int i = 0; i < r->rows; i++) {
        if (r->normal[i] < 0) continue;
        const double load = fabs(lambda[r->normal[i]]);
        hi[i] = load > 0 ? r->hi[i] * load : 0;
        lo[i] = -hi[i];
    }
    return fmax(first, tryAll(r->rows, K, rhs, lo, hi, lambda));
}

double oracleSolve(const Oracle *o, const OracleRows *r, double *lambda, double v_plus[2][6])
{
    const ukJoint *joint = &o->row_maker;
    const int bodies = joint->body[1] ? 2 : 1, m = r->rows;
    long double K[ukMaxJointRows][ukMaxJointRows] = {{0}}, rhs[ukMaxJointRows] = {0};
    double a[2][6], MJ[2][ukMaxJointRows][6];
    for (int k = 0; k < bodies; k++) {
        const ukBody *body = joint->body[k];
        const ukState s = ukStateOf(body);
        double f[6];
        for (int j = 0; j < 6; j++) f[j] = r->force[k][j] + (j < 3 ? body->force[j] : body->torque[j - 3]);
        accelerate(body, f, a[k]);
        for (int i = 0; i < m; i++) {
            const double *J = r->J + i * r->stride + 6 * k;
            accelerate(body, J, MJ[k][i]);
            for (int j = 0; j < 6; j++) rhs[i] -= (long double)J[j] * ((long double)s.v[j] / o->h + a[k][j]);
        }
    }
    for (int i = 0; i < m; i++) {
        rhs[i] += (long double)r->c[i] / o->h;
        for (int j = 0; j < m; j++)
            for (int k = 0; k < bodies; k++)
                for (int l = 0; l < 6; l++) K[i][j] += (long double)r->J[i * r->stride + 6 * k + l] * MJ[k][j][l];
        K[i][i] += (long double)r->cfm[i] / o->h;
    }
    const double violation = tryTwice(r, K, rhs, lambda);
    for (int k = 0; k < bodies; k++) {
        const ukState s = ukStateOf(joint->body[k]);
        for (int j = 0; j < 6; j++) {
            v_plus[k][j] = s.v[j] + o->h * a[k][j];
            for (int i = 0; i < m; i++) v_plus[k][j] += o->h * MJ[k][i][j] * lambda[i];
        }
    }
    return violation;
}

static double difference(const double *x, const double *y, int n, double size)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        const double e = fabs(x[i] - y[i]) / size;
        if (!(e <= worst)) worst = e;
    }
    return worst;
}

static double largest(const double *x, int n, double least)
{
    for (int i = 0; i < n; i++) least = fmax(least, fabs(x[i]));
    return least;
}

double oracleStep(Oracle *o)
{
    OracleRows r;
    const ukJoint *joint = &o->row_maker;
    const int bodies = joint->body[1] ? 2 : 1;
    double lambda[ukMaxJointRows], v[2][6] = {{0}}, force[2][6] = {{0}}, size_v = 1, size_f = 1;
    evaluate(o, &o->row_maker, true, &r);
    if (!CHECK(r.rows >= 0 && r.rows <= joint->class->max_rows)) return INFINITY;
    CHECK(oracleSolve(o, &r, lambda, v) < 1e-9);
    for (int k = 0; k < bodies; k++) {
        for (int i = 0; i < r.rows; i++)
            for (int j = 0; j < 6; j++) force[k][j] += r.J[i * r.stride + 6 * k + j] * lambda[i];
        size_v = largest(v[k], 6, size_v);
        size_f = largest(force[k], 6, size_f);
    }
    memset(&o->feedback, 0, sizeof o->feedback);
    dWorldStep(o->world.handle, o->h);
    double worst = 0;
    for (int k = 0; k < bodies; k++) {
        const ukState s = ukStateOf(joint->body[k]);
        const dReal *f = k ? o->feedback.f2 : o->feedback.f1, *t = k ? o->feedback.t2 : o->feedback.t1;
        worst = fmax(worst, difference(s.v, v[k], 6, size_v));
        worst = fmax(worst, difference(f, force[k], 3, size_f));
        worst = fmax(worst, difference(t, force[k] + 3, 3, size_f));
    }
    return worst;
}
