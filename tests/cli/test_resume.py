import os
import random
import resource
import shlex
import signal
import subprocess
import time
import unittest

from program import SOBA, ProgramTest, soba


class Resume(ProgramTest):
    def halves(self):
        data = self.path("all.libsvm")
        self.ok("generate", "synnonsep:n=2000,seed=4", "--output", data)
        lines = self.read("all.libsvm").splitlines(keepends=True)
        self.assertEqual(len(lines), 2000)
        return (data, self.write("first.libsvm", "".join(lines[:1000])),
                self.write("second.libsvm", "".join(lines[1000:])))

    def test_resumed_equals_never_stopped(self):
        data, first, second = self.halves()
        labels = ["--labels", ",".join(map(str, range(1, 10)))]
        for learner in (["soba", "--gamma", "0.05"], ["soba"], ["sobadiag"], ["banditron"],
                        ["perceptron"]):
            with self.subTest(learner=learner):
                start = ["--learner", *learner, "--seed", "7", *labels, "--quiet"]
                self.ok("run", data, *start, "--trace", self.path("t"), "--save", self.path("m"))
                self.ok("run", first, *start, "--trace", self.path("t1"), "--save",
                        self.path("m1"))
                text = self.ok("run", second, "--load", self.path("m1"), "--save", self.path("m2"),
                               "--trace", self.path("t2"), "--quiet")
                self.assertIn("since the start", text)
                whole = self.read("t").splitlines()
                self.assertEqual(whole[1:1001], self.read("t1").splitlines()[1:])
                self.assertEqual(whole[1001:], self.read("t2").splitlines()[1:])
                self.assertEqual((self.folder / "m").read_bytes(),
                                 (self.folder / "m2").read_bytes())

    def test_rounds_are_those_of_this_run(self):
        _, first, second = self.halves()
        self.ok("run", first, "--learner", "soba", "--save", self.path("m"))
        result = self.json("run", second, "--load", self.path("m"), "--save", self.path("m"))
        self.assertEqual(result["rounds"], 1000)
        self.assertEqual(self.json("inspect", self.path("m"))["rounds"], 2000)

    def test_scaling_and_features_come_from_the_model(self):
        header = "colour,size,label\n"
        rows = [f"{'red' if i % 2 else 'blue'},{i % 5},{i % 2}\n" for i in range(40)]
        first = self.write("first.csv", header + "".join(rows))
        second = self.write("second.csv", header + "green,9,1\n" + "".join(rows))
        self.ok("run", first, "--learner", "soba", "--scale", "maxabs", "--bias", "--save",
                self.path("m"))
        result = self.json("run", second, "--load", self.path("m"), "--save", self.path("m2"))
        self.assertEqual(result["rounds"], 41)
        model = self.json("inspect", self.path("m2"))
        self.assertEqual((model["scale"], model["bias"]), ("maxabs", True))
        self.assertIn("colour=green", model["feature_names"])

    def test_contradictions_are_refused(self):
        self.ok("run", "synsep:n=100,seed=1", "--learner", "soba", "--gamma", "0.1", "--seed", "3",
                "--save", self.path("m"))
        before = (self.folder / "m").read_bytes()
        load = ["run", "synsep:n=100,seed=2", "--load", self.path("m"), "--save", self.path("m")]
        for more in (["--learner", "banditron"], ["--learner", "sobadiag"], ["--gamma", "0.2"],
                     ["--seed", "4"], ["--scale", "maxabs"], ["--bias"], ["--normalize", "l2"],
                     ["--labels", "a,b"], ["--classes", "3"], ["--zero-based"]):
            with self.subTest(more=more):
                message = self.fails(2, *load, *more)
                self.assertIn("contradicts", message)
                self.assertEqual((self.folder / "m").read_bytes(), before)
        for more in (["--learner", "soba", "--gamma", "1e-1"], ["--seed", "3", "--classes", "9"],
                     ["--covariance", "exact"]):
            with self.subTest(more=more):
                self.ok(*load[:-2], *more)

    def test_a_damaged_model_is_refused(self):
        self.ok("run", "synsep:n=100,seed=1", "--learner", "soba", "--save", self.path("m"))
        content = bytearray((self.folder / "m").read_bytes())
        content[len(content) // 2] ^= 1
        (self.folder / "bad").write_bytes(content)
        (self.folder / "short").write_bytes(content[:100])
        for name in ("bad", "short"):
            self.assertIn(name, self.fails(3, "run", "synsep:n=9", "--load", self.path(name)))


class Interrupted(ProgramTest):
    def wide(self, examples=200, features=100):
        """Dense data in one block, on which a round of Newtron takes milliseconds."""
        draw = random.Random(3)
        return self.write("wide.libsvm", "".join(
            f"{i % 4 + 1} " + " ".join(f"{j}:{draw.uniform(-1, 1):.3f}" for j in range(1, features + 1))
            + "\n" for i in range(examples)))

    def start(self, *arguments, **keywords):
        return subprocess.Popen([SOBA, "run", *map(str, arguments)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **keywords)

    def interrupt(self, process, number, seconds):
        """Sends a signal once, after a while. Standard error, or None where the run was faster."""
        time.sleep(seconds)
        process.send_signal(number)
        _, message = process.communicate(timeout=60)
        if process.returncode == 0:
            return None
        self.assertEqual(process.returncode, -number, message)
        return message

    def model(self, name):
        return (self.folder / name).read_bytes()

    def result(self, *arguments):
        """What is printed of a run, but for what was measured, and counted since it resumed."""
        found = self.json("run", *arguments, "--quiet")
        played = sum(one["examples"] for one in found["by_class"])
        self.assertEqual(played + found.get("resumed_after", 0), found["rounds"])
        return {key: value for key, value in found.items()
                if not key.endswith("seconds") and key not in (
                    "rounds_per_second", "peak_memory_bytes", "constant_error", "guess_error",
                    "beats_constant", "by_class", "resumed_after", "advice")}

    def test_one_signal_ends_a_slow_run_after_its_round(self):
        data = self.wide(examples=4000)
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start(data, "--learner", "newtron", "--quiet", "--save", self.path("m"))
            time.sleep(1)
            begin = time.monotonic()
            message = self.interrupt(process, number, 0)
            self.assertLess(time.monotonic() - begin, 5)
            self.assertRegex(message, r"soba: stopped; \S+ keeps [0-9,]+ rounds?; resume with: ")
            position = self.json("inspect", self.path("m"))["position"]
            self.assertFalse(position["complete"])
            self.assertIn("interrupted behind example", self.ok("inspect", self.path("m")))
        process = self.start(data, "--learner", "newtron", "--quiet")
        self.assertIn("no file was changed", self.interrupt(process, signal.SIGTERM, 1))

    def test_the_command_that_is_printed_resumes_to_the_bit(self):
        wide = self.wide()
        cases = [[wide, "--learner", "newtron"],
                 [wide, "--learner", "soba", "--passes", "100", "--shuffle", "3"],
                 ["synnonsep:n=200000", "--learner", "sobadiag", "--seed", "5"]]
        draw = random.Random(9)
        for number, case in enumerate(cases):
            with self.subTest(case=case):
                whole = self.result(*case, "--save", self.path("whole"), "--trace",
                                    self.path("t"), "--curve", self.path("c"))
                command = ["run", *case, "--save", self.path(f"m{number}")]
                traces, curves = [], []
                for part in range(20 * number, 20 * number + 20):
                    files = [self.path(f"t{part}"), self.path(f"c{part}")]
                    process = self.start(*command[1:], "--trace", files[0], "--curve", files[1],
                                         "--quiet", "--json")
                    message = self.interrupt(process, signal.SIGTERM, draw.uniform(0.1, 0.6))
                    if not os.path.exists(files[0]):  # before it could be resumed
                        continue
                    traces += self.read(f"t{part}").splitlines()[1:]
                    curves += self.read(f"c{part}").splitlines()[1:]
                    if message is None:
                        break
                    words = shlex.split(message.split("resume with: ")[1])
                    self.assertEqual(words[0], "soba")
                    command = words[1:]
                else:
                    files = [self.path(f"last{number}"), self.path(f"last_curve{number}")]
                    found = self.result(*command[1:], "--trace", files[0], "--curve", files[1])
                    self.assertEqual(found, whole)
                    traces += self.read(f"last{number}").splitlines()[1:]
                    curves += self.read(f"last_curve{number}").splitlines()[1:]
                self.assertEqual(self.model(f"m{number}"), self.model("whole"))
                self.assertEqual(traces, self.read("t").splitlines()[1:])
                self.assertEqual(curves, self.read("c").splitlines()[1:])

    def test_a_kill_costs_at_most_the_rounds_since_the_checkpoint(self):
        data = ["synnonsep:n=100000", "--learner", "sobadiag"]
        whole = self.result(*data, "--save", self.path("whole"))
        process = self.start("synnonsep:n=100000", "--learner", "sobadiag", "--quiet", "--save",
                             self.path("m"), "--checkpoint-every", "100")
        while "m" not in self.names():
            time.sleep(0.01)
        self.interrupt(process, signal.SIGKILL, 0.1)
        position = self.json("inspect", self.path("m"))["position"]
        if not position["complete"]:
            self.assertEqual(position["examples"] % 100, 0)
            found = self.result(data[0], "--resume", self.path("m"), "--checkpoint-every", "50000")
            self.assertEqual(found, whole)
        self.assertEqual(self.model("m"), self.model("whole"))

    def stop_halfway(self, data):
        """A run that saves m and meets a bad line in the middle; its message."""
        lines = self.read(os.path.basename(data)).splitlines(keepends=True)
        bad = self.write("bad.libsvm", "".join(lines[:len(lines) // 2]) + "1 nonsense\n")
        return self.fails(3, "run", bad, "--classes", "4", "--learner", "banditron", "--quiet",
                          "--limit", "1000", "--save", self.path("m"))

    def test_an_error_keeps_what_was_learnt(self):
        data = self.wide()
        message = self.stop_halfway(data)
        self.assertIn("keeps", message)
        self.assertIn("nonsense", message)
        played = self.json("inspect", self.path("m"))["position"]["examples"]
        self.assertGreater(played, 50)
        # The line is put right.
        found = self.result(data, "--resume", self.path("m"), "--save", self.path("n"))
        whole = self.result(data, "--classes", "4", "--learner", "banditron", "--limit", "1000",
                            "--save", self.path("whole"))
        self.assertEqual(found, whole)
        self.assertEqual(self.model("n"), self.model("whole"))
        self.assertEqual(self.json("inspect", self.path("m"))["position"]["examples"], played)

    def test_a_pipe_whose_columns_show_on_the_way_resumes(self):
        draw = random.Random(2)
        # Too long to be held and scanned before the first round.
        header = "colour,size,note,label\n" + (" " * (1 << 25) + "\n") * 2
        rows = [f"c{draw.randrange(2 + i // 20)},{i % 9},{'' if i < 500 else f'n{i % 3}'},"
                f"{draw.choice(('yes', 'no'))}\n" for i in range(1000)]
        start = ["run", "-", "--format", "csv", "--labels", "yes,no", "--learner", "sobadiag",
                 "--save"]
        self.ok(*start, self.path("whole"), stdin=header + "".join(rows))
        message = self.fails(3, *start, self.path("m"),
                             stdin=header + "".join(rows[:300]) + "one cell\n")
        self.assertIn("is larger than 64 MiB and can be read only once", message)
        self.assertIn("keeps 300 rounds; resume with: soba run - --resume", message)
        self.ok("run", "-", "--resume", self.path("m"), stdin=header + "".join(rows))
        self.assertEqual(self.model("m"), self.model("whole"))

    def test_a_learner_that_outgrows_its_memory_is_kept(self):
        data = self.write("data.libsvm", "".join(f"{i % 2 + 1} {i + 1}:1\n" for i in range(900)))
        message = self.fails(4, "run", data, "--classes", "2", "--learner", "soba", "--covariance",
                             "block", "--memory", "1", "--quiet", "--save", self.path("m"))
        self.assertIn("more than", message)
        played = self.json("inspect", self.path("m"))["position"]["examples"]
        self.assertIn(f"keeps {played} rounds; resume with: soba run", message)
        self.assertGreater(played, 100)

    def test_a_failed_save_is_not_called_saved(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        process = self.start("synsep:n=1000", "--learner", "soba", "--quiet", "--save",
                             self.path("m"), preexec_fn=small_files)
        output, message = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (4, ""), message)
        self.assertNotIn("keeps", message)
        self.assertIn("no file was changed", message)
        self.assertEqual(self.names(), [])

    def test_what_differs_is_refused(self):
        data = self.wide()
        self.stop_halfway(data)
        before = self.model("m")
        resume = ["run", data, "--resume", self.path("m")]
        for more, words in (
                (["--passes", "2"], "--passes: '2' contradicts the interrupted run, which had '1'"),
                (["--limit", "7"], "which had '1000'"), (["--shuffle", "1"], "had none"),
                (["--scale", "maxabs"], "contradicts"), (["--seed", "9"], "contradicts"),
                (["--learner", "soba"], "contradicts"), (["--load", self.path("m")], "exclude"),
                (["--trace", self.path("bad.libsvm")], "exists"), (["--repeat", "2"], "--repeat")):
            with self.subTest(more=more):
                self.assertIn(words, self.fails(2, *resume, *more))
                self.assertEqual(self.model("m"), before)
        text = self.read(os.path.basename(data))
        other = self.write("other.libsvm", text.replace(":0", ":1", 1))
        self.assertIn("examples are not those", self.fails(3, "run", other, "--resume",
                                                           self.path("m")))
        self.assertEqual(self.model("m"), before)
        self.fails(2, "run", data, "--learner", "soba", "--checkpoint-every", "5")

    def test_nothing_is_left_at_the_end(self):
        self.ok("run", "synsep:n=100", "--learner", "soba", "--save", self.path("m"))
        self.assertEqual(self.json("inspect", self.path("m"))["position"], {"complete": True})
        before = self.model("m")
        for more in ([], ["--json"], ["--quiet"]):
            done = soba("run", "synsep:n=100", "--resume", self.path("m"), *more)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            self.assertIn("m: nothing is left to play, its run has reached the end", done.stderr)
        self.assertEqual(self.model("m"), before)
        self.ok("run", "synsep:n=100", "--resume", self.path("m"), "--save", self.path("other"))
        self.assertEqual(self.model("other"), before)
        self.assertIn("contradicts", self.fails(2, "run", "synsep:n=100", "--resume",
                                                self.path("m"), "--seed", "9"))


if __name__ == "__main__":
    unittest.main()
