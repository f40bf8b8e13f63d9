/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/compromise.h"

#include <float.h>
#include <math.h>

static double largestForce(const ukProblem *p)
{
    double most = 0;
    for (int i = 0; i < p->bodies; i++) {
        const double *f = p->Q + 6 * (size_t)i;
        most = fmax(most, sqrt(ukProblemMobility(p, i, f, f)));
    }
    return most;
}

/* the largest of x (rows), each in the metric of the masses */
static double largestRow(const ukProblem *p, const double *x)
{
    double most = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double scale = sqrt(ukProblemCompliance(p, &p->block[k], i));
            if (scale > 0) most = fmax(most, fabs(x[i]) / scale); /* else the row acts on no body */
        }
    return most;
}

double ukLargestAcceleration(const ukProblem *p)
{
    return largestRow(p, p->b) + largestForce(p);
}

double ukCompromise(const ukProblem *p, const double *missed)
{
    const double most = largestRow(p, missed);
    return most > 0 ? most / fmax(ukLargestAcceleration(p), DBL_MIN) : 0;
}
