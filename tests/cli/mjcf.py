# SPDX-License-Identifier: BSD-3-Clause
"""Reads MJCF for mechanism.py and compares it with the recording; first accelerations with `rest`.
Usage: mjcf.py RECORDING MODEL.xml WORLD rest|moving|after ..."""
import os
import sqlite3
import xml.etree.ElementTree as tree

from mechanism import Body, Joint, Mechanism, check, check_range, column, cross, minus, numbers, plus, rotation, tensor, times, transposed, matmul


def attribute(e, name, default=""): return numbers(e.get(name, default))


def whole(path):
    """The model with the files that it includes, and how deep the elements of one file are: MuJoCo refuses 100."""
    root = tree.parse(path).getroot()
    depth = lambda e: 1 + max(map(depth, e), default=0)
    assert depth(root) < 99
    for parent in list(root.iter()):
        for include in parent.findall("include"):
            k = list(parent).index(include)
            parent[k:k + 1] = list(whole(os.path.join(os.path.dirname(path), include.get("file"))))
    return root


class Mjcf(Mechanism):
    def __init__(self, path, recording):
        super().__init__()
        self.root, self.recording = whole(path), recording
        option = self.root.find("option")
        self.h, self.gravity = float(option.get("timestep")), attribute(option, "gravity")
        key = self.root.find("keyframe/key")
        assert key.get("qpos") is None  # the keyframe's pose is that of the model
        self.qvel = attribute(key, "qvel") or None  # without it: 0
        self.walk(self.root.find("worldbody"), None)
        assert not self.qvel
        for actuator, ctrl in zip(self.root.findall("actuator/velocity"), attribute(key, "ctrl"), strict=True):
            low, high = attribute(actuator, "forcerange")
            force = min(high, max(low, float(actuator.get("kv")) * ctrl))
            assert force in (low, high)
            self.forces.append((actuator.get("joint"), force))
        for e in self.root.findall("equality/*"): self.equality(e)
        self.softness()

    def softness(self):
        """MuJoCo's k = stiffness/d and b = damping/d of the rows of loops are those of the world's ERP."""
        e = self.root.find("default/equality")
        (stiffness, damping), d = attribute(e, "solref"), attribute(e, "solimp")[0]
        erp = {erp for erp, in sqlite3.connect(self.recording).execute("select erp from world")}
        if len(erp) == 1:
            assert abs(-stiffness / d * self.h ** 2 - erp.pop()) < 1e-12, stiffness
        assert abs(-damping / d * self.h - 1) < 1e-12, damping

    def take(self, count):
        if self.qvel is None: return [0.0] * count
        taken, self.qvel = self.qvel[:count], self.qvel[count:]
        assert len(taken) == count
        return taken

    def walk(self, e, parent):
        for child in e.findall("body"):
            x, R = attribute(child, "pos"), rotation(attribute(child, "quat"))
            if parent: x, R = plus(parent.x, times(parent.R, x)), matmul(parent.R, R)
            inertial = child.find("inertial")
            b = Body(child.get("name"), x, R, float(inertial.get("mass")), tensor(*attribute(inertial, "fullinertia")))
            self.body.append(b)
            if parent: b.w, b.v = parent.w, plus(parent.v, cross(parent.w, minus(b.x, parent.x)))
            if child.find("freejoint") is not None:
                b.v, b.w = self.take(3), times(b.R, self.take(3))
            else:
                self.joints(child, parent, b)
            self.walk(child, b)

    def joints(self, e, parent, b):
        names, columns = [], []
        for j in e.findall("joint"):
            anchor, ball = plus(b.x, times(b.R, attribute(j, "pos"))), j.get("type") == "ball"
            axes = transposed(b.R) if ball else [times(b.R, attribute(j, "axis"))]
            columns += [column(b, anchor, a, j.get("type") == "slide") for a in axes]
            names += [j.get("name")] * len(axes)
            if ball: continue
            position = float(j.get("ref", "0"))
            k, c = float(j.get("stiffness", "0")), float(j.get("damping", "0"))
            if j.get("limited") == "true" and not self.recording.startswith("after"):
                check_range(self.recording, j.get("name"), *attribute(j, "range"), absolute=True)
            if k or c: self.springs.append((j.get("name"), k, c, position - float(j.get("springref", "0"))))
        self.joint.append(Joint(names, parent, b, columns))
        for c in columns:
            rate = self.take(1)[0]
            b.v, b.w = plus(b.v, [x * rate for x in c[:3]]), plus(b.w, [x * rate for x in c[3:]])

    def equality(self, e):
        if e.tag == "joint":
            assert abs(attribute(e, "polycoef")[0]) < 1e-12  # locked where it is
            self.locked.append(e.get("joint1"))
            return
        one, two = (self.find(e.get(k)) if e.get(k) else None for k in ("body1", "body2"))
        point = plus(one.x, times(one.R, attribute(e, "anchor", "0 0 0")))
        for k in range(3 if e.tag == "connect" else 6):
            d = [float(i == k % 3) for i in range(3)]
            part = lambda b, s: [s * c for c in d + cross(minus(point, b.x), d)] if k < 3 else [0, 0, 0] + [s * c for c in d]
            self.extra.append(self.row([(b, part(b, s)) for b, s in ((one, 1), (two, -1)) if b]))


check(Mjcf)
