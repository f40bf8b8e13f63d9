/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/test_formulas.c: runs the cases that are named, all without a name; --list names them. */
#include "tests/formulas/cases.h"

#include <string.h>

static void run(const Case *c)
{
    static System y;
    if (c->once) c->once();
    for (int trial = 0; trial < 30 && c->on; trial++) {
        makeSystem(trial, c->independent, &y);
        c->on(&y);
    }
}

int main(int argc, char **argv)
{
    const Case *const all[] = {cases_1994, cases_1997, cases_1997_sphere, cases_2000,
                               cases_2004, cases_2006, cases_sicm,        cases_library};
    const bool list = argc > 1 && strcmp(argv[1], "--list") == 0;
    int ran = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (const Case *c = all[k]; c->name; c++) {
            if (list) printf("%s\n", c->name);
            for (int i = 1; i < argc + (argc == 1) && !list; i++)
                if (argc == 1 || strcmp(argv[i], c->name) == 0) {
                    const int before = ukTestFailed;
                    run(c);
                    ran++;
                    if (ukTestFailed > before) printf("case %s failed\n", c->name);
                }
        }
    if (list) return 0;
    CHECK(ran > 0);
    return ukTestEnd();
}
