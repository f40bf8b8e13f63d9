/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/ode/setter.h"

#include <string.h>

static const char *const name[ukSetters] = {
#define UKODE_SETTER_NAME(function, ...) [ukSetter_##function] = #function,
    UKODE_SETTERS(UKODE_SETTER_NAME)
#undef UKODE_SETTER_NAME
};

const char *ukSetterName(ukSetter setter)
{
    return name[setter] ? name[setter] : "";
}

ukSetter ukSetterOf(const char *text, size_t length)
{
    for (int i = 1; i < ukSetters; i++)
        if (strlen(name[i]) == length && memcmp(name[i], text, length) == 0) return (ukSetter)i;
    return ukSetterNone;
}
