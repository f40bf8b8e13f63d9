/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is handed out uninitialized is written before it is read: random worlds move alike, to the bit, whatever
 * it contains at first. The linker leads the library's calls of malloc, aligned_alloc, ukGrow and ukScratchReserve to
 * the wrappers here, which fill what they return with zeros, with a pattern, or with NaN. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/island/island.h"
#include "tests/check.h"
#include "tests/support/body_state.h"
#include "tests/support/random_world.h"

static int pattern;
static size_t filled; /* bytes */

void *__real_malloc(size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
bool __real_ukGrow(void *where, size_t *capacity, size_t bytes);
int __real_ukScratchReserve(ukIslandSolvers *solvers, size_t bytes);
void *__wrap_malloc(size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
bool __wrap_ukGrow(void *where, size_t *capacity, size_t bytes);
int __wrap_ukScratchReserve(ukIslandSolvers *solvers, size_t bytes);

static void *fill(void *memory, size_t bytes)
{
    if (memory && bytes > 0) memset(memory, pattern, bytes), filled += bytes;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fill(__real_malloc(size), size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fill(__real_aligned_alloc(alignment, size), size);
}

bool __wrap_ukGrow(void *where, size_t *capacity, size_t bytes)
{
    const size_t before = *capacity;
    const bool done = __real_ukGrow(where, capacity, bytes);
    if (done && *capacity != before) fill(*(void **)where, *capacity);
    return done;
}

int __wrap_ukScratchReserve(ukIslandSolvers *solvers, size_t bytes)
{
    const int status = __real_ukScratchReserve(solvers, bytes);
    if (status == 0) fill(solvers->scratch, solvers->scratch_size);
    return status;
}

typedef struct Run {
    ukIntegrator integrator;
    ukFriction friction;
    RandomWorldKind kind;
} Run;

static uint64_t stepWorld(const Run *run, uint64_t seed)
{
    uint64_t hash = hashStart;
    RandomWorld w;
    randomWorldBuild(&w, seed, &run->kind);
    CHECK(ukWorldSetIntegrator(w.world, run->integrator) == 0 && ukWorldSetFriction(w.world, run->friction) == 0);
    for (int i = 0; i < 4; i++) {
        const int ok = ukWorldStep(w.world, 0.005);
        hash = hashBytes(hash, &ok, sizeof ok);
        for (int b = 0; b < w.bodies; b++) hash = hashBody(hash, w.body[b]);
    }
    randomWorldDestroy(&w);
    return hash;
}

static void poison(const Run *run, const char *name)
{
    static const int patterns[] = {0x00, 0xa5, 0xff}; /* 0xff: NaN, -1 */
    int apart = 0;
    for (int seed = 1; seed <= ukTestRounds(10); seed++) {
        uint64_t first = 0;
        for (int k = 0; k < 3; k++) {
            pattern = patterns[k];
            const uint64_t hash = stepWorld(run, (uint64_t)seed);
            if (k == 0) first = hash;
            if (!CHECK(hash == first) && apart++ < 3)
                printf("%s, integrator %d, seed %d: another motion with 0x%02x\n", name, (int)run->integrator, seed,
                       (unsigned)pattern);
        }
    }
}

int main(void)
{
    dInitODE2(0);
    for (int k = ukIntegratorEuler; k <= ukIntegratorRattle; k++) {
        Run run = {.integrator = (ukIntegrator)k, .friction = ukFrictionOde};
        run.kind = (RandomWorldKind){.types = randomEqualityTypes, .cfm_lo = 1e-10, .cfm_hi = 1e-3};
        poison(&run, "equalities");
        run.kind.loops = 1, run.kind.cfm_hi = 1e-10;
        poison(&run, "loops");
        run.kind.stops = run.kind.bounded_motors = 1, run.kind.cfm_hi = 1e-3;
        poison(&run, "bounds");
        run.kind.contacts = 4, run.kind.friction = 1;
        poison(&run, "contacts");
        run.friction = ukFrictionCone;
        poison(&run, "cones");
    }
    CHECK(filled > 1000000);
    dCloseODE();
    return ukTestEnd();
}
