/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/preload.h: whether the program was started with this library in LD_PRELOAD. */
#ifndef UKODE_PLUGIN_PRELOAD_H
#define UKODE_PLUGIN_PRELOAD_H

/* Sets ukRegistryEnableByDefault, once. Done at load; but a preloaded library's constructors run after those of the
 * program's other libraries, and one of them may already make worlds. */
void ukPreloadDetect(void);

#endif
