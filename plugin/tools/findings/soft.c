/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/soft.c: which joints are springs by their CFM, and whether a recording includes the start of
 * its run. */
#include "plugin/tools/findings/findings.h"

bool findingsHave(const Findings *findings, const char *table)
{
    return queryOne(findings->reader, "SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND name = '%s'",
                    table) > 0;
}

bool findingsHaveColumn(const Findings *findings, const char *table, const char *column)
{
    return queryOne(findings->reader, "SELECT count(*) FROM pragma_table_info('%s', 'main') WHERE name = '%s'", table,
                    column) > 0;
}

bool findingsSprings(const Findings *findings, int64_t world)
{
    return queryOne(findings->reader,
                    "SELECT (SELECT count(*) FROM joint_parameter p JOIN joint j ON j.joint = p.joint WHERE j.world = "
                    "%lld AND p.name IN ('cfm', 'stop_cfm', 'suspension_cfm') AND p.value > 1e-5) + (SELECT count(*) "
                    "FROM joint WHERE joint IN (" FINDINGS_SOFT "))",
                    (long long)world, (long long)world) > 0;
}
