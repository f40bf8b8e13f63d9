# SPDX-License-Identifier: BSD-3-Clause
"""ukode.formulas: the formulas of constrained motion as the papers state them, on arrays.

    from ukode import formulas
    s = formulas.System(M, A, b, Q)               # and C, tolerance
    s.acceleration()                              # 2004 [9]
    X, P = s.m_inverse()                          # 2004 [13a-d], [20]
    Qi, Qni = s.forces()                          # 2004 [11], [12]

libukode-formulas does the work (package libukode-formulas0); docs/formulas.md has every equation with its function.
Arrays are NumPy's where NumPy is installed, and nested lists otherwise; so may be what you give. Matrices are rows of
numbers, whatever their memory order. A failed call raises ukode.Error with the status, an argument of the wrong size
ValueError. M (n x n) is the mass matrix, A (m x n) and b (m) are the constraints A qdd = b, Q (n) is the impressed force, C
(n) the prescribed non-ideal force.
"""
import ctypes
import os
import pathlib
from ctypes import POINTER, c_char_p, c_double, c_int, c_void_p
from typing import Any, Callable, List, Sequence, Tuple

from . import library
from .arrays import array, flatten, store

_reals = POINTER(c_double)


def _load() -> ctypes.CDLL:
    """Beside the library of ukode that was loaded; UKODE_FORMULAS_LIBRARY names another; else the system's."""
    names = [os.environ["UKODE_FORMULAS_LIBRARY"]] if "UKODE_FORMULAS_LIBRARY" in os.environ else []
    beside = pathlib.Path(library.lib._name).parent / "libukode-formulas.so.0"
    names += [str(beside)] if beside.exists() and beside.is_absolute() else []
    reasons = []
    for name in names + ["libukode-formulas.so.0"]:
        try:
            return ctypes.CDLL(name)
        except OSError as reason:
            reasons.append(str(reason))
    raise ImportError("libukode-formulas was not found (package libukode-formulas0): " + "; ".join(reasons))


_lib = _load()
_lib.ukFormulaErrorString.restype = c_char_p


class _System(ctypes.Structure):
    _fields_ = [("n", c_int), ("m", c_int), ("M", _reals), ("A", _reals), ("b", _reals), ("Q", _reals), ("C", _reals),
                ("tolerance", c_double)]


class _Choice(ctypes.Structure):
    _fields_ = [("U", _reals), ("W", _reals), ("w", _reals)]


class _State(ctypes.Structure):
    _fields_ = [("n", c_int), ("t", c_double), ("q", _reals), ("v", _reals)]


_ConstraintFn = ctypes.CFUNCTYPE(c_int, POINTER(_State), _reals, c_void_p)


def _given(numbers: Any, size: int, what: str) -> Any:
    """`size` doubles of a caller's array; None stays None"""
    if numbers is None:
        return None
    memory = (c_double * max(size, 1))()
    store(memory, numbers, size, what)
    return memory


def _call(name: str, *arguments: Any) -> None:
    status = getattr(_lib, "ukFormula" + name)(*arguments)
    if status != 0:
        raise library.Error(status, _lib.ukFormulaErrorString(status).decode())


def _outputs(shapes: Sequence[Tuple[int, ...]]) -> List[Any]:
    sizes = [shape[0] * (shape[1] if len(shape) > 1 else 1) for shape in shapes]
    return [(c_double * max(size, 1))() for size in sizes]


def _arrays(memory: Sequence[Any], shapes: Sequence[Tuple[int, ...]]) -> Any:
    results = [array(m, *shape) if shape != () else m[0] for m, shape in zip(memory, shapes)]
    return results[0] if len(results) == 1 else tuple(results)


def _rows(matrix: Any) -> Tuple[int, int]:
    """Rows and columns of a matrix."""
    rows = len(matrix)
    return rows, len(flatten(matrix)) // rows if rows else 0


