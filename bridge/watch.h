/* bridge/watch.h: what a program does to joints, as the interposer sees it: noted in the records. */
#ifndef UKODE_BRIDGE_WATCH_H
#define UKODE_BRIDGE_WATCH_H

#include "bridge/joints/class.h"

/* A setter was called, and ODE's own has returned. Safe for unknown joints. */
void ukJointNoted(dJointID joint, const ukNote *note);

#endif
