"""Laws traced from Python functions: against the laws of the library, law files, and as users get them wrong."""

import doctest
import math
import pickle
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import stiction as st
from stiction import _traced_law

LUGRE = dict(fc=1.0, fs=1.5, vs=1e-3, sigma0=1e5, sigma1=300.0, sigma2=0.4)


@st.law(states=["z"], fc="1 N", sigma="1e5 N/m")
def dahl(v, load, z, p):
    return p.sigma * z * load, v - p.sigma * abs(v) * z / p.fc


@st.law(states="z", fc="1 N", fs="1.5 N", vs="1e-3 m/s", sigma0="1e5 N/m", sigma1="300 N*s/m", sigma2="0.4 N*s/m")
def lugre(v, load, z, p):
    """LuGre's law.

    As the library has it.
    """
    g = p.fc + (p.fs - p.fc) * np.exp(-((v / p.vs) ** 2))
    dz = v - p.sigma0 * np.abs(v) / g * z
    return load * (p.sigma0 * z + p.sigma1 * dz) + p.sigma2 * v, dz


@st.law(states="z", alpha="1e5 N/m", beta="1e5 1/m", gamma="0.5 -", delta="0.5 -")
def bouc_wen(v, load, z, p):
    level = p.alpha / (p.beta * (p.gamma + p.delta))
    rate = p.alpha * v - p.beta * (p.gamma * abs(v) * z + p.delta * v * abs(z))
    return dict(force=load * z, rate=rate, settled=level * np.sign(v))


@st.law(states="z", alpha="1e5 N/m", beta="1e5 1/m", gamma="0.5 -", name="round-bouc-wen")
def round_bouc_wen(v, load, z, p):
    level = p.alpha / (p.beta * p.gamma)
    return dict(force=load * z, rate=p.alpha * v - p.beta * p.gamma * abs(v) * z, settled=level * np.sign(v))


@st.law(fc="1 N", fs="1.5 N", vs="1e-3 m/s", fv="0.4 N*s/m", require=lambda p: p.fs >= p.fc)
def stribeck(v, load, p):
    level = p.fc + (p.fs - p.fc) * np.exp(-((v / p.vs) ** 2))
    way = np.where(v > 0, 1, np.where(v < 0, -1, 0))
    return dict(force=load * level * way + p.fv * v, hold=load * p.fs)


@st.law(states=dict(z="m", slip="-"), sigma0="1e5 N/m", sigma1="300 N*s/m", z0="1e-5 m", a="0.5 -")
def reset_integrator(v, load, z, slip, p):
    stuck = slip == 0
    return dict(
        force=load * np.where(stuck, (1 + p.a) * p.sigma0 * z + p.sigma1 * v, p.sigma0 * z),
        rate=dict(z=np.where(stuck, v, 0)),
        when=[
            {"if": slip * np.sign(v) < 0, "set": {"slip": 0}},
            dict(if_=stuck & (v != 0), guard=z * np.sign(v) - p.z0, direction="rising", set=dict(slip=np.sign(v))),
        ],
    )


def motion(samples=4000):
    """A velocity that goes to and fro over every range of the laws, and a load that changes."""
    rng = np.random.default_rng(7)
    t = np.arange(samples)
    v = 3e-3 * np.sin(2e-2 * t) * rng.uniform(0.2, 1.0, samples)
    return v, rng.uniform(0.5, 1.5, samples)


def relative(got, want):
    """The largest difference, as a share of the largest value."""
    return np.max(np.abs(np.asarray(got) - want)) / np.max(np.abs(want))


