#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The walks of docs/architecture.md, a hinge's and a contact's way through a step file by file, compared with actual calls.

Usage: walk.py SOURCE BUILD WORLD [--list]      --list prints all files that the steps enter
WORLD is the program of tests/walk/world.c. valgrind's callgrind observes its steps; files follow from the functions' symbols in
BUILD. Exit status 1 where
  * a numbered file of a table is not entered, or not from the file above it in the table, directly or through others;
  * a file whose work depends on the joint (its instructions differ from those of a world without the joint) is not in the table;
  * a file calls a module (folder), then others, then the first one again, except base/;
  * a walk has more numbered files than MOST, or the text states another number;
77, skipped, without valgrind."""
import collections, os, re, shutil, subprocess, sys, tempfile

MOST = {"hinge": 15, "contact": 19}  # lower them when a walk becomes shorter
WITHOUT = {"hinge": "bodies", "contact": "boxes"}
# Files of which a joint changes the work, without passing data through them: by the number of islands, rows or joints.
# Libraries: vectors, blocks of A, memory. The rest: what a step does for each island or world.
OTHERS = {
    "a library": {"bridge/base/vector", "bridge/base/map", "bridge/base/contact_memory", "solvers/base/arena", "solvers/problem/problem",
                  "solvers/problem/tolerance", "solvers/problem/partition", "bridge/island/metric"},
    "per island, body or world": {
        "bridge/integrate/cap", "bridge/integrate/jump", "bridge/island/actuate", "bridge/island/budget", "bridge/island/gather", "bridge/island/island",
        "bridge/island/massless", "bridge/island/slices", "bridge/island/stepper", "bridge/island/weigh",
        "bridge/results/remember", "bridge/results/write_back", "bridge/solve/soften", "bridge/step/plans", "bridge/step/traversal",
        "bridge/world/explosion", "bridge/world/frame", "bridge/world/registry", "bridge/world/sleep", "bridge/world/switches",
        "bridge/watch/life", "plugin/interpose"},
    "owners of the solver that is used": {"solvers/bounded/friction_law", "solvers/equality/equality"},
    "plans": {"solvers/kkt/plans", "solvers/factor/plan", "solvers/factor/symbolic", "solvers/factor/ordering", "solvers/factor/subtrees"},
}


def symbols(source, build):
    """{function: file without .c}, of functions whose name is unique; objects of files that were moved since do not count"""
    objects = os.path.join(build, "CMakeFiles", "ukode_objects.dir")
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(objects) for name in names
             if name.endswith(".c.o") and os.path.exists(os.path.join(source, os.path.relpath(folder, objects), name[:-2]))]
    home = collections.defaultdict(set)
    for line in subprocess.run(["nm", "-A", *paths], capture_output=True, text=True, check=True).stdout.splitlines():
        found = re.match(r"(.*)\.c\.o:[0-9a-f]+ [tTwW] ([^. ]+)", line)
        if found:
            home[found.group(2)].add(os.path.relpath(found.group(1), objects))
    return {name: files.pop() for name, files in home.items() if len(files) == 1}


def observe(world, what, home):
    """Instructions by file, and the calls from file to file, of the steps of a world."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "calls")
        run = subprocess.run(["valgrind", "--tool=callgrind", "--toggle-collect=walkStep", f"--callgrind-out-file={out}",
                              "--compress-strings=no", "--compress-pos=no", world, what], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            sys.exit(f"walk: world {what} failed: {run.stdout}")
        lines = open(out).read().splitlines()
    file_of = lambda name: home.get(re.sub(r"['.].*", "", name.split("=", 1)[1]))
    cost, calls, within, to, called = collections.Counter(), collections.defaultdict(set), None, None, False
    for line in lines:
        if line.startswith("fn="):
            within = file_of(line)
        elif line.startswith("cfn="):
            to = file_of(line)
            if within and to and within != to:
                calls[within].add(to)
        elif line.startswith("calls="):
            called = True
        elif line[:1].isdigit():
            if within and not called:
                cost[within] += int(line.split()[1])
            called = False
    return cost, calls


def tables(text):
    """{what: [(numbered, depth, file)]} and {what: the number that the text states}"""
    walks, stated = {}, {}
    for what in MOST:
        table = re.search(rf"^\| \| {what} \| \|\n(.*?)\n\n", text, re.M | re.S).group(1)
        rows = [re.match(r"\| (\d+|–) \| ((?:&emsp;)*)`([^`]*)\.c`", line) for line in table.splitlines()[1:]]
        walks[what] = [(r.group(1) != "–", r.group(2).count("&emsp;"), r.group(3)) for r in rows]
        stated[what] = int(re.search(rf"The {what} goes through (\d+) files", text).group(1))
    return walks, stated


def reaches(calls, start, end):
    seen, todo = set(), [start]
    while todo:
        at = todo.pop()
        if at == end:
            return True
        if at not in seen:
            seen.add(at)
            todo.extend(calls.get(at, ()))
    return False


def entered_again(rows):
    """(file, module) of the numbered rows: the modules that a file, as the caller of the rows below it, enters twice."""
    below, above = collections.defaultdict(list), []
    for number, depth, file in rows:
        if number:
            above = [(d, f) for d, f in above if d < depth]
            below[above[-1][1] if above else ""].append(os.path.dirname(file))
            above.append((depth, file))
    for file, modules in below.items():
        blocks = [m for k, m in enumerate(modules) if k == 0 or modules[k - 1] != m]
        for module in set(blocks):
            if blocks.count(module) > 1 and not module.endswith("/base"):
                yield file, module


def check(what, rows, stated, calls, cost, without):
    faults, above = [], []
    numbered = [file for number, _, file in rows if number]
    for number, depth, file in rows:
        if not number:
            continue
        above = [(d, f) for d, f in above if d < depth]
        if not cost[file]:
            faults.append(f"{file} is not entered")
        elif above and not reaches(calls, above[-1][1], file):
            faults.append(f"{file} is not called below {above[-1][1]}")
        above.append((depth, file))
    listed = {file for _, _, file in rows}.union(*OTHERS.values())
    for file in sorted(cost):
        if cost[file] != without[file] and file not in listed:
            faults.append(f"{file} depends on the joint ({cost[file]} instead of {without[file]} instructions), and is not listed")
    faults += [f"{file} enters {module} twice" for file, module in entered_again(rows)]
    if len(numbered) != stated:
        faults.append(f"the text states {stated} files, the table numbers {len(numbered)}")
    if len(numbered) > MOST[what]:
        faults.append(f"{len(numbered)} files, more than {MOST[what]}")
    return [f"{what}: {fault}" for fault in faults]


def untested(what, rows, stated, calls, cost, without):
    """Test of this check: the faults that it does not notice."""
    block, papers = "bridge/island/joint_block", "solvers/papers/solvers"
    wrong = {"is not listed": ([r for r in rows if r[2] != block], stated - 1),
             "is not entered": (rows + [(True, 0, papers)], stated + 1),
             "is not called below": ([(number, 5 if file == block else depth, file) for number, depth, file in rows][::-1], stated),
             "twice": (rows + [(True, 1, "bridge/island/gather")], stated + 1),
             "the text states": (rows, stated + 1)}
    return [f"{what}: not noticed: {fault}" for fault, (table, number) in wrong.items()
            if not any(fault in found for found in check(what, table, number, calls, cost, without))]


def main():
    source, build, world = sys.argv[1:4]
    if not shutil.which("valgrind"):
        print("skipped: no valgrind")
        sys.exit(77)
    home = symbols(source, build)
    walks, stated = tables(open(os.path.join(source, "docs/architecture.md"), encoding="utf-8").read())
    faults = []
    for what, rows in walks.items():
        cost, calls = observe(world, what, home)
        without, _ = observe(world, WITHOUT[what], home)
        faults += check(what, rows, stated[what], calls, cost, without)
        entered = sorted(cost)
        print(f"{what}: {stated[what]} files of {len(entered)} that the steps enter")
        if sys.argv[4:] == ["--list"]:
            for file in entered:
                print(f"  {file}: {cost[file]} instructions, without the joint {without[file]}")
        faults += untested(what, rows, stated[what], calls, cost, without)
    print("\n".join(faults))
    sys.exit(bool(faults))


main()
