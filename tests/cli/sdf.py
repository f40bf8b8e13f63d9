# SPDX-License-Identifier: BSD-3-Clause
"""Reads SDF for mechanism.py and compares it with the recording; first accelerations with `rest`. Intermediate links have a share of 1e-9
of a body's mass, which limits the agreement.
Usage: sdf.py RECORDING MODEL.sdf WORLD rest|moving|after ..."""
import xml.etree.ElementTree as tree

from mechanism import Body, Joint, Mechanism, check, check_range, column, numbers, plus, rotation, tensor, times


def pose(e):
    p = e.find("pose")
    values = numbers(p.text)
    if p.get("rotation_format") == "quat_xyzw": return values[:3], [values[6]] + values[3:6]
    assert values[3:] == [0, 0, 0]
    return values[:3], [1, 0, 0, 0]


def value(e, path, default=None):
    found = e.findtext(path)
    return default if found is None else float(found)


class Sdf(Mechanism):
    def __init__(self, path, recording):
        super().__init__()
        self.recording = recording
        root = tree.parse(path).getroot()
        assert root.get("version") == "1.9"
        world = root.find("world")
        self.h, self.gravity = value(world, "physics/max_step_size"), numbers(world.findtext("gravity"))
        model = next(m for m in world.findall("model") if m.get("name") == "bodies")
        for link in model.findall("link"):
            inertia = [value(link, "inertial/inertia/" + k) for k in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]
            x, q = pose(link)
            self.body.append(Body(link.get("name"), x, rotation(q), value(link, "inertial/mass"), tensor(*inertia),
                                  "/" not in link.get("name")))
        for link in world.findall("state/model/link"):
            b, velocity = self.find(link.get("name")), numbers(link.findtext("velocity"))
            assert pose(link)[0] == b.x
            b.v, b.w = velocity[:3], velocity[3:]
        for joint in model.findall("joint"): self.connect(joint)

    def connect(self, e):
        ends = [None if e.findtext(k) == "world" else self.find(e.findtext(k)) for k in ("parent", "child")]
        child, kind, name = ends[1], e.get("type"), e.get("name")
        anchor = plus(child.x, times(child.R, pose(e)[0]))
        axes = [numbers(a.findtext("xyz")) for a in (e.find("axis"), e.find("axis2")) if a is not None]
        assert all(a.get("expressed_in") == "__model__" for a in e.iter("xyz"))
        if kind == "ball": axes = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
        assert len(axes) == {"fixed": 0, "ball": 3, "revolute": 1, "prismatic": 1, "universal": 2, "revolute2": 2}[kind]
        columns = [column(child, anchor, a, kind == "prismatic") for a in axes]
        names = [name + "#%d" % k for k in range(len(columns))]
        erp, cfm = (value(e, "physics/ode/suspension/" + k) for k in ("erp", "cfm"))
        if cfm:
            assert (erp, cfm) == (0.5, 0.03125)  # of mechanisms.c; a first step shows their sum only
            names.append(name + "#suspension")
            columns.append(column(child, anchor, axes[0], True))
            self.springs.append((names[-1], erp / (self.h * cfm), (1 - erp) / cfm, 0))
        self.joint.append(Joint(names, ends[0], child, columns))
        if e.find("axis") is not None: self.axis(e, e.find("axis"), names[0])

    def axis(self, e, axis, name):
        lower, upper = value(axis, "limit/lower", -1e16), value(axis, "limit/upper", 1e16)
        if lower == upper:
            assert lower == 0
            self.locked.append(name)
        if axis.find("limit/lower") is not None or axis.find("limit/upper") is not None:
            if not self.recording.startswith("after"): check_range(self.recording, e.get("name"), lower, upper)
        k, c = value(axis, "dynamics/spring_stiffness", 0), value(axis, "dynamics/damping", 0)
        if k or c: self.springs.append((name, k, c, -value(axis, "dynamics/spring_reference")))
        force, velocity = value(e, "physics/ode/max_force", 0), value(e, "physics/ode/velocity", 0)
        assert not force or not value(axis, "dynamics/friction", 0)  # a motor that moves is no friction
        if force: self.forces.append((name, force if velocity > 0 else -force))


check(Sdf)
