/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/verify/file.h: verifies every step of a recording: its seal, and the equations of each island. */
#ifndef UKODE_PLUGIN_TOOLS_VERIFY_FILE_H
#define UKODE_PLUGIN_TOOLS_VERIFY_FILE_H

#include "plugin/formats/recording/reader.h"
#include "plugin/tools/verify/bound.h"
#include "plugin/tools/verify/end.h"

typedef struct Verdict {
    long long steps;      /* in the recording */
    long long verified;   /* of these without a fault */
    long long checked;    /* of these that have all of their equations */
    long long incomplete; /* of these by ukode, whose row says that more bodies or rows were solved */
    long long still;      /* of these by ukode, without equations, whose row says that no body was stepped */
    long long native;     /* taken by ODE's own stepper: there is nothing to verify but the seal */
    long long unsealed;   /* at the end of a recording that was not ended: they do not count as steps */
    long long islands, rows;
    long long ends;       /* islands with velocities and poses of the step */
    long long uncoupled;  /* steps whose friction iteration ended early, as the report states */
    long long softened;   /* steps whose rows differ from those that were stated, and say so */
    long long older;      /* steps of a format that has neither velocities nor split corrections */
    long long continuous; /* steps with islands in the continuous form: their end is the integrator's */
    long long split;      /* steps with split corrections */
    long long reconciled; /* of these: contradictory corrections, satisfied in the least-squares sense */
    bool tables;          /* what belongs to no step has its seals */
    Residual residual;    /* the largest */
    EndResidual end;      /* the largest */
    Distance distance;
} Verdict;

/* Called for each fault of a step, or of a table (step 0), with its description. */
typedef void VerifyReport(void *context, long long step, const char *why);

/* Verifies all steps and seals; residuals of at most `tolerance` are accepted. false: the recording cannot be read
 * (reader->error), or no memory. */
bool verifyFile(ukReader *reader, double tolerance, VerifyReport *report, void *context, Verdict *verdict);

#endif
