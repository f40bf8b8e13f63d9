/* SPDX-License-Identifier: BSD-3-Clause */
/* The order that is observed: against references (pendulum, four-bar, heavy top), and for every joint type in every
 * order of attachment, on the world and on a moving kinematic body, with motors, from the differences of runs with h,
 * h/2, h/4. Also what the four-bar, with three rows too many, is asked to keep. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"
#include "tests/reference/mechanism.h"
#include "tests/reference/reference.h"
#include "tests/support/random_world.h"

static const double least_order = 3.9;

/* ---- against references ---- */

static Scene *pendulum(void)
{
    static const double origin[3] = {0, 0, 0}, x[3] = {-1, 0, 0};
    Scene *s = sceneNew(1, 1, 0.02);
    mechanismRod(s, mechanismBody(s, 1, 0.1, 0.1, 0.1, x, NULL), 0, origin);
    sceneWatch(s);
    return s;
}

static void pendulumPlace(const Scene *s, double *out)
{
    const dReal *x = dBodyGetPosition(s->bodies[0]);
    dReal f[6];
    mechanismForce(s, 0, f);
    out[0] = x[0];
    out[1] = x[2];
    out[2] = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
}

static Scene *heavyTop(void)
{
    static const double origin[3] = {0, 0, 0}, x[3] = {0, 1, 0}, v[3] = {4.61538, 0, 0}, w[3] = {0, 150, -4.61538};
    Scene *s = sceneNew(1, 1, 1e-3);
    const dBodyID top = mechanismBody(s, 15, 0.234375, 0.46875, 0.234375, x, NULL);
    mechanismMotion(top, v, w);
    sceneAddBall(s, top, 0, origin);
    return s;
}

static void topPose(const Scene *s, double *out)
{
    const dReal *x = dBodyGetPosition(s->bodies[0]), *q = dBodyGetQuaternion(s->bodies[0]);
    for (int i = 0; i < 3; i++) out[i] = x[i];
    for (int i = 0; i < 4; i++) out[3 + i] = q[i];
}

static void ordersAgree(const char *name, const double off[3])
{
    const double order[2] = {log2(off[0] / off[1]), log2(off[1] / off[2])};
    printf("%s: off by %.2g, %.2g, %.2g: order %.2f, %.2f\n", name, off[0], off[1], off[2], order[0], order[1]);
    CHECK(order[0] >= least_order && order[1] >= least_order);
}

static void againstReference(const Mechanism *m)
{
    double off[3];
    for (int k = 0; k < 3; k++) {
        Run run;
        mechanismRun(m, ByRK4, m->h / (1 << k), &run);
        off[k] = run.off[0];
    }
    ordersAgree(m->name, off);
}

static const Mechanism mechanisms[] = {{.name = "pendulum",
                                        .build = pendulum,
                                        .measure = pendulumPlace,
                                        .data = "a01_simple_pendulum.csv",
                                        .columns = 3,
                                        .h = 0.01,
                                        .duration = 10,
                                        .judged = {{"position", 0, 2, 10, 0, false}}},
                                       {.name = "heavy top",
                                        .build = heavyTop,
                                        .measure = topPose,
                                        .data = "heavy_top.csv",
                                        .columns = 7,
                                        .h = 1e-3,
                                        .duration = 2,
                                        .judged = {{"pose", 3, 4, 2, 0, true}}}};

/* ---- the four-bar of demos/scenes.h, which has one angle ---- */

static void fourBarRate(const double y[2], double rate[2])
{
    const double A = 2 * (0.25 + (1 + 0.05 * 0.05) / 12) + 2;
    rate[0] = y[1];
    rate[1] = -3 * 9.81 * cos(y[0]) / A;
}

