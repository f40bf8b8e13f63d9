/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/single_body.c: the states of bodies, and the feedback of joints, of a copy of ODE of single precision, in
 * double precision. Compiled with ODE's headers for single precision.
 *
 * What the library writes is rounded into ODE's storage. As long as the floats there are those, the doubles remain what
 * was written: the rounding does not enter the next step. What the program writes, it reads from ODE's storage. */
#define UKODE_ODE_NAMES_ONLY
#include "bridge/ode/single_body.h"

#include "bridge/ode/earlier.h"

#if UKODE_ODE_SINGLE

#include <pthread.h>
#include <stdlib.h>

#include "bridge/base/map.h"
#include "bridge/base/vector.h"
#include "bridge/ode/single_own.h"

#define single_ode ukSingleOwn

enum { Position, Quaternion, Linear, Angular, Force, Torque, Kinds };
static const int length[Kinds] = {3, 4, 3, 3, 3, 3};

/* A body's state; `value[Position]` comes first: what ukSingleRead is given. */
typedef struct State {
    double value[Kinds][4];
    double rotation[12];
    dReal seen[Kinds][4];     /* ODE's floats that belong to the values */
    const dReal *real[Kinds]; /* ODE's storage */
} State;

typedef struct Pair {
    ukDoubleFeedback value;
    dJointFeedback seen;  /* as last read or written, */
    dJointFeedback *real; /* in this place of the program */
} Pair;

static ukMap states, pairs; /* by handle */
static State nothing;       /* of a body for whose record there was no memory */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/* The record of a handle; NULL: no memory. Records stay: an object of the same address takes them over. */
static void *recordOf(ukMap *map, const void *handle, size_t size)
{
    pthread_rwlock_rdlock(&lock);
    void *record = ukMapFind(map, handle);
    pthread_rwlock_unlock(&lock);
    if (record) return record;
    pthread_rwlock_wrlock(&lock);
    record = ukMapFind(map, handle);
    if (!record) {
        record = calloc(1, size);
        if (record && !ukMapPut(map, handle, record)) {
            free(record);
            record = NULL;
        }
    }
    pthread_rwlock_unlock(&lock);
    return record;
}

static void lockForFork(void)
{
    pthread_rwlock_wrlock(&lock);
}

static void unlockAfterFork(void)
{
    pthread_rwlock_unlock(&lock);
}

/* A child has another thread number, by which glibc would know the writer. */
static void renewAfterFork(void)
{
    static const pthread_rwlock_t fresh = PTHREAD_RWLOCK_INITIALIZER;
    memcpy(&lock, &fresh, sizeof lock);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* the state's quaternion to unit length (ODE's is that but for its rounding), and its rotation matrix, in ODE's rows of
 * 4 */
static void orientState(State *s)
{
    double R[9];
    ukQuaternionOrient(s->value[Quaternion], R);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) s->rotation[4 * i + k] = R[3 * i + k];
}

static void noteFloats(State *s, int kind)
{
    memcpy(s->seen[kind], s->real[kind], (size_t)length[kind] * sizeof(dReal));
}

static void takeFloats(State *s, int kind)
{
    noteFloats(s, kind);
    UKODE_COPY(s->value[kind], s->seen[kind], length[kind]);
    if (kind == Quaternion) orientState(s);
}

static void readFloats(State *s)
{
    if (!s->real[Position]) return;
    for (int kind = 0; kind < Kinds; kind++)
        if (memcmp(s->seen[kind], s->real[kind], (size_t)length[kind] * sizeof(dReal)) != 0) takeFloats(s, kind);
}

void ukSingleRead(const double *position)
{
    readFloats((State *)(void *)(uintptr_t)position);
}

/* a body's storage is found when the body is created, or at its first use */
static void beginState(State *s, dBodyID b)
{
    s->real[Position] = single_ode.dBodyGetPosition(b);
    s->real[Quaternion] = single_ode.dBodyGetQuaternion(b);
    s->real[Linear] = single_ode.dBodyGetLinearVel(b);
    s->real[Angular] = single_ode.dBodyGetAngularVel(b);
    s->real[Force] = single_ode.dBodyGetForce(b);
    s->real[Torque] = single_ode.dBodyGetTorque(b);
    for (int kind = 0; kind < Kinds; kind++) takeFloats(s, kind);
}

static State *singleStateOf(dBodyID b)
{
    State *const s = recordOf(&states, b, sizeof *s);
    if (s && !s->real[Position]) beginState(s, b);
    return s;
}

static dBodyID dBodyCreate_(dWorldID world)
{
    const dBodyID b = single_ode.dBodyCreate(world);
    State *const s = b ? recordOf(&states, b, sizeof *s) : NULL;
    if (s) beginState(s, b);
    return b;
}

static const double *readKind(dBodyID b, int kind)
{
    State *const s = singleStateOf(b);
    if (!s) return nothing.value[kind];
    readFloats(s);
    return s->value[kind];
}

#define GETTER(function, kind)                                                                                         \
    static const double *function##_(dBodyID b)                                                                        \
    {                                                                                                                  \
        return readKind(b, kind);                                                                                      \
    }