class AgainstTheLibrary(unittest.TestCase):
    def laws(self):
        yield dahl, st.Law("dahl", fc=1.0, sigma=1e5)
        yield lugre, st.Law("lugre", **LUGRE)
        yield stribeck, st.Law("stribeck", fc=1.0, fs=1.5, vs=1e-3, fv=0.4)
        yield round_bouc_wen, st.Law("bouc-wen", alpha=1e5, beta=1e5, gamma=0.5, delta=0.0, nu=1.0, fv=0.0)
        yield bouc_wen, st.Law("bouc-wen", alpha=1e5, beta=1e5, gamma=0.5, delta=0.5, nu=1.0, fv=0.0)
        yield reset_integrator, st.Law("reset-integrator", sigma0=1e5, sigma1=300.0, z0=1e-5, a=0.5, fv=0.0)

    def test_steady_curves_and_rest(self):
        v = np.concatenate([np.geomspace(1e-6, 1, 100), -np.geomspace(1e-6, 1, 100)])
        for traced, own in self.laws():
            # the library computes a settled memory that is not given by long samples, to a millionth of its range
            tolerance = 1e-6 if traced is reset_integrator else 1e-12
            self.assertLess(relative(traced.steady(v), own.steady(v)), tolerance, own.name)
        self.assertEqual(stribeck.at_rest(load=2.0), (-3.0, 3.0))

    def test_rates_and_forces(self):
        rng = np.random.default_rng(3)
        for traced, own in self.laws():
            for _ in range(200):
                v, load = 10 ** rng.uniform(-6, 0) * rng.choice([-1, 1]), rng.uniform(0, 2)
                scale = np.abs(own.settled(v)) + np.array([s.unit == "-" for s in own.states])
                z = [round(x) if s.unit == "-" else x for s, x in zip(own.states, scale * rng.uniform(-1, 1, len(own.states)))]
                force, rates = traced.flow(v, z, load)
                want, want_rates = own.flow(v, z, load)
                self.assertLessEqual(abs(force - want), 1e-12 * abs(want) + 1e-15, own.name)
                # a rate near zero is the difference of two of the size of its parts
                parts = np.abs(own.flow(v, [0.0] * len(z), load)[1]) + np.abs(want_rates)
                np.testing.assert_array_less(np.abs(rates - want_rates), 1e-12 * parts + 1e-300)

    def test_sampled_motions(self):
        v, load = motion()
        for traced, own in self.laws():
            got, got_states = traced.along(v, dt=1e-4, load=load)
            want, states = own.along(v, dt=1e-4, load=load)
            self.assertLess(relative(got, want), 1e-12, own.name)
            if states.size:
                self.assertLess(relative(got_states, states), 1e-12, own.name)

    def test_bouc_wen_has_the_exact_step(self):
        # a sample is cut at z = 0, and on either side the rate is linear
        v, _ = motion()
        own = st.Law("bouc-wen", alpha=1e5, beta=1e5, gamma=0.5, delta=0.5, nu=1.0, fv=0.0)
        for dt in (1e-7, 1e-6, 1e-3, 1.0):
            self.assertLess(relative(bouc_wen.along(v, dt=dt)[0], own.along(v, dt=dt)[0]), 1e-12, dt)

    def test_runs_of_scenarios(self):
        levels = dict(fc=3.0, fs=6.0, vs=0.1)
        bristles = dict(sigma0=1000.0, sigma1=60.0, sigma2=0.1)
        for traced, own in (
            (lugre.replace(**levels, **bristles), st.Law("lugre", **levels, **bristles)),
            (stribeck.replace(**levels, fv=0.1), st.Law("stribeck", **levels, fv=0.1)),
        ):
            runs = [st.Scenario("a7").run(table=law, end=15.0, rtol=1e-8) for law in (traced, own)]
            self.assertEqual([e.kind for e in runs[0].events], [e.kind for e in runs[1].events])
            self.assertGreater(len(runs[0].events), 2)
            # within the tolerance of the solver, which need not take the same steps; the force falls with the speed by up to
            # (fs - fc)/vs = 30 N·s/m
            self.assertLess(relative(runs[0]["block.x"], runs[1]["block.x"]), 1e-8)
            self.assertLess(relative(runs[0]["table.force"], runs[1]["table.force"]), 30 * 1e-8)

    def test_the_example_of_the_book(self):
        run = st.Scenario("a7").run(k=2, table=dahl, rtol=1e-8, end=2.0)
        own = st.Scenario("a7").run(k=2, table=st.Law("dahl", fc=1.0, sigma=1e5), rtol=1e-8, end=2.0)
        # the built-in law has its stages in lanes, and a traced one takes Rodas5P: each is within the tolerance
        self.assertLess(relative(run["table.force"], own["table.force"]), 2 * 1e-8)

    def test_identification_takes_a_traced_law(self):
        v, _ = motion(300)
        force, _ = lugre.replace(fc=1.3).along(v, dt=1e-3)
        data = dict(time=1e-3 * np.arange(300), position=np.cumsum(v) * 1e-3, velocity=v, force=force)
        fit = st.identify(**data, model=lugre, mass=0, free=["fc"], set=dict(fs=1.5))
        self.assertEqual(fit.law.name, "my-lugre")
        self.assertLess(abs(fit["fc"].value - 1.3), 0.05)
        self.assertEqual(fit.law.definition, lugre.definition)

    def test_it_runs_as_the_law_file_does(self):
        v, load = motion()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "law.toml"
            lugre.save(path, definition=True)
            read = st.Law(path)
        # a text is compiled once, so that both are the same program, at the same speed
        self.assertEqual(read, lugre)
        np.testing.assert_array_equal(read.along(v, dt=1e-4, load=load)[0], lugre.along(v, dt=1e-4, load=load)[0])


