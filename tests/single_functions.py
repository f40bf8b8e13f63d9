#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every function of ODE that the library calls or wraps, and that has real arguments, results or structures, has one of double
precision for copies of single precision (bridge/ode/single.c), or passes its arguments on unread. Usage: single_functions.py SOURCE"""
import os, re, subprocess, sys

os.chdir(sys.argv[1])
# the program's arrays go to ODE as they are, and the library calls none of these itself
unread = {"dCreateConvex", "dGeomSetConvex", "dGeomHeightfieldDataBuildCallback", "dGeomHeightfieldDataBuildByte",
          "dGeomHeightfieldDataBuildShort", "dGeomHeightfieldDataBuildSingle", "dGeomHeightfieldDataBuildDouble"}
text = subprocess.run([os.environ.get("CC", "cc"), "-E", "-P", "-include", "ode/ode.h", "-x", "c", "/dev/null"], check=True,
                      capture_output=True, text=True).stdout
text = re.sub(r"__attribute__ ?\(\([^)]*\)\)", "", re.sub(r"\s+", " ", text))
prototypes = {name: result + arguments for result, name, arguments in
              re.findall(r"([\w *]+?)\b(d[A-Z]\w+) ?\(([^()]*(?:\([^()]*\)[^()]*)*)\) ?;", text)}
read = lambda *names: "".join(open(f"bridge/ode/{name}", encoding="utf-8").read() for name in names)
used = set(re.findall(r"X\((d[A-Z]\w+)", read("called.h", "ode.h")))
converted = set(re.findall(r"\bX\((d[A-Z]\w+)", read("single_lists.h"))) | set(
    re.findall(r"\bSERVE\((d[A-Z]\w+)", read("single.c", "single_body.c")))
real = re.compile(r"dReal|dMass|dContact\b|dJointFeedback|dVector|dMatrix|dQuaternion")
assert len(used) > 300 and len(converted) > 200 and len(prototypes) > 400, (len(used), len(converted), len(prototypes))
missing = sorted(name for name in used if real.search(prototypes.get(name, "")) and name not in converted | unread)
if missing:
    sys.exit(f"single_functions: not converted for ODE in single precision: {', '.join(missing)}")
