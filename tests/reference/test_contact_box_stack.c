/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks of equal boxes. Upright, contacts by dCollide: force under each box, drift in 10 s. Leaning, each box shifted
 * by s against the one below, contacts made by hand at the edges of the overlap: it stands iff s <= 1/n. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { Boxes, Box, Force, Columns };
enum { MaxShift = 1, Overhang, LeaningColumns, MaxBoxes = 20 };
enum { ForceError, Drift, UprightCount };
enum { StandsWrong, FallsWrong, Lean, Cases, LeaningCount };

static const double height = 0.2;

static const Figure upright[UprightCount] = {
    [ForceError] = {"force under a box: error", 0, 0.1, "%"},
    [Drift] = {"drift of a box in 10 s", 0, 1e-4, "m"},
};

static const Figure leaning[LeaningCount] = {
    [StandsWrong] = {"stacks at 0.95 of the threshold that fall", 0, 0, ""},
    [FallsWrong] = {"stacks at 1.05 of the threshold that stand", 0, 0, ""},
    [Lean] = {"rotation of the stacks that stand, 1 s", 0, -1, "rad"},
    [Cases] = {"stacks of each kind", 19, 0, ""},
};

/* ODE's colliders find contacts that overlap, its ERP pushes them out: boxes that rest overlap by half the world's
 * surface layer. */
static const double layer = 2e-5;

static void collide(void *data, dGeomID a, dGeomID b)
{
    RefWorld *w = data;
    dContactGeom geom[8];
    const int count = dCollide(a, b, 8, geom, sizeof *geom);
    for (int i = 0; i < count; i++) {
        const dContact c = {.surface = {.mode = dContactApprox1, .mu = 0.5}, .geom = geom[i]};
        refContactOf(w, dGeomGetBody(a), dGeomGetBody(b), &c);
    }
}

static void stack(Stepper stepper, double h, const double *row, int n, double *e)
{
    RefWorld *w = refWorld(stepper, h);
    const dSpaceID space = dSimpleSpaceCreate(0);
    const dGeomID plane = dCreatePlane(space, 0, 0, 1, 0);
    dBodyID box[MaxBoxes];
    double z[MaxBoxes], force[MaxBoxes + 1] = {0};
    dWorldSetContactSurfaceLayer(w->id, layer);
    for (int i = 0; i < n; i++) {
        z[i] = height * (i + 0.5) - layer / 2 * (i + 1);
        box[i] = refBox(w, 1, 1, 1, height, 0, 0, z[i]);
        dGeomSetBody(dCreateBox(space, 1, 1, height), box[i]);
    }
    for (int k = 0; k < (int)lround(10 / h); k++) {
        collide(w, plane, dBodyGetFirstGeom(box[0]));
        int layer_of[MaxContacts], count = 0;
        while (count < w->contacts) layer_of[count++] = 0;
        for (int i = 0; i + 1 < n; i++) {
            collide(w, dBodyGetFirstGeom(box[i + 1]), dBodyGetFirstGeom(box[i]));
            while (count < w->contacts) layer_of[count++] = i + 1;
        }
        refStep(w);
        if ((k + 1) % 100 != 0) continue;
        for (int i = 0; i < n; i++) force[i] = 0;
        for (int c = 0; c < count; c++) force[layer_of[c]] += fabs(refForce(w, c)[2]);
        for (int i = 0; i < n; i++)
            e[ForceError] = refMax(e[ForceError], 100 * fabs(force[i] / row[i * Columns + Force] - 1));
    }
    for (int i = 0; i < n; i++) {
        const dReal *x = dBodyGetPosition(box[i]);
        e[Drift] = refMax(e[Drift], sqrt(x[0] * x[0] + x[1] * x[1] + (x[2] - z[i]) * (x[2] - z[i])));
    }
    dSpaceDestroy(space);
    refWorldEnd(w);
}

static void standing(Stepper stepper, double h, double *out)
{
    int rows;
    double *table = refTable("contact_box_stack.csv", Columns, &rows);
    for (int i = 0; i < UprightCount; i++) out[i] = 0;
    for (int r = 0; r < rows; r += (int)table[r * Columns + Boxes])
        stack(stepper, h, table + r * Columns, (int)table[r * Columns + Boxes], out);
    free(table);
}

/* a contact at a point of `a`, on the top or bottom face of `b` (0: the ground) whose height is z in its frame */
static void cornerOnFace(RefWorld *w, dBodyID a, const double *at, dBodyID b, double z, double sign)
{
    dVector3 p, on = {0, 0, 0, 0}, n = {0, 0, sign, 0};
    dBodyGetRelPointPos(a, at[0], at[1], at[2], p);
    if (b) {
        dBodyGetRelPointPos(b, 0, 0, z, on);
        dBodyVectorToWorld(b, 0, 0, sign, n);
    }
    refContact(w, a, b, p, n, (p[0] - on[0]) * n[0] + (p[1] - on[1]) * n[1] + (p[2] - on[2]) * n[2], 0.7);
}

/* rotation of the box above the lowest after one second */
static double lean(Stepper stepper, double h, int n, double shift)
{
    RefWorld *w = refWorld(stepper, h);
    dBodyID box[MaxBoxes];
    for (int i = 0; i < n; i++) box[i] = refBox(w, 1, 1, 1, height, i * shift, 0, height * (i + 0.5));
    for (int k = 0; k < (int)lround(1 / h); k++) {
        for (int y = -1; y <= 1; y += 2) {
            for (int x = -1; x <= 1; x += 2)
                cornerOnFace(w, box[0], (const double[]){0.5 * x, 0.5 * y, -height / 2}, 0, 0, 1);
            for (int i = 1; i < n; i++) {
                cornerOnFace(w, box[i], (const double[]){-0.5, 0.5 * y, -height / 2}, box[i - 1], height / 2, 1);
                cornerOnFace(w, box[i - 1], (const double[]){0.5, 0.5 * y, height / 2}, box[i], -height / 2, -1);
            }
        }
        refStep(w);
    }
    double most = 0;
    for (int i = 0; i < n; i++) most = refMax(most, 2 * fabs(dBodyGetQuaternion(box[i])[2]));
    refWorldEnd(w);
    return most;
}

static void leanings(Stepper stepper, double h, double *out)
{
    int rows;
    double *table = refTable("contact_box_stack_leaning.csv", LeaningColumns, &rows);
    for (int i = 0; i < LeaningCount; i++) out[i] = 0;
    for (const double *row = table; row < table + rows * LeaningColumns; row += LeaningColumns) {
        const double stands = lean(stepper, h, (int)row[Boxes], 0.95 * row[MaxShift]);
        const double falls = lean(stepper, h, (int)row[Boxes], 1.05 * row[MaxShift]);
        out[StandsWrong] += !(stands < 1e-3);
        out[FallsWrong] += !(falls > 1e-3);
        out[Lean] = refMax(out[Lean], stands);
        out[Cases]++;
    }
    free(table);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("upright stacks of 2 to 20 boxes", upright, UprightCount, 0.01, standing);
    refProblem("leaning stacks of 2 to 20 boxes", leaning, LeaningCount, 0.01, leanings);
    return refEnd();
}