class AsALaw(unittest.TestCase):
    def test_names_units_and_documentation(self):
        self.assertEqual((dahl.name, lugre.name, stribeck.name), ("my-dahl", "my-lugre", "my-stribeck"))
        self.assertEqual((lugre.summary, lugre.remarks), ("LuGre's law.", ["As the library has it."]))
        self.assertEqual([(s.name, s.unit) for s in dahl.states], [("z", "m")])
        self.assertEqual(dahl["sigma"].unit, "N/m")
        self.assertIn("my-dahl", st.laws())

    def test_names_of_variables_are_those_of_equations(self):
        self.assertIn('g = "fc + (fs - fc)*exp(-(v/vs)^2)"', lugre.definition)
        self.assertIn('rate.z = "dz"', lugre.definition)

    def test_units_follow_from_the_equations(self):
        @st.law(states=["z", "w"], fc=1, fs=1.5, vs=1e-3, sigma=1e5, tau=0.1, exponent=2, name="no-units")
        def law(v, load, z, w, p):
            g = p.fc + (p.fs - p.fc) * np.exp(-(np.abs(v / p.vs) ** p.exponent))
            return load * p.sigma * (z + w), v - p.sigma * abs(v) * z / g, (z - w) / p.tau

        units = {name: law[name].unit for name in law}
        expected = dict(fc="N", fs="N", vs="m/s", sigma="N/m", tau="s", exponent="-")
        self.assertEqual(units, expected)
        self.assertEqual([s.unit for s in law.states], ["m", "m"])

    def test_rotations(self):
        @st.law(states="z", fc="0.1 N*m", sigma="100 N*m/rad", name="turning")
        def law(v, load, z, p):
            return load * p.sigma * z, v - p.sigma * abs(v) * z / p.fc

        self.assertAlmostEqual(law.steady(1.0), 0.1, places=12)

    def test_parameters_with_bounds_and_meaning(self):
        @st.law(fc=st.Param("1 N", min=0, max=9, doc="Level"), fv=dict(default=2.0, unit="N*s/m", min=0), name="bounded")
        def law(v, fc, fv):
            return fc * np.sign(v) + fv * v

        self.assertEqual((law["fc"].minimum, law["fc"].maximum, law["fc"].doc), (0.0, 9.0, "Level"))
        with self.assertRaises(st.Error):
            law.replace(fc=10)
        self.assertEqual(law.replace(fv=1).steady(1.0), 2.0)

    def test_every_state_has_a_name_of_its_own(self):
        with self.assertRaisesRegex(st.Error, "states"):
            st.law(states=["z", "z"], fc="1 N")

    def test_conditions_between_parameters(self):
        with self.assertRaises(st.Error) as raised:
            stribeck.replace(fs=0.5)
        self.assertIn("fs >= fc", str(raised.exception))

    def test_pickles_and_files(self):
        law = dahl.replace(fc=1 / 3)
        self.assertEqual(pickle.loads(pickle.dumps(law)), law)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "law.toml"
            law.save(path)
            self.assertEqual(st.Law(path), law)
            law.save(path, definition=True)
            self.assertEqual(path.read_text(encoding="utf-8"), dahl.definition)
            self.assertEqual(st.Law(path)["fc"].value, 1.0)
            with self.assertRaises(st.Error):
                st.Law("dahl").save(path, definition=True)
            self.assertEqual(path.read_text(encoding="utf-8"), dahl.definition)

    def test_two_laws_of_one_name_are_two_laws(self):
        def make(level):
            @st.law(fc="1 N", name="same-name")
            def law(v, load, p):
                return dict(force=level * load * p.fc * np.sign(v), hold=level * load * p.fc)

            return law

        one = make(1.0)
        scenario = st.Scenario("g1").replace({list_of_contacts("g1")[0]: one})
        before = scenario.run()
        two = make(2.0)
        self.assertEqual((one.steady(1.0), two.steady(1.0)), (1.0, 2.0))
        after = scenario.run()
        for column in before.columns:
            np.testing.assert_array_equal(before[column], after[column])
        # what a run says of itself repeats it, and so does a pickle
        again = st.Scenario.parse(before.scenario).run()
        np.testing.assert_array_equal(before["t"], again["t"])
        make(3.0)
        kept = pickle.loads(pickle.dumps(scenario)).run()
        np.testing.assert_array_equal(before["t"], kept["t"])
        self.assertEqual(pickle.loads(pickle.dumps(one)).steady(1.0), 1.0)

    def test_signed_load_sources_and_own_name(self):
        @st.law(fc="1 N", load="signed", cite="Olsson1998", name="own", summary="Short.", doc="Long.")
        def law(v, load, p):
            return p.fc * load * np.tanh(np.sign(v))

        self.assertEqual((law.name, law.summary, law.sources, law.remarks), ("own", "Short.", ["Olsson1998"], ["Long."]))
        self.assertEqual(law.steady(1.0, load=-1.0), -math.tanh(1.0))

    def test_documentation(self):
        failed, tried = doctest.testmod(_traced_law)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 0)


