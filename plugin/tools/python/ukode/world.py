# SPDX-License-Identifier: BSD-3-Clause
"""Worlds, bodies and joints of Python programs."""
import ctypes
import itertools
import math
from ctypes import byref, c_double, c_int, c_void_p, sizeof
from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

from . import analysis, functions, match, operators, searches
from .arrays import array, store
from .library import Error, check, fail, lib
from .structures import (Audit, AuditFinding, AuditStruct, Diagnosis, DiagnosisStruct, EquationsStruct, JointDiagnosis,
                         Ledger, LedgerStruct, MobilityStruct, RecordOptionsStruct, Report, ReportStruct, values)

_SOLVERS = ("auto", "sparse", "m-inverse", "one-four", "dalembert", "gauss-qp", "lagrange")
_INTEGRATORS = ("euler", "rk4", "adaptive", "rattle", "radau")
_STABILIZATIONS = ("erp", "baumgarte", "projection", "none", "split")
_FRICTIONS = ("ode", "cone")
_CFM_RULES = ("auto", "ode")
_JOINT_RULES = ("ode", "exact")
_CHECKS = ("off", "warn", "resolve", "fallback", "stop")
_CONFLICTS = ("none", "pose", "velocity", "acceleration")
_TYPES = ("none", "ball", "hinge", "slider", "contact", "universal", "hinge2", "fixed", "null", "amotor", "lmotor",
          "plane2d", "pr", "pu", "piston", "dball", "dhinge", "transmission")


def _known(world: int, value: Any) -> Any:
    """A value that the library returned; 0, which also stands for an unknown world, only if the world is known."""
    if not value:
        check(lib.ukWorldGetTolerance(world, None, None))
    return value


def _filled(function: Any, handle: int, struct: ctypes.Structure) -> ctypes.Structure:
    """`struct`, filled by a function that takes its size."""
    check(function(handle, byref(struct), sizeof(struct)))
    return struct


def _choice(names: Sequence[str], name: str, what: str) -> int:
    if name not in names:
        raise ValueError(f"{what}: {name!r} is not one of: {', '.join(names)}")
    return names.index(name)


class Equations(NamedTuple):
    """The equations of the last step: M qdd = Q + Qi + Qni with A qdd = b, a = M^-1 Q (ukEquations). Copies, owned by the caller."""
    M: Any  #: (n x n)
    A: Any  #: (m x n)
    b: Any  #: (m)
    a: Any  #: (n)
    C: Any  #: (n) prescription of the non-ideal forces
    qdd: Any  #: (n)
    Qi: Any  #: (n) ideal constraint forces
    Qni: Any  #: (n) non-ideal ones
    lam: Any  #: (m) multipliers
    softness: Any  #: (m) A qdd + softness lam = b between the bounds
    lo: Any  #: (m) bounds of lam
    hi: Any
    bodies: List["Body"]  #: (n/6) in the order of the columns


class Mobility(NamedTuple):
    """The possible motions: a basis of the velocities that the rigid rows admit (ukMobility). Copies, owned by the caller."""
    basis: Any  #: (count x n) orthonormal in M
    motion: Any  #: (count x n) the same space, one motion per independent coordinate, each of v' M v = 1
    words: List[str]  #: (count) motion i in words: "slider 6 and hinge 2 together"
    bodies: List["Body"]  #: (n/6) in the order of the columns


class Gaussian(NamedTuple):
    """A share of Gauss's function [N m/s^2] (Joint.gaussian, Constraint.gaussian)."""
    Gi: float  #: of Qc' M^-1 Qc
    Gni: float  #: of (Qc - C)' M^-1 (Qc - C)


def _gaussian(function: Any, handle: Any) -> Gaussian:
    Gi, Gni = c_double(), c_double()
    check(function(handle, Gi, Gni))
    return Gaussian(Gi.value, Gni.value)


class JointFriction(NamedTuple):
    """Friction of a joint (Joint.friction); 0: none."""
    mu: float  #: dry friction
    arm: float  #: radius of the bearing [m]
    mu_static: float  #: Stribeck's law: dry friction at rest, 0: mu
    speed: float  #: rate over which it falls off [m/s or rad/s]
    viscous: float  #: [N s/m or N m s/rad]
    drag: float  #: quadratic [N s^2/m^2 or N m s^2/rad^2]


