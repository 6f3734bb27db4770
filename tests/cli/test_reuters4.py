import gzip
import unittest

from program import ProgramTest, soba

TOPICS = """\
C15 2286 1
C151 2286 1
CCAT 2286 1
ECAT 2287 1
E11 2287 1
C15 2288 1
CCAT 2288 1
MCAT 2288 1
GCAT 2289 1
GCAT 2289 1
GPOL 2289 1
M14 2290 1
MCAT 2290 1
M141 2290 1
E12 2291 1
CCAT 2292 1
ECAT 2292 1
GCAT 2292 1
MCAT 2292 1
CCAT 2293 1
ECAT 2295 1
GCAT 2296 1
MCAT 2297 1
CCAT 2298 1
"""
# 2288 has two of the four topics and 2292 all of them, 2291 has none; 2294 is not in the topics
# file, and 2298 has no vector.
VECTORS_A = """\
2286  1:0.6 3:0.8
2287  2:1
2288  4:0.6 5:0.8
2289  3:1
2290  5:0.0497399253756197 6:0.99876222
2291  7:1
"""
VECTORS_B = """\
2292  1:1
2293  1:1
2294  9:1
2297  6:1
2296  3:0.6 8:0.8
2295  2:1
"""
EXPECTED = """\
1 1:0.6 3:0.8
2 2:1
3 3:1
4 5:0.0497399253756197 6:0.99876222
1 1:1
4 6:1
3 3:0.6 8:0.8
2 2:1
"""


