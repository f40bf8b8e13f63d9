# SPDX-License-Identifier: BSD-3-Clause
"""The module on PyODE worlds: what a user asks, in a few lines each."""
import contextlib
import gc
import math
import os
import resource
import sqlite3
import sys
import tempfile
import types
import unittest
import unittest.mock

from models import ball, earth, four_bar, heap, hinge, ode, pendulum, ukode

H = 0.01


class Match(unittest.TestCase):
    """Which handle a PyODE object stands for."""

    def test_worlds(self):
        first, second = earth(), earth()
        self.assertNotEqual(ukode.World(first).handle, ukode.World(second).handle)
        self.assertEqual(ukode.World(first).handle, ukode.World(first).handle)
        handles = [w.handle for w in ukode.worlds()]
        self.assertLess(handles.index(ukode.World(first).handle), handles.index(ukode.World(second).handle))

    def test_bodies_and_twins(self):
        world, bodies, joints = four_bar()
        twin = hinge(world, bodies[0], bodies[1], (0, 0, 1))  # like another in every number
        w = ukode.World(world)
        self.assertEqual([w.body(b) for b in bodies], w.bodies)
        self.assertEqual([w.joint(j) for j in joints + [twin]], w.joints)
        self.assertEqual(w.joint(twin).type, "hinge")
        self.assertEqual(w.joint(joints[0]).bodies, [w.body(bodies[0]), None])

    def test_changes_nothing(self):
        ends = []
        for asked in (False, True):
            world, bodies, joints = four_bar()
            joints[1].setFeedback(True)
            w = ukode.World(world)
            bodies[1].addForce((0.1, 0.2, 0.3))
            for _ in range(20):
                if asked:
                    w.body(bodies[1]), w.joint(joints[1]), w.joint(joints[2]), ukode.World(world)
                feedback = joints[1].getFeedback()
                world.step(H)
            ends.append((bodies[1].getPosition(), bodies[2].getQuaternion(), feedback))
            self.assertIsNone(joints[2].getFeedback())
        self.assertEqual(*ends)

    def test_stranger(self):
        world, other = earth(), earth()
        body = ball(other, (0, 0, 0))
        with self.assertRaises(ValueError):
            ukode.World(world).body(body)

    def test_gone(self):
        world = earth()
        w = ukode.World(world)
        w.ode = None
        del world
        gc.collect()
        with self.assertRaises(ukode.Error) as raised:
            w.report
        self.assertEqual(raised.exception.status, -2)
        for name in ("time", "solver", "tolerance", "budget", "pass_limit", "stabilization", "friction", "friction_rounds", "cfm_rule",
                     "joint_rule", "gauss_check", "rank_tolerance", "threads", "ledger_on", "bodies", "joints"):
            with self.assertRaises(ukode.Error, msg=name) as raised:
                getattr(w, name)
            self.assertEqual(raised.exception.status, -2, name)


