/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/base/team.h: threads that the caller of a solver lends it. A solver divides its work into tasks by the
 * structure of the problem alone, so that results do not depend on how many threads there are. */
#ifndef UKODE_SOLVERS_BASE_TEAM_H
#define UKODE_SOLVERS_BASE_TEAM_H

/* task k of `context`; tasks that run at the same time write to different memory */
typedef void ukTeamTask(void *context, int k);

typedef struct ukTeam {
    int threads; /* at most, with the calling one */
    /* calls task(context, k) for k of 0 ... tasks - 1, in any order, on any of the threads; returns when all are
     * done */
    void (*run)(int threads, int tasks, ukTeamTask *task, void *context);
} ukTeam;

/* Runs all tasks; by the calling thread alone, in their order, if there is no team (NULL). */
static inline void ukTeamRun(const ukTeam *team, int tasks, ukTeamTask *task, void *context)
{
    if (team && team->threads > 1 && tasks > 1)
        team->run(team->threads, tasks, task, context);
    else
        for (int k = 0; k < tasks; k++) task(context, k);
}

#endif