class Reuters4(ProgramTest):
    def setUp(self):
        super().setUp()
        self.topics = self.write("topics.qrels", TOPICS)
        self.a = self.compressed("a.dat.gz", VECTORS_A)
        self.b = self.compressed("b.dat.gz", VECTORS_B)

    def compressed(self, name, text):
        with gzip.open(self.path(name), "wt", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def convert(self, *arguments):
        return soba("convert", "reuters4", *arguments)

    def test_keeps_documents_with_exactly_one_of_the_four_topics(self):
        self.assertEqual(self.ok("convert", "reuters4", self.a, self.b, "--topics", self.topics),
                         EXPECTED)

    def test_the_order_of_the_files_decides(self):
        lines = EXPECTED.splitlines(keepends=True)
        self.assertEqual(self.ok("convert", "reuters4", self.b, self.a, "--topics", self.topics),
                         "".join(lines[4:] + lines[:4]))

    def test_topics_may_be_compressed_and_vectors_come_from_standard_input(self):
        topics = self.compressed("topics.qrels.gz", TOPICS)
        self.assertEqual(self.ok("convert", "reuters4", "--topics", topics, "-",
                                 stdin=VECTORS_A + VECTORS_B), EXPECTED)

    def test_says_what_it_read_and_how_it_differs_from_the_paper(self):
        output = self.path("reuters4.libsvm.xz")
        done = self.convert(self.a, self.b, "--topics", self.topics, "--output", output)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual(done.stderr.splitlines(), [
            f"reading {self.topics}",
            f"reading {self.a}",
            f"reading {self.b}",
            "soba: 12 documents read, 8 kept, 8 features",
            "soba: labels: 1 CCAT 2, 2 ECAT 2, 3 GCAT 2 and 4 MCAT 2",
            "soba: left out: 1 with none of these topics, 2 with several, 1 not in the topics file",
            "soba: in the topics file, but in none of these vectors files: 1 document",
            "soba: not the paper's Reuters4: 8 documents instead of 665,265 and 8 features instead "
            "of 47,236",
            f"soba: written to {output}"])
        self.assertEqual(self.convert(self.a, self.b, "--topics", self.topics, "--output", output,
                                      "--quiet").stderr, "")

    def test_the_result_can_be_played(self):
        output = self.path("reuters4.libsvm.xz")
        self.ok("convert", "reuters4", self.a, self.b, "--topics", self.topics, "--output", output)
        result = self.json("run", output, "--learner", "perceptron", "--passes", "20")
        self.assertEqual((result["rounds"], result["classes"], result["features"]), (160, 4, 8))
        self.assertLess(result["mistakes"], 80)  # the documents are separable
        report = self.json("check", output)
        self.assertEqual(report["examples"], 8)

    def test_the_papers_counts_are_recognised(self):
        documents = 665265
        topics, vectors = self.path("topics"), self.path("vectors")
        with open(topics, "w", encoding="utf-8") as file:
            file.writelines(f"CCAT {i} 1\n" for i in range(1, documents + 1))
        with open(vectors, "w", encoding="utf-8") as file:
            file.writelines(f"{i}  47236:1\n" for i in range(1, documents + 1))
        done = self.convert(vectors, "--topics", topics, "--output", self.path("out"))
        self.assertIn("soba: the counts are those of the paper's Reuters4: 665,265 documents, 47,236 "
                      "features\n", done.stderr)

    def test_a_bad_line_is_located_and_leaves_the_output_as_it_was(self):
        output = self.write("out.libsvm", "old\n")
        before = self.names()
        bad = self.write("bad.dat", "2286  1:0.6\n2287  3:0.6 2:1\n")
        self.assertIn(f'soba: {bad}:2:13: expected a term after 3, found "2:1"\n',
                      self.fails(3, "convert", "reuters4", bad, "--topics", self.topics, "--output",
                                 output))
        self.assertIn(f'soba: {self.topics}:1:1: expected the number of a document',
                      self.fails(3, "convert", "reuters4", self.topics, "--topics", self.topics,
                                 "--output", output))
        self.assertIn(f'soba: {bad}:1:7: expected the number of a document, from 1 to 2147483647, '
                      'found "1:0.6"\n',
                      self.fails(3, "convert", "reuters4", self.a, "--topics", bad, "--output",
                                 output))
        self.assertEqual(self.read("out.libsvm"), "old\n")
        self.assertEqual(self.names(), sorted(before + ["bad.dat"]))

    def test_a_document_that_comes_twice_is_an_error_with_both_places(self):
        again = self.write("again.dat", "2299  1:1\n2287  2:1\n")
        self.assertIn(f"soba: {again}:2:1: document 2287 appears twice, first in {self.a}:2\n",
                      self.fails(3, "convert", "reuters4", self.a, self.b, again, "--topics",
                                 self.topics))

    def test_a_corrupt_file_is_named(self):
        with open(self.a, "rb") as file:
            whole = file.read()
        with open(self.a, "wb") as file:
            file.write(whole[:-10])
        self.assertIn(self.a, self.fails(3, "convert", "reuters4", self.a, "--topics", self.topics))

    def test_other_topics_are_no_reuters4(self):
        topics = self.write("industries.qrels", "I34420 2286 1\nI34420 2287 1\n")
        self.assertIn("none of the 6 documents has exactly one of the topics CCAT, ECAT, GCAT and "
                      f"MCAT in {topics}",
                      self.fails(3, "convert", "reuters4", self.a, "--topics", topics, "--output",
                                 self.path("out")))
        self.assertNotIn("out", self.names())

    def test_inputs_are_checked_before_the_work(self):
        self.assertIn("VECTORS", self.fails(2, "convert", "reuters4", "--topics", self.topics))
        self.assertIn("--topics", self.fails(2, "convert", "reuters4", self.a))
        missing = self.path("missing")
        for arguments in ([self.a, missing, "--topics", self.topics],
                          [self.a, "--topics", missing]):
            self.assertIn(missing, self.fails(3, "convert", "reuters4", *arguments))
        for path in (self.a, self.b, self.topics):
            self.assertIn("it would be lost",
                          self.fails(2, "convert", "reuters4", self.a, self.b, "--topics",
                                     self.topics, "--output", path))

    def test_data_of_that_name_can_still_be_converted(self):
        self.write("reuters4", "a 1:1\nb 2:1\n")
        done = soba("convert", "./reuters4", "-", "--format", "libsvm", cwd=self.folder)
        self.assertEqual(done.stdout, "a 1:1\nb 2:1\n", done.stderr)
        self.assertIn("./reuters4", " ".join(self.ok("convert", "--help").split()))


if __name__ == "__main__":
    unittest.main()
