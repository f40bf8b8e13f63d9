/* SPDX-License-Identifier: BSD-3-Clause */
/* An ODE that is opened with dlopen and called through dlsym, as ctypes, cffi, JNA and P/Invoke do. ODE's internal
 * calls are still bound by the dynamic linker. Usage: byhand LIBODE */
#include <dlfcn.h>
#include <stdio.h>

#define FUNCTION(type, name, ...)                                                                                      \
    type (*name)(__VA_ARGS__);                                                                                         \
    *(void **)&name = dlsym(ode, #name)

int main(int argc, char **argv)
{
    void *const ode = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!ode) return fprintf(stderr, "%s\n", dlerror()), 1;
    FUNCTION(int, dInitODE2, unsigned);
    FUNCTION(void, dCloseODE, void);
    FUNCTION(void *, dWorldCreate, void);
    FUNCTION(void, dWorldDestroy, void *);
    FUNCTION(void *, dBodyCreate, void *);
    FUNCTION(int, dWorldStep, void *, double);
    FUNCTION(void, dWorldSetGravity, void *, double, double, double);
    FUNCTION(const double *, dBodyGetPosition, void *);
    dInitODE2(0);
    void *const world = dWorldCreate(), *body[20];
    for (int i = 0; i < 20; i++) body[i] = dBodyCreate(world);
    dWorldSetGravity(world, 0, 0, -1);
    for (int i = 0; i < 10; i++) dWorldStep(world, 0.01);
    for (int i = 0; i < 20; i++) printf("body %d %.12g\n", i, dBodyGetPosition(body[i])[2]);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