/* angle and rate h later, by the classical method */
static void fourBarAdvance(double y[2], double h)
{
    double k[4][2], at[2];
    fourBarRate(y, k[0]);
    for (int j = 1; j < 4; j++) {
        for (int i = 0; i < 2; i++) at[i] = y[i] + (j == 3 ? h : h / 2) * k[j - 1][i];
        fourBarRate(at, k[j]);
    }
    for (int i = 0; i < 2; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static void fourBarOrder(void)
{
    enum { Fine = 25 };
    double off[3] = {0};
    for (int k = 0; k < 3; k++) {
        Scene *s = sceneFourBar();
        const double h = 0.005 / (1 << k);
        double y[2] = {atan(1), 0};
        CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
        for (int n = 0; n < 600 << k; n++) {
            CHECK(ukWorldStep(s->world, h) == 1);
            for (int i = 0; i < Fine; i++) fourBarAdvance(y, h / (double)Fine);
            off[k] = refMax(off[k], fabs(remainder(sceneFourBarAngle(s) - y[0], 2 * 3.14159265358979323846)));
        }
        sceneDestroy(s);
    }
    ordersAgree("four-bar", off);
}

/* 10 s with h = 0.01: energy, loop and rank. The loop swings through the line, where one mode more opens. */
static void fourBarKeeps(void)
{
    Scene *s = sceneFourBar();
    const double start = sceneEnergy(s);
    double energy = 0, gap = 0;
    CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
    for (int n = 0; n < 1000; n++) {
        ukReport r;
        CHECK(ukWorldStep(s->world, 0.01) == 1);
        CHECK(ukWorldGetReport(s->world, &r) == 0);
        CHECK(r.ok && r.rows == 20 && r.rank == 17);
        energy = refMax(energy, fabs(sceneEnergy(s) - start));
        gap = refMax(gap, refMax(sceneGap(s), r.position_error));
    }
    CHECK_NEAR(energy, 0, 1e-4);
    CHECK_NEAR(gap, 0, 1e-12);
    printf("four-bar, 10 s, h 0.01: energy %.2g J, loop %.2g m\n", energy, gap);
    sceneDestroy(s);
}

/* ---- joint types ---- */

typedef struct Frame {
    double p[3], x[3], u[3], w[3]; /* a point; unit axes, u across x, w across u but not along x */
} Frame;

typedef struct Kind {
    const char *name;
    dJointID (*make)(dWorldID, dJointGroupID);
    void (*set)(dJointID joint, const Frame *f);
    bool bodies; /* only between two bodies */
} Kind;

static void setBall(dJointID j, const Frame *f)
{
    dJointSetBallAnchor(j, f->p[0], f->p[1], f->p[2]);
}

static void setHinge(dJointID j, const Frame *f)
{
    dJointSetHingeAnchor(j, f->p[0], f->p[1], f->p[2]);
    dJointSetHingeAxis(j, f->x[0], f->x[1], f->x[2]);
}

static void setHingeMotor(dJointID j, const Frame *f)
{
    setHinge(j, f);
    dJointSetHingeParam(j, dParamFMax, dInfinity);
    dJointSetHingeParam(j, dParamVel, 1.5);
}

static void setHingeLock(dJointID j, const Frame *f)
{
    setHinge(j, f);
    dJointSetHingeParam(j, dParamLoStop, 0);
    dJointSetHingeParam(j, dParamHiStop, 0);
}

static void setSlider(dJointID j, const Frame *f)
{
    dJointSetSliderAxis(j, f->x[0], f->x[1], f->x[2]);
}

static void setSliderMotor(dJointID j, const Frame *f)
{
    setSlider(j, f);
    dJointSetSliderParam(j, dParamFMax, dInfinity);
    dJointSetSliderParam(j, dParamVel, -0.8);
}

static void setUniversal(dJointID j, const Frame *f)
{
    dJointSetUniversalAnchor(j, f->p[0], f->p[1], f->p[2]);
    dJointSetUniversalAxis1(j, f->u[0], f->u[1], f->u[2]);
    dJointSetUniversalAxis2(j, f->w[0], f->w[1], f->w[2]);
}

static void setUniversalMotor(dJointID j, const Frame *f)
{
    setUniversal(j, f);
    dJointSetUniversalParam(j, dParamFMax1, dInfinity);
    dJointSetUniversalParam(j, dParamVel1, 1.2);
}

static void setHinge2(dJointID j, const Frame *f)
{
    const dVector3 first = {f->x[0], f->x[1], f->x[2]},
                   second = {f->u[0] + 0.3 * f->x[0], f->u[1] + 0.3 * f->x[1], f->u[2] + 0.3 * f->x[2]};
    dJointSetHinge2Anchor(j, f->p[0], f->p[1], f->p[2]);
    dJointSetHinge2Axes(j, first, second);
    dJointSetHinge2Param(j, dParamSuspensionCFM, 1e-10);
}

static void setHinge2Lock(dJointID j, const Frame *f)
{
    setHinge2(j, f);
    dJointSetHinge2Param(j, dParamLoStop, 0);
    dJointSetHinge2Param(j, dParamHiStop, 0);
}

static void setFixed(dJointID j, const Frame *f)
{
    (void)f;
    dJointSetFixed(j);
}

static void setPR(dJointID j, const Frame *f)
{
    dJointSetPRAnchor(j, f->p[0], f->p[1], f->p[2]);
    dJointSetPRAxis1(j, f->x[0], f->x[1], f->x[2]);
    dJointSetPRAxis2(j, f->u[0], f->u[1], f->u[2]);
}

static void setPRMotor(dJointID j, const Frame *f)
{
    setPR(j, f);
    dJointSetPRParam(j, dParamFMax1, dInfinity);
    dJointSetPRParam(j, dParamVel1, 0.7);
}

static void setPRLock(dJointID j, const Frame *f)
{
    setPR(j, f);
    dJointSetPRParam(j, dParamLoStop1, 0);
    dJointSetPRParam(j, dParamHiStop1, 0);
}

static void setPU(dJointID j, const Frame *f)
{
    dJointSetPUAnchor(j, f->p[0], f->p[1], f->p[2]);
    dJointSetPUAxis1(j, f->u[0], f->u[1], f->u[2]);
    dJointSetPUAxis2(j, f->w[0], f->w[1], f->w[2]);
    dJointSetPUAxisP(j, f->x[0], f->x[1], f->x[2]);
}

static void setPiston(dJointID j, const Frame *f)
{
    dJointSetPistonAnchor(j, f->p[0], f->p[1], f->p[2]);
    dJointSetPistonAxis(j, f->x[0], f->x[1], f->x[2]);
}

static void setDBall(dJointID j, const Frame *f)
{
    dJointSetDBallAnchor1(j, f->p[0], f->p[1], f->p[2]);
    dJointSetDBallAnchor2(j, f->p[0] + 0.7 * f->x[0], f->p[1] + 0.7 * f->x[1], f->p[2] + 0.7 * f->x[2]);
}

static void setDHinge(dJointID j, const Frame *f)
{
    dJointSetDHingeAnchor1(j, f->p[0], f->p[1], f->p[2]);
    dJointSetDHingeAnchor2(j, f->p[0] + 0.7 * f->u[0], f->p[1] + 0.7 * f->u[1], f->p[2] + 0.7 * f->u[2]);
    dJointSetDHingeAxis(j, f->x[0], f->x[1], f->x[2]);
}

static void setAMotor(dJointID j, const Frame *f)
{
    dJointSetAMotorMode(j, dAMotorUser);
    dJointSetAMotorNumAxes(j, 1);
    dJointSetAMotorAxis(j, 0, 1, f->x[0], f->x[1], f->x[2]);
    dJointSetAMotorParam(j, dParamFMax, dInfinity);
    dJointSetAMotorParam(j, dParamVel, 0.9);
}

static void setEulerAMotor(dJointID j, const Frame *f)
{
    dJointSetAMotorAxis(j, 0, 1, f->x[0], f->x[1], f->x[2]);
    dJointSetAMotorAxis(j, 2, 2, f->u[0], f->u[1], f->u[2]);
    dJointSetAMotorMode(j, dAMotorEuler);
    dJointSetAMotorParam(j, dParamLoStop1, 0); /* the first angle is locked, the second driven, the third free */
    dJointSetAMotorParam(j, dParamHiStop1, 0);
    dJointSetAMotorParam(j, dParamFMax2, dInfinity);
    dJointSetAMotorParam(j, dParamVel2, 0.4);
}

static void setLMotor(dJointID j, const Frame *f)
{
    dJointSetLMotorNumAxes(j, 1);
    dJointSetLMotorAxis(j, 0, 1, f->x[0], f->x[1], f->x[2]);
    dJointSetLMotorParam(j, dParamFMax, dInfinity);
    dJointSetLMotorParam(j, dParamVel, 0.3);
}

static const Kind kinds[] = {{"ball", dJointCreateBall, setBall, false},
                             {"hinge", dJointCreateHinge, setHinge, false},
                             {"hinge, motor", dJointCreateHinge, setHingeMotor, false},
                             {"hinge, locked", dJointCreateHinge, setHingeLock, false},
                             {"slider", dJointCreateSlider, setSlider, false},
                             {"slider, motor", dJointCreateSlider, setSliderMotor, false},
                             {"universal", dJointCreateUniversal, setUniversal, false},
                             {"universal, motor", dJointCreateUniversal, setUniversalMotor, false},
                             {"hinge2", dJointCreateHinge2, setHinge2, true},
                             {"hinge2, locked", dJointCreateHinge2, setHinge2Lock, true},
                             {"fixed", dJointCreateFixed, setFixed, false},
                             {"PR", dJointCreatePR, setPR, false},
                             {"PR, motor", dJointCreatePR, setPRMotor, false},
                             {"PR, locked", dJointCreatePR, setPRLock, false},
                             {"PU", dJointCreatePU, setPU, false},
                             {"piston", dJointCreatePiston, setPiston, false},
                             {"dball", dJointCreateDBall, setDBall, false},
                             {"dhinge", dJointCreateDHinge, setDHinge, false},
                             {"AMotor", dJointCreateAMotor, setAMotor, false},
                             {"AMotor, Euler", dJointCreateAMotor, setEulerAMotor, false},
                             {"LMotor", dJointCreateLMotor, setLMotor, false}};

enum { Kinds = sizeof kinds / sizeof *kinds, Samples = 10, Numbers = 26 * Samples };

static void unit(double x[3])
{
    const double l = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < 3; i++) x[i] /= l;
}

static void across(const double x[3], const double y[3], double z[3])
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
    unit(z);
}

