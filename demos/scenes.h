/* SPDX-License-Identifier: BSD-3-Clause */
/* demos/scenes.h: each mechanism and each heap of boxes once, for demos, tests and benchmarks. Plain ODE. SI units, z
 * up.
 *
 *     dInitODE2(0);
 *     Scene *scene = sceneFourBar();
 *     for (...) sceneStep(scene, scene->h, dWorldStep);
 *     sceneDestroy(scene);
 *     dCloseODE();
 *
 * Bodies and joints are in order of creation. Every maker returns a new scene, owned by the caller; no memory: abort.
 */
#ifndef UKODE_DEMOS_SCENES_H
#define UKODE_DEMOS_SCENES_H

#include <ode/ode.h>

typedef struct Scene {
    dWorldID world;
    dSpaceID space;         /* 0: nothing collides */
    dJointGroupID contacts; /* emptied after each step; 0 without space */
    int count, joint_count;
    dBodyID *bodies;
    dJointID *joints;              /* without contacts */
    dJointFeedback *feedback;      /* (joint_count), owned; NULL: not watched, see sceneWatch */
    dReal h;                       /* a usual step size [s] */
    dReal mu;                      /* of the contacts */
    int contact_count;             /* contact joints of the last sceneStep */
    void (*drive)(struct Scene *); /* sets the motors before each step; NULL: none */
    struct {
        dReal rate, phase[4]; /* of the walker: [rad/s]; of each leg: right and left in front, right and left behind */
    } gait;
    dReal time; /* [s] of the steps taken so far */
} Scene;

typedef int SceneStepFn(dWorldID world, dReal stepsize);

/* Drives the motors, finds the contacts (where there is a space), steps, drops the contacts; returns what `step`
 * returned. */
int sceneStep(Scene *scene, dReal h, SceneStepFn *step);
void sceneDestroy(Scene *scene);

dReal sceneEnergy(const Scene *scene); /* kinetic and potential (-m g x) of all dynamic bodies [J] */
void sceneWatch(Scene *scene);         /* gives every joint a dJointFeedback */
dReal sceneGap(const Scene *scene);    /* largest distance of the two anchors of a ball, hinge or universal joint [m] */
dReal sceneFastest(const Scene *scene);                  /* largest speed of a body's centre [m/s] */
void sceneNote(const Scene *scene, dReal *positions);    /* of all bodies (count x 3) [m] */
dReal sceneDrift(const Scene *scene, const dReal *from); /* largest distance of a body from what sceneNote wrote [m] */

/* ---- mechanisms -------------------------------------------------------------------------------------------------- */

/* Planar four-bar of four spatial hinges (axes y): links 1, 2, 1 m and 1, 2, 1 kg, ground 2 m, released at 45 degrees.
 * 20 rows, rank 17; 16 where it passes the line. Bodies: crank, coupler, rocker. A pendulum in disguise: all cranks
 * have one angle theta (from +x, up), A theta'' = -3 g cos(theta), A = 2 (1/4 + (1 + 0.05^2)/12) + 2. */
Scene *sceneFourBar(void);
dReal sceneFourBarAngle(const Scene *scene);

/* Two masses on one rail (sliders along x): spring-mass parts modelled alone, glued by a Fixed joint. Springs are the
 * caller's forces. Bodies: 2 kg at x = 0, 1 kg at x = 0.5. */
Scene *sceneGlued(void);

/* A door of 20 kg (0.9 x 0.04 x 2 m) on `hinges` >= 2 hinges of one vertical axis: 5 rows each, rank 5. The hinges
 * carry feedback; their total is unique, its split is not. */
Scene *sceneDoor(int hinges);

/* Crank 0.1 m, rod 0.3 m, piston on a rail (hinge, hinge, hinge, slider): crank 1 kg, rod 1 kg, piston 2 kg; no
 * gravity, crank rate 10 rad/s at angle 0. */
Scene *sceneSliderCrank(void);

/* Trap-door: W8d, one plate on `hinges` collinear horizontal hinges; a pendulum. */
Scene *sceneTrapDoor(int hinges);

/* Bricard's 6R loop of five bars of 1 m and 1 kg, square section 0.1 m: W8b, 30 rows, one of them too many. Gravity is
 * -z; bars and axes are IFToMM's A04 with its y upwards. */
Scene *sceneBricard(void);

/* ---- what grows -------------------------------------------------------------------------------------------------- */

