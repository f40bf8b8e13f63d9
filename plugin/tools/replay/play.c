/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/replay/play.h"

#include <stdlib.h>
#include <string.h>

static void freeAnswers(ukPlay *play)
{
    *play->answered -= (size_t)play->capacity * play->numbers;
    free(play->number);
    play->number = NULL;
    play->answers = play->capacity = 0;
}

void ukPlayFree(ukPlay *play)
{
    freeAnswers(play);
    free(play);
}

void ukPlayBegin(ukPlay *play, ukAnswerKind kind, int rows, int count)
{
    freeAnswers(play);
    play->kind = kind;
    play->rows = rows;
    play->count = count;
    play->stale = true;
    play->numbers = 0;
    play->next = 0;
}

/* Restarts the answers at the first call or result in a step. */
static void playTurn(ukPlay *play)
{
    if (play->seen == *play->moment) return;
    play->seen = *play->moment;
    play->stale = true;
    play->next = 0;
}

/* numbers of an answer, of which the first says whether it failed */
static size_t numbersOf(const ukPlay *play)
{
    const size_t m = (size_t)play->rows, n = 6 * (size_t)play->count;
    switch (play->kind) {
    case ukAnswerConstraint: return 1 + m * n + 3 * m;
    case ukAnswerJointLaw: return 1 + 12;
    case ukAnswerSwitch: return 1 + 1;
    default: return 1 + n;
    }
}

bool ukPlayHear(ukPlay *play, ukByteReader *reader)
{
    playTurn(play);
    if (play->stale) play->answers = 0, play->stale = false;
    if (play->numbers != numbersOf(play)) { /* the first one, or of another kind */
        freeAnswers(play);
        play->numbers = numbersOf(play);
    }
    if (play->answers == play->capacity) {
        const int capacity = play->capacity ? 2 * play->capacity : 4;
        const size_t more = (size_t)(capacity - play->capacity) * play->numbers;
        if (more > ukMostAnswered - *play->answered) return false;
        double *grown = realloc(play->number, (size_t)capacity * play->numbers * sizeof *grown);
        if (!grown) return false;
        play->number = grown;
        play->capacity = capacity;
        *play->answered += more;
    }
    double *to = play->number + (size_t)play->answers * play->numbers;
    memset(to, 0, play->numbers * sizeof *to);
    size_t at = 1;
    to[0] = ukReadInt(reader, 1);
    for (int arrays = ukReadInt(reader, 4); arrays > 0 && !reader->bad; arrays--) {
        size_t count = (size_t)ukReadNumber(reader);
        if (count > play->numbers - at) reader->bad = true;
        for (; count > 0 && !reader->bad; at += count < 64 ? count : 64, count -= count < 64 ? count : 64)
            ukReadDoubles(reader, to + at, count < 64 ? (int)count : 64);
    }
    play->answers += !reader->bad;
    return !reader->bad;
}

/* the next answer, from its first number on; NULL: there never was one */
static const double *repeatAnswer(ukPlay *play, int which)
{
    if (play->stale || which >= play->answers) ++*play->guessed;
    if (play->answers == 0 || play->numbers != numbersOf(play)) return NULL;
    return play->number + (size_t)(which < play->answers ? which : play->answers - 1) * play->numbers;
}

static const double *nextAnswer(ukPlay *play)
{
    playTurn(play);
    return repeatAnswer(play, play->next++);
}

int ukPlayConstraint(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    ukPlay *play = data;
    const double *x = nextAnswer(play);
    const size_t m = (size_t)play->rows, n = 6 * (size_t)context->count;
    if (!x || context->count != play->count) return 0;
    memcpy(A, x + 1, m * n * sizeof *A);
    memcpy(b, x + 1 + m * n, m * sizeof *b);
    return x[0] != 0;
}

/* Returns the errors in the answer that the constraint function has given last. */
int ukPlayError(const struct ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    ukPlay *play = data;
    const uint64_t guessed = *play->guessed;
    playTurn(play);
    const double *x = repeatAnswer(play, play->next > 0 ? play->next - 1 : 0);
    const size_t m = (size_t)play->rows, n = 6 * (size_t)context->count;
    *play->guessed = guessed;
    if (!x || context->count != play->count) return 0;
    memcpy(phi, x + 1 + m * n + m, m * sizeof *phi);
    memcpy(psi, x + 1 + m * n + 2 * m, m * sizeof *psi);
    return 0;
}

int ukPlayForce(const struct ukConstraintContext *context, dReal *force, void *data)
{
    ukPlay *play = data;
    const double *x = nextAnswer(play);
    if (!x || context->count != play->count) return 0;
    memcpy(force, x + 1, 6 * (size_t)context->count * sizeof *force);
    return x[0] != 0;
}

int ukPlaySwitch(const struct ukConstraintContext *context, dReal *value, void *data)
{
    ukPlay *play = data;
    const double *x = nextAnswer(play);
    if (!x || context->count != play->count) return 0;
    *value = x[1];
    return x[0] != 0;
}

void ukPlayJointLaw(const struct ukNonIdealContext *context, dReal force[2][6], void *data)
{
    ukPlay *play = data;
    const double *x = nextAnswer(play);
    (void)context;
    if (x) memcpy(force, x + 1, 12 * sizeof(double));
}

void ukPlayConstraintLaw(const struct ukConstraintContext *context, const dReal *ideal, dReal *force, void *data)
{
    ukPlay *play = data;
    const double *x = nextAnswer(play);
    (void)ideal;
    if (x && context->count == play->count) memcpy(force, x + 1, 6 * (size_t)context->count * sizeof *force);
}
