/* SPDX-License-Identifier: BSD-3-Clause */
/* SICM 1.10.3: a coin that rolls upright on a table, x' = R roll' cos(heading), y' = R roll' sin(heading), by the two
 * sets of equations that are proposed for constraints which cannot be integrated. d'Alembert's and Lagrange's, which
 * ukode steps with, take it round a circle. The Lagrange equations of L + lambda psi (vakonomic mechanics) keep the
 * same constraints and the same energy, and take it elsewhere: lambda is part of their state. Both by the formulas
 * alone. */
#include "demos/papers/paper.h"

#include <ukode/formulas.h>

static const double m = 2, R = 0.3, turn = 0.05, roll = 0.09; /* moments of inertia */

enum { x_, y_, heading, heading_rate, roll_rate, lambda_, states = lambda_ + 2 };

/* The coin's equations in x, y, heading and roll at a state. */
typedef struct Coin {
    double M[16], A[8], b[2], K[8];
    ukFormulaSystem s;
} Coin;

static void coin(const double *y, Coin *p)
{
    const double c = cos(y[heading]), s = sin(y[heading]), w = y[heading_rate], v = R * y[roll_rate];
    *p = (Coin){.M = {m, 0, 0, 0, 0, m, 0, 0, 0, 0, turn, 0, 0, 0, 0, roll},
                .A = {1, 0, 0, -R * c, 0, 1, 0, -R * s},
                .b = {-v * w * s, v * w * c},
                .K = {0, 0, -v * s, R * w * s, 0, 0, v * c, -R * w * c}}; /* dA/dt - dpsi/dq */
    p->s = (ukFormulaSystem){.n = 4, .m = 2, .M = p->M, .A = p->A, .b = p->b};
}

static void rates(const double *y, const double *qdd, double *to)
{
    to[x_] = R * y[roll_rate] * cos(y[heading]);
    to[y_] = R * y[roll_rate] * sin(y[heading]);
    to[heading] = y[heading_rate];
    to[heading_rate] = qdd[2];
    to[roll_rate] = qdd[3];
}

static void nonholonomic(const double *y, double *to, void *data)
{
    Coin p;
    double qdd[4] = {NAN, NAN, NAN, NAN};
    (void)data;
    coin(y, &p);
    ukFormulaLagrange(&p.s, qdd, NULL);
    rates(y, qdd, to);
    to[lambda_] = to[lambda_ + 1] = 0;
}

static void vakonomic(const double *y, double *to, void *data)
{
    Coin p;
    double qdd[4] = {NAN, NAN, NAN, NAN};
    (void)data;
    coin(y, &p);
    to[lambda_] = to[lambda_ + 1] = NAN;
    ukFormulaVakonomic(&p.s, p.K, y + lambda_, qdd, to + lambda_);
    rates(y, qdd, to);
}

static double energy(const double *y)
{
    const double v = R * y[roll_rate];
    return (m * v * v + turn * y[heading_rate] * y[heading_rate] + roll * y[roll_rate] * y[roll_rate]) / 2;
}

int main(void)
{
    const double time = 4, w = 1.1, v = R * 5, start[states] = {[heading_rate] = w, [roll_rate] = 5};
    double y[states], z[states];
    dInitODE2(0); /* paperEnd ends it */
    for (int i = 0; i < states; i++) y[i] = z[i] = start[i];
    paperIntegrate(y, states, 2.5e-4, time, nonholonomic, NULL);
    paperIntegrate(z, states, 2.5e-4, time, vakonomic, NULL);

    printf("a coin rolls; after %g s                               computed          expected\n", time);
    paperCompare("d'Alembert: x, on a circle", y[x_], v / w * sin(w * time), 1e-9);
    paperCompare("d'Alembert: y, on a circle", y[y_], v / w * (1 - cos(w * time)), 1e-9);
    paperCompare("d'Alembert: energy", energy(y), energy(start), 1e-9);
    paperCompare("vakonomic: energy", energy(z), energy(start), 1e-9);
    /* what L + lambda psi does not depend on, x, y and roll, has momenta that stay */
    const double c = cos(z[heading]), s = sin(z[heading]), speed = R * z[roll_rate];
    paperCompare("vakonomic: momentum of x", m * speed * c + z[lambda_], m * v, 1e-9);
    paperCompare("vakonomic: momentum of y", m * speed * s + z[lambda_ + 1], 0, 1e-9);
    paperCompare("vakonomic: momentum of roll", roll * z[roll_rate] - R * (z[lambda_] * c + z[lambda_ + 1] * s),
                 roll * start[roll_rate], 1e-9);
    const double apart = hypot(z[x_] - y[x_], z[y_] - y[y_]);
    printf("the vakonomic coin is %.3f m away from the circle's\n", apart);
    paperCompare("farther than 0.1 m (1: yes)", apart > 0.1, 1, 0);
    return paperEnd();
}
