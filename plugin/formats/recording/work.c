/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/work.h"

#include "bridge/results/ledger.h"

/* the sums of `ledger`, counted from `base` (NULL: zero), as rows of the last step */
static void putCauses(const ukRecordedWorld *t, const ukLedger *ledger)
{
    const struct {
        const char *name;
        double work;
    } cause[] = {{"applied", ledger->applied},
                 {"ideal", ledger->ideal},
                 {"nonideal", ledger->nonideal},
                 {"motors", ledger->motors},
                 {"stops", ledger->stops},
                 {"contact_normal", ledger->contact_normal},
                 {"contact_friction", ledger->contact_friction},
                 {"gyroscopic", ledger->gyroscopic},
                 {"damping", ledger->damping},
                 {"stabilization", ledger->stabilization},
                 {"sleeping", ledger->sleeping},
                 {"outside", ledger->outside},
                 {"integration", ledger->integration},
                 {"residual", ledger->residual}};
    for (size_t k = 0; k < sizeof cause / sizeof *cause; k++)
        ukQueuePut(t->recording->queue, ukInsertLedgerStep, (long long)t->step, cause[k].name, cause[k].work);
}

void ukWorkTake(ukRecordedWorld *t, ukWorld *world, bool rows, bool ours)
{
    if (world->book) world->lent = NULL; /* the program keeps its own */
    if (rows && (world->book || (world->lent && ours))) {
        ukLedger now;
        (ours ? ukLedgerLast : ukLedgerRead)(world, &now);
        putCauses(t, &now);
    }
    if (!world->book && !world->lent) ukLedgerLend(world, t->book);
}