static Frame anyFrame(Random *random, const double near[3])
{
    Frame f;
    double y[3], z[3];
    for (int i = 0; i < 3; i++) {
        f.p[i] = near[i] + randomUniform(random, -0.4, 0.4);
        f.x[i] = randomUniform(random, -1, 1);
        y[i] = randomUniform(random, -1, 1);
        z[i] = randomUniform(random, -1, 1);
    }
    unit(f.x);
    across(f.x, y, f.u);
    across(f.u, z, f.w);
    return f;
}

static void move(Random *random, dBodyID body, double speed)
{
    double v[6];
    for (int i = 0; i < 6; i++) v[i] = randomUniform(random, -speed, speed);
    mechanismMotion(body, v, v + 3);
}

/* two bodies, one joint of the kind to the base and one between them, in random orders; a hand-over of random motion
 * onto what the joints allow */
static Scene *pair(const Kind *kind, uint64_t seed, bool moving_base)
{
    Random random = {seed * 0x9E3779B97F4A7C15u + 1};
    for (int i = 0; i < 8; i++) randomUniform(&random, 0, 1);
    static const double places[3][3] = {{0, 0, 0}, {0.6, 0.2, -0.4}, {1.1, -0.3, -0.7}};
    Scene *s = sceneNew(3, 2, 0.002);
    dBodyID base = 0;
    const bool reverse = randomBelow(&random, 2);
    for (int i = moving_base ? 0 : 1; i < 3; i++) {
        double q[4] = {1, 0, 0, 0};
        for (int k = 0; k < 4; k++) q[k] += randomUniform(&random, -0.7, 0.7);
        const dBodyID body = mechanismBody(s, randomUniform(&random, 0.5, 2), 0.1, 0.15, 0.2, places[i], q);
        move(&random, body, i == 0 ? 0.5 : 1.5);
        if (i == 0) dBodySetKinematic(base = body);
    }
    const dBodyID first = s->bodies[s->count - 2], second = s->bodies[s->count - 1];
    for (int k = 0; k < 2; k++) {
        const dBodyID inner = k == 0 ? base : first, outer = k == 0 ? first : second;
        const Frame f = anyFrame(&random, places[1 + k]);
        const dJointID joint = kind->make(s->world, 0);
        mechanismJoint(s, joint, reverse ? inner : outer, reverse ? outer : inner);
        kind->set(joint, &f);
    }
    return s;
}

