/* SPDX-License-Identifier: BSD-3-Clause */
/* Closed loops: most of them with more rows than they need. */
#include <math.h>
#include <stddef.h>

#include "tests/check.h"
#include "tests/reference/mechanism.h"

/* ---- IFToMM A02: N windows of upright rockers and level couplers, y upwards. All rods 1 m, 1 kg; the inertia about a
 * rod's own axis does not count. Every rocker but the first adds three rows too many, and where all are level one more
 * mode opens. ---- */

static Scene *windows(int count)
{
    static const double still[3] = {0, 0, 0}, turning[3] = {0, 0, -1}, half[3] = {0.5, 0, 0}, whole[3] = {1, 0, 0};
    Scene *s = sceneNew(2 * count + 1, 3 * count + 1, 0.005);
    const double I = 1.0 / 12, thin = 1e-3;
    dBodyID last_coupler = 0;
    dWorldSetGravity(s->world, 0, -9.81, 0);
    for (int i = 0; i <= count; i++) {
        const double foot[3] = {i, 0, 0}, middle[3] = {i, 0.5, 0}, head[3] = {i, 1, 0}, beam[3] = {i + 0.5, 1, 0};
        const dBodyID rocker = mechanismBody(s, 1, I, thin, I, middle, NULL);
        mechanismMotion(rocker, half, turning);
        sceneAddHinge(s, rocker, 0, foot, 0, 0, 1);
        if (last_coupler) sceneAddHinge(s, last_coupler, rocker, head, 0, 0, 1);
        if (i == count) break;
        last_coupler = mechanismBody(s, 1, thin, I, I, beam, NULL);
        mechanismMotion(last_coupler, whole, still);
        sceneAddHinge(s, rocker, last_coupler, head, 0, 0, 1);
    }
    return s;
}

static Scene *window1(void)
{
    return windows(1);
}
/* without the CFM that keeps dWorldStep's matrix regular */
static Scene *windowRigid(void)
{
    Scene *s = windows(1);
    dWorldSetCFM(s->world, 0);
    return s;
}
static Scene *window2(void)
{
    return windows(2);
}
static Scene *window10(void)
{
    return windows(10);
}
static Scene *window40(void)
{
    return windows(40);
}

static void pointOf(dBodyID body, double x, double y, double z, double p[3], double v[3])
{
    dVector3 at;
    dBodyGetRelPointPos(body, x, y, z, at);
    for (int i = 0; i < 3; i++) p[i] = at[i];
    if (!v) return;
    dBodyGetRelPointVel(body, x, y, z, at);
    for (int i = 0; i < 3; i++) v[i] = at[i];
}

static void firstHead(const Scene *s, double *out)
{
    double p[3], v[3];
    pointOf(s->bodies[0], 0, 0.5, 0, p, v);
    out[0] = p[0];
    out[1] = p[1];
    out[2] = v[0];
    out[3] = v[1];
}

/* ---- IFToMM A04 (its y is z here) ---- */

static void bricardP3(const Scene *s, double *out)
{
    double p[3];
    pointOf(s->bodies[1], 0.5, 0, 0, p, NULL);
    out[0] = p[0];
    out[1] = p[2];
    out[2] = -p[1];
}

/* ---- the spatial slider-crank of the IFToMM library ---- */

/* Body frames as the world's, but the rod's z lies along it. */
static Scene *sliderCrank(void)
{
    static const double A[3] = {0, 0.1, 0.12}, B[3] = {0, 0.1, 0.2}, C[3] = {0.2, 0, 0};
    static const double crank_v[3] = {0, -0.24, 0}, rod_v[3] = {0.12, -0.24, 0}, slider_v[3] = {0.24, 0, 0};
    static const double crank_w[3] = {6, 0, 0}, rod_w[3] = {1.92, -0.96, 0.48}, still[3] = {0, 0, 0};
    double x[3], y[3];
    Scene *s = sceneNew(3, 4, 0.001);
    for (int i = 0; i < 3; i++) {
        x[i] = (A[i] + B[i]) / 2;
        y[i] = (B[i] + C[i]) / 2;
    }
    const dBodyID crank = mechanismBody(s, 0.12, 1e-4, 1e-4, 1e-5, x, NULL);
    const dBodyID rod = mechanismBody(s, 0.5, 4e-3, 4e-3, 4e-4, y, NULL);
    const dBodyID slider = mechanismBody(s, 2, 1e-4, 1e-4, 1e-4, C, NULL);
    dMatrix3 R;
    dRFromZAxis(R, C[0] - B[0], C[1] - B[1], C[2] - B[2]);
    dBodySetRotation(rod, R);
    mechanismMotion(crank, crank_v, crank_w);
    mechanismMotion(rod, rod_v, rod_w);
    mechanismMotion(slider, slider_v, still);
    sceneAddHinge(s, crank, 0, A, 1, 0, 0);
    sceneAddBall(s, crank, rod, B);
    const dJointID cross = mechanismJoint(s, dJointCreateUniversal(s->world, 0), slider, rod);
    dJointSetUniversalAnchor(cross, C[0], C[1], C[2]);
    dJointSetUniversalAxis1(cross, 1, 0, 0);
    dJointSetUniversalAxis2(cross, 0, -2, 1);
    sceneAddSlider(s, slider, 0, 1, 0, 0);
    return s;
}

