"""Independent runs of gears with losses: python lossy_gear.py [--csv FILE].

Two shafts, a gear between them, and a third body on a spring at the second. In each mode scipy's DOP853 at rtol 1e-13, from event to event: a speed
that comes to zero, a torque that goes over to the other flank, a gear or a block that lets go. In motion the acceleration and the torque of the
flank follow from Newton's two equations and the ray of the torques. Nothing here is taken from the library under test. Needs numpy and scipy.
"""

import csv
import sys
from math import sin

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline


class Drive:
    """Inertias of the three bodies, ratio, efficiencies over speed, friction of each place with the ground as (sliding, held), springs."""

    def __init__(self, inertia, ratio, efficiency, friction, springs, torques, start, end):
        self.first, self.second, self.third = inertia[0], inertia[1] / ratio**2, inertia[2]
        self.ratio, (self.forward, self.backward) = ratio, efficiency
        self.friction, (self.k, self.d, self.ground) = friction, springs
        self.torques, self.start, self.end = torques, start, end

    def outer(self, t, y):
        """Torques on both places, counted at the first, and the force on the third body."""
        pull = self.k * (y[2] - y[0] / self.ratio) + self.d * (y[3] - y[1] / self.ratio)
        return self.torques[0](t), (self.torques[1](t) + pull) / self.ratio, -pull - self.ground * y[2]

    def sliding(self, t, y, side):
        f1, f2, _ = self.outer(t, y)
        return f1 - side * self.friction[0][0], f2 - side * self.friction[1][0] / abs(self.ratio)

    def flank_torque(self, t, y, side):
        f1, f2 = self.sliding(t, y, side)
        return self.second * f1 - self.first * f2

    def motion(self, t, y, side, flank):
        """Acceleration, and the torques that the gear takes and gives: N times the ray of this direction and flank."""
        f1, f2 = self.sliding(t, y, side)
        speed = abs(y[1])
        take, give = (1.0, self.forward(speed)) if side * flank > 0 else (self.backward(speed), 1.0)
        matrix = np.array([[self.first, flank * take], [self.second, -flank * give]])
        a, n = np.linalg.solve(matrix, [f1, f2])
        return a, n * flank * take, n * flank * give

    def room(self, t, y, side):
        """Positive while no motion to this side is possible."""
        f1, f2, _ = self.outer(t, y)
        a, b = self.friction[0][1], self.friction[1][1] / abs(self.ratio)
        forward, backward = self.forward(0.0), self.backward(0.0)
        return -min(
            side * (forward * f1 + f2) - forward * a - b,
            side * (f1 + backward * f2) - a - abs(backward) * b,
        )

    def decide(self, t, y):
        """The mode of the gear at speed zero or not: 0, or direction and flank."""
        sides = [np.sign(y[1])] if y[1] != 0.0 else [side for side in (1.0, -1.0) if self.room(t, y, side) < 0.0]
        if not sides:
            return 0
        return sides[0], 1.0 if self.flank_torque(t, y, sides[0]) > 0.0 else -1.0

    def block(self, t, y):
        if y[3] != 0.0 or self.friction[2] == 0.0:
            return np.sign(y[3])
        force = self.outer(t, y)[2]
        return 0.0 if abs(force) <= self.friction[2] else np.sign(force)

    def rates(self, t, y, gear, block):
        a = lost = speed = 0.0
        if gear != 0:
            a, take, give = self.motion(t, y, *gear)
            speed = y[1]
            lost = (take - give + gear[0] * (self.friction[0][0] + self.friction[1][0] / abs(self.ratio))) * speed
        held = block == 0.0 and self.friction[2] > 0.0
        third = 0.0 if held else (self.outer(t, y)[2] - block * self.friction[2]) / self.third
        return [speed, a, 0.0 if held else y[3], third, lost + block * self.friction[2] * y[3]]

    def run(self):
        """The state at the end and what was lost, and the times at which the gear comes to rest, turns round or begins to turn."""
        t, y, events = 0.0, np.array([*self.start, 0.0]), []
        gear, block = self.decide(t, y), self.block(t, y)
        while True:
            guards = []
            if gear == 0:
                guards += [(lambda t, y, side=side: self.room(t, y, side), ("slip", side)) for side in (1.0, -1.0)]
            else:
                side, flank = gear
                guards.append((lambda t, y: side * y[1], ("stop",)))
                guards.append((lambda t, y: flank * self.flank_torque(t, y, side), ("flank",)))
            if self.friction[2] > 0.0 and block == 0.0:
                most = self.friction[2]
                guards += [(lambda t, y, s=s: most - s * self.outer(t, y)[2], ("go", s)) for s in (1.0, -1.0)]
            elif self.friction[2] > 0.0:
                guards.append((lambda t, y: block * y[3], ("halt",)))
            for guard, _ in guards:
                guard.terminal, guard.direction = True, -1
            found = solve_ivp(
                lambda t, y: self.rates(t, y, gear, block),
                (t, self.end),
                y,
                method="DOP853",
                rtol=1e-13,
                atol=1e-15,
                max_step=0.02,
                events=[guard for guard, _ in guards],
            )
            t, y = found.t[-1], found.y[:, -1].copy()
            if found.status != 1:
                return y, events
            what = next(name for (_, name), hits in zip(guards, found.t_events, strict=True) if len(hits))
            if what[0] == "slip":
                gear = what[1], 1.0 if self.flank_torque(t, y, what[1]) > 0.0 else -1.0
            elif what[0] == "stop":
                y[1] = 0.0
                gear = self.decide(t, y)
            elif what[0] == "flank":
                gear = gear[0], -gear[1]
            elif what[0] == "go":
                block = what[1]
            else:
                y[3] = 0.0
                block = self.block(t, y)
            if what[0] in ("slip", "stop"):
                events.append(t)


