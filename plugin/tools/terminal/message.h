/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/message.h: messages of a command on standard error, one line each. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_MESSAGE_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_MESSAGE_H

/* Prints "ukode: ", the text and a line break. */
void messagePrint(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, with the value of the whole expression: an exit status, or false. */
#define messageFail(status, ...) (messagePrint(__VA_ARGS__), (status))

#endif
