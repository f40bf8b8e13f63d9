/* SPDX-License-Identifier: BSD-3-Clause */
/* What two states of a trace differ by: q and -q are one orientation; a NaN is never overlooked. */
#include "plugin/cli/difference.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

typedef struct Record {
    ukTraceHeader header;
    ukTraceBody body;
    ukTraceReaction reaction;
} Record;

static const double none[4] = {1, 0, 0, 0};

static Record record(const double q[4])
{
    Record r;
    memset(&r, 0, sizeof r);
    r.header.bodies = r.header.reactions = 1;
    memcpy(r.body.q, q, sizeof r.body.q);
    return r;
}

static double orientation(const double p[4], const double q[4])
{
    const Record x = record(p), y = record(q);
    const Difference d = differenceOf(&x.header, &y.header);
    CHECK(d.alike && d.position == 0 && d.velocity == 0);
    return d.orientation;
}

static void angles(void)
{
    const double half = 0.35, turned[4] = {cos(half), 0, sin(half), 0}, back[4] = {-cos(half), 0, -sin(half), 0};
    const double opposite[4] = {-1, 0, 0, 0}, about[4] = {0, 0, 0, 1}, nan[4] = {1, 0, NAN, 0};
    CHECK(orientation(none, none) == 0);
    CHECK(orientation(none, opposite) == 0);
    CHECK(orientation(turned, back) == 0);
    CHECK_NEAR(orientation(none, turned), 2 * half, 1e-15);
    CHECK_NEAR(orientation(none, back), 2 * half, 1e-15);
    CHECK_NEAR(orientation(none, about), acos(-1.0), 1e-7); /* as far as it goes */
    CHECK(isnan(orientation(none, nan)));
}

static void others(void)
{
    Record x = record(none), y = record(none);
    y.body.x[1] = 3, y.body.x[2] = -4;
    y.body.v[5] = -2;
    y.header.kinetic = 7, x.header.potential = 2;
    x.reaction.f1[0] = 10, y.reaction.f1[0] = 13;
    Difference d = differenceOf(&x.header, &y.header);
    CHECK(d.alike && d.position == 5 && d.velocity == 2 && d.energy == 5 && d.reaction == 3 && d.load == 13);
    y.reaction.type = 1;
    CHECK(!differenceOf(&x.header, &y.header).alike);
    y.body.v[0] = NAN;
    CHECK(isnan(differenceOf(&x.header, &y.header).velocity));
}

int main(void)
{
    angles();
    others();
    return ukTestEnd();
}
