import csv
import math
import unittest

from program import ProgramTest, soba

DATA = "synnonsep:n=2000,seed=1"
KEYS = ["learner", "options", "data", "seed", "rounds", "classes", "features", "mistakes", "error",
        "greedy_error", "constant_error", "guess_error", "beats_constant", "updates",
        "learn_seconds", "total_seconds", "rounds_per_second", "peak_memory_bytes", "by_class"]


class Result(ProgramTest):
    def test_json_has_the_promised_keys(self):
        for learner in ("soba", "sobadiag", "banditron", "perceptron"):
            with self.subTest(learner=learner):
                result = self.json("run", DATA, "--learner", learner)
                result.pop("advice", None)  # where the result suggests something
                self.assertEqual(list(result), KEYS)
                self.assertEqual(result["rounds"], 2000)
                self.assertEqual(result["classes"], 9)
                self.assertLessEqual(result["features"], 400)
                self.assertEqual(result["seed"], 1)
                self.assertAlmostEqual(result["error"], result["mistakes"] / 2000)
                self.assertLess(result["greedy_error"], 0.9)
                self.assertGreaterEqual(result["total_seconds"], result["learn_seconds"])
                self.assertGreater(result["rounds_per_second"], 0)
                self.assertGreater(result["peak_memory_bytes"], 1e6)
                self.assertEqual(result["data"], "synnonsep:n=2000,seed=1" + result["data"][23:])

    def test_an_alias_is_its_learner_with_options(self):
        result = self.json("run", DATA, "--learner", "sobadiag", "--gamma", "2^-6")
        self.assertEqual(result["learner"], "soba")
        self.assertEqual(result["options"]["covariance"], "diagonal")
        self.assertEqual(result["options"]["gamma"], 2**-6)

    def test_same_seed_same_run(self):
        def errors(*more):
            result = self.json("run", DATA, "--learner", "soba", "--gamma", "0.1", *more)
            return result["mistakes"], result["greedy_error"], result["updates"]

        self.assertEqual(errors(), errors("--seed", "1"))
        self.assertNotEqual(errors(), errors("--seed", "2"))

    def test_a_choice_left_to_the_learner_is_named_with_its_reason(self):
        result = self.json("run", DATA, "--learner", "soba", "--covariance", "auto")
        self.assertEqual(result["options"]["covariance"], "block")
        self.assertIn("400 features", result["reason"])
        text = self.ok("run", DATA, "--learner", "auto", "--rule", "1")
        self.assertIn("a budget of 6 pays for full matrices up to 79", " ".join(text.split()))
        self.assertRegex(" ".join(text.split()), r"weights of the members: [a-z-]+ \d\.\d+ \([a-z ]+\), ")

    def test_auto_names_its_members_with_weights_and_forms(self):
        text = " ".join(self.ok("run", DATA, "--learner", "auto").split())
        self.assertIn("members soba-ovr,soba-adaptive,bandit-arow-adaptive", text)
        self.assertRegex(text, r"weights of the members: soba-ovr 0\.\d+ \(full matrices; weights of the ridges: ")

    def test_the_wrong_scale_is_said_once(self):
        def warnings(*arguments):
            done = soba("run", DATA, "--quiet", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stderr.count("wants examples of length")

        self.assertEqual(warnings("--learner", "gaptron"), 1)
        self.assertEqual(warnings("--learner", "gaptron", "--repeat", "2"), 1)
        self.assertEqual(warnings("--learner", "gaptron", "--normalize", "l2"), 0)
        self.assertEqual(warnings("--learner", "pnewtron"), 0)
        self.assertEqual(warnings("--learner", "pnewtron", "--normalize", "l2"), 1)
        self.assertEqual(warnings("--learner", "pnewtron", "--normalize", "l2", "--D", "10"), 0)
        self.assertEqual(warnings("--learner", "exp4", "--members", "gaptron,bpa"), 1)
        self.assertEqual(warnings("--learner", "soba"), 0)

    def test_gap_has_a_rate_of_its_own(self):
        self.assertIn("gamma", self.fails(2, "run", DATA, "--learner", "soba", "--explore", "gap",
                                          "--gamma", "0.5"))

    def test_text_speaks_of_both_errors(self):
        text = self.ok("run", DATA, "--learner", "soba")
        for words in ("played error", "greedy error", "updates", "rounds/s", "memory"):
            self.assertIn(words, text)
        self.assertIn("yardstick", self.ok("run", DATA, "--learner", "perceptron"))

    def test_theory_takes_the_length_of_the_data_as_its_horizon(self):
        result = self.json("run", DATA, "--learner", "sobadiag", "--gamma", "theory")
        self.assertEqual(result["options"]["horizon"], 2000)
        given = self.json("run", DATA, "--learner", "sobadiag", "--gamma", "theory", "--horizon",
                          "5e6")
        self.assertEqual(given["options"]["horizon"], 5000000)

    def test_labels_shuffle_scale_and_passes(self):
        rows = ["colour,size,label"] + [
            f"{'red' if i % 3 else 'blue'},{i % 7},{'yes' if i % 3 else 'no'}" for i in range(60)]
        data = self.write("data.csv", "\n".join(rows) + "\n")
        result = self.json("run", data, "--learner", "soba", "--scale", "maxabs", "--normalize",
                           "l2", "--bias", "--shuffle", "3", "--passes", "4", "--limit", "50")
        self.assertEqual((result["rounds"], result["classes"], result["features"]), (200, 2, 4))
        self.assertLess(result["error"], 0.3)

    def test_standard_input(self):
        lines = "".join(f"{1 + i % 2} {1 + i % 2}:1\n" for i in range(40))
        result = self.json("run", "-", "--format", "libsvm", "--classes", "2", "--learner",
                           "banditron", stdin=lines)
        self.assertEqual(result["rounds"], 40)


class ByClass(ProgramTest):
    def rare(self):
        """99 % of one label; the other two hang on a feature each, but are rare."""
        rows = ["label,common,one,two"]
        for i in range(4000):
            label = "ok" if i % 100 else ("fire", "theft")[i // 100 % 2]
            rows.append(f"{label},1,{int(label == 'fire')},{int(label == 'theft')}")
        return self.write("rare.csv", "\n".join(rows) + "\n")

    def test_one_percent_error_may_be_nothing(self):
        data = self.rare()
        idle = ["run", data, "--learner", "ova-logistic", "--gamma", "0.001"]
        result = self.json(*idle)
        self.assertAlmostEqual(result["constant_error"], 0.01)
        self.assertAlmostEqual(result["guess_error"], 2 / 3)
        self.assertFalse(result["beats_constant"])
        self.assertIn("learner auto", result["advice"])
        recalls = {one["label"]: one["recall"] for one in result["by_class"]}
        self.assertEqual(set(recalls), {"ok", "fire", "theft"})
        self.assertGreater(recalls["ok"], 0.99)
        self.assertLess(recalls["fire"] + recalls["theft"], 0.3)
        self.assertLess(result["error"], 0.02)
        text = " ".join(self.ok(*idle).split())
        self.assertIn("constant error 1.00 % always 'ok'; guessing: 66.67 %", text)
        self.assertIn("ova-logistic was no better than always playing 'ok'.", text)
        self.assertIn("next: try learner auto", text)

    def test_without_a_learner_auto_plays_and_finds_the_rare(self):
        result = self.json("run", self.rare())
        self.assertEqual(result["learner"], "auto")
        self.assertTrue(result["beats_constant"])
        for one in result["by_class"]:
            self.assertGreater(one["recall"], 0.5, one)

    def test_the_counts_are_those_of_the_trace(self):
        trace = self.path("trace.csv")
        result = self.json("run", DATA, "--learner", "soba", "--trace", trace)
        with open(trace, newline="") as file:
            rows = list(csv.DictReader(file))
        for one in result["by_class"]:
            here = [row for row in rows if row["label"] == one["label"]]
            played_as = {}
            for row in here:
                played_as[row["played"]] = played_as.get(row["played"], 0) + 1
            self.assertEqual(one["examples"], len(here))
            self.assertEqual(one["played_as"], played_as)
            self.assertEqual(one["right"], played_as.get(one["label"], 0))
            self.assertEqual(one["played"], sum(row["played"] == one["label"] for row in rows))

    def test_text_has_a_line_for_each_label_and_the_matrix_on_demand(self):
        text = self.ok("run", DATA, "--learner", "soba", "--confusion")
        self.assertIn("recall", text)
        self.assertIn("played instead", text)
        self.assertIn("percentage on which each label was played", text)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)
        self.assertNotIn("percentage on which", self.ok("run", DATA, "--learner", "soba"))

    def test_a_resumed_run_counts_its_own_rounds_and_says_so(self):
        data = self.path("data.libsvm")
        self.ok("generate", "synnonsep:n=400,seed=3", "--output", data)
        lines = self.read("data.libsvm").splitlines(True)
        whole = "".join(lines)
        self.write("data.libsvm", "".join(lines[:300]) + "broken\n")
        model = self.path("model")
        self.fails(3, "run", data, "--classes", "9", "--learner", "soba", "--save", model)
        self.write("data.libsvm", whole)
        text = " ".join(self.ok("run", data, "--resume", model).split())
        self.assertIn("not counted here", text)


class Repeat(ProgramTest):
    def test_runs_mean_and_std(self):
        result = self.json("run", "synnonsep:n=500", "--learner", "sobadiag", "--repeat", "3",
                           "--seed", "5")
        self.assertEqual(list(result), ["runs", "mean", "std"])
        runs = result["runs"]
        self.assertEqual([run["seed"] for run in runs], [5, 6, 7])
        self.assertEqual(len({run["data"] for run in runs}), 3)
        for key in ("error", "greedy_error"):
            values = [run[key] for run in runs]
            mean = sum(values) / 3
            deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / 2)
            self.assertAlmostEqual(result["mean"][key], mean)
            self.assertAlmostEqual(result["std"][key], deviation)

    def test_each_run_is_the_run_with_its_seed(self):
        data = self.path("data.libsvm")
        self.ok("generate", "synnonsep:n=400,seed=3", "--output", data)
        for more in ([], ["--shuffle", "10"]):
            runs = self.json("run", data, "--learner", "soba", "--repeat", "2", *more)["runs"]
            second = ["--shuffle", "11"] if more else []
            alone = self.json("run", data, "--learner", "soba", "--seed", "2", *second)
            self.assertEqual(runs[1]["mistakes"], alone["mistakes"])
            self.assertEqual(runs[1]["updates"], alone["updates"])

    def test_text_has_a_line_for_each_run(self):
        text = self.ok("run", "synsep:n=200", "--learner", "soba", "--repeat", "2")
        self.assertIn("mean", text)
        self.assertIn("± std", text)

    def test_files_do_not_go_with_repeat(self):
        for option in ("--save", "--trace", "--curve"):
            message = self.fails(2, "run", DATA, "--learner", "soba", "--repeat", "2", option,
                                 self.path("file"))
            self.assertIn(option, message)
        self.fails(2, "run", "-", "--learner", "soba", "--repeat", "2")
        self.assertEqual(self.names(), [])


