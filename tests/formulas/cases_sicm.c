/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/formulas/cases.h"
const Case cases_sicm[] = {{.name = NULL}};
