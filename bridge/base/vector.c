/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/vector.h"

#include <math.h>
#include <string.h>

double ukNormalize(double x[3])
{
    const double length = sqrt(ukDot(x, x));
    if (length > 0) {
        for (int i = 0; i < 3; i++) x[i] /= length;
    } else {
        x[0] = 1;
        x[1] = x[2] = 0;
    }
    return length;
}

void ukPlaneSpace(const double n[3], double p[3], double q[3])
{
    if (fabs(n[2]) > 0.70710678118654752440) {
        const double s = n[1] * n[1] + n[2] * n[2], k = 1 / sqrt(s);
        p[0] = 0;
        p[1] = -n[2] * k;
        p[2] = n[1] * k;
        q[0] = s * k;
        q[1] = -n[0] * p[2];
        q[2] = n[0] * p[1];
    } else {
        /* an axis that was never set (DHinge) spans nothing: its rows stay empty, where ODE divides by zero */
        const double s = n[0] * n[0] + n[1] * n[1], k = s > 0 ? 1 / sqrt(s) : 0;
        p[0] = -n[1] * k;
        p[1] = n[0] * k;
        p[2] = 0;
        q[0] = -n[2] * p[1];
        q[1] = n[2] * p[0];
        q[2] = s * k;
    }
}

void ukQuaternionMultiply(const double p[4], const double q[4], double r[4])
{
    r[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    r[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    r[2] = p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3];
    r[3] = p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1];
}

void ukQuaternionDifference(const double p[4], const double q[4], double r[4])
{
    const double inverse[4] = {p[0], -p[1], -p[2], -p[3]};
    ukQuaternionMultiply(inverse, q, r);
}

void ukRotationVector(const double p[4], const double q[4], double theta[3])
{
    const double inverse[4] = {p[0], -p[1], -p[2], -p[3]};
    double r[4];
    ukQuaternionMultiply(q, inverse, r);
    const double sine = sqrt(ukDot(r + 1, r + 1)), side = r[0] < 0 ? -1 : 1;
    const double factor = sine > 0 ? side * 2 * atan2(sine, fabs(r[0])) / sine : 2 * side;
    for (int i = 0; i < 3; i++) theta[i] = factor * r[1 + i];
}

void ukQuaternionOrient(double q[4], double R[9])
{
    const double k = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] *= k;
    const double xx = 2 * q[1] * q[1], yy = 2 * q[2] * q[2], zz = 2 * q[3] * q[3];
    R[0] = 1 - yy - zz;
    R[1] = 2 * (q[1] * q[2] - q[0] * q[3]);
    R[2] = 2 * (q[1] * q[3] + q[0] * q[2]);
    R[3] = 2 * (q[1] * q[2] + q[0] * q[3]);
    R[4] = 1 - xx - zz;
    R[5] = 2 * (q[2] * q[3] - q[0] * q[1]);
    R[6] = 2 * (q[1] * q[3] - q[0] * q[2]);
    R[7] = 2 * (q[2] * q[3] + q[0] * q[1]);
    R[8] = 1 - xx - yy;
}

/* sin(x)/x below 1e-4 as ODE has it */
void ukQuaternionRotate(double q[4], const double w[3], double speed, double half)
{
    const double theta = speed * half;
    const double sinc = fabs(theta) < 1e-4 ? 1 - theta * theta * 0.166666666666666666667 : sin(theta) / theta;
    const double s = sinc * half, e[4] = {cos(theta), w[0] * s, w[1] * s, w[2] * s};
    double r[4];
    ukQuaternionMultiply(e, q, r);
    memcpy(q, r, sizeof r);
}
