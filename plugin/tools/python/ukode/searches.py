# SPDX-License-Identifier: BSD-3-Clause
"""Searches of <ukode/analysis.h>: assembly, equilibrium, inverse dynamics. They are methods of World."""
import ctypes
from ctypes import POINTER, byref, c_double, c_int, c_void_p, sizeof
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from .analysis import signals
from .arrays import array, exactly
from .library import check, lib

_REALS = POINTER(c_double)
_WRENCHES = (c_double * 6) * 2


class TargetStruct(ctypes.Structure):
    _fields_ = [("body", c_void_p), ("point", c_double * 3), ("position", c_double * 3), ("orientation", c_double * 4),
                ("position_weight", c_double), ("orientation_weight", c_double)]


class ContradictionStruct(ctypes.Structure):
    _fields_ = [("joint", c_void_p), ("constraint", c_void_p), ("error", c_double)]


class AssemblyStruct(ctypes.Structure):
    _fields_ = [("met", c_int), ("gap", c_double), ("rows", c_int), ("rank", c_int), ("freedoms", c_int),
                ("starts", c_int), ("passes", c_int), ("target_error", c_double), ("targets_met", c_int),
                ("count", c_int), ("bodies", POINTER(c_void_p)), ("positions", _REALS), ("orientations", _REALS),
                ("contradictions", c_int), ("contradiction", POINTER(ContradictionStruct))]


class CarriedStruct(ctypes.Structure):
    _fields_ = [("joint", c_void_p), ("constraint", c_void_p), ("force", _WRENCHES), ("unique", c_int),
                ("at_bound", c_int)]


class EquilibriumStruct(ctypes.Structure):
    _fields_ = [("found", c_int), ("residual", c_double), ("gap", c_double), ("passes", c_int), ("freedoms", c_int),
                ("stable", c_int), ("unstable", c_int), ("neutral", c_int), ("softest", c_double),
                ("conservative", c_int), ("unbalanced", c_void_p), ("count", c_int), ("bodies", POINTER(c_void_p)),
                ("positions", _REALS), ("orientations", _REALS), ("carriers", c_int),
                ("carried", POINTER(CarriedStruct))]


class InverseStruct(ctypes.Structure):
    _fields_ = [("met", c_int), ("residual", c_double), ("rank", c_int), ("freedoms", c_int),
                ("inconsistent", c_double), ("bodies", c_int), ("missing", _REALS), ("worst", c_void_p),
                ("carriers", c_int), ("carried", POINTER(CarriedStruct))]


class Target(NamedTuple):
    """The target pose of a body (World.assemble, ukTarget)."""
    body: Any  #: a Body
    position: Any = (0.0, 0.0, 0.0)  #: of its `point` [m]
    orientation: Any = (1.0, 0.0, 0.0, 0.0)  #: w, x, y, z
    point: Any = (0.0, 0.0, 0.0)  #: in the body's frame [m]
    position_weight: float = 1.0  #: 0: the position is free
    orientation_weight: float = 0.0  #: 0: the orientation is free


class Assembly(NamedTuple):
    """Result of World.assemble (ukAssembly)."""
    met: bool  #: every joint is met, and the world stands there
    gap: float  #: largest position error [m or rad]
    rows: int
    rank: int
    freedoms: int  #: motions that the joints leave
    starts: int
    passes: int
    target_error: float  #: weighted
    targets_met: bool
    bodies: List[Any]  #: moving bodies, and the poses found:
    positions: Any  #: (bodies x 3)
    orientations: Any  #: (bodies x 4)
    contradiction: List[Tuple[Any, float]]  #: joints (None: a constraint of yours) that cannot be met together, and their errors


class Carried(NamedTuple):
    """The force that a joint or contact exerts (ukCarried)."""
    joint: Optional[Any]  #: a Joint; None: a constraint of yours
    force: Any  #: (2 x 6) force and torque on its bodies
    unique: bool  #: the reaction is determined
    at_bound: int  #: rows at a bound


