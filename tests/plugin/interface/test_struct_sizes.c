/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that were compiled with another version of the header: the functions that fill a struct write its first
 * `size` bytes and nothing beyond, and zeros into members that this library does not have. */
#include <stdlib.h>
#include <string.h>

#include <ukode/analysis.h>

#include "demos/scenes.h"
#include "tests/check.h"

enum { Guard = 64, Largest = 1024 };

typedef int Fill(void *object, void *out, size_t size);

static int fillReport(void *world, void *out, size_t size)
{
    return ukWorldGetReportSized((dWorldID)world, out, size);
}

static int fillLedger(void *world, void *out, size_t size)
{
    return ukWorldGetLedgerSized((dWorldID)world, out, size);
}

static int fillPower(void *world, void *out, size_t size)
{
    return ukWorldGetPowerSized((dWorldID)world, out, size);
}

static int fillEquations(void *world, void *out, size_t size)
{
    return ukWorldGetEquationsSized((dWorldID)world, out, size);
}

static int fillDiagnosis(void *world, void *out, size_t size)
{
    return ukWorldDiagnoseSized((dWorldID)world, out, size);
}

static int fillLinearization(void *world, void *out, size_t size)
{
    return ukWorldLinearizeSized((dWorldID)world, NULL, 0, NULL, 0, 0, out, size);
}

static int fillMobility(void *world, void *out, size_t size)
{
    return ukWorldGetMobilitySized((dWorldID)world, out, size);
}

static int fillAudit(void *constraint, void *out, size_t size)
{
    return ukConstraintAuditSized((ukConstraintID)constraint, out, size);
}

/* Filled into so many bytes between guards: as by the size `known` of this header. From `end` on,
 * another call gives other bytes: padding, and arrays of its own. */
static void filled(const char *name, Fill *fill, void *object, size_t known, size_t end)
{
    unsigned char whole[Largest], part[Guard + Largest + Guard];
    CHECK(known + Guard <= Largest);
    memset(whole, 0, sizeof whole);
    CHECK(fill(object, whole, known) == ukOk);
    const size_t sizes[] = {1, sizeof(int), known / 2, known - 1, known, known + 1, known + Guard};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const size_t size = sizes[k];
        bool same = true, untouched = true;
        memset(part, 0xa5, sizeof part);
        CHECK(fill(object, part + Guard, size) == ukOk);
        for (size_t i = 0; i < sizeof part; i++)
            if (i < Guard || i >= Guard + size)
                untouched &= part[i] == 0xa5;
            else
                same &=
                    (i - Guard >= end && i - Guard < known) || part[i] == (i - Guard < known ? whole[i - Guard] : 0);
        if (!CHECK(same && untouched)) printf("%s, %zu of %zu bytes\n", name, size, known);
    }
    memset(part, 0xa5, sizeof part);
    CHECK(fill(object, part, 0) == ukErrorArgument && fill(object, NULL, known) == ukErrorArgument);
    CHECK(part[0] == 0xa5);
    CHECK(fill(NULL, part, known) == ukErrorHandle && part[known] == 0xa5);
    for (size_t i = 0; i < known; i++) CHECK(part[i] == 0); /* a failed call */
}

static int rows(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)b, (void)data;
    A[2] = 1;
    return 0;
}

static int errors(const ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = 2 * context->bodies[0].position[2], psi[0] = context->bodies[0].velocity[2]; /* phi does not match A */
    return 0;
}

/* The inline functions of the header pass its sizes: the last member arrives. */
static void wholeStructs(dWorldID world, ukConstraintID constraint)
{
    ukReport report = {.evaluations = -1, .implicit_substeps = -1};
    ukMobility mobility = {.bodies = NULL};
    ukLedger ledger = {.residual = NAN}, power = {.residual = NAN};
    ukEquations equations = {.hi = NULL};
    ukDiagnosis diagnosis = {.conflict_is_angle = -1};
    ukAudit audit = {.b = {.wrong = -1}};
    CHECK(ukWorldGetReport(world, &report) == ukOk && report.evaluations >= 1 && report.joints > 0);
    CHECK(report.Gni >= 0 && report.implicit_substeps == 0);
    CHECK(ukWorldGetLedger(world, &ledger) == ukOk && fabs(ledger.residual) < 1e-9);
    CHECK(ukWorldGetPower(world, &power) == ukOk && fabs(power.residual) < 1e-6 && fabs(power.time - 0.01) < 1e-15);
    CHECK(ukWorldGetEquations(world, &equations) == ukOk && equations.hi && equations.hi[0] > 0);
    CHECK(ukConstraintAudit(constraint, &audit) == ukOk && audit.b.wrong == 0 && audit.A_phi.wrong == 1 && !audit.ok);
    CHECK(ukWorldDiagnose(world, &diagnosis) == ukOk && diagnosis.conflict_is_angle == 0 && diagnosis.rank > 0);
    CHECK(ukWorldGetMobility(world, &mobility) == ukOk && mobility.bodies &&
          dBodyGetWorld(mobility.bodies[0]) == world);
}

int main(void)
{
    dInitODE2(0);
    Scene *scene = sceneByName("chain", 5);
    if (!CHECK(scene != NULL)) return ukTestEnd();
    const ukConstraintID constraint = ukConstraintCreate(scene->world, 1, &scene->bodies[4], 1, rows, NULL);
    CHECK(constraint && ukConstraintSetError(constraint, errors, NULL) == ukOk);
    CHECK(ukWorldSetLedger(scene->world, 1) == ukOk);
    CHECK(ukConstraintSetError(constraint, NULL, NULL) == ukOk);
    for (int i = 0; i < 3; i++) CHECK(sceneStep(scene, 0.01, ukWorldStep) == 1);
    CHECK(ukConstraintSetError(constraint, errors, NULL) == ukOk);
    wholeStructs(scene->world, constraint);
    CHECK(sceneStep(scene, 0.01, ukWorldStep) == 1);
    filled("ukReport", fillReport, scene->world, sizeof(ukReport), sizeof(ukReport));
    filled("ukLedger", fillLedger, scene->world, sizeof(ukLedger), sizeof(ukLedger));
    filled("ukLedger (power)", fillPower, scene->world, sizeof(ukLedger), sizeof(ukLedger));
    filled("ukEquations", fillEquations, scene->world, sizeof(ukEquations), sizeof(ukEquations));
    filled("ukAudit", fillAudit, constraint, sizeof(ukAudit), sizeof(ukAudit));
    filled("ukMobility", fillMobility, scene->world, sizeof(ukMobility), offsetof(ukMobility, basis));
    filled("ukDiagnosis", fillDiagnosis, scene->world, sizeof(ukDiagnosis), offsetof(ukDiagnosis, rank) + sizeof(int));
    ukConstraintDestroy(constraint);
    filled("ukLinearization", fillLinearization, scene->world, sizeof(ukLinearization), offsetof(ukLinearization, A));
    sceneDestroy(scene);
    dCloseODE();
    return ukTestEnd();
}
