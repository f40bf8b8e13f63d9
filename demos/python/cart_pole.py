# SPDX-License-Identifier: BSD-3-Clause
"""A pendulum balanced on a cart: gains of a linear-quadratic regulator from the world's own linearization.

The world is an ordinary PyODE world. `linearize` gives A and B of it, continuous, or of one step of the size that the
controller works with; the Riccati equation gives the gains. Both regulators start from 0.3 rad. With steps of 10 ms both
balance; with steps of 0.25 s only the gains of the discrete linearization do.
Usage: cart_pole.py
"""
import sys

import numpy
import ukode  # before ode
import ode


class CartPole:
    """A cart of 2 kg on a rail along x, a rod of 1 kg and 1 m hinged to it, `angle` [rad] from upright."""

    def __init__(self, angle):
        self.world = ode.World()
        self.world.setGravity((0, 0, -9.81))
        self.cart, self.pole = ode.Body(self.world), ode.Body(self.world)
        mass = ode.Mass()
        mass.setBoxTotal(2, 0.4, 0.2, 0.2)
        self.cart.setMass(mass)
        mass.setBoxTotal(1, 0.05, 0.05, 1)
        self.pole.setMass(mass)
        self.pole.setPosition((0.5 * numpy.sin(angle), 0, 0.5 * numpy.cos(angle)))
        self.pole.setQuaternion((numpy.cos(angle / 2), 0, numpy.sin(angle / 2), 0))
        self.rail = ode.SliderJoint(self.world)
        self.rail.attach(self.cart, ode.environment)
        self.rail.setAxis((1, 0, 0))
        self.pivot = ode.HingeJoint(self.world)
        self.pivot.attach(self.pole, self.cart)
        self.pivot.setAnchor((0, 0, 0))
        self.pivot.setAxis((0, 1, 0))

    def state(self):
        """Position of the cart, angle of the rod, and their rates."""
        q = self.pole.getQuaternion()
        angle = 2 * numpy.arctan2(q[2], q[0])
        return numpy.array([self.cart.getPosition()[0], angle, self.cart.getLinearVel()[0], self.pole.getAngularVel()[1]])


def model(stepsize):
    """A and B in the coordinates of CartPole.state, about the upright pose; 0: continuous."""
    upright = CartPole(0)
    w = ukode.World(upright.world)
    outputs = [("body_position", upright.cart, 0), ("body_position", upright.pole, 4),
               ("body_velocity", upright.cart, 0), ("body_velocity", upright.pole, 4)]
    found = w.linearize(inputs=[("body_force", upright.cart, 0)], outputs=outputs, stepsize=stepsize)
    to = numpy.array(found.C)
    back = numpy.linalg.inv(to)
    return to @ found.A @ back, to @ found.B


WEIGHTS, EFFORT = numpy.diag([1.0, 10.0, 1.0, 1.0]), numpy.array([[0.1]])


def continuous_gain(A, B):
    """K = R^-1 B' P: P from the stable eigenvectors of the Hamiltonian matrix."""
    S = B @ numpy.linalg.inv(EFFORT) @ B.T
    values, vectors = numpy.linalg.eig(numpy.block([[A, -S], [-WEIGHTS, -A.T]]))
    stable = vectors[:, values.real < 0]
    P = numpy.real(stable[4:] @ numpy.linalg.inv(stable[:4]))
    return numpy.linalg.inv(EFFORT) @ B.T @ P


def discrete_gain(A, B):
    """K of x+ = A x + B u: the fixed point of the Riccati recursion."""
    P = WEIGHTS
    for _ in range(5000):
        K = numpy.linalg.solve(EFFORT + B.T @ P @ B, B.T @ P @ A)
        P = WEIGHTS + A.T @ P @ (A - B @ K)
    return K


def balances(gain, stepsize, seconds=20.0):
    """Whether the regulator brings the rod from 0.3 rad to rest, and the largest angle on the way."""
    scene = CartPole(0.3)
    ukode.World(scene.world)
    largest = 0.0
    for _ in range(int(seconds / stepsize)):
        x = scene.state()
        largest = max(largest, abs(x[1]))
        if largest > 1.5:
            return False, largest
        scene.cart.addForce((float(-gain @ x), 0, 0))
        scene.world.step(stepsize)
    return bool(numpy.all(numpy.abs(scene.state()) < 1e-3)), largest


def main():
    expected = {(0.01, "continuous"): True, (0.01, "discrete"): True, (0.25, "continuous"): False,
                (0.25, "discrete"): True}
    print("  step [s]  linearization  gains on x, angle, and rates                 balances  largest angle")
    wrong = 0
    for stepsize in (0.01, 0.25):
        for kind in ("continuous", "discrete"):
            gain = (continuous_gain(*model(0)) if kind == "continuous" else discrete_gain(*model(stepsize)))[0]
            good, largest = balances(gain, stepsize)
            wrong += good != expected[stepsize, kind]
            print("%10g  %-13s  %s  %-8s  %.3f" % (stepsize, kind, " ".join("%10.4f" % k for k in gain),
                                                   "yes" if good else "no", largest))
    return wrong


if __name__ == "__main__":
    sys.exit(main())
