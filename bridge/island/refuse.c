/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/refuse.h"

#include <stdarg.h>
#include <stdio.h>

#include "bridge/base/log.h"
#include "bridge/base/plural.h"
#include "bridge/joints/class.h"
#include "bridge/joints/contact.h"
#include "bridge/user/joint_law.h"
#include "solvers/base/status.h"

enum { NameLength = 128, WhatLength = 384 };

static void nameBody(const ukBody *body, char name[NameLength])
{
    if (!body)
        snprintf(name, NameLength, "the world");
    else if (body->name)
        snprintf(name, NameLength, "%s", body->name);
    else
        snprintf(name, NameLength, "body %llu", (unsigned long long)body->serial);
}

/* a contact's number means nothing to a user: its bodies are named as well */
static void nameJoint(const ukJoint *joint, char name[NameLength])
{
    const unsigned long long serial = (unsigned long long)joint->serial;
    char a[NameLength], b[NameLength];
    if (!ukIsContact(joint)) {
        snprintf(name, NameLength, "%s joint %llu", joint->class->name, serial);
        return;
    }
    nameBody(joint->body[0], a);
    nameBody(joint->body[1], b);
    snprintf(name, NameLength, "contact joint %llu of %.40s and %.40s", serial, a, b);
}

static void nameOwner(const ukBlockOwner *owner, char name[NameLength])
{
    const struct ukLaw *law = owner->law;
    const ukJoint *joint = law ? law->joint : owner->joint;
    const struct ukConstraint *constraint = law ? law->constraint : owner->constraint;
    if (joint)
        nameJoint(joint, name);
    else
        snprintf(name, NameLength, "user constraint %llu", (unsigned long long)constraint->element.serial);
}

#define FORMAT_TO(what, format)                                                                                        \
    char what[WhatLength];                                                                                             \
    va_list args;                                                                                                      \
    va_start(args, format);                                                                                            \
    vsnprintf(what, sizeof what, format, args);                                                                        \
    va_end(args)

int ukRefuseBody(const ukBody *body, int status, const char *format, ...)
{
    FORMAT_TO(what, format);
    return ukErrorSet(status, "body %llu: %s", (unsigned long long)body->serial, what);
}

int ukRefuseJoint(const ukJoint *joint, int status, const char *format, ...)
{
    char name[NameLength];
    FORMAT_TO(what, format);
    nameJoint(joint, name);
    return ukErrorSet(status, "%s: %s", name, what);
}

const char *ukRefuseNeeds(const ukJoint *joint)
{
    return joint->class->needs ? joint->class->needs(joint) : NULL;
}

int ukRefuseRows(const ukJoint *joint, int status)
{
    const bool given = status == ukErrorNotFinite || status == ukErrorParameter;
    const char *const fault = given && ukIsContact(joint) && joint->observed ? ukContactFault(&joint->contact) : NULL;
    return ukRefuseJoint(joint, status, "%s",
                         fault                          ? fault
                         : status == ukErrorParameter   ? "one of its parameters is invalid"
                         : status == ukErrorUnsupported ? "its data cannot be read"
                         : status == ukErrorMemory      ? "no memory for its springs"
                                                        : "its rows are not finite");
}

int ukRefuseContradiction(const ukIsland *island, const ukProblem *p, int block, int row, const char *residual,
                          double size)
{
    const ukBlockOwner *owner = island->rows.owners + block;
    const int number = row - p->block[block].row + 1, rows = p->block[block].rows;
    const char *const needs = owner->joint ? ukRefuseNeeds(owner->joint) : NULL;
    if (owner->joint)
        return ukRefuseJoint(owner->joint, ukErrorContradiction,
                             "contradicts other joints or constraints: %s %.3g in its row %d of %d%s%s", residual, size,
                             number, rows, needs ? "; " : "", needs ? needs : "");
    return ukErrorSet(ukErrorContradiction,
                      "user constraint %llu contradicts other joints or constraints: %s %.3g in its row %d of %d",
                      (unsigned long long)owner->constraint->element.serial, residual, size, number, rows);
}

int ukRefuseProblem(const ukIsland *island, const ukProblem *p, int status, const char *format, ...)
{
    char name[NameLength] = "";
    const ukFrame *first = island->bodies.frame[0];
    FORMAT_TO(what, format);
    if (p->blocks > 0) nameOwner(island->rows.owners, name);
    return ukErrorSet(status, "island of %d bod%s (body %llu%s), %d row%s%s%s%s: %s", p->bodies,
                      ukPluralBody(p->bodies), (unsigned long long)first->body->serial, p->bodies > 1 ? " ..." : "",
                      p->rows, ukPlural(p->rows), name[0] ? " (" : "", name,
                      !name[0]        ? ""
                      : p->blocks > 1 ? " ...)"
                                      : ")",
                      what);
}
