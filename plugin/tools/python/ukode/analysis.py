# SPDX-License-Identifier: BSD-3-Clause
"""Linearization and modes of motion of a world (<ukode/analysis.h>)."""
import ctypes
from ctypes import POINTER, byref, c_double, c_int, c_void_p, sizeof
from typing import Any, List, NamedTuple, Sequence, Tuple

from .arrays import array
from .library import check, lib

#: kinds of signals, in the order of ukSignalKind; those of bodies, and inputs
KINDS = ("joint_force", "motor_velocity", "body_force", "joint_position", "joint_rate", "reaction", "body_position",
         "body_velocity")
OF_BODIES = ("body_force", "body_position", "body_velocity")

_REALS = POINTER(c_double)


class SignalStruct(ctypes.Structure):
    _fields_ = [("kind", c_int), ("joint", c_void_p), ("body", c_void_p), ("axis", c_int)]


class LinearizationStruct(ctypes.Structure):
    _fields_ = ([(name, c_int) for name in ("positions", "velocities", "inputs", "outputs", "bodies", "rank",
                                            "redundant", "discrete")] +
                [(name, _REALS) for name in ("A", "B", "C", "D", "f", "Nq", "Nv")] +
                [("body", POINTER(c_void_p)), ("error", c_double), ("moved", c_double),
                 ("activity", ctypes.c_char_p), ("jump", c_double), ("differences", c_int)])


class ModeStruct(ctypes.Structure):
    _fields_ = [("frequency", c_double), ("growth", c_double), ("damping", c_double), ("unstable", c_int),
                ("shape", _REALS), ("shape_imag", _REALS)]


class RegulatorStruct(ctypes.Structure):
    _fields_ = ([(name, c_int) for name in ("inputs", "states", "bodies", "discrete")] +
                [(name, _REALS) for name in ("force", "position", "velocity", "K", "real", "imag")] +
                [("body", POINTER(c_void_p)), ("unbalanced", c_double), ("activity", ctypes.c_char_p)])


class Linearization(NamedTuple):
    """dx/dt, or x after a step, = f + A x + B u, y = C x + D u about a state (ukLinearization). Copies, owned by the caller."""
    A: Any  #: (n x n), n = positions + velocities
    B: Any  #: (n x inputs)
    C: Any  #: (outputs x n)
    D: Any  #: (outputs x inputs)
    f: Any  #: (n) 0 at an equilibrium
    Nq: Any  #: (positions x 6 bodies) motions of the coordinates of poses
    Nv: Any  #: (velocities x 6 bodies) of velocities
    bodies: List[Any]  #: in the order of the columns of Nq and Nv
    positions: int
    velocities: int
    rank: int  #: of the rigid rows
    redundant: int  #: rows implied by others
    discrete: bool  #: of a step
    error: float  #: estimate, relative to the largest entry of each matrix
    moved: float  #: how far the present poses were from the constraints [kg^1/2 m]
    activity: str  #: what motors, friction and stops count as, a line each
    jump: float  #: by how much the present velocities were changed to satisfy rows and motors [kg^1/2 m/s]
    differences: bool  #: by differences of motions, not by the tangent


class Mode(NamedTuple):
    """A pair of eigenvalues growth +- i frequency, or a real one (ukMode)."""
    frequency: float  #: damped [rad/s]; 0: aperiodic
    growth: float  #: [1/s]
    damping: float  #: ratio
    unstable: bool
    shape: Any  #: (bodies x 6) real part of the displacement of each body of the world, the largest of all 1
    shape_imag: Any  #: (bodies x 6) imaginary part


