/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/forks/earlier.c: parity of single steps in a program that ODE and ukode are linked into (ukode::embedded), with
 * functions of ODE 0.12 alone: two equal worlds of random bodies, a joint of every type that 0.12 has, in both
 * attachment orders, with motors of bounded force, stops and contacts with friction; ODE steps one, ukode the other.
 * Then the other integrators: certified steps, and equal bits after a restored state.
 *
 * Usage: earlier [WORLDS] (of each type, 60) */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

enum { Bodies = 2, Joints = 2, Steps = 3 };
typedef enum Kind {
    Ball,
    Hinge,
    Slider,
    Universal,
    Hinge2,
    Fixed,
    PR,
    PU,
    Piston,
    User,
    Euler,
    LMotor,
    Plane,
    Contact,
    Kinds
} Kind;
static const char *const names[Kinds] = {"ball", "hinge",  "slider",      "universal",    "hinge2", "fixed", "pr",
                                         "pu",   "piston", "user amotor", "euler amotor", "lmotor", "plane", "contact"};

typedef struct World {
    dWorldID world;
    dBodyID body[Bodies];
    dJointID joint[Joints];
    dJointFeedback feedback[Joints];
} World;

static unsigned long long seed;
static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static void randomAxis(double x[3])
{
    double size;
    do {
        for (int k = 0; k < 3; k++) x[k] = uniform(-1, 1);
        size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    } while (size < 0.3);
    for (int k = 0; k < 3; k++) x[k] /= size;
}

typedef void Set(dJointID, int, dReal);

/* motors of bounded force, stops that hold in a third of the cases */
static void setMotors(dJointID joint, Set *set, int groups)
{
    for (int g = 0; g < groups; g++) {
        const int base = g * dParamGroup;
        const double stops = uniform(0, 1), centre = uniform(-0.4, 0.4);
        const double half = stops < 0.2 ? 0 : uniform(0.05, 0.5); /* 0: one stop, held from both sides */
        if (uniform(0, 1) < 0.6) {
            set(joint, base + dParamVel, uniform(-2, 2));
            set(joint, base + dParamFMax, uniform(0, 1) < 0.5 ? uniform(0, 3) : 20);
            set(joint, base + dParamFudgeFactor, uniform(0, 1));
        }
        set(joint, base + dParamStopERP, uniform(0.1, 0.8));
        set(joint, base + dParamStopCFM, uniform(1e-6, 1e-3));
        set(joint, base + dParamCFM, uniform(1e-6, 1e-3));
        set(joint, base + dParamBounce, uniform(0, 1) < 0.5 ? 0 : uniform(0, 0.8));
        if (stops > 0.6) continue;
        set(joint, base + dParamLoStop, centre - half);
        set(joint, base + dParamHiStop, centre + half);
    }
}

static dJointID createJoint(Kind kind, dWorldID w)
{
    switch (kind) {
    case Ball: return dJointCreateBall(w, 0);
    case Hinge: return dJointCreateHinge(w, 0);
    case Slider: return dJointCreateSlider(w, 0);
    case Universal: return dJointCreateUniversal(w, 0);
    case Hinge2: return dJointCreateHinge2(w, 0);
    case Fixed: return dJointCreateFixed(w, 0);
    case PR: return dJointCreatePR(w, 0);
    case PU: return dJointCreatePU(w, 0);
    case Piston: return dJointCreatePiston(w, 0);
    case User:
    case Euler: return dJointCreateAMotor(w, 0);
    case LMotor: return dJointCreateLMotor(w, 0);
    default: return dJointCreatePlane2D(w, 0);
    }
}

