# SPDX-License-Identifier: BSD-3-Clause
"""ukode: exact, certified steps for worlds of the Open Dynamics Engine, from Python.

    import ukode, ode                      # ukode first: it must stand before ODE's library
    world = ode.World()
    ...
    w = ukode.World(world)                 # from now on its steps are ukode's
    w.integrator = "rk4"
    w.step(0.01)                           # or world.step(0.01)
    print(w.report.rank, w.ledger.residual)

Units are your own (SI in these pages), everything is in the world frame, quaternions are w, x, y, z. Arrays are NumPy's
where NumPy is installed, and lists otherwise. A failed call raises ukode.Error and leaves the world as it was.

    World        settings, report, ledger, power, equations, diagnosis; save, restore, hash, record
    Body, Joint  names, forces by cause, friction and laws of joints
    World.constraint, World.force, World.switching, Joint.law    your own functions
    World.linearize, World.modes            A, B, C, D of the motion about a state; its modes
    World.linear_operator                   A and B of large worlds, applied to vectors
    open         a recording, as tables
    worlds       every world of the process

docs/python.md has examples.
"""
from .analysis import Linearization, Mode
from .library import Error, version
from .operators import LinearOperator
from .recording import Recording, open, replay
from .world import Body, Equations, Gaussian, Joint, JointFriction, Mobility, World, worlds
from .searches import Assembly, Carried, Equilibrium, Inverse, Target
from .structures import Audit, AuditFinding, Diagnosis, JointDiagnosis, Ledger, Report

__all__ = [
    "Assembly", "Audit", "AuditFinding", "Body", "Carried", "Diagnosis", "Equations", "Equilibrium", "Error", "Gaussian",
    "Inverse", "Joint", "JointDiagnosis", "JointFriction", "Ledger", "LinearOperator", "Linearization", "Mobility", "Mode", "Recording",
    "Report", "Target", "World", "open", "replay", "version", "worlds",
]
__version__ = version()