class _Object:
    """What bodies and joints have in common: two of the same class and handle are equal."""

    __slots__ = ("world", "handle", "__weakref__")  # an attribute that does not exist cannot be set

    def __init__(self, world: "World", handle: int):
        self.world, self.handle = world, handle

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.handle == self.handle

    def __hash__(self) -> int:
        return hash(self.handle)

    @property
    def name(self) -> Optional[str]:
        """Its name in recordings; None: it has none."""
        name = getattr(lib, f"uk{type(self).__name__}GetName")(self.handle)
        return name.decode(errors="replace") if name else None

    @name.setter
    def name(self, name: Optional[str]) -> None:
        check(getattr(lib, f"uk{type(self).__name__}SetName")(self.handle, name.encode() if name else None))


class Body(_Object):
    """A body of a World: `handle` is its dBodyID."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<ukode.Body {self.name or hex(self.handle)}>"

    @property
    def massless(self) -> bool:
        """Whether the body has no mass and no inertia; joints and constraints then determine its motion."""
        return lib.ukBodyGetMassless(self.handle) == 1

    @massless.setter
    def massless(self, massless: bool) -> None:
        check(lib.ukBodySetMassless(self.handle, int(massless)))

    @property
    def position(self) -> Any:
        """(3) of the centre of mass [m]."""
        return array(lib.dBodyGetPosition(self.handle), 3)

    @property
    def orientation(self) -> Any:
        """(4) w, x, y, z, body to world."""
        return array(lib.dBodyGetQuaternion(self.handle), 4)

    @property
    def velocity(self) -> Any:
        """(3) of the centre of mass [m/s]."""
        return array(lib.dBodyGetLinearVel(self.handle), 3)

    @property
    def spin(self) -> Any:
        """(3) angular velocity [rad/s]."""
        return array(lib.dBodyGetAngularVel(self.handle), 3)


class Joint(_Object):
    """A joint of a World: `handle` is its dJointID."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<ukode.Joint {self.type} {self.name or hex(self.handle)}>"

    @property
    def type(self) -> str:
        """"hinge", "slider", ...: ODE's name of its type, in small letters."""
        return _TYPES[lib.dJointGetType(self.handle)]

    @property
    def bodies(self) -> List[Optional[Body]]:
        """Its two bodies; None: the static world."""
        found = [lib.dJointGetBody(self.handle, i) for i in range(2)]
        return [Body(self.world, handle) if handle else None for handle in found]

    @property
    def ideal(self) -> Any:
        """(2 x 6) force [N] and torque about the centre of mass [N m] of the ideal constraint on each body."""
        return self._forces()[0]

    @property
    def nonideal(self) -> Any:
        """(2 x 6) the same of friction and laws, and the joint's reaction to those of its island."""
        return self._forces()[1]

    def _forces(self) -> tuple:
        ideal, nonideal = (c_double * 12)(), (c_double * 12)()
        check(lib.ukJointGetForces(self.handle, ideal, nonideal))
        return array(ideal, 2, 6), array(nonideal, 2, 6)

    @property
    def gaussian(self) -> Gaussian:
        """Its share of Gauss's function in the last step."""
        return _gaussian(lib.ukJointGetGaussian, self.handle)

    @property
    def friction(self) -> JointFriction:
        """Its friction, as coulomb, stribeck, viscous and drag or a configuration file set it."""
        reals = [c_double() for _ in range(4)]
        check(lib.ukJointGetCoulomb(self.handle, reals[0], reals[1]))
        check(lib.ukJointGetStribeck(self.handle, reals[2], reals[3]))
        return JointFriction(*(x.value for x in reals), lib.ukJointGetViscous(self.handle),
                             lib.ukJointGetDrag(self.handle))

    def coulomb(self, mu: float, arm: float = 0.0) -> None:
        """Dry friction mu |N| along free translations, mu arm |N| about free axes (arm [m]); 0: none."""
        check(lib.ukJointSetCoulomb(self.handle, mu, arm))

    def stribeck(self, mu_static: float, speed: float) -> None:
        """Dry friction that is stronger at rest: mu_static there, falling off over `speed` [m/s or rad/s]."""
        check(lib.ukJointSetStribeck(self.handle, mu_static, speed))

    def viscous(self, coefficient: float) -> None:
        """-coefficient x rate on every free axis [N s/m or N m s/rad]; 0: none."""
        check(lib.ukJointSetViscous(self.handle, coefficient))

    def drag(self, coefficient: float) -> None:
        """-coefficient x |rate| x rate on every free axis [N s^2/m^2 or N m s^2/rad^2]; 0: none."""
        check(lib.ukJointSetDrag(self.handle, coefficient))

    def law(self, function: Optional[Callable]) -> Optional[Callable]:
        """A user-defined law, also as a decorator: function(context) -> (2 x 6) force [N] and torque [N m] on each body.

        context is a ukode.functions.LawContext. None: no law.
        """
        old = self.world._laws.pop(self.handle, None)
        callback = functions.law(self.world.handle, function) if function else None
        status = lib.ukJointSetNonIdeal(self.handle, ctypes.cast(callback, c_void_p) if callback else None, None)
        functions.forget(self.world.handle, old if status == 0 else callback)
        check(status)
        if callback:
            self.world._laws[self.handle] = callback
        return function


