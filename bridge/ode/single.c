/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/single.c: functions of double precision that call those of a copy of ODE of single precision. Compiled
 * with ODE's headers for single precision. */
#define UKODE_ODE_NAMES_ONLY
#include "bridge/ode/single.h"

#include "bridge/ode/earlier.h"

#if UKODE_ODE_SINGLE
/* A function that takes a float is called through a pointer to one that takes a double: on these machines both are
 * passed in the same register, the float in its lower half. */
#if (defined(__x86_64__) || defined(__aarch64__)) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define UKODE_LOW_HALF 1
#else
#define UKODE_LOW_HALF 0
#endif

#include "bridge/ode/single_body.h"
#include "bridge/ode/single_lists.h"
#include "bridge/ode/single_own.h"

#define single_ode ukSingleOwn

bool ukSingleServes(void)
{
    return (sizeof(void *) == 8 && UKODE_LOW_HALF) != 0;
}

void ukSingleMass(const void *given, void *mass)
{
    const dMass *const from = given;
    ukDoubleMass *const to = mass;
    UKODE_COPY_MASS(to, from);
}

void ukSingleContact(const void *given, void *contact)
{
    const dContact *const from = given;
    ukDoubleContact *const to = contact;
    UKODE_COPY_CONTACT(to, from);
}

#define TO_REAL(x) (dReal)(x)

/* ---- by the shape of their arguments ----------------------------------------------------------------------------- */

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* see bridge/ode/ode.h */

#define CALL_REAL_OF(function, handle)                                                                                 \
    static double function##_(handle h)                                                                                \
    {                                                                                                                  \
        return single_ode.function(h);                                                                                 \
    }
UKODE_REAL_OF(CALL_REAL_OF)

#define CALL_REAL_AT(function, handle)                                                                                 \
    static double function##_(handle h, int k)                                                                         \
    {                                                                                                                  \
        return single_ode.function(h, k);                                                                              \
    }
UKODE_REAL_AT(CALL_REAL_AT)

#define CALL_GET_3(function, handle)                                                                                   \
    static void function##_(handle h, double *x)                                                                       \
    {                                                                                                                  \
        dVector3 y = {0};                                                                                              \
        single_ode.function(h, y);                                                                                     \
        UKODE_COPY(x, y, 3);                                                                                           \
    }
UKODE_GET_3(CALL_GET_3)

#define CALL_GET_4(function, handle)                                                                                   \
    static void function##_(handle h, double *x)                                                                       \
    {                                                                                                                  \
        dVector4 y = {0};                                                                                              \
        single_ode.function(h, y);                                                                                     \
        UKODE_COPY(x, y, 4);                                                                                           \
    }
UKODE_GET_4(CALL_GET_4)

#define CALL_GET_AT(function, handle)                                                                                  \
    static void function##_(handle h, int k, double *x)                                                                \
    {                                                                                                                  \
        dVector3 y = {0};                                                                                              \
        single_ode.function(h, k, y);                                                                                  \
        UKODE_COPY(x, y, 3);                                                                                           \
    }
UKODE_GET_AT(CALL_GET_AT)

#define CALL_GET_TWO(function, handle)                                                                                 \
    static void function##_(handle h, double *x, double *y)                                                            \
    {                                                                                                                  \
        dReal a = 0, b = 0;                                                                                            \
        single_ode.function(h, &a, &b);                                                                                \
        *x = a;                                                                                                        \
        *y = b;                                                                                                        \
    }
UKODE_GET_TWO(CALL_GET_TWO)

#define CALL_SET_1(function, handle)                                                                                   \
    static void function##_(handle h, double x)                                                                        \
    {                                                                                                                  \
        single_ode.function(h, TO_REAL(x));                                                                            \
    }
UKODE_SET_1(CALL_SET_1)

#define CALL_SET_3(function, handle)                                                                                   \
    static void function##_(handle h, double x, double y, double z)                                                    \
    {                                                                                                                  \
        single_ode.function(h, TO_REAL(x), TO_REAL(y), TO_REAL(z));                                                    \
    }
