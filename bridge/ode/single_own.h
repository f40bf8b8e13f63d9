/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/single_own.h: for the files that are compiled with ODE's headers for single precision (dReal is float):
 * the served copy's own functions, and conversions. ODE's structures are the copy's there, and those of the rest of the
 * library are defined here, with ODE's names of members. */
#ifndef UKODE_BRIDGE_ODE_SINGLE_OWN_H
#define UKODE_BRIDGE_ODE_SINGLE_OWN_H

#ifndef UKODE_ODE_NAMES_ONLY
#error "define UKODE_ODE_NAMES_ONLY first"
#endif
#include "bridge/ode/ode.h"

_Static_assert(sizeof(dReal) == sizeof(float), "for files that are compiled for ODE in single precision");

/* the copy's functions */
extern ukOdeFunctions ukSingleOwn __attribute__((visibility("hidden")));

/* served->function = function_, of double precision, if the copy has such a function */
#define UKODE_SERVE(served, function)                                                                                  \
    do {                                                                                                               \
        __typeof__(&function##_) const one_ = function##_;                                                             \
        if (ukSingleOwn.function) memcpy(&(served)->function, &one_, sizeof one_);                                     \
    } while (0)

typedef double ukDoubleVector[4];

typedef struct ukDoubleMass {
    double mass;
    ukDoubleVector c;
    double I[12];
} ukDoubleMass;

typedef struct ukDoubleContact {
    struct {
        int mode;
        double mu, mu2, rho, rho2, rhoN, bounce, bounce_vel, soft_erp, soft_cfm, motion1, motion2, motionN, slip1,
            slip2;
    } surface;
    struct {
        ukDoubleVector pos, normal;
        double depth;
        dGeomID g1, g2;
        int side1, side2;
    } geom;
    ukDoubleVector fdir1;
} ukDoubleContact;

typedef struct ukDoubleFeedback {
    ukDoubleVector f1, t1, f2, t2;
} ukDoubleFeedback;

#define UKODE_COPY(to, from, n)                                                                                        \
    for (int i_ = 0; i_ < (n); i_++) (to)[i_] = (__typeof__(*(to)))(from)[i_]

/* x->member = y->member, converted */
#define UKODE_CONVERT(to, from, member) (to)->member = (__typeof__((to)->member))(from)->member

#define UKODE_COPY_MASS(to, from)                                                                                      \
    do {                                                                                                               \
        UKODE_CONVERT(to, from, mass);                                                                                 \
        UKODE_COPY((to)->c, (from)->c, 4);                                                                             \
        UKODE_COPY((to)->I, (from)->I, 12);                                                                            \
    } while (0)

#define UKODE_COPY_CONTACT(to, from)                                                                                   \
    do {                                                                                                               \
        UKODE_CONVERT(to, from, surface.mode);                                                                         \
        UKODE_CONVERT(to, from, surface.mu);                                                                           \
        UKODE_CONVERT(to, from, surface.mu2);                                                                          \
        UKODE_CONVERT(to, from, surface.rho);                                                                          \
        UKODE_CONVERT(to, from, surface.rho2);                                                                         \
        UKODE_CONVERT(to, from, surface.rhoN);                                                                         \
        UKODE_CONVERT(to, from, surface.bounce);                                                                       \
        UKODE_CONVERT(to, from, surface.bounce_vel);                                                                   \
        UKODE_CONVERT(to, from, surface.soft_erp);                                                                     \
        UKODE_CONVERT(to, from, surface.soft_cfm);                                                                     \
        UKODE_CONVERT(to, from, surface.motion1);                                                                      \
        UKODE_CONVERT(to, from, surface.motion2);                                                                      \
        UKODE_CONVERT(to, from, surface.motionN);                                                                      \
        UKODE_CONVERT(to, from, surface.slip1);                                                                        \
        UKODE_CONVERT(to, from, surface.slip2);                                                                        \
        UKODE_COPY((to)->geom.pos, (from)->geom.pos, 4);                                                               \
        UKODE_COPY((to)->geom.normal, (from)->geom.normal, 4);                                                         \
        UKODE_CONVERT(to, from, geom.depth);                                                                           \
        UKODE_CONVERT(to, from, geom.g1);                                                                              \
        UKODE_CONVERT(to, from, geom.g2);                                                                              \
        UKODE_CONVERT(to, from, geom.side1);                                                                           \
        UKODE_CONVERT(to, from, geom.side2);                                                                           \
        UKODE_COPY((to)->fdir1, (from)->fdir1, 4);                                                                     \
    } while (0)

#endif