/* joints of motors alone; x and y: orthogonal axes */
static void placeMotor(Kind kind, dJointID j, const double x[3], const double y[3])
{
    switch (kind) {
    case User:
        dJointSetAMotorNumAxes(j, 2);
        dJointSetAMotorAxis(j, 0, 0, x[0], x[1], x[2]);
        dJointSetAMotorAxis(j, 1, dJointGetBody(j, 0) ? 1 : 2, y[0], y[1], y[2]);
        dJointSetAMotorAngle(j, 0, uniform(-0.5, 0.5)), dJointSetAMotorAngle(j, 1, uniform(-0.5, 0.5));
        setMotors(j, dJointSetAMotorParam, 2);
        break;
    case Euler:
        dJointSetAMotorMode(j, dAMotorEuler);
        dJointSetAMotorAxis(j, 0, 1, x[0], x[1], x[2]), dJointSetAMotorAxis(j, 2, 2, y[0], y[1], y[2]);
        setMotors(j, dJointSetAMotorParam, 3);
        break;
    case LMotor:
        dJointSetLMotorNumAxes(j, 2);
        dJointSetLMotorAxis(j, 0, 0, x[0], x[1], x[2]), dJointSetLMotorAxis(j, 1, 1, y[0], y[1], y[2]);
        for (int g = 0; g < 2; g++) {
            dJointSetLMotorParam(j, g * dParamGroup + dParamVel, uniform(-2, 2));
            dJointSetLMotorParam(j, g * dParamGroup + dParamFMax, uniform(0, 3));
        }
        break;
    default:
        dJointSetPlane2DAngleParam(j, dParamVel, 1), dJointSetPlane2DAngleParam(j, dParamFMax, uniform(0, 3));
        break;
    }
}

/* anchor p; x and y: orthogonal axes */
static void placeJoint(Kind kind, dJointID j, const double p[3], const double x[3], const double y[3])
{
    switch (kind) {
    case Ball: dJointSetBallAnchor(j, p[0], p[1], p[2]); break;
    case Hinge:
        dJointSetHingeAnchor(j, p[0], p[1], p[2]), dJointSetHingeAxis(j, x[0], x[1], x[2]);
        setMotors(j, dJointSetHingeParam, 1);
        break;
    case Slider: dJointSetSliderAxis(j, x[0], x[1], x[2]), setMotors(j, dJointSetSliderParam, 1); break;
    case Universal:
        dJointSetUniversalAnchor(j, p[0], p[1], p[2]);
        dJointSetUniversalAxis1(j, x[0], x[1], x[2]), dJointSetUniversalAxis2(j, y[0], y[1], y[2]);
        setMotors(j, dJointSetUniversalParam, 2);
        break;
    case Hinge2:
        dJointSetHinge2Anchor(j, p[0], p[1], p[2]);
        dJointSetHinge2Axis1(j, x[0], x[1], x[2]), dJointSetHinge2Axis2(j, y[0], y[1], y[2]);
        setMotors(j, dJointSetHinge2Param, 1);
        dJointSetHinge2Param(j, dParamVel2, uniform(-2, 2)), dJointSetHinge2Param(j, dParamFMax2, uniform(0, 3));
        dJointSetHinge2Param(j, dParamSuspensionERP, 0.4), dJointSetHinge2Param(j, dParamSuspensionCFM, 0.01);
        break;
    case Fixed: dJointSetFixed(j); break;
    case PR:
        dJointSetPRAnchor(j, p[0], p[1], p[2]);
        dJointSetPRAxis1(j, x[0], x[1], x[2]), dJointSetPRAxis2(j, y[0], y[1], y[2]);
        setMotors(j, dJointSetPRParam, 2);
        break;
    case PU:
        dJointSetPUAnchor(j, p[0], p[1], p[2]);
        dJointSetPUAxis1(j, x[0], x[1], x[2]), dJointSetPUAxis2(j, y[0], y[1], y[2]);
        dJointSetPUAxis3(j, y[0], y[1], y[2]);
        setMotors(j, dJointSetPUParam, 3);
        break;
    case Piston:
        dJointSetPistonAnchor(j, p[0], p[1], p[2]), dJointSetPistonAxis(j, x[0], x[1], x[2]);
        setMotors(j, dJointSetPistonParam, 2);
        break;
    default: placeMotor(kind, j, x, y); break;
    }
}

