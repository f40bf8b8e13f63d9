# SPDX-License-Identifier: BSD-3-Clause
"""A and B of a world's linearization as operators, which are not formed (ukLinearOperator of <ukode/analysis.h>)."""
import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_void_p, sizeof
from typing import Any, Callable, List, Sequence, Tuple

from . import analysis
from .arrays import array, exactly
from .library import check, fail, lib

_REALS = POINTER(c_double)


class LinearOperatorStruct(ctypes.Structure):
    _fields_ = ([(name, c_int) for name in ("bodies", "inputs", "positions", "velocities", "rank", "redundant")] +
                [("f", _REALS), ("body", POINTER(c_void_p)), ("error", c_double), ("moved", c_double),
                 ("activity", c_char_p)])


class _Owner:
    """Owns an operator of the library; LinearOperator and its products share it."""

    def __init__(self, world: Any, inputs: Sequence[Tuple]):
        self.handle = lib.ukLinearOperatorCreate(world.handle, analysis.signals(world, inputs), len(inputs))
        if not self.handle:
            fail(lib.ukGetLastError())

    def __del__(self):
        if getattr(self, "handle", None) and lib is not None:  # None: the interpreter ends
            lib.ukLinearOperatorDestroy(self.handle)


class Product:
    """A matrix that is defined by its products. It has the members that scipy.sparse.linalg.aslinearoperator, eigs and lsqr need:
    shape, dtype, matvec, rmatvec; and @."""
    dtype = float

    def __init__(self, owner: _Owner, shape: Tuple[int, int], call: Callable):
        self.shape = shape
        self._owner = owner
        self._call = call

    def _product(self, x: Any, transposed: int) -> Any:
        rows, columns = self.shape[::-1] if transposed else self.shape
        start, out = (c_double * max(1, columns))(*exactly(x, columns, "x")), (c_double * max(1, rows))()
        check(self._call(self._owner.handle, transposed, start, out))
        return array(ctypes.cast(out, _REALS), rows)

    def matvec(self, x: Any) -> Any:
        """The matrix times x."""
        return self._product(x, 0)

    def rmatvec(self, x: Any) -> Any:
        """Its transpose times x."""
        return self._product(x, 1)

    __matmul__ = matvec


class LinearOperator:
    """d/dt [dq; dv] = f + A [dq; dv] + B u about a state, 6 numbers per body each, without matrices (World.linear_operator).
    It does not change when the world is stepped."""

    def __init__(self, world: Any, inputs: Sequence[Tuple], body: Any):
        owner = _Owner(world, inputs)
        s = LinearOperatorStruct()
        check(lib.ukLinearOperatorGetInfoSized(owner.handle, byref(s), sizeof(s)))
        n = 12 * s.bodies
        self.A = Product(owner, (n, n), lib.ukLinearOperatorApply)  #: on [dq; dv]
        self.B = Product(owner, (n, s.inputs), lib.ukLinearOperatorApplyInputs)  #: on inputs
        self.f: Any = array(s.f, n)  #: 0 at an equilibrium
        self.bodies: List[Any] = [body(s.body[i]) for i in range(s.bodies)]  #: in the order of the vectors
        self.positions: int = s.positions  #: dimension of the admissible displacements
        self.velocities: int = s.velocities  #: of the admissible velocities
        self.rank: int = s.rank  #: of the rigid rows
        self.redundant: int = s.redundant  #: rows implied by others
        self.error: float = s.error  #: estimate, relative to the size of the products
        self.moved: float = s.moved  #: how far the present poses were from the constraints [kg^1/2 m]
        self.activity: str = s.activity.decode()  #: what motors, friction and stops count as, a line each
