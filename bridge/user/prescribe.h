/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/user/prescribe.h: the force C that a law prescribes (Udwadia 2000) for given ideal forces. */
#ifndef UKODE_BRIDGE_USER_PRESCRIBE_H
#define UKODE_BRIDGE_USER_PRESCRIBE_H

#include "bridge/user/joint_law.h"

/* Radius of every slide, for law->load (constraint: law->ideal, body by body), and law->C = drag and the user's law for
 * law->ideal. ukOk, ukErrorCallback (NaN, with a message), ukErrorChanged. */
int ukLawPrescribe(ukLaw *law, const ukState *const *state, double time, double h);

#endif