UKODE_SET_3(CALL_SET_3)

#define CALL_SET_4(function, handle)                                                                                   \
    static void function##_(handle h, double x, double y, double z, double u)                                          \
    {                                                                                                                  \
        single_ode.function(h, TO_REAL(x), TO_REAL(y), TO_REAL(z), TO_REAL(u));                                        \
    }
UKODE_SET_4(CALL_SET_4)

#define CALL_SET_5(function, handle)                                                                                   \
    static void function##_(handle h, double x, double y, double z, double u, double v)                                \
    {                                                                                                                  \
        single_ode.function(h, TO_REAL(x), TO_REAL(y), TO_REAL(z), TO_REAL(u), TO_REAL(v));                            \
    }
UKODE_SET_5(CALL_SET_5)

#define CALL_SET_6(function, handle)                                                                                   \
    static void function##_(handle h, double x, double y, double z, double u, double v, double w)                      \
    {                                                                                                                  \
        single_ode.function(h, TO_REAL(x), TO_REAL(y), TO_REAL(z), TO_REAL(u), TO_REAL(v), TO_REAL(w));                \
    }
UKODE_SET_6(CALL_SET_6)

#define CALL_SET_AT(function, handle)                                                                                  \
    static void function##_(handle h, int k, double x)                                                                 \
    {                                                                                                                  \
        single_ode.function(h, k, TO_REAL(x));                                                                         \
    }
UKODE_SET_AT(CALL_SET_AT)

#define CALL_SET_AXIS(function, handle)                                                                                \
    static void function##_(handle h, int k, int rel, double x, double y, double z)                                    \
    {                                                                                                                  \
        single_ode.function(h, k, rel, TO_REAL(x), TO_REAL(y), TO_REAL(z));                                            \
    }
UKODE_SET_AXIS(CALL_SET_AXIS)

#define CALL_STEP(function, handle)                                                                                    \
    static int function##_(handle h, double x)                                                                         \
    {                                                                                                                  \
        return single_ode.function(h, TO_REAL(x));                                                                     \
    }
UKODE_STEP(CALL_STEP)

/* ---- others ------------------------------------------------------------------------------------------------------ */

static void dBodyVectorFromWorld_(dBodyID b, double x, double y, double z, double *result)
{
    dVector3 v = {0};
    single_ode.dBodyVectorFromWorld(b, TO_REAL(x), TO_REAL(y), TO_REAL(z), v);
    UKODE_COPY(result, v, 3);
}

static void dBodyVectorToWorld_(dBodyID b, double x, double y, double z, double *result)
{
    dVector3 v = {0};
    single_ode.dBodyVectorToWorld(b, TO_REAL(x), TO_REAL(y), TO_REAL(z), v);
    UKODE_COPY(result, v, 3);
}

static void dBodyGetMass_(dBodyID b, ukDoubleMass *mass)
{
    dMass m;
    single_ode.dBodyGetMass(b, &m);
    UKODE_COPY_MASS(mass, &m);
}

static void dBodySetMass_(dBodyID b, const ukDoubleMass *mass)
{
    dMass m;
    UKODE_COPY_MASS(&m, mass);
    single_ode.dBodySetMass(b, &m);
}

static dJointID dJointCreateContact_(dWorldID w, dJointGroupID group, const ukDoubleContact *contact)
{
    dContact c;
    UKODE_COPY_CONTACT(&c, contact);
    return single_ode.dJointCreateContact(w, group, &c);
}

static void dJointSetHinge2Axes_(dJointID j, const double *axis1, const double *axis2)
{
    dVector3 a = {0}, b = {0};
    if (axis1) UKODE_COPY(a, axis1, 3);
    if (axis2) UKODE_COPY(b, axis2, 3);
    single_ode.dJointSetHinge2Axes(j, axis1 ? a : NULL, axis2 ? b : NULL);
}

static void dGeomGetAABB_(dGeomID g, double *aabb)
{
    dReal box[6];
    single_ode.dGeomGetAABB(g, box);
    UKODE_COPY(aabb, box, 6);
}

