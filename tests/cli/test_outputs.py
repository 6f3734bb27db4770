import os
import subprocess
import unittest

from program import SOBA, ProgramTest

DATA = "synsep:n=50,seed=1"


class Outputs(ProgramTest):
    def test_a_failed_run_leaves_trace_and_curve_as_they_were(self):
        data = self.write("bad.libsvm", "1 1:1\n2 2:1\n" * 50 + "1 x\n")
        for option in ("--trace", "--curve"):
            old = self.write("old", "old\n")
            self.fails(3, "run", data, "--learner", "soba", "--labels", "1,2", option, old)
            self.assertEqual(self.read("old"), "old\n")
            self.assertEqual(self.names(), ["bad.libsvm", "old"])

    def test_outputs_are_checked_before_the_run(self):
        for option in ("--trace", "--curve", "--save"):
            self.fails(4, "run", "synsep:n=1000000000", "--learner", "soba", option,
                       self.path("no/such/folder/file"))

    def test_the_input_is_never_overwritten(self):
        data = self.write("data.libsvm", "1 1:1\n2 2:1\n" * 20)
        before = self.read("data.libsvm")
        os.symlink(data, self.path("link"))
        for output in (data, self.path("link"), str(self.folder / "." / "data.libsvm")):
            for option in ("--trace", "--curve", "--save"):
                self.assertIn("input", self.fails(2, "run", data, "--learner", "soba", option,
                                                  output))
            self.assertIn("input", self.fails(2, "convert", data, output, "--to", "libsvm"))
        self.assertEqual(self.read("data.libsvm"), before)

    def test_standard_input_is_never_overwritten(self):
        data = self.write("data.libsvm", "1 1:1\n2 2:1\n" * 20)
        before = self.read("data.libsvm")
        for arguments in (["run", "-", "--format", "libsvm", "--learner", "soba", "--save", data],
                          ["convert", "-", data, "--format", "libsvm"],
                          ["decide", "--learner", "soba", "--labels", "a,b", "--save", data]):
            with open(data, encoding="utf-8") as stdin:
                done = subprocess.run([SOBA, *arguments], stdin=stdin, capture_output=True,
                                      text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("it would be lost", done.stderr)
        self.assertEqual(self.read("data.libsvm"), before)

    def test_an_output_needs_a_name(self):
        for name in ("", "-"):
            self.fails(2, "run", DATA, "--learner", "soba", "--save", name)
            self.fails(2, "decide", "--learner", "soba", "--labels", "a,b", "--model", name)

    def test_two_outputs_need_two_names(self):
        self.fails(2, "run", DATA, "--learner", "soba", "--trace", self.path("a"), "--curve",
                   self.path("a"))

    def test_a_model_may_replace_itself(self):
        self.ok("run", DATA, "--learner", "soba", "--save", self.path("m"))
        self.ok("run", DATA, "--load", self.path("m"), "--save", self.path("m"))
        self.assertEqual(self.names(), ["m"])

    def test_a_model_is_not_replaced_by_a_trace(self):
        self.ok("run", DATA, "--learner", "soba", "--save", self.path("m"))
        before = (self.folder / "m").read_bytes()
        for option in ("--trace", "--curve"):
            self.fails(2, "run", DATA, "--load", self.path("m"), option, self.path("m"))
        self.assertEqual((self.folder / "m").read_bytes(), before)

    def test_a_folder_is_no_output(self):
        self.fails(2, "run", DATA, "--learner", "soba", "--save", str(self.folder))


if __name__ == "__main__":
    unittest.main()
