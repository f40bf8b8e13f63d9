/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/view/view.h: the end of `ukode view` within a program: sends frames, and waits in a step where a viewer has
 * paused it. Frames are dropped rather than waited for: a viewer that does not read costs the program nothing. Without
 * UKODE_VIEW all calls do nothing. The process that steps first is viewed; a forked child is not. */
#ifndef UKODE_PLUGIN_VIEW_VIEW_H
#define UKODE_PLUGIN_VIEW_VIEW_H

#include "bridge/world/record.h"

/* Called at load with the path of the command's socket; NULL or "": there is no viewer. `paused`: pause before the
 * first step. */
void ukViewOpen(const char *path, bool paused);
/* Called before a step of any stepper: makes the changes that viewers have requested, and waits while the program is
 * paused or ahead of the chosen pace. */
void ukViewBefore(ukWorld *world);
/* Called after a step and its recording; `ours`: ukode has taken the step. */
void ukViewAfter(ukWorld *world, bool ours);
/* Called before the program saves or restores the world's state: removes all additions of viewers from the world. */
void ukViewLetGo(ukWorld *world);
/* The world is about to be destroyed; NULL: one without a record. */
void ukViewDestroyed(const ukWorld *world);

#endif
