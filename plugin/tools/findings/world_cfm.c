/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/world_cfm.c: finding: joints that the world's CFM opens. A row yields by CFM times its force
 * per step, and ERP closes a part of the error: at rest, a force f opens it by CFM f h/ERP, as a spring of ERP/(h CFM)
 * does. */
#include <math.h>

#include "plugin/tools/findings/findings.h"

static const double open_share = 0.05; /* of the smaller body's size */
static const double explained = 0.5;   /* of the gap, by CFM and force */

/* edge of the cube with a body's mean moment of inertia, and weight of both bodies; of two %lld, the joint */
static const char bodies[] =
    "SELECT min(sqrt(2 * (inertia_xx + inertia_yy + inertia_zz) / mass)), sum(mass) * sqrt(max(w.gravity_x * "
    "w.gravity_x + w.gravity_y * w.gravity_y + w.gravity_z * w.gravity_z)) FROM body b JOIN world w ON w.world = "
    "b.world WHERE b.kinematic = 0 AND mass > 0 AND body IN (SELECT body_1 FROM joint WHERE joint = %lld UNION SELECT "
    "body_2 FROM joint WHERE joint = %lld)";

/* world's CFM, ERP of the joint, step size, and force in a step; NULL: not recorded */
static const char row[] =
    "SELECT w.cfm, coalesce(e.value, w.erp), s.h, sqrt(r.force_ideal_x * r.force_ideal_x + r.force_ideal_y * "
    "r.force_ideal_y + r.force_ideal_z * r.force_ideal_z) FROM joint j JOIN world w ON w.world = j.world JOIN step s "
    "ON s.step = %lld LEFT JOIN joint_step r ON r.joint = j.joint AND r.step = s.step LEFT JOIN joint_parameter e ON "
    "e.joint = j.joint AND e.axis = 1 AND e.name = 'erp' AND j.type IN ('ball', 'fixed') WHERE j.joint = %lld";

static void addWorldCfm(Findings *findings, int64_t world, const Gap *g, double cfm, double size, double force)
{
    Finding *const f = findingAdd(findings, FindingWarning, "world_cfm");
    f->depth = 2, f->world = world, f->step = g->step, f->joint = g->joint;
    f->value = g->most, f->unit = "m", f->excess = g->most / (open_share * size);
    findingWhat(f, "the world's CFM of %.3g opens %s by %.3g m", cfm, findingJoint(findings->reader, g->joint),
                g->most);
    findingCause(f,
                 "CFM makes every row of the world a spring, which a force of %.3g N opens by CFM x force x h/ERP. "
                 "Joints that are rigid in the model are soft.",
                 force);
    findingRemedy(f, "dWorldSetCFM(world, 1e-9), or at most 1e-5. Where a spring is meant, set the CFM of that joint "
                     "(dParamCFM, dParamStopCFM, dParamSuspensionCFM).");
}

void findingsOfWorldCfm(Findings *findings, int64_t world)
{
    const Gap g = findingsGap(findings, world, 48, GapsOfWorldCfm);
    double size = NAN, weight = 0, cfm = 0, force = NAN, yields = 0;
    if (!g.joint) return;
    Query q = queryBegin(findings->reader, bodies, (long long)g.joint, (long long)g.joint);
    if (queryNext(&q)) size = queryNumber(&q, 0), weight = queryNumber(&q, 1);
    queryEnd(&q);
    if (!(g.most > open_share * size)) return;
    q = queryBegin(findings->reader, row, (long long)g.step, (long long)g.joint);
    if (queryNext(&q)) {
        cfm = queryNumber(&q, 0), force = queryNumber(&q, 3);
        if (!isfinite(force)) force = 2 * weight; /* ODE's own steps: as under a load that acts suddenly */
        yields = cfm * force * queryNumber(&q, 2) / fmax(queryNumber(&q, 1), 0.01);
    }
    queryEnd(&q);
    if (yields > explained * g.most) addWorldCfm(findings, world, &g, cfm, size, force);
}
