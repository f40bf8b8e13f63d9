/* SPDX-License-Identifier: BSD-3-Clause */
/* A program without ODE that opens plugins with it (scene.c), and runs one after the other.
 * Usage: host local|deep|space|reload PLUGIN...: opened with RTLD_LOCAL, RTLD_DEEPBIND, in a namespace of its own, or
 * each closed before the next one is opened. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *const how = argv[1];
    for (int i = 2; i < argc; i++) {
        const int flags = RTLD_NOW | RTLD_LOCAL | (strcmp(how, "deep") == 0 ? RTLD_DEEPBIND : 0);
        void *const plugin = strcmp(how, "space") == 0 ? dlmopen(LM_ID_NEWLM, argv[i], flags) : dlopen(argv[i], flags);
        if (!plugin) return fprintf(stderr, "%s\n", dlerror()), 1;
        int (*run)(int);
        *(void **)&run = dlsym(plugin, "run");
        if (!run || run(100) != 0) return 1;
        fflush(stdout);
        if (strcmp(how, "reload") == 0) dlclose(plugin);
    }
    return 0;
}