GETTER(dBodyGetPosition, Position)
GETTER(dBodyGetQuaternion, Quaternion)
GETTER(dBodyGetLinearVel, Linear)
GETTER(dBodyGetAngularVel, Angular)
GETTER(dBodyGetForce, Force)
GETTER(dBodyGetTorque, Torque)

static const double *dBodyGetRotation_(dBodyID b)
{
    State *const s = singleStateOf(b);
    if (s) readFloats(s);
    return s ? s->rotation : nothing.rotation;
}

/* ODE has been given the values, rounded */
static void keepRounded(dBodyID b, int kind, const double *value)
{
    State *const s = singleStateOf(b);
    if (!s) return;
    noteFloats(s, kind);
    memcpy(s->value[kind], value, (size_t)length[kind] * sizeof *value);
}

#define SETTER(function, kind)                                                                                         \
    static void function##_(dBodyID b, double x, double y, double z)                                                   \
    {                                                                                                                  \
        single_ode.function(b, (dReal)x, (dReal)y, (dReal)z);                                                          \
        keepRounded(b, kind, (double[]){x, y, z});                                                                     \
    }
SETTER(dBodySetPosition, Position)
SETTER(dBodySetLinearVel, Linear)
SETTER(dBodySetAngularVel, Angular)
SETTER(dBodySetForce, Force)
SETTER(dBodySetTorque, Torque)

#define ADDER(function)                                                                                                \
    static void function##_(dBodyID b, double x, double y, double z)                                                   \
    {                                                                                                                  \
        single_ode.function(b, (dReal)x, (dReal)y, (dReal)z);                                                          \
    }
ADDER(dBodyAddForce)
ADDER(dBodyAddTorque)

static void dBodySetQuaternion_(dBodyID b, const double *q)
{
    dQuaternion rounded;
    UKODE_COPY(rounded, q, 4);
    single_ode.dBodySetQuaternion(b, rounded);
    keepRounded(b, Quaternion, q);
    State *const s = singleStateOf(b);
    if (s) orientState(s);
}

void ukSingleTurn(void *body)
{
    State *const s = singleStateOf(body);
    if (!s) return;
    dQuaternion rounded;
    UKODE_COPY(rounded, s->value[Quaternion], 4);
    single_ode.dBodySetQuaternion(body, rounded);
    noteFloats(s, Quaternion);
}

/* ---- feedback ---------------------------------------------------------------------------------------------------- */

#define COPY_FEEDBACK(to, from)                                                                                        \
    do {                                                                                                               \
        UKODE_COPY((to)->f1, (from)->f1, 4);                                                                           \
        UKODE_COPY((to)->t1, (from)->t1, 4);                                                                           \
        UKODE_COPY((to)->f2, (from)->f2, 4);                                                                           \
        UKODE_COPY((to)->t2, (from)->t2, 4);                                                                           \
    } while (0)

static ukDoubleFeedback *dJointGetFeedback_(dJointID j)
{
    dJointFeedback *const real = single_ode.dJointGetFeedback(j);
    Pair *const p = real ? recordOf(&pairs, j, sizeof *p) : NULL;
    if (!p) return NULL;
    if (p->real != real || memcmp(&p->seen, real, sizeof p->seen) != 0) {
        p->real = real;
        p->seen = *real;
        COPY_FEEDBACK(&p->value, real);
    }
    return &p->value;
}

void ukSingleWriteFeedback(void *joint)
{
    if (!dJointGetFeedback_(joint)) return;
    Pair *const p = recordOf(&pairs, joint, sizeof *p);
    COPY_FEEDBACK(p->real, &p->value);
    p->seen = *p->real;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

void ukSingleServeBodies(void *table)
{
    ukOdeFunctions *const served = table;
    static bool once;
    if (!once) pthread_atfork(lockForFork, unlockAfterFork, renewAfterFork);
    once = true;
#define SERVE(function) UKODE_SERVE(served, function);
    SERVE(dBodyCreate)
    SERVE(dBodyGetPosition)
    SERVE(dBodyGetQuaternion)
    SERVE(dBodyGetRotation)
    SERVE(dBodyGetLinearVel)
    SERVE(dBodyGetAngularVel)
    SERVE(dBodyGetForce)
    SERVE(dBodyGetTorque)
    SERVE(dBodySetPosition)
    SERVE(dBodySetQuaternion)
    SERVE(dBodySetLinearVel)
    SERVE(dBodySetAngularVel)
    SERVE(dBodySetForce)
    SERVE(dBodySetTorque)
    SERVE(dBodyAddForce)
    SERVE(dBodyAddTorque)
    SERVE(dJointGetFeedback)
}

#else /* ODE's headers are for double precision alone: single.h, ukSingleServes */

void ukSingleRead(const double *position)
{
    (void)position;
}

void ukSingleTurn(void *body)
{
    (void)body;
}

void ukSingleWriteFeedback(void *joint)
{
    (void)joint;
}

void ukSingleServeBodies(void *served)
{
    (void)served;
}

#endif