def _inverse(name: str, matrix: Any, U: Any, tolerance: float) -> Any:
    m, n = _rows(matrix)
    out = _outputs([(n, m)])
    free = () if name == "Pseudoinverse" else (_given(U, n * m, "U"),)
    _call(name, m, n, _given(matrix, m * n, "matrix"), *free, c_double(tolerance), out[0])
    return _arrays(out, [(n, m)])


def pseudoinverse(A: Any, tolerance: float = 0) -> Any:
    """A^+ (n x m)."""
    return _inverse("Pseudoinverse", A, None, tolerance)


def g_inverse(A: Any, U: Any = None, tolerance: float = 0) -> Any:
    """Any X with A X A = A (1994 [21]), chosen by U (n x m)."""
    return _inverse("GInverse", A, U, tolerance)


def least_squares_inverse(H: Any, U: Any = None, tolerance: float = 0) -> Any:
    """Any X with H X H = H, (H X)' = H X (1994 [26], [27])."""
    return _inverse("LeastSquaresInverse", H, U, tolerance)


def one_four_inverse(B: Any, U: Any = None, tolerance: float = 0) -> Any:
    """Any X with B X B = B, (X B)' = X B (2000, before [24])."""
    return _inverse("OneFourInverse", B, U, tolerance)


def root(M: Any) -> Any:
    """M^1/2 and M^-1/2, symmetric."""
    n = len(M)
    out = _outputs([(n, n)] * 2)
    _call("Root", n, _given(M, n * n, "M"), *out)
    return _arrays(out, [(n, n)] * 2)


def inner(x: Any, Y: Any, y: Any) -> float:
    """(x, y)_Y = x'Y y (1994 [13], 2000 [13])."""
    n, value = len(x), c_double()
    _call("Inner", n, _given(x, n, "x"), _given(Y, n * n, "Y"), _given(y, n, "y"), ctypes.byref(value))
    return value.value


def differentiate(constraint: Callable, q: Any, v: Any, t: float = 0, rows: int = 1, velocities: bool = True) -> Any:
    """A (rows x n) and b (rows) of constraint(t, q, v) = 0 by differences (2004 [3]-[5]): differentiated once where
    `velocities`, else twice, for constraints that do not depend on v. An exception in `constraint` is raised again."""
    n, raised = len(q), []
    state = _State(n, t, _given(q, n, "q"), _given(v, n, "v"))

    def sample(at: Any, value: Any, _: Any) -> int:
        try:
            s = at.contents
            store(value, constraint(s.t, array(s.q, n), array(s.v, n)), rows, "constraint")
        except BaseException as error:  # raised behind the library
            raised.append(error)
            return 1
        return 0

    out = _outputs([(rows, n), (rows,)])
    try:
        _call("Differentiate", ctypes.byref(state), rows, int(velocities), _ConstraintFn(sample), None, *out)
    except library.Error:
        if raised:
            raise raised[0] from None
        raise
    return _arrays(out, [(rows, n), (rows,)])


