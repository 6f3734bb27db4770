import json
import pathlib
import subprocess
import unittest

from program import SOBA, ProgramTest

LEARNERS = (
    ("soba", "--gamma", "0.1"),
    ("soba", "--covariance", "auto", "--gamma", "0.1"),
    ("soba", "--gamma", "theory"),
    ("auto",),
    ("banditron", "--gamma", "0.1"),
    ("pnewtron",),
    ("perceptron",),
)
OPTIONS = (
    (),
    ("--scale", "minmax", "--bias"),
    ("--scale", "maxabs", "--normalize", "l2", "--shuffle", "3"),
    ("--limit", "150", "--passes", "3"),
)


def libsvm():
    lines = []
    for i in range(400):
        label = ("10", "9", "-1")[i * i % 7 % 3]
        lines.append(f"{label} {1 + i % 5}:{i % 9 * 0.25 - 1} {7 + i % 30}:1 300:{i / 3}")
    return "\n".join(lines) + "\n"


def csv():
    lines = ["size,kind,when,outcome"]
    for i in range(400):
        kind = "" if i % 11 == 0 else f'"k, {i // 30}"'
        lines.append(f"{i % 7 * 0.5},{kind},{-(i % 3)},{'yes' if i * i % 5 == 1 else 'no'}")
    return "\n".join(lines) + "\n"


def jsonl():
    rows = ({"label": i * i % 3, "x": {f"w{i // 10}": i, "from": f"c{i % 9}", "b": 0.5, "z": 0}}
            for i in range(400))
    return "".join(json.dumps(row) + "\n" for row in rows)


