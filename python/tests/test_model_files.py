"""Laws as files for other simulators: the files of `stiction export`, with its options."""

import io
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

import numpy as np
import stiction as st


def built_library() -> Path | None:
    """The library with the simulator of the same build: in the folder of the build, in which the package is put together."""
    for folder in Path(st.__file__).resolve().parents:
        for profile in ("debug", "release"):
            for ending in ("so", "dylib", "dll"):
                path = folder / profile / f"libstiction_unit.{ending}"
                if path.is_file():
                    return path
    return None


class ModelFiles(unittest.TestCase):
    def test_units_of_laws(self) -> None:
        law = st.Law("stribeck", fc=3.0, fs=4.0)
        unit = st.export(law, "fmu", fmi=3, mass=4.5, binary="none")
        self.assertEqual(list(unit), [f"{unit.data['identifier']}.fmu"])
        self.assertEqual((unit.data["unit"], unit.data["binary"]), ("body", "none"))
        with zipfile.ZipFile(io.BytesIO(next(iter(unit.values())))) as archive:
            description = ElementTree.fromstring(archive.read("modelDescription.xml"))
        self.assertEqual(description.attrib["fmiVersion"], "3.0")
        start = {one.attrib["name"]: one.attrib.get("start") for one in description.iter() if "name" in one.attrib}
        self.assertEqual([float(start[name] or "nan") for name in ("mass", "law.fc", "law.fs")], [4.5, 3.0, 4.0])
        alone = st.export("lugre", "fmu", unit="law", binary="none")
        self.assertNotIn("mass", alone.data["parameters"])
        with self.assertRaisesRegex(st.Error, "there is no text"):
            alone.text  # noqa: B018
        with self.assertRaisesRegex(st.Error, "fmi = 4"):
            st.export("lugre", "fmu", fmi=4)

    def test_units_of_scenarios_need_the_library_with_the_simulator(self) -> None:
        with self.assertRaisesRegex(st.Error, "no-such-library"):
            st.export("a7", "fmu", library="no-such-library.so")
        with self.assertRaisesRegex(st.Error, "mass is for units of laws"):
            st.export("a7", "fmu", mass=2.0)
        with self.assertRaisesRegex(st.Error, "a scenario cannot be written as urdf"):
            st.export("a7", "urdf")

    def test_units_of_scenarios_run_the_simulator(self) -> None:
        library = built_library()
        if library is None:
            self.skipTest("there is no library with the simulator: cargo build -p stiction-unit")
        try:
            unit = st.export(st.Scenario("g5"), "fmu", library=library)
        except st.Error as error:
            # the plain check does not build the library: one of an earlier build may lie there
            if "was built from other sources" not in str(error):
                raise
            self.assertIn("cargo build --release -p stiction-cli", error.hint or "")
            self.skipTest(str(error))
        (name, content), = unit.items()
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            description = ElementTree.fromstring(archive.read("modelDescription.xml"))
            binaries = [inner for inner in archive.namelist() if inner.startswith("binaries/")]
            self.assertTrue(any(len(archive.read(inner)) == library.stat().st_size for inner in binaries), binaries)
        self.assertEqual((description.attrib["fmiVersion"], len(binaries)), ("2.0", 1))
        try:
            import fmpy
        except ImportError:
            self.skipTest("fmpy is not installed: the unit was not simulated")
        run = st.Scenario("g5").run()
        with tempfile.TemporaryDirectory() as folder:
            unit.save(folder)
            path = str(Path(folder) / name)
            found = fmpy.simulate_fmu(path, stop_time=run.t[-1], output_interval=run.t[-1] / 100, output=["block.x"])
        # the same simulator: at communication points the unit has the numbers of the run, between two rows of which they are interpolated
        expected = np.interp(found["time"], run.t, run["block.x"])
        np.testing.assert_allclose(found["block.x"], expected, atol=1e-4 * float(np.abs(run["block.x"]).max()))

    def test_joints_of_robots(self) -> None:
        # a law that a joint can have: the fit is exact
        law = st.Law("stiction", fc=2.0, fs=2.0, fv=0.3)
        for target, ending in (("mjcf", "xml"), ("urdf", "urdf"), ("sdf", "sdf"), ("usd", "usda")):
            with self.subTest(target):
                found = st.export(law, target, speeds=(0.0, 0.5), joint="elbow", turns=True)
                self.assertEqual(list(found), [f"stiction.{ending}", "check.py"])
                self.assertIn("elbow", found.text)
                self.assertEqual(found.data["joints"][0]["turns"], True)
                self.assertLess(found.data["residual"]["max"], 1e-12)
        mjcf = ElementTree.fromstring(st.export(law, "mjcf", speeds=(0.0, 0.5)).text)
        joint = next(mjcf.iter("joint"))
        self.assertEqual([float(joint.attrib[key]) for key in ("frictionloss", "damping")], [2.0, 0.3])
        self.assertTrue(st.export("lugre", "mjcf", lugre=True).data["exact"])
        with self.assertRaisesRegex(st.Error, "there is no option of urdf 'lugre'"):
            st.export(law, "urdf", lugre=True)
        with self.assertRaisesRegex(st.Error, "there is no option of urdf 'sample'"):
            st.export(law, "urdf", sample=1e-3)

    def test_a_robot_keeps_everything_but_the_friction_of_the_joint(self) -> None:
        robot = '<robot name="arm"><link name="a"/><link name="b"/><joint name="elbow" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "arm.urdf"
            path.write_text(robot)
            found = st.export(st.Law("stiction", fc=2.0, fs=2.0, fv=0.3), "urdf", into=path, joint="elbow", speeds=(0, 1))
            self.assertEqual(list(found)[0], "arm-friction.urdf")
            found.save(folder)
            self.assertEqual(path.read_text(), robot)
            joint = ElementTree.parse(Path(folder) / "arm-friction.urdf").find("joint")
        assert joint is not None
        dynamics = joint.find("dynamics")
        assert dynamics is not None
        self.assertEqual([float(dynamics.attrib[key]) for key in ("friction", "damping")], [2.0, 0.3])

    def test_plugins_of_mujoco(self) -> None:
        plugin = st.export("stribeck", "mujoco-plugin", mass=0.5)
        self.assertEqual([name.rsplit(".", 1)[1] for name in plugin], ["c", "xml", "py"])
        self.assertTrue(plugin.data["holds"])
        self.assertIn("mjpPlugin", plugin.text)

    def test_live_pages(self) -> None:
        page = st.export(st.Law("dahl", fc=2.0), "page")
        self.assertEqual(list(page), ["dahl.html"])
        self.assertTrue(page.text.lower().startswith("<!doctype html>"))
        self.assertEqual(page.data["bytes"], len(page["dahl.html"]))

    def test_options_of_no_target(self) -> None:
        with self.assertRaisesRegex(st.Error, "there is no option of this target 'speeds'"):
            st.export("lugre", "c", speeds=(0, 1))


if __name__ == "__main__":
    unittest.main()