class Questions(unittest.TestCase):
    """What a user asks of a model."""

    def test_energy(self):
        world, body, joint = pendulum()
        w = ukode.World(world)
        w.integrator = "rk4"
        w.ledger
        for _ in range(100):
            world.step(H)  # PyODE's own call
        self.assertAlmostEqual(w.time, 1.0)
        self.assertLess(abs(w.ledger.kinetic + w.ledger.potential), 1e-6 * w.ledger.kinetic)
        self.assertEqual(w.report.ok, 1)
        self.assertEqual(w.report.rank, 5)

    def test_friction_takes_it(self):
        world, body, joint = pendulum()
        w = ukode.World(world)
        w.joint(joint).coulomb(0.5, 0.1)
        w.reset_ledger()
        for _ in range(50):
            w.step(H)
        ledger = w.ledger
        self.assertLess(ledger.nonideal, -0.1)
        change = ledger.kinetic + ledger.potential - ledger.kinetic_start - ledger.potential_start
        causes = sum(ledger[ledger._fields.index("applied"):])
        self.assertAlmostEqual(change, causes, 9)

    def test_equations(self):
        world, bodies, joints = four_bar()
        w = ukode.World(world)
        w.step(H)
        e = w.equations()
        self.assertEqual((len(e.M), len(e.A[0]), len(e.bodies)), (18, 18, 3))
        for row, b, lam, soft in zip(e.A, e.b, e.lam, e.softness):
            self.assertAlmostEqual(sum(x * y for x, y in zip(row, e.qdd)) + soft * lam, b, 7)

    def test_equations_sparse(self):
        made = []
        scipy, sparse = types.ModuleType("scipy"), types.ModuleType("scipy.sparse")
        scipy.sparse = sparse
        sparse.csr_matrix = lambda dense: made.append(dense) or ("csr", len(made) - 1)
        world, bodies, joints = four_bar()
        w = ukode.World(world)
        w.step(H)
        dense = w.equations()
        with unittest.mock.patch.dict(sys.modules, {"scipy": scipy, "scipy.sparse": sparse}):
            e = w.equations(sparse=True)
        self.assertEqual((e.M, e.A), (("csr", 0), ("csr", 1)))
        self.assertEqual([[list(row) for row in x] for x in made], [[list(row) for row in x] for x in (dense.M, dense.A)])
        self.assertEqual((list(e.b), list(e.qdd)), (list(dense.b), list(dense.qdd)))

    def test_redundant(self):
        world, bodies, joints = four_bar()
        w = ukode.World(world)
        d = w.diagnose()
        self.assertEqual((d.rows, d.rank, d.conflict), (20, 17, "none"))
        self.assertEqual({x.joint for x in d.joints}, set(w.joints))
        self.assertFalse(all(x.unique for x in d.joints))

    def test_reaction(self):
        world, body, joint = pendulum()
        w = ukode.World(world)
        w.integrator = "rk4"
        w.evaluate()
        ideal = w.joint(joint).ideal  # what carries a level pendulum: m g / (1 + l^2 / k^2), k^2 = 2/5 r^2
        m, k2 = body.getMass().mass, 0.4 * 0.1**2
        self.assertAlmostEqual(ideal[0][2], m * 9.81 * k2 / (1 + k2), 9)

    def test_cone(self):
        def drift(law):
            world, bodies, step, keep = heap(1)
            w = ukode.World(world)
            w.friction = law
            bodies[0].setPosition((0, 0, 0.0999))
            bodies[0].setLinearVel((1, 1, 0))
            for _ in range(5):
                step(0.01, w.quick_step)
            self.assertEqual(w.report.ok, 1)
            return bodies[0].getLinearVel()

        self.assertEqual(ukode.World(earth()).friction, "ode")
        box, cone = drift("ode"), drift("cone")
        lost = [math.hypot(1, 1) - math.hypot(v[0], v[1]) for v in (box, cone)]
        self.assertAlmostEqual(lost[0] / lost[1], math.sqrt(2), 6)  # the box is wider along its diagonal

    def test_names(self):
        world, body, joint = pendulum()
        w = ukode.World(world)
        w.body(body).name, w.joint(joint).name = "bob", "pivot"
        self.assertEqual((w.bodies[0].name, w.joints[0].name), ("bob", "pivot"))
        w.bodies[0].name = None
        self.assertIsNone(w.body(body).name)

    def test_unknown_attributes(self):
        world = ode.World()
        side = ukode.World(world)
        body = ode.Body(world)
        for thing in (side, side.body(body)):
            with self.assertRaises(AttributeError):
                thing.integratr = "rk4"

    def test_wrong_settings(self):
        w = ukode.World(earth())
        with self.assertRaisesRegex(ValueError, "euler, rk4"):
            w.integrator = "leapfrog"
        with self.assertRaises(ukode.Error):
            w.threads = 0
        with self.assertRaises(ukode.Error):
            w.step(0)


class Functions(unittest.TestCase):
    """Your own constraints, forces and laws."""

    def test_servo(self):
        world = earth()
        body = ball(world, (0, 0, 1))
        w = ukode.World(world)
        w.integrator = "rk4"

        @w.constraint([body])
        def servo(c):
            return [0, 0, 1, 0, 0, 0], [-math.sin(c.time)]

        body.setLinearVel((0, 0, 1))  # height 1 + sin t
        for _ in range(100):
            w.step(H)
        self.assertAlmostEqual(body.getPosition()[2], 1 + math.sin(1.0), 8)
        w.evaluate()
        self.assertAlmostEqual(servo.force[0][2], body.getMass().mass * (9.81 - math.sin(1.0)), 9)

    def test_error_rows(self):
        world = earth()
        body = ball(world, (0, 0, 1.01))
        w = ukode.World(world)

        @w.constraint([body])
        def height(c):
            return [0, 0, 1, 0, 0, 0], [0]

        @height.error
        def error(c):
            return [c.bodies[0].position[2] - 1], [c.bodies[0].velocity[2]]

        for _ in range(200):
            w.step(H)
        self.assertAlmostEqual(body.getPosition()[2], 1, 6)

    def test_spring(self):
        world = ode.World()
        body = ball(world, (1, 0, 0))
        w = ukode.World(world)
        w.integrator = "rk4"
        m = body.getMass().mass

        @w.force([body])
        def spring(c):
            return [-m * x for x in c.bodies[0].position] + [0, 0, 0]

        for _ in range(100):
            w.step(H)
        self.assertAlmostEqual(body.getPosition()[0], math.cos(1.0), 8)

    def test_switching(self):
        world = ode.World()
        body = ball(world, (0.3, 0, 0))
        w = ukode.World(world)
        w.integrator = "rk4"
        m = body.getMass().mass

        @w.switching([body])
        def right(c):
            return c.bodies[0].position[0]

        @w.force([body])
        def pull(c):
            return [-m * right.side, 0, 0, 0, 0, 0]

        self.assertEqual(right.side, 0)
        w.step(0.5)
        self.assertEqual(right.side, 1)
        w.step(0.5)  # x = 0.3 - t^2/2 until t = sqrt(0.6), then the same backwards
        t = 1 - math.sqrt(0.6)
        self.assertAlmostEqual(body.getPosition()[0], -math.sqrt(0.6) * t + t * t / 2, 12)
        self.assertEqual(right.side, -1)
        right.destroy()
        with self.assertRaises(ukode.Error):
            right.side

        @w.switching([body])
        def broken(c):
            raise KeyError("side")

        with self.assertRaises(KeyError):
            w.step(H)

    def test_law(self):
        world, body, joint = pendulum()
        world.setGravity((0, 0, 0))
        body.setLinearVel((0, 0, -1))
        body.setAngularVel((0, 1, 0))
        w = ukode.World(world)
        w.integrator = "rk4"

        @w.joint(joint).law
        def damper(c):
            one = [0, 0, 0] + [-0.5 * c.rate[0] * x for x in c.axis[0]]
            return [one, [-x for x in one]]

        for _ in range(100):
            w.step(H)
        inertia = body.getMass().mass * (1 + 0.4 * 0.1**2)
        self.assertAlmostEqual(body.getAngularVel()[1], math.exp(-0.5 / inertia), 8)

    def test_exception(self):
        world, body, joint = pendulum()
        w = ukode.World(world)
        w.step(H)
        for make in (lambda f: w.constraint([body])(f), lambda f: w.force([body])(f)):
            def bad(c):
                raise KeyError("mine")

            before = body.getPosition(), body.getQuaternion(), body.getLinearVel()
            thing = make(bad)
            with self.assertRaisesRegex(KeyError, "mine"):
                w.step(H)
            self.assertEqual(before, (body.getPosition(), body.getQuaternion(), body.getLinearVel()))
            thing.destroy()
            w.step(H)
        w.joint(joint).law(lambda c: [[1, 2], [3]])
        before = body.getPosition(), body.getQuaternion(), body.getLinearVel()
        with self.assertRaisesRegex(ValueError, "law"):
            w.step(H)
        self.assertEqual(before, (body.getPosition(), body.getQuaternion(), body.getLinearVel()))
        w.joint(joint).law(None)
        w.step(H)

    def test_leaks_nothing(self):
        world = earth()
        body = ball(world, (0, 0, 1))
        w = ukode.World(world)

        @w.constraint([body])
        def servo(c):
            return [0, 0, 1, 0, 0, 0], [-math.sin(c.time)]

        def steps(count):
            for _ in range(count):
                w.step(H)
            gc.collect()
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB

        before = steps(1000)
        self.assertLess(steps(20000) - before, 256)


