# SPDX-License-Identifier: BSD-3-Clause
"""Reads URDF for mechanism.py and compares it with the recording; first accelerations with `rest`. What URDF cannot express is taken from
the list in the file's comment: gravity, velocities, motors, springs; loops from the recording, by the keys in the list.
Usage: urdf.py RECORDING MODEL.urdf WORLD rest|moving|after ..."""
import re
import sqlite3
import xml.etree.ElementTree as tree

from mechanism import Body, Joint, Mechanism, check, check_range, column, numbers, plus, tensor

NUMBER = r"(-?[0-9.]+(?:e[-+][0-9]+)?)"
IDENTITY = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]


def origin(e):
    o = e.find("origin")
    assert numbers(o.get("rpy")) == [0, 0, 0]  # links are parallel to the world
    return numbers(o.get("xyz"))


class Urdf(Mechanism):
    def __init__(self, path, recording):
        super().__init__()
        self.root, self.database, self.recording = tree.parse(path).getroot(), sqlite3.connect(recording), recording
        self.notes = re.search("<!--(.*?)-->", open(path).read(), re.S).group(1)
        *self.gravity, self.h = self.listed("world: gravity N N N, step size N,")[0]
        frame = self.links()
        for e in self.root.findall("joint"): self.connect(e, frame)
        for key, *values in self.listed("body N: its velocity N N N and angular velocity N N N"):
            b = self.of_key("body", key, self.body)
            b.v, b.w = values[:3], values[3:]
        for key, velocity, force in self.listed("joint N: its motor, with the speed N and the force N,"):
            self.forces.append((self.name("joint", key), force if velocity > 0 else -force))
        for key, stiffness, reference in self.listed("joint N: its spring of stiffness N, at rest at N"):
            name = self.name("joint", key)
            damping = float(next(j for j in self.root.findall("joint") if j.get("name") == name).find("dynamics").get("damping"))
            self.springs.append((name, stiffness, damping, -reference))
        for key, stiffness, damping in self.listed("joint N (hinge2): the spring and damper of its suspension: stiffness N, damping N"):
            slide = next(e.get("name") for e in self.root.findall("joint")
                         if e.get("name").startswith(self.name("joint", key) + "/") and e.get("type") == "prismatic")
            self.springs.append((slide, stiffness, damping, 0))
        for line in re.findall(r"joint (\d+) \((\w+)\): the whole joint, which closes a loop", self.notes): self.close(*line)

    def listed(self, text):
        pattern = re.escape(text).replace("N", NUMBER)
        return [[float(x) for x in m] for m in re.findall("^" + pattern, self.notes, re.M)]

    def name(self, kind, key):
        name = self.database.execute("select name from %s where %s = ?" % (kind, kind), (key,)).fetchone()[0]
        return name or "%s_%d" % (kind, key)

    def of_key(self, kind, key, among): return next(x for x in among if x.name == self.name(kind, key))

    def links(self):
        """The origin of each link, from the root; its body."""
        frame, joints = {"world": [0.0, 0, 0]}, self.root.findall("joint")
        while joints:
            known = [j for j in joints if j.find("parent").get("link") in frame]
            for j in known: frame[j.find("child").get("link")] = plus(frame[j.find("parent").get("link")], origin(j))
            assert known
            joints = [j for j in joints if j not in known]
        for e in self.root.findall("link"):
            name, inertial = e.get("name"), e.find("inertial")
            if name == "world": continue
            if inertial is None:
                self.body.append(Body(name, frame[name], IDENTITY, recorded=False))
                continue
            inertia = [float(inertial.find("inertia").get(k)) for k in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]
            self.body.append(Body(name, plus(frame[name], origin(inertial)), IDENTITY, float(inertial.find("mass").get("value")),
                                  tensor(*inertia)))
        return frame

    def connect(self, e, frame):
        parent, child = (e.find(k).get("link") for k in ("parent", "child"))
        kind, body = e.get("type"), self.find(child)
        if kind == "floating": return
        axes = [] if kind == "fixed" else [numbers(e.find("axis").get("xyz"))]
        if kind in ("revolute", "prismatic"):
            limit = e.find("limit")
            assert limit.get("effort") is not None
            if "/" not in e.get("name") and not self.recording.startswith("after"):
                check_range(self.recording, e.get("name"), float(limit.get("lower")), float(limit.get("upper")))
        self.joint.append(Joint([e.get("name")] * len(axes), None if parent == "world" else self.find(parent), body,
                                [column(body, frame[child], a, kind == "prismatic") for a in axes]))

    def close(self, key, kind):
        one, two, *numbers_of = self.database.execute(
            "select body_1, body_2, s.anchor_x, s.anchor_y, s.anchor_z, s.axis_1_x, s.axis_1_y, s.axis_1_z from joint j join joint_start s "
            "using (joint) where j.joint = ?", (int(key),)).fetchone()
        if not one: one, two = two, one
        child, parent = (self.of_key("body", k, self.body) if k else None for k in (one, two))
        axes = {"fixed": [], "ball": IDENTITY, "hinge": [numbers_of[3:]]}[kind]
        self.joint.append(Joint([""] * len(axes), parent, child, [column(child, numbers_of[:3], a, False) for a in axes]))


check(Urdf)
