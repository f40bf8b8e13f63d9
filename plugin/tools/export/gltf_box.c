/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/export/gltf_box.h"

#include <math.h>

/* Principal axes of a symmetric matrix (xx, yy, zz, xy, xz, yz), by Jacobi's rotations: I = V diag(moment) V'. */
static void principalAxes(const double *inertia, double moment[3], double V[3][3])
{
    double A[3][3] = {{inertia[0], inertia[3], inertia[4]},
                      {inertia[3], inertia[1], inertia[5]},
                      {inertia[4], inertia[5], inertia[2]}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) V[r][c] = r == c;
    for (int sweep = 0; sweep < 30; sweep++) {
        const int p = sweep % 3 == 2 ? 1 : 0, q = sweep % 3 == 0 ? 1 : 2;
        const double angle = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 3; k++) {
            const double x = A[k][p], y = A[k][q], u = V[k][p], v = V[k][q];
            A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
            V[k][p] = c * u - s * v, V[k][q] = s * u + c * v;
        }
        for (int k = 0; k < 3; k++) {
            const double x = A[p][k], y = A[q][k];
            A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
        }
    }
    for (int k = 0; k < 3; k++) moment[k] = A[k][k];
}

/* the quaternion of a rotation matrix, by its largest component */
static void quaternionOf(double R[3][3], double q[4])
{
    const double trace = R[0][0] + R[1][1] + R[2][2];
    const double square[4] = {1 + trace, 1 - trace + 2 * R[0][0], 1 - trace + 2 * R[1][1], 1 - trace + 2 * R[2][2]};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[k]) k = i;
    const double half = sqrt(fmax(square[k], 1e-30)) / 2, by = 0.25 / half;
    const double w[4][4] = {{4 * half * half, R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]},
                            {R[2][1] - R[1][2], 4 * half * half, R[1][0] + R[0][1], R[0][2] + R[2][0]},
                            {R[0][2] - R[2][0], R[1][0] + R[0][1], 4 * half * half, R[2][1] + R[1][2]},
                            {R[1][0] - R[0][1], R[0][2] + R[2][0], R[2][1] + R[1][2], 4 * half * half}};
    for (int i = 0; i < 4; i++) q[i] = w[k][i] * by;
}

void gltfBox(double mass, const double inertia[6], double size[3], double orientation[4])
{
    double moment[3], V[3][3];
    principalAxes(inertia, moment, V);
    const double det = V[0][0] * (V[1][1] * V[2][2] - V[1][2] * V[2][1]) -
                       V[0][1] * (V[1][0] * V[2][2] - V[1][2] * V[2][0]) +
                       V[0][2] * (V[1][0] * V[2][1] - V[1][1] * V[2][0]);
    for (int k = 0; k < 3; k++) V[k][2] *= det < 0 ? -1 : 1;
    quaternionOf(V, orientation);
    for (int k = 0; k < 3; k++) {
        const double square = 6 * (moment[(k + 1) % 3] + moment[(k + 2) % 3] - moment[k]) / mass;
        size[k] = !(mass > 0) ? 0.1 : square > 1e-6 && square < 1e12 ? sqrt(square) : 1e-3;
    }
}
