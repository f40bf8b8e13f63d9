/* SPDX-License-Identifier: BSD-3-Clause */
/* <ukode/formulas.h>: the formulas of constrained motion, dense and in plain double, each as its paper states it. The
 * library libukode-formulas has them; it needs LAPACKE and CBLAS, and no ODE. docs/formulas.md lists every equation of
 * the papers with its function.
 *
 *   1994  Kalaba & Udwadia, Lagrangian mechanics, Gauss's principle, quadratic programming, and generalized inverses
 *   1997  Udwadia, Kalaba & Hee-Chang, Equations of motion for constrained mechanical systems and the extended
 *         D'Alembert's principle
 *   2000  Udwadia, Fundamental principles of Lagrangian dynamics: mechanical systems with non-ideal, holonomic, and
 *         nonholonomic constraints
 *   2004  Udwadia, On constrained motion
 *   SICM  Sussman & Wisdom, Structure and Interpretation of Classical Mechanics, section 1.10
 *
 * One notation serves all of them:  M qdd = Q + Q^c,  A qdd = b,  v'Q^c = v'C for every v with A v = 0,  a = M^-1 Q,
 * c = M^-1 C,  B = A M^-1/2 with the symmetric root. The papers of 1994 and 1997 know no C: Q + C stands for their
 * force, and their forces of constraint are what is added to Q + C. (1994 writes A for M, D for A, g for b, Q - f for
 * Q.)
 *
 * Common to all functions:
 * - Arrays are row-major and the caller's. Inputs are read only; an output may not overlap an input or another output.
 * - An output that may be NULL says so. Outputs are written only where the function returns 0.
 * - Units are the caller's. Rows are taken as they are: where they contradict each other, or multipliers are not
 * unique,
 *   the result depends on their scale.
 * - Return: 0, or a status; <ukode/status.h> of ukode names them, ukFormulaErrorString says them in words:
 *     -1 ukErrorArgument   a pointer is NULL that may not be, a size is out of range (n and m up to 10000)
 *     -4 ukErrorNotFinite  NaN or infinity in the input, or in what came out
 *     -5 ukErrorMass       M is not symmetric and positive definite
 *     -6 ukErrorSingular   a matrix that must be invertible is not (the function says which)
 *     -7 ukErrorMemory
 *     -8 ukErrorLapack
 *    -13 ukErrorCallback   a function of yours returned an error
 * - Functions may be called from several threads at once. */
#ifndef UKODE_FORMULAS_H
#define UKODE_FORMULAS_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef UKODE_API
#define UKODE_API __attribute__((visibility("default")))
#endif

/** A constrained system at one instant. */
typedef struct ukFormulaSystem {
    int n;            /* coordinates, > 0 */
    int m;            /* rows of constraint, >= 0 */
    const double *M;  /* (n x n) mass matrix, symmetric, positive definite */
    const double *A;  /* (m x n) any rank; NULL where m is 0 */
    const double *b;  /* (m); NULL where m is 0 */
    const double *Q;  /* (n) impressed force; NULL: 0 */
    const double *C;  /* (n) prescribed non-ideal force; NULL: 0 */
    double tolerance; /* singular values of B up to this part of the largest count as 0; 0: 64 max(n, m) epsilon */
} ukFormulaSystem;

/** What a status means, in words; static. */
UKODE_API const char *ukFormulaErrorString(int status);

/* ---- generalized inverses ---------------------------------------------------------------------------------------- */

/** The symmetric roots of M (n x n). @param root, inverse_root (n x n) M^1/2 and M^-1/2; either may be NULL */
UKODE_API int ukFormulaRoot(int n, const double *M, double *root, double *inverse_root);

/** A^+ of A (m x n), the Moore-Penrose inverse. @param tolerance as in ukFormulaSystem @param X (n x m) */
UKODE_API int ukFormulaPseudoinverse(int m, int n, const double *A, double tolerance, double *X);

