/* plugin/cli/cli.h: the commands of `ukode`, one file each. Arguments are those after the command's name; each returns
 * the exit status. */
#ifndef UKODE_PLUGIN_CLI_CLI_H
#define UKODE_PLUGIN_CLI_CLI_H

int cliRun(int argc, char **argv);
int cliCompare(int argc, char **argv);
int cliInfo(int argc, char **argv);
int cliDiagnose(int argc, char **argv); /* info with a program */

#endif
