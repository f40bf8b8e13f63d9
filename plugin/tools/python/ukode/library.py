# SPDX-License-Identifier: BSD-3-Clause
"""The shared library: found, loaded before ODE, its functions declared, its statuses made exceptions."""
import ctypes
import os
import pathlib
import sys
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_void_p


class Error(Exception):
    """What a call of the library failed with.

    status   negative, as enum ukStatus of <ukode/status.h> has it
    """

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status


def _candidates():
    """UKODE_LIBRARY; the build folder of the source that this module is in; the prefix that it was installed with; the system's."""
    if "UKODE_LIBRARY" in os.environ:
        yield os.environ["UKODE_LIBRARY"]
        return
    above = pathlib.Path(__file__).resolve().parents
    multiarch = getattr(sys.implementation, "_multiarch", "")
    places = [above[4] / "build"] + [folder / part for folder in above[1:6] for part in ("lib", f"lib/{multiarch}", "lib64")]
    for place in places:
        if (place / "libukode.so.0").exists():
            yield str(place / "libukode.so.0")
    yield "libukode.so.0"


class _Library(ctypes.CDLL):
    """The library. It is not linked with ODE: functions of ODE that it does not wrap are those of the `ode` module's ODE,
    found when the first of them is called, by when the module is imported."""

    def __getattr__(self, name: str):
        try:
            function = super().__getattr__(name)
        except AttributeError:
            if not name.startswith("d"):
                raise
            function = getattr(self._of_ode(), name)
        if name in _PROTOTYPES:
            function.restype, function.argtypes = _PROTOTYPES[name]
        setattr(self, name, function)
        return function

    def _of_ode(self) -> ctypes.CDLL:
        if "_ode" not in self.__dict__:
            self._ode = ctypes.CDLL(getattr(sys.modules.get("ode"), "__file__", None) or "libode.so.8")
        return self._ode


def _load() -> ctypes.CDLL:
    # A program that was started by `ukode run` has it already; else it must come before whoever loads ODE.
    preloaded = "libukode.so" in os.environ.get("LD_PRELOAD", "")
    if "ode" in sys.modules and not preloaded:
        raise ImportError("import ukode before ode: the steps of ODE's functions are bound when ode is imported")
    reasons = []
    for name in _candidates():
        try:
            return _Library(name, mode=ctypes.RTLD_GLOBAL)
        except OSError as reason:
            reasons.append(str(reason))
    raise ImportError("libukode was not found (package libukode0, or set UKODE_LIBRARY): " + "; ".join(reasons))


lib = _load()

_real, _handle, _reals = c_double, c_void_p, POINTER(c_double)
_vector = _reals