/** Any g-inverse of A (m x n), A X A = A (1994 [21]): X = A^+ + U - A^+ A U A A^+.
 *  @param U (n x m) arbitrary; NULL: 0 @param X (n x m) */
UKODE_API int ukFormulaGInverse(int m, int n, const double *A, const double *U, double tolerance, double *X);

/** Any least-squares g-inverse of H (m x n), H X H = H and (H X)' = H X (1994 [26], [27]): X = H^+ + (I - H^+ H) U.
 *  @param U (n x m) arbitrary; NULL: 0 @param X (n x m) */
UKODE_API int ukFormulaLeastSquaresInverse(int m, int n, const double *H, const double *U, double tolerance, double *X);

/** Any {1,4}-inverse of B (m x n), B X B = B and (X B)' = X B (2000, before [24]): X = B^+ + U (I - B B^+).
 *  @param U (n x m) arbitrary; NULL: 0, the Moore-Penrose inverse of remark 8 @param X (n x m) */
UKODE_API int ukFormulaOneFourInverse(int m, int n, const double *B, const double *U, double tolerance, double *X);

/** (x, y)_Y = x'Y y (1994 [13], 2000 [13]). @param Y (n x n) @param x, y (n) @param value (1) */
UKODE_API int ukFormulaInner(int n, const double *x, const double *Y, const double *y, double *value);

/* ---- the system -------------------------------------------------------------------------------------------------- */

/** a = M^-1 Q and c = M^-1 C (2004 [2], 1994 [31], 2000 [1]). @param a, c (n); either may be NULL */
UKODE_API int ukFormulaFree(const ukFormulaSystem *s, double *a, double *c);

/** What is scaled by M^1/2 (1997 [17], [18]; 2000 [22]): B = A M^-1/2 and a_s = M^-1/2 (Q + C).
 *  @param B (m x n), may be NULL @param as (n), may be NULL */
UKODE_API int ukFormulaScaled(const ukFormulaSystem *s, double *B, double *as);

/** A virtual displacement, A v = 0: v = (I - A_M^+ A) y (2004 [17]; 2000 [6]; 1994 [3]).
 *  @param y (n) arbitrary @param v (n) */
UKODE_API int ukFormulaVirtual(const ukFormulaSystem *s, const double *y, double *v);

/** A possible acceleration, A qhat = b: qhat = A_M^+ b + (I - A_M^+ A) y (2000 [8]; 1994 [7], [20]).
 *  Contradictory rows: least |A qhat - b|_2. @param y (n) arbitrary; NULL: 0, the one of least M-length (2004, after
 *  [20]) @param qhat (n) */
UKODE_API int ukFormulaPossible(const ukFormulaSystem *s, const double *y, double *qhat);

/* ---- 2004: the M-inverse ----------------------------------------------------------------------------------------- */

/** A_M^+ and P = I - A_M^+ A. A_M^+ is the one X with A X A = A, X A X = X, (A X)' = A X, (X A)' = M X A M^-1 (2004
 *  [13a-d]). Of M, A and tolerance alone. @param X (n x m), may be NULL @param P (n x n), may be NULL */
UKODE_API int ukFormulaMInverse(const ukFormulaSystem *s, double *X, double *P);

/** A = W Lambda V' with W'W = I, V'M^-1 V = I (2004, after [20]). With k = min(n, m), the first `rank` columns count
 * and the others are 0. @param W (m x k) @param lambda (k) descending @param V (n x k) @param rank (1); each may be
 * NULL */
UKODE_API int ukFormulaMDecomposition(const ukFormulaSystem *s, double *W, double *lambda, double *V, int *rank);

/** qdd = a + A_M^+ (b - A a) + (I - A_M^+ A) c (2004 [8], [9]). Contradictory rows: least |A qdd - b|_2, then nearest
 * to a + c in the M-norm. @param qdd (n) */
UKODE_API int ukFormulaAcceleration(const ukFormulaSystem *s, double *qdd);

