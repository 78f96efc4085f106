"""Messages: options of the program as arguments, commands and paths as they are."""

import unittest

import stiction as st
from stiction._errors import in_python


class Messages(unittest.TestCase):
    def test_options_are_written_as_arguments(self):
        for text, expected in (
            ("name it with --time NAME, or: --rate 1000 for 1000 Hz", "name it with time=..., or: rate=1000 for 1000 Hz"),
            ("convert one, as in --force 'tau/0.02'", "convert one, as in force='tau/0.02'"),
            ("--delay 0.003 corrects it, --delay auto estimates it", "delay=0.003 corrects it, delay='auto' estimates it"),
            ("begin later (--window FROM:TO)", "begin later (window=...)"),
            ("it can be held (--set k=NUMBER)", "it can be held (set={'k': ...})"),
            ("write --set run.end=5", "write {'run.end': 5}"),
            ("a constant is --constant kt=NUMBER", "a constant is constants=dict(kt=...)"),
            ("write --vary k=log:0.5:8:200", "write vary={'k': 'log:0.5:8:200'}"),
            ("write --shard 1/8", "write shard=(1, 8)"),
            ("leave --lugre out; --no-offset if there is none", "leave lugre out; offset=False if there is none"),
            ("give --meters-per-unit 0.01; or --turns=false", "give meters_per_unit=0.01; or turns=False"),
        ):
            self.assertEqual(in_python(text), expected)
            self.assertEqual(in_python(expected), expected, "once more changes nothing")

    def test_paths_and_commands_stay(self):
        for text in (
            "cannot read my--log.csv: No such file",
            "cannot read runs/--old.csv",
            "cannot read --old.csv",
            "there is no law 'a--b'",
            "'stiction scenarios --keys' explains every key",
            "build both together: cargo build --release -p stiction-cli -p stiction-unit",
            "write the variant out: usdcat --flatten robot.usda -o flat.usda",
        ):
            self.assertEqual(in_python(text), text)
        with self.assertRaisesRegex(st.Error, "my--log.csv"):
            st.data("my--log.csv")

    def test_the_hint_of_an_unknown_constant_says_how_to_give_it(self):
        with self.assertRaises(st.Error) as caught:
            st.identify({"t": [0.0, 1.0], "x": [0.0, 1.0], "i": [0.0, 1.0]}, position="x", force="kt*i")
        self.assertIn("constants=dict(kt=...)", caught.exception.hint)


if __name__ == "__main__":
    unittest.main()
