/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/vector.h: vectors, rotations and quaternions. x (3), q (4: w, x, y, z), R (9 row-major); outputs may not
 * alias inputs. */
#ifndef UKODE_BRIDGE_BASE_VECTOR_H
#define UKODE_BRIDGE_BASE_VECTOR_H

#include <math.h>

static inline double ukDot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}
static inline double ukSize(const double *x, int n) /* |x| of n numbers */
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}
static inline void ukCross(const double *x, const double *y, double *z)
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}
static inline void ukRotate(const double *R, const double *x, double *y) /* y = R x */
{
    for (int i = 0; i < 3; i++) y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}
static inline void ukUnrotate(const double *R, const double *x, double *y) /* y = R' x */
{
    for (int i = 0; i < 3; i++) y[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
}
static inline double ukSum(const double *x)
{
    return x[0] + x[1] + x[2];
}
double ukNormalize(double x[3]); /* to unit length; the zero vector becomes e_x, as in ODE. Returns the old length */
void ukPlaneSpace(const double n[3], double p[3], double q[3]);               /* ODE's dPlaneSpace; n = 0: p = q = 0 */
void ukQuaternionMultiply(const double p[4], const double q[4], double r[4]); /* r = p q */
void ukQuaternionDifference(const double p[4], const double q[4], double r[4]); /* r = p^-1 q */
/* q to unit length, and its rotation matrix, row-major */
void ukQuaternionOrient(double q[4], double R[9]);
/* q := exp(half w) q, |w| = speed: w times half the step */
void ukQuaternionRotate(double q[4], const double w[3], double speed, double half);
/* theta (world frame) with q = exp(theta) p, up to pi long; p and q of unit length */
void ukRotationVector(const double p[4], const double q[4], double theta[3]);

#endif