/** The two M-orthogonal parts of the deviation qdd - a (2004 [10], [14]).
 *  @param z (n) arbitrary; NULL: c
 *  @param first  (n) A_M^+ (b - A a)
 *  @param second (n) (I - A_M^+ A) z */
UKODE_API int ukFormulaDeviation(const ukFormulaSystem *s, const double *z, double *first, double *second);

/** The force of constraint in its two parts (2004 [11], [12]): Qi = M A_M^+ (b - A a), Qni = (I - A_M^+ A)'C.
 *  @param Qi, Qni (n) */
UKODE_API int ukFormulaForces(const ukFormulaSystem *s, double *Qi, double *Qni);

/* ---- 2000: {1,4}-inverses and Gauss's principle with non-ideal constraints --------------------------------------- */

/** qdd by any {1,4}-inverse X of B (2000 [24]; [29] for U = NULL):
 *  qdd = a + M^-1/2 X (b - A a) + M^-1/2 (I - X B) M^-1/2 C. @param U (n x m) chooses X; NULL: 0 @param qdd (n) */
UKODE_API int ukFormulaOneFourAcceleration(const ukFormulaSystem *s, const double *U, double *qdd);

/** M qdd by any {1,4}-inverse X of B (2000 [25]; [30] for U = NULL). @param force (n) Q + Qi + Qni */
UKODE_API int ukFormulaOneFourMomentum(const ukFormulaSystem *s, const double *U, double *force);

/** Qi = M^1/2 X (b - A a) (2000 [27]) and Qni = M^1/2 (I - X B) M^-1/2 C (2000 [28]). @param Qi, Qni (n) */
UKODE_API int ukFormulaOneFourForces(const ukFormulaSystem *s, const double *U, double *Qi, double *Qni);

/** r = M^1/2 (qdd - a - c) = X (b - A a - A c), of least length under B r = b - A a - A c (2000 [21]-[23]).
 *  @param r (n) */
UKODE_API int ukFormulaOneFourR(const ukFormulaSystem *s, const double *U, double *r);

/** G(qhat) = (M qhat - Q)'M^-1 (M qhat - Q) (1994 [16], 2000 [18]). @param qhat (n) @param G (1) */
UKODE_API int ukFormulaGaussian(const ukFormulaSystem *s, const double *qhat, double *G);

/** G_ni(qhat) = (M qhat - Q - C)'M^-1 (M qhat - Q - C) (2000 [15], [20]). @param qhat (n) @param G (1) */
UKODE_API int ukFormulaGaussianNonIdeal(const ukFormulaSystem *s, const double *qhat, double *G);

/** The same of a force of constraint: G_i = Qc'M^-1 Qc (2000 [18], 1994 [17]), G_ni = (Qc - C)'M^-1 (Qc - C) (2000
 * [16]). @param Qc (n) @param Gi, Gni (1); either may be NULL */
UKODE_API int ukFormulaMeasure(const ukFormulaSystem *s, const double *Qc, double *Gi, double *Gni);

/** What G_ni(qhat) is above its minimum: d'M d, d = qhat - qdd (2000 [17], 1994 [18]). @param qhat (n) possible
 *  @param excess (1) */
UKODE_API int ukFormulaExcess(const ukFormulaSystem *s, const double *qhat, double *excess);

/* ---- 1997: the extended principle of D'Alembert ------------------------------------------------------------------ */

/** An orthonormal basis of the null space of B (1997 [19]). @param V (n x n) the first n - rank columns; the others
 * are 0 @param rank (1) of B, may be NULL */
UKODE_API int ukFormulaNullBasis(const ukFormulaSystem *s, double *V, int *rank);

/** D = B'B, E = V V', J = (D + E)^-1 (1997 [22]); J B' = B^+ (appendix 2). @param D, E, J (n x n), each may be NULL */
UKODE_API int ukFormulaExtended(const ukFormulaSystem *s, double *D, double *E, double *J);

