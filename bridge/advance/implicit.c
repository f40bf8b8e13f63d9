/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/implicit.h"

#include <math.h>
#include <string.h>

#include "bridge/advance/continuous.h"
#include "bridge/advance/stiff.h"
#include "bridge/island/refuse.h"
#include "bridge/island/view.h"
#include "solvers/base/status.h"

enum { Last = ukImplicitStages - 1 };

static const double node[] = {
    0, 46. / 125, 7121331996143. / 11335814405378., 49. / 353, 3706679970760. / 5295570149437., 347. / 382, 1};
/* columns 1 ...; column 0 is what is left of the node, as of 1 in the weights */
static const double inner[][Last] = {
    {0},
    {23. / 125},
    {791020047304. / 3561426431547., 23. / 125},
    {-158159076358. / 11257294102345., -85517644447. / 5003708988389., 23. / 125},
    {-1653327111580. / 4048416487981., 1514767744496. / 9099671765375., 14283835447591. / 12247432691556., 23. / 125},
    {-4540011970825. / 8418487046959., -1790937573418. / 7393406387169., 10819093665085. / 7266595846747.,
     4109463131231. / 7386972500302., 23. / 125},
    {-188593204321. / 4778616380481., 2809310203510. / 10304234040467., 1021729336898. / 2364210264653.,
     870612361811. / 2470410392208., -1307970675534. / 8059683598661., 23. / 125}};
static const double fourth[] = {-582099335757. / 7214068459310.,  615023338567. / 3362626566945.,
                                3192122436311. / 6174152374399.,  6156034052041. / 14430468657929.,
                                -1011318518279. / 9693750372484., 1914490192573. / 13754262428401.};

static void whole(const double *inner_row, double sum, double *row)
{
    row[0] = sum;
    for (int j = 1; j <= Last; j++) {
        row[j] = inner_row[j - 1];
        row[0] -= row[j];
    }
}

void ukImplicitPair(ukMethod *method, ukStage *difference)
{
    double A[ukImplicitStages][ukImplicitStages], lower[ukImplicitStages];
    *method = (ukMethod){.stages = ukImplicitStages};
    *difference = (ukStage){.uses = ukImplicitStages};
    for (int k = 0; k <= Last; k++) whole(inner[k], node[k], A[k]);
    whole(fourth, 1, lower);
    for (int k = 0; k <= Last; k++) {
        ukStage *stage = &method->stage[k];
        stage->uses = k == 0 ? 0 : k + 1;
        stage->node = node[k];
        for (int j = 0; j < stage->uses; j++) {
            stage->rate[j] = A[k][j];
            for (int i = j; i <= k; i++) stage->pose[j] += A[k][i] * A[i][j];
        }
    }
    method->end = method->stage[Last];
    for (int j = 0; j <= Last; j++) {
        difference->rate[j] = A[Last][j] - lower[j];
        for (int i = j; i <= Last; i++) difference->pose[j] += (A[Last][i] - lower[i]) * A[i][j];
    }
}

/* A first guess of the stage's rates: the parabola through those of the three stages nearest to it in time, or what
 * there is. */
static void guess(ukStepper *s, const ukIsland *island, int k)
{
    int near[3], count = 0;
    for (; count < 3 && count < k; count++) {
        near[count] = -1;
        for (int j = 0; j < k; j++) {
            bool taken = false;
            for (int i = 0; i < count; i++) taken |= near[i] == j;
            if (!taken && (near[count] < 0 || fabs(node[j] - node[k]) < fabs(node[near[count]] - node[k])))
                near[count] = j;
        }
    }
    for (int i = 0; i < island->frames; i++) {
        double *a = ukRatesOf(s, i)->a[k];
        memset(a, 0, 6 * sizeof *a);
    }
    for (int j = 0; j < count; j++) {
        double part = 1;
        for (int i = 0; i < count; i++)
            if (i != j) part *= (node[k] - node[near[i]]) / (node[near[j]] - node[near[i]]);
        for (int i = 0; i < island->frames; i++)
            for (int c = 0; c < 6; c++) ukRatesOf(s, i)->a[k][c] += part * ukRatesOf(s, i)->a[near[j]][c];
    }
}

int ukImplicitStage(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *at, ukImplicit *of, int k)
{
    enum { MaxPasses = 8 };
    static const double enough = 0.02; /* of the error that a sub-step may have */
    static const double turned = 0.1;  /* passes that leave more of an error want rows of their own stage */
    const ukIsland *island = &s->islands[index];
    const ukStage *stage = &of->method->stage[k];
    double last = INFINITY;
    guess(s, island, k);
    for (int pass = 0; pass < MaxPasses; pass++) {
        ukNystromPlace(s, island, stage, of->h);
        int status = ukContinuousAssemble(s, index, start, at);
        if (status == ukOk && pass == 0 && of->shrinks > turned)
            status = ukStiffTurn(s, index, at, of->h * ukImplicitDiagonal, of->measure->speed);
        if (status != ukOk) return status;
        const size_t column0 = ukViewOf(s, &s->problems[index]).column0;
        double *before = s->bodies.shift + column0, *now = s->bodies.qdd + column0;
        ukNystromAccelerations(s, island, k, stage, of->h, before);
        status = ukStiffSolve(s, index, before);
        if (status != ukOk) return status;
        ukNystromRecord(s, island, now, k, stage, of->h);
        const double off = ukMeasureChange(s, index, of->measure, before, now, of->h * ukImplicitDiagonal, of->h);
        if (!(off < INFINITY)) return ukErrorNotFinite;
        if (pass > 0) of->shrinks = fmin(off / last, 1);
        if (off == 0 || (of->shrinks < 1 && off * of->shrinks / (1 - of->shrinks) <= enough)) return ukOk;
        if (pass > 0 && off > 2 * last) break;
        last = off;
    }
    return ukRefuseBody(s->bodies.frames[island->frame].body, ukErrorNotConverged,
                        "its forces change too fast for a sub-step of %.2g s", of->h);
}
