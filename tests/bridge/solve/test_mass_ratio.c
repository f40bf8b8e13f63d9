/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains whose bodies differ in mass by up to 1e9: the forces on the light ones are as good as what rounding of the
 * whole leaves them, by the same equations eliminated in long double. */
#include <stdlib.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Most = 6, Size = 6 * Most + 5 * Most };

typedef long double Wide;

static dWorldID chainOf(Random *r, double ratio, ukIntegrator integrator)
{
    const dWorldID w = dWorldCreate();
    const int bodies = 2 + randomBelow(r, Most - 1);
    dBodyID last = NULL;
    dWorldSetGravity(w, 0, 0, -9.81);
    dWorldSetCFM(w, 0);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    for (int i = 0; i < bodies; i++) {
        const double mass = i == 0 ? 1 : i + 1 == bodies ? ratio : pow(ratio, randomUniform(r, 0, 1));
        const dBodyID b = dBodyCreate(w);
        dMass m;
        dMassSetBoxTotal(&m, mass, 0.3, 0.2, 0.25);
        dBodySetMass(b, &m);
        dBodySetPosition(b, i + 0.5, 0.1 * randomUniform(r, -1, 1), 0.1 * randomUniform(r, -1, 1));
        const dJointID j = randomBelow(r, 2) ? dJointCreateBall(w, 0) : dJointCreateHinge(w, 0);
        dJointAttach(j, b, last);
        if (dJointGetType(j) == dJointTypeBall) {
            dJointSetBallAnchor(j, i, 0, 0);
        } else {
            dJointSetHingeAnchor(j, i, 0, 0);
            dJointSetHingeAxis(j, randomUniform(r, -1, 1), 1, randomUniform(r, -1, 1));
        }
        last = b;
    }
    return w;
}

/* K x = the last column, by elimination with the largest pivots */
static void eliminate(int n, Wide K[Size][Size + 1], Wide *x)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(K[i][k]) > fabsl(K[pivot][k])) pivot = i;
        for (int j = 0; j <= n; j++) {
            const Wide kept = K[k][j];
            K[k][j] = K[pivot][j], K[pivot][j] = kept;
        }
        for (int i = k + 1; i < n; i++) {
            const Wide factor = K[i][k] / K[k][k];
            for (int j = k; j <= n && factor != 0; j++) K[i][j] -= factor * K[k][j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = K[i][n];
        for (int j = i + 1; j < n; j++) x[i] -= K[i][j] * x[j];
        x[i] /= K[i][i];
    }
}

/* M x - A' l = M a, A x + S l = b */
static void exact(const ukEquations *e, Wide *x)
{
    static Wide K[Size][Size + 1];
    const int n = e->n, m = e->m;
    for (int i = 0; i < n; i++) {
        K[i][n + m] = 0;
        for (int k = 0; k < n; k++) {
            K[i][k] = e->M[i * n + k];
            K[i][n + m] += (Wide)e->M[i * n + k] * e->a[k];
        }
        for (int k = 0; k < m; k++) K[i][n + k] = -(Wide)e->A[k * n + i], K[n + k][i] = e->A[k * n + i];
    }
    for (int k = 0; k < m; k++) {
        for (int c = 0; c < m; c++) K[n + k][n + c] = c == k ? e->softness[k] : 0;
        K[n + k][n + m] = e->b[k];
    }
    eliminate(n + m, K, x);
}

/* the largest error of the net force of constraints on a body, of that force */
static double errorOf(const ukEquations *e)
{
    Wide x[Size];
    double worst = 0;
    exact(e, x);
    for (int b = 0; b < e->n; b += 6) {
        Wide off = 0, size = 0;
        for (int k = b; k < b + 3; k++) {
            Wide force = 0, found = 0;
            for (int i = 0; i < e->m; i++) {
                force += (Wide)e->A[i * e->n + k] * x[e->n + i];
                found += (Wide)e->A[i * e->n + k] * e->lambda[i];
            }
            off += (force - found) * (force - found), size += force * force;
        }
        worst = fmax(worst, (double)sqrtl(off / size));
    }
    return worst;
}

int main(void)
{
    static const struct {
        double ratio, error;
    } cases[] = {{1, 1e-12}, {1e3, 1e-10}, {1e6, 1e-8}, {1e9, 1e-4}};
    dInitODE2(0);
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int seed = 0; seed < 40; seed++)
            for (int integrator = ukIntegratorEuler; integrator <= ukIntegratorRattle;
                 integrator += ukIntegratorRattle) {
                Random r = {(uint64_t)seed * 0x9E3779B97F4A7C15u + 3};
                const dWorldID w = chainOf(&r, cases[k].ratio, (ukIntegrator)integrator);
                ukEquations e;
                CHECK(ukWorldStep(w, 0.001) == 1 && ukWorldGetEquations(w, &e) == 0);
                if (!CHECK(errorOf(&e) <= cases[k].error))
                    printf("    ratio %g seed %d integrator %d: %.2g\n", cases[k].ratio, seed, integrator, errorOf(&e));
                dWorldDestroy(w);
            }
    dCloseODE();
    return ukTestEnd();
}
