# SPDX-License-Identifier: BSD-3-Clause
"""ukode.formulas: every function of the library once, on a system whose numbers are known, in plain Python."""
import pathlib
import re
import unittest

from ukode import Error, formulas

try:
    import numpy
except ImportError:
    numpy = None

M = [[4.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 9.0]]  # roots 2, 1, 3
A = [[1.0, 1.0, 0.0], [2.0, 2.0, 0.0]]  # rank 1
B = [[0.5, 1.0, 0.0], [1.0, 2.0, 0.0]]
b = [3.0, 6.0]
Q = [4.0, 5.0, 9.0]
C = [8.0, -1.0, 18.0]
# a = (1, 5, 1), c = (2, -1, 2). The first row says all: qdd = a + c + lambda M^-1 (1, 1, 0), A M^-1 A' = 5/4
LAMBDA = (3 - (1 + 2) - (5 - 1)) / 1.25
QDD = [3 + LAMBDA / 4, 4 + LAMBDA, 3.0]
IDEAL = (3 - 6) / 1.25  # without C
QI = [IDEAL, IDEAL, 0.0]
QNI = [C[0] + LAMBDA - IDEAL, C[1] + LAMBDA - IDEAL, 18.0]
W3 = [1.0, 2.0, 3.0]


def flat(x):
    if hasattr(x, "tolist"):
        x = x.tolist()
    return [z for y in x for z in flat(y)] if isinstance(x, (list, tuple)) else [x]


def mul(X, Y):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*Y)] for row in X]