class System:
    """A constrained system at one instant: M qdd = Q + Q^c, A qdd = b, v'Q^c = v'C where A v = 0.

    tolerance   singular values of A M^-1/2 up to this part of the largest count as 0; 0: rounding
    """

    def __init__(self, M: Any, A: Any = None, b: Any = None, Q: Any = None, C: Any = None, tolerance: float = 0):
        if (A is None) != (b is None):
            raise ValueError("give both A and b, or neither")
        self.n = n = len(M)
        self.m = m = 0 if b is None else len(flatten(b))
        self._s = _System(n, m, _given(M, n * n, "M"), _given(A, m * n, "A"), _given(b, m, "b"), _given(Q, n, "Q"),
                          _given(C, n, "C"), tolerance)

    def _get(self, name: str, shapes: Sequence[Tuple[int, ...]], *given: Any, after: Sequence[Any] = ()) -> Any:
        out = _outputs([shape or (1,) for shape in shapes])
        _call(name, ctypes.byref(self._s), *given, *out, *after)
        return _arrays(out, shapes)

    def _vector(self, x: Any, what: str) -> Any:
        return _given(x, self.n, what)

    def _choice(self, U: Any, W: Any, w: Any = None) -> Any:
        return ctypes.byref(_Choice(_given(U, self.n * self.m, "U"), _given(W, self.n * self.n, "W"), self._vector(w, "w")))

    def free(self) -> Any:
        """a = M^-1 Q and c = M^-1 C (2004 [2])."""
        return self._get("Free", [(self.n,)] * 2)

    def scaled(self) -> Any:
        """B = A M^-1/2 (m x n) and a_s = M^-1/2 (Q + C) (1997 [17], [18])."""
        return self._get("Scaled", [(self.m, self.n), (self.n,)])

    def virtual(self, y: Any) -> Any:
        """A virtual displacement (I - A_M^+ A) y (2004 [17])."""
        return self._get("Virtual", [(self.n,)], self._vector(y, "y"))

    def possible(self, y: Any = None) -> Any:
        """A possible acceleration A_M^+ b + (I - A_M^+ A) y (2000 [8])."""
        return self._get("Possible", [(self.n,)], self._vector(y, "y"))

    def m_inverse(self) -> Any:
        """A_M^+ (n x m) and I - A_M^+ A (n x n) (2004 [13a-d], [20])."""
        return self._get("MInverse", [(self.n, self.m), (self.n, self.n)])

    def m_decomposition(self) -> Any:
        """W (m x k), lambda (k), V (n x k) and the rank of A = W Lambda V' (2004, after [20]), k = min(m, n)."""
        k, rank = min(self.m, self.n), c_int()
        parts = self._get("MDecomposition", [(self.m, k), (k,), (self.n, k)], after=[ctypes.byref(rank)])
        return (*parts, rank.value)

    def acceleration(self) -> Any:
        """qdd = a + A_M^+ (b - A a) + (I - A_M^+ A) c (2004 [9])."""
        return self._get("Acceleration", [(self.n,)])

    def deviation(self, z: Any = None) -> Any:
        """The two parts of qdd - a (2004 [10], [14])."""
        return self._get("Deviation", [(self.n,)] * 2, self._vector(z, "z"))

    def forces(self) -> Any:
        """Qi and Qni (2004 [11], [12])."""
        return self._get("Forces", [(self.n,)] * 2)

    def one_four_acceleration(self, U: Any = None) -> Any:
        """qdd by any {1,4}-inverse (2000 [24], [29])."""
        return self._get("OneFourAcceleration", [(self.n,)], _given(U, self.n * self.m, "U"))

    def one_four_momentum(self, U: Any = None) -> Any:
        """M qdd by any {1,4}-inverse (2000 [25], [30])."""
        return self._get("OneFourMomentum", [(self.n,)], _given(U, self.n * self.m, "U"))

    def one_four_forces(self, U: Any = None) -> Any:
        """Qi and Qni by any {1,4}-inverse (2000 [27], [28])."""
        return self._get("OneFourForces", [(self.n,)] * 2, _given(U, self.n * self.m, "U"))

    def one_four_r(self, U: Any = None) -> Any:
        """r = M^1/2 (qdd - a - c) (2000 [23])."""
        return self._get("OneFourR", [(self.n,)], _given(U, self.n * self.m, "U"))

    def gaussian(self, qhat: Any) -> float:
        """(M qhat - Q)'M^-1 (M qhat - Q) (1994 [16])."""
        return self._get("Gaussian", [()], self._vector(qhat, "qhat"))

    def gaussian_non_ideal(self, qhat: Any) -> float:
        """(M qhat - Q - C)'M^-1 (M qhat - Q - C) (2000 [15])."""
        return self._get("GaussianNonIdeal", [()], self._vector(qhat, "qhat"))

    def measure(self, Qc: Any) -> Any:
        """G_i and G_ni of a force of constraint (2000 [18], [16])."""
        return self._get("Measure", [(), ()], self._vector(Qc, "Qc"))

    def excess(self, qhat: Any) -> float:
        """The excess of Gauss's function over its minimum (2000 [17])."""
        return self._get("Excess", [()], self._vector(qhat, "qhat"))

    def null_basis(self) -> Any:
        """V (n x n - rank), an orthonormal basis of the null space of B (1997 [19])."""
        rank = c_int()
        V = self._get("NullBasis", [(self.n, self.n)], after=[ctypes.byref(rank)])
        return V[:, :self.n - rank.value] if hasattr(V, "shape") else [row[:self.n - rank.value] for row in V]

    def extended(self) -> Any:
        """D, E and J (n x n) (1997 [22])."""
        return self._get("Extended", [(self.n, self.n)] * 3)

    def extended_acceleration(self) -> Any:
        """qdd (1997 [20a])."""
        return self._get("ExtendedAcceleration", [(self.n,)])

    def extended_force(self) -> Any:
        """F^c (1997 [21], [36])."""
        return self._get("ExtendedForce", [(self.n,)])

    def extended_system(self) -> Any:
        """L (rows x 2n) and s (rows) of L r = s (1997 [23], [24])."""
        most, rows = 2 * self.n + self.m, c_int()
        L, s = self._get("ExtendedSystem", [(most, 2 * self.n), (most,)], after=[ctypes.byref(rows)])
        return L[:rows.value], s[:rows.value]

    def _weight(self, W: Any) -> Any:
        if W is None:
            return None
        rows = len(self.extended_system()[1])
        return _given(W, rows * rows, "W")

    def extended_normal(self, W: Any = None) -> Any:
        """L'W L (2n x 2n) and L'W s (2n) (1997 [25], [37])."""
        return self._get("ExtendedNormal", [(2 * self.n, 2 * self.n), (2 * self.n,)], self._weight(W))

    def extended_inverse(self) -> Any:
        """P, J and S (n x n) of the inverse of L'L (1997 [26])."""
        return self._get("ExtendedInverse", [(self.n, self.n)] * 3)

    def extended_weighted(self, W: Any = None) -> Any:
        """r (2n), qdd and F^c (n): weighted least squares of L r = s (1997 [38])."""
        return self._get("ExtendedWeighted", [(2 * self.n,), (self.n,), (self.n,)], self._weight(W))

    def quadratic(self, U: Any = None) -> Any:
        """H (n x n) and z (n) (1994 [23], [24])."""
        return self._get("Quadratic", [(self.n, self.n), (self.n,)], self._choice(U, None))

    def quadratic_acceleration(self, U: Any = None, W: Any = None, w: Any = None) -> Any:
        """qdd with any inverses (1994 [28], [29], [30])."""
        return self._get("QuadraticAcceleration", [(self.n,)], self._choice(U, W, w))

    def control_force(self, U: Any = None, W: Any = None) -> Any:
        """Q' (1994 [33])."""
        return self._get("ControlForce", [(self.n,)], self._choice(U, W))

    def multipliers(self, force: Any) -> Any:
        """Lambda (m) of a force A'Lambda (1994 [35])."""
        return self._get("Multipliers", [(self.m,)], self._vector(force, "force"))

    def lagrange(self) -> Any:
        """qdd and lambda of the augmented Lagrangian (SICM 1.10.1)."""
        return self._get("Lagrange", [(self.n,), (self.m,)])

    def singular_acceleration(self) -> Any:
        """qdd and Qc = M qdd - Q where M may be singular (Udwadia & Phohomsiri 2006)."""
        return self._get("SingularAcceleration", [(self.n,), (self.n,)])

    def undetermined(self) -> Any:
        """Y (n x count), an orthonormal basis of the motions that M and A leave undetermined: M y = 0, A y = 0."""
        count = c_int()
        Y = self._get("Undetermined", [(self.n, self.n)], after=[ctypes.byref(count)])
        return Y[:, :count.value] if hasattr(Y, "shape") else [row[:count.value] for row in Y]

    def vakonomic(self, K: Any, multiplier: Any) -> Any:
        """qdd and Dlambda of L + lambda psi (SICM 1.10.3), K (m x n) = dA/dt - dpsi/dq."""
        return self._get("Vakonomic", [(self.n,), (self.m,)], _given(K, self.m * self.n, "K"),
                         _given(multiplier, self.m, "multiplier"))