def list_of_contacts(name):
    """The contacts of a scenario."""
    import re

    return re.findall(r"^\[contact\.(.*)\]", st.Scenario(name).text, re.MULTILINE)


class Functions(unittest.TestCase):
    """Every function that a law may use gives what NumPy gives."""

    def same(self, function, speeds=None):
        @st.law(one="1 N", vs="1 m/s", name="function")
        def law(v, p):
            return p.one * function(v / p.vs)

        v = np.concatenate([np.linspace(-3, 3, 61), [0.0, 1.0, -1.0, 1e-9]]) if speeds is None else np.asarray(speeds)
        with np.errstate(all="ignore"):
            want = np.array([float(function(np.float64(x))) for x in v])
        got = np.array([law.flow(x, [])[0] for x in v])
        # elementary functions of two libraries differ in the last bits, and sums of them by as much of their largest parts
        np.testing.assert_allclose(got, want, rtol=2e-15, atol=1e-15 * np.max(np.abs(want)))

    def test_arithmetic_and_elementary_functions(self):
        positive = np.linspace(0.0, 4.0, 41)
        for function in (
            lambda x: 1 + 2 * x - x / 3 + (x - 1) * (x + 1) / (2 + x * x) - (1 - (2 - x)),
            lambda x: -(x**2) + (-x) ** 3 - 2**x + x**2.0 - -x,
            lambda x: np.exp(-x) + np.tanh(x) * np.square(x) - np.positive(x) + np.negative(x),
            lambda x: np.abs(x) + np.fabs(x) + np.sign(x) + abs(-x),
            lambda x: np.minimum(x, 1) + np.maximum(x, -1) + np.fmin(x, 0.5) * np.fmax(x, -0.5) + np.clip(x, -1, 2),
            lambda x: np.clip(x, None, 1) + np.clip(x, a_min=0, a_max=None),
            lambda x: np.hypot(x, 2) + np.cosh(x) + np.reciprocal(x * x + 1) + np.exp2(x),
            lambda x: np.copysign(2.0, x + 0.05) + np.heaviside(x, 0.5),
            lambda x: np.polyval([1.0, -2.0, 0.5], x),
            lambda x: np.float64(2.5) * x + x * np.float64(0.1) + np.float32(0.5) * x + np.int64(3) - x,
            lambda x: np.array(2.0) * x + 1 / 3,
        ):
            self.same(function)
        self.same(lambda x: np.sqrt(x + 1) + np.power(x + 1, 1.5) + (x + 2) ** 0.5, positive)
        self.same(lambda x: np.log(x + 1) + np.log10(x + 2) + np.log2(x + 3), positive)

    def test_conditions(self):
        for function in (
            lambda x: np.where(x > 0, 1, 2) + np.where(x >= 1, x, 0) + np.where(x < 0, x, 3) + np.where(x <= -1, 1, -x),
            lambda x: np.where(x == 0, 1.0, 2.0) + np.where(x != 0, 3, x),
            lambda x: np.where((x > 0) & (x < 1) | (x < -2), 1, 0) + np.where(~(x > 0), 1, 0),
            lambda x: np.where(np.logical_or(x < -1, np.logical_not(x < 1)), x, 0),
            lambda x: np.where(np.logical_xor(x < 0, x < 1), x, 0) + np.where((x < 0) ^ (x < 1), 1, 0),
            lambda x: (x > 0) * x + (x < -1) * 2.0 + np.where(np.less(x, 1) & np.greater_equal(x, 0), 1, 0),
            lambda x: np.select([x > 1, x > 0], [10.0, x], default=-1.0),
            lambda x: np.select([x > 1, True], [10.0, x]),
            lambda x: np.select([x > 1, x > 0, True], [10.0, 2.0, -3.0]),
            lambda x: np.where(True, x, 1.0) + np.where(False, 1.0, 2.0 * x),
            lambda x: np.where(x, 1, 2),
            lambda x: np.where(np.where(x > 0, x > 1, x > -1), 1.0, 2.0),
        ):
            self.same(function)

    def test_arrays_and_loops(self):
        factors = np.array([0.5, 0.25, 0.125])

        def function(x):
            parts = factors * x
            total = np.sum(parts * parts) + np.dot(factors, parts) + (x - factors)[1]
            for k in range(3):
                total = total + np.exp(-parts[k]) * (k + 1)
            return total + np.sum(np.exp(np.array([x, 2 * x])))

        self.same(function)

    def test_all_states_as_one_argument(self):
        stiffness = [1e5, 5e4, 2.5e4]

        @st.law(states=["f1", "f2", "f3"], fc="1 N", x0="1 m", name="elements")
        def law(v, load, p, *f):
            level = p.fc / len(f)
            rates = [k * p.fc / p.x0 * v * (1 - np.sign(v) * one / level) for k, one in zip(stiffness, f)]
            return load * sum(f), rates

        self.assertEqual([s.unit for s in law.states], ["N"] * 3)
        self.assertAlmostEqual(law.steady(0.1), 1.0, places=9)

    def test_shared_nodes_do_not_multiply_the_text(self):
        @st.law(c="1 N", vs="1 m/s", name="doubling")
        def law(v, p):
            x = v / p.vs
            for _ in range(60):
                x = 0.5 * (x + x * x / (1 + x * x))
            return p.c * x

        self.assertLess(len(law.definition), 10_000)
        x = 0.7
        for _ in range(60):
            x = 0.5 * (x + x * x / (1 + x * x))
        self.assertAlmostEqual(law.steady(0.7) / x, 1.0, places=12)

    def test_deep_and_large_graphs(self):
        def chain(count):
            @st.law(c="1 N", vs="1 m/s", name="chain-of-sums")
            def law(v, p):
                x = v / p.vs
                for k in range(count):
                    x = 0.999 * x + k % 7
                return p.c * x

            return law

        law, x = chain(2000), 0.3
        for k in range(2000):
            x = 0.999 * x + k % 7
        self.assertAlmostEqual(law.steady(0.3) / x, 1.0, places=12)
        limit = sys.getrecursionlimit()
        with self.assertRaises(st.Error) as raised:
            # more than 10^5 operations
            chain(35_000)
        self.assertIn("more than", raised.exception.message)
        self.assertEqual(sys.getrecursionlimit(), limit)

    def test_random_expressions_against_numpy(self):
        rng = np.random.default_rng(11)
        operations = [
            lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / (1 + b * b), lambda a, b: -a,
            lambda a, b: np.minimum(a, b), lambda a, b: np.maximum(a, b), lambda a, b: np.where(a < b, a, b - 1),
            lambda a, b: abs(a) ** 1.5, lambda a, b: np.tanh(a), lambda a, b: a**2, lambda a, b: np.exp(-abs(a)),
            lambda a, b: np.where((a > 0) & ~(b >= a) | (a == b), a, -b), lambda a, b: np.sign(a) * b, lambda a, b: a - (b - (a - b)),
            lambda a, b: np.clip(a, -1, 1), lambda a, b: (a / 2) / (b / 3 + 7 * (1 + abs(b))),
        ]
        for trial in range(30):
            plan = [(rng.integers(len(operations)), rng.random(), rng.random()) for _ in range(rng.integers(3, 60))]

            def function(x, plan=plan):
                values = [x, x * 0.5, 2.0 - x]
                for which, i, j in plan:
                    n = len(values)
                    values.append(np.clip(operations[which](values[int(i * n)], values[int(j * n)]), -1e3, 1e3))
                return values[-1] + 0.1 * values[-2]

            with self.subTest(trial=trial):
                self.same_to(function, 1e-11)

    def same_to(self, function, tolerance):
        @st.law(one="1 N", vs="1 m/s", name="random")
        def law(v, p):
            return p.one * function(v / p.vs)

        for x in (-2.3, -0.7, -1e-3, 0.0, 1e-3, 0.4, 1.9):
            want = float(function(np.float64(x)))
            self.assertLessEqual(abs(law.flow(x, [])[0] - want), tolerance * max(1.0, abs(want)))


