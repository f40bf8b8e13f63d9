/* SPDX-License-Identifier: BSD-3-Clause */
/* How long ago a joint was last set is a whole number of steps in a saved state: other numbers in its place are
 * refused, with the checksum set right, and the world stays as it was. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "plugin/formats/snapshot/digest.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

enum { Words = 4096, Header = 5, Age = 7 };

static size_t save(dWorldID w, uint64_t *words)
{
    const size_t size = ukWorldSave(w, NULL, 0);
    CHECK(size > 0 && size <= Words * sizeof *words && ukWorldSave(w, words, size) == size);
    return size / sizeof *words;
}

/* as plugin/formats/snapshot/keep.c has it */
static void repair(uint64_t *words, size_t count)
{
    ukDigest digest = ukDigestBegin();
    for (size_t i = 0; i < count; i++)
        if (i != 3 && i != 4) ukDigestWord(&digest, (int)(i & 3), words[i]);
    ukDigestEnd(&digest, (unsigned char *)(words + 3));
}

int main(void)
{
    static uint64_t good[Words], again[Words], bad[Words];
    dInitODE2(0);
    const dWorldID w = newWorld(9.81);
    const dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, ball(w, 1, 0, 0, 0), 0);
    dJointSetHingeParam(j, dParamCFM, 0.001);
    for (int i = 0; i < Age; i++) CHECK(ukWorldStep(w, 0.01) == 1);
    const size_t count = save(w, good);
    dJointSetHingeParam(j, dParamCFM, 0.001); /* nothing else changes */
    CHECK(save(w, again) == count);
    size_t at = 0;
    int places = 0;
    for (size_t i = Header; i < count; i++) {
        double was, is;
        memcpy(&was, good + i, sizeof was);
        memcpy(&is, again + i, sizeof is);
        if (was == Age && is == 0) at = i, places++;
    }
    if (!CHECK(places == 1)) return ukTestEnd();
    static const double ages[] = {0, 3, 1000, 2.5, 1e-9, 999.999, -1, 1001, INFINITY, NAN};
    for (size_t k = 0; k < sizeof ages / sizeof *ages; k++) {
        memcpy(bad, again, sizeof bad);
        memcpy(bad + at, &ages[k], sizeof *ages);
        repair(bad, count);
        const int status = ukWorldRestore(w, bad, count * sizeof *bad);
        if (!CHECK(status == (k < 3 ? 0 : k < 8 ? ukErrorArgument : ukErrorNotFinite)))
            printf("age %g: status %d\n", ages[k], status);
        CHECK(save(w, good) == count && memcmp(good, k < 3 ? bad : again, count * sizeof *good) == 0);
        CHECK(ukWorldRestore(w, again, count * sizeof *again) == 0);
    }
    dWorldDestroy(w);
    dCloseODE();
    return ukTestEnd();
}
