# SPDX-License-Identifier: BSD-3-Clause
"""The shapes of exported models against the places, orientations and sizes that the program (shapes.c) printed.
Usage: shapes.py PRINTED MODEL.mjcf MODEL.urdf MODEL.sdf"""
import math
import sys
import xml.etree.ElementTree as tree

from mechanism import matmul, numbers, plus, rotation, times

IDENTITY = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]


def of_angles(roll, pitch, yaw):
    (a, b), (c, d), (e, f) = ((math.cos(t), math.sin(t)) for t in (yaw, pitch, roll))
    return matmul(matmul([[a, -b, 0], [b, a, 0], [0, 0, 1]], [[c, 0, d], [0, 1, 0], [-d, 0, c]]), [[1, 0, 0], [0, e, -f], [0, f, e]])


def placed(frame, x, R):
    return plus(frame[0], times(frame[1], x)), matmul(frame[1], R)


def mjcf(path):
    found = []

    def walk(e, frame):
        for g in e.findall("geom"):
            kind, size = g.get("type"), numbers(g.get("size"))
            if kind == "box": size = [2 * s for s in size]
            if kind in ("cylinder", "capsule"): size[1] *= 2
            found.append((kind, size, *placed(frame, numbers(g.get("pos", "0 0 0")), rotation(numbers(g.get("quat", "1 0 0 0"))))))
        for b in e.findall("body"):
            walk(b, placed(frame, numbers(b.get("pos")), rotation(numbers(b.get("quat", "1 0 0 0")))))

    walk(tree.parse(path).getroot().find("worldbody"), ([0.0, 0, 0], IDENTITY))
    return found


def urdf(path):
    root, frame, found = tree.parse(path).getroot(), {"world": ([0.0, 0, 0], IDENTITY)}, []
    origin = lambda e: (numbers(e.find("origin").get("xyz")), of_angles(*numbers(e.find("origin").get("rpy", "0 0 0"))))
    joints = root.findall("joint")
    while joints:
        for j in [j for j in joints if j.find("parent").get("link") in frame]:
            frame[j.find("child").get("link")] = placed(frame[j.find("parent").get("link")], *origin(j))
            joints.remove(j)
    for link in root.findall("link"):
        for kind in ("collision", "visual"):
            for e in link.findall(kind):
                g = e.find("geometry")[0]
                size = numbers(g.get("size")) if g.tag == "box" else [float(g.get(k)) for k in ("radius", "length") if g.get(k)]
                found.append((g.tag, size, *placed(frame[link.get("name")], *origin(e))))
    return found


def sdf(path):
    def pose(e):
        p = e.find("pose")
        if p is None: return [0.0, 0, 0], IDENTITY
        values = numbers(p.text)
        if p.get("rotation_format") == "quat_xyzw": return values[:3], rotation([values[6]] + values[3:6])
        return values[:3], of_angles(*values[3:])

    found = []
    for model in tree.parse(path).getroot().find("world").findall("model"):
        outer = placed(([0.0, 0, 0], IDENTITY), *pose(model))
        for link in model.findall("link"):
            frame = placed(outer, *pose(link))
            for kind in ("collision", "visual"):
                for e in link.findall(kind):
                    g = e.find("geometry")[0]
                    size = numbers(g.findtext("size")) if g.tag == "box" else [float(g.findtext(k)) for k in ("radius", "length")
                                                                             if g.find(k) is not None]
                    found.append((g.tag, size, *placed(frame, *pose(e))))
    return found


expected = {}
for line in open(sys.argv[1]):
    kind, size, *rest = line.split()
    size, rest = float(size), [float(x) for x in rest]
    sizes = {"box": [size, 2 * size, 3 * size], "cylinder": [size, 3 * size], "sphere": [size], "capsule": [size, 4 * size]}[kind]
    expected[kind, round(size, 6)] = sizes, rest[:3], [rest[3:6], rest[6:9], rest[9:]]
assert len(expected) == 60
for path, read, without, times_each in zip(sys.argv[2:], (mjcf, urdf, sdf), ((), ("capsule",), ()), (1, 2, 2)):
    seen = {}
    for kind, size, x, R in read(path):
        if kind == "plane": continue
        sizes, at, turned = expected[kind, round(size[0], 6)]
        seen[kind, round(size[0], 6)] = seen.get((kind, round(size[0], 6)), 0) + 1
        assert all(abs(a - b) < 1e-9 for a, b in zip(size, sizes)) and len(size) == len(sizes), (path, kind, size, sizes)
        assert all(abs(a - b) < 1e-9 for a, b in zip(x, at)), (path, kind, size, x, at)
        if kind != "sphere":
            assert all(abs(R[i][k] - turned[i][k]) < 1e-9 for i in range(3) for k in range(3)), (path, kind, size, R, turned)
    missing = [key for key in expected if key[0] not in without and seen.get(key, 0) != times_each]
    assert not missing, (path, missing, len(seen))
