"""Systems that are built in Python: the same runs as files, and as users get them wrong."""

import doctest
import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np
import stiction as st
from stiction import _component_methods, _components, _native, _system

try:
    import tomllib
except ImportError:
    tomllib = None

# runs of less than a second without optimisation
QUICK = ("a7", "bounce", "clutch", "g5", "gear", "parallel", "stack", "b10", "n4", "a13-sampled")


def rebuilt(name):
    """A scenario that comes with the package, built through methods from the tables of its text."""
    tables = tomllib.loads(st.Scenario(name).text)
    system = st.System(tables.pop("title", ""), about=tables.pop("about", ""), **tables.pop("run"))
    for kind, content in tables.items():
        method = getattr(system, kind)
        if kind in ("identify", "plane"):
            method(content)
        elif kind == "plot":
            for plot in content:
                method(**plot)
        else:
            for own, table in content.items():
                method(own, table)
    return system


def pulled(law, **run):
    """A block that is pulled over a table."""
    return (
        st.System("A block is pulled", **run)
        .body("block", mass=1)
        .motion("hand", position={"ramp": {"slope": 0.1}})
        .spring("pull", between=["hand", "block"], stiffness=np.float64(2.0))
        .contact("table", body="block", law=law)
        .measure("t_break", event="table.slip", from_=0)
        .plot(y=[["hand.x", "block.x"], ["table.force"]])
    )


class Systems(unittest.TestCase):
    @unittest.skipIf(tomllib is None, "needs tomllib, of Python 3.11")
    def test_every_scenario_can_be_built(self):
        for name in st.scenarios():
            with self.subTest(name):
                own, built = st.Scenario(name), rebuilt(name).scenario()
                # the same tables in the same order, with the same bits of every number
                self.assertEqual(built.text, own.text)

    @unittest.skipIf(tomllib is None, "needs tomllib, of Python 3.11")
    def test_runs_are_those_of_the_scenario(self):
        names = list(st.scenarios()) if _native.optimised else QUICK
        for name in names:
            with self.subTest(name):
                own, built = st.Scenario(name).run(), rebuilt(name).run()
                self.assertEqual(own.columns, built.columns)
                for column in own.columns:
                    np.testing.assert_array_equal(own[column], built[column])
                self.assertEqual(list(own.events), list(built.events))
                self.assertEqual(repr(own.measures), repr(built.measures))

    def test_laws_go_into_contacts(self):
        @st.law(fc="1 N", fs="1.5 N", vs="0.01 m/s", fv="0.4 N*s/m")
        def level(v, load, p):
            g = p.fc + (p.fs - p.fc) * np.exp(-((v / p.vs) ** 2))
            return dict(force=load * g * np.sign(v) + p.fv * v, hold=load * p.fs)

        own = st.Law("stribeck", fc=1.0, fs=1.5, vs=0.01, fv=0.4)
        runs = [pulled(law, end=12).run() for law in (level, own)]
        self.assertAlmostEqual(runs[0].measures["t_break"], 7.5, places=6)
        # steps with a law of equations end at its critical speeds, too; just after break-away the position is a millionth of the largest one
        furthest = np.abs(runs[1]["block.x"]).max()
        np.testing.assert_allclose(runs[0]["block.x"], runs[1]["block.x"], rtol=1e-9, atol=1e-9 * furthest)
        # what is written needs no Python
        text = pulled(level, end=12).toml
        np.testing.assert_array_equal(st.Scenario.parse(text).run()["block.x"], runs[0]["block.x"])
        self.assertIn("definition = '''", text)

    def test_a_force_that_jumps_at_rest_needs_hold(self):
        @st.law(fc="1 N")
        def level(v, load, p):
            return load * p.fc * np.sign(v)

        # on its own it is a law; a body cannot rest on it
        self.assertEqual(level.steady(0.1), 1.0)
        with self.assertRaises(st.Error) as caught:
            pulled(level, end=1).run()
        self.assertIn("jumps by 1 when motion begins, but hold is 0", str(caught.exception))
        self.assertIn("hold", caught.exception.hint)

    def test_parameters_beside_a_law(self):
        system = st.System(end=1).body("block", mass=1, v=1)
        system.contact("table", body="block", law=st.Law("coulomb", fc=3.0), fc=2.0, reverse=dict(fc=1.5), load=0.5)
        self.assertIn("fc = 2.0\n", system.toml)
        self.assertIn('reverse = { "fc" = 1.5 }', system.toml)
        self.assertAlmostEqual(system.run()["block.v"][100], 0.9, places=9)
        named = st.System(end=1).body("block", mass=1, v=1)
        named.contact("table", body="block", law="coulomb", fc=2, reverse=dict(fc=1.5), load=0.5)
        np.testing.assert_array_equal(named.run()["block.v"], system.run()["block.v"])

    def test_laws_within_tables(self):
        law = st.Law("lugre", fc=1.0)
        system = st.System(end=0.1).body("cart", mass=1).contact("rail", body="cart", law=law)
        system.control("servo", on="cart", measure=["cart.x", "cart.v"], gains=[3, 6], reference=1, friction=law)
        self.assertGreater(len(system.run()), 10)

    def test_run_keys_and_values(self):
        system = pulled(st.Law("coulomb"))
        with self.assertRaises(st.Error) as raised:
            system.run()
        self.assertIn("end", raised.exception.message)
        run = system.run(end=3.0, rtol=1e-9, k=4)
        self.assertEqual(run.t[-1], 3.0)
        self.assertIn("stiffness = 4", run.scenario)
        self.assertEqual(system.scenario(end=1).title, "A block is pulled")

    def test_save_and_read(self):
        system = pulled(st.Law("coulomb"), end=2)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pulled.toml"
            system.save(path)
            np.testing.assert_array_equal(st.Scenario(path).run()["block.x"], system.run()["block.x"])
            before = path.read_text(encoding="utf-8")
            with self.assertRaises(st.Error):
                system.copy().spring("wrong", between=["hand", "nobody"], stiffness=1).save(path)
            self.assertEqual(path.read_text(encoding="utf-8"), before)
            self.assertEqual([p.name for p in Path(folder).iterdir()], ["pulled.toml"])

    def test_copies_are_independent_and_systems_pickle(self):
        system = pulled(st.Law("coulomb"), end=2)
        other = system.copy().damper("oil", body="block", damping=0.5)
        self.assertNotIn("damper", system.toml)
        self.assertEqual(pickle.loads(pickle.dumps(other)).toml, other.toml)
        self.assertIn("damper oil", repr(other))
        self.assertIn("[body.block]", other._repr_html_())

    def test_values_are_taken_as_they_are_at_the_call(self):
        gains = [3.0, 6.0]
        system = st.System(end=1).body("cart", mass=1).control("c", on="cart", measure=["cart.x", "cart.v"], gains=gains)
        gains[0] = 100.0
        self.assertIn("gains = [3.0, 6.0]", system.toml)

    def test_names_and_keys_that_are_no_python(self):
        system = st.System(end=1).body("cart", mass=1).measure("x(1)", at=1, column="cart.x")
        system.controller("servo", on="cart", period=1e-3, reference=1.0, pid=dict(kp=10.0), disturbance_observer=dict())
        self.assertIn("disturbance-observer = {", system.toml)
        self.assertIn('"x(1)" = ', system.toml)
        self.assertIsNotNone(system.run().measures["x(1)"])