class Curve(ProgramTest):
    def test_log_spaced_rounds_and_the_last(self):
        result = self.json("run", DATA, "--learner", "soba", "--curve", self.path("curve.csv"))
        with open(self.path("curve.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["round", "error", "greedy_error", "updates"])
        rounds = [int(row["round"]) for row in rows]
        self.assertEqual(rounds[:8], [1, 2, 3, 4, 6, 8, 11, 16])
        self.assertEqual(rounds[-1], 2000)
        self.assertEqual(rounds, sorted(set(rounds)))
        self.assertEqual(float(rows[-1]["error"]), result["error"])
        self.assertEqual(float(rows[-1]["greedy_error"]), result["greedy_error"])
        self.assertEqual(int(rows[-1]["updates"]), result["updates"])


class ProgressLines(ProgramTest):
    def test_lines_at_powers_of_two_when_redirected(self):
        done = soba("run", DATA, "--learner", "soba", "--json")
        lines = done.stderr.splitlines()
        self.assertEqual(lines[0].split(), ["round", "played_error", "error_since_last",
                                            "greedy_error", "updates"])
        self.assertEqual([int(line.split()[0]) for line in lines[1:]],
                         [2**i for i in range(11)])

    def test_quiet(self):
        self.assertEqual(soba("run", DATA, "--learner", "soba", "--quiet").stderr, "")


if __name__ == "__main__":
    unittest.main()
