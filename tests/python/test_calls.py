# SPDX-License-Identifier: BSD-3-Clause
"""Python against C, call by call: which function of the library each method calls, with which arguments, and that what
comes back is what the library answers to a call of its own. No function that is declared is left out."""
import ctypes
import math
import os
import tempfile
import unittest
from ctypes import POINTER, byref, c_double, c_int, c_void_p

from models import ball, earth, four_bar, heap, hinge, ode, pendulum, ukode

import ukode.analysis
import ukode.functions
import ukode.library
import ukode.match
import ukode.operators
import ukode.searches
import ukode.world

H = 0.01
real = ukode.library.lib
seen = set()  # names that were called by some method


class Recorder:
    """In the library's place: passes calls on, and keeps them."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        function = getattr(real, name)

        def call(*arguments):
            seen.add(name)
            self.calls.append((name, arguments))
            return function(*arguments)

        return call


class Calls(unittest.TestCase):

    def setUp(self):
        self.recorder = Recorder()
        self.places = [m for m in (ukode.library, ukode.world, ukode.match, ukode.analysis, ukode.operators,
                                     ukode.searches) if getattr(m, "lib", None) is real]
        for module in self.places:
            module.lib = self.recorder
        world, bodies, self.joints = four_bar()
        self.ode, self.bodies = world, bodies
        self.w = ukode.World(world)
        self.handle = self.w.handle

    def tearDown(self):
        for module in self.places:
            module.lib = real

    def made(self, action, *expected):
        """The calls of `action` are `expected`: (name, arguments after the handle of the world)."""
        self.recorder.calls = []
        answer = action()
        calls = [(name, arguments[1:]) for name, arguments in self.recorder.calls
                 if not name.startswith(("ukGetLastError", "ukGetErrorString"))]
        self.assertEqual(calls, list(expected))
        for _, arguments in self.recorder.calls:
            self.assertEqual(arguments[:1], (self.handle,))
        return answer

    def test_settings(self):
        w = self.w
        for name, setter, names in (
                ("solver", "ukWorldSetSolver", "auto sparse m-inverse one-four dalembert gauss-qp lagrange"),
                ("integrator", "ukWorldSetIntegrator", "euler rk4 adaptive rattle"),
                ("friction", "ukWorldSetFriction", "ode cone"),
                ("cfm_rule", "ukWorldSetCfmRule", "auto ode"),
                ("joint_rule", "ukWorldSetJointRule", "ode exact")):
            for place, choice in enumerate(names.split()):
                self.made(lambda: setattr(w, name, choice), (setter, (place,)))
                self.assertEqual(getattr(w, name), choice)
                self.assertEqual(getattr(real, setter.replace("Set", "Get"))(self.handle), place)
        self.made(lambda: setattr(w, "budget", 12345), ("ukWorldSetBudget", (12345,)))
        self.assertEqual((w.budget, real.ukWorldGetBudget(self.handle)), (12345, 12345))
        w.budget = 0
        self.made(lambda: setattr(w, "pass_limit", 30), ("ukWorldSetPassLimit", (30,)))
        self.assertEqual((w.pass_limit, real.ukWorldGetPassLimit(self.handle)), (30, 30))
        w.pass_limit = 0
        self.assertEqual((w.joint_rule, real.ukWorldGetJointRule(self.handle)), ("exact", 1))
        self.assertEqual((w.solver, w.friction), ("lagrange", "cone"))
        for place, kind in enumerate("erp baumgarte projection none split".split()):
            self.made(lambda: w.set_stabilization(kind, 3.0, 4.0), ("ukWorldSetStabilization", (place, 3.0, 4.0)))
            self.assertEqual(w.stabilization, (kind, 3.0, 4.0))
        self.made(lambda: w.set_stabilization("erp"), ("ukWorldSetStabilization", (0, 0.0, 0.0)))
        for place, action in enumerate("off warn resolve fallback stop".split()):
            self.made(lambda: w.set_check(1e-7, action), ("ukWorldSetGaussCheck", (1e-7, place)))
            self.assertEqual(w.gauss_check, (1e-7, action))
        self.made(lambda: w.set_check(1e-7), ("ukWorldSetGaussCheck", (1e-7, 1)))
        self.made(lambda: w.set_tolerance(1e-6, 2e-5), ("ukWorldSetTolerance", (1e-6, 2e-5)))
        self.assertEqual(w.tolerance, (1e-6, 2e-5))
        self.made(lambda: w.set_tolerance(1e-6), ("ukWorldSetTolerance", (1e-6, 0.0)))
        self.made(lambda: w.set_friction_rounds(9), ("ukWorldSetFrictionRounds", (9,)))
        self.made(lambda: w.set_rank_tolerance(1e-8), ("ukWorldSetRankTolerance", (1e-8,)))
        self.assertEqual((w.friction_rounds, w.rank_tolerance), (9, 1e-8))
        for on in (True, False):
            self.made(lambda: setattr(w, "ledger_on", on), ("ukWorldSetLedger", (int(on),)))
            self.assertIs(w.ledger_on, on)
        self.made(lambda: setattr(w, "threads", 3), ("ukWorldSetThreads", (3,)))
        self.assertEqual(self.made(lambda: w.threads, ("ukWorldGetThreads", ())), 3)
        self.made(lambda: setattr(w, "time", 2.5), ("ukWorldSetTime", (2.5,)))
        self.assertEqual(self.made(lambda: w.time, ("ukWorldGetTime", ())), 2.5)
        self.made(lambda: w.switch(4.5), ("ukWorldSetSwitch", (4.5,)))
        w.switch(3.5)
        got = self.made(lambda: w.switches, *(("ukWorldGetSwitch", (i,)) for i in range(3)))
        self.assertEqual(got, [3.5, 4.5])
        self.made(w.clear_switches, ("ukWorldClearSwitches", ()))
        self.assertEqual(w.switches, [])
        self.made(lambda: setattr(w, "enabled", False), ("ukWorldDisable", ()))
        self.assertIs(self.made(lambda: w.enabled, ("ukWorldIsEnabled", ())), False)
        self.made(lambda: setattr(w, "enabled", True), ("ukWorldEnable", ()))
        self.assertIs(w.enabled, True)
        self.assertIs(ukode.World(earth(), enable=False).enabled, False)

    def test_steps(self):
        w = self.w
        self.made(lambda: w.step(H), ("ukWorldStep", (H,)))
        self.made(lambda: w.quick_step(H), ("dWorldQuickStep", (H,)))
        self.assertAlmostEqual(w.time, 2 * H)
        self.made(w.evaluate, ("ukWorldEvaluate", ()))
        self.made(w.project, ("ukWorldProject", ()))
        self.made(w.reset_ledger, ("ukWorldResetLedger", ()))

    def struct(self, kind, function):
        """The same struct by a call of its own: its fields by name."""
        fields = [(name, {int: c_int, float: c_double}[hint]) for name, hint in kind.__annotations__.items()]
        twin = type("Twin", (ctypes.Structure,), {"_fields_": fields})()
        self.assertEqual(function(self.handle, byref(twin), ctypes.sizeof(twin)), 0)
        return {name: getattr(twin, name) for name, _ in fields}

    def test_structs(self):
        w = self.w
        w.integrator = "adaptive"
        w.ledger
        for _ in range(3):
            w.step(H)
        self.assertEqual(w.report._asdict(), self.struct(ukode.Report, real.ukWorldGetReportSized))
        self.assertEqual(w.ledger._asdict(), self.struct(ukode.Ledger, real.ukWorldGetLedgerSized))
        self.assertEqual(w.power._asdict(), self.struct(ukode.Ledger, real.ukWorldGetPowerSized))
        self.assertNotEqual(w.power, w.ledger)
        self.assertGreater(w.report.substeps, 0)

    def test_analysis(self):
        w = self.w
        joint, body = w.joints[0], w.bodies[1]
        l = w.linearize([("joint_force", joint), ("body_force", body, 2)],
                        [("joint_position", joint), ("joint_rate", joint), ("body_velocity", body, 1)])
        self.assertEqual((l.positions, l.velocities, l.redundant, l.discrete), (1, 1, 3, False))
        self.assertEqual([len(l.A), len(l.B[0]), len(l.C), len(l.D[0]), len(l.Nq[0])], [2, 2, 3, 2, 18])
        self.assertAlmostEqual(l.A[0][1], 1)
        self.assertAlmostEqual(l.C[0][0], l.C[1][1])  # the rate is the position's
        self.assertAlmostEqual(l.B[1][0], l.C[0][0])  # and its force does work on it
        self.assertEqual(len(l.bodies), 3)
        step = w.linearize(stepsize=H)
        self.assertTrue(step.discrete)
        self.assertAlmostEqual(step.A[0][1], H, places=4)
        modes, zero = w.modes()
        self.assertEqual(zero, 0)
        for one in self.bodies:  # a parallelogram's acceleration along its path does not depend on its speed
            one.setLinearVel((0, 0, 0))
            one.setAngularVel((0, 0, 0))
        slope = w.linearize().A[1][0]
        for mode in modes:  # the square of its eigenvalue
            self.assertAlmostEqual(mode.growth**2 - mode.frequency**2, slope, places=6)
        self.assertEqual(len(modes), 2 if slope > 0 else 1)
        self.assertEqual((len(modes[0].shape), len(modes[0].shape_imag[0])), (3, 6))
        r = w.regulate([("joint_force", joint)])
        self.assertEqual([len(r.force), len(r.K[0]), len(r.position[0]), len(r.velocity[0])], [1, 2, 18, 18])
        self.assertLess(max(x.real for x in r.eigenvalues), 0)
        self.assertLess(r.unbalanced, 1e-6)
        self.assertEqual(len(w.modes([("joint_force", joint)])[0]), len(modes))
        with self.assertRaises(ukode.Error):
            w.regulate([])
        with self.assertRaises(ValueError):
            w.linearize([("torque", joint)])
        with self.assertRaises(ukode.Error):
            w.linearize([("joint_force", joint, 1)])

    def test_linear_operator(self):
        w = self.w
        inputs = [("joint_force", w.joints[0]), ("body_force", w.bodies[1], 2)]
        l, o = w.linearize(inputs), w.linear_operator(inputs)
        self.assertEqual((o.A.shape, o.B.shape, o.rank, o.redundant), ((36, 36), (36, 2), l.rank, l.redundant))
        self.assertEqual((o.positions, o.velocities, len(o.bodies), o.activity), (1, 1, 3, l.activity))
        motion = [list(l.Nq[0]) + [0] * 18, [0] * 18 + list(l.Nv[0])]  # of unit xi and eta
        for j in range(2):
            for answer, column in ((o.A @ motion[j], l.A), (o.B.matvec([1 - j, j]), l.B)):
                for i in range(36):
                    self.assertAlmostEqual(answer[i], sum(motion[k][i] * column[k][j] for k in range(2)), places=9)
        x, y = [math.sin(i) for i in range(36)], [math.cos(i) for i in range(36)]
        self.assertAlmostEqual(sum(a * b for a, b in zip(o.A @ x, y)), sum(a * b for a, b in zip(o.A.rmatvec(y), x)))
        self.assertAlmostEqual(sum(a * b for a, b in zip(o.B @ [1, 2], y)), o.B.rmatvec(y)[0] + 2 * o.B.rmatvec(y)[1])
        for i in range(36):
            self.assertAlmostEqual(o.f[i], sum(motion[k][i] * l.f[k] for k in range(2)), places=9)
        with self.assertRaises(ValueError):
            o.A @ x[1:]
        with self.assertRaises(ukode.Error):
            w.linear_operator([("joint_force", w.joints[0], 1)])
        w.step(H)
        self.assertEqual(list(o.A @ x), list(o.A.matvec(x)))
        del o

    def test_equations(self):
        w = self.w
        w.joints[1].coulomb(0.3, 0.1)
        w.step(H)
        e = w.equations()

        class Struct(ctypes.Structure):
            _fields_ = ([("n", c_int), ("m", c_int)] +
                        [(name, POINTER(c_double)) for name in ("M", "A", "b", "a", "C", "qdd", "Qi", "Qni", "lam")] +
                        [("bodies", POINTER(c_void_p))] + [(name, POINTER(c_double)) for name in ("softness", "lo", "hi")])

        c = Struct()
        self.assertEqual(real.ukWorldGetEquationsSized(self.handle, byref(c), ctypes.sizeof(c)), 0)
        for name in ("a", "C", "qdd", "Qi", "Qni"):
            self.assertEqual(list(getattr(e, name)), getattr(c, name)[:c.n], name)
        for name in ("b", "lam", "softness", "lo", "hi"):
            self.assertEqual(list(getattr(e, name)), getattr(c, name)[:c.m], name)
        self.assertEqual([x for row in e.M for x in row], c.M[:c.n * c.n])
        self.assertEqual([x for row in e.A for x in row], c.A[:c.m * c.n])
        self.assertEqual([b.handle for b in e.bodies], c.bodies[:c.n // 6])
        self.assertTrue(any(e.C) and any(e.Qni))

    def test_diagnosis(self):
        d = self.made(self.w.diagnose, ("ukWorldDiagnoseSized", self.any_struct()))
        struct = ukode.structures.DiagnosisStruct()
        self.assertEqual(real.ukWorldDiagnoseSized(self.handle, byref(struct), ctypes.sizeof(struct)), 0)
        for name in ("rows", "columns", "rank", "largest", "kept", "dropped", "conflict_joints", "conflict_size"):
            self.assertEqual(getattr(d, name), getattr(struct, name), name)
        self.assertEqual((d.columns, d.conflict, d.conflict_is_angle), (18, "none", False))
        self.assertEqual([(j.joint.handle, j.rows, j.redundant_rows, j.unique, j.unique_component, j.in_conflict) for j in d.joints],
                         [(j.joint, j.rows, j.redundant_rows, bool(j.unique), [bool(x) for x in j.unique_component],
                           bool(j.in_conflict)) for j in struct.joints[:struct.count]])

    def test_searches(self):
        w = self.w
        for body in self.bodies:
            body.setPosition([x + 0.1 for x in body.getPosition()])
        a = w.assemble()
        self.assertTrue(a.met and a.gap < 1e-12 and a.rank == 17 and a.freedoms == 1 and a.contradiction == [])
        self.assertEqual(len(a.bodies), 3)
        for i, body in enumerate(a.bodies):
            self.assertEqual(list(a.positions[i]), list(body.position))
            self.assertEqual(list(a.orientations[i]), list(body.orientation))
        left = w.body(self.bodies[0])
        t = w.assemble([ukode.Target(left, position=(0.3, 0, 0.4))])
        self.assertTrue(t.met and t.targets_met and t.target_error < 1e-9)
        self.assertAlmostEqual(left.position[0], 0.3, 9)
        t = w.assemble([ukode.Target(left, position=(0.4, 0, 0.4), point=(0, 0, 0.1), orientation_weight=1.0)])
        self.assertTrue(t.met and not t.targets_met and t.target_error > 0.01)

        e = w.equilibrium()
        self.assertTrue(e.found and e.stable and e.conservative and e.freedoms == 1 and e.unbalanced is None)
        self.assertEqual((e.unstable, e.neutral, len(e.carried)), (0, 0, 4))
        self.assertGreater(e.softest, 0)
        total = sum(c.force[0][2] for c in e.carried if c.joint in (w.joint(self.joints[0]), w.joint(self.joints[3])))
        weight = 9.81 * sum(b.getMass().mass for b in self.bodies)
        self.assertAlmostEqual(total, weight, 8)
        self.assertFalse(all(c.unique for c in e.carried))

        moment, push = ("joint_force", w.joint(self.joints[0])), ("body_force", left, 0)
        i = w.inverse_dynamics([moment])
        self.assertTrue(i.met and abs(i.forces[0]) < 1e-9 and i.rank == 1 and i.freedoms == 1 and i.worst is None)
        one = w.inverse_dynamics([moment, push], [0.0] * 18, [1.0, 10.0])
        self.assertEqual((len(one.forces), len(one.missing), len(one.missing[0])), (2, 3, 6))
        self.assertRaises(ukode.Error, w.inverse_dynamics, [moment], None, [-1.0])
        self.assertRaises(ValueError, w.inverse_dynamics, [moment], [0.0] * 5)
        names = [name for name, _ in self.recorder.calls]
        for name in ("Assemble", "Equilibrium", "InverseDynamics"):
            self.assertIn(f"ukWorld{name}Sized", names)

    def any_struct(self, kind=ukode.structures.DiagnosisStruct):
        class Any(tuple):
            def __eq__(self, other):
                return len(other) == 2 and other[1] == ctypes.sizeof(kind)
        return Any()

    def test_conflict(self):
        world = earth()
        body = ball(world, (0, 0, 0))
        w = ukode.World(world)
        for a in (1, 2):
            w.constraint([body])(lambda c, a=a: ([0, 0, 1, 0, 0, 0], [a]))
        d = w.diagnose()
        self.assertEqual((d.conflict, d.conflict_joints, [j.joint for j in d.joints]), ("acceleration", 2, [None, None]))
        self.assertTrue(all(j.in_conflict for j in d.joints))

    def test_bodies_and_joints(self):
        w = self.w
        w.step(H)
        for body, mine in zip(self.bodies, w.bodies):
            self.assertEqual(tuple(mine.position), body.getPosition())
            self.assertEqual(tuple(mine.orientation), body.getQuaternion())
            self.assertEqual(tuple(mine.velocity), body.getLinearVel())
            self.assertEqual(tuple(mine.spin), body.getAngularVel())
        for i, joint in enumerate(w.joints):
            self.assertEqual(joint.handle, real.ukWorldGetJoint(self.handle, i))
            ideal, nonideal = (c_double * 12)(), (c_double * 12)()
            joint.viscous(0.1)
            w.step(H)
            self.assertEqual(real.ukJointGetForces(joint.handle, ideal, nonideal), 0)
            self.assertEqual([x for row in joint.ideal for x in row], list(ideal))
            self.assertEqual([x for row in joint.nonideal for x in row], list(nonideal))
            self.assertNotEqual(list(ideal), list(nonideal))
        self.assertEqual([[b and b.handle for b in j.bodies] for j in w.joints],
                         [[real.dJointGetBody(j.handle, k) for k in range(2)] for j in w.joints])
        self.assertEqual(w.bodies[1].handle, real.ukWorldGetBody(self.handle, 1))

    def test_laws(self):
        j = self.w.joints[1]
        self.handle = j.handle
        self.made(lambda: j.coulomb(0.3, 0.1), ("ukJointSetCoulomb", (0.3, 0.1)))
        self.made(lambda: j.coulomb(0.3), ("ukJointSetCoulomb", (0.3, 0.0)))
        self.made(lambda: j.stribeck(0.4, 0.2), ("ukJointSetStribeck", (0.4, 0.2)))
        self.made(lambda: j.viscous(0.5), ("ukJointSetViscous", (0.5,)))
        self.made(lambda: j.drag(0.6), ("ukJointSetDrag", (0.6,)))
        self.assertEqual(j.friction, (0.3, 0.0, 0.4, 0.2, 0.5, 0.6))
        self.made(lambda: setattr(j, "name", "knee"), ("ukJointSetName", (b"knee",)))
        self.assertEqual(self.made(lambda: j.name, ("ukJointGetName", ())), "knee")
        self.made(lambda: j.law(None), ("ukJointSetNonIdeal", (None, None)))
        b = self.w.bodies[0]
        self.handle = b.handle
        self.made(lambda: setattr(b, "name", "bob"), ("ukBodySetName", (b"bob",)))
        self.made(lambda: setattr(b, "name", None), ("ukBodySetName", (None,)))
        self.made(lambda: setattr(b, "massless", True), ("ukBodySetMassless", (1,)))
        self.assertIs(self.made(lambda: b.massless, ("ukBodyGetMassless", ())), True)
        self.made(lambda: setattr(b, "massless", False), ("ukBodySetMassless", (0,)))
        self.assertIsNone(self.made(lambda: b.name, ("ukBodyGetName", ())))

    def test_types(self):
        world = earth()
        a, b = ball(world, (0, 0, 0)), ball(world, (1, 0, 0))
        w = ukode.World(world)
        makers = {"ball": ode.BallJoint, "hinge": ode.HingeJoint, "slider": ode.SliderJoint, "universal": ode.UniversalJoint,
                  "hinge2": ode.Hinge2Joint, "fixed": ode.FixedJoint, "amotor": ode.AMotor, "lmotor": ode.LMotor,
                  "plane2d": ode.Plane2DJoint}
        kept = []
        for name, maker in makers.items():
            kept.append(maker(world))
            kept[-1].attach(a, b if name != "plane2d" else ode.environment)
            self.assertEqual(w.joints[-1].type, name)

    def test_functions(self):
        world, body, joint = pendulum()
        w = ukode.World(world)
        w.time = 3.0
        contexts = []

        @w.force([body])
        def force(c):
            contexts.append(c)
            return [0] * 6

        @w.joint(joint).law
        def law(c):
            contexts.append(c)
            return [[0] * 6] * 2

        @w.switching([body])
        def side(c):
            contexts.append(c)
            return -1

        self.recorder.calls.clear()
        self.assertEqual((side.side, self.recorder.calls[-1]), (0, ("ukSwitchGetSide", (side.handle,))))
        body.setAngularVel((0, 0.5, 0))
        body.setLinearVel((0, 0, -0.5))
        before = body.getPosition(), body.getQuaternion(), body.getLinearVel(), body.getAngularVel()
        w.step(H)
        self.assertEqual(side.side, -1)
        handle = side.handle
        side.destroy()
        self.assertEqual(self.recorder.calls[-1], ("ukSwitchDestroy", (handle,)))
        seen_by_switch, seen_by_force, seen_by_law = contexts[0], contexts[1], contexts[-1]
        for c in (seen_by_switch, seen_by_force, seen_by_law):
            state = c.bodies[0]
            self.assertEqual((c.time, c.stepsize), (3.0, H))
            self.assertEqual((tuple(state.position), tuple(state.orientation), tuple(state.velocity), tuple(state.spin)), before)
            self.assertEqual(state.mass, body.getMass().mass)
            self.assertAlmostEqual(state.inertia[1][1], body.getMass().I[1][1])
        self.assertIsNone(seen_by_law.bodies[1])
        self.assertEqual([list(x) for x in seen_by_law.axis], [[0, 1, 0]])
        self.assertEqual((list(seen_by_law.rate), seen_by_law.is_translation), ([0.5], [False]))
        self.assertEqual([list(x) for x in seen_by_law.ideal][0][:3], list(w.joint(joint).ideal[0])[:3])

    def test_weight(self):
        world = earth()
        one = ball(world, (0, 0, 1))
        w = ukode.World(world)

        @w.constraint([one], rows=2)
        def measured(c):
            return [[0, 0, 1, 0, 0, 0]] * 2, [1, 2]

        self.assertIsNone(measured.weight)
        with self.assertRaises(ukode.Error):
            w.step(H)
        measured.weight = [3, 1]
        self.assertEqual([list(row) for row in measured.weight], [[3, 0], [0, 1]])
        w.step(H)
        self.assertAlmostEqual(one.getLinearVel()[2], 1.25 * H)
        measured.weight = [[3, 1], [1, 2]]
        self.assertEqual([list(row) for row in measured.weight], [[3, 1], [1, 2]])
        w.step(H)
        self.assertAlmostEqual(one.getLinearVel()[2], (1.25 + (3 + 2 + 1 + 4) / 7) * H)
        with self.assertRaises(ukode.Error):
            measured.weight = [[1, 2], [2, 1]]
        measured.weight = None
        self.assertIsNone(measured.weight)

    def test_actuators(self):
        world = earth()
        one, other = ball(world, (0, 0, 1)), ball(world, (0, 0, 2))
        w = ukode.World(world)

        @w.constraint([one, other], rows=1)
        def lifted(c):
            return [[0, 0, 1, 0, 0, 0] + 6 * [0]], [2]

        self.assertEqual(lifted.actuators, [])
        lifted.actuators = [(w.body(one), 2), (w.body(one), 2, 3)]
        self.assertEqual(lifted.actuators, [(w.body(one), 2, 1.0), (w.body(one), 2, 3.0)])
        w.step(H)
        self.assertAlmostEqual(one.getLinearVel()[2], 2 * H)
        total = one.getMass().mass * (2 + 9.81)
        self.assertAlmostEqual(lifted.actuator_forces[0], 0.75 * total)
        self.assertAlmostEqual(lifted.actuator_forces[1], 0.25 * total)
        lifted.actuators = [(w.body(other), 2)]
        with self.assertRaises(ukode.Error):
            w.step(H)
        with self.assertRaises(ukode.Error):
            lifted.actuators = [(w.body(one), 7)]
        lifted.actuators = []
        self.assertEqual(lifted.actuators, [])

    def test_mobility(self):
        m = self.made(self.w.mobility, ("ukWorldGetMobilitySized", self.any_struct(ukode.structures.MobilityStruct)))
        c = ukode.structures.MobilityStruct()
        self.assertEqual(real.ukWorldGetMobilitySized(self.handle, byref(c), ctypes.sizeof(c)), 0)
        self.assertEqual([x for row in m.basis for x in row], c.basis[:c.count * c.n])
        self.assertEqual([x for row in m.motion for x in row], c.motion[:c.count * c.n])
        self.assertEqual(m.words, [words.decode() for words in c.words[:c.count]])
        self.assertEqual([b.handle for b in m.bodies], c.bodies[:c.n // 6])
        self.assertTrue(m.words and len(m.basis) == len(m.words))

    def test_gaussian(self):
        self.w.step(H)
        for joint in self.w.joints:
            Gi, Gni = c_double(), c_double()
            self.assertEqual(real.ukJointGetGaussian(joint.handle, byref(Gi), byref(Gni)), 0)
            self.assertEqual(joint.gaussian, (Gi.value, Gni.value))
        self.assertAlmostEqual(sum(j.gaussian.Gi for j in self.w.joints), self.w.report.gaussian)
        self.assertAlmostEqual(sum(j.gaussian.Gni for j in self.w.joints), self.w.report.Gni)
        self.assertTrue(self.w.report.Gni > 0)

    def test_constraint_law(self):
        world = earth()
        one = ball(world, (0, 0, 1))
        w = ukode.World(world)

        @w.constraint([one], rows=1)
        def held(c):
            return [[0, 0, 1, 0, 0, 0]], [0]

        @held.error
        def error(c):
            return [c.bodies[0].position[2] - 1], [c.bodies[0].velocity[2]]

        @held.law
        def drag(c, ideal):
            return [[-0.5 * ideal[0][2], 0, 0, 0, 0, 0]]

        m = one.getMass().mass
        w.step(H)
        self.assertAlmostEqual(held.nonideal[0][0], -0.5 * m * 9.81)
        self.assertAlmostEqual(one.getLinearVel()[0], -0.5 * 9.81 * H)
        self.assertAlmostEqual(held.gaussian.Gni, m * 9.81 ** 2)
        self.assertAlmostEqual(held.gaussian.Gi, 1.25 * m * 9.81 ** 2)
        self.assertAlmostEqual(w.report.gaussian, held.gaussian.Gi)
        self.assertAlmostEqual(w.report.Gni, held.gaussian.Gni)
        audit = held.audit()
        self.assertTrue(audit.ok)
        self.assertEqual((audit.A_psi.row, audit.A_psi.wrong), (0, 0))

        @held.law
        def broken(c, ideal):
            raise KeyError("of a law")

        with self.assertRaises(KeyError):
            w.step(H)
        held.law(None)
        w.step(H)
        self.assertEqual(held.nonideal[0][0], 0)

    def test_bounded_rows(self):
        world = earth()
        body = ball(world, (0, 0, 0))
        w = ukode.World(world)

        @w.constraint([body], rows=2)
        def rows(c):
            return [[0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0]], [0, 0]

        @rows.error
        def error(c):
            return [c.bodies[0].position[2], float("nan")], [c.bodies[0].velocity[2], c.bodies[0].velocity[0] - 1]

        self.assertEqual((rows.bounds(1), rows.is_one_sided(0)), ((float("-inf"), float("inf")), False))
        rows.one_sided(0, restitution=0.5)
        self.assertEqual((rows.restitution(0), rows.restitution(1)), (0.5, 0))
        rows.one_sided(0)
        self.assertEqual(rows.restitution(0), 0)
        rows.set_bounds(1, -2, 3)
        self.assertEqual((rows.bounds(0), rows.bounds(1)), ((0, float("inf")), (-2, 3)))
        self.assertEqual((rows.is_one_sided(0), rows.is_one_sided(1)), (True, False))
        m = body.getMass().mass
        w.step(H)
        self.assertAlmostEqual(rows.force[0][2], m * 9.81)
        self.assertAlmostEqual(rows.force[0][0], min(3, m / H))
        body.addForce((0, 0, 2 * m * 9.81))
        w.step(H)
        self.assertEqual(rows.force[0][2], 0)
        with self.assertRaises(ukode.Error):
            rows.set_bounds(1, 1, 0)
        with self.assertRaises(ukode.Error):
            rows.one_sided(2)

    def test_constraint(self):
        world = earth()
        one, two = ball(world, (0, 0, 1)), ball(world, (1, 0, 1))
        w = ukode.World(world)

        @w.constraint([one, two], rows=2)
        def held(c):
            return [[0, 0, 1, 0, 0, 0] + [0] * 6, [0] * 6 + [0, 0, 1, 0, 0, 0]], [0, 0.5]

        m, out = one.getMass().mass, (c_double * 12)()
        w.step(H)
        self.assertAlmostEqual(held.force[1][2], m * (9.81 + 0.5))

        @held.error
        def error(c):
            return [float("nan")] * 2, [b.velocity[2] for b in c.bodies]

        one.setLinearVel((1, 0, 0))
        held.coulomb(0.25)
        self.assertEqual(held.mu, 0.25)
        w.step(H)
        self.assertEqual(real.ukConstraintGetForce(held.handle, out), 0)
        self.assertEqual([x for row in held.force for x in row], list(out))
        impulse = (c_double * len(out))()
        self.assertEqual(real.ukConstraintGetImpulse(held.handle, impulse), 0)
        self.assertEqual([x for row in held.impulse for x in row], list(impulse))
        self.assertAlmostEqual(held.impulse[1][2], H * held.force[1][2])
        self.assertAlmostEqual(held.force[1][2], m * (9.81 - 0.5))  # brought back to the rate 0 within the step
        self.assertAlmostEqual(one.getLinearVel()[0], 1 - 0.25 * 9.81 * H)
        held.destroy()
        with self.assertRaises(ukode.Error):
            held.force
        w.step(H)
        self.assertAlmostEqual(one.getLinearVel()[2], -9.81 * H)

        @w.force([two])
        def lift(c):
            return [0, 0, m * 9.81, 0, 0, 0]

        v = two.getLinearVel()[2]
        w.step(H)
        self.assertAlmostEqual(two.getLinearVel()[2], v)
        lift.destroy()
        w.step(H)
        self.assertAlmostEqual(two.getLinearVel()[2], v - 9.81 * H)

    def test_keeping(self):
        w = self.w
        saved, digest = w.save(), ctypes.create_string_buffer(16)
        self.assertEqual(len(saved), real.ukWorldSave(self.handle, None, 0))
        real.ukWorldHash(self.handle, digest)
        self.assertEqual(w.hash, digest.raw.hex())
        w.step(H)
        self.assertNotEqual(w.hash, digest.raw.hex())
        self.made(lambda: w.restore(saved), ("ukWorldRestore", (saved, len(saved))))
        self.assertEqual(w.hash, digest.raw.hex())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.ukode")
            for options in ({"rate": 25}, {"every_step": True}, {"inputs": True}, {"certificates": True}):
                w.record(path, **options)
                w.step(H)
                w.record(None)
                with ukode.open(path) as run:
                    got = run.sql("select rate, every_step, inputs, certificates from run")[0]
                    self.assertEqual(got, (options.get("rate", 60),) + tuple(int(options.get(x, False)) for x in (
                        "every_step", "inputs", "certificates")))
                    self.assertIn("step", run.tables)
                    self.assertEqual(list(run["world"]["world"]), [1])
                    self.assertEqual(run.units("body_step")["velocity_x"], "m/s")

    def test_worlds(self):
        handles = [w.handle for w in ukode.worlds()]
        self.assertEqual(handles, [real.ukGetWorld(i) for i in range(real.ukGetWorldCount())])
        self.assertIn(self.handle, handles)
        other = ukode.World(earth(), enable=False)
        self.assertFalse([w for w in ukode.worlds() if w.handle == other.handle][0].enabled)

    def test_failures(self):
        with self.assertRaises(ukode.Error) as raised:
            self.w.threads = 1000
        self.assertEqual(raised.exception.status, -1)
        self.assertIn(real.ukGetErrorString(-1).decode(), str(raised.exception))
        self.assertIn(real.ukGetLastErrorMessage().decode(), str(raised.exception))
        with self.assertRaises(ukode.Error) as raised:
            self.w.step(-1)
        self.assertEqual(raised.exception.status, real.ukGetLastError())

    def test_zz_nothing_is_left_out(self):
        declared = {name for name in ukode.library._PROTOTYPES if name.startswith("uk")}
        unused = {"ukConstraintGetNonIdealForce", "ukGetVersion"}
        self.assertEqual(declared - seen - unused, set())


if __name__ == "__main__":
    unittest.main()
