#!/usr/bin/env python3
"""Peers on the work-precision problems: peers.py OUT.csv [PROBLEM ...]  |  peers.py --references  |  peers.py --table CSV

Writes problem,solver,rtol,atol,error,seconds,steps. A peer that is not installed is named and skipped. See README.md.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
try:
    import numba as nb

    njit = nb.njit
except ImportError:  # SciPy then runs on plain Python right-hand sides, as most of its users do
    nb, njit = None, lambda f: f

# ---- the problems -------------------------------------------------------------------------------------------------------------
# rhs(t, y, d, m): m = [events, turn, sat]. Without events the kinks are left to the step control; with them `turn` is the sign of v
# (g5: 0 is stick) and `sat` the side on which the spring of o5 is saturated, both constant between events.
# The state of a bristle is its force, not its deflection: LSODA here takes one atol, and so it suits all states.


@njit
def side(v, m):
    return m[1] if m[0] else float((v > 0) - (v < 0))


@njit
def lugre(v, w, m, fc, fs, vs, delta, s0, s1, s2):
    a = side(v, m) * v
    r = a / vs
    dw = s0 * (v - a * w / (fc + (fs - fc) * math.exp(-r if delta == 1 else -r * r)))
    return w + s1 / s0 * dw + s2 * v, dw


@njit
def o5(t, y, d, m):
    x, v, s, w = y[0], y[1], y[2], y[3]
    r, f = v / 0.04, w + 1100 * v
    c = m[2] if m[0] else float((f > 1.5) - (f < -1.5))
    d[0] = v
    d[1] = 2 * (0.1 * t - x) - (1 - s) * (1.5 * c if c else f) - s * (side(v, m) + 0.6 * v)
    d[2] = (-math.expm1(-r * r) - s) / 0.01
    d[3] = (1 - s) * 1e4 * v - s * w / 0.001


@njit
def a7(t, y, d, m):
    f, d[2] = lugre(y[1], y[2], m, 3.0, 6.0, 0.1, 1, 1e3, 2 * math.sqrt(1e3), 0.0)
    d[0] = y[1]
    d[1] = 2 * (2 * t - y[0]) - f


@njit
def a12(t, y, d, m):
    f, d[2] = lugre(y[1], y[2], m, 1.0, 1.5, 1e-3, 2, 1e5, math.sqrt(1e5), 0.4)
    d[0] = y[1]
    d[1] = 3 * (1 - y[0]) - 6 * y[1] + 4 * y[3] - f
    d[3] = 1 - y[0]


@njit
def b5(t, y, d, m):
    d[0] = y[1]
    d[1] = 100 * (0.1 - y[0]) - y[2]
    d[2] = y[1] * (0.981 - y[2] * side(y[1], m)) * 1e5


@njit
def b4(t, y, d, m):
    d[0] = y[1]
    d[1] = 100 * (0.1 - y[0]) - 0.981 * math.tanh(1000 * y[1])


@njit
def g5(t, y, d, m):
    d[0] = y[1]
    d[1] = 1.5 * math.sin(t) - m[1] if m[1] else 0.0


@njit
def lugre1995(t, y, d, m):
    f, d[2] = lugre(y[1], y[2], m, 1.0, 1.5, 1e-3, 2, 1e5, math.sqrt(1e5), 0.4)
    d[0] = y[1]
    d[1] = 2 * (0.1 * t - y[0]) - f


# name: right-hand side, states, seconds, guards
PROBLEMS = {
    "o5": (o5, 4, 25.0, 2), "a7": (a7, 3, 20.0, 1), "a12": (a12, 4, 100.0, 1), "b5": (b5, 3, 3.0, 1),
    "b4": (b4, 2, 10.0, 0), "g5": (g5, 2, 20.0, 1), "lugre1995": (lugre1995, 3, 30.0, 1),
}  # fmt: skip


def kernels(problem):
    """guards(t, y, g, m) and after(t, y, m, hit): what an event is and what it changes."""
    rhs, n, _, _ = PROBLEMS[problem]

    if problem == "g5":

        @njit
        def guards(t, y, g, m):
            g[0] = m[1] * y[1] if m[1] else 1 - abs(1.5 * math.sin(t))

        @njit
        def after(t, y, m, hit):
            u = 1.5 * math.sin(t)
            m[1] = np.sign(u) if not m[1] or abs(u) > 1 else 0.0
            y[1] = 0.0

    else:

        @njit
        def guards(t, y, g, m):
            g[0] = m[1] * y[1]
            if problem == "o5":
                f = y[3] + 1100 * y[1]
                g[1] = m[2] * f - 1.5 if m[2] else 1.5 - abs(f)

        # The side is read from the rate, not flipped: an event found twice by rounding then does no harm.
        @njit
        def after(t, y, m, hit):
            d = np.empty(n)
            if hit == 0:
                y[1] = 0.0
                rhs(t, y, d, m)
                m[1] = 1.0 if d[1] > 0 else -1.0
            else:
                rhs(t, y, d, m)
                f, rate = y[3] + 1100 * y[1], d[3] + 1100 * d[1]
                m[2] = np.sign(f) if f * rate > 0 else 0.0

    return guards, after


def first_mode(problem):
    return np.array([1.0, 0.0 if problem == "g5" else 1.0, 0.0])


STICK_STEP = 0.5  # at rest nothing limits the step: do not leap over |u| = 1 twice

# ---- measuring ----------------------------------------------------------------------------------------------------------------


class Bench:
    def __init__(self, out, problem):
        data = np.loadtxt(HERE / "reference" / f"{problem}.csv", delimiter=",", skiprows=1)
        self.out, self.problem, self.t, self.ref = out, problem, data[:, 0], data[:, 1]

    def row(self, solver, rtol, atol, x, seconds, steps=""):
        if x is None or not np.all(np.isfinite(x)):
            return
        error = np.max(np.abs(x - self.ref)) / np.max(np.abs(self.ref))
        self.out.writerow([self.problem, solver, f"{rtol:.3g}", f"{atol:.3g}", f"{error:.3e}", f"{seconds:.4e}", steps])

    def sweep(self, solver, run, rtols, factors, budget, cap):
        """run(rtol, atol, repeats) -> (x or None, steps). Best of several; leaves off at the first tolerance that takes over `cap`."""
        run(1e-3, 1e-5, 1)  # compiles
        for rtol in rtols:
            slowest = 0.0
            for factor in factors:
                best, repeats, spent, count = math.inf, 1, 0.0, 0
                while spent < budget and count < 100 or count < 3 and spent < cap:
                    start = time.perf_counter()
                    x, steps = run(rtol, rtol * factor, repeats)
                    took = time.perf_counter() - start
                    best, spent, count = min(best, took / repeats), spent + took, count + 1
                    if x is None:
                        break
                    if took < 1e-3:  # short runs are timed in batches
                        repeats, best = max(repeats + 1, int(repeats * 2e-3 / took)), math.inf
                self.row(solver, rtol, rtol * factor, x, best, steps)
                slowest = max(slowest, best)
            if slowest > cap:
                print(f"{self.problem} {solver}: over {cap} s at rtol {rtol:.0e}, tighter ones left out", file=sys.stderr)
                return


HALVES = [10 ** (-k / 2) for k in range(6, 23)]
WHOLES = HALVES[::2]
FACTORS = (1.0, 1e-2, 1e-4)


def numbalsoda_runs(bench):
    from numbalsoda import dop853, lsoda, lsoda_sig, solve_ivp

    rhs, n, end, count = PROBLEMS[bench.problem]
    guards, after = kernels(bench.problem)
    grid, zero = np.concatenate([[0.0], bench.t]), np.zeros(n)

    @nb.cfunc(lsoda_sig)
    def compiled(t, y, d, p):
        rhs(t, nb.carray(y, (n,)), nb.carray(d, (n,)), nb.carray(p, (3,)))

    @nb.cfunc(lsoda_sig)
    def events(t, y, g, p):
        guards(t, nb.carray(y, (n,)), nb.carray(g, (2,)), nb.carray(p, (3,)))

    address, event_address = compiled.address, events.address

    def plain(method):
        @njit
        def many(rtol, atol, repeats):
            m = np.zeros(3)
            for _ in range(repeats):
                u, ok = method(address, zero, grid, data=m, rtol=rtol, atol=atol, mxstep=3_000_000)
            return u, ok

        def run(rtol, atol, repeats):
            u, ok = many(rtol, atol, repeats)
            return (u[1:, 0] if ok else None), ""

        return run

    start = first_mode(bench.problem)

    @njit
    def many_events(rtol, atol, repeats):
        x = np.empty(200)
        for _ in range(repeats):
            m, y, t, done, events = start.copy(), zero.copy(), 0.0, 0, 0
            while done < 200:
                rest = grid[done + 1 :]
                step = STICK_STEP if m[1] == 0 else 0.0
                s = solve_ivp(address, np.array([t, end]), y, t_eval=rest, n_events=count, event_fcn=event_address,
                              data=m.ctypes.data, first_step=step, max_step=step, rtol=rtol, atol=atol)  # fmt: skip
                events += 1
                if not s.success or events > 20_000:
                    return x, False
                k = len(s.t)
                x[done : done + k] = s.y[:, 0]
                done += k
                if not s.event_found:
                    break
                t, y = s.t_event, s.y_event.copy()
                after(t, y, m, s.ind_event)
        return x, done == 200

    def run_events(rtol, atol, repeats):
        x, ok = many_events(rtol, atol, repeats)
        return (x if ok else None), ""

    if bench.problem != "g5":
        bench.sweep("numbalsoda-lsoda", plain(lsoda), HALVES, FACTORS, 0.08, 3.0)
        bench.sweep("numbalsoda-dop853", plain(dop853), HALVES, FACTORS[:2], 0.08, 1.0)
    if count:
        bench.sweep("numbalsoda-dop853-events", run_events, HALVES, FACTORS[:2], 0.08, 1.0)


def scipy_runs(bench):
    from scipy.integrate import odeint, solve_ivp

    rhs, n, end, count = PROBLEMS[bench.problem]
    guards, after = kernels(bench.problem)
    grid, zero = np.concatenate([[0.0], bench.t]), np.zeros(n)
    mode = np.zeros(3)

    # numba freezes a global array: so the mode is an argument, and the closures below bind it
    @njit
    def slope(t, y, m):
        d = np.empty(n)
        rhs(t, y, d, m)
        return d

    @njit
    def jac(t, y, m):
        """Central differences, compiled: much cheaper than SciPy's own."""
        j, a, b = np.empty((n, n)), np.empty(n), np.empty(n)
        for k in range(n):
            h = 1e-7 * (abs(y[k]) + 1e-4)
            z = y.copy()
            z[k] = y[k] + h
            rhs(t, z, a, m)
            z[k] = y[k] - h
            rhs(t, z, b, m)
            j[:, k] = (a - b) / (2 * h)
        return j

    def run_odeint(rtol, atol, repeats):
        for _ in range(repeats):
            u, info = odeint(slope, zero, grid, args=(mode,), Dfun=jac, tfirst=True, rtol=rtol, atol=atol,
                             mxstep=1_000_000, full_output=True)  # fmt: skip
        ok = info["message"] == "Integration successful."
        return (u[1:, 0] if ok else None), int(info["nst"][-1])

    def run_ivp(method):
        extra = {} if method == "DOP853" else {"jac": lambda t, y: jac(t, y, mode)}

        def run(rtol, atol, repeats):
            for _ in range(repeats):
                s = solve_ivp(lambda t, y: slope(t, y, mode), (0, end), zero, method, bench.t, rtol=rtol, atol=atol, **extra)
            return (s.y[0] if s.success else None), ""

        return run

    def run_events(method):
        def one(rtol, atol):
            m, y, t, x = first_mode(bench.problem), zero.copy(), 0.0, []
            g = np.empty(2)

            def guard(k):
                def value(t, y):
                    guards(t, y, g, m)
                    return g[k]

                value.terminal, value.direction = True, -1
                return value

            watch = [guard(k) for k in range(count)]
            extra = {} if method == "DOP853" else {"jac": lambda t, y: jac(t, y, m)}
            for _ in range(20_000):
                step = {"first_step": min(STICK_STEP, end - t), "max_step": STICK_STEP} if m[1] == 0 else {}
                s = solve_ivp(lambda t, y: slope(t, y, m), (t, end), y, method, bench.t[len(x) :], events=watch,
                              rtol=rtol, atol=atol, **step, **extra)  # fmt: skip
                if s.status < 0:
                    return None
                if len(s.t):
                    x.extend(s.y[0])
                if s.status == 0:
                    return np.array(x)
                k = next(k for k in range(count) if len(s.t_events[k]))
                t, y = s.t_events[k][0], s.y_events[k][0].copy()
                after(t, y, m, k)
            return None

        def run(rtol, atol, repeats):
            for _ in range(repeats):
                x = one(rtol, atol)
            return (x if x is not None and len(x) == 200 else None), ""

        return run

    if bench.problem == "g5":
        for method in ("DOP853", "LSODA", "Radau"):
            bench.sweep(f"scipy-{method.lower()}-events", run_events(method), WHOLES, FACTORS[:2], 0.2, 2.0)
        return
    bench.sweep("scipy-odeint", run_odeint, WHOLES, FACTORS, 0.1, 2.0)
    bench.sweep("scipy-lsoda", run_ivp("LSODA"), WHOLES, FACTORS[:2], 0.2, 2.0)
    bench.sweep("scipy-radau", run_ivp("Radau"), WHOLES, FACTORS[1:2], 0.2, 2.0)