class Mistakes(unittest.TestCase):
    def error(self, call):
        with self.assertRaises(st.Error) as raised:
            call(st.System(end=1).body("block", mass=1))
        return raised.exception

    def test_names_and_keys(self):
        for call, hint in (
            (lambda s: s.boddy("a", mass=1), "did you mean 'body'?"),
            (lambda s: s.add("sprng", "a"), "did you mean 'spring'?"),
            (lambda s: s.add("_tables", "a"), "components"),
            (lambda s: s.body("a", mas=1), "did you mean 'mass'?"),
            (lambda s: s.body("a", {"mass": 1}, mass=2), None),
            (lambda s: s.body("block", mass=2), "name of its own"),
            (lambda s: s.identify(free={}).identify(free={}), "name of its own"),
            (lambda s: s.add("body"), 'body("name", ...)'),
            (lambda s: s.contact("t", body="block", between=["a", "b"], law="coulomb"), None),
            (lambda s: s.contact("t", body="block", law=st.Law("coulomb"), fx=1), "did you mean 'fc'?"),
            (lambda s: s.contact("t", body="block", law=st.Law("coulomb", load=dict(slope=1))), "load=dict(...)"),
            (lambda s: s.contact("t", body="block", law="columb").run(), "did you mean 'coulomb'?"),
            (lambda s: s.contact("t", body="block", law="coulomb", fx=1).run(), "did you mean 'fc'?"),
            (lambda s: s.contact("t", body="blok", law="coulomb").run(), "did you mean 'block'?"),
            (lambda s: s.force("f", on="block", force=object()).run(), "a number"),
            (lambda s: s.run(ende=2), None),
            (lambda s: st.System(ende=2), "did you mean 'end'?"),
        ):
            error = self.error(call)
            if hint is not None:
                self.assertIn(hint, error.hint)

    def test_attributes_that_there_are_not(self):
        self.assertFalse(hasattr(st.System(), "boddy"))
        self.assertFalse(hasattr(st.System(), "__array__"))

    def test_documentation_and_stubs(self):
        failed, tried = doctest.testmod(_system)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 0)
        self.assertIn("mass", st.System.body.__doc__)
        stub = Path(_component_methods.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
        self.assertEqual(stub, _components.stub(), "write stiction._components.stub() to _component_methods.pyi")


if __name__ == "__main__":
    unittest.main()
