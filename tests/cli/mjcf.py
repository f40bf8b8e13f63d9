# SPDX-License-Identifier: BSD-3-Clause
"""Reads MJCF with the standard library only, builds the mechanism in maximal coordinates (M qdd + A' lambda = Q, A qdd = 0 at
rest), and compares velocities, energies and, with `rest`, first accelerations with the recording.
Usage: mjcf.py RECORDING MODEL.xml WORLD rest|moving"""
import sqlite3
import sys
import xml.etree.ElementTree as tree


def numbers(e, name, default=""):
    return [float(x) for x in e.get(name, default).split()]


def dot(a, b): return sum(x * y for x, y in zip(a, b))
def cross(a, b): return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]
def minus(a, b): return [x - y for x, y in zip(a, b)]
def plus(a, b): return [x + y for x, y in zip(a, b)]
def times(R, x): return [dot(r, x) for r in R]
def matmul(A, B): return [[sum(a * b for a, b in zip(r, c)) for c in zip(*B)] for r in A]
def transposed(A): return [list(c) for c in zip(*A)]


def rotation(q):
    w, x, y, z = q
    return [[1-2*(y*y+z*z), 2*(x*y-w*z), 2*(x*z+w*y)], [2*(x*y+w*z), 1-2*(x*x+z*z), 2*(y*z-w*x)],
            [2*(x*z-w*y), 2*(y*z+w*x), 1-2*(x*x+y*y)]]


class Body:
    def __init__(self, e, parent):
        self.name, self.parent = e.get("name"), parent
        x, R = numbers(e, "pos"), rotation(numbers(e, "quat"))
        self.x = plus(parent.x, times(parent.R, x)) if parent else x
        self.R = matmul(parent.R, R) if parent else R
        inertial = e.find("inertial")
        xx, yy, zz, xy, xz, yz = numbers(inertial, "fullinertia")
        self.mass = float(inertial.get("mass"))
        self.I = matmul(matmul(self.R, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), transposed(self.R))
        self.mocap, self.free = e.get("mocap") == "true", e.find("freejoint") is not None
        self.columns, self.elements = [], e.findall("joint")
        for j in self.elements:
            anchor = times(self.R, numbers(j, "pos"))
            axes = [times(self.R, numbers(j, "axis"))] if j.get("type") != "ball" else transposed(self.R)
            for a in axes:
                self.columns.append(a + [0, 0, 0] if j.get("type") == "slide" else cross(anchor, a) + a)