class _Actuator(ctypes.Structure):
    _fields_ = [("joint", c_void_p), ("body", c_void_p), ("axis", c_int), ("cost", c_double)]


class Constraint:
    """A user constraint (World.constraint). `force` is the force that it exerts; `destroy` removes it."""

    __slots__ = ("world", "rows", "count", "_callbacks", "_law", "handle", "__weakref__")

    def __init__(self, world: "World", function: Callable, bodies: Sequence[Any], rows: int):
        self.world, self.rows, self.count = world, rows, len(bodies)
        self._law: Any = None
        self._callbacks = [functions.pairs(world.handle, self.count, function, (rows * 6 * self.count, rows),
                                           ("A", "b"))]
        self.handle = lib.ukConstraintCreate(world.handle, rows, world._handles(bodies), self.count,
                                             ctypes.cast(self._callbacks[0], c_void_p), None)
        if not self.handle:
            functions.forget(world.handle, *self._callbacks)
            fail(lib.ukGetLastError())

    def error(self, function: Callable) -> Callable:
        """The errors of the rows, so that they do not drift; as a decorator: function(context) -> phi, psi (rows each).

        phi: position errors [m or rad], NaN for a nonholonomic row; psi: A v - target [m/s or rad/s].
        """
        callback = functions.pairs(self.world.handle, self.count, function, (self.rows, self.rows), ("phi", "psi"))
        self._callbacks.append(callback)
        check(lib.ukConstraintSetError(self.handle, ctypes.cast(callback, c_void_p), None))
        return function

    def _wrenches(self, function: Any) -> Any:
        out = (c_double * (6 * self.count))()
        check(function(self.handle, out))
        return array(out, self.count, 6)

    @property
    def force(self) -> Any:
        """(count x 6) its control force [N] and torque [N m] on each body: of the last step with Euler, else at its end."""
        return self._wrenches(lib.ukConstraintGetForce)

    @property
    def impulse(self) -> Any:
        """(count x 6) its impulse [N s], [N m s] on each body over the last step, velocity jumps included."""
        return self._wrenches(lib.ukConstraintGetImpulse)

    def bounds(self, row: int) -> Tuple[float, float]:
        """The bounds of the row's multiplier, as set_bounds or one_sided set them."""
        lo, hi = (c_double * 1)(), (c_double * 1)()
        check(lib.ukConstraintGetBounds(self.handle, row, lo, hi))
        return lo[0], hi[0]

    def set_bounds(self, row: int, lo: float, hi: float) -> None:
        """Bounds lo <= lambda <= hi of the row's multiplier (a motor of finite force); infinite: none."""
        check(lib.ukConstraintSetBounds(self.handle, row, lo, hi))

    def one_sided(self, row: int = 0, restitution: float = 0.0) -> None:
        """Makes the row's error phi a gap: the row acts only where phi <= 0, with lambda >= 0.

        restitution: where the gap closes at the rate psi < 0, it opens at the rate -restitution psi.
        """
        check(lib.ukConstraintSetOneSided(self.handle, row))
        check(lib.ukConstraintSetRestitution(self.handle, row, restitution))

    def restitution(self, row: int = 0) -> float:
        """The restitution of the row, set by one_sided."""
        return lib.ukConstraintGetRestitution(self.handle, row)

    def is_one_sided(self, row: int = 0) -> bool:
        """Whether one_sided was called for the row."""
        return bool(lib.ukConstraintGetOneSided(self.handle, row))

    @property
    def nonideal(self) -> Any:
        """(count x 6) the non-ideal force of the last step on each body: friction, law, and the reaction to those."""
        return self._wrenches(lib.ukConstraintGetNonIdealForce)

    @property
    def gaussian(self) -> Gaussian:
        """Its share of Gauss's function in the last step."""
        return _gaussian(lib.ukConstraintGetGaussian, self.handle)

    def law(self, function: Optional[Callable]) -> Optional[Callable]:
        """A user-defined law C, also as a decorator: function(context, ideal) -> (count x 6) force [N] and torque [N m].

        ideal: (count x 6) the constraint's ideal force on each body. None: no law.
        """
        callback = functions.constraint_law(self.world.handle, self.count, function) if function else None
        status = lib.ukConstraintSetNonIdeal(self.handle, ctypes.cast(callback, c_void_p) if callback else None, None)
        functions.forget(self.world.handle, self._law if status == 0 else callback)
        check(status)
        self._law = callback
        return function

    @property
    def weight(self) -> Any:
        """(rows x rows) W, in whose metric contradictory rows are satisfied; None: no weight."""
        out = (c_double * (self.rows * self.rows))()
        return array(out, self.rows, self.rows) if lib.ukConstraintGetWeight(self.handle, out) else None

    @weight.setter
    def weight(self, weight: Any) -> None:
        """(rows) a diagonal, (rows x rows) symmetric and positive definite, or None."""
        if weight is None:
            check(lib.ukConstraintSetWeight(self.handle, None, 0))
            return
        full = hasattr(weight[0], "__len__")
        numbers = (c_double * (self.rows ** (2 if full else 1)))()
        store(numbers, weight, len(numbers), "weight")
        check(lib.ukConstraintSetWeight(self.handle, numbers, int(full)))

    @property
    def actuators(self) -> List[Tuple[Any, int, float]]:
        """The actuators that exert its force, as (joint or body, axis, cost), None for a joint that was destroyed; none: its
        force is along its rows.

        axis: a free axis of the joint, or force x, y, z (0, 1, 2), torque x, y, z (3, 4, 5) in the body's frame. Of all
        forces u that satisfy the rows, those of least sum of cost u^2 act.
        """
        out = (_Actuator * max(1, lib.ukConstraintGetActuators(self.handle, None)))()
        count = lib.ukConstraintGetActuators(self.handle, out)
        return [(Joint(self.world, a.joint) if a.joint else Body(self.world, a.body) if a.body else None, a.axis, a.cost)
                for a in out[:count]]

    @actuators.setter
    def actuators(self, actuators: Sequence[Tuple[Any, int, float]]) -> None:
        """Of (joint or body, axis, cost), or (joint or body, axis) of cost 1."""
        given = [(tuple(a) + (1.0,))[:3] for a in actuators]
        out = (_Actuator * max(1, len(given)))()
        for a, (thing, axis, cost) in zip(out, given):
            of_body = isinstance(thing, Body)
            a.joint, a.body = None if of_body else thing.handle, thing.handle if of_body else None
            a.axis, a.cost = axis, cost
        check(lib.ukConstraintSetActuators(self.handle, out, len(given)))

    @property
    def actuator_forces(self) -> Any:
        """(actuators) u [N or N m]: of the last step with Euler, else at its end."""
        count = lib.ukConstraintGetActuators(self.handle, None)
        out = (c_double * max(1, count))()
        check(lib.ukConstraintGetActuatorForces(self.handle, out))
        return array(out, count)

    def audit(self) -> Audit:
        """Checks A and b against finite differences of phi and psi (error). Nothing moves."""
        a = AuditStruct()
        self.world._checked(lib.ukConstraintAuditSized(self.handle, byref(a), sizeof(a)))
        return Audit(bool(a.ok), *(values(AuditFinding, getattr(a, name)) for name in ("A_phi", "A_psi", "psi", "b")))

    @property
    def mu(self) -> float:
        """Its dry friction, as coulomb set it."""
        return lib.ukConstraintGetCoulomb(self.handle)

    def coulomb(self, mu: float) -> None:
        """Dry friction mu |f| of bodies that slide on something at rest; 0: none."""
        check(lib.ukConstraintSetCoulomb(self.handle, mu))

    def destroy(self) -> None:
        """Destroys the constraint; every later use raises ukode.Error."""
        if self.handle:
            lib.ukConstraintDestroy(self.handle)
            functions.forget(self.world.handle, *self._callbacks, self._law)
            self.handle = None


