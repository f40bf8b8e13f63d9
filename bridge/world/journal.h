/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/journal.h: the journal of a world: objects created, destroyed, attached and set by the program, in
 * order. Kept if a recording of inputs is requested (plugin/formats/inputs/), from which the world can be built again.
 *
 * Setters of joints are recorded with the poses at the call, since ODE stores their arguments in the bodies' frames.
 * Values of bodies and worlds, which ODE's getters return, are compared before a step (plugin/formats/inputs/capture.h)
 * and recorded here as fields. Objects are identified by their serials: bodies, elements, joints; a contact by the
 * number of contacts created since. */
#ifndef UKODE_BRIDGE_WORLD_JOURNAL_H
#define UKODE_BRIDGE_WORLD_JOURNAL_H

#include "bridge/base/bytes.h"
#include "bridge/base/map.h"
#include "bridge/world/element.h"
#include "bridge/world/history.h"

/* The call by which the program took a step; `own`: ukWorldStep. */
typedef enum ukStepCall { ukCallStep, ukCallQuickStep, ukCallOwn, ukStepCalls } ukStepCall;

/* The kind of an event; its data follow it. "gap": number of serials that were left out before that of the new object;
 * "name": of a joint (ukJournalJoint); "field mask": bits of the fields that follow. */
typedef enum ukEvent {
    ukEventStep = 1,    /* the calls before a step end: ukStepCall, h; the events within the step follow */
    ukEventBody,        /* body created: gap; steps and time left until it is disabled automatically */
    ukEventBodyGone,    /* body destroyed: serial */
    ukEventBodyEnabled, /* dBodyEnable, whether the body was disabled or not: serial */
    ukEventBodySamples, /* the velocities sampled for automatic disabling are forgotten: serial */
    ukEventWorldRule,   /* ERP and CFM that joints copy when they are created */
    ukEventJoint,       /* joint created: type, gap */
    ukEventContact,     /* contact joint created: gap; geoms, surface; position, normal, depth, fdir1 */
    ukEventJointGone,   /* joint destroyed: name */
    ukEventAttach,      /* name, serials of the user's bodies 1 and 2; their poses, unless it is a contact */
    ukEventSetter,      /* a number, and the name of the setter that it denotes from here on */
    ukEventSet,         /* setter, name, its integers, six numbers; 1 and the poses on which it depends, or 0 */
    ukEventSwitch,      /* joint enabled (1) or disabled (0): name, this */
    ukEventElement,     /* created: gap; 0: constraint, 1: force, 2: switching function; rows, bodies (0: destroyed) */
    ukEventElementGone, /* element destroyed: serial */
    ukEventAnswer,      /* a user function was called: element, or law of a joint or element; its result */
    ukEventCalled,      /* a moved callback was called: serial; number of bytes; the events that it caused */
    ukEventEvaluation,  /* an evaluation (bridge/step/evaluate.h): its kind; number of bytes; answers */
    ukEventBodyFields,  /* serial, field mask, fields */
    ukEventWorldFields, /* field mask, fields */
    ukEventLawFields,   /* 1: of an element; its or the joint's serial, as ukSerialOf; field mask, fields */
    ukEventSeed,        /* seed of ODE's random numbers */
    ukEventRestore,     /* a saved state was restored: number of bytes; the state (plugin/formats/snapshot/) */
    ukEventRowLimit,    /* serial of a constraint, row, 1: one-sided; bounds of its multiplier */
    ukEventWeight,      /* serial of a constraint; count of numbers: 0 (none) or rows x rows; the numbers */
    ukEventSwitchTimes, /* all switching times of the world from now on: count; times [s] */
    /* serial of a constraint; count; of each actuator: slot of a body from 1, or 0 and a joint's name; axis; cost */
    ukEventActuators,
    ukEventRestitution, /* serial of a constraint, row; its restitution */
    ukEventRules,       /* rules of its copy of ODE, where it has some (bridge/ode/class.h) */
    ukEvents
} ukEvent;

typedef enum ukAnswerKind {
    ukAnswerConstraint,
    ukAnswerForce,
    ukAnswerJointLaw,
    ukAnswerConstraintLaw,
    ukAnswerSwitch,
    ukAnswers
} ukAnswerKind;

/* The serial of a joint where contacts and other joints are named together: they are counted apart. */
static inline uint64_t ukSerialOf(uint64_t serial, bool contact)
{
    return contact ? serial | (uint64_t)1 << 41 : serial;
}

enum { ukSurfaceWords = 15, ukPosesWritten = 64 };