static void sliderAndCrank(const Scene *s, double *out)
{
    const dReal *w = dBodyGetAngularVel(s->bodies[1]);
    out[0] = dBodyGetPosition(s->bodies[2])[0];
    out[1] = dBodyGetLinearVel(s->bodies[2])[0];
    out[2] = dBodyGetAngularVel(s->bodies[0])[0];
    for (int i = 0; i < 3; i++) out[3 + i] = w[i];
}

/* ---- IFToMM A03, Andrews' squeezer: ten hinges, three loops, planar; driven by a torque, held by a spring ---- */

enum { K1, K2, K3, K4, K5, K6, K7 };

static const double squeezer_torque = 0.033, stiffness = 4530, free_length = 0.07785;
static const double spring_end[3] = {0.014, 0.072, 0}, K3_com[2] = {0.01043, -0.01874}, K3_D[2] = {0.02, -0.018};

static dBodyID planar(Scene *s, double mass, double inertia, const double origin[2], double angle, const double com[2])
{
    const double c = cos(angle), d = sin(angle), q[4] = {cos(angle / 2), 0, 0, sin(angle / 2)};
    const double x[3] = {origin[0] + c * com[0] - d * com[1], origin[1] + d * com[0] + c * com[1], 0};
    return mechanismBody(s, mass, inertia, inertia, inertia, x, q);
}

/* the spring's vector from its fixed end, its end on K3 seen from K3's centre, and its length */
static double spring(const double position[3], const double q[4], double r[2], double lever[2])
{
    const double angle = 2 * atan2(q[3], q[0]), c = cos(angle), d = sin(angle);
    const double local[2] = {K3_D[0] - K3_com[0], K3_D[1] - K3_com[1]};
    lever[0] = c * local[0] - d * local[1];
    lever[1] = d * local[0] + c * local[1];
    for (int i = 0; i < 2; i++) r[i] = position[i] + lever[i] - spring_end[i];
    return sqrt(r[0] * r[0] + r[1] * r[1]);
}

static int squeezerForces(const struct ukConstraintContext *context, dReal *force, void *data)
{
    (void)data;
    double r[2], lever[2];
    const double length = spring(context->bodies[1].position, context->bodies[1].orientation, r, lever);
    const double pull = -stiffness * (length - free_length) / length;
    force[5] = squeezer_torque;
    force[6] = pull * r[0];
    force[7] = pull * r[1];
    force[11] = lever[0] * force[7] - lever[1] * force[6];
    return 0;
}

static void hingeZ(Scene *s, dBodyID a, dBodyID b, double x, double y)
{
    const double p[3] = {x, y, 0};
    sceneAddHinge(s, a, b, p, 0, 0, 1);
}