class Keep(unittest.TestCase):
    """States and recordings."""

    def test_save_and_restore(self):
        world, bodies, step, keep = heap()
        w = ukode.World(world)
        for _ in range(50):
            step(H, w.step)
        saved = w.save()
        ends = []
        for _ in range(2):
            w.restore(saved)
            for _ in range(50):
                step(H, w.step)
            ends.append((w.hash, [b.getPosition() for b in bodies]))
        self.assertEqual(*ends)
        with self.assertRaises(ukode.Error):
            w.restore(saved[:-1])

    def test_record_and_open(self):
        world, bodies, step, keep = heap()
        w = ukode.World(world)
        w.body(bodies[0]).name = "first"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.ukode")
            w.record(path, every_step=True)
            energies = []
            for _ in range(30):
                step(H, w.step)
                energies.append(w.report.kinetic_energy)
            w.record(None)
            with ukode.open(path) as run:
                self.assertEqual(list(run["step"]["kinetic_energy"]), energies)
                self.assertEqual(list(run["body"]["name"])[0], "first")
                self.assertEqual(run.sql("select count(*) from body_step"), [(30 * len(bodies),)])
                self.assertEqual(run.units("step")["kinetic_energy"], "J")
                self.compare(run)
                for change in ("create table other (x)", "delete from step", "update body set name = 'x'"):
                    with self.assertRaises(sqlite3.OperationalError):
                        run.sql(change)
            with self.assertRaises(ValueError):
                ukode.open(__file__)
            for tables in (["step"], ["run"], ["other"], []):
                other = os.path.join(folder, "_".join(["of", *tables]))
                with contextlib.closing(sqlite3.connect(other)) as database:
                    for table in tables:
                        database.execute(f"create table {table} (x)")
                    database.execute("pragma user_version = 1")
                    database.commit()
                with self.assertRaises(ValueError):
                    ukode.open(other)

    def compare(self, run):
        """Each column with what SQLite answers: NULL is NaN among numbers, None among others."""
        missing = 0
        for table in run.tables:
            for name, column in run[table].items():
                values = [value for value, in run.sql(f'select "{name}" from "{table}"')]
                numbers = all(value is None or isinstance(value, (int, float)) for value in values)
                for got, value in zip(column, values):
                    if value is not None or not numbers or not ukode.arrays.numpy:
                        self.assertTrue(got is None if value is None else got == value, (table, name, got, value))
                    else:
                        self.assertTrue(math.isnan(got), (table, name, got))
                        missing += 1
        self.assertTrue(missing > 0 or not ukode.arrays.numpy)

    def test_refused(self):
        w = ukode.World(earth())
        with self.assertRaises(ukode.Error):
            w.record("/nonexistent/run.ukode")
        with self.assertRaises(FileNotFoundError):
            ukode.open("/nonexistent/run.ukode")


if __name__ == "__main__":
    unittest.main()
