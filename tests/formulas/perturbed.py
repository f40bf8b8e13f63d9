#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether every row of docs/formulas.md is asserted: its case passes, and fails when an output of its function that the
row names is wrong by 0.1 %, in every number or in the largest one alone (tests/formulas/perturb.c). Also whether the
table is complete: every equation of every paper, every function of the header, every case.
Usage: perturbed.py SOURCE_DIRECTORY BUILD_DIRECTORY
"""
import os
import pathlib
import re
import subprocess
import sys

source, build = map(pathlib.Path, sys.argv[1:3])
test = build / "tests/formulas/test_formulas"
# the numbered equations of each paper
NUMBERED = {
    "1994": [str(i) for i in range(1, 19)] + ["19a", "19b"] + [str(i) for i in range(20, 43)],
    "1997": [str(i) for i in range(1, 13)] + ["13a", "13b"] + [str(i) for i in range(14, 20)] + ["20a", "20b"]
            + [str(i) for i in range(21, 39)] + [f"A{i}" for i in range(1, 6)],
    "2000": [str(i) for i in range(1, 40)],
    "2004": [str(i) for i in range(1, 13)] + ["13a", "13b", "13c", "13d"] + [str(i) for i in range(14, 21)],
}
faults = []


def fault(text):
    faults.append(text)
    print("perturbed:", text)


def passes(case, perturbation=None):
    env = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    env.pop("UKODE_PERTURB", None)
    if perturbation:
        env["UKODE_PERTURB"] = perturbation
    return subprocess.run([test, case], env=env, capture_output=True).returncode == 0


def rows():
    """(paper, equations, function, outputs, case) of each row of the page"""
    for line in (source / "docs/formulas.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").replace("\\|", "").split("|")]
        found = re.fullmatch(r"`(ukFormula\w+)` ([\w, ]+)", cells[2]) if len(cells) == 4 else None
        if found:
            case = cells[3].strip("`")
            yield case.split("/")[0], re.findall(r"\[(\w+)\]", cells[0]), found[1], found[2].split(", "), case
        elif line.startswith("|") and "ukFormula" in line:
            fault(f"not a row: {line}")


table = list(rows())
cases = set(subprocess.run([test, "--list"], capture_output=True, text=True, check=True).stdout.split())
functions = set(re.findall(r"^UKODE_API int\s+(ukFormula\w+)\(", (source / "solvers/formulas/formulas.h").read_text(), re.M))
wrappers = (source / "tests/formulas/perturb.c").read_text().split("WRAP(")
outputs_of = {part.split(",")[0]: re.findall(r"OUT\((\w+),", part) for part in wrappers if part.startswith("ukFormula")}
for case in sorted(cases - {row[4] for row in table} - {case for case in cases if case.startswith("library/")}):
    fault(f"no row has the case {case}")
for function in sorted(functions - set(outputs_of)):
    fault(f"no wrapper of {function}")
for function in sorted(functions):
    for output in outputs_of.get(function, []):
        if not any(row[2] == function and output in row[3] for row in table):
            fault(f"no row has {function} {output}")
for paper, numbers in NUMBERED.items():
    stated = {number for row in table if row[0] == paper for number in row[1]}
    for number in numbers:
        if number not in stated:
            fault(f"no row has {paper} [{number}]")
    for number in stated - set(numbers):
        fault(f"{paper} has no [{number}]")

perturbations = 0
for case in sorted({row[4] for row in table}):
    if case not in cases:
        fault(f"no case {case}")
    elif not passes(case):
        fault(f"{case} fails as it is")
for paper, equations, function, outputs, case in table:
    for output in outputs:
        if output not in outputs_of.get(function, []):
            fault(f"{case}: {function} has no output {output}")
            continue
        for how in ("all", "largest"):
            perturbations += 1
            if passes(case, f"{function}:{output}:{how}"):
                fault(f"{case} does not notice {function} {output} wrong by 0.1 % ({how})")
print(f"perturbed: {len(table)} rows, {len(cases)} cases, {perturbations} perturbations, {len(faults)} faults")
sys.exit(1 if faults or perturbations < 2 * len(table) or not table else 0)