class Mistakes(unittest.TestCase):
    def error(self, function, **options):
        with self.assertRaises(st.Error) as raised:
            st.law(**{"fc": "1 N", "name": "wrong", **options})(function)
        self.assertTrue(raised.exception.hint, raised.exception.message)
        return raised.exception

    def test_what_needs_a_value_is_told(self):
        def branch(v, p):
            if v > 0:
                return p.fc
            return -p.fc

        def loop(v, p):
            while v > 0:
                v = v - 1
            return v

        def fill(v, p):
            a = np.zeros(3)
            a[0] = v
            return a[0]

        def in_place(v, p):
            a = np.ones(3)
            a += v
            return a[0]

        def item(v, p):
            v[0] = 1
            return v

        for function, words in (
            (branch, "np.where"),
            (lambda v, p: p.fc * (v > 0 and v < 1), "&"),
            (lambda v, p: p.fc * (v > 0 or v < 1), "|"),
            (lambda v, p: p.fc * (not v), "~"),
            (lambda v, p: np.where(0 < v < 1, p.fc, 0), "(a < v) & (v < b)"),
            (lambda v, p: min(v, p.fc), "np.minimum"),
            (loop, "np.where"),
            (lambda v, p: p.fc * math.exp(v), "np.exp"),
            (lambda v, p: p.fc * float(v), "np.exp"),
            (lambda v, p: p.fc * round(v), "np.exp"),
            (lambda v, p: sum(p.fc for _ in range(v)), "fixed count"),
            (lambda v, p: [1.0, 2.0][v] * p.fc, "fixed"),
            (lambda v, p: [x for x in v], "state"),
            (fill, "lists"),
            (in_place, "a = a + v"),
            (item, "new quantity"),
            (lambda v, p: np.add.reduce(v), "np.where"),
            (lambda v, p: p.fc * np.sin(v), "np.tanh"),
            (lambda v, p: np.interp(v, [0, 1], [0, 1]), "np.tanh"),
            (lambda v, p: p.fc * (v // 2), "np.tanh"),
            (lambda v, p: p.fc * "much", "numbers"),
            (lambda v, p: p.fc * (1 + 1j), "numbers"),
            (lambda v, p: p.fc * np.inf, "finite"),
            (lambda v, p: np.where(v > 0), "np.where(condition, yes, no)"),
            (lambda v, p: p.fc * 10**400, "1.8e308"),
            (lambda v, p: p.fc * np.exp(np.array([v, 1.0]))[0], "[np.exp(x) for x in items]"),
            (lambda v, p: p.fc * np.maximum(np.array([v, v]), np.array([1.0, v]))[0], "[np.maximum(a, b) for a, b in zip(x, y)]"),
        ):
            error = self.error(function)
            self.assertIn(words, error.hint)
            self.assertEqual((error.file, error.line is not None), (__file__, True))

    def test_quantities_that_there_are_not(self):
        self.assertIn("did you mean 'fc'?", self.error(lambda v, p: p.fx * np.sign(v)).hint)
        self.assertIn("did you mean 'fc'?", self.error(lambda v, p: p["fx"] * np.sign(v)).hint)
        self.assertIn("did you mean", self.error(lambda v, lod, p: p.fc * lod).hint)
        self.assertIn("p has all", self.error(lambda v, **p: v).hint)
        self.error(lambda v, p: setattr(p, "fc", 2))
        self.assertIn("did you mean 'states'?", self.error(lambda v, p: p.fc, state=["z"]).hint)

    def test_what_is_returned(self):
        self.assertIn("2 values instead of 1", self.error(lambda v, p: (p.fc, v)).message)
        self.assertIn("1 value instead of 2", self.error(lambda v, p: p.fc, states=["z"]).message)
        self.assertIn("nothing", self.error(lambda v, p: None).message)
        self.assertIn("did you mean 'force'?", self.error(lambda v, p: dict(forces=p.fc)).hint)
        self.assertIn("no force", self.error(lambda v, p: dict(hold=p.fc)).message)
        self.assertIn("no state", self.error(lambda v, p: dict(force=p.fc, rate=dict(y=v)), states=["z"]).message)
        self.assertIn("did you mean 'if'?", self.error(lambda v, p: dict(force=p.fc, when=[{"iff": v > 0}])).hint)

    def test_units(self):
        error = self.error(lambda v, p: p.fc + v)
        self.assertIn("a sum of different units: N and m/s", error.message)
        self.assertIn("1 N", self.error(lambda v, p: p.fc * p.b * np.sign(v), fc=1, b=1).hint)
        self.assertIn('states=dict(z="m")', self.error(lambda v, z, p: (p.fc * np.sign(v), z * 0), states=["z"]).hint)
        self.error(lambda v, p: p.fc * np.sign(v), fc="1 mm")
        self.error(lambda v, p: p.fc * np.sign(v), fc="one newton")
        self.error(lambda v, p: p.fc * np.sign(v), fc=math.nan)
        self.assertIn("not a name", self.error(lambda v, p: v, **{"\u03bc": "1 N"}).message)
        self.assertIn("not a name", self.error(lambda v, p: v, states=["z 1"]).message)
        self.error(lambda v, p: p.fc * np.sign(v), fc=st.Param("1 N", min=2))
        self.error(lambda v, p: p.fc * np.sign(v), fc=dict(default=1, units="N"))

    def test_errors_stand_at_the_line_of_the_function(self):
        def law(v, p):
            one = p.fc * np.sign(v)
            two = one + v
            return two

        error = self.error(law)
        self.assertEqual((error.file, error.line), (__file__, law.__code__.co_firstlineno + 2))

        def divides(v, p):
            return p.fc * abs(v) / v

        self.assertEqual(self.error(divides).line, divides.__code__.co_firstlineno + 1)

    def test_the_rest(self):
        self.assertIn("not used", self.error(lambda v, p: p.fc, vs="1 m/s").message)
        self.assertIn("built-in", self.error(lambda v, p: p.fc * np.sign(v), name="dahl").message)
        self.assertIn("no name of a law", self.error(lambda v, p: p.fc * np.sign(v), name=None).message)
        self.assertIn("condition", self.error(lambda v, p: p.fc * np.sign(v), require=lambda p: 1).message)
        self.error(lambda v, p: p.fc * np.sign(v), load="presing")
        self.error(lambda v, p, dir: p.fc * dir)
        kept = []
        st.law(fc="1 N", name="keeps")(lambda v, p: kept.append(v) or p.fc * np.sign(v))
        self.assertIn("another law", self.error(lambda v, p: p.fc * kept[0]).message)


if __name__ == "__main__":
    unittest.main()