static void state(const Scene *s, double *out)
{
    for (int i = s->count - 2; i < s->count; i++) {
        const dReal *part[4] = {dBodyGetPosition(s->bodies[i]), dBodyGetQuaternion(s->bodies[i]),
                                dBodyGetLinearVel(s->bodies[i]), dBodyGetAngularVel(s->bodies[i])};
        static const int size[4] = {3, 4, 3, 3};
        for (int p = 0; p < 4; p++)
            for (int k = 0; k < size[p]; k++) *out++ = part[p][k];
    }
}

/* a run of `steps` a second, its states at Samples times; `energy`: how far that is off */
static bool run(const Kind *kind, uint64_t seed, bool moving_base, int steps, double seen[Numbers], double *energy)
{
    Scene *s = pair(kind, seed, moving_base);
    bool sound = CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0) && CHECK(ukWorldProject(s->world) == 0);
    const double start = sceneEnergy(s);
    *energy = 0;
    for (int n = 0; n < steps && sound; n++) {
        ukReport r;
        sound = CHECK(ukWorldStep(s->world, 1.0 / steps) == 1) && CHECK(ukWorldGetReport(s->world, &r) == 0) &&
                CHECK(r.ok && r.discrete_islands == 0 && r.rank == r.rows);
        CHECK_NEAR(r.position_error, 0, 1e-13);
        CHECK_NEAR(r.velocity_error, 0, 1e-12);
        *energy = refMax(*energy, fabs(sceneEnergy(s) - start));
        if ((n + 1) % (steps / Samples) == 0) state(s, seen + ((n + 1) / (steps / Samples) - 1) * Numbers / Samples);
    }
    if (!sound) printf("%s, seed %llu: %s\n", kind->name, (unsigned long long)seed, ukGetLastErrorMessage());
    sceneDestroy(s);
    return sound;
}

