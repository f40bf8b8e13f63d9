#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""tests/bench/gate/instructions.py: compares the instructions that steps of scenes execute in ukode's own code with stored counts.

Usage: instructions.py GATE COMPILER [--store]
GATE is the program that takes the steps (gate --steps), COMPILER the compiler and major version that built it, such as
gcc-12. Exit status 1 where a case takes more than 3 % more than stored, or a step fails; 77, skipped with the reason,
without valgrind or where no counts are stored for the compiler or the processor has no AVX2. --store stores the present counts.

valgrind's callgrind counts the instructions inside ukDriveStep that belong to GATE, so that neither the collision detection,
nor ODE, LAPACK or the C library contribute, and neither speed nor load of the machine matter. A line of instructions.txt is
CASE ITERATIONS STEPS and, for each compiler, NAME=INSTRUCTIONS; # begins a comment. gate.c explains CASE and ITERATIONS.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "instructions.txt")
ALLOWED = 1.03


def instructions(gate, case, iterations, steps):
    """Instructions of GATE's own code in ukDriveStep during the steps; None: a step failed."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "counts")
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=ukDriveStep", f"--callgrind-out-file={out}", "--compress-strings=no",
             "--compress-pos=no", gate, "--steps", case, iterations, steps],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return own(out, gate) if run.returncode == 0 else None


def own(path, gate):
    """Sum of the costs that callgrind's file gives to functions of the object `gate` themselves."""
    total, ours, called = 0, False, False
    with open(path) as lines:
        for line in lines:
            if line.startswith("ob="):
                ours = os.path.realpath(line[3:].strip()) == os.path.realpath(gate)
            elif line.startswith("calls="):
                called = True  # the next line is the cost of what was called
            elif line[:1].isdigit():
                total += 0 if called or not ours else int(line.split()[1])
                called = False
    return total


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def read():
    """The comments, and [case, iterations, steps, {compiler: instructions}] of each line."""
    head, cases = "", []
    with open(FILE) as lines:
        for line in lines:
            if line.startswith("#"):
                head += line
                continue
            case, iterations, steps, *stored = line.split()
            cases.append([case, iterations, steps, {name: int(count) for name, count in (x.split("=") for x in stored)}])
    return head, cases


def main():
    gate, compiler = sys.argv[1:3]
    store = sys.argv[3:] == ["--store"]
    head, cases = read()
    if not shutil.which("valgrind"):
        skip("no valgrind")
    with open("/proc/cpuinfo") as info:
        if " avx2 " not in info.read():
            skip("the counts are those of a processor with AVX2")
    if not store and not any(compiler in stored for *_, stored in cases):
        skip(f"no counts are stored for {compiler}")
    bad = fewer = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        counts = list(pool.map(lambda c: instructions(gate, *c[:3]), cases))
    for (case, iterations, steps, stored), count in zip(cases, counts):
        before = stored.get(compiler)
        word = ""
        if count is None:
            word = "A STEP FAILED, or no such case"
        elif not store and (before is None or count > ALLOWED * before):
            word = "NO COUNT STORED" if before is None else "MORE THAN 3 % MORE"
        elif not store and count < before / ALLOWED:
            word, fewer = "fewer", fewer + 1
        bad += word != "" and word != "fewer"
        print(f"{case:26} {(count or 0) / int(steps) / 1e3:11.2f} thousand instructions a step, "
              f"stored {before and before / int(steps) / 1e3} {word}")
        if count is not None:
            stored[compiler] = count
    if store and not bad:
        with open(FILE, "w") as out:
            out.write(head)
            for case, iterations, steps, stored in cases:
                counts = " ".join(f"{name}={count}" for name, count in sorted(stored.items()))
                out.write(f"{case:26} {iterations:>2} {steps:>5} {counts}\n")
    if fewer:
        print(f"fewer instructions in {fewer} cases; to store them: instructions.py {gate} {compiler} --store")
    sys.exit(bad > 0)


main()
