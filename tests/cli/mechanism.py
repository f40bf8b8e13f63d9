# SPDX-License-Identifier: BSD-3-Clause
"""A mechanism that a reader of an exported model (mjcf.py, urdf.py, sdf.py) fills in, in maximal coordinates (M qdd + A' lambda = Q,
A qdd = 0 at rest), with the standard library only; its velocities, energies and first accelerations are compared with the recording."""
import sqlite3
import sys


def numbers(text): return [float(x) for x in text.split()]
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def cross(a, b): return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]
def minus(a, b): return [x - y for x, y in zip(a, b)]
def plus(a, b): return [x + y for x, y in zip(a, b)]
def times(R, x): return [dot(r, x) for r in R]
def matmul(A, B): return [[sum(a * b for a, b in zip(r, c)) for c in zip(*B)] for r in A]
def transposed(A): return [list(c) for c in zip(*A)]
def tensor(xx, yy, zz, xy, xz, yz): return [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]


def rotation(q):
    w, x, y, z = q
    return [[1-2*(y*y+z*z), 2*(x*y-w*z), 2*(x*z+w*y)], [2*(x*y+w*z), 1-2*(x*x+z*z), 2*(y*z-w*x)],
            [2*(x*z-w*y), 2*(y*z+w*x), 1-2*(x*x+y*y)]]


class Body:
    def __init__(self, name, x, R, mass=0.0, inertia=((0,)*3,)*3, recorded=True):
        """Centre of mass, orientation, mass, inertia tensor in the body's frame; a link that the format adds is not recorded."""
        self.name, self.x, self.R, self.mass, self.recorded = name, x, R, mass, recorded
        self.I = matmul(matmul(R, inertia), transposed(R))
        self.v, self.w = [0, 0, 0], [0, 0, 0]


class Joint:
    """Lets `child` move relative to `parent` (None: the world) along columns: twists at the child's centre of mass."""

    def __init__(self, names, parent, child, columns):
        self.names, self.parent, self.child, self.columns = names, parent, child, columns


def column(child, anchor, axis, slides): return axis + [0, 0, 0] if slides else cross(minus(anchor, child.x), axis) + axis


class Mechanism:
    def __init__(self):
        self.body, self.joint, self.h, self.gravity = [], [], 0, [0, 0, 0]
        self.springs = []  # axis, stiffness, damping, stretch
        self.forces = []   # axis, force
        self.locked, self.extra = [], []  # axes; rows

    def find(self, name): return next(b for b in self.body if b.name == name)

    def energy(self):
        return sum(0.5 * b.mass * dot(b.v, b.v) + 0.5 * dot(b.w, times(b.I, b.w)) - b.mass * dot(self.gravity, b.x) for b in self.body)

    def row(self, parts):
        r = [0.0] * (6 * len(self.body))
        for b, values in parts:
            if b:
                i = 6 * self.body.index(b)
                r[i:i + 6] = plus(r[i:i + 6], values)
        return r

    def relative(self, j, d):  # d . (twist of the child relative to the parent, at the child's centre)
        if not j.parent: return self.row([(j.child, d)])
        arm = minus(j.child.x, j.parent.x)
        return self.row([(j.child, d), (j.parent, [-x for x in d[:3]] + minus([-x for x in d[3:]], cross(arm, d[:3])))])

    def constraints(self):
        rows = list(self.extra) + [self.coordinate(name) for name in self.locked]
        for j in self.joint:
            basis = []
            for x in j.columns + [[float(i == k) for i in range(6)] for k in range(6)]:
                y = list(x)
                for _ in range(2):
                    for e in basis: y = minus(y, [dot(e, y) * c for c in e])
                size = dot(y, y) ** 0.5
                if size < 1e-9: continue
                basis.append([c / size for c in y])
                if len(basis) > len(j.columns): rows.append(self.relative(j, basis[-1]))
        return rows

    def coordinate(self, name):  # row whose product with the accelerations is that of the axis's coordinate, at rest
        j = next(j for j in self.joint if name in j.names)
        c = j.columns[j.names.index(name)]
        others, dual = [x for x in j.columns if x is not c], list(c)
        for _ in range(50):  # the dual vector of c among the joint's columns
            for o in others: dual = minus(dual, [dot(dual, o) / dot(o, o) * x for x in o])
        return self.relative(j, [x / dot(dual, c) for x in dual])

    def accelerations(self):
        n = 6 * len(self.body)
        M, Q = [[0.0] * n for _ in range(n)], [0.0] * n
        for i, b in enumerate(self.body):
            for k in range(3):
                M[6*i+k][6*i+k], Q[6*i+k] = b.mass, b.mass * self.gravity[k]
                M[6*i+3+k][6*i+3:6*i+6] = b.I[k]
        for axis, force in self.forces: Q = plus(Q, [force * c for c in self.coordinate(axis)])
        for axis, k, c, stretch in self.springs:  # implicit, as ODE's: -k (x + h v1) - c v1 with v1 = h qdd
            row = self.coordinate(axis)
            Q = minus(Q, [k * stretch * r for r in row])
            for r in range(n):
                if row[r]: M[r] = plus(M[r], [row[r] * (self.h * k + c) * self.h * s for s in row])
        A = self.constraints()
        K = [M[i] + [a[i] for a in A] + [Q[i]] for i in range(n)] + [a + [0.0] * (len(A) + 1) for a in A]
        return solve(K, n)

    def compare(self, path, world, state, tolerance=1e-9):
        """`state`: at rest or moving before the first step, or `after` it."""
        database, rest, table = sqlite3.connect(path), state == "rest", "body_step" if state == "after" else "body_start"
        columns = "position_x, position_y, position_z, velocity_x, velocity_y, velocity_z, spin_x, spin_y, spin_z"
        energy, worst = 0, 0
        keys = {(name or "body_%d" % key): key for key, name in database.execute("select body, name from body where world = ?", (world,))}
        assert set(keys) == {b.name for b in self.body if b.recorded}, keys
        acceleration = self.accelerations() if rest else None
        for b in self.body:
            if not b.recorded: continue
            start = database.execute("select %s from %s where body = ? order by step limit 1" % (columns, table), (keys[b.name],)).fetchone()
            for got, x in zip(b.x + b.v + b.w, start): worst = max(worst, abs(got - x))
            v, w = start[3:6], start[6:]
            energy += 0.5 * b.mass * dot(v, v) + 0.5 * dot(w, times(b.I, w)) - b.mass * dot(self.gravity, start[:3])
            if not rest: continue
            end = database.execute("select %s from body_step where body = ? order by step limit 1" % columns, (keys[b.name],)).fetchone()
            i = 6 * self.body.index(b)
            for got, x, y in zip(acceleration[i:i + 6], end[3:], start[3:]):
                assert abs(got - (x - y) / self.h) < tolerance * max(1, abs(got)), (b.name, got, (x - y) / self.h)
        assert worst < (1e-9 if state == "after" else 1e-12), worst  # joints drift
        assert abs(self.energy() - energy) < max(1e-9, tolerance) * max(1, abs(energy)), (self.energy(), energy)