/** qdd = M^-1/2 J (B'b + E a_s) (1997 [20a]). @param qdd (n) */
UKODE_API int ukFormulaExtendedAcceleration(const ukFormulaSystem *s, double *qdd);

/** The force of constraint F^c = M^1/2 J (B'b - D a_s) = M^1/2 J B' (b - B a_s) (1997 [21], [36]). @param force (n) */
UKODE_API int ukFormulaExtendedForce(const ukFormulaSystem *s, double *force);

/** The linear system L r = s for r = [x_s; F_s] (1997 [23], [24]), L = [I -I; B 0; 0 V'], s = [a_s; b; 0].
 *  @param L (2n + m x 2n) the first `rows` rows; the others are 0 @param rhs (2n + m) s, likewise
 *  @param rows (1) 2n + m - rank, may be NULL */
UKODE_API int ukFormulaExtendedSystem(const ukFormulaSystem *s, double *L, double *rhs, int *rows);

/** Its normal equations G_W = L'W L and L'W s (1997 [25], [37]).
 *  @param W (rows x rows) symmetric; NULL: I @param G (2n x 2n), may be NULL @param g (2n), may be NULL */
UKODE_API int ukFormulaExtendedNormal(const ukFormulaSystem *s, const double *W, double *G, double *g);

/** The blocks of G^-1 = [P J; J S] for W = I: P = (I + E) J, S = (I + D) J (1997 [26]). @param P, J, S (n x n) */
UKODE_API int ukFormulaExtendedInverse(const ukFormulaSystem *s, double *P, double *J, double *S);

/** r = (L'W L)^-1 L'W s (1997 [38]), the weighted least squares of L r = s: for measured rows or equations of motion
 * that contradict each other. W does not act on consistent ones. Solved by orthogonal factorization. @param W (rows x
 * rows) symmetric, positive definite; NULL: I. ukErrorSingular: it is not @param r (2n) [x_s; F_s], may be NULL @param
 * qdd (n) M^-1/2 x_s, may be NULL @param force (n) M^1/2 F_s, may be NULL */
UKODE_API int ukFormulaExtendedWeighted(const ukFormulaSystem *s, const double *W, double *r, double *qdd,
                                        double *force);

/* ---- 1994: the quadratic programme ------------------------------------------------------------------------------- */

/** The choices that 1994 leaves open; NULL: 0. They do not change qdd where the rows are consistent. */
typedef struct ukFormulaChoice {
    const double *U; /* (n x m) of the g-inverse A^- */
    const double *W; /* (n x n) of the least-squares g-inverse H^- */
    const double *w; /* (n) of the solution h [25], [28] */
} ukFormulaChoice;

/** H = M^1/2 (I - A^- A) (1994 [23]) and z = -M^1/2 (A^- b - M^-1 (Q + C)) (1994 [24]).
 *  @param choice its U is read, may be NULL @param H (n x n) @param z (n); either may be NULL */
UKODE_API int ukFormulaQuadratic(const ukFormulaSystem *s, const ukFormulaChoice *choice, double *H, double *z);

/** qdd = A^- b + (I - A^- A) h with h = H^- z + (I - H^- H) w (1994 [20], [25], [28]): [29] for w = NULL, [30] for no
 *  choice at all. @param choice may be NULL @param qdd (n) */
UKODE_API int ukFormulaQuadraticAcceleration(const ukFormulaSystem *s, const ukFormulaChoice *choice, double *qdd);

/** The control force that makes the system follow its constraints, X = (I - A^- A) H^- M^1/2 (1994 [33]):
 *  Q' = (I - M X M^-1)(-Q - C) + M (I - X) A^- b. @param choice may be NULL, w is not read @param force (n) */
UKODE_API int ukFormulaControlForce(const ukFormulaSystem *s, const ukFormulaChoice *choice, double *force);