static dJointID makeContact(dWorldID w)
{
    dContact c;
    double n[3], f[3];
    randomAxis(n), randomAxis(f);
    memset(&c, 0, sizeof c);
    c.surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM | (uniform(0, 1) < 0.5 ? dContactBounce : 0) |
                     (uniform(0, 1) < 0.5 ? dContactMu2 | dContactFDir1 : 0) |
                     (uniform(0, 1) < 0.3 ? dContactSlip1 : 0) |
                     (uniform(0, 1) < 0.3 ? dContactMotion1 | dContactMotionN : 0);
    c.surface.mu = uniform(0, 1), c.surface.mu2 = uniform(0, 1);
    c.surface.bounce = 0.5, c.surface.bounce_vel = 0.1;
    c.surface.soft_erp = 0.3, c.surface.soft_cfm = 1e-4;
    c.surface.motion1 = 0.3, c.surface.motionN = 0.1, c.surface.slip1 = 0.01;
    for (int k = 0; k < 3; k++) {
        c.geom.pos[k] = uniform(-0.5, 0.5), c.geom.normal[k] = n[k];
        c.fdir1[k] = n[(k + 1) % 3] * f[(k + 2) % 3] - n[(k + 2) % 3] * f[(k + 1) % 3];
    }
    c.geom.depth = uniform(0, 0.05);
    return dJointCreateContact(w, 0, &c);
}

static void shift(dBodyID b, double most)
{
    const dReal *const x = dBodyGetPosition(b), *const q = dBodyGetQuaternion(b);
    dBodySetPosition(b, x[0] + uniform(-most, most), x[1] + uniform(-most, most), x[2] + uniform(-most, most));
    const dQuaternion turned = {q[0] + uniform(-most, most), q[1] + uniform(-most, most), q[2] + uniform(-most, most),
                                q[3] + uniform(-most, most)};
    dBodySetQuaternion(b, turned);
}

/* Whether a joint is of one body and the world. ODE 0.12 aborts at a hinge2 of one body; the rows of PR, PU, Piston
 * and Euler AMotors that are attached as (0, B) are not ODE's (docs/ode-differences.md). */
static int joinsWorld(Kind kind, int number)
{
    const int differs = kind == PR || kind == PU || kind == Piston || kind == Euler;
    return kind == Plane || (number / 2 % 2 && kind != Hinge2 && !(differs && number % 2));
}

