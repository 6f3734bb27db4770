"""docs/library.md shows code of the examples, which tests/install/run builds and runs."""
import pathlib
import re
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def lines_of(text):
    return [line.strip() for line in textwrap.dedent(text).strip().splitlines()]


class Library(unittest.TestCase):
    def test_every_piece_of_code_is_of_an_example(self):
        sources = {path: lines_of(path.read_text()) for path in ROOT.glob("examples/*/*")}
        blocks = re.findall(r"```(?:cpp|cmake)\n(.*?)```", (ROOT / "docs/library.md").read_text(), re.S)
        self.assertGreater(len(blocks), 6)
        for block in map(lines_of, blocks):
            found = any(lines[i:i + len(block)] == block for lines in sources.values() for i in range(len(lines)))
            self.assertTrue(found, "\n".join(block))

    def test_the_table_names_headers_that_exist(self):
        table = (ROOT / "docs/library.md").read_text().split("## The headers")[1]
        headers = re.findall(r"`(soba/\w+\.h)`", table)
        self.assertGreater(len(headers), 10)
        for header in headers:
            self.assertTrue((ROOT / "include" / header).exists(), header)


if __name__ == "__main__":
    unittest.main()