def build(source, target, *flags):
    """None, or why it does not build."""
    cc = os.environ.get("CC", "cc")
    try:
        made = subprocess.run([cc, "-O3", "-march=native", str(HERE / source), "-o", target, *flags], capture_output=True, text=True)
    except OSError as e:
        return f"no C compiler: {e}"
    return made.stderr.strip() or f"{cc} failed" if made.returncode else None


def cvode_rows(out, problems):
    prefix = os.environ.get("SUNDIALS")  # where `make install` put it; else the system's
    parts = "cvode nvecserial sunmatrixdense sunlinsoldense sunnonlinsolnewton sunnonlinsolfixedpoint".split()
    libs = [f"-lsundials_{p}" for p in parts]
    where = [f"-I{prefix}/include", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib"] if prefix else []
    with tempfile.TemporaryDirectory() as folder:
        exe = f"{folder}/cvode"
        # 7 has a core library, 6 has not
        fault = build("cvode.c", exe, *where, *libs, "-lsundials_core", "-lm") and build("cvode.c", exe, *where, *libs, "-lm")
        if fault:
            print("skipped cvode: cvode.c does not build here:", fault.splitlines()[0], file=sys.stderr)
            return
        for p in problems:
            run = subprocess.run([exe, str(HERE / "reference"), p], stdout=subprocess.PIPE, text=True, check=True)
            out.writerows(line.split(",") for line in run.stdout.splitlines())


def references():
    """Both precisions; keeps the finer and prints how far apart they are."""
    with tempfile.TemporaryDirectory() as folder:
        for kind, flags in (("long", ["-lm"]), ("quad", ["-DQUAD", "-lquadmath", "-lm"])):
            if fault := build("reference.c", f"{folder}/{kind}.exe", *flags):
                sys.exit(fault)
            target = Path(folder, kind) if kind == "long" else HERE / "reference"
            target.mkdir(exist_ok=True)
            subprocess.run([f"{folder}/{kind}.exe", str(target)], check=True)
        for p in PROBLEMS:
            a, b = (np.loadtxt(f / f"{p}.csv", delimiter=",", skiprows=1)[:, 1] for f in (Path(folder, "long"), HERE / "reference"))
            print(f"{p}: long double and quad differ by {np.max(np.abs(a - b)) / np.max(np.abs(b)):.1e}")


def table(path, file=sys.stdout):
    """The fastest of each peer at equal achieved error."""
    with open(path) as f:
        rows = list(csv.DictReader(f))
    heads = " | ".join(f"error <= {e:.0e}" for e in (1e-4, 1e-6, 1e-8))
    print(f"| problem | peer | {heads} |\n|---|---|---|---|---|", file=file)
    for p in [p for p in PROBLEMS if any(r["problem"] == p for r in rows)]:
        for peer in ("cvode", "numbalsoda", "scipy"):
            mine = [r for r in rows if r["problem"] == p and r["solver"].startswith(peer)]
            cells = []
            for limit in (1e-4, 1e-6, 1e-8):
                good = [r for r in mine if float(r["error"]) <= limit]
                best = min(good, key=lambda r: float(r["seconds"])) if good else None
                how = best and f"({best['solver'][len(peer) + 1 :]}, rtol {best['rtol']}, error {best['error']})"
                cells.append(f"{float(best['seconds']) * 1e3:.3g} ms {how}" if best else "-")
            print(f"| {p} | {peer} | " + " | ".join(cells) + " |", file=file)


def main():
    args = sys.argv[1:]
    if not args or args[0] in ("-h", "--help"):
        sys.exit(__doc__)
    if args[0] == "--references":
        return references()
    if args[0] == "--table":
        return table(args[1])
    problems = args[1:] or list(PROBLEMS)
    warnings.filterwarnings("ignore")  # a failed run is a missing row
    # DOP853 prints from inside the clock when it suspects stiffness: its stdout goes nowhere, the table to the true one
    stdout = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with open(args[0], "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow("problem solver rtol atol error seconds steps".split())
        wanted = os.environ.get("PEERS", "cvode numbalsoda scipy").split()
        if "cvode" in wanted:
            cvode_rows(out, problems)
        for peer, runs in (("numbalsoda", numbalsoda_runs), ("scipy", scipy_runs)):
            if peer not in wanted:
                continue
            try:
                __import__(peer)
            except (ImportError, OSError) as e:
                print(f"skipped {peer}: {e}", file=sys.stderr)
                continue
            for p in problems:
                runs(Bench(out, p))
                f.flush()
                print(f"{peer} {p} done", file=sys.stderr)
    table(args[0], stdout)


if __name__ == "__main__":
    main()
