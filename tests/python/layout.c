/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of the public structs as the compiler has it, for test_layout.py: struct, member, offset; size last. */
#include <stddef.h>
#include <stdio.h>

#include <ukode/analysis.h>

#define MEMBER(kind, member) printf("%s %s %zu\n", #kind, #member, offsetof(kind, member))
#define SIZE(kind) printf("%s sizeof %zu\n", #kind, sizeof(kind))

int main(void)
{
    MEMBER(ukReport, rank), MEMBER(ukReport, factorizations), MEMBER(ukReport, fallbacks);
    MEMBER(ukReport, gaussian), MEMBER(ukReport, compromise);
    MEMBER(ukReport, cfm_islands), MEMBER(ukReport, kinetic_energy), MEMBER(ukReport, ok);
    MEMBER(ukReport, rejected), MEMBER(ukReport, Gni);
    SIZE(ukReport);
    MEMBER(ukLedger, kinetic), MEMBER(ukLedger, contact_friction), MEMBER(ukLedger, residual);
    SIZE(ukLedger);
    MEMBER(ukJointDiagnosis, constraint), MEMBER(ukJointDiagnosis, unique_component);
    SIZE(ukJointDiagnosis);
    MEMBER(ukDiagnosis, largest), MEMBER(ukDiagnosis, joints), MEMBER(ukDiagnosis, conflict_size);
    SIZE(ukDiagnosis);
    MEMBER(ukMobility, basis), MEMBER(ukMobility, words), MEMBER(ukMobility, bodies);
    SIZE(ukMobility);
    MEMBER(ukAuditFinding, component), MEMBER(ukAuditFinding, wrong);
    SIZE(ukAuditFinding);
    MEMBER(ukAudit, A_phi), MEMBER(ukAudit, b);
    SIZE(ukAudit);
    MEMBER(ukEquations, lambda), MEMBER(ukEquations, bodies), MEMBER(ukEquations, hi);
    SIZE(ukEquations);
    MEMBER(ukBodyState, mass), MEMBER(ukBodyState, inertia);
    SIZE(ukBodyState);
    MEMBER(ukConstraintContext, bodies);
    MEMBER(ukNonIdealContext, body), MEMBER(ukNonIdealContext, is_translation), MEMBER(ukNonIdealContext, motor);
    MEMBER(ukRecordOptions, certificates);
    SIZE(ukRecordOptions);
    MEMBER(ukSignal, joint), MEMBER(ukSignal, body), MEMBER(ukSignal, axis);
    SIZE(ukSignal);
    MEMBER(ukLinearization, discrete), MEMBER(ukLinearization, D), MEMBER(ukLinearization, Nv);
    MEMBER(ukLinearization, body), MEMBER(ukLinearization, moved), MEMBER(ukLinearization, activity);
    SIZE(ukLinearization);
    MEMBER(ukRegulator, discrete), MEMBER(ukRegulator, K), MEMBER(ukRegulator, body), MEMBER(ukRegulator, unbalanced);
    SIZE(ukRegulator);
    MEMBER(ukLinearOperatorInfo, redundant), MEMBER(ukLinearOperatorInfo, f), MEMBER(ukLinearOperatorInfo, body);
    MEMBER(ukLinearOperatorInfo, moved), MEMBER(ukLinearOperatorInfo, activity), SIZE(ukLinearOperatorInfo);
    MEMBER(ukMode, damping), MEMBER(ukMode, unstable), MEMBER(ukMode, shape_imag);
    SIZE(ukMode);
    MEMBER(ukTarget, position), MEMBER(ukTarget, orientation_weight);
    SIZE(ukTarget);
    MEMBER(ukContradiction, error);
    MEMBER(ukAssembly, target_error), MEMBER(ukAssembly, bodies), MEMBER(ukAssembly, contradiction);
    SIZE(ukAssembly);
    MEMBER(ukCarried, force), MEMBER(ukCarried, unique);
    SIZE(ukCarried);
    MEMBER(ukEquilibrium, softest), MEMBER(ukEquilibrium, unbalanced), MEMBER(ukEquilibrium, carried);
    SIZE(ukEquilibrium);
    MEMBER(ukInverse, inconsistent), MEMBER(ukInverse, worst), MEMBER(ukInverse, carried);
    SIZE(ukInverse);
    return 0;
}
