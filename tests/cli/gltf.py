# SPDX-License-Identifier: BSD-3-Clause
"""Reads an exported glTF file back and compares it with the recording: gravity of each world points to -y; each body's
times, places and turns are those of its rows, which it keeps while it is disabled; it is seen for as long as it lived; shapes have their sizes, places and
turns; a body without shapes is a box of its mass and inertia.
Usage: gltf.py RECORDING FILE"""
import json
import math
import sqlite3
import struct
import sys

failed = 0


def check(what, good):
    global failed
    if not good:
        failed += 1
        print("gltf: failed:", what)


def near(x, y, tolerance=2e-6):
    return len(x) == len(y) and all(abs(a - b) <= tolerance * max(1, abs(b)) for a, b in zip(x, y))


def rotate(q, v):
    """By a quaternion x, y, z, w."""
    x, y, z, w = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]


def same_turn(p, q):
    return abs(abs(sum(a * b for a, b in zip(p, q))) - 1) < 1e-6


data = open(sys.argv[2], "rb").read()
length = struct.unpack_from("<I", data, 12)[0]
scene = json.loads(data[20:20 + length])
binary = data[28 + length:]
database = sqlite3.connect(sys.argv[1])
width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def numbers(accessor):
    """An array as rows."""
    a = scene["accessors"][accessor]
    view = scene["bufferViews"][a["bufferView"]]
    n = width[a["type"]]
    kind = {5126: "f", 5125: "I"}[a["componentType"]]
    flat = struct.unpack_from("<%d%s" % (a["count"] * n, kind), binary, view["byteOffset"])
    check("length of a view", view["byteLength"] == 4 * a["count"] * n)
    if "min" in a:
        for c in range(n):
            check("range", near([a["min"][c], a["max"][c]], [min(flat[c::n]), max(flat[c::n])]))
    return [flat[i * n:i * n + n] for i in range(a["count"])]


def channels():
    """node: path: (times, values, interpolation)"""
    found = {}
    for animation in scene["animations"]:
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            found.setdefault(channel["target"]["node"], {})[channel["target"]["path"]] = (
                [t for t, in numbers(sampler["input"])], numbers(sampler["output"]), sampler["interpolation"])
    return found


moves = channels()


def held(rows):
    """Rows without `awake`, and between one of a disabled body and the next a copy, up to the next one's time."""
    out = []
    for *row, awake in rows:
        if out and asleep:
            out.append([row[0]] + out[-1][1:])
        out.append(row)
        asleep = awake == 0
    return out


def body(node, key, name, mass, inertia, first, gone):
    here, motion = scene["nodes"][node], moves.get(node, {})
    rows = database.execute("select time, position_x, position_y, position_z, orientation_x, orientation_y, orientation_z, "
                            "orientation_w, awake from body_step join step using (step) where body = ? order by step", [key]).fetchall()
    rows = held(rows)
    check("name", here["name"] == (name or "body %d" % key))
    times, places, kind = motion["translation"]
    check("times of body %d" % key, near(times, [r[0] for r in rows]))
    check("interpolation", kind == "LINEAR")
    check("places of body %d" % key, len(places) == len(rows) and all(near(p, r[1:4]) for p, r in zip(places, rows)))
    turns = motion["rotation"]
    check("times of turns", turns[0] == times)
    check("turns of body %d" % key, len(turns[1]) == len(rows) and all(same_turn(t, r[4:]) for t, r in zip(turns[1], rows)))
    check("where it begins", near(here["translation"], rows[0][1:4]) and same_turn(here["rotation"], rows[0][4:]))
    late, early = rows[0][0] > first + 1e-9, gone is not None
    check("scale", ("scale" in motion) == (late or early))
    if "scale" in motion:
        at, sizes, kind = motion["scale"]
        expected = ([(first, 0)] if late else []) + [(rows[0][0], 1)] + ([(gone, 0)] if early else [])
        check("seen from and to", kind == "STEP" and near(at, [t for t, _ in expected], 1e-5))
        check("sizes", [list(s) for s in sizes] == [[x] * 3 for _, x in expected])
    shapes = database.execute("select type, size_1, size_2, size_3, position_x, position_y, position_z, orientation_x, "
                              "orientation_y, orientation_z, orientation_w from shape where body = ? order by shape", [key]).fetchall()
    check("shapes of body %d" % key, len(here["children"]) == max(1, len(shapes)))
    colours = set()
    for child, shape in zip(here["children"], shapes):
        seen(scene["nodes"][child], shape, colours)
    if not shapes:
        stand_in(scene["nodes"][here["children"][0]], mass, inertia)
    check("one colour a body", len(colours) <= 1)