class Formulas(unittest.TestCase):
    def setUp(self):
        self.s = formulas.System(M, A, b, Q, C)
        self.one = formulas.System(M, A[:1], b[:1], Q, C)  # independent rows

    def same(self, x, y):
        x, y = flat(x), flat(y)
        self.assertEqual(len(x), len(y))
        for u, v in zip(x, y):
            self.assertAlmostEqual(u, v, 9)

    def test_every_function_of_the_header(self):
        source = pathlib.Path(__file__).parents[2]
        header = (source / "solvers/formulas/formulas.h").read_text()
        module = (source / "plugin/tools/python/ukode/formulas.py").read_text()
        for name in re.findall(r"^UKODE_API int ukFormula(\w+)\(", header, re.M):
            self.assertTrue(f'"{name}"' in module, name)

    def test_arrays(self):
        X, P = self.s.m_inverse()
        if numpy:
            self.assertIsInstance(X, numpy.ndarray)
            self.assertEqual((X.shape, P.shape), ((3, 2), (3, 3)))
            column_major = formulas.System(numpy.asfortranarray(M), numpy.asfortranarray(A), numpy.array(b), Q, C)
            self.same(column_major.acceleration(), QDD)
        else:
            self.assertIsInstance(X, list)
            self.assertEqual((len(X), len(X[0])), (3, 2))

    def test_2004(self):
        s = self.s
        self.same(s.free(), [1, 5, 1, 2, -1, 2])
        self.same(s.acceleration(), QDD)
        self.same(s.forces(), QI + QNI)
        first, second = s.deviation()
        self.same([u + v for u, v in zip(flat(first), flat(second))], [q - a for q, a in zip(QDD, [1, 5, 1])])
        self.same(s.deviation(C)[0], first)
        X, P = s.m_inverse()
        self.same(X, [[0.2 / 5, 0.4 / 5], [0.8 / 5, 1.6 / 5], [0, 0]])
        self.same(P, [[0.8, -0.2, 0], [-0.8, 0.2, 0], [0, 0, 1]])
        self.same(s.virtual(W3), [0.8 - 0.4, -0.8 + 0.4, 3])
        self.same(s.possible(), [0.6, 2.4, 0])
        self.same(s.possible(W3), [1.0, 2.0, 3.0])
        W, sigma, V, rank = s.m_decomposition()
        self.assertEqual(rank, 1)
        self.same(flat(sigma)[0] ** 2, 1.25 * 5)

    def test_2000(self):
        s, U = self.s, [[1, -2], [0.5, 3], [2, 1]]
        for choice in (None, U):
            self.same(s.one_four_acceleration(choice), QDD)
            self.same(s.one_four_momentum(choice), [m[i] * q for i, (m, q) in enumerate(zip(M, QDD))])
            self.same(s.one_four_forces(choice), QI + QNI)
            self.same(s.one_four_r(choice), [2 * (QDD[0] - 3), QDD[1] - 4, 0])
        least = LAMBDA ** 2 * 1.25
        self.same(s.gaussian_non_ideal(QDD), least)
        further = [QDD[0] + 1, QDD[1] - 1, QDD[2]]
        self.same(s.gaussian_non_ideal(further), least + 5)
        self.same(s.excess(further), 5)
        whole = [i + n for i, n in zip(QI, QNI)]
        self.same(s.measure(whole), [whole[0] ** 2 / 4 + whole[1] ** 2 + whole[2] ** 2 / 9, least])
        self.same(s.gaussian([0, 0, 0]), 4 + 25 + 9)

    def test_1997(self):
        s = self.s
        B_, a_s = s.scaled()
        self.same(B_, B)
        self.same(a_s, [6, 4, 9])
        self.same(s.extended_acceleration(), QDD)
        self.same(s.extended_force(), [LAMBDA, LAMBDA, 0])
        D, E, J = s.extended()
        self.same(D, mul(list(zip(*B)), B))
        self.same(E, [[0.8, -0.4, 0], [-0.4, 0.2, 0], [0, 0, 1]])
        V = s.null_basis()
        self.assertEqual(len(V[0]), 2)
        self.same(mul(flat_rows(V), list(zip(*flat_rows(V)))), E)
        L, rhs = s.extended_system()
        self.assertEqual((len(L), len(L[0]), len(rhs)), (7, 6, 7))
        G, g = s.extended_normal()
        self.same(G, mul(list(zip(*flat_rows(L))), flat_rows(L)))
        P, J2, S = s.extended_inverse()
        self.same(J2, J)
        weight = [[float(i == j) * (i + 1) for j in range(7)] for i in range(7)]
        self.assertEqual(len(flat(s.extended_normal(weight)[1])), 6)
        for W in (None, weight):
            r, qdd, force = s.extended_weighted(W)
            self.same(qdd, QDD)
            self.same(force, [LAMBDA, LAMBDA, 0])
        self.same(flat(P)[0] - flat(J)[0], mul(flat_rows(E), flat_rows(J))[0][0])
        self.same(flat(S)[0] - flat(J)[0], mul(flat_rows(D), flat_rows(J))[0][0])
        self.same(formulas.root(M), [2, 0, 0, 0, 1, 0, 0, 0, 3, 0.5, 0, 0, 0, 1, 0, 0, 0, 1 / 3])

    def test_tolerance(self):
        almost = [[1.0, 0.0], [1.0, 1e-4]]  # of rank 2, and of rank 1 by a tolerance above their ratio
        for tolerance, rank in ((0, 2), (1e-6, 2), (1e-2, 1)):
            s = formulas.System([[1.0, 0.0], [0.0, 1.0]], almost, [1.0, 1.0], tolerance=tolerance)
            self.assertEqual(s.m_decomposition()[-1], rank)

    def test_1994_and_sicm(self):
        s, U = self.s, [[1, -2], [0.5, 3], [2, 1]]
        self.same(s.quadratic_acceleration(), QDD)
        self.same(s.quadratic_acceleration(U, M, W3), QDD)
        self.same(s.control_force(), [LAMBDA, LAMBDA, 0])
        self.same(s.control_force(U, M), [LAMBDA, LAMBDA, 0])
        H, z = s.quadratic()
        self.same(H, [[1, -1, 0], [-0.5, 0.5, 0], [0, 0, 3]])
        self.same(self.one.multipliers([LAMBDA, LAMBDA, 0]), LAMBDA)
        self.same(self.one.lagrange(), QDD + [LAMBDA])
        self.same(self.one.vakonomic([[0, 0, 0]], [7]), QDD + [-LAMBDA])
        self.same(self.one.singular_acceleration(), QDD + [C[0] + LAMBDA, C[1] + LAMBDA, 18])
        self.same(flat(self.one.undetermined()), [])
        loose = formulas.System([[1, 0], [0, 0]], [[1, 0]], [0]).undetermined()
        self.same([abs(y) for y in flat(loose)], [0, 1])
        turned = self.one.vakonomic([[0, 0, 9]], [2])
        self.same(flat(turned[0])[2], 3 - 2)

    def test_inverses(self):
        plus = [[0.1, 0.2], [0.1, 0.2], [0, 0]]
        self.same(formulas.pseudoinverse(A), plus)
        U = [[1, -2], [0.5, 3], [2, 1]]
        for inverse in (formulas.g_inverse, formulas.least_squares_inverse, formulas.one_four_inverse):
            self.same(inverse(A), plus)
            X = flat_rows(inverse(A, U))
            self.same(mul(mul(A, X), A), A)
            self.assertNotAlmostEqual(flat(X)[0], 0.1)
        self.same(formulas.inner(W3, M, W3), 4 + 4 + 81)

    def test_differentiate(self):
        A_, b_ = formulas.differentiate(lambda t, q, v: [q[0] * q[0] + q[1] * q[1] - 1], [0.6, 0.8], [0.8, -0.6], velocities=False)
        self.assertAlmostEqual(flat(A_)[0], 1.2, 8)
        self.assertAlmostEqual(flat(b_)[0], -2, 6)
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            formulas.differentiate(lambda t, q, v: [1 / 0], [0.6, 0.8], [0, 0])
        with self.assertRaisesRegex(ValueError, "constraint: length 2"):
            formulas.differentiate(lambda t, q, v: [1, 2], [0.6, 0.8], [0, 0])

    def test_errors(self):
        with self.assertRaises(Error) as raised:
            formulas.System([[1, 0], [0, -1]]).acceleration()
        self.assertEqual(raised.exception.status, -5)
        self.assertIn("mass", str(raised.exception))
        with self.assertRaises(Error) as raised:
            self.s.lagrange()
        self.assertEqual(raised.exception.status, -6)
        with self.assertRaisesRegex(ValueError, "A: length 5, expected 6"):
            formulas.System(M, [[1, 1, 0], [2, 2]], b)
        with self.assertRaisesRegex(ValueError, "both A and b"):
            formulas.System(M, A)
        with self.assertRaisesRegex(ValueError, "qhat: length 2"):
            self.s.gaussian([1, 2])
        self.same(formulas.System(M, Q=Q).acceleration(), [1, 5, 1])


def flat_rows(X):
    return [list(flat(row)) for row in X]


if __name__ == "__main__":
    unittest.main()
