/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/wrap.h: the symbols of interposed functions. In libukode.so they have the names of the functions, so that the
 * dynamic linker finds them first. In libukode-embedded.a (UKODE_EMBEDDED) that of X is __wrap_X, which the linker's
 * --wrap puts in the place of X. Included after the headers that declare the functions, before their definitions. */
#ifndef UKODE_PLUGIN_WRAP_H
#define UKODE_PLUGIN_WRAP_H

#ifdef UKODE_EMBEDDED
#define UKODE_SYMBOL(name) "__wrap_" name
#define UKODE_WRAP(function) extern __typeof__(function) function __asm__(UKODE_SYMBOL(#function));
#else
#define UKODE_SYMBOL(name) name
#define UKODE_WRAP(function)
#endif
#define UKODE_WRAP_LISTED(function, ...) UKODE_WRAP(function) /* for the lists of bridge/ode/ode.h */

#endif
