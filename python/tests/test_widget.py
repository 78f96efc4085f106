"""Widgets of notebooks: what the program and the browser share."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import stiction as st

try:
    import anywidget
except ImportError:
    anywidget = None


class Pages(unittest.TestCase):
    def test_a_run_is_a_page(self):
        run = st.Scenario("a7").run(end=2.0)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a7.html")
            self.assertIsNone(run.animate(path))
            text = path.read_text()
        self.assertIn('"name":"block.x"', text)
        self.assertIn("Content-Security-Policy", text)
        with self.assertRaises(st.Error) as caught:
            run.animate("a7.gif")
        self.assertIn(".html", caught.exception.hint)

    def test_without_the_package_a_hint_says_what_to_install(self):
        with mock.patch.dict("sys.modules", {"anywidget": None}), self.assertRaises(st.Error) as caught:
            from stiction import _widget

            _widget._classes.clear()
            st.Law("lugre").widget()
        self.assertIn("pip install anywidget", caught.exception.hint)


@unittest.skipIf(anywidget is None, "anywidget is not installed")
class Widgets(unittest.TestCase):
    def test_the_law_follows_the_sliders(self):
        law = st.Law("lugre", fc=1.2, fs=1.8, reverse=dict(fc=1.0))
        widget = law.widget()
        self.assertEqual(widget.law, law)
        # as the browser sets it
        widget.values = {**widget.values, "fc": 1.5, "reverse.fc": 0.5}
        self.assertEqual((widget.law["fc"].value, widget.law["reverse.fc"].value), (1.5, 0.5))
        self.assertEqual(law["fc"].value, 1.2)
        widget.replace(fs=2.5)
        self.assertEqual(widget.values["fs"], 2.5)
        with self.assertRaises(st.Error):
            widget.replace(fs=1.0)
        self.assertEqual(widget.values["fs"], 2.5)
        state = widget.get_state()
        self.assertIn("export default { render }", state["_esm"])
        self.assertIn("stiction curve", state["_esm"])
        self.assertIn("lugre --set fc=1.2 --set fs=1.8", state["_markup"])

    def test_a_law_of_ones_own(self):
        @st.law(fc="1 N", vs="0.01 m/s")
        def smooth(v, load, p):
            return load * p.fc * np.tanh(v / p.vs)

        self.assertIn("fc", smooth.widget().values)

    def test_a_run_in_motion(self):
        state = st.Scenario("a7").run(end=2.0).animate().get_state()
        self.assertIn('"name":"block.x"', state["_data"])
        self.assertIn("export default { render }", state["_esm"])
