/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/findings.h: finds faults of a model in its recording, and describes them: one file per family
 * of causes.
 *
 * Every finding follows from numbers of the recording, and states them. A sound model has none. */
#ifndef UKODE_PLUGIN_TOOLS_FINDINGS_FINDINGS_H
#define UKODE_PLUGIN_TOOLS_FINDINGS_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "plugin/tools/query/query.h"

/* In the page, the text, JSON and the table alike these are "note", "warning" and "error". */
typedef enum Severity { FindingNote, FindingWarning, FindingError } Severity;
const char *findingSeverity(Severity severity);

typedef struct Finding {
    Severity severity;
    int depth;                        /* of two as severe: a cause (1) comes before what follows from it (0) */
    const char *kind;                 /* one word, for programs */
    int64_t world, step, body, joint; /* keys; 0: of none */
    double value;                     /* the number that it rests on; of two as severe and deep, `excess` decides */
    const char *unit;                 /* of the value; "": none */
    double excess;                    /* ratio of the value to the largest acceptable one */
    char what[600], cause[600], remedy[1600];
    const char *pattern;   /* the format of `what`: findings of one kind, pattern and remedy are alike */
    int leader, followers; /* of those that are alike: place of the worst one; how many others follow it (there) */
} Finding;

typedef struct Findings {
    ukReader *reader;
    Finding *list;
    int count;
    size_t room;
    bool failed;         /* no memory */
    Finding lost;        /* written to if there is no memory; never reported */
    struct Trial *trial; /* findings_trial.h */
    int trials;
    size_t trial_capacity;
    double trial_seconds; /* [s] that they took */
} Findings;

/* All findings of a recording, worst first. false: no memory, or the recording is corrupt (its `error`). */
bool findingsCollect(ukReader *reader, Findings *findings);
void findingsFree(Findings *findings);
/* Completes the remedies of the findings from `first` on that the integrator or the correction of position errors
 * causes: which other one helps. */
void findingsAdvise(Findings *findings, int first);
/* Sets `leader` and `followers` of a sorted list: copies of one model have each finding once, with a count. */
void findingsGroup(Findings *findings);

/* Writes the findings: as text; as JSON objects for the page, both with one entry for all that are alike; to the table
 * `finding` of the recording, one row each, which replace the former rows (false: it could not be written). */
void findingsPrint(FILE *file, const Findings *findings);
void findingsWrite(FILE *file, const Findings *findings);
bool findingsStore(const Findings *findings);
/* The one line of a model with nothing wrong. */
void findingsSound(const Findings *findings, char *text, size_t size);

/* ---- for the families -------------------------------------------------------------------------------------------- */

/* A place for a finding, zeroed but for `kind`. */
Finding *findingAdd(Findings *findings, Severity severity, const char *kind);
/* Whether one of this kind was found in the world so far. */
bool findingsFound(const Findings *findings, int64_t world, const char *kind);
void findingWhat(Finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findingCause(Finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findingRemedy(Finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "front wheel" or "body 3"; "knee" or "hinge 2"; 0: "the world". In one of four places that take turns. */
const char *findingBody(ukReader *reader, int64_t body);
const char *findingJoint(ukReader *reader, int64_t joint);

/* Settings of the contacts of a world, or of one body (0: all), so that no setting is recommended that is in effect
 * already. */
typedef struct ContactSettings {
    double erp, cfm, layer, max_velocity; /* of the world */
    double bounce;                        /* largest of their surfaces; 0: none bounces */
} ContactSettings;
ContactSettings findingsContactSettings(const Findings *findings, int64_t world, int64_t body);

/* SQL, of one %lld, the world: keys of the joints whose own rows are springs by their CFM, or the world's. A row of
 * softness cfm/h is one where that is above a hundredth of its compliance, which is at least the two bodies' 1/m. */
#define FINDINGS_SOFT                                                                                                  \
    "SELECT e.joint FROM joint e JOIN world w ON w.world = e.world LEFT JOIN body f ON f.body = e.body_1 AND "         \
    "f.kinematic = 0 LEFT JOIN body g ON g.body = e.body_2 AND g.kinematic = 0 LEFT JOIN joint_parameter c ON "        \
    "c.joint = e.joint AND c.axis = 1 AND c.name = 'cfm' AND e.type IN ('ball', 'fixed', 'dball', 'dhinge') WHERE "    \
    "e.world = %lld AND coalesce(c.value, w.cfm) > 0.01 * (SELECT avg(h) FROM step WHERE world = e.world) * "          \
    "(coalesce(1 / f.mass, 0) + coalesce(1 / g.mass, 0))"
/* Position errors of these joints: those that are no springs; those that the world's CFM makes springs. */
typedef enum GapsOf { GapsOfRigid, GapsOfWorldCfm } GapsOf;
typedef struct Gap {
    double most, mean;   /* [m or rad] */
    int64_t step, joint; /* of the largest; joint 0: not known */
    bool distance;       /* of anchors: [m] */
} Gap;
/* From anchors at so many recorded steps or up to twice as many. */
Gap findingsGap(Findings *findings, int64_t world, int samples, GapsOf which);
/* Largest distance of the two anchors of a joint that is no spring [m], from poses at 250 recorded steps or all of
 * fewer, whoever took them; steps in which gaps that the program made are closed do not count. */
double findingsWidestGap(ukReader *reader, int64_t world);
/* Whether this world has any, or stops and suspensions that are springs by theirs. */
bool findingsSprings(const Findings *findings, int64_t world);
/* The work of these causes (a list of SQL) until the world's last step [J]; NaN: the ledger has none of them. */
double findingsWork(Findings *findings, int64_t world, const char *causes);
/* The damping of velocities by shares per step, from a world's first recorded step to the last one with work by cause:
 * its work, what it makes the time step lose in a steady motion [J], and the mean share of the velocity per step.
 * `lost`: the time step's loss by the ledger [J]. */
typedef struct Damping {
    double work, step_error, share;
} Damping;
Damping findingsDamping(Findings *findings, int64_t world, int64_t last);
void findingsAddDamping(Findings *findings, int64_t world, int64_t last, const Damping *d, double lost);
/* Recordings of earlier versions lack tables and columns that later ones have. */
bool findingsHave(const Findings *findings, const char *table);
bool findingsHaveColumn(const Findings *findings, const char *table, const char *column);

typedef void FindingFamily(Findings *findings, int64_t world);
FindingFamily findingsOfModel, findingsOfJoints, findingsOfEnergy, findingsOfContacts, findingsOfContactModel,
    findingsOfDegrees, findingsOfRest, findingsOfMotors, findingsOfSteps, findingsOfRefusals, findingsOfGaps,
    findingsOfSettings, findingsOfConflicts, findingsOfExplosions, findingsOfFriction, findingsOfAMotors,
    findingsOfLimits, findingsOfCouples, findingsOfLengths, findingsOfSprings, findingsOfBoundedRows,
    findingsOfUnexplainedEnergy, findingsOfWorldCfm, findingsOfKinematic, findingsOfKeptContacts,
    findingsOfLinearMotors, findingsOfFrictionDirections;

#endif