class Cache(ProgramTest):
    def data(self):
        yield self.write("a.libsvm", libsvm()), ()
        yield self.write("a.csv", csv()), ("--label", "outcome")
        yield self.write("a.jsonl", jsonl()), ()

    def bytes(self, name):
        return pathlib.Path(self.path(name)).read_bytes()

    def test_every_learner_plays_it_as_the_text(self):
        turn = 0  # each format with every option, each learner with some
        for text, reading in self.data():
            cache = text + ".soba"
            self.ok("convert", text, cache, *reading)
            for learner in LEARNERS:
                options = OPTIONS[turn % len(OPTIONS)]
                turn += 1
                with self.subTest(text=text, learner=learner, options=options):
                    for data, more, name in ((text, reading, "text"), (cache, (), "cache")):
                        self.ok("run", data, "--learner", *learner, *options, *more, "--quiet",
                                "--save", self.path(name + ".model"), "--trace",
                                self.path(name + ".trace"))
                    self.assertEqual(self.read("cache.trace"), self.read("text.trace"))
                    # Explicit zeros are not kept, and that a feature was always zero is all that a
                    # scan finds out about it.
                    if "--scale" not in options:
                        self.assertEqual(self.bytes("cache.model"), self.bytes("text.model"))

    def test_a_model_goes_on_with_either(self):
        for text, reading in self.data():
            with self.subTest(text=text):
                cache = text + ".soba"
                self.ok("convert", text, cache, *reading)
                self.ok("run", text, "--learner", "soba", "--limit", "50", *reading, "--save",
                        self.path("half.model"))
                for data, more, name in ((text, reading, "text"), (cache, (), "cache")):
                    self.ok("run", data, "--load", self.path("half.model"), *more, "--quiet",
                            "--save", self.path(name + ".model"))
                self.assertEqual(self.bytes("cache.model"), self.bytes("text.model"))

    def test_a_model_finds_named_features_and_labels(self):
        self.write("one.jsonl", '{"label":"u","x":{"a":1,"b":2}}\n{"label":"v","x":{"c":3}}\n')
        self.write("two.jsonl", '{"label":"v","x":{"d":1,"c":2}}\n{"label":"u","x":{"b":3}}\n')
        self.ok("run", self.path("one.jsonl"), "--learner", "soba", "--labels", "v,u", "--save",
                self.path("m"))
        self.ok("convert", self.path("two.jsonl"), self.path("two.soba"))
        for name in ("two.jsonl", "two.soba"):
            self.ok("run", self.path(name), "--load", self.path("m"), "--save",
                    self.path(name + ".model"), "--trace", self.path(name + ".trace"))
        self.assertEqual(self.read("two.soba.trace"), self.read("two.jsonl.trace"))
        self.assertEqual(self.bytes("two.soba.model"), self.bytes("two.jsonl.model"))

    def test_back_to_text(self):
        for text, reading in self.data():
            with self.subTest(text=text):
                cache = text + ".soba"
                self.ok("convert", text, cache, *reading)
                for to in ("libsvm", "csv", "jsonl"):
                    self.assertEqual(self.ok("convert", cache, "-", "--to", to),
                                     self.ok("convert", text, "-", "--to", to, *reading))

    def test_through_a_pipe_and_compressed(self):
        text = self.write("a.libsvm", libsvm())
        self.ok("convert", text, self.path("a.soba"))
        piped = subprocess.run([SOBA, "convert", text, "-", "--to", "cache"], capture_output=True,
                               check=True, timeout=60).stdout
        self.assertEqual(piped, self.bytes("a.soba"))
        expected = self.json("check", self.path("a.soba"))
        found = subprocess.run([SOBA, "check", "-", "--json"], input=piped, capture_output=True,
                               check=True, timeout=60).stdout
        self.assertEqual({**json.loads(found), "data": ""}, {**expected, "data": ""})
        for name in ("a.soba.gz", "a.soba.xz", "a.soba.zst"):
            self.ok("convert", text, self.path(name))
            self.assertNotEqual(self.bytes(name)[:7], b"SOBADAT")
            self.assertEqual(self.ok("convert", self.path(name), "-", "--to", "libsvm"),
                             self.ok("convert", text, "-"))

    def test_generators_and_sweeps_take_it(self):
        self.ok("generate", "synsep:n=300,seed=2", "--output", self.path("a.soba"))
        for data, name in (("synsep:n=300,seed=2", "text"), (self.path("a.soba"), "cache")):
            self.ok("sweep", data, "--learner", "soba", "--seeds", "1,2", "--output",
                    self.path(name + ".jsonl"))
        rows = [sorted(map(json.loads, self.read(name).splitlines()), key=lambda row: row["seed"])
                for name in ("text.jsonl", "cache.jsonl")]
        self.assertEqual([row["fingerprint"] for row in rows[1]],
                         [row["fingerprint"] for row in rows[0]])
        self.assertEqual([row["curve"] for row in rows[1]], [row["curve"] for row in rows[0]])

    def test_damage_is_an_error_with_its_place(self):
        text = self.write("a.libsvm", libsvm())
        self.ok("convert", text, self.path("a.soba"))
        bad = bytearray(self.bytes("a.soba"))
        bad[200] ^= 1
        pathlib.Path(self.path("bad.soba")).write_bytes(bad)
        for verb in (("check",), ("run", "--learner", "soba", "--skip-bad")):
            message = self.fails(3, *verb, self.path("bad.soba"))
            self.assertIn("bad.soba: byte 24: block 1 of the cache is corrupt", message)
        pathlib.Path(self.path("bad.soba")).write_bytes(bad[:-9])
        self.assertIn("truncated", self.fails(3, "check", self.path("bad.soba")))
        self.ok("run", text, "--learner", "soba", "--save", self.path("model.soba"))
        self.assertIn("is a model, not data", self.fails(3, "check", self.path("model.soba")))
        self.fails(3, "inspect", self.path("a.soba"))

    def test_zero_based(self):
        text = self.write("a.libsvm", "a 0:1 3:2\nb 2:1\n")
        self.ok("convert", text, self.path("a.soba"), "--zero-based")
        for options in ((), ("--zero-based",)):
            self.assertEqual(self.ok("convert", self.path("a.soba"), "-", *options),
                             "a 0:1 3:2\nb 2:1\n")
        self.ok("convert", self.write("b.libsvm", "a 1:1 3:2\nb 2:1\n"), self.path("b.soba"))
        self.assertIn("start at 1", self.fails(2, "check", self.path("b.soba"), "--zero-based"))


if __name__ == "__main__":
    unittest.main()