static void makeWorld(World *w, Kind kind, int number)
{
    seed = 1000u * (unsigned)kind + (unsigned)number + 1;
    uniform(0, 1);
    *w = (World){.world = dWorldCreate()};
    dWorldSetGravity(w->world, 0, 0, -9.81);
    dWorldSetCFM(w->world, 1e-6);
    for (int i = 0; i < Bodies; i++) {
        dMass m;
        dMatrix3 R;
        const dBodyID b = w->body[i] = dBodyCreate(w->world);
        dMassSetBoxTotal(&m, uniform(0.5, 2), uniform(0.2, 1), uniform(0.2, 1), uniform(0.2, 1));
        dBodySetMass(b, &m);
        dRFromEulerAngles(R, uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
        if (kind != Plane) dBodySetRotation(b, R);
        dBodySetPosition(b, i + uniform(-0.3, 0.3), uniform(-0.3, 0.3), kind == Plane ? 0 : uniform(-0.3, 0.3));
        dBodySetLinearVel(b, uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
        dBodySetAngularVel(b, uniform(-2, 2), uniform(-2, 2), uniform(-2, 2));
    }
    /* between the bodies; of one of them and the world, in either order */
    const int order = number % 2, world = joinsWorld(kind, number);
    double p[3], x[3], y[3], z[3], size;
    for (int k = 0; k < 3; k++) p[k] = uniform(-0.5, 0.5);
    randomAxis(x);
    do {
        randomAxis(z);
        for (int k = 0; k < 3; k++) y[k] = x[(k + 1) % 3] * z[(k + 2) % 3] - x[(k + 2) % 3] * z[(k + 1) % 3];
        size = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    } while (size < 0.3);
    for (int k = 0; k < 3; k++) y[k] /= size;
    for (int i = 0; i < (kind == Contact ? Joints : 1); i++) {
        const dBodyID a = w->body[order], b = world && i == 0 ? 0 : w->body[!order];
        const dJointID j = w->joint[i] = kind == Contact ? makeContact(w->world) : createJoint(kind, w->world);
        dJointAttach(j, order && kind != Plane ? b : a, order && kind != Plane ? a : b);
        if (kind != Contact) placeJoint(kind, j, p, x, y);
        dJointSetFeedback(j, &w->feedback[i]);
    }
    for (int i = 0; i < Bodies && kind != Plane; i++) shift(w->body[i], 0.02);
}

static double larger(double most, const dReal *x, const dReal *y, int count)
{
    for (int k = 0; k < count; k++) {
        const double d = fabs(x[k] - y[k]) / (1 + fabs(y[k]));
        if (!(d <= most)) most = d;
    }
    return most;
}

static double difference(const World *w, const World *v)
{
    double most = 0;
    for (int i = 0; i < Bodies; i++) {
        most = larger(most, dBodyGetPosition(w->body[i]), dBodyGetPosition(v->body[i]), 3);
        most = larger(most, dBodyGetQuaternion(w->body[i]), dBodyGetQuaternion(v->body[i]), 4);
        most = larger(most, dBodyGetLinearVel(w->body[i]), dBodyGetLinearVel(v->body[i]), 3);
        most = larger(most, dBodyGetAngularVel(w->body[i]), dBodyGetAngularVel(v->body[i]), 3);
    }
    for (int i = 0; i < Joints && w->joint[i]; i++) {
        most = larger(most, w->feedback[i].f1, v->feedback[i].f1, 3);
        most = larger(most, w->feedback[i].t1, v->feedback[i].t1, 3);
        most = larger(most, w->feedback[i].f2, v->feedback[i].f2, 3);
        most = larger(most, w->feedback[i].t2, v->feedback[i].t2, 3);
    }
    return most;
}

/* steps of ODE and of ukode from equal states */
static int parity(Kind kind, int worlds)
{
    double worst = 0;
    int failed = 0, at = 0;
    for (int number = 0; number < worlds; number++) {
        World native, stepped;
        makeWorld(&native, kind, number);
        makeWorld(&stepped, kind, number);
        if (ukWorldEnable(stepped.world) != ukOk) return printf("earlier: %s\n", ukGetLastErrorMessage()), 1;
        for (int k = 0; k < Steps; k++) {
            dWorldStep(native.world, 0.01);
            if (dWorldStep(stepped.world, 0.01) == 1) continue;
            printf("earlier: %s %d: %s\n", names[kind], number, ukGetLastErrorMessage());
            failed++;
        }
        const double d = difference(&stepped, &native);
        if (!(d <= worst)) worst = d, at = number;
        dWorldDestroy(native.world), dWorldDestroy(stepped.world);
    }
    printf("%s: %.1e (%d)\n", names[kind], worst, at);
    return failed > 0 || !(worst <= 1e-9);
}

/* the other integrators: certified, and the same bits after a restored state */
static int integrate(Kind kind, ukIntegrator integrator, ukJointRule rule)
{
    static unsigned char state[1 << 16];
    unsigned char hash[2][16];
    World w;
    makeWorld(&w, kind, 1);
    int good = ukWorldEnable(w.world) == ukOk && ukWorldSetIntegrator(w.world, integrator) == ukOk &&
               ukWorldSetJointRule(w.world, rule) == ukOk && ukWorldSetGaussCheck(w.world, 1e-9, ukCheckStop) == ukOk;
    const size_t size = ukWorldSave(w.world, state, sizeof state);
    for (int run = 0; run < 2 && good; run++) {
        if (run > 0) good = ukWorldRestore(w.world, state, size) == ukOk;
        for (int k = 0; k < Steps && good; k++) good = ukWorldStep(w.world, 0.005) == 1;
        ukWorldHash(w.world, hash[run]);
    }
    good = good && memcmp(hash[0], hash[1], sizeof hash[0]) == 0;
    if (!good)
        printf("earlier: %s, integrator %d, rule %d: %s\n", names[kind], (int)integrator, (int)rule,
               ukGetLastErrorMessage());
    dWorldDestroy(w.world);
    return !good;
}

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : 60;
    int failed = 0;
    dInitODE2(0);
    for (int kind = 0; kind < Kinds; kind++) {
        failed += parity((Kind)kind, worlds);
        failed += integrate((Kind)kind, ukIntegratorEuler, ukJointRuleExact);
        failed += integrate((Kind)kind, ukIntegratorRK4, ukJointRuleODE);
        failed += integrate((Kind)kind, ukIntegratorAdaptive, ukJointRuleODE);
        failed += integrate((Kind)kind, ukIntegratorRattle, ukJointRuleODE);
    }
    dCloseODE();
    return failed > 0;
}