def constant(value):
    return lambda speed: value


DRIVES = {
    "bearing": Drive(
        (0.02, 3.0, 1.5),
        8.0,
        (constant(0.7), constant(0.35)),
        ((0.15, 0.25), (0.8, 0.8), 0.0),
        (40.0, 0.6, 25.0),
        (lambda t: 1.5 * sin(3.0 * t) + 0.4 * sin(11.0 * t), lambda t: -3.0 + 2.0 * sin(1.3 * t)),
        (0.0, 0.0, 0.0, 0.0),
        6.0,
    ),
    "table": Drive(
        (0.02, 3.0, 1.5),
        -8.0,
        (
            CubicSpline([0.0, 5.0, 20.0, 60.0], [0.5, 0.62, 0.8, 0.7], bc_type="natural"),
            CubicSpline([0.0, 15.0, 60.0], [0.2, 0.4, 0.6], bc_type="natural"),
        ),
        ((0.0, 0.0), (0.0, 0.0), 2.0),
        (40.0, 0.6, 25.0),
        (lambda t: 3.0 * sin(3.0 * t), lambda t: -3.0 + 2.0 * sin(1.3 * t)),
        (0.0, 30.0, 0.2, 0.0),
        6.0,
    ),
    "worm": Drive(
        (0.05, 3.0, 2.5),
        20.0,
        (constant(0.45), constant(-0.25)),
        ((0.1, 0.1), (0.0, 0.0), 1.0),
        (300.0, 3.0, 10.0),
        (lambda t: 0.3 + 1.2 * sin(4.0 * t), lambda t: 8.0 * sin(2.3 * t)),
        (0.0, 0.0, 0.1, 0.0),
        6.0,
    ),
}


def main():
    rows = []
    for name, drive in DRIVES.items():
        y, events = drive.run()
        rows += [(name, what, value) for what, value in zip(("a.x", "a.v", "c.x", "c.v", "lost"), y, strict=True)]
        rows += [(name, "event", t) for t in events]
    out = open(sys.argv[2], "w", newline="") if sys.argv[1:2] == ["--csv"] else sys.stdout
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("drive", "what", "value"))
    table.writerows((name, what, f"{value:.12g}") for name, what, value in rows)


main()
