/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/report.h: `ukode report`: prints the findings of a recording, and writes its page. */
#ifndef UKODE_PLUGIN_TOOLS_COMMAND_REPORT_H
#define UKODE_PLUGIN_TOOLS_COMMAND_REPORT_H

/* Writes the page of a recording, with another run of the same program as its ghost, and `parting`, where the two
 * diverge in words. Returns the exit status, after a message if it is not 0. */
int reportPage(const char *recording, const char *ghost, const char *page, const char *parting);

#endif
