/* SPDX-License-Identifier: BSD-3-Clause */
/* The benchmark bicycle of Meijaard, Papadopoulos, Ruina, Schwab (Linearized dynamics equations for the balance and
 * steer of a bicycle: a benchmark and review, Proc. R. Soc. A 463, 2007): four bodies, three hinges, two wheels that
 * roll as thin discs. Its modes at 0 ... 10 m/s against M s^2 + v C1 s + g K0 + v^2 K2 with the matrices of section
 * 4(d). */
#include <ukode/analysis.h>

#include "tests/check.h"
#include "tests/support/modes_by_differences.h"
#include "tests/support/rolling_disc.h"

static const double g = 9.81, wheelbase = 1.02, trail = 0.08;
static dReal rear_radius = 0.3, front_radius = 0.35;

/* Ixz: in the axes of this program, z up; the paper's is down. */
static dBodyID newBody(dWorldID w, double m, double x, double z, double Ixx, double Iyy, double Izz, double Ixz)
{
    const dBodyID b = dBodyCreate(w);
    dMass mass;
    dMassSetParameters(&mass, m, 0, 0, 0, Ixx, Iyy, Izz, 0, Ixz, 0);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, 0, z);
    return b;
}

static void newHinge(dWorldID w, dBodyID a, dBodyID b, double x, double z, double ax, double ay, double az)
{
    const dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, 0, z);
    dJointSetHingeAxis(j, ax, ay, az);
}

static dWorldID newBicycle(double speed, bool swapped)
{
    const dWorldID w = dWorldCreate();
    const double tilt = M_PI / 10;
    dWorldSetGravity(w, 0, 0, -g);
    ukWorldEnable(w);
    const dBodyID rear = newBody(w, 2, 0, rear_radius, 0.0603, 0.12, 0.0603, 0),
                  frame = newBody(w, 85, 0.3, 0.9, 9.2, 11, 2.8, -2.4),
                  fork = newBody(w, 4, 0.9, 0.7, 0.05892, 0.06, 0.00708, 0.00756),
                  front = newBody(w, 3, wheelbase, front_radius, 0.1405, 0.28, 0.1405, 0);
    newHinge(w, swapped ? frame : rear, swapped ? rear : frame, 0, rear_radius, 0, 1, 0);
    newHinge(w, swapped ? fork : frame, swapped ? frame : fork, wheelbase + trail, 0, -sin(tilt), 0, cos(tilt));
    newHinge(w, swapped ? fork : front, swapped ? front : fork, wheelbase, front_radius, 0, 1, 0);
    rollingDisc(w, rear, &rear_radius);
    rollingDisc(w, front, &front_radius);
    const dBodyID all[4] = {rear, frame, fork, front};
    for (int k = 0; k < 4; k++) dBodySetLinearVel(all[k], speed, 0, 0);
    dBodySetAngularVel(rear, 0, speed / rear_radius, 0);
    dBodySetAngularVel(front, 0, speed / front_radius, 0);
    return w;
}

/* The coefficients of det(M s^2 + v C1 s + g K0 + v^2 K2), by powers of s. */
static void polynomialOf(double v, double p[5])
{
    static const double M[4] = {80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686};
    static const double K0[4] = {-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618};
    static const double K2[4] = {0, 76.59734589573222, 0, 2.65431523794604};
    static const double C1[4] = {0, 33.86641391492494, -0.85035641456978, 1.68540397397560};
    double entry[4][3];
    for (int i = 0; i < 4; i++) {
        entry[i][0] = g * K0[i] + v * v * K2[i];
        entry[i][1] = v * C1[i];
        entry[i][2] = M[i];
    }
    for (int k = 0; k < 5; k++) p[k] = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) p[i + j] += entry[0][i] * entry[3][j] - entry[1][i] * entry[2][j];
}

/* |p(s) / p'(s)|: about the distance from s to a root */
static double distance(const double p[5], double real, double imag)
{
    double value[2] = {0}, slope[2] = {0};
    for (int k = 4; k >= 0; k--) {
        const double s = slope[0] * real - slope[1] * imag + value[0], v = value[0] * real - value[1] * imag + p[k];
        slope[1] = slope[0] * imag + slope[1] * real + value[1];
        value[1] = value[0] * imag + value[1] * real;
        slope[0] = s;
        value[0] = v;
    }
    return hypot(value[0], value[1]) / hypot(slope[0], slope[1]);
}

static void checkSpeed(double speed, bool swapped)
{
    const dWorldID w = newBicycle(speed, swapped);
    const ukMode *modes;
    int count = 0, eigenvalues = 0;
    double p[5], worst = 0, largest = 0;
    polynomialOf(speed, p);
    if (!CHECK(ukWorldModes(w, &modes, &count, NULL) == ukOk)) printf("  %s\n", ukGetLastErrorMessage());
    for (int i = 0; i < count; i++) {
        eigenvalues += modes[i].frequency > 0 ? 2 : 1;
        largest = fmax(largest, hypot(modes[i].growth, modes[i].frequency));
        worst = fmax(worst, distance(p, modes[i].growth, modes[i].frequency));
    }
    CHECK(eigenvalues == 4);
    if (!CHECK(worst <= 1e-12 * largest)) printf("  %g m/s: off by %.2g of %g\n", speed, worst, largest);
    const double apart = modesByDifferences(w, modes, count);
    CHECK(apart <= 1e-10);
    printf("%4g m/s %8.2g %8.2g\n", speed, worst / largest, apart);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    puts("errors over the largest eigenvalue: by the tangent, and by differences of motions from the tangent");
    for (int v = 0; v <= 10; v++) checkSpeed(v, v % 2);
    dCloseODE();
    return ukTestEnd();
}
