/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/test_certificate_split.c: the parts of the Gaussian and their orthogonality against dense sums; the
 * distance that the check allows for multipliers beside an ellipse, whose exact solution is made first; the reach of
 * rows. */
#include "solvers/check/gauss_check.h"
#include "solvers/problem/tolerance.h"
#include "tests/check.h"
#include "tests/solvers/known_solution.h"

#include <math.h>
#include <string.h>

/* x' M^-1 y */
static double inverseDot(const ukProblem *p, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < p->bodies; i++, x += 6, y += 6) {
        const double *J = p->inverse_inertia + 9 * i;
        for (int c = 0; c < 3; c++) {
            sum += x[c] * y[c] / p->mass[i];
            for (int d = 0; d < 3; d++) sum += x[3 + c] * J[3 * c + d] * y[3 + d];
        }
    }
    return sum;
}

/* Qi = A' lambda_ideal and Qni = M qdd - Q - Qi, of numbers that solve nothing */
static void partsOfTheForce(void)
{
    static ukRandomBlocks s;
    static double qdd[ukKnownN], lambda[ukKnownM], ideal[ukKnownM], work[12 * ukRandomMaxBodies];
    static double Qi[ukKnownN], Qni[ukKnownN];
    ukRandom random = {31};
    int crossed = 0;
    for (int trial = 0; trial < 500; trial++) {
        ukRandomBlocksMake(&s, &random, 1);
        const int n = 6 * s.p.bodies;
        ukRandomVector(&random, 1, qdd, n);
        ukRandomVector(&random, 1, lambda, s.p.rows);
        ukRandomVector(&random, 1, ideal, s.p.rows);
        s.p.C = s.C;
        const ukGaussEvidence e = {.qdd = qdd, .lambda = lambda, .lambda_ideal = ideal};
        ukResiduals c;
        ukGaussCheck(&s.p, &e, work, &c);
        memset(Qi, 0, sizeof Qi);
        for (int k = 0; k < s.p.blocks; k++)
            for (int i = 0; i < s.block[k].rows; i++)
                for (int slot = 0; slot < s.block[k].slots; slot++) {
                    const int body = s.body[s.block[k].slot + slot];
                    const double *A = s.A + s.block[k].A + 6 * (i * s.block[k].slots + slot);
                    for (int d = 0; body >= 0 && d < 6; d++) Qi[6 * body + d] += A[d] * ideal[s.block[k].row + i];
                }
        for (int i = 0; i < n; i++) {
            const double *I = s.inertia + 9 * (i / 6), *spin = qdd + 6 * (i / 6) + 3;
            const int d = i % 6 - 3;
            const double moved =
                d < 0 ? s.mass[i / 6] * qdd[i] : I[3 * d] * spin[0] + I[3 * d + 1] * spin[1] + I[3 * d + 2] * spin[2];
            Qni[i] = moved - s.Q[i] - Qi[i];
        }
        const double ii = inverseDot(&s.p, Qi, Qi), nn = inverseDot(&s.p, Qni, Qni), in = inverseDot(&s.p, Qi, Qni);
        const double orthogonality = in == 0 ? 0 : fabs(in) / sqrt(ii * nn);
        CHECK_NEAR(c.gaussian_ideal, ii, 1e-9 * ii);
        CHECK_NEAR(c.gaussian_nonideal, nn, 1e-9 * nn);
        CHECK_NEAR(c.orthogonality, orthogonality, 1e-9);
        crossed += orthogonality > 0.1;
    }
    CHECK(crossed > 100);
}

/* Two rows push one body in x and y, within the ellipse of semi-axes hi. The exact multipliers l are on it, and
 * b - A qdd there is u ~ l/hi^2, its normal; given are t times as large ones, with the accelerations that these
 * make. */
static void besideAnEllipse(void)
{
    const double Q[6] = {0}, A[] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, mass = 2;
    const ukBlock block[] = {{.rows = 2, .slots = 1}};
    const int normal[] = {0, 0};
    const unsigned char cone[] = {1, 0};
    const double lo[] = {-1, -3}, hi[] = {1, 3}, times[] = {0.5, 0.9, 1, 1.1, 2, 10}, pulls[] = {0.1, 1, 100};
    for (int direction = 0; direction < 24; direction++)
        for (int k = 0; k < 18; k++) {
            const double turn = direction * 3.14159265358979323846 / 12, t = times[k % 6], pull = pulls[k / 6];
            const double l[] = {hi[0] * cos(turn), hi[1] * sin(turn)}, given[] = {t * l[0], t * l[1]};
            const double qdd[] = {given[0] / mass, given[1] / mass, 0, 0, 0, 0};
            const double b[] = {l[0] / mass + pull * l[0] / (hi[0] * hi[0]),
                                l[1] / mass + pull * l[1] / (hi[1] * hi[1])};
            double work[12];
            ukResiduals c;
            ukProblem p = ukKnownOneBody(block, Q, A, b);
            p.normal = normal, p.cone = cone;
            ukGaussCheck(&p, &(ukGaussEvidence){.qdd = qdd, .lambda = given, .lo = lo, .hi = hi, .elliptic = true},
                         work, &c);
            const double distance = fabs(t - 1) * hypot(l[0], l[1]) / sqrt(mass);
            if (!CHECK(c.distance >= distance * (1 - 1e-12)))
                printf("direction %d, %g times, pull %g: %.9g, allowed %.9g\n", direction, t, pull, distance,
                       c.distance);
            if (t == 1) CHECK(c.distance < 1e-6 && c.complementarity < 1e-14);
        }
}

/* sqrt(|J_v|^2 tr(I)/(2m) + |J_w|^2), the longest of a row's bodies */
static void reaches(void)
{
    static ukRandomBlocks s;
    ukRandom random = {32};
    for (int trial = 0; trial < 500; trial++) {
        ukRandomBlocksMake(&s, &random, 1);
        for (int k = 0; k < s.p.blocks; k++) {
            const ukBlock *b = &s.block[k];
            double all[ukKnownM];
            ukRowReaches(&s.p, b, b->row, b->rows, all);
            for (int i = 0; i < b->rows; i++) {
                double most = 0;
                for (int slot = 0; slot < b->slots; slot++) {
                    const int body = s.body[b->slot + slot];
                    const double *J = s.A + b->A + 6 * (i * b->slots + slot);
                    if (body < 0) continue;
                    const double *I = s.inertia + 9 * body, length = sqrt((I[0] + I[4] + I[8]) / (2 * s.mass[body]));
                    const double v = hypot(hypot(J[0], J[1]), J[2]), w = hypot(hypot(J[3], J[4]), J[5]);
                    most = fmax(most, hypot(v * length, w));
                }
                CHECK_NEAR(ukRowReach(&s.p, b, b->row + i), most, 1e-13 * most);
                CHECK_NEAR(all[i], most, 1e-13 * most);
            }
        }
    }
}

int main(void)
{
    partsOfTheForce();
    besideAnEllipse();
    reaches();
    return ukTestEnd();
}
