/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/contradiction.h: an irreducible set of joints that no poses satisfy together, by deletion (Chinneck &
 * Dravnieks 1991): a joint is left out if the others still cannot be satisfied, one joint after the other.
 *
 * At a least-squares compromise B' r = 0: the rows with r != 0 contradict each other to first order, so these are tried
 * first. */
#ifndef UKODE_BRIDGE_ANALYZE_CONTRADICTION_H
#define UKODE_BRIDGE_ANALYZE_CONTRADICTION_H

#include "bridge/analyze/approach.h"

/* For an approach that stands at a compromise of all joints. in (parts): 1 for those of the set; error (parts): the
 * largest error of each at the compromise, in metres or radians. The poses are those of the compromise again. ukOk, a
 * status of the assembly, ukErrorMemory, ukErrorLapack. */
int ukContradictionFind(ukApproach *a, unsigned char *in, double *error);

#endif
