/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/ledgers.h: what the tests of the ledger begin with. */
#ifndef UKODE_TESTS_LEDGERS_H
#define UKODE_TESTS_LEDGERS_H

#include <ode/ode.h>
#include <ukode/ukode.h>

static const double g = 9.81;

dWorldID ledgerWorld(void);                            /* gravity g along -z, CFM 0, a ledger */
void ledgerSteps(dWorldID world, int steps, double h); /* all of which succeed */

ukLedger ledgerOf(dWorldID world);
double ledgerTurnover(const ukLedger *l); /* all that moved, for scale [J] */
double ledgerCauses(const ukLedger *l);   /* their sum */

#endif