class _UserFunction:
    """A function of yours that the library calls at the states of a world, until `destroy`."""

    __slots__ = ("world", "_callback", "handle", "__weakref__")
    _kind = ""  # of ukKINDCreate and ukKINDDestroy

    def __init__(self, world: "World", callback: Any, bodies: Sequence[Any]):
        self.world, self._callback = world, callback
        self.handle = getattr(lib, f"uk{self._kind}Create")(world.handle, world._handles(bodies), len(bodies),
                                                            ctypes.cast(callback, c_void_p), None)
        if not self.handle:
            functions.forget(world.handle, callback)
            fail(lib.ukGetLastError())

    def destroy(self) -> None:
        """The function is not called any more."""
        if self.handle:
            getattr(lib, f"uk{self._kind}Destroy")(self.handle)
            functions.forget(self.world.handle, self._callback)
            self.handle = None


class Force(_UserFunction):
    """A user-defined applied force (World.force)."""

    __slots__ = ()
    _kind = "Force"

    def __init__(self, world: "World", function: Callable, bodies: Sequence[Any]):
        super().__init__(world, functions.numbers(world.handle, 6 * len(bodies), function, "force"), bodies)


class Switch(_UserFunction):
    """A switching function of yours (World.switching): g of the state, at whose zero other functions of yours change."""

    __slots__ = ()
    _kind = "Switch"

    def __init__(self, world: "World", function: Callable, bodies: Sequence[Any]):
        super().__init__(world, functions.numbers(world.handle, 1, lambda context: [function(context)],
                                                  "switching function"), bodies)

    @property
    def side(self) -> int:
        """1: g >= 0, -1: g < 0, at which your functions are being evaluated, or were last; 0: not evaluated yet."""
        _known(self.world.handle, 0)
        side = lib.ukSwitchGetSide(self.handle)
        if not self.handle:
            fail(lib.ukGetLastError())
        return side