# name: (result, arguments)
_PROTOTYPES = {
    "ukGetErrorString": (c_char_p, [c_int]),
    "ukGetLastError": (c_int, []),
    "ukGetLastErrorMessage": (c_char_p, []),
    "ukGetVersion": (c_char_p, []),
    "ukWorldStep": (c_int, [_handle, _real]),
    "ukWorldEnable": (c_int, [_handle]),
    "ukWorldDisable": (c_int, [_handle]),
    "ukWorldIsEnabled": (c_int, [_handle]),
    "ukWorldSetSolver": (c_int, [_handle, c_int]),
    "ukWorldGetSolver": (c_int, [_handle]),
    "ukWorldSetIntegrator": (c_int, [_handle, c_int]),
    "ukWorldGetIntegrator": (c_int, [_handle]),
    "ukWorldSetTolerance": (c_int, [_handle, _real, _real]),
    "ukWorldGetTolerance": (c_int, [_handle, _reals, _reals]),
    "ukWorldSetStabilization": (c_int, [_handle, c_int, _real, _real]),
    "ukWorldGetStabilization": (c_int, [_handle, POINTER(c_int), _reals, _reals]),
    "ukWorldSetFriction": (c_int, [_handle, c_int]),
    "ukWorldGetFriction": (c_int, [_handle]),
    "ukWorldSetFrictionRounds": (c_int, [_handle, c_int]),
    "ukWorldGetFrictionRounds": (c_int, [_handle]),
    "ukWorldSetBudget": (c_int, [_handle, c_int]),
    "ukWorldGetBudget": (c_int, [_handle]),
    "ukWorldSetPassLimit": (c_int, [_handle, c_int]),
    "ukWorldGetPassLimit": (c_int, [_handle]),
    "ukWorldSetCfmRule": (c_int, [_handle, c_int]),
    "ukWorldGetCfmRule": (c_int, [_handle]),
    "ukWorldSetJointRule": (c_int, [_handle, c_int]),
    "ukWorldGetJointRule": (c_int, [_handle]),
    "ukWorldSetGaussCheck": (c_int, [_handle, _real, c_int]),
    "ukWorldGetGaussCheck": (c_int, [_handle, _reals, POINTER(c_int)]),
    "ukWorldSetRankTolerance": (c_int, [_handle, _real]),
    "ukWorldGetRankTolerance": (_real, [_handle]),
    "ukWorldSetThreads": (c_int, [_handle, c_int]),
    "ukWorldGetThreads": (c_int, [_handle]),
    "ukWorldGetReportSized": (c_int, [_handle, c_void_p, c_size_t]),
    "ukWorldGetEquationsSized": (c_int, [_handle, c_void_p, c_size_t]),
    "ukWorldSetLedger": (c_int, [_handle, c_int]),
    "ukWorldIsLedgerOn": (c_int, [_handle]),
    "ukWorldGetLedgerSized": (c_int, [_handle, c_void_p, c_size_t]),
    "ukWorldGetPowerSized": (c_int, [_handle, c_void_p, c_size_t]),
    "ukWorldResetLedger": (c_int, [_handle]),
    "ukWorldEvaluate": (c_int, [_handle]),
    "ukWorldProject": (c_int, [_handle]),
    "ukWorldDiagnoseSized": (c_int, [_handle, c_void_p, c_size_t]),
    "ukWorldAssembleSized": (c_int, [_handle, c_void_p, c_int, c_void_p, c_size_t]),
    "ukWorldEquilibriumSized": (c_int, [_handle, _real, c_void_p, c_size_t]),
    "ukWorldInverseDynamicsSized": (c_int, [_handle, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t]),
    "ukWorldGetMobilitySized": (c_int, [_handle, c_void_p, c_size_t]),
    "ukWorldLinearizeSized": (c_int, [_handle, c_void_p, c_int, c_void_p, c_int, _real, c_void_p, c_size_t]),
    "ukWorldModes": (c_int, [_handle, c_void_p, c_void_p, c_void_p]),
    "ukWorldModesOf": (c_int, [_handle, c_void_p, c_int, c_void_p, c_void_p, c_void_p]),
    "ukWorldRegulateSized": (c_int, [_handle, c_void_p, c_int, _real, _real, c_void_p, c_size_t]),
    "ukLinearOperatorCreate": (_handle, [_handle, c_void_p, c_int]),
    "ukLinearOperatorDestroy": (None, [_handle]),
    "ukLinearOperatorGetInfoSized": (c_int, [_handle, c_void_p, c_size_t]),
    "ukLinearOperatorApply": (c_int, [_handle, c_int, c_void_p, c_void_p]),
    "ukLinearOperatorApplyInputs": (c_int, [_handle, c_int, c_void_p, c_void_p]),
    "ukWorldGetTime": (_real, [_handle]),
    "ukWorldSetTime": (c_int, [_handle, _real]),
    "ukWorldSetSwitch": (c_int, [_handle, _real]),
    "ukWorldGetSwitch": (_real, [_handle, c_int]),
    "ukWorldClearSwitches": (c_int, [_handle]),
    "ukConstraintCreate": (_handle, [_handle, c_int, c_void_p, c_int, c_void_p, c_void_p]),
    "ukConstraintDestroy": (None, [_handle]),
    "ukConstraintGetForce": (c_int, [_handle, _vector]),
    "ukConstraintGetImpulse": (c_int, [_handle, _vector]),
    "ukConstraintGetNonIdealForce": (c_int, [_handle, _vector]),
    "ukConstraintSetWeight": (c_int, [_handle, c_void_p, c_int]),
    "ukConstraintGetWeight": (c_int, [_handle, c_void_p]),
    "ukConstraintSetActuators": (c_int, [_handle, c_void_p, c_int]),
    "ukConstraintGetActuators": (c_int, [_handle, c_void_p]),
    "ukConstraintGetActuatorForces": (c_int, [_handle, c_void_p]),
    "ukConstraintGetGaussian": (c_int, [_handle, _reals, _reals]),
    "ukConstraintAuditSized": (c_int, [_handle, c_void_p, c_size_t]),
    "ukConstraintSetNonIdeal": (c_int, [_handle, c_void_p, c_void_p]),
    "ukConstraintSetError": (c_int, [_handle, c_void_p, c_void_p]),
    "ukConstraintSetBounds": (c_int, [_handle, c_int, _real, _real]),
    "ukConstraintGetBounds": (c_int, [_handle, c_int, _vector, _vector]),
    "ukConstraintSetOneSided": (c_int, [_handle, c_int]),
    "ukConstraintGetOneSided": (c_int, [_handle, c_int]),
    "ukConstraintSetRestitution": (c_int, [_handle, c_int, _real]),
    "ukConstraintGetRestitution": (_real, [_handle, c_int]),
    "ukConstraintSetCoulomb": (c_int, [_handle, _real]),
    "ukConstraintGetCoulomb": (_real, [_handle]),
    "ukForceCreate": (_handle, [_handle, c_void_p, c_int, c_void_p, c_void_p]),
    "ukForceDestroy": (None, [_handle]),
    "ukSwitchCreate": (_handle, [_handle, c_void_p, c_int, c_void_p, c_void_p]),
    "ukSwitchDestroy": (None, [_handle]),
    "ukSwitchGetSide": (c_int, [_handle]),
    "ukJointSetCoulomb": (c_int, [_handle, _real, _real]),
    "ukJointGetCoulomb": (c_int, [_handle, _reals, _reals]),
    "ukJointSetStribeck": (c_int, [_handle, _real, _real]),
    "ukJointGetStribeck": (c_int, [_handle, _reals, _reals]),
    "ukJointSetViscous": (c_int, [_handle, _real]),
    "ukJointGetViscous": (_real, [_handle]),
    "ukJointSetDrag": (c_int, [_handle, _real]),
    "ukJointGetDrag": (_real, [_handle]),
    "ukJointSetNonIdeal": (c_int, [_handle, c_void_p, c_void_p]),
    "ukJointGetForces": (c_int, [_handle, c_void_p, c_void_p]),
    "ukJointGetGaussian": (c_int, [_handle, _reals, _reals]),
    "ukGetWorldCount": (c_int, []),
    "ukGetWorld": (_handle, [c_int]),
    "ukWorldGetBodyCount": (c_int, [_handle]),
    "ukWorldGetBody": (_handle, [_handle, c_int]),
    "ukWorldGetJointCount": (c_int, [_handle]),
    "ukWorldGetJoint": (_handle, [_handle, c_int]),
    "ukBodySetMassless": (c_int, [_handle, c_int]),
    "ukBodyGetMassless": (c_int, [_handle]),
    "ukBodySetName": (c_int, [_handle, c_char_p]),
    "ukBodyGetName": (c_char_p, [_handle]),
    "ukJointSetName": (c_int, [_handle, c_char_p]),
    "ukJointGetName": (c_char_p, [_handle]),
    "ukWorldSave": (c_size_t, [_handle, c_void_p, c_size_t]),
    "ukWorldRestore": (c_int, [_handle, c_void_p, c_size_t]),
    "ukWorldHash": (c_int, [_handle, c_void_p]),
    "ukWorldRecord": (c_int, [_handle, c_char_p, c_void_p]),
    "dWorldQuickStep": (c_int, [_handle, _real]),
    "dWorldGetContactSurfaceLayer": (_real, [_handle]),
    "dBodyGetPosition": (_vector, [_handle]),
    "dBodyGetQuaternion": (_vector, [_handle]),
    "dBodyGetLinearVel": (_vector, [_handle]),
    "dBodyGetAngularVel": (_vector, [_handle]),
    "dBodyGetForce": (_vector, [_handle]),
    "dBodyIsEnabled": (c_int, [_handle]),
    "dJointGetType": (c_int, [_handle]),
    "dJointGetBody": (_handle, [_handle, c_int]),
    "dJointGetFeedback": (c_void_p, [_handle]),
}
for _name in _PROTOTYPES:
    if _name.startswith("uk"):
        getattr(lib, _name)  # a library of another version fails here, by name


def version() -> str:
    """Version of the library that runs, "1.2.3"."""
    return lib.ukGetVersion().decode()


def fail(status: int):
    """Raises ukode.Error for `status`, with the library's message if it belongs to that status."""
    text = lib.ukGetErrorString(status).decode()
    if lib.ukGetLastError() == status and lib.ukGetLastErrorMessage():
        text += ": " + lib.ukGetLastErrorMessage().decode(errors="replace")
    raise Error(status, text)


def check(status: int) -> int:
    """`status` if it is not an error; raises ukode.Error otherwise."""
    if status < 0:
        fail(status)
    return status
