/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/active_contacts.h"

#include <math.h>
#include <string.h>

#include "bridge/island/massless.h"

/* a contact's block at the assembled state */
typedef struct Place {
    ukIsland *island;
    const ukBlock *block;
    const ukState *a, *b;
    int body[2]; /* that move; -1: none */
    ukTouchPlace touch;
} Place;

static double contactRowRate(const Place *place, const double J[12])
{
    double rate = 0;
    for (int c = 0; c < 6; c++) rate += J[c] * place->a->v[c] + (place->b ? J[6 + c] * place->b->v[c] : 0);
    return rate;
}

/* Adds a force along J to the bodies of the contact. */
static void addContactForce(const Place *place, const double J[12], double force)
{
    for (int side = 0; side < 2; side++) ukMasslessPush(place->island, place->body[side], J + 6 * side, force);
}

/* Writes row i of the island: J (NULL: no row), its bias and target; has_error: the row also has the position
 * error phi. */
static void writeContactRow(const Place *place, int i, const double *J, bool has_error, double phi, double bias,
                            double target)
{
    const ukRowArrays *const r = &place->island->rows;
    const int slots = place->block->slots;
    double *const A = r->A + place->block->A + 6 * (size_t)((i - place->block->row) * slots);
    memset(A, 0, 6 * (size_t)slots * sizeof *A);
    if (J) memcpy(A, J, 6 * (size_t)slots * sizeof *A);
    r->lo[i] = -INFINITY;
    r->hi[i] = INFINITY;
    r->normal[i] = -1;
    r->discrete_only[i] = r->cone[i] = r->spring[i] = 0;
    r->cfm[i] = r->c[i] = r->erp[i] = r->push[i] = 0;
    r->phi[i] = J && has_error ? phi : 0;
    r->rate[i] = J ? contactRowRate(place, J) : 0;
    r->target[i] = J ? target : 0;
    r->bias[i] = bias;
    r->b[i] = J ? -bias : 0;
    r->softness[i] = J ? 0 : 1;
    r->velocity[i] = !J ? ukActiveNoRow : !has_error;
}

/* The fraction of the friction bound that the force along `row` has: 1 or -1, the side of the row; for a row of a disc
 * that slides, minus the component of the unit slip velocity along it (maximum dissipation). */
static double fractionOfFrictionBound(const Place *place, const ukActiveContact *c, const ukActiveRow *row)
{
    static const double still = 1e-9; /* [m/s] */
    if (!row->cone) return row->side;
    double slip[2] = {0}, size = 0;
    int own = 0;
    for (int i = 0; i < c->rows; i++) {
        const ukActiveRow *const other = &c->row[i];
        if (!other->cone) continue;
        double J[12], phi, bias;
        ukTouchRow(&c->touch, &place->touch, other->kind, place->a, place->b, J, &phi, &bias);
        const int k = other->kind == ukTouchSlide2;
        slip[k] = other->bound * (contactRowRate(place, J) - other->target);
        size = hypot(size, slip[k]);
        if (other == row) own = k;
    }
    return size > still ? -slip[own] / size : row->side;
}

static void addSlide(ukActivity *activity, const Place *place, const double J[12], double part)
{
    ukActiveSlide *const slide = &activity->slide[activity->slides++];
    *slide = (ukActiveSlide){.island = place->island->number, .normal = place->block->row};
    for (int side = 0; side < 2; side++) {
        slide->body[side] = place->body[side];
        for (int k = 0; k < 6; k++) slide->direction[side][k] = part * J[6 * side + k];
    }
}