/* order of three runs, each with half the step of the one before; 4 for a pair that cannot bend */
static double orderOf(double seen[3][Numbers])
{
    double size[2] = {0, 0};
    for (int i = 0; i < Numbers; i++)
        for (int k = 0; k < 2; k++) size[k] = refMax(size[k], fabs(seen[k][i] - seen[k + 1][i]));
    return size[0] < 1e-11 ? 4 : log2(size[0] / size[1]);
}

/* The order where steps are short enough for the pair's motion; `energy`: how far it is off in the finest run. */
static bool convergence(const Kind *kind, uint64_t seed, bool moving_base, double *order, double *energy)
{
    enum { Coarse = 250, Finest = 16000 }; /* steps a second: as many as the swiftest motion needs */
    double seen[3][Numbers];
    for (int steps = Coarse, known = 0; steps <= Finest; steps *= 2) {
        if (known == 3) {
            memmove(seen[0], seen[1], 2 * sizeof seen[0]);
            known = 2;
        }
        if (!run(kind, seed, moving_base, steps, seen[known++], energy)) return false;
        if (known == 3 && (*order = orderOf(seen)) >= least_order) break;
    }
    return true;
}

static void everyJoint(const Kind *kind)
{
    enum { Seeds = 6 };
    double least = INFINITY, worst = 0;
    const bool driven = strstr(kind->name, "otor") != NULL; /* and the motion that a motor asks for is put in at once */
    for (uint64_t seed = 1; seed <= 2 * Seeds; seed++) {
        const bool moving_base = kind->bodies || seed > Seeds;
        double order = 0, energy = 0;
        if (!convergence(kind, seed, moving_base, &order, &energy)) continue;
        if (!CHECK(order >= least_order))
            printf("%s, seed %llu: order %.2f\n", kind->name, (unsigned long long)seed, order);
        least = fmin(least, order);
        if (moving_base || driven) continue;
        CHECK_NEAR(energy, 0, 1e-4);
        worst = fmax(worst, energy);
    }
    printf("%-17s least order %.2f, energy within %.1g J\n", kind->name, least, worst);
}

int main(int argc, char **argv)
{
    mechanismBegin(argc, argv);
    for (unsigned i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) againstReference(&mechanisms[i]);
    fourBarOrder();
    fourBarKeeps();
    for (int k = 0; k < Kinds; k++) everyJoint(&kinds[k]);
    return mechanismEnd();
}
