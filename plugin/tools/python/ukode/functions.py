# SPDX-License-Identifier: BSD-3-Clause
"""Python functions as the library's callbacks: constraints, forces and laws.

An exception in one fails the step, which leaves the world as it was; World.step raises it. Where PyODE's own
world.step() was called, which cannot, the next call of the World object does.
"""
import ctypes
from ctypes import POINTER, c_double, c_int, c_void_p
from typing import Any, Callable, Dict, List, NamedTuple

from .arrays import array, store
from .structures import BodyStateStruct, ContextStruct, LawContextStruct

_REALS = POINTER(c_double)
ConstraintFn = ctypes.CFUNCTYPE(c_int, POINTER(ContextStruct), _REALS, _REALS, c_void_p)
ConstraintLawFn = ctypes.CFUNCTYPE(None, POINTER(ContextStruct), _REALS, _REALS, c_void_p)
NumbersFn = ctypes.CFUNCTYPE(c_int, POINTER(ContextStruct), _REALS, c_void_p)
LawFn = ctypes.CFUNCTYPE(None, POINTER(LawContextStruct), _REALS, c_void_p)

#: by world: the callbacks that the library holds, and the exceptions that were raised in them
kept: Dict[int, List[Any]] = {}
raised: Dict[int, List[BaseException]] = {}


class BodyState(NamedTuple):
    """The state of one body, as passed to user functions: world frame, at the centre of mass."""
    position: Any  #: (3) [m]
    orientation: Any  #: (4) w, x, y, z, body to world
    velocity: Any  #: (3) [m/s]
    spin: Any  #: (3) angular velocity [rad/s]
    mass: float  #: [kg]
    inertia: Any  #: (3 x 3) about the centre of mass [kg m^2]


class Context(NamedTuple):
    """The arguments of a constraint's or a force's function."""
    time: float  #: of the state [s]
    stepsize: float  #: of the step in progress [s]
    bodies: List[BodyState]  #: in the order given


class LawContext(NamedTuple):
    """The arguments of a law: the state of its joint."""
    time: float  #: of the state [s]
    stepsize: float  #: of the step in progress, or its part [s]
    bodies: List[Any]  #: two, in the order of the joint's attach; None: the static world
    ideal: Any  #: (2 x 6) the joint's ideal force [N] and torque [N m] on each body
    axis: Any  #: (axes x 3) its free axes, unit vectors
    rate: Any  #: (axes) of body 1 relative to body 2 [m/s or rad/s]
    is_translation: List[bool]  #: (axes)
    stop: Any  #: (2 x 6) the part of `ideal` that is of stops; of a contact its normal force
    motor: Any  #: (2 x 6) the part of `ideal` that is of motors; of a contact its friction


def _state(c: BodyStateStruct) -> BodyState:
    return BodyState(array(c.position, 3), array(c.orientation, 4), array(c.velocity, 3), array(c.spin, 3), c.mass,
                     array(c.inertia, 3, 3))


def _context(pointer: Any) -> Context:
    c = pointer.contents
    return Context(c.time, c.stepsize, [_state(c.bodies[i]) for i in range(c.count)])


def pairs(world: int, count: int, function: Callable, sizes: tuple, names: tuple) -> Any:
    """A callback whose function gives two arrays: A (rows x 6 count) and b (rows), or phi and psi (rows)."""

    def call(context, first, second, _data):
        try:
            one, two = function(_context(context))
            store(first, one, sizes[0], names[0])
            store(second, two, sizes[1], names[1])
            return 0
        except BaseException as reason:
            raised.setdefault(world, []).append(reason)
            return 1

    return _keep(world, ConstraintFn(call))


def numbers(world: int, count: int, function: Callable, what: str) -> Any:
    """A callback whose function gives `count` numbers: forces and torques (6 per body), or the value of a switching
    function (1)."""

    def call(context, out, _data):
        try:
            store(out, function(_context(context)), count, what)
            return 0
        except BaseException as reason:
            raised.setdefault(world, []).append(reason)
            return 1

    return _keep(world, NumbersFn(call))


def law(world: int, function: Callable) -> Any:
    """A callback whose function gives the forces and torques on the joint's two bodies (2 x 6)."""

    def call(context, out, _data):
        try:
            c = context.contents
            bodies = [_state(c.body[i].contents) if c.body[i] else None for i in range(2)]
            seen = LawContext(c.time, c.stepsize, bodies, array(c.ideal, 2, 6), array(c.axis, c.axes, 3),
                              array(c.rate, c.axes), [bool(x) for x in c.is_translation[:c.axes]],
                              array(c.stop, 2, 6), array(c.motor, 2, 6))
            store(out, function(seen), 12, "law")
        except BaseException as reason:
            raised.setdefault(world, []).append(reason)
            out[0] = float("nan")  # what fails a step whose function has no status

    return _keep(world, LawFn(call))


def constraint_law(world: int, count: int, function: Callable) -> Any:
    """A callback whose function gives C (count x 6) from the context and the ideal forces (count x 6)."""

    def call(context, ideal, out, _data):
        try:
            store(out, function(_context(context), array(ideal, count, 6)), 6 * count, "law")
        except BaseException as reason:
            raised.setdefault(world, []).append(reason)
            out[0] = float("nan")

    return _keep(world, ConstraintLawFn(call))


def _keep(world: int, callback: Any) -> Any:
    kept.setdefault(world, []).append(callback)
    return callback


def forget(world: int, *callbacks: Any) -> None:
    """The library no longer refers to them."""
    held = kept.get(world, [])
    kept[world] = [c for c in held if not any(c is gone for gone in callbacks)]


def reraise(world: int) -> None:
    """The first exception since the last call, if there was one."""
    reasons = raised.pop(world, None)
    if reasons:
        raise reasons[0]