static void writeContact(ukActivity *activity, const Place *place, ukActiveContact *c)
{
    for (int k = 0; k < c->rows; k++) {
        ukActiveRow *const row = &c->row[k];
        const int i = place->block->row + k;
        double J[12], phi, bias;
        ukTouchRow(&c->touch, &place->touch, row->kind, place->a, place->b, J, &phi, &bias);
        const bool has_error = !activity->loose && ukTouchKeepsPlace(&c->touch, row->kind) && row->target == 0;
        if (row->mode == ukActiveRigid) {
            writeContactRow(place, i, J, has_error, phi, bias, row->target);
            continue;
        }
        writeContactRow(place, i, NULL, false, 0, 0, 0);
        if (row->mode == ukActiveUndecided) continue;
        if (row->mode == ukActiveSoft) {
            row->lambda = row->kp * (row->depth - phi) - row->kd * (contactRowRate(place, J) - row->target);
            addContactForce(place, J, row->lambda);
        } else if (row->proportional && c->row[0].mode == ukActiveRigid) {
            addSlide(activity, place, J, row->bound * fractionOfFrictionBound(place, c, row));
        } else {
            const double load = row->proportional ? fmax(0, c->row[0].lambda) : 1;
            row->lambda = load * row->bound * fractionOfFrictionBound(place, c, row);
            addContactForce(place, J, row->lambda);
        }
    }
}

static void removeSlidesOfIsland(ukActivity *activity, int island)
{
    int count = 0;
    for (int k = 0; k < activity->slides; k++)
        if (activity->slide[k].island != island) activity->slide[count++] = activity->slide[k];
    activity->slides = count;
}

/* The next contact of the island, from *at on, and its block from *block on; NULL: none left. */
static ukActiveContact *nextContact(const ukActivity *activity, const ukIsland *island, int *at, int *block)
{
    while (*at < activity->contacts && activity->contact[*at].island != island->number) ++*at;
    if (*at == activity->contacts) return NULL;
    ukActiveContact *const c = &activity->contact[(*at)++];
    while (*block < island->problem->blocks && island->rows.owners[*block].joint != c->joint) ++*block;
    return *block < island->problem->blocks ? c : NULL;
}

void ukActiveContactsWrite(ukActivity *activity, ukIsland *island)
{
    ukActiveContact *c;
    bool bounded = false;
    removeSlidesOfIsland(activity, island->number);
    for (int at = 0, block = 0; (c = nextContact(activity, island, &at, &block));) {
        const ukBody *const *const body = (const ukBody *const *)c->joint->body;
        const ukFrame *const a = ukFrameOf(island, body[0]), *const b = body[1] ? ukFrameOf(island, body[1]) : NULL;
        Place place = {.island = island,
                       .block = &island->problem->block[block],
                       .a = &a->state,
                       .b = b ? &b->state : NULL,
                       .body = {a->moving, b ? b->moving : -1}};
        ukTouchAt(&c->touch, place.a, place.b, &place.touch);
        writeContact(activity, &place, c);
    }
    for (int i = 0; i < island->problem->rows; i++)
        bounded |= island->rows.lo[i] > -INFINITY || island->rows.hi[i] < INFINITY;
    if (bounded) return;
    island->problem->lo = island->problem->hi = island->ideal->problem.lo = island->ideal->problem.hi = NULL;
    island->problem->normal = island->ideal->problem.normal = NULL;
}

void ukActiveContactsSettle(ukActivity *activity, ukIsland *island)
{
    ukActiveContact *c;
    for (int at = 0, block = 0; (c = nextContact(activity, island, &at, &block));) {
        const ukBody *const b = c->joint->body[1];
        ukTouchSettle(&c->touch, &ukFrameOf(island, c->joint->body[0])->state, b ? &ukFrameOf(island, b)->state : NULL);
    }
}

void ukActiveContactsFinish(const ukActivity *activity, ukIsland *island)
{
    const ukActiveContact *c;
    for (int at = 0, block = 0; (c = nextContact(activity, island, &at, &block));)
        for (int k = 0; k < c->rows; k++)
            if (c->row[k].mode == ukActiveSoft || c->row[k].mode == ukActiveBound)
                island->rows.lambda[island->problem->block[block].row + k] = c->row[k].lambda;
}