/* the copy of an answer that is read in place: valid until the thread's eighth call from now */
static const double *keptOf(const dReal *answer, int n)
{
    static _Thread_local double kept[8][12];
    static _Thread_local unsigned next;
    double *const x = kept[next++ % 8];
    UKODE_COPY(x, answer, n);
    return x;
}

static const double *dGeomGetPosition_(dGeomID g)
{
    return keptOf(single_ode.dGeomGetPosition(g), 3);
}

static const double *dGeomGetOffsetPosition_(dGeomID g)
{
    return keptOf(single_ode.dGeomGetOffsetPosition(g), 3);
}

static const double *dGeomGetRotation_(dGeomID g)
{
    return keptOf(single_ode.dGeomGetRotation(g), 12);
}

static void dGeomTriMeshGetTriangle_(dGeomID g, int k, ukDoubleVector *u, ukDoubleVector *v, ukDoubleVector *w)
{
    dVector3 a = {0}, b = {0}, c = {0};
    single_ode.dGeomTriMeshGetTriangle(g, k, &a, &b, &c);
    if (u) UKODE_COPY(*u, a, 3);
    if (v) UKODE_COPY(*v, b, 3);
    if (w) UKODE_COPY(*w, c, 3);
}

static void dQFromAxisAndAngle_(double *q, double x, double y, double z, double angle)
{
    dQuaternion p;
    single_ode.dQFromAxisAndAngle(p, TO_REAL(x), TO_REAL(y), TO_REAL(z), TO_REAL(angle));
    UKODE_COPY(q, p, 4);
}

static void dRfromQ_(double *R, const double *q)
{
    dMatrix3 S = {0};
    dQuaternion p;
    UKODE_COPY(p, q, 4);
    single_ode.dRfromQ(S, p);
    UKODE_COPY(R, S, 12);
}

static int dSafeNormalize3_(double *a)
{
    dVector3 v = {0};
    UKODE_COPY(v, a, 3);
    const int answer = single_ode.dSafeNormalize3(v);
    UKODE_COPY(a, v, 3);
    return answer;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

void ukSingleServe(void *served, const void *copy)
{
    ukOdeFunctions *const functions = served;
    memcpy(&single_ode, copy, sizeof single_ode);
    memcpy(functions, copy, sizeof *functions);
#define SERVE(function, handle) UKODE_SERVE(functions, function);
    UKODE_REAL_OF(SERVE)
    UKODE_REAL_AT(SERVE)
    UKODE_GET_3(SERVE)
    UKODE_GET_4(SERVE)
    UKODE_GET_AT(SERVE)
    UKODE_GET_TWO(SERVE)
    UKODE_SET_1(SERVE)
    UKODE_SET_3(SERVE)
    UKODE_SET_4(SERVE)
    UKODE_SET_5(SERVE)
    UKODE_SET_6(SERVE)
    UKODE_SET_AT(SERVE)
    UKODE_SET_AXIS(SERVE)
    UKODE_STEP(SERVE)
    SERVE(dBodyVectorFromWorld, )
    SERVE(dBodyVectorToWorld, )
    SERVE(dBodyGetMass, )
    SERVE(dBodySetMass, )
    SERVE(dJointCreateContact, )
    SERVE(dJointSetHinge2Axes, )
    SERVE(dGeomGetAABB, )
    SERVE(dGeomGetPosition, )
    SERVE(dGeomGetOffsetPosition, )
    SERVE(dGeomGetRotation, )
    SERVE(dGeomTriMeshGetTriangle, )
    SERVE(dQFromAxisAndAngle, )
    SERVE(dRfromQ, )
    SERVE(dSafeNormalize3, )
    ukSingleServeBodies(functions);
}

#else /* ODE's headers are for double precision alone: single.h, ukSingleServes */

bool ukSingleServes(void)
{
    return false;
}

void ukSingleServe(void *served, const void *copy)
{
    (void)served, (void)copy;
}

void ukSingleMass(const void *given, void *mass)
{
    (void)given, (void)mass;
}

void ukSingleContact(const void *given, void *contact)
{
    (void)given, (void)contact;
}

#endif
