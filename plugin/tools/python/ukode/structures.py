# SPDX-License-Identifier: BSD-3-Clause
"""The library's structs. Those of numbers alone are named tuples, and their C twins are made of the annotations."""
import ctypes
from ctypes import POINTER, c_double, c_int, c_void_p
from typing import Any, List, NamedTuple, Optional

_C = {int: c_int, float: c_double}


class Report(NamedTuple):
    """The last step or evaluation: sums or maxima over its islands (ukReport)."""
    bodies: int  #: stepped bodies, kinematic ones included
    joints: int  #: joints with rows
    rows: int
    rank: int  #: numerical rank of the active rows; -1: not determined
    active_rows: int  #: equalities, and bounded rows strictly between their bounds
    pivots: int  #: changes of the active set: rows that became free or met a bound
    factorizations: int  #: of systems with bounded rows; a homotopy counts as one
    discrete_islands: int  #: islands in the discrete form although another integrator was chosen
    fallbacks: int  #: steps by ODE's own stepper since the world was made
    gaussian: float  #: Gauss's function G_i = Qc' M^-1 Qc, Qc = M qdd - Q [N m/s^2], and its two parts
    gaussian_ideal: float
    gaussian_nonideal: float
    feasibility: float  #: scaled residuals, dimensionless
    stationarity: float
    complementarity: float
    compromise: float  #: violation of the stated equations, relative to the accelerations
    coupling: float  #: error of self-consistent friction; 0: the friction law is satisfied
    cfm_islands: int  #: islands in which ODE's default CFM was set to zero
    position_error: float  #: largest |phi| [m or rad]
    velocity_error: float  #: largest |A v - target| [m/s or rad/s]
    kinetic_energy: float  #: [J]
    potential_energy: float  #: [J]
    seconds_assemble: float
    seconds_solve: float
    seconds_check: float
    seconds_write: float
    ok: int  #: 1: every residual is within the tolerance of the check
    substeps: int  #: sub-steps of all islands (adaptive; RATTLE: parts of steps, usually 0)
    rejected: int  #: rejected trials of sub-steps
    evaluations: float  #: of the world's equations that the step took (World.budget)
    Gni: float  #: Gauss's function with C, (Qc - C)' M^-1 (Qc - C) [N m/s^2]
    implicit_substeps: int  #: of substeps, those by the implicit method for stiff forces (adaptive)


class Ledger(NamedTuple):
    """Work on a world's bodies by cause [J], or with World.power their powers [W] (ukLedger)."""
    time: float  #: stepped since [s]
    kinetic_start: float
    potential_start: float
    kinetic: float
    potential: float
    applied: float
    ideal: float
    nonideal: float
    motors: float
    stops: float
    contact_normal: float
    contact_friction: float
    gyroscopic: float
    stabilization: float
    damping: float
    sleeping: float
    outside: float
    integration: float
    residual: float  #: unexplained


def twin(kind: Any) -> Any:
    """The C struct of a named tuple."""
    fields = [(name, _C[hint]) for name, hint in kind.__annotations__.items()]
    return type(kind.__name__ + "Struct", (ctypes.Structure,), {"_fields_": fields})


ReportStruct, LedgerStruct = twin(Report), twin(Ledger)


def values(kind: Any, struct: ctypes.Structure) -> Any:
    """The named tuple of a C struct."""
    return kind(*(getattr(struct, name) for name in kind._fields))


class JointDiagnosis(NamedTuple):
    """Diagnosis of one joint or user constraint (ukJointDiagnosis)."""
    joint: Optional[Any]  #: the Joint; None: a constraint
    rows: int  #: rigid rows
    redundant_rows: int  #: of them, implied by all others
    unique: bool  #: its reaction is determined
    unique_component: List[bool]  #: force x, y, z and torque x, y, z on its first body
    in_conflict: bool  #: belongs to the smallest conflicting set