static Scene *squeezer(void)
{
    static const double O[2] = {0, 0}, A[2] = {-0.06934, -0.00227}, B[2] = {-0.03635, 0.03273};
    static const double beta = -0.0617138900142764496, gamma = 0.455279819163070380, phi = 0.222668390165885885;
    static const double delta = 0.487364979543842550, omega = -0.222668390165885885, epsilon = 1.23054744454982119;
    static const double com1[2] = {0.00092, 0}, com2[2] = {-0.0115, 0}, com4[2] = {0, -0.00579};
    static const double com5[2] = {0.02308, 0.00916}, com6[2] = {0.00579, 0}, com7[2] = {-0.00449, -0.01228};
    Scene *s = sceneNew(7, 10, 1e-5);
    dWorldSetGravity(s->world, 0, 0, 0);
    const double F[2] = {0.007 * cos(beta), 0.007 * sin(beta)};
    const double E[2] = {F[0] - 0.028 * cos(beta), F[1] - 0.028 * sin(beta)};
    const double G[2] = {A[0] + 0.04 * cos(delta), A[1] + 0.04 * sin(delta)};
    const double H[2] = {A[0] + 0.04 * sin(epsilon), A[1] - 0.04 * cos(epsilon)};
    planar(s, 0.04325, 2.194e-6, O, beta, com1);
    planar(s, 0.00365, 4.410e-7, F, beta, com2);
    planar(s, 0.02373, 5.255e-6, B, gamma, K3_com);
    /* E = G + 0.02 (sin, -cos)(phi + delta), and the centre is 0.00579 from G on GE; likewise K6 */
    planar(s, 0.00706, 5.667e-7, G, phi + delta, com4);
    planar(s, 0.07050, 1.169e-5, A, delta, com5);
    planar(s, 0.00706, 5.667e-7, H, omega + epsilon, com6);
    planar(s, 0.05498, 1.912e-5, A, epsilon, com7);
    const dBodyID *k = s->bodies;
    hingeZ(s, k[K1], 0, O[0], O[1]);
    hingeZ(s, k[K1], k[K2], F[0], F[1]);
    hingeZ(s, k[K3], 0, B[0], B[1]);
    hingeZ(s, k[K5], 0, A[0], A[1]);
    hingeZ(s, k[K7], 0, A[0], A[1]);
    hingeZ(s, k[K4], k[K5], G[0], G[1]);
    hingeZ(s, k[K6], k[K7], H[0], H[1]);
    hingeZ(s, k[K2], k[K3], E[0], E[1]);
    hingeZ(s, k[K4], k[K3], E[0], E[1]);
    hingeZ(s, k[K6], k[K3], E[0], E[1]);
    return s;
}

static double turnOf(dBodyID body)
{
    const dReal *q = dBodyGetQuaternion(body);
    return remainder(2 * atan2(q[3], q[0]), 2 * 3.14159265358979323846);
}

static void squeezerAngles(const Scene *s, double *out)
{
    const dBodyID *k = s->bodies;
    double p[3];
    out[0] = turnOf(k[K3]);
    out[2] = turnOf(k[K5]);
    out[1] = turnOf(k[K4]) - out[2];
    out[3] = turnOf(k[K7]);
    pointOf(k[K1], 0.007 - 0.00092, 0, 0, p, NULL);
    out[4] = p[0];
    out[5] = p[1];
    pointOf(k[K3], -K3_com[0], -0.035 - K3_com[1], 0, p, NULL);
    out[6] = p[0];
    out[7] = p[1];
}

/* ---- crank and rod of equal length, whose end runs on the x axis through the crank's bearing: where it does, the
 * crank is upright, the rank is one less, and another motion branches off, in which the end stays there. y upwards; the
 * rod's end is on a PR joint. ---- */

static Scene *equalCrank(void)
{
    static const double bearing[3] = {0, 0, 0}, q1[4] = {0.92387953251128674, 0, 0, 0.38268343236508977};
    static const double q2[4] = {0.92387953251128674, 0, 0, -0.38268343236508977};
    const double c = sqrt(0.5), turn = 2 * sqrt(2), w1[3] = {0, 0, turn}, w2[3] = {0, 0, -turn};
    const double x1[3] = {c / 2, c / 2, 0}, x2[3] = {1.5 * c, c / 2, 0}, elbow[3] = {c, c, 0};
    const double v1[3] = {-turn * c / 2, turn * c / 2, 0}, v2[3] = {-turn * 1.5 * c, turn * c / 2, 0};
    Scene *s = sceneNew(3, 3, 0.001);
    dWorldSetGravity(s->world, 0, -9.81, 0);
    const dBodyID crank = mechanismBody(s, 1, 1e-3, 1.0 / 12, 1.0 / 12, x1, q1);
    const dBodyID rod = mechanismBody(s, 1, 1e-3, 1.0 / 12, 1.0 / 12, x2, q2);
    mechanismMotion(crank, v1, w1);
    mechanismMotion(rod, v2, w2);
    sceneAddHinge(s, crank, 0, bearing, 0, 0, 1);
    sceneAddHinge(s, rod, crank, elbow, 0, 0, 1);
    const dBodyID rail = mechanismBody(s, 1, 1, 1, 1, bearing, NULL);
    dBodySetKinematic(rail);
    const dJointID end = mechanismJoint(s, dJointCreatePR(s->world, 0), rail, rod);
    dJointSetPRAnchor(end, 2 * c, 0, 0);
    dJointSetPRAxis1(end, 1, 0, 0);
    dJointSetPRAxis2(end, 0, 0, 1);
    return s;
}

