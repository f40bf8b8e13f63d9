#include "tests/reference/follow.h"

#include <math.h>
#include <stdlib.h>

RefWorld *followWorld(double h, double g)
{
    RefWorld *w = refWorld(ByUkode, h);
    dWorldSetGravity(w->id, 0, 0, -g);
    refCheck(ukWorldSetIntegrator(w->id, ukIntegratorRK4) == 0, "RK4");
    refCheck(ukWorldSetStabilization(w->id, ukStabilizeProjection, 0, 0) == 0, "projection");
    return w;
}

void followStart(dBodyID body, const double *x, const double *v, const double *q, const double *w)
{
    dBodySetPosition(body, x[0], x[1], x[2]);
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    if (q) dBodySetQuaternion(body, (const dQuaternion){q[0], q[1], q[2], q[3]});
    if (w) dBodySetAngularVel(body, w[0], w[1], w[2]);
}

bool followTable(RefWorld *w, const char *csv, int columns, void (*compare)(const double *row, Follow *follow),
                 Follow *follow)
{
    int rows;
    double *table = refTable(csv, columns, &rows);
    refCheck(ukWorldEvaluate(w->id) == 0, "forces at the start");
    for (int i = 0; i < rows; i++) {
        const double *row = table + i * columns;
        while (ukWorldGetTime(w->id) < row[0] - 0.5 * w->h) {
            const double before = ukWorldGetTime(w->id);
            refStep(w);
            if (!(ukWorldGetTime(w->id) > before)) {
                free(table);
                return false;
            }
        }
        compare(row, follow);
    }
    free(table);
    return rows > 0;
}

double followWorst(double largest, const double *x, const double *y, int n)
{
    for (int i = 0; i < n; i++) largest = refMax(fabs(x[i] - y[i]), largest);
    return largest;
}
