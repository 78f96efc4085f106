"""The examples of the book's chapter run, one after another."""

import os
import re
import tempfile
import unittest
from pathlib import Path

CHAPTER = Path(__file__).parents[2] / "docs" / "python.md"


class Book(unittest.TestCase):
    @unittest.skipUnless(CHAPTER.exists(), "the book is not there")
    def test_the_chapter_runs(self):
        blocks = re.findall(r"^```python\n(.*?)^```", CHAPTER.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        self.assertGreater(len(blocks), 5)
        names = {}
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for block in blocks:
                    exec(compile(block, str(CHAPTER), "exec"), names)
            finally:
                os.chdir(before)


if __name__ == "__main__":
    unittest.main()