static void elbowAndEnd(const Scene *s, double *out)
{
    double p[3], v[3];
    pointOf(s->bodies[0], 0.5, 0, 0, p, NULL);
    out[0] = p[0];
    out[1] = p[1];
    pointOf(s->bodies[1], 0.5, 0, 0, p, v);
    out[2] = p[0];
    out[3] = v[0];
}

#define WINDOWS(title, maker, N, file, h_, tolerance, energy_)                                                         \
    {                                                                                                                  \
        .name = title, .build = maker, .measure = firstHead, .data = file, .columns = 4, .h = h_, .duration = 10,      \
        .energy = energy_, .rank = 12 * N + 5,                                                                         \
        .judged = {{"position [m]", 0, 2, 10, tolerance, false}, {"velocity [m/s]", 2, 2, 10, 10 * tolerance, false}}, \
    }

static const Mechanism mechanisms[] = {
    WINDOWS("four-bars, 1 in a row (IFToMM A02)", window1, 1, "a02_n_four_bar_1.csv", 0.005, 1e-4, 0.1),
    WINDOWS("four-bar with CFM 0", windowRigid, 1, "a02_n_four_bar_1.csv", 0.005, 1e-4, 0.1),
    WINDOWS("four-bars, 2 in a row (IFToMM A02)", window2, 2, "a02_n_four_bar_2.csv", 0.005, 1e-4, 0.1),
    WINDOWS("four-bars, 10 in a row (IFToMM A02)", window10, 10, "a02_n_four_bar_10.csv", 0.005, 1e-3, 0.1),
    WINDOWS("four-bars, 40 in a row (IFToMM A02)", window40, 40, "a02_n_four_bar_40.csv", 0.01, 1e-3, 0.1),
    {.name = "Andrews' squeezer (IFToMM A03)",
     .build = squeezer,
     .measure = squeezerAngles,
     .data = "a03_andrews_squeezer.csv",
     .columns = 8,
     .h = 1e-5,
     .duration = 0.05,
     .rank = 41,
     .force = squeezerForces,
     .forced = {K1, K3},
     .forced_count = 2,
     .judged = {{"angles [rad]", 0, 4, 0.03, 1e-4, false},
                {"F, E [m]", 4, 4, 0.03, 7e-5, false},
                {"angles [rad]", 0, 4, 0.05, 1e-3, false}}},
    {.name = "Bricard's loop (IFToMM A04)",
     .build = sceneBricard,
     .measure = bricardP3,
     .data = "a04_bricard.csv",
     .columns = 3,
     .h = 0.01,
     .duration = 10,
     .energy = 1e-3,
     .rank = 29,
     .judged = {{"P3 [m]", 0, 3, 10, 1e-3, false}}},
    {.name = "slider-crank through its singular position",
     .build = equalCrank,
     .measure = elbowAndEnd,
     .data = "slider_crank_singular.csv",
     .columns = 4,
     .h = 0.001,
     .duration = 10,
     .energy = 1e-3,
     .rank = 11,
     .judged = {{"ends [m]", 0, 3, 10, 1e-3, false}, {"velocity [m/s]", 3, 1, 10, 1e-2, false}}},
    {.name = "spatial slider-crank",
     .build = sliderCrank,
     .measure = sliderAndCrank,
     .data = "slider_crank_3d.csv",
     .columns = 6,
     .h = 0.001,
     .duration = 5,
     .energy = 1e-5,
     .judged = {{"slider [m]", 0, 1, 1, 1e-4, false},
                {"slider [m]", 0, 1, 5, 1e-3, false},
                {"rates [m/s, rad/s]", 1, 5, 5, 1e-2, false}}}};

/* Dead centres, where the rank falls for an instant, are passed as any other place is: at the tolerance of 1e-10. */
static void throughDeadCentres(void)
{
    static const int which[] = {0, 2, 7}; /* one and two four-bars, the slider-crank */
    for (int i = 0; i < 3; i++) {
        Run run;
        mechanismRun(&mechanisms[which[i]], ByAdaptive, mechanisms[which[i]].h, &run);
        ukTestCheck(run.whole, "adaptive comes to the end", mechanisms[which[i]].name, __LINE__);
        ukTestNear(run.off[0], 0, 1e-9, "position, adaptive", mechanisms[which[i]].name, __LINE__);
    }
}

int main(int argc, char **argv)
{
    mechanismBegin(argc, argv);
    if (argc == 1) throughDeadCentres();
    for (unsigned i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) mechanismCheck(&mechanisms[i]);
    return mechanismEnd();
}
