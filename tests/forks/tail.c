/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin with its own ODE that destroys geoms by a jump (a tail call), so that the call has the return address of its
 * caller; its dGeomDestroy prints NAME. With -DHOST the program that opens plugins: tail PLUGIN... */
#ifdef HOST
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *plugin[4], *geom[4];
    for (int i = 1; i < argc && i < 5; i++) {
        plugin[i - 1] = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        if (!plugin[i - 1]) return fprintf(stderr, "%s\n", dlerror()), 1;
        void *(*make)(void);
        *(void **)&make = dlsym(plugin[i - 1], "make");
        geom[i - 1] = make();
    }
    for (int i = 1; i < argc && i < 5; i++) {
        void (*destroy)(void *);
        *(void **)&destroy = dlsym(plugin[i - 1], "destroy");
        destroy(geom[i - 1]);
    }
    return 0;
}
#else
#include <ode/ode.h>
#include <stdio.h>

dGeomID make(void);
void destroy(dGeomID geom);
void realGeomDestroy(dGeomID geom); /* ODE's, renamed */

dGeomID make(void)
{
    dInitODE2(0);
    dWorldStep(dWorldCreate(), 0.01);
    return dCreateSphere(0, 1);
}

void destroy(dGeomID geom)
{
    dGeomDestroy(geom);
}

void dGeomDestroy(dGeomID geom)
{
    puts(NAME);
    realGeomDestroy(geom);
}
#endif