/* A surface of contacts, stored once; members that its mode does not use are 0. */
typedef struct ukSurface {
    double mode, mu, mu2, rho, rho2, rhoN, bounce, bounce_vel, soft_erp, soft_cfm, motion1, motion2, motionN, slip1,
        slip2;
} ukSurface;

typedef struct ukJournal {
    ukBytes bytes;
    bool stepping; /* between ukEventStep and the end of that step: results of user functions are recorded */
    bool deaf;     /* what happens is no doing of the program's */
    uint64_t bodies, joints, contacts, elements; /* the last ones recorded */
    double rule[2];                              /* ERP, CFM as last recorded */
    ukMap geoms;                                 /* geom to its number, from 1 */
    uintptr_t geom_count;
    ukSurface *surface; /* (surfaces), and a hash table of them by their contents */
    int surfaces, surface_capacity;
    int *table;          /* (4 surface_capacity) 0: empty, else 1 + index */
    uint64_t setters[4]; /* those whose names were recorded, a bit each */
    struct {
        uint64_t body; /* 0: none */
        double pose[ukPoseWords];
    } written[ukPosesWritten]; /* poses that the reader has put a body in, since the last fields */
    /* a moved callback is about to be called, or has returned (`body` gone: NULL handle) */
    void (*called)(struct ukJournal *journal, ukBody *body, bool returned);
    /* an evaluation is about to begin, or has ended (`done`) */
    void (*evaluated)(struct ukJournal *journal, int kind, bool done);
    void (*ended)(struct ukJournal *journal); /* the world is destroyed */
    void *owner, *inputs;                     /* plugin/formats/inputs/: capture, inputs */
} ukJournal;

/* Whether worlds created from now on have a journal (UKODE_RECORD with inputs). */
extern bool ukJournalByDefault;

/* The world's journal, begun if there is none; NULL: no memory. */
ukJournal *ukJournalBegin(ukWorld *world);
void ukJournalEnd(ukWorld *world);

static inline ukJournal *ukJournalOf(const ukWorld *world)
{
    ukJournal *journal = world ? world->journal : NULL;
    return journal && !journal->deaf ? journal : NULL;
}

/* Record calls of the program; without a journal, nothing. */
void ukJournalBody(const ukBody *body);
void ukJournalBodyEvent(ukBody *body, ukEvent event);
/* Records a body that no longer exists: its creation and, if `gone`, its destruction. */
void ukJournalFormerBody(const ukWorld *world, uint64_t serial, bool gone);
void ukJournalJoint(const ukJoint *joint, bool contact);
void ukJournalJointGone(const ukJoint *joint, bool contact);
void ukJournalAttach(const ukJoint *joint, bool contact);
void ukJournalSwitch(const ukJoint *joint, bool contact, bool enabled);
void ukJournalSet(const ukJoint *joint, const ukSetting *setting);
/* One of its history (bridge/world/history.h), as if it were called now, at the poses of then. */
void ukJournalAct(const ukJoint *joint, const ukAct *act, const ukMoment *moment);
/* The number by which a geom is recorded, from 1; 0: none, or no memory. */
uint64_t ukJournalGeom(ukJournal *journal, const void *geom);
/* A pointer that stands for the geom with this number in a replay, which has no geoms: it only identifies pairs. */
static inline void *ukGeomNumbered(uint64_t number)
{
    return (void *)(uintptr_t)(number << 4);
}
void ukJournalElement(const ukElement *element, int rows);
void ukJournalRowLimit(const ukElement *element, int row, const ukRowBounds *limit);
/* its weight W (numbers), 0: none */
void ukJournalWeight(const ukElement *element, const double *weight, size_t numbers);
void ukJournalRestitution(const ukElement *element, int row, double restitution);
/* its actuators; NULL: none. A joint that was destroyed has no name. */
void ukJournalActuators(const ukElement *element, const ukServo *servo);
void ukJournalElementGone(const ukElement *element);
void ukJournalSwitchTimes(const ukWorld *world);
/* An answer of a user's function in a step: which, of whom (the joint, or the element's serial), its arrays. */
typedef struct ukAnswer {
    ukAnswerKind kind;
    uint64_t serial;
    bool failed;
    int arrays;
    struct {
        const double *x;
        size_t count;
    } array[4];
} ukAnswer;
void ukJournalAnswer(const ukWorld *world, const ukAnswer *answer);
void ukJournalEvaluation(ukWorld *world, int kind, bool done);
void ukJournalCalled(ukWorld *world, ukBody *body, bool returned);

#endif