def check_range(recording, name, lower, upper, absolute=False):
    """The range of an axis against the stops of its hinge or slider in the recording, from the position before the first step. The angle
    of a joint whose first body is the world has the opposite sign of what ODE's stops bound."""
    database = sqlite3.connect(recording)
    joint, first, angle = database.execute("select j.joint, body_1, angle_1 from joint j join joint_start s using (joint) where "
                                           "coalesce(nullif(name, ''), 'joint_' || j.joint) = ? order by s.step", (name,)).fetchone()
    stops = dict(database.execute("select name, value from joint_parameter where joint = ? and axis = 1", (joint,)))
    low, high = stops.get("lo_stop", float("-inf")), stops.get("hi_stop", float("inf"))
    start = 0 if absolute else angle if first else -angle
    for found, expected in ((lower, low - start), (upper, high - start)):
        assert abs(found) >= 1e10 and abs(expected) > 1e10 or abs(found - expected) < 1e-12, (name, found, expected)


def check(read):
    """For each RECORDING MODEL WORLD STATE of the command line."""
    for i in range(1, len(sys.argv), 4):
        recording, model, world, state = sys.argv[i:i + 4]
        mechanism = read(model, recording)
        try:
            mechanism.compare(recording, int(world), state, 1e-9 if all("/" not in b.name or not b.mass for b in mechanism.body) else 1e-7)
        except AssertionError:
            print("%s: not the recorded mechanism" % model, file=sys.stderr)
            raise


def solve(K, n):
    """Elimination with partial pivoting; a column without a pivot belongs to a redundant row, whose multiplier is set to 0. K: rows
    [matrix | right side], symmetric; its first n unknowns, which redundant rows leave unique."""
    size, order, left = len(K), [], set(range(len(K)))
    for c in range(size):
        r = max(left, key=lambda i: abs(K[i][c]))
        if abs(K[r][c]) < 1e-10: continue
        left.remove(r)
        order.append((r, c))
        K[r] = [x / K[r][c] for x in K[r]]
        for i in range(size):
            if i != r and K[i][c]:
                f = K[i][c]
                K[i] = [x - f * y for x, y in zip(K[i], K[r])]
                K[i][c] = 0.0
        if not left: break
    assert all(abs(K[i][size]) < 1e-9 for i in left) and {c for _, c in order} >= set(range(n))
    x = [0.0] * size
    for r, c in order: x[c] = K[r][size]
    return x[:n]