class Regulator(NamedTuple):
    """u = force - position dq - velocity dv holds the state (ukRegulator). Copies, owned by the caller."""
    force: Any  #: (inputs) that balance the state
    position: Any  #: (inputs x 6 bodies) gains on displacements [linear; rotation vector]
    velocity: Any  #: (inputs x 6 bodies) gains on velocities
    K: Any  #: (inputs x states) gains on x of Linearization
    eigenvalues: List[complex]  #: of the closed loop
    bodies: List[Any]  #: in the order of the columns
    unbalanced: float  #: what the forces leave of the accelerations [kg^1/2 m/s^2]
    discrete: bool  #: of a step
    activity: str  #: as of Linearization


def signals(world: Any, wanted: Sequence[Tuple]) -> Any:
    """ukSignals of tuples (kind, thing, axis)."""
    out = (SignalStruct * max(1, len(wanted)))()
    for i, signal in enumerate(wanted):
        kind, thing, axis = (tuple(signal) + (0,))[:3]
        if kind not in KINDS:
            raise ValueError(f"signal: {kind!r} is not one of: {', '.join(KINDS)}")
        of_body = kind in OF_BODIES
        handle = getattr(thing, "handle", None) or (world.body(thing) if of_body else world.joint(thing)).handle
        out[i] = SignalStruct(KINDS.index(kind), None if of_body else handle, handle if of_body else None, axis)
    return out


def linearize(world: Any, inputs: Sequence[Tuple], outputs: Sequence[Tuple], stepsize: float,
              body: Any) -> Linearization:
    """World.linearize; body: makes a Body of a handle."""
    s = LinearizationStruct()
    check(lib.ukWorldLinearizeSized(world.handle, signals(world, inputs), len(inputs), signals(world, outputs),
                                    len(outputs), stepsize, byref(s), sizeof(s)))
    n, columns = s.positions + s.velocities, 6 * s.bodies
    return Linearization(A=array(s.A, n, n), B=array(s.B, n, s.inputs), C=array(s.C, s.outputs, n),
                         D=array(s.D, s.outputs, s.inputs), f=array(s.f, n), Nq=array(s.Nq, s.positions, columns),
                         Nv=array(s.Nv, s.velocities, columns), bodies=[body(s.body[i]) for i in range(s.bodies)],
                         positions=s.positions, velocities=s.velocities, rank=s.rank, redundant=s.redundant,
                         discrete=bool(s.discrete), error=s.error, moved=s.moved, activity=s.activity.decode(),
                         jump=s.jump, differences=bool(s.differences))


def modes(world: Any, inputs: Sequence[Tuple] = ()) -> Tuple[List[Mode], int]:
    """World.modes."""
    found, count, zero = POINTER(ModeStruct)(), c_int(), c_int()
    out = byref(found), byref(count), byref(zero)
    if inputs:
        check(lib.ukWorldModesOf(world.handle, signals(world, inputs), len(inputs), *out))
    else:
        check(lib.ukWorldModes(world.handle, *out))
    bodies = lib.ukWorldGetBodyCount(world.handle)
    listed = [found[i] for i in range(count.value)]
    return [Mode(m.frequency, m.growth, m.damping, bool(m.unstable), array(m.shape, bodies, 6),
                 array(m.shape_imag, bodies, 6)) for m in listed], zero.value


def regulate(world: Any, inputs: Sequence[Tuple], effort: float, stepsize: float, body: Any) -> Regulator:
    """World.regulate; body: makes a Body of a handle."""
    s = RegulatorStruct()
    check(lib.ukWorldRegulateSized(world.handle, signals(world, inputs), len(inputs), effort, stepsize, byref(s),
                                   sizeof(s)))
    columns = 6 * s.bodies
    return Regulator(force=array(s.force, s.inputs), position=array(s.position, s.inputs, columns),
                     velocity=array(s.velocity, s.inputs, columns), K=array(s.K, s.inputs, s.states),
                     eigenvalues=[complex(s.real[i], s.imag[i]) for i in range(s.states)],
                     bodies=[body(s.body[i]) for i in range(s.bodies)], unbalanced=s.unbalanced,
                     discrete=bool(s.discrete), activity=s.activity.decode())
