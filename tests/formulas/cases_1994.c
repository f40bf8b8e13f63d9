/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/formulas/cases.h"
const Case cases_1994[] = {{.name = NULL}};
