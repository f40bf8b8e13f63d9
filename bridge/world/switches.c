/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/switches.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Times closer than this are equal: the rounding of a sum of step sizes, and a part of the step [s]. */
static double roundingOf(double time, double h)
{
    return 8 * DBL_EPSILON * fabs(time) + 1e-12 * h;
}

bool ukSwitchesAdd(ukSwitches *switches, double time)
{
    int k = 0;
    while (k < switches->count && switches->at[k] < time) k++;
    if (k < switches->count && switches->at[k] == time) return true;
    if (switches->count == ukMostSwitches) return false;
    memmove(switches->at + k + 1, switches->at + k, (size_t)(switches->count - k) * sizeof *switches->at);
    switches->at[k] = time;
    switches->count++;
    return true;
}

void ukSwitchesPrune(ukSwitches *switches, double time)
{
    int gone = 0;
    while (gone < switches->count && switches->at[gone] < time) gone++;
    if (gone == 0) return;
    switches->count -= gone;
    memmove(switches->at, switches->at + gone, (size_t)switches->count * sizeof *switches->at);
}

ukSwitchWindow ukSwitchesWindow(const ukSwitches *switches, double time, double h)
{
    const double here = time + roundingOf(time, h);
    ukSwitchWindow window = {-INFINITY, INFINITY};
    for (int k = 0; k < switches->count && window.until == INFINITY; k++)
        *(switches->at[k] <= here ? &window.from : &window.until) = switches->at[k];
    return window;
}

double ukSwitchesPart(const ukSwitchWindow *window, double time, double h)
{
    const double part = window->until - time;
    return part < h - roundingOf(time + h, h) ? part : h;
}

double ukSwitchesTime(const ukSwitchWindow *window, double time)
{
    if (time < window->from) return window->from;
    return time < window->until ? time : nextafter(window->until, -INFINITY);
}