/* W1: chain of n rods (0.2 m, 0.5 kg) along x, hinges with axes alternating y and z, one end on the world. */
Scene *sceneHingeChain(int n);
/* W2: half-circle of n bodies on n + 1 ball joints, both ends on the world. */
Scene *sceneBallLoop(int n);
/* W3: binary tree of n bodies on hinges, root on the world. */
Scene *sceneTree(int n);
/* W4: n x n bodies, ball joints between neighbours, two corners pinned; bumpy, or flat (W8n: rows dependent). */
Scene *sceneNet(int n, int flat);
/* A hub on a ball joint, n rods round it on balls and hinges in turn: one body with n + 1 joints. */
Scene *sceneHub(int n);
/* W7m, W7v: n links of 0.1 kg with 1000 kg at the end; released horizontally, or hanging and pushed. */
Scene *sceneHeavyChain(int n, int hanging);

/* ---- contacts (friction 0.5, sleeping off) ----------------------------------------------------------------------- */

Scene *sceneStack(int n);   /* W5: n boxes, one upon the other */
Scene *scenePyramid(int n); /* W5: n rows of boxes in a plane */
Scene *scenePile(int n);    /* W5: n boxes dropped on a plane, fixed seed */
Scene *
sceneRagdolls(int n); /* W6: n ragdolls of 16 boxes, 7 ball joints and 8 hinges with stops; plane contacts only */

/* ---- robots: motors of bounded force, set anew before each step, and stops; sleeping off
 * ------------------------------
 */

/* n boxes, n - 1 universal joints with two servos each; on the ground (friction 0.8), or hanging with its first box
 * held. */
Scene *sceneSnake(int n);
Scene *sceneHangingSnake(int n);
/* A snake on slippery ground (friction 0.2) with soft servos: their velocity is a fifth of what would correct the error
 * in one step, their torque at most 2 N m. */
Scene *sceneSoftSnake(int n);
Scene *sceneWalker(int n); /* n walkers of a trunk and four legs: 9 boxes, 8 hinges with a servo each */
Scene *sceneCar(int n);    /* n cars on hinge2 joints that drive over bumps; front wheels steered by servos */
/* n bikes, each in a plane of its own, on sprung forks, with a rider who leans, that drive over bumps: frame, fork,
 * wheel, fork, wheel, rider. What is symmetric about the plane stays in it. */
Scene *sceneBike(int n);
/* n hands on a lift with two fingers of 40 N each that close on a box of 1 kg, lift it and move it up and down: hand,
 * two fingers, box. */
Scene *sceneGripper(int n);

/* A truck on hinge2 joints with n boxes on its bed, on a triangle mesh: 33 bodies and some 150 contacts with n = 28. */
Scene *sceneTruck(int n);
/* n vehicles on two tracks: a hull, six driven wheels, two closed loops of 30 links on hinges; 67 bodies each. */
Scene *sceneTracked(int n);

/* What lets a scene come to rest (docs/contact.md): a surface layer of its contacts [m], and the part of every body's
 * velocity, linear and angular, that ODE's damping takes away each step, at whatever speed; 0: as ODE has it. */
void sceneCalm(Scene *scene, dReal layer, dReal damping);

/* "chain", "loop", "tree", "net", "flat_net", "hub", "heavy" (W7m), "hanging" (W7v), "stack", "pyramid", "pile",
 * "ragdolls", "snake", "hanging_snake", "soft_snake", "walker", "car", "bike", "gripper", "truck", "tracked", "door",
 * "trap_door", "four_bar", "bricard", "slider_crank": the same by name, for command lines; NULL for another name. */
Scene *sceneByName(const char *name, int n);

/* Building blocks, for scenes and demos alike. */
Scene *sceneNew(int max_bodies, int max_joints, dReal h);
/* Box of total mass m [kg], edges along its own axes, at identity. */
dBodyID sceneAddBox(Scene *scene, dReal m, dReal lx, dReal ly, dReal lz, dReal x, dReal y, dReal z);
/* Bar from p to q, its own x axis along it, square section w. */
dBodyID sceneAddBar(Scene *scene, dReal m, dReal w, const dReal p[3], const dReal q[3]);
/* b 0: the world */
dJointID sceneAddHinge(Scene *scene, dBodyID a, dBodyID b, const dReal anchor[3], dReal ax, dReal ay, dReal az);
dJointID sceneAddBall(Scene *scene, dBodyID a, dBodyID b, const dReal anchor[3]);
dJointID sceneAddSlider(Scene *scene, dBodyID a, dBodyID b, dReal ax, dReal ay, dReal az);
dJointID sceneAddFixed(Scene *scene, dBodyID a, dBodyID b);

#endif
