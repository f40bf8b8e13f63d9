/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/job.h: one run: a process and its descendants in a folder and a process group of their own, with
 * limits. Whatever they do costs this run and no other. */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_JOB_H
#define UKODE_PLUGIN_TOOLS_SWEEP_JOB_H

#include <sys/resource.h>
#include <sys/types.h>

#include "plugin/tools/sweep/study.h"

typedef enum JobEnd { JobOwn, JobTime, JobMemory, JobDisk, JobNotStarted } JobEnd;

typedef struct Job {
    pid_t pid; /* 0: there is none */
    long point;
    int repetition;
    char *value[MostVariables];        /* owned */
    char folder[1024];                 /* it runs in; what belongs to ukode is in the one with .ukode after it */
    double begun, asked, disk_checked; /* asked: to end, by the limit of time; disk_checked: when; 0: not yet */
    double over, seconds;              /* when it was over; its wall time */
    char started[32];
    JobEnd end;
    bool ended; /* it is over, and to be gathered: its status and usage */
    int status;
    struct rusage usage;
    size_t memory, base; /* [bytes] largest resident memory of its processes; that of the sweep at its start */
    char why[200];
} Job;

/* Starts it below the folder `base`; its point, repetition and values are set. Whatever hinders it is its end:
 * JobNotStarted, and pid is 0. */
void jobBegin(Job *job, const Study *study, const char *base);
/* Checks the limits; to be called from time to time. */
void jobWatch(Job *job, const Study *study);
/* Tests whether the run is over: sets `ended`, and whether it kept its limits; kills the rest of its process group. */
void jobPoll(Job *job, const Study *study);
void jobKill(Job *job);
/* Removes the job's folders and frees its values. */
void jobClear(Job *job);

/* A file of ukode's own: "config", "summary", "output", "error". */
void jobFile(const Job *job, const char *name, char *path, size_t size);
/* Appends the command line to the text, words with blanks in quotation marks. */
void jobWords(const Job *job, const Study *study, Text *text);

#endif
