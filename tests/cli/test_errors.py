import signal
import subprocess
import unittest

from program import SOBA, ProgramTest

DATA = "synsep:n=50,seed=1"


class Usage(ProgramTest):
    def test_unknown_verb_suggests_the_nearest(self):
        message = self.fails(2, "rnu", DATA)
        self.assertIn("unknown verb 'rnu'", message)
        self.assertIn("did you mean 'run'?", message)
        self.assertLessEqual(len(message.splitlines()), 2)

    def test_unknown_option_suggests_the_nearest(self):
        for given, meant in [("--gama", "--gamma"), ("--lerner=soba", "--learner"),
                             ("--shufle", "--shuffle")]:
            message = self.fails(2, "run", DATA, given, "1")
            self.assertIn(f"did you mean '{meant}'?", message)
            self.assertLessEqual(len(message.splitlines()), 2)

    def test_option_before_the_verb(self):
        self.assertIn("a verb comes first", self.fails(2, "--json", "run"))

    def test_missing_arguments_are_named(self):
        self.assertIn("DATA is missing", self.fails(2, "run", "--learner", "soba"))
        self.assertIn("--learner is missing", self.fails(2, "sweep", DATA))
        self.assertIn("OUTPUT is missing", self.fails(2, "convert", DATA))
        self.assertIn("MODEL is missing", self.fails(2, "inspect"))
        self.assertIn("SPEC is missing", self.fails(2, "generate"))
        self.fails(2, "run", DATA, "--learner")

    def test_unexpected_argument(self):
        self.assertIn("'more'", self.fails(2, "run", DATA, "more", "--learner", "soba"))

    def test_unknown_learner_suggests_the_nearest(self):
        self.assertIn("banditron", self.fails(2, "run", DATA, "--learner", "banditorn"))

    def test_option_of_another_learner_names_the_own_ones(self):
        message = self.fails(2, "run", DATA, "--learner", "banditron", "--covariance", "exact")
        self.assertIn("learner 'banditron' has no option '--covariance'", message)
        self.assertIn("--gamma", message)

    def test_values_out_of_range_name_option_value_and_range(self):
        for option, value in [("--gamma", "1.5"), ("--gamma", "nan"), ("--a", "-1"),
                              ("--covariance", "full"), ("--seed", "-1"), ("--repeat", "0"),
                              ("--limit", "0"), ("--passes", "1.5"), ("--scale", "big"),
                              ("--normalize", "l3"), ("--shuffle", "x"), ("--classes", "1"),
                              ("--format", "xml"), ("--labels", "a"), ("--labels", "a,,b"),
                              ("--labels", "a,a")]:
            with self.subTest(option=option, value=value):
                message = self.fails(2, "run", DATA, "--learner", "soba", option, value)
                self.assertIn(option.lstrip("-"), message)
                if value != "a,a":
                    self.assertIn(value, message)

    def test_labels_and_classes_exclude_each_other(self):
        self.fails(2, "run", DATA, "--learner", "soba", "--labels", "1,2", "--classes", "2")

    def test_numbers_may_be_written_with_an_exponent(self):
        result = self.json("run", "synsep:n=300,seed=1", "--learner", "soba", "--limit", "1e2")
        self.assertEqual(result["rounds"], 100)

    def test_bad_generators(self):
        self.fails(2, "run", "synsep:n=10,sed=1", "--learner", "soba")
        self.assertIn("convert", self.fails(2, "generate", self.write("a.libsvm", "1 1:1\n")))


class Input(ProgramTest):
    def test_missing_file(self):
        message = self.fails(3, "run", self.path("none.libsvm"), "--learner", "soba")
        self.assertIn("none.libsvm", message)

    def test_bad_line_names_place_and_stops(self):
        data = self.write("bad.libsvm", "1 1:1\n2 2:1\n1 3:x\n")
        message = self.fails(3, "run", data, "--learner", "soba", "--save", self.path("m"))
        self.assertIn("bad.libsvm:3:", message)
        self.assertEqual(self.names(), ["bad.libsvm"])

    def test_skip_bad_counts(self):
        data = self.write("bad.libsvm", "1 1:1\n2 2:1\n1 3:x\n2 1:1\n")
        result = self.json("run", data, "--learner", "soba", "--skip-bad")
        self.assertEqual((result["rounds"], result["skipped"]), (3, 1))
        self.assertIn("bad.libsvm:3:", self.ok("run", data, "--learner", "soba", "--skip-bad"))

    def test_empty_data(self):
        self.fails(3, "run", self.write("empty.libsvm", ""), "--learner", "soba",
                   "--labels", "1,2")

    def test_not_a_model(self):
        self.fails(3, "inspect", self.write("no.model", "hello\n"))
        self.fails(3, "run", DATA, "--load", self.write("empty.model", ""))


class StandardOutput(ProgramTest):
    def test_full_disk_is_an_error(self):
        for arguments in (["run", DATA, "--learner", "soba"], ["algorithms"], ["--help"],
                          ["run", "--help"], ["generate", "synsep:n=1000"], ["check", DATA]):
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                done = subprocess.run([SOBA, *arguments], stdout=full, stderr=subprocess.PIPE,
                                      text=True, timeout=60)
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertIn("soba: ", done.stderr)

    def test_closed_standard_output_is_an_error(self):
        done = subprocess.run(["sh", "-c", f"'{SOBA}' run {DATA} --learner soba --quiet >&-"],
                              stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 4, done.stderr)

    def test_a_reader_that_goes_away_ends_the_program_quietly(self):
        for command in (["generate", "synsep:n=200000"], ["algorithms", "--markdown"]):
            with self.subTest(command=command):
                process = subprocess.Popen([SOBA, *command], stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, text=True)
                process.stdout.close()
                message = process.stderr.read()
                process.stderr.close()
                self.assertEqual((process.wait(timeout=60), message), (-signal.SIGPIPE, ""))


if __name__ == "__main__":
    unittest.main()
