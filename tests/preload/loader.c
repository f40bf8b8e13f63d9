/* SPDX-License-Identifier: BSD-3-Clause */
/* A program without ODE that loads a module with it privately (RTLD_LOCAL), as Python does with pyode. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int round = 0; argc > 1 && round < 2; round++) {
        void *module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        void *symbol = module ? dlsym(module, "moduleRun") : NULL;
        void (*run)(void) = NULL;
        memcpy(&run, &symbol, sizeof run);
        if (!run) {
            fprintf(stderr, "loader: %s\n", dlerror());
            return 1;
        }
        run();
        dlclose(module);
    }
    return 0;
}
