/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/slices.h"

#include "bridge/island/stepper.h"

void ukSlicesPlace(ukIsland *island)
{
    const ukStepper *s = island->stepper;
    const size_t m = (size_t)s->moving_count, r = (size_t)s->row_count;
    const ukBodyArrays *b = &s->bodies;
    const ukRowArrays *a = &s->rows;
    island->bodies = (ukBodyArrays){.mass = b->mass + m,
                                    .inertia = b->inertia + 9 * m,
                                    .inverse_inertia = b->inverse_inertia + 9 * m,
                                    .Q = b->Q + 6 * m,
                                    .C = b->C + 6 * m,
                                    .qdd = b->qdd + 6 * m,
                                    .shift = b->shift + 6 * m,
                                    .impressed = b->impressed + 6 * m,
                                    .massless = b->massless + m,
                                    .frame = b->frame + m,
                                    .handle = b->handle + m};
    island->rows = (ukRowArrays){.blocks = a->blocks + s->block_count,
                                 .owners = a->owners + s->block_count,
                                 .slot_body = a->slot_body + s->slot_count,
                                 .slot_state = a->slot_state + s->slot_count,
                                 .A = a->A + s->coefficient_count,
                                 .b = a->b + r,
                                 .c = a->c + r,
                                 .push = a->push + r,
                                 .restitution = a->restitution + r,
                                 .phi = a->phi + r,
                                 .rate = a->rate + r,
                                 .target = a->target + r,
                                 .erp = a->erp + r,
                                 .bias = a->bias + r,
                                 .cfm = a->cfm + r,
                                 .softness = a->softness + r,
                                 .lo = a->lo + r,
                                 .hi = a->hi + r,
                                 .lambda = a->lambda + r,
                                 .lambda0 = a->lambda0 + r,
                                 .loads = a->loads + r,
                                 .lambda_ideal = a->lambda_ideal + r,
                                 .loads_ideal = a->loads_ideal + r,
                                 .bound_lo = a->bound_lo + r,
                                 .bound_hi = a->bound_hi + r,
                                 .normal = a->normal + r,
                                 .velocity = a->velocity + r,
                                 .discrete_only = a->discrete_only + r,
                                 .cone = a->cone + r,
                                 .spring = a->spring + r,
                                 .pose_lambda = a->pose_lambda + r,
                                 .pose_push = a->pose_push + r,
                                 .pose_side = a->pose_side + r,
                                 .pose = a->pose + r};
}