class Diagnosis(NamedTuple):
    """Rank, redundancy and conflicts of a world's joints at the present state (ukDiagnosis)."""
    rows: int
    columns: int
    rank: int
    largest: float  #: singular values: the largest, the smallest that counts, the largest that does not
    kept: float
    dropped: float
    joints: List[JointDiagnosis]
    conflict: str  #: "none", "pose", "velocity" or "acceleration"
    conflict_joints: int
    conflict_size: float  #: size of the contradiction between rows, in the unit of the conflict
    conflict_is_angle: bool


class AuditFinding(NamedTuple):
    """One comparison of an audit: the entry with the largest difference (ukAuditFinding)."""
    row: int  #: -1: nothing to compare
    body: int  #: of A: in the order given at creation; -1: of b and psi
    component: int  #: of A: 0 to 5; -1: of b and psi
    written: float
    expected: float  #: by finite differences
    size: float  #: of the difference
    wrong: int  #: 1: more than the error of finite differences


class Audit(NamedTuple):
    """A constraint's A and b against finite differences of its phi and psi (ukAudit)."""
    ok: bool  #: nothing is wrong
    A_phi: AuditFinding  #: A against dphi/dq (holonomic rows)
    A_psi: AuditFinding  #: A against dpsi/dv
    psi: AuditFinding  #: psi against dphi/dt along the motion (holonomic rows)
    b: AuditFinding  #: b against -dpsi/dt at constant velocities


AuditFindingStruct = twin(AuditFinding)


class AuditStruct(ctypes.Structure):
    _fields_ = [("ok", c_int)] + [(name, AuditFindingStruct) for name in ("A_phi", "A_psi", "psi", "b")]


class JointDiagnosisStruct(ctypes.Structure):
    _fields_ = [("joint", c_void_p), ("constraint", c_void_p), ("rows", c_int), ("redundant_rows", c_int),
                ("unique", c_int), ("unique_component", c_int * 6), ("in_conflict", c_int)]


class DiagnosisStruct(ctypes.Structure):
    _fields_ = [("rows", c_int), ("columns", c_int), ("rank", c_int), ("largest", c_double), ("kept", c_double),
                ("dropped", c_double), ("count", c_int), ("joints", POINTER(JointDiagnosisStruct)),
                ("conflict", c_int), ("conflict_joints", c_int), ("conflict_size", c_double),
                ("conflict_is_angle", c_int)]


_REALS = POINTER(c_double)


class EquationsStruct(ctypes.Structure):
    _fields_ = ([("n", c_int), ("m", c_int)] +
                [(name, _REALS) for name in ("M", "A", "b", "a", "C", "qdd", "Qi", "Qni", "lam")] +
                [("bodies", POINTER(c_void_p)), ("softness", _REALS), ("lo", _REALS), ("hi", _REALS)])


class MobilityStruct(ctypes.Structure):
    _fields_ = [("n", c_int), ("count", c_int), ("basis", _REALS), ("motion", _REALS),
                ("words", POINTER(ctypes.c_char_p)), ("bodies", POINTER(c_void_p))]


class BodyStateStruct(ctypes.Structure):
    _fields_ = [("position", c_double * 3), ("orientation", c_double * 4), ("velocity", c_double * 3),
                ("spin", c_double * 3), ("mass", c_double), ("inertia", c_double * 9)]


class ContextStruct(ctypes.Structure):
    _fields_ = [("time", c_double), ("stepsize", c_double), ("count", c_int), ("bodies", POINTER(BodyStateStruct))]


class LawContextStruct(ctypes.Structure):
    _fields_ = [("time", c_double), ("stepsize", c_double), ("joint", c_void_p),
                ("body", POINTER(BodyStateStruct) * 2), ("ideal", _REALS), ("axes", c_int), ("axis", _REALS),
                ("rate", _REALS), ("is_translation", POINTER(c_int)), ("stop", _REALS), ("motor", _REALS)]


class RecordOptionsStruct(ctypes.Structure):
    _fields_ = [("rate", c_double), ("every_step", c_int), ("inputs", c_int), ("certificates", c_int)]
