/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static bool table;

void refBegin(int argc, char **argv)
{
    table = argc > 1 && strcmp(argv[1], "table") == 0;
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
}

int refEnd(void)
{
    dCloseODE();
    return table ? ukTestFailed != 0 : ukTestEnd();
}

bool refTabulates(void)
{
    return table;
}

bool refCheck(bool ok, const char *what)
{
    return ukTestCheck(ok, what, "reference", 0);
}

double refMax(double a, double b)
{
    return a >= b || a != a ? a : b;
}

/* ---- problems and their figures ---------------------------------------------------------------------------------- */

static void runAs(Stepper stepper, double h, ProblemFn *run, double *out)
{
    for (int i = 0; i < MaxFigures; i++) out[i] = NAN;
    dRandSetSeed(1); /* QuickStep shuffles its rows */
    run(stepper, h, out);
}

void refProblem(const char *problem, const Figure *figures, int count, double h, ProblemFn *run)
{
    double out[Steppers][MaxFigures];
    for (int s = 0; s < (table ? Steppers : 1); s++) runAs((Stepper)s, h, run, out[s]);
    for (int i = 0; i < count; i++) {
        const Figure *f = &figures[i];
        const double ours = out[ByUkode][i];
        char within[32] = "";
        if (f->tolerance > 0) snprintf(within, sizeof within, " ± %.3g", f->tolerance);
        if (f->tolerance >= 0) ukTestCheck(fabs(ours - f->reference) <= f->tolerance, f->name, problem, __LINE__);
        if (table)
            printf("| %s | %s | %.6g%s%s%s | %.5g | %.5g | %.5g |\n", i == 0 ? problem : "", f->name, f->reference,
                   within, *f->unit ? " " : "", f->unit, ours, out[ByOde][i], out[ByQuick][i]);
        else
            printf("%s: %s: %.9g, reference %.9g%s %s\n", problem, f->name, ours, f->reference, within, f->unit);
    }
}

void refOrder(const char *problem, const Figure *figures, int index, double h, ProblemFn *run)
{
    double out[MaxFigures], off[3];
    if (!table) return;
    for (int k = 0; k < 3; k++) {
        runAs(ByUkode, h / (1 << k), run, out);
        off[k] = fabs(out[index] - figures[index].reference);
    }
    printf("order | %s | %s | %.3g s | %.3g | %.3g | %.3g | %.2f, %.2f |\n", problem, figures[index].name, h, off[0],
           off[1], off[2], off[0] / off[1], off[1] / off[2]);
}

double *refTable(const char *name, int columns, int *rows)
{
    char path[1024], line[1024];
    int capacity = 64, count = 0;
    double *x = malloc((size_t)(capacity * columns) * sizeof *x);
    snprintf(path, sizeof path, "%s/%s", UKODE_REFERENCE_DATA, name);
    FILE *f = fopen(path, "r");
    while (f && x && fgets(line, sizeof line, f)) {
        if (*line == '#' || (*line >= 'a' && *line <= 'z') || (*line >= 'A' && *line <= 'Z')) continue;
        if (count == capacity) x = realloc(x, (size_t)((capacity *= 2) * columns) * sizeof *x);
        if (!x) break;
        char *at = line;
        for (int c = 0; c < columns; c++, at += *at == ',') x[count * columns + c] = strtod(at, &at);
        count++;
    }
    if (f) fclose(f);
    refCheck(count > 0, path);
    *rows = x ? count : 0;
    return x;
}

/* ---- worlds, bodies, contacts ------------------------------------------------------------------------------------ */

RefWorld *refWorld(Stepper stepper, double h)
{
    RefWorld *w = calloc(1, sizeof *w);
    if (!w) abort();
    *w = (RefWorld){.id = dWorldCreate(), .group = dJointGroupCreate(0), .stepper = stepper, .h = h};
    dWorldSetGravity(w->id, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(w->id, 20);
    CHECK(ukWorldSetFriction(w->id, ukFrictionCone) == 0);
    return w;
}

void refWorldEnd(RefWorld *w)
{
    dJointGroupDestroy(w->group);
    dWorldDestroy(w->id);
    free(w);
}

static void stepUkode(RefWorld *w)
{
    static int told;
    ukReport r;
    if (!CHECK(ukWorldStep(w->id, w->h) == 1) && told++ < 5) printf("%s\n", ukGetLastErrorMessage());
    CHECK(ukWorldGetReport(w->id, &r) == 0);
    if (!CHECK(r.ok) && told++ < 5)
        printf("%d rows, %d pivots: feasibility %.3g, stationarity %.3g, complementarity %.3g\n", r.rows, r.pivots,
               r.feasibility, r.stationarity, r.complementarity);
}

void refStep(RefWorld *w)
{
    if (w->stepper == ByUkode)
        stepUkode(w);
    else if (w->stepper == ByOde)
        dWorldStep(w->id, w->h);
    else
        dWorldQuickStep(w->id, w->h);
    dJointGroupEmpty(w->group);
    w->contacts = 0;
}

dBodyID refBody(RefWorld *w, double mass, double ixx, double iyy, double izz, double x, double y, double z)
{
    dMass m;
    const dBodyID body = dBodyCreate(w->id);
    dMassSetParameters(&m, mass, 0, 0, 0, ixx, iyy, izz, 0, 0, 0);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    return body;
}

dBodyID refBox(RefWorld *w, double mass, double lx, double ly, double lz, double x, double y, double z)
{
    const double k = mass / 12;
    return refBody(w, mass, k * (ly * ly + lz * lz), k * (lx * lx + lz * lz), k * (lx * lx + ly * ly), x, y, z);
}

int refContactOf(RefWorld *w, dBodyID a, dBodyID b, const dContact *contact)
{
    if (!CHECK(w->contacts < MaxContacts)) return 0;
    const dJointID joint = dJointCreateContact(w->id, w->group, contact);
    dJointAttach(joint, a, b);
    memset(&w->feedback[w->contacts], 0, sizeof *w->feedback);
    dJointSetFeedback(joint, &w->feedback[w->contacts]);
    return w->contacts++;
}

int refContact(RefWorld *w, dBodyID a, dBodyID b, const double *position, const double *normal, double gap, double mu)
{
    dContact c = {.surface = {.mode = dContactApprox1 | dContactMotionN, .mu = mu}};
    for (int i = 0; i < 3; i++) c.geom.pos[i] = position[i], c.geom.normal[i] = normal[i];
    c.geom.depth = gap < 0 ? -gap : 0;
    c.surface.motionN = gap > 0 ? -gap / w->h : 0;
    return refContactOf(w, a, b, &c);
}

void refBoxOnPlane(RefWorld *w, dBodyID box, const double *half, double margin, double mu)
{
    const double up[3] = {0, 0, 1};
    for (int k = 0; k < 8; k++) {
        dVector3 p;
        dBodyGetRelPointPos(box, k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2], p);
        if (p[2] < margin) refContact(w, box, 0, p, up, p[2], mu);
    }
}

const dReal *refForce(const RefWorld *w, int i)
{
    return w->feedback[i].f1;
}