def seen(node, shape, colours):
    """Its extent along its own axes, in metres, is the shape's."""
    kind, size = shape[0], [x or 0 for x in shape[1:4]]
    check("place of a " + kind, near(node["translation"], shape[4:7]))
    check("turn of a " + kind, same_turn(node["rotation"], shape[7:]))
    primitive = scene["meshes"][node["mesh"]]["primitives"][0]
    colours.add(primitive["material"])
    points = numbers(primitive["attributes"]["POSITION"])
    extent = [(max(p[c] for p in points) - min(p[c] for p in points)) * node["scale"][c] for c in range(3)]
    wanted = {"box": size, "sphere": [2 * size[0]] * 3, "cylinder": [2 * size[0]] * 2 + [size[1]],
              "capsule": [2 * size[0]] * 2 + [size[1] + 2 * size[0]]}[kind]
    check("size of a %s: %s, %s" % (kind, extent, wanted), near(extent, wanted, 1e-3))
    normals = numbers(primitive["attributes"]["NORMAL"])
    check("normals", all(abs(math.hypot(*n) - 1) < 1e-5 for n in normals))
    for a, b, c in zip(*[iter([i for i, in numbers(primitive["indices"])])] * 3):  # outwards
        u, v = ([points[k][i] - points[a][i] for i in range(3)] for k in (b, c))
        n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        middle = [(points[a][i] + points[b][i] + points[c][i]) / 3 for i in range(3)]
        check("a face of a %s looks outwards" % kind, sum(x * y for x, y in zip(n, middle)) >= -1e-9)


def stand_in(node, mass, inertia):
    """A box of this mass and size has the body's inertia about the body's axes."""
    a, b, c = node["scale"]
    own = [mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b)]
    axes = [rotate(node["rotation"], v) for v in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]
    full = [[sum(own[k] * axes[k][i] * axes[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    xx, yy, zz, xy, xz, yz = inertia
    check("stand-in", near([full[0][0], full[1][1], full[2][2], full[0][1], full[0][2], full[1][2]], [xx, yy, zz, xy, xz, yz], 1e-5))


roots = scene["scenes"][scene["scene"]]["nodes"]
worlds = database.execute("select world, gravity_x, gravity_y, gravity_z from world order by world").fetchall()
check("worlds", len(roots) == len(worlds) and len(worlds) == 7)
for root, (world, *gravity) in zip(roots, worlds):
    node = scene["nodes"][root]
    size = math.hypot(*gravity)
    down = [g / size for g in gravity] if size else [0, 0, -1]
    check("gravity of world %d points down" % world, near(rotate(node["rotation"], down), [0, -1, 0]))
    check("no mirror", node["scale"] == [1, 1, 1] and node["translation"] == [0, 0, 0])
    first, = database.execute("select min(time) from body_step join step using (step) where world = ?", [world]).fetchone()
    bodies = database.execute("select body, name, (select time from step where step = destroyed_step), mass, inertia_xx, "
                              "inertia_yy, inertia_zz, inertia_xy, inertia_xz, inertia_yz from body where world = ? order by body",
                              [world]).fetchall()
    check("bodies of world %d" % world, len(node["children"]) == len(bodies) and len(bodies) >= 5)
    check("one is destroyed", sum(gone is not None for _, _, gone, *_ in bodies) == 1)
    for child, (key, name, gone, mass, *inertia) in zip(node["children"], bodies):
        body(child, key, name, mass, inertia, first, gone)
print("gltf: %d failed" % failed)
sys.exit(failed > 0)
