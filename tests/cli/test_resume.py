import unittest

from program import ProgramTest


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


if __name__ == "__main__":
    unittest.main()
