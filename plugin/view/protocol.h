/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/view/protocol.h: the messages between the library in a program and `ukode view`, over a local socket that
 * preserves their boundaries (SOCK_SEQPACKET) and whose path is UKODE_VIEW. Both ends are on one machine and of one
 * version. */
#ifndef UKODE_PLUGIN_VIEW_PROTOCOL_H
#define UKODE_PLUGIN_VIEW_PROTOCOL_H

#include <stdint.h>

/* From the library: the state of a world after a step. After the head the bodies, the joints, and the contacts; all
 * numbers in the machine's order, everything a multiple of 4 bytes. */
typedef struct ukViewHead {
    double time;   /* [s] */
    double number; /* of the step */
    int32_t world; /* key in the recording */
    int32_t bodies, joints, contacts;
    int32_t paused;  /* 1: the program waits in its next step */
    int32_t dragged; /* key of the body that is dragged; 0: none */
} ukViewHead;

typedef struct ukViewBody {
    int32_t key; /* in the recording */
    float p[3];  /* centre of mass [m] */
    float q[4];  /* orientation, (w, x, y, z) */
    int32_t awake;
} ukViewBody;

typedef struct ukViewJoint {
    int32_t key;
    float ideal[3], nonideal[3]; /* on the joint's first body, or on its only one [N] */
} ukViewJoint;

typedef struct ukViewContact {
    float p[3], n[3], f[3]; /* position [m], normal, force on the first body [N] */
} ukViewContact;

enum { ukViewContacts = 400 /* at most, of a frame */, ukViewMessage = 180 << 10 /* bytes of a frame, at most */ };

/* A request of a viewer, from the command. */
typedef enum ukViewKind {
    ukViewPause = 1,
    ukViewRun,
    ukViewStep,    /* x[0]: so many steps, then pause */
    ukViewPace,    /* x[0]: simulated seconds per second; 0: as fast as possible */
    ukViewDrag,    /* key: body; x[0..2]: point of it, in its frame [m]; x[3..5]: where it is drawn to [m] */
    ukViewRelease, /* key: body, which is dragged no more */
    ukViewMotor,   /* key: joint; axis 1 ... 3; x[0]: dParamVel, x[1]: dParamFMax */
    ukViewGravity, /* key, here and below: world; x[0]: 0: off; else as the program set it */
    ukViewSave,    /* keeps the world's present state */
    ukViewRestart, /* restores the state kept last, at first the one before the first step */
    ukViewKinds
} ukViewKind;

typedef struct ukViewOrder {
    int32_t kind, key, axis;
    int32_t age; /* 0; the library counts how often it searched the world */
    double x[6];
} ukViewOrder;

#endif
