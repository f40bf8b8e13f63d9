#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers in the text of findings, computed here from the recordings: of models with one planted fault each.

Usage: numbers.py UKODE FOLDER      a folder of recordings (report/model --record FOLDER every)"""
import math, re, sqlite3, subprocess, sys

NUMBER = r"(-?[0-9.]+(?:e[+-]?[0-9]+)?)"
failed = 0


class Recording:
    def __init__(self, path):
        self.base = sqlite3.connect(path)

    def all(self, sql, *values):
        return self.base.execute(sql, values).fetchall()

    def one(self, sql, *values):
        return self.all(sql, *values)[0][0]


def near(found, expected, part=0.006):
    """Three digits are displayed; as many as decide here."""
    return math.isfinite(expected) and abs(found - expected) <= part * abs(expected) + 1e-12


def explosion(r, before, factor, steps, most):
    energy = [k for (k,) in r.all("SELECT kinetic_energy FROM step ORDER BY step")]
    steps = int(steps)
    begins = [k for k, later in zip(energy, energy[steps:]) if near(before, k) and near(factor, later / k)]
    return [(most, max(energy))] + ([] if begins else [(factor, math.nan)])


def turns(r, body, angle, h, when, advised):
    spins = r.all("SELECT s.h, b.spin_x, b.spin_y, b.spin_z FROM body_step b JOIN step s USING (step) WHERE b.body = ? "
                  "AND abs(s.time - ?) < 1e-3 * s.h + 1e-9", body, when)
    turn = spins[0][0] * math.hypot(*spins[0][1:])
    return [(angle, turn), (h, spins[0][0]), (advised, 0.1 * h / turn, 0.06)]  # turns by 0.1 rad, in two digits


def sinks(r, mean, most):
    return [(mean, r.one("SELECT avg(depth) FROM contact_step")), (most, r.one("SELECT max(depth) FROM contact_step"))]


def flickers(r, times, rate):
    steps = [s for (s,) in r.all("SELECT DISTINCT step FROM contact_step ORDER BY step")]
    again = sum(1 for a, b in zip(steps, steps[1:]) if b > a + 1)
    span = r.one("SELECT max(time) - min(time) FROM step WHERE step BETWEEN ? AND ?", steps[0], steps[-1])
    return [(times, again), (rate * span, again, 0.03)]


def masses(r, ratio, heavy, heaviest, light, lightest):
    mass = dict(r.all("SELECT body, mass FROM body"))
    return [(ratio, mass[heavy] / mass[light]), (heaviest, mass[heavy]), (lightest, mass[light])]


def energy(r, lost, motion):
    k, low, high = r.all("SELECT max(kinetic_energy), min(potential_energy), max(potential_energy) FROM step")[0]
    work = ("SELECT sum(work) FROM ledger_step WHERE cause IN ('integration', 'gyroscopic', 'stabilization') AND "
            "step = (SELECT %s(step) FROM ledger_step)")
    first, last = r.one(work % "min"), r.one(work % "max")
    return [(motion, max(k, high - low)), (lost, abs(last - first), 0.02)]


def force(r, mu, normal):
    row = "avg(force_x * normal_x + force_y * normal_y + force_z * normal_z)"
    return [(mu, r.one("SELECT max(mu) FROM contact_step")), (normal, r.one("SELECT %s FROM contact_step" % row), 0.02)]


def limit(r, mean):
    return [(mean, r.one("SELECT avg(mu) FROM contact_step"))]


def ice(r, speed):
    slip = "max(sqrt(slip_x * slip_x + slip_y * slip_y + slip_z * slip_z))"
    mean = "SELECT avg(v) FROM (SELECT %s AS v FROM contact_step WHERE body_1 = 1 GROUP BY step)" % slip
    return [(speed, r.one(mean), 0.02)]


def drift(r, error):
    return [(error, r.one("SELECT max(position_error) FROM step"), 0.02)]


def weak(r, most, share):
    size = "max(%s)" % ", ".join("abs(%s_motor_%s)" % (what, axis) for what in ("force", "torque") for axis in "xyz")
    count = r.one("SELECT count(*) FROM joint_step WHERE joint = 1 AND %s > 0.999 * ?" % size, most)
    return [(share, 100 * count / r.one("SELECT count(*) FROM joint_step WHERE joint = 1"), 0.02)]


# what computes the numbers, of which models, and the text in which "#" is a number
RULES = [
    (explosion, "four_overshoot three_overshoot bead_on_a_turning_rod_natively",
     r"\(explosion\).* from # J by a factor of # in # steps, to # J at most"),
    (turns, "box_spins spins_fast eccentric_disc whirls_fast",
     r"\(step_too_long\).*: body # rotates by # rad in one step of # s \[at # s\]\n.*\n   do: .*h <= # s"),
    (sinks, "sinks_natively sinks_into_soft_ground", r"\(contact_sinks\).* overlap by # m on average, by # m at most"),
    (flickers, "ball_chatters chatters_at_every_second_step",
     r"\(contact_flickers\).* lose and regain contact # times, # times per second"),
    (masses, "heavy_link_natively light_link",
     r"\(mass_ratio\).*: mass ratio #: body # has # kg, body # connected to it # kg"),
    (energy, "rotor_on_springs turns_far_in_a_step eccentric_disc pendulum_beside_a_spring",
     r"\(energy_integration\).*: # J \(energy of the motion: # J\)"),
    (force, "coefficient_as_a_force friction_without_load",
     r"\(mu_is_force\).* of at most # N each, whatever the normal force \(# N on average\)"),
    (limit, "dragged_over_the_ground slope_that_slides steep_slope", r"\(friction_limit\).* at # of the normal force"),
    (ice, "both_slide_on_ice ice", r"\(friction_missing\).* slide on each other at # m/s"),
    (drift, "chain_beside_a_soft_joint", r"\(drift\).* has a position error of up to # m"),
    (weak, "weak_lift motor_is_no_surge weak_piston",
     r"\(motor_limit\).* is at its limit of # N(?: m)? in # % of the steps"),
]


def check(ukode, path, name, rule, pattern):
    global failed
    text = subprocess.run([ukode, "report", path, "--text"], capture_output=True, text=True).stdout
    found = re.search(pattern.replace("#", NUMBER), text)
    if not found:
        print("%s: no '%s' in\n%s" % (name, pattern, text))
        failed += 1
        return
    for comparison in rule(Recording(path), *map(float, found.groups())):
        if not near(*comparison):
            print("%s: displayed %g, expected %g" % (name, *comparison[:2]))
            failed += 1


def main(ukode, folder):
    for rule, models, pattern in RULES:
        for model in models.split():
            check(ukode, "%s/%s.ukode" % (folder, model), "%s of %s" % (rule.__name__, model), rule, pattern)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
