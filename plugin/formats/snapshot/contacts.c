/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/contacts.h"

#include <string.h>

#include "solvers/base/status.h"

enum { EntryWords = 2 + 2 + 3 + 1 };

static void transferEntry(ukTape *t, ukRemembered *e)
{
    ukTapeReals(t, e->position, 3);
    ukTapeBool(t, &e->ideal);
    for (int kind = 0; kind < (e->ideal ? ukGuesses : ukGuessIdeal); kind++) {
        ukTapeReals(t, &e->wrench[kind].normal, 1);
        ukTapeReals(t, e->wrench[kind].force, 3);
        ukTapeReals(t, e->wrench[kind].torque, 3);
    }
}

static void writeEntry(ukTape *t, const ukRemembered *e, const ukNames *names)
{
    ukRemembered copy = *e;
    ukName a, b;
    ukNamesFind(names, e->first, &a);
    ukNamesFind(names, e->second, &b);
    const bool turned = a.word[0] > b.word[0] || (a.word[0] == b.word[0] && a.word[1] > b.word[1]);
    if (turned) ukContactMemoryTurn(&copy); /* whatever their addresses */
    for (int k = 0; k < 2; k++) ukTapeWord(t, (turned ? &b : &a)->word[k]);
    for (int k = 0; k < 2; k++) ukTapeWord(t, (turned ? &a : &b)->word[k]);
    transferEntry(t, &copy);
}

static void readEntry(ukTape *t, ukContactMemory *memory, const ukNames *names)
{
    uint64_t first[2], second[2];
    ukRemembered e;
    memset(&e, 0, sizeof e);
    for (int k = 0; k < 2; k++) first[k] = ukTapeWord(t, 0);
    for (int k = 0; k < 2; k++) second[k] = ukTapeWord(t, 0);
    transferEntry(t, &e);
    const bool known = ukNamesCalled(names, first, &e.first) && ukNamesCalled(names, second, &e.second);
    if (t->mode != ukTapeCheck || t->status != ukOk || !known) return;
    ukContactMemoryCopy(memory, &e);
}

/* The next entry from `from` on both of whose geoms have names; -1: there are no more. */
static int nextNamed(const ukContactMemory *memory, int steps_ago, const ukNames *names, int from)
{
    const int count = ukContactMemoryCount(memory, steps_ago);
    for (int i = from; i < count; i++) {
        const ukRemembered *e = ukContactMemoryEntry(memory, steps_ago, i);
        ukName name;
        if (ukNamesFind(names, e->first, &name) && ukNamesFind(names, e->second, &name)) return i;
    }
    return -1;
}

void ukKeepContacts(ukTape *t, ukContactMemory *memory, const ukNames *names)
{
    for (int ago = ukContactSteps - 1; ago >= 0; ago--) {
        size_t count = 0;
        for (int i = 0; !ukTapeReads(t) && (i = nextNamed(memory, ago, names, i)) >= 0; i++) count++;
        count = ukTapeCount(t, count, EntryWords, "contacts");
        if (t->mode == ukTapeCheck && t->status == ukOk && !ukContactMemoryRenew(memory, (int)count) && count > 0)
            ukTapeRefuse(t, ukErrorMemory, "no memory");
        for (size_t i = 0; i < count && ukTapeReads(t); i++) readEntry(t, memory, names);
        for (int i = 0; !ukTapeReads(t) && (i = nextNamed(memory, ago, names, i)) >= 0; i++) {
            const ukRemembered *e = ukContactMemoryEntry(memory, ago, i);
            writeEntry(t, e, names);
        }
    }
}
