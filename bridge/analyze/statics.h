/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/statics.h: the balance of forces of a world at rest, at the poses of its frames. By Gauss's principle
 * the accelerations from rest,
 *
 *      min |M qdd - Q|^2 in M^-1,   A qdd = 0, bounded rows within their bounds (friction within its cone),
 *
 * vanish exactly where multipliers in their bounds balance the forces; lambda are these, of least norm. */
#ifndef UKODE_BRIDGE_ANALYZE_STATICS_H
#define UKODE_BRIDGE_ANALYZE_STATICS_H

#include "bridge/analyze/poses.h"

typedef struct ukStatics {
    ukPoses *poses;
    double length;         /* of the world [m]: contacts closer than 1e-9 of it touch */
    int rows;              /* at the solved poses */
    double *a;             /* (n) L^-1 M qdd: accelerations in the metric of M */
    double *lambda;        /* (most) */
    double *ideal;         /* (most) without the forces of the program's laws, which follow from them */
    unsigned char *inside; /* (most) equality rows, and bounded ones strictly within their bounds */
    unsigned char *active; /* (most) those that count below: inside, or after ukStaticsWiden all that may push */
    double scale;          /* of stiffness [1/s^2]: the free acceleration over the length of the world */
    double residual;       /* |a| over |L^-1 Q|: 0 at an equilibrium */
    double *B;             /* (active rows x n) of unit rows, A L^-T */
    double *unit;          /* (active rows) */
    int *row;              /* (active rows) in the order of assembly */
    int actives;
    void *memory; /* owned */
} ukStatics;

/* ukOk, ukErrorMemory. */
int ukStaticsBegin(ukStatics *s, ukPoses *poses, double length);
void ukStaticsEnd(ukStatics *s);

/* Assembles and solves at the frames' poses. ukOk; ukErrorUnsupported: a motor of unlimited force, or a surface in
 * motion, which are never at rest, or a law whose force at rest depends on the load; statuses of the assembly and
 * solver. */
int ukStaticsSolve(ukStatics *s);

/* F (n) = Q + A' lambda at the frames' poses, for the multipliers that were solved last and stay. *same: whether
 * the world has the same rows there; F is without them else. ukOk or a status of the assembly. */
int ukStaticsForce(ukStatics *s, double *F, bool *same);

/* B, unit and row of the rows that are active, at the assembled poses. */
void ukStaticsGather(ukStatics *s);

/* Rows at a bound become active, too, where the bounds leave them a choice: at an equilibrium none of them slips. */
void ukStaticsWiden(ukStatics *s);

/* Marks the contacts that carry at the last solution. */
void ukStaticsMarkContacts(const ukStatics *s);

/* dq' M qdd of the last solution. */
double ukStaticsAlong(const ukStatics *s, const double *dq);

#endif