class _Setting:
    """A setting of the world: by name, or a number (names: None)."""

    def __init__(self, function: str, names: Optional[Sequence[str]], doc: str):
        self.setter, self.getter = f"ukWorldSet{function}", f"ukWorldGet{function}"
        self.names, self.__doc__ = names, doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, world: Optional["World"], owner: type) -> Any:
        if world is None:
            return self
        value = _known(world.handle, getattr(lib, self.getter)(world.handle))
        return self.names[value] if self.names else value

    def __set__(self, world: "World", value: Any) -> None:
        check(getattr(lib, self.setter)(world.handle,
                                        _choice(self.names, value, self.name) if self.names else value))


class World:
    """ukode's side of a world.

    world    a PyODE world, or the address of a dWorld (an integer or a ctypes pointer)
    enable   its steps are ukode's from now on, also those of world.step() and world.quickStep()
    """

    __slots__ = ("handle", "ode", "_laws", "__weakref__")

    solver = _Setting("Solver", _SOLVERS, f"The solver of the equations: {', '.join(_SOLVERS)}.")
    integrator = _Setting("Integrator", _INTEGRATORS, f"One of {', '.join(_INTEGRATORS)}.")
    friction = _Setting("Friction", _FRICTIONS, "The friction law of contacts: ode or cone.")
    cfm_rule = _Setting("CfmRule", _CFM_RULES, "ODE's default CFM in redundant loops: auto or ode.")
    joint_rule = _Setting("JointRule", _JOINT_RULES, "Euler's joint rows: ode, or exact (one wrench per joint).")
    time = _Setting("Time", None, "Simulated time [s].")
    budget = _Setting("Budget", None, "Maximum number of evaluations of the world's equations per step; 0: depends on the "
                                      "number of bodies.")
    pass_limit = _Setting("PassLimit", None, "Maximum number of factorizations per step of an island with bounded rows; 0: "
                                             "no limit.")
    threads = _Setting("Threads", None, "Number of threads that solve the islands of a step, 1 to 64. The result does not "
                                        "depend on it, bit for bit.")

    def __init__(self, world: Any, enable: bool = True):
        self.handle: int = match.world(world)
        self.ode = world  # keeps it alive
        self._laws: dict = {}
        if lib.ukWorldIsEnabled(self.handle) == 0 and enable:
            check(lib.ukWorldEnable(self.handle))

    def __repr__(self) -> str:
        return f"<ukode.World of {len(self.bodies)} bodies at {self.time:g} s>"

    # ---- stepping

    def step(self, stepsize: float) -> None:
        """One step [s] under the friction law of dWorldStep. On failure every body keeps its state."""
        self._done(lib.ukWorldStep(self.handle, stepsize))

    def quick_step(self, stepsize: float) -> None:
        """One step [s] under dWorldQuickStep's friction law; solved exactly, too."""
        self._done(lib.dWorldQuickStep(self.handle, stepsize))

    def _done(self, success: int) -> None:
        functions.reraise(self.handle)
        if not success:
            fail(lib.ukGetLastError())

    def _checked(self, status: int) -> None:
        functions.reraise(self.handle)
        check(status)

    @property
    def enabled(self) -> bool:
        """Whether world.step() and world.quickStep() are ukode's."""
        return lib.ukWorldIsEnabled(self.handle) == 1

    @enabled.setter
    def enabled(self, on: bool) -> None:
        check((lib.ukWorldEnable if on else lib.ukWorldDisable)(self.handle))

    @property
    def switches(self) -> List[float]:
        """The declared future switching times [s], ascending."""
        return list(itertools.takewhile(math.isfinite, (lib.ukWorldGetSwitch(self.handle, i) for i in itertools.count())))

    def switch(self, time: float) -> None:
        """Declares a time at which a user function changes abruptly: steps are divided there, and keep their order of accuracy."""
        check(lib.ukWorldSetSwitch(self.handle, time))

    def clear_switches(self) -> None:
        """Removes all switching times."""
        check(lib.ukWorldClearSwitches(self.handle))

    def evaluate(self) -> None:
        """Equations, forces, errors and report at the present state; nothing moves."""
        self._checked(lib.ukWorldEvaluate(self.handle))

    def project(self) -> None:
        """Moves pose, then velocity, to the nearest ones (M-norm) that satisfy the constraints."""
        self._checked(lib.ukWorldProject(self.handle))

    # ---- settings

    @property
    def tolerance(self) -> Tuple[float, float]:
        """Relative and absolute [m] tolerance of adaptive and radau."""
        relative, absolute = c_double(), c_double()
        check(lib.ukWorldGetTolerance(self.handle, relative, absolute))
        return relative.value, absolute.value

    def set_tolerance(self, relative: float, absolute: float = 0.0) -> None:
        """Sets `tolerance`."""
        check(lib.ukWorldSetTolerance(self.handle, relative, absolute))

    @property
    def stabilization(self) -> Tuple[str, float, float]:
        """Kind of stabilization, and Baumgarte's alpha and beta [1/s] (0: the default)."""
        kind, alpha, beta = c_int(), c_double(), c_double()
        check(lib.ukWorldGetStabilization(self.handle, kind, alpha, beta))
        return _STABILIZATIONS[kind.value], alpha.value, beta.value

    def set_stabilization(self, kind: str, alpha: float = 0.0, beta: float = 0.0) -> None:
        """Sets `stabilization`: erp, baumgarte, projection, none or split."""
        check(lib.ukWorldSetStabilization(self.handle, _choice(_STABILIZATIONS, kind, "stabilization"), alpha, beta))

    @property
    def friction_rounds(self) -> int:
        """Maximum number of fixed-point iterations on the friction bounds."""
        return _known(self.handle, lib.ukWorldGetFrictionRounds(self.handle))

    def set_friction_rounds(self, rounds: int) -> None:
        """Sets `friction_rounds`: 2 to 100."""
        check(lib.ukWorldSetFrictionRounds(self.handle, rounds))

    @property
    def gauss_check(self) -> Tuple[float, str]:
        """Tolerance of the Gauss check, and what to do when it rejects a step."""
        tolerance, action = c_double(), c_int()
        check(lib.ukWorldGetGaussCheck(self.handle, tolerance, action))
        return tolerance.value, _CHECKS[action.value]

    def set_check(self, tolerance: float, action: str = "warn") -> None:
        """Sets `gauss_check`: off, warn, resolve, fallback or stop where a scaled residual exceeds `tolerance`."""
        check(lib.ukWorldSetGaussCheck(self.handle, tolerance, _choice(_CHECKS, action, "action")))

    @property
    def rank_tolerance(self) -> float:
        """Singular values of unit rows at or below it count as zero; 0: automatic."""
        return _known(self.handle, lib.ukWorldGetRankTolerance(self.handle))

    def set_rank_tolerance(self, relative: float) -> None:
        """Sets `rank_tolerance`."""
        check(lib.ukWorldSetRankTolerance(self.handle, relative))

    # ---- results of a step

    @property
    def report(self) -> Report:
        """Of the last step or evaluation; all zero before the first."""
        return values(Report, _filled(lib.ukWorldGetReportSized, self.handle, ReportStruct()))

    @property
    def ledger_on(self) -> bool:
        """Whether the world keeps a ledger; reading `ledger` or `power` switches it on."""
        return bool(_known(self.handle, lib.ukWorldIsLedgerOn(self.handle)))

    @ledger_on.setter
    def ledger_on(self, on: bool) -> None:
        check(lib.ukWorldSetLedger(self.handle, int(on)))

    @property
    def ledger(self) -> Ledger:
        """Energy balance since it was first read, or reset [J]."""
        return values(Ledger, _filled(lib.ukWorldGetLedgerSized, self.handle, LedgerStruct()))

    @property
    def power(self) -> Ledger:
        """The power of every cause over the last step [W]; `time` is the step size."""
        return values(Ledger, _filled(lib.ukWorldGetPowerSized, self.handle, LedgerStruct()))

    def reset_ledger(self) -> None:
        """Resets the ledger, and switches it on."""
        check(lib.ukWorldResetLedger(self.handle))

    def equations(self, sparse: bool = False) -> Equations:
        """The equations of the last step or evaluation.

        sparse   M and A as scipy.sparse.csr_matrix (needs SciPy)
        """
        e = _filled(lib.ukWorldGetEquationsSized, self.handle, EquationsStruct())
        n, m = e.n, e.m
        M, A = array(e.M, n, n), array(e.A, m, n)
        if sparse:
            from scipy.sparse import csr_matrix
            M, A = csr_matrix(M), csr_matrix(A)
        vectors = {name: array(getattr(e, name), n) for name in ("a", "C", "qdd", "Qi", "Qni")}
        rows = {name: array(getattr(e, name), m) for name in ("b", "lam", "softness", "lo", "hi")}
        return Equations(M=M, A=A, bodies=[Body(self, e.bodies[i]) for i in range(n // 6)], **vectors, **rows)

    def diagnose(self) -> Diagnosis:
        """Rank, redundancy and contradictions of the joints at the present state. Nothing moves."""
        d = DiagnosisStruct()
        self._checked(lib.ukWorldDiagnoseSized(self.handle, byref(d), sizeof(d)))
        joints = [JointDiagnosis(Joint(self, j.joint) if j.joint else None, j.rows, j.redundant_rows, bool(j.unique),
                                 [bool(x) for x in j.unique_component], bool(j.in_conflict))
                  for j in d.joints[:d.count]]
        return Diagnosis(d.rows, d.columns, d.rank, d.largest, d.kept, d.dropped, joints, _CONFLICTS[d.conflict],
                         d.conflict_joints, d.conflict_size, bool(d.conflict_is_angle))

    def mobility(self) -> Mobility:
        """The possible motions: a basis of the velocities that the rigid rows admit, and motions as text. Nothing moves."""
        m = MobilityStruct()
        self._checked(lib.ukWorldGetMobilitySized(self.handle, byref(m), sizeof(m)))
        return Mobility(array(m.basis, m.count, m.n), array(m.motion, m.count, m.n),
                        [words.decode(errors="replace") for words in m.words[:m.count]],
                        [Body(self, m.bodies[i]) for i in range(m.n // 6)])

    def assemble(self, targets: Sequence["searches.Target"] = ()) -> "searches.Assembly":
        """Moves the bodies onto their joints, from any poses; with targets: inverse kinematics."""
        return searches.assemble(self, targets)

    def equilibrium(self, tolerance: float = 0.0) -> "searches.Equilibrium":
        """Moves the world to an equilibrium of its forces, if it finds one; tolerance 0: 1e-12."""
        return searches.equilibrium(self, tolerance)

    def inverse_dynamics(self, actuators: Sequence[Tuple], acceleration: Any = None,
                         weights: Optional[Sequence[float]] = None) -> "searches.Inverse":
        """Forces of actuators, inputs as linearize has them, that give the bodies accelerations (bodies x 6)."""
        return searches.inverse_dynamics(self, actuators, acceleration, weights)

    # ---- what is in it

    def linearize(self, inputs: Sequence[Tuple] = (), outputs: Sequence[Tuple] = (),
                  stepsize: float = 0.0) -> "analysis.Linearization":
        """A, B, C, D of the motion about the present state; nothing moves. stepsize [s]: of one step; 0: continuous.

        A signal is (kind, joint or body, axis), axis 0 unless given: ("joint_force", hinge), ("body_position", cart, 0).
        Inputs: joint_force, motor_velocity, body_force. Outputs: joint_position, joint_rate, reaction, body_position,
        body_velocity (ukSignalKind).
        """
        return analysis.linearize(self, inputs, outputs, stepsize, lambda handle: Body(self, handle))

    def linear_operator(self, inputs: Sequence[Tuple] = ()) -> "operators.LinearOperator":
        """A and B of the continuous motion about the present state as operators on vectors of the bodies' motions, for
        large worlds: l = w.linear_operator(); l.A @ x, l.A.rmatvec(y), scipy.sparse.linalg.eigs(l.A)."""
        return operators.LinearOperator(self, inputs, lambda handle: Body(self, handle))

    def modes(self, inputs: Sequence[Tuple] = ()) -> Tuple[List["analysis.Mode"], int]:
        """Modes of motion about the present state, and the number of motions without a restoring force. Motors of
        joints whose forces are among the inputs are left out."""
        return analysis.modes(self, inputs)

    def regulate(self, inputs: Sequence[Tuple], effort: float = 1, stepsize: float = 0) -> "analysis.Regulator":
        """Gains of a linear-quadratic regulator that holds the present state."""
        return analysis.regulate(self, inputs, effort, stepsize, lambda handle: Body(self, handle))

    @property
    def bodies(self) -> List[Body]:
        """Its bodies, in the order of creation."""
        count = _known(self.handle, lib.ukWorldGetBodyCount(self.handle))
        return [Body(self, lib.ukWorldGetBody(self.handle, i)) for i in range(count)]

    @property
    def joints(self) -> List[Joint]:
        """Its joints without contacts, in the order of creation."""
        count = _known(self.handle, lib.ukWorldGetJointCount(self.handle))
        return [Joint(self, lib.ukWorldGetJoint(self.handle, i)) for i in range(count)]

    def body(self, thing: Any) -> Body:
        """The Body of a PyODE body, or of the address of a dBody."""
        return Body(self, match.body(thing, self.handle))

    def joint(self, thing: Any) -> Joint:
        """The Joint of a PyODE joint, or of the address of a dJoint."""
        return Joint(self, match.joint(thing, self.handle))

    def _handles(self, bodies: Sequence[Any]) -> Any:
        return (c_void_p * len(bodies))(*(match.body(body, self.handle) for body in bodies))

    # ---- your own functions

    def constraint(self, bodies: Sequence[Any], rows: int = 1) -> Callable[[Callable], Constraint]:
        """A user constraint, as a decorator: function(context) -> A, b.

        A (rows x 6 count) and b (rows) [m/s^2] of A qdd = b; per body linear, then angular [m/rad], world frame.
        The function becomes a Constraint. An exception in it fails the step, and is raised by step().

            @w.constraint([arm])
            def servo(c):                                   # height follows a sine
                return [0, 0, 1, 0, 0, 0], [-math.sin(c.time)]
        """
        return lambda function: Constraint(self, function, bodies, rows)

    def force(self, bodies: Sequence[Any]) -> Callable[[Callable], Force]:
        """An applied force that depends on the state, as a decorator: function(context) -> (6 count) forces, torques.

        It is evaluated at every stage of an integrator. The function becomes a Force.
        """
        return lambda function: Force(self, function, bodies)

    def switching(self, bodies: Sequence[Any]) -> Callable[[Callable], Switch]:
        """A switching function g, as a decorator: function(context) -> number. The function becomes a Switch.

        Steps are divided where g changes its sign. Your laws and forces read `side` of the Switch, instead of comparing
        states themselves. bodies: those that g depends on, and one of those that your laws and forces act on."""
        return lambda function: Switch(self, function, bodies)

    # ---- keeping

    def save(self) -> bytes:
        """The saved state: everything that later steps depend on."""
        size = lib.ukWorldSave(self.handle, None, 0)
        buffer = ctypes.create_string_buffer(size) if size else None
        if not size or lib.ukWorldSave(self.handle, buffer, size) != size:
            fail(lib.ukGetLastError())
        return buffer.raw

    def restore(self, saved: bytes) -> None:
        """Restores a saved state of the same world. A state of another world raises an error and changes nothing."""
        check(lib.ukWorldRestore(self.handle, saved, len(saved)))

    @property
    def hash(self) -> str:
        """128 bits of the state, in hexadecimal."""
        digest = ctypes.create_string_buffer(16)
        check(lib.ukWorldHash(self.handle, digest))
        return digest.raw.hex()

    def record(self, path: Optional[str], rate: float = 0.0, every_step: bool = False, inputs: bool = False,
               certificates: bool = False) -> None:
        """Records into an SQLite file from now on; None ends it.

        rate           how often all but `step` is written, per second of simulated time; 0: 60
        every_step     all is written at every step
        inputs         with what the program changes, so that it can be replayed
        certificates   with the equations of each step, so that it can be verified
        """
        options = RecordOptionsStruct(rate, int(every_step), int(inputs), int(certificates))
        check(lib.ukWorldRecord(self.handle, path.encode() if path else None, byref(options)))


def worlds() -> List[World]:
    """Every world of the process, in the order of creation, as they are: enabled or not."""
    return [World(lib.ukGetWorld(i), enable=False) for i in range(lib.ukGetWorldCount())]