class Equilibrium(NamedTuple):
    """Result of World.equilibrium (ukEquilibrium)."""
    found: bool  #: the world stands there, at rest
    residual: float  #: unbalanced part of the forces
    gap: float
    passes: int
    freedoms: int
    stable: bool
    unstable: int  #: number of motions with a repelling force
    neutral: int  #: number of motions without any force
    softest: float  #: least eigenvalue of the stiffness [1/s^2]
    conservative: bool
    unbalanced: Optional[Any]  #: a Body, if not found
    bodies: List[Any]
    positions: Any  #: (bodies x 3)
    orientations: Any  #: (bodies x 4)
    carried: List[Carried]


class Inverse(NamedTuple):
    """Result of World.inverse_dynamics (ukInverse)."""
    forces: Any  #: (actuators) [N or N m]
    met: bool
    residual: float
    rank: int
    freedoms: int
    inconsistent: float  #: how much the accelerations violate the joints
    missing: Any  #: (bodies of the world x 6) forces that no actuator can give
    worst: Optional[Any]  #: the Body that lacks most
    carried: List[Carried]


def _carried(world: Any, struct: Any) -> List[Carried]:
    return [Carried(world.joint(c.joint) if c.joint else None, array([x for side in c.force for x in side], 2, 6),
                    bool(c.unique), c.at_bound) for c in struct.carried[:struct.carriers]]


def _poses(world: Any, struct: Any) -> Tuple[List[Any], Any, Any]:
    n = struct.count
    return [world.body(h) for h in struct.bodies[:n]], array(struct.positions, n, 3), array(struct.orientations, n, 4)


def assemble(world: Any, targets: Sequence[Target]) -> Assembly:
    wanted = (TargetStruct * max(len(targets), 1))()
    for t, w in zip(targets, wanted):
        w.body = world.body(t.body).handle
        w.point[:] = exactly(t.point, 3, "point")
        w.position[:] = exactly(t.position, 3, "position")
        w.orientation[:] = exactly(t.orientation, 4, "orientation")
        w.position_weight, w.orientation_weight = t.position_weight, t.orientation_weight
    a = AssemblyStruct()
    check(lib.ukWorldAssembleSized(world.handle, wanted, len(targets), byref(a), sizeof(a)))
    bodies, positions, orientations = _poses(world, a)
    contradiction = [(world.joint(c.joint) if c.joint else None, c.error) for c in a.contradiction[:a.contradictions]]
    return Assembly(bool(a.met), a.gap, a.rows, a.rank, a.freedoms, a.starts, a.passes, a.target_error,
                    bool(a.targets_met), bodies, positions, orientations, contradiction)


def equilibrium(world: Any, tolerance: float) -> Equilibrium:
    e = EquilibriumStruct()
    check(lib.ukWorldEquilibriumSized(world.handle, tolerance, byref(e), sizeof(e)))
    bodies, positions, orientations = _poses(world, e)
    return Equilibrium(bool(e.found), e.residual, e.gap, e.passes, e.freedoms, bool(e.stable), e.unstable, e.neutral,
                       e.softest, bool(e.conservative), world.body(e.unbalanced) if e.unbalanced else None, bodies,
                       positions, orientations, _carried(world, e))


def inverse_dynamics(world: Any, actuators: Sequence[Tuple], acceleration: Any,
                     weights: Optional[Sequence[float]]) -> Inverse:
    n, bodies = len(actuators), len(world.bodies)
    given = None if acceleration is None else (c_double * (6 * bodies))(*exactly(acceleration, 6 * bodies, "acceleration"))
    heavy = None if weights is None else (c_double * n)(*exactly(weights, n, "weights"))
    forces, i = (c_double * max(n, 1))(), InverseStruct()
    check(lib.ukWorldInverseDynamicsSized(world.handle, signals(world, actuators), n, heavy, given, forces, byref(i),
                                          sizeof(i)))
    return Inverse(array(forces, n), bool(i.met), i.residual, i.rank, i.freedoms, i.inconsistent,
                   array(i.missing, bodies, 6), world.body(i.worst) if i.worst else None, _carried(world, i))