class Model:
    def __init__(self, path):
        root = tree.parse(path).getroot()
        self.root, self.body = root, []
        option = root.find("option")
        self.h, self.gravity = float(option.get("timestep")), numbers(option, "gravity")
        self.walk(root.find("worldbody"), None)
        key = root.find("keyframe/key")
        self.velocities(numbers(key, "qpos"), numbers(key, "qvel"), numbers(key, "ctrl"))
        self.index = {b.name: i for i, b in enumerate(self.body)}
        assert len(self.index) == len(self.body)

    def walk(self, e, parent):
        for child in e.findall("body"):
            b = Body(child, parent)
            self.body.append(b)
            self.walk(child, b)

    def velocities(self, qpos, qvel, ctrl):
        self.ctrl, self.position = ctrl, {}
        for b in self.body:
            v, w = [0, 0, 0], [0, 0, 0]
            if b.parent:
                w = b.parent.w
                v = plus(b.parent.v, cross(w, minus(b.x, b.parent.x)))
            if b.free:
                place, qpos = qpos[:7], qpos[7:]
                assert max(map(abs, minus(place[:3], b.x))) < 1e-12
                v, w, qvel = qvel[:3], times(b.R, qvel[3:6]), qvel[6:]
            for j in b.elements:
                count = 4 if j.get("type") == "ball" else 1
                if count == 1:
                    assert qpos[0] == float(j.get("ref", "0"))  # the keyframe is the pose of the model
                    self.position[j.get("name")] = qpos[0]
                qpos = qpos[count:]
            for c in b.columns:
                v, w, qvel = plus(v, [x * qvel[0] for x in c[:3]]), plus(w, [x * qvel[0] for x in c[3:]]), qvel[1:]
            b.v, b.w = v, w
        assert not qpos and not qvel

    def energy(self):
        return sum(0.5 * b.mass * dot(b.v, b.v) + 0.5 * dot(b.w, times(b.I, b.w)) - b.mass * dot(self.gravity, b.x) for b in self.body)

    def row(self, parts):
        r = [0.0] * (6 * len(self.body))
        for b, values in parts:
            if b:
                i = 6 * self.body.index(b)
                r[i:i + 6] = plus(r[i:i + 6], values)
        return r

    def relative(self, b, d):  # d . (twist of b relative to its parent, at b's centre)
        if not b.parent: return self.row([(b, d)])
        arm = minus(b.x, b.parent.x)
        return self.row([(b, d), (b.parent, [-x for x in d[:3]] + minus([-x for x in d[3:]], cross(arm, d[:3])))])

    def constraints(self):
        rows = []
        for b in self.body:
            if b.free: continue
            basis = []
            for x in b.columns + [[float(i == k) for i in range(6)] for k in range(6)]:
                y = list(x)
                for _ in range(2):
                    for e in basis: y = minus(y, [dot(e, y) * c for c in e])
                size = dot(y, y) ** 0.5
                if size < 1e-9: continue
                basis.append([c / size for c in y])
                if len(basis) > len(b.columns): rows.append(self.relative(b, basis[-1]))
        for e in self.root.findall("equality/*"):
            if e.tag == "joint":
                assert numbers(e, "polycoef")[0] == 0  # locked where it is
                rows.append(self.coordinate(e.get("joint1")))
                continue
            one, two = (self.body[self.index[e.get(k)]] if e.get(k) else None for k in ("body1", "body2"))
            point = plus(one.x, times(one.R, numbers(e, "anchor", "0 0 0")))
            for k in range(3 if e.tag == "connect" else 6):
                d = [float(i == k % 3) for i in range(3)]
                part = lambda b, s: [s * c for c in d + cross(minus(point, b.x), d)] if k < 3 else [0, 0, 0] + [s * c for c in d]
                rows.append(self.row([(b, part(b, s)) for b, s in ((one, 1), (two, -1)) if b]))
        return rows

    def accelerations(self):
        n = 6 * len(self.body)
        M, Q = [[0.0] * n for _ in range(n)], [0.0] * n
        for i, b in enumerate(self.body):
            for k in range(3):
                M[6*i+k][6*i+k], Q[6*i+k] = b.mass, b.mass * self.gravity[k]
                M[6*i+3+k][6*i+3:6*i+6] = b.I[k]
        for actuator, ctrl in zip(self.root.findall("actuator/velocity"), self.ctrl, strict=True):
            low, high = numbers(actuator, "forcerange")
            force = min(high, max(low, float(actuator.get("kv")) * ctrl))
            assert force in (low, high)
            Q = plus(Q, [force * c for c in self.coordinate(actuator.get("joint"))])
        for b in self.body:
            for j, column in zip(b.elements, b.columns):
                k, c = float(j.get("stiffness", "0")), float(j.get("damping", "0"))
                if not k and not c: continue
                # implicit, as ODE's spring: -k (x + h v1) - c v1 with v1 = h qdd
                row = self.coordinate(j.get("name"))
                stretch = self.position[j.get("name")] - float(j.get("springref", "0"))
                Q = minus(Q, [k * stretch * r for r in row])
                for r in range(n):
                    if row[r]: M[r] = plus(M[r], [row[r] * (self.h * k + c) * self.h * s for s in row])
        A = self.constraints()
        size = n + len(A)
        K = [M[i] + [a[i] for a in A] + [Q[i]] for i in range(n)] + [a + [0.0] * (len(A) + 1) for a in A]
        return solve(K, n)

    def coordinate(self, name):  # row whose product with the accelerations is that of the joint's coordinate, at rest
        for b in self.body:
            for j, c in zip(b.elements, b.columns):
                if j.get("name") != name: continue
                others, d = [x for x in b.columns if x is not c], list(c)
                assert len(b.columns) == len(b.elements)
                dual = list(c)
                for _ in range(50):  # the dual vector of c among the joint's columns
                    for o in others: dual = minus(dual, [dot(dual, o) / dot(o, o) * x for x in o])
                return self.relative(b, [x / dot(dual, d) for x in dual])
        raise KeyError(name)


def solve(K, n):
    """Elimination with complete pivoting. K: rows [matrix | right side], symmetric; its first n unknowns, which redundant rows leave unique."""
    size, order, used = len(K), [], set()
    for _ in range(size):
        best, r, c = max((abs(K[i][k]), i, k) for i in range(size) if i not in used for k in range(size))
        if best < 1e-10:
            assert all(abs(K[i][size]) < 1e-9 for i in range(size) if i not in used)
            break
        used.add(r)
        order.append((r, c))
        pivot = K[r][c]
        K[r] = [x / pivot for x in K[r]]
        for i in range(size):
            if i != r and K[i][c]:
                f = K[i][c]
                K[i] = [x - f * y for x, y in zip(K[i], K[r])]
                K[i][c] = 0.0
    x = [0.0] * size
    for r, c in order: x[c] = K[r][size]
    return x[:n]


def main():
    database, model, world, rest = sqlite3.connect(sys.argv[1]), Model(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "rest"
    columns = "position_x, position_y, position_z, velocity_x, velocity_y, velocity_z, spin_x, spin_y, spin_z"
    energy, worst = 0, 0
    keys = {(name or "body_%d" % key): key for key, name in database.execute("select body, name from body where world = ?", (world,))}
    assert set(keys) == set(model.index), (keys, model.index)
    acceleration = model.accelerations() if rest else None
    for b in model.body:
        start = database.execute("select %s from body_start where body = ?" % columns, (keys[b.name],)).fetchone()
        for got, x in zip(b.x + b.v + b.w, start): worst = max(worst, abs(got - x))
        v, w = start[3:6], start[6:]
        energy += 0.5 * b.mass * dot(v, v) + 0.5 * dot(w, times(b.I, w)) - b.mass * dot(model.gravity, start[:3])
        if rest:
            end = database.execute("select %s from body_step where body = ? order by step limit 1" % columns, (keys[b.name],)).fetchone()
            i = 6 * model.body.index(b)
            for got, x, y in zip(acceleration[i:i + 6], end[3:], start[3:]):
                assert abs(got - (x - y) / model.h) < 1e-9 * max(1, abs(got)), (b.name, got, (x - y) / model.h)
    assert worst < 1e-12, worst
    assert abs(model.energy() - energy) < 1e-9 * max(1, abs(energy)), (model.energy(), energy)


main()
