/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/reference/table.h: rows of docs/accuracy.md, which the test programs print when called with `table`. */
#ifndef UKODE_TESTS_TABLE_H
#define UKODE_TESTS_TABLE_H

/* ukode's RK4, its adaptive integrator at a tolerance of 1e-10, RATTLE and Euler steps, dWorldStep, dWorldQuickStep
 * with 20 iterations; the same step size for all, but ten times that for the adaptive one where the references allow
 * it */
typedef enum Way { ByRK4, ByAdaptive, ByRattle, ByEuler, ByStep, ByQuickStep, Ways } Way;

/* What stands for an error that there is none of. */
#define TABLE_NONE (-1)   /* the stepper does not know the problem's constraints */
#define TABLE_ABORTS (-2) /* the process ended */

/* One quantity of a problem, whose name is printed in its first row alone, as the times are. An error that is not
 * finite diverged. tolerance 0: none. microseconds [us a step]: TABLE_NONE: none */
void tableRow(const char *problem, const char *what, double tolerance, double h, const double error[Ways],
              const double microseconds[Ways]);

/* processor time of this process [s] */
double tableSeconds(void);

#endif