/** Lambda = (A A')^-1 A Q' of a force Q' = A'Lambda (1994 [34], [35]). ukErrorSingular: the rows are dependent. The
 * sign is that of [34]; the lambda of 1994 [5] is -Lambda. @param force (n) @param lambda (m) */
UKODE_API int ukFormulaMultipliers(const ukFormulaSystem *s, const double *force, double *lambda);

/* ---- SICM -------------------------------------------------------------------------------------------------------- */

/** M qdd - A'lambda = Q + C and A qdd = b as one system (SICM 1.10.1, 1.10.3; 1994 [2], [5] with lambda = -theirs). M
 * may be singular (terminals without mass) where [M; A] has full column rank. ukErrorSingular: it has not, or the rows
 * are dependent. ukErrorMass: M is not symmetric and positive semidefinite. @param qdd (n) @param lambda (m), may be
 * NULL */
UKODE_API int ukFormulaLagrange(const ukFormulaSystem *s, double *qdd, double *lambda);

/** The Lagrange equations of L' = L + lambda' psi(t, q, v), psi = 0 (SICM 1.10.2, 1.10.3): M qdd = Q + C - A' Dlambda -
 *  K'lambda, A qdd = b, with A = dpsi/dv and K = dA/dt - dpsi/dq along the motion. For an integrable psi K is 0 and
 *  Dlambda = -(the lambda of ukFormulaLagrange); otherwise these are the vakonomic equations, not those of nature.
 *  @param K (m x n) @param lambda (m) the multipliers at this instant @param qdd (n)
 *  @param rate (m) Dlambda, may be NULL. M, ukErrorSingular and ukErrorMass as in ukFormulaLagrange */
UKODE_API int ukFormulaVakonomic(const ukFormulaSystem *s, const double *K, const double *lambda, double *qdd,
                                 double *rate);

/* ---- Udwadia & Phohomsiri 2006: M may be singular ---------------------------------------------------------------- */

/** qdd = [(I - A^+ A) M; A]^+ [Q + C; b] and the force of constraint Qc = M qdd - Q, with v'Qc = v'C for every v with
 *  A v = 0. M is symmetric and positive semidefinite (coordinates without mass), rows may depend on others. The
 *  acceleration is unique where [M; A] has full column rank. For M > 0 it is that of ukFormulaAcceleration.
 *  ukErrorSingular: it is not unique (ukFormulaUndetermined). ukErrorMass: M is not positive semidefinite.
 *  @param qdd (n) @param force (n) Qc, may be NULL */
UKODE_API int ukFormulaSingularAcceleration(const ukFormulaSystem *s, double *qdd, double *force);

/** The motions that M and A leave undetermined, M y = 0 and A y = 0: an orthonormal basis, the first `count` columns of
 *  Y, the others are 0. ukErrorMass as above. @param Y (n x n) @param count (1) 0: none; may be NULL */
UKODE_API int ukFormulaUndetermined(const ukFormulaSystem *s, double *Y, int *count);

/* ---- from constraint functions to A and b ------------------------------------------------------------------------ */

/** A state: coordinates and velocities at a time. */
typedef struct ukFormulaState {
    int n;
    double t;
    const double *q, *v; /* (n) */
} ukFormulaState;

/** m constraints that are to be 0. @param value (m) to be written @return 0; other than 0 stops with ukErrorCallback */
typedef int ukFormulaConstraintFn(const ukFormulaState *state, double *value, void *data);

/** A and b of A qdd = b by differences of fourth order (2004 [3]-[5], 2000 [2]-[4], 1997 [2], [3], 1994 [2], [6]): of
 *  phi(q, t), differentiated twice, where `velocities` is 0; of psi(q, v, t), differentiated once, where it is 1. About
 *  nine digits of A, seven of b. @param A (m x n) @param b (m) */
UKODE_API int ukFormulaDifferentiate(const ukFormulaState *state, int m, int velocities,
                                     ukFormulaConstraintFn *constraint, void *data, double *A, double *b);

#ifdef __cplusplus
}
#endif

#endif
