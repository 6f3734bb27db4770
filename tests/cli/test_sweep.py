import json
import os
import pathlib
import random
import shlex
import shutil
import signal
import subprocess
import time
import unittest

from program import SOBA, ProgramTest, soba

PLAN = {
    "data": [
        {"name": "Sep", "data": "synsep:n=3000"},
        {"name": "File", "data": "data.libsvm", "scale": "maxabs", "bias": True, "shuffle": 5, "limit": 80},
    ],
    "learners": [
        {"name": "diagonal", "learner": "sobadiag", "grid": {"gamma": "2^-6..2^-4", "a": [1, 2]}},
        {"learner": "soba", "options": {"covariance": "exact"}, "grid": {"explore": "uniform,gap"}},
        "perceptron",
    ],
    "seeds": [3, 4, 5],
}
RUNS = 2 * 3 * (6 + 2 + 1)


class SweepTest(ProgramTest):
    def setUp(self):
        super().setUp()
        lines = [f"{1 + i % 4} {1 + i % 4}:{1 + i % 3} {5 + i % 11}:{i % 17 - 8}\n" for i in range(100)]
        self.write("data.libsvm", "".join(lines))
        self.plan = self.write("plan.json", json.dumps(PLAN))

    def sweep(self, *arguments, code=0):
        done = soba("sweep", *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def rows(self, name):
        """The rows by command, without what was measured: that part differs between repetitions."""
        rows = {}
        for line in self.read(name).splitlines():
            row = json.loads(line)
            self.assertEqual(list(row)[-1], "measured")
            del row["measured"]
            self.assertNotIn(row["command"], rows)
            rows[row["command"]] = json.dumps(row)
        return rows

    def whole(self):
        """The rows of an uninterrupted sweep with one worker."""
        self.sweep("--plan", self.plan, "--output", "whole.jsonl", "--workers", "1")
        rows = self.rows("whole.jsonl")
        self.assertEqual(len(rows), RUNS)
        return rows


class Sweep(SweepTest):
    def test_a_row_is_what_its_command_gives(self):
        for command, text in self.whole().items():
            row = json.loads(text)
            words = shlex.split(command)
            self.assertEqual(words[0], "soba")
            done = soba(*words[1:], "--json", "--curve", "curve.csv", cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            alone = json.loads(done.stdout)
            for key in ("learner", "options", "data", "seed", "rounds", "classes", "features", "mistakes",
                        "error", "greedy_error", "updates"):
                self.assertEqual(row[key], alone[key], (command, key))
            curve = [line.split(",") for line in self.read("curve.csv").splitlines()[1:]]
            self.assertEqual(row["curve"]["round"], [int(point[0]) for point in curve])
            for point, mistakes in zip(curve, row["curve"]["mistakes"]):
                self.assertEqual(float(point[1]), mistakes / int(point[0]))
            self.assertEqual(row["curve"]["greedy_mistakes"][-1], row["greedy_mistakes"])
            self.assertEqual(row["curve"]["updates"][-1], row["updates"])

    def test_a_choice_left_open_is_made_as_in_a_run(self):
        # The labels are given, so that a run does not know the features before it reads them.
        self.sweep("data.libsvm", "--classes", "4", "--learner", "soba:covariance=auto", "--learner", "auto",
                   "--output", "r.jsonl")
        for line in self.read("r.jsonl").splitlines():
            row = json.loads(line)
            alone = json.loads(soba(*shlex.split(row["command"])[1:], "--json", cwd=self.folder).stdout)
            self.assertEqual((row["options"], row["mistakes"]), (alone["options"], alone["mistakes"]))

    def test_the_same_rows_whatever_the_workers(self):
        whole = self.whole()
        for workers in (2, 5):
            name = f"{workers}.jsonl"
            self.sweep("--plan", self.plan, "--output", name, "--workers", workers)
            self.assertEqual(self.rows(name), whole)

    def test_grid_names_and_seeds_are_in_the_rows(self):
        rows = [json.loads(text) for text in self.whole().values()]
        self.assertEqual({row["name"] for row in rows}, {"Sep", "File"})
        self.assertEqual({row["contender"] for row in rows}, {"diagonal", "soba", "perceptron"})
        self.assertEqual({row["seed"] for row in rows}, {3, 4, 5})
        grids = {json.dumps(row["grid"]) for row in rows if row["contender"] == "diagonal"}
        self.assertEqual(grids, {json.dumps({"a": a, "gamma": g}) for a in (1, 2)
                                 for g in (0.015625, 0.03125, 0.0625)})
        # The order of the file moves on with the seeds, and the generator makes other examples.
        shuffles = {shlex.split(row["command"])[shlex.split(row["command"]).index("--shuffle") + 1]
                    for row in rows if row["name"] == "File"}
        self.assertEqual(shuffles, {"5", "6", "7"})
        self.assertEqual(len({row["fingerprint"] for row in rows if row["name"] == "Sep"}), 3)
        self.assertEqual(len({row["fingerprint"] for row in rows if row["name"] == "File"}), 1)

    def test_goes_on_behind_the_rows_that_are_there(self):
        whole = self.whole()
        lines = self.read("whole.jsonl").splitlines(keepends=True)
        # Stopped in the middle of a row.
        self.write("part.jsonl", "".join(lines[:20]) + lines[20][:100])
        done = self.sweep("--plan", self.plan, "--output", "part.jsonl", "--json")
        self.assertEqual(json.loads(done.stdout)["before"], 20)
        self.assertEqual(self.rows("part.jsonl"), whole)
        self.assertEqual(self.read("part.jsonl").splitlines(keepends=True)[:20], lines[:20])
        # Nothing left: nothing changes.
        before = self.read("part.jsonl")
        done = self.sweep("--plan", self.plan, "--output", "part.jsonl", "--json")
        self.assertEqual(json.loads(done.stdout)["played"], 0)
        self.assertEqual(self.read("part.jsonl"), before)

    def test_a_larger_plan_keeps_the_rows_of_the_smaller(self):
        command = ["synsep:n=500", "--learner", "sobadiag", "--output", "r.jsonl", "--json"]
        self.sweep(*command, "--grid", "gamma=0.1,0.2")
        done = self.sweep(*command, "--grid", "gamma=0.1,0.2,0.3", "--seeds", "1..2")
        self.assertEqual(json.loads(done.stdout), json.loads(done.stdout) | {"runs": 6, "before": 2, "played": 4})

    def test_command_line_axes_go_to_the_learners_that_have_them(self):
        self.sweep("synsep:n=200", "--learner", "sobadiag", "--learner", "perceptron", "--learner",
                   "soba:covariance=exact,a=2", "--grid", "gamma=2^-2..2^-1", "--seeds", "1,9", "--output", "r.jsonl")
        rows = [json.loads(line) for line in self.read("r.jsonl").splitlines()]
        count = {name: sum(row["contender"] == name for row in rows)
                 for name in ("sobadiag", "perceptron", "soba:covariance=exact,a=2")}
        self.assertEqual(list(count.values()), [4, 2, 4])
        self.assertTrue(all(row["options"]["a"] == 2 for row in rows if ":" in row["contender"]))

    def test_theory_takes_the_length_of_the_data(self):
        self.sweep("synsep:n=700", "--learner", "soba:gamma=theory", "--limit", "600", "--output", "r.jsonl")
        self.assertEqual(json.loads(self.read("r.jsonl"))["options"]["horizon"], 600)

    def test_dry_run_lists_the_commands(self):
        done = self.sweep("--plan", self.plan, "--dry-run", "--output", "r.jsonl")
        self.assertEqual(sorted(done.stdout.splitlines()), sorted(self.whole()))
        self.assertNotIn("r.jsonl", self.names())

    def test_options_that_exclude_each_other_are_refused_before_anything_runs(self):
        for more in ([], ["--dry-run"]):
            done = self.sweep("synsep:n=50", "--learner", "soba:explore=gap", "--grid", "gamma=0.1,0.2",
                              "--output", "r.jsonl", *more, code=2)
            self.assertIn("leave out option 'gamma'", done.stderr)
        self.assertNotIn("r.jsonl", self.names())

    def test_a_failed_run_is_said_and_tried_again(self):
        command = ["synsep:n=2000", "--learner", "soba:covariance=block,memory=1", "--learner", "perceptron",
                   "--output", "r.jsonl"]
        for _ in range(2):
            done = self.sweep(*command, code=4)
            self.assertIn("--covariance block --memory 1 --seed 1: ", done.stderr)
            self.assertEqual(len(self.rows("r.jsonl")), 1)
            self.assertIn("tries again", done.stderr)

    def test_progress_says_how_far_how_fast_and_how_long(self):
        done = self.sweep("synsep:n=500", "--learner", "perceptron", "--seeds", "1..20", "--output", "r.jsonl")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 10)
        for tenth, line in enumerate(lines, 1):
            self.assertRegex(line, rf"^\[#+\.*\] {10 * tenth} %  {2 * tenth} of 20 runs  [0-9.]+ runs/s  [0-9.:]+ s? ?left$")
        self.sweep("synsep:n=500", "--learner", "bpa", "--seeds", "1..20", "--output", "r.jsonl", "--quiet")

    def test_paths_with_spaces_survive_the_command(self):
        os.rename(self.path("data.libsvm"), self.path("my data's.libsvm"))
        self.sweep("my data's.libsvm", "--learner", "perceptron", "--output", "r.jsonl")
        command = json.loads(self.read("r.jsonl"))["command"]
        self.assertEqual(shlex.split(command)[2], "my data's.libsvm")


class SweepErrors(SweepTest):
    def refused(self, code, *arguments):
        done = self.sweep(*arguments, code=code)
        complaints = [line for line in done.stderr.splitlines() if line.startswith("soba: ")]
        self.assertEqual(len(complaints), 1, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertNotIn("r.jsonl", self.names())
        return complaints[0]

    def test_one_clear_error_before_any_run(self):
        bad = self.write("bad.libsvm", "1 1:1\n2 1:2\n1 1:oops\n")
        base = ["synsep:n=50", "--output", "r.jsonl"]
        for code, words, arguments in [
            (2, "did you mean 'gamma'", [*base, "--learner", "sobadiag", "--grid", "gama=0.1"]),
            (2, "no learner of the sweep has an option", [*base, "--learner", "sobadiag", "--learner", "bpa", "--grid", "x=1"]),
            (2, "'3' is not accepted", [*base, "--learner", "sobadiag", "--grid", "gamma=0.1,3"]),
            (2, "is no range", [*base, "--learner", "sobadiag", "--grid", "gamma=0.1..0.5"]),
            (2, "expected option=values", [*base, "--learner", "sobadiag", "--grid", "gamma"]),
            (2, "no learner is called", [*base, "--learner", "nobody"]),
            (2, "is not option=value", [*base, "--learner", "soba:exact"]),
            (2, "--learner is missing", base),
            (2, "DATA is missing", ["--learner", "soba"]),
            (2, "seed 2 is a duplicate", [*base, "--learner", "soba", "--seeds", "1..3,2"]),
            (2, "--seeds", [*base, "--learner", "soba", "--seeds", "x"]),
            (2, "the same learner", [*base, "--learner", "sobadiag", "--learner", "soba:covariance=diagonal"]),
            (2, "--workers", [*base, "--learner", "soba", "--workers", "0"]),
            (2, "leave out data", [*base, "--plan", self.plan]),
            (2, "must be in a file", ["-", "--output", "r.jsonl", "--learner", "soba"]),
            (2, "it would be lost", ["data.libsvm", "--output", "data.libsvm", "--learner", "soba"]),
            (3, "bad.libsvm:3:5", ["synsep:n=50", bad, "--output", "r.jsonl", "--learner", "soba"]),
            (3, "cannot open", ["nothing.libsvm", "--output", "r.jsonl", "--learner", "soba"]),
            (2, "synsep: n: '0'", ["synsep:n=0", "--output", "r.jsonl", "--learner", "soba"]),
            (3, "nothing.json: cannot open", ["--plan", "nothing.json", "--output", "r.jsonl"]),
            (4, "cannot create a file", [*base[:1], "--learner", "soba", "--output", "no/such/folder.jsonl"]),
        ]:
            with self.subTest(words):
                self.assertIn(words, self.refused(code, *arguments))

    def test_bad_plans_name_the_place(self):
        for change, words in [
            ({"learner": []}, "unknown key 'learner'; did you mean 'learners'?"),
            ({"seeds": []}, "seeds: expected a list that is not empty"),
            ({"seeds": {}}, "seeds: expected a text or a number"),
            ({"data": []}, "data: expected a list"),
            ({"data": [{"data": "synsep:n=5", "scal": "maxabs"}]}, "data[0]: unknown key 'scal'"),
            ({"data": [{"data": "synsep:n=5", "bias": "yes"}]}, "data[0].bias: expected true or false"),
            ({"data": [{"name": "x"}]}, "data[0]: 'data' is missing"),
            ({"learners": [{"learner": "soba", "options": 3}]}, "learners[0].options: expected an object"),
            ({"learners": [{"learner": "soba", "grid": {"gamma": {}}}]}, "learners[0].grid.gamma: expected"),
            ({"learners": ["soba", "soba"]}, "two learners are called 'soba'"),
        ]:
            with self.subTest(words):
                plan = self.write("bad.json", json.dumps(PLAN | change))
                self.assertIn(words, self.refused(2, "--plan", plan, "--output", "r.jsonl"))
        plan = self.write("bad.json", '{"data": [')
        self.assertIn("bad.json", self.refused(3, "--plan", plan, "--output", "r.jsonl"))

    def test_other_files_are_left_alone(self):
        for text in ("hello\n", '{"a": 1}\n', "[1]\n", "hello", '{"a": 1}', '{"format":3,"soba":"0'):
            self.write("other.txt", text)
            done = self.sweep("synsep:n=9", "--learner", "soba", "--output", "other.txt", code=3)
            self.assertIn("other.txt:1", done.stderr)
            self.assertEqual(self.read("other.txt"), text)

    def test_rows_of_other_data_or_another_version_are_not_mixed(self):
        command = ["data.libsvm", "--learner", "perceptron", "--output", "r.jsonl"]
        self.sweep(*command)
        rows = self.read("r.jsonl")
        self.write("data.libsvm", self.read("data.libsvm") + "1 1:7\n")
        done = self.sweep(*command, code=3)
        self.assertIn("other examples", done.stderr)
        self.assertEqual(self.read("r.jsonl"), rows)
        self.write("r.jsonl", rows.replace('"soba":"', '"soba":"9.'))
        self.assertIn("written by soba 9.", self.sweep(*command, code=3).stderr)

    def test_rows_that_no_report_could_show_together_are_refused(self):
        base = ["data.libsvm", "--learner", "perceptron", "--output", "r.jsonl"]
        self.sweep(*base, "--shuffle", "1", "--limit", "50", "--seeds", "1..3")
        rows = self.read("r.jsonl")
        for other in (["--shuffle", "1", "--limit", "60"], ["--shuffle", "1"], ["--limit", "50"],
                      ["--shuffle", "1", "--limit", "50", "--seeds", "2..4"],
                      ["--shuffle", "1", "--limit", "50", "--scale", "maxabs"]):
            with self.subTest(other):
                self.assertIn("give another output file", self.sweep(*base, *other, code=3).stderr)
                self.assertEqual(self.read("r.jsonl"), rows)
        self.sweep(*base, "--shuffle", "1", "--limit", "50", "--seeds", "1..5")
        done = soba("report", "r.jsonl", "--format", "csv", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_full_disk_ends_the_sweep_and_leaves_whole_rows(self):
        limit = 'ulimit -f 8; trap "" XFSZ; exec "$@"'
        done = subprocess.run(["sh", "-c", limit, "sh", SOBA, "sweep", "--plan", self.plan, "--output", "r.jsonl",
                               "--quiet"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("r.jsonl: cannot be written: ", done.stderr)
        self.assertTrue(self.read("r.jsonl").endswith("}\n"))
        whole = self.whole()
        self.sweep("--plan", self.plan, "--output", "r.jsonl")
        self.assertEqual(self.rows("r.jsonl"), whole)

    def test_data_that_is_gone_after_it_was_read_is_not_missed(self):
        process = subprocess.Popen([SOBA, "sweep", "data.libsvm", "--learner", "sobadiag", "--grid",
                                    "gamma=2^-9..2^-1", "--seeds", "1..200", "--output", "r.jsonl", "--quiet"],
                                   cwd=self.folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        while "r.jsonl" not in self.names() or not self.read("r.jsonl"):
            time.sleep(0.001)
        os.remove(self.path("data.libsvm"))
        _, errors = process.communicate(timeout=100)
        self.assertEqual((process.returncode, errors), (0, ""))
        self.assertEqual(len(self.rows("r.jsonl")), 1800)

    def test_one_sweep_at_a_time_writes_a_file(self):
        import fcntl
        self.write("r.jsonl", "")
        with open(self.path("r.jsonl"), "a", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            done = self.sweep("synsep:n=9", "--learner", "soba", "--output", "r.jsonl", code=4)
        self.assertIn("another sweep is writing", done.stderr)


class SweepKilled(SweepTest):
    def command(self, examples):
        return [f"synsep:n={examples}", "--learner", "sobadiag", "--learner", "banditron", "--grid",
                "gamma=2^-10..2^-1", "--seeds", "1..10", "--quiet"]

    def start(self, output, examples):
        return subprocess.Popen([SOBA, "sweep", *self.command(examples), "--output", output], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def count(self, output):
        path = self.folder / output
        return path.read_text().count("\n") if path.exists() else 0

    def uninterrupted(self):
        """The rows of a sweep that takes a second at least, and of how many examples it is."""
        examples = 2000
        while True:
            begin, output = time.monotonic(), f"{examples}.jsonl"
            self.sweep(*self.command(examples), "--output", output)
            if time.monotonic() - begin >= 1:
                return self.rows(output), examples
            examples *= 2

    def test_killed_five_times_it_ends_with_the_rows_of_an_uninterrupted_one(self):
        whole, examples = self.uninterrupted()
        self.assertEqual(len(whole), 200)
        chance = random.Random(1)
        killed, progress = 0, [0]
        for _ in range(5):
            enough = progress[-1] + chance.randint(0, 25)
            process = self.start("killed.jsonl", examples)
            while self.count("killed.jsonl") < enough and process.poll() is None:
                time.sleep(0.001)
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
            progress.append(self.count("killed.jsonl"))
        self.assertGreaterEqual(killed, 3)  # not all, where the machine stood still in between
        self.assertEqual(progress, sorted(progress))
        self.sweep(*self.command(examples), "--output", "killed.jsonl")
        self.assertEqual(self.rows("killed.jsonl"), whole)

    def test_asked_to_stop_it_says_how_to_go_on(self):
        process = self.start("stopped.jsonl", 2000)
        while "stopped.jsonl" not in self.names() or not self.read("stopped.jsonl"):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        if process.returncode == 0:
            self.skipTest("it was done before it could be stopped")
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertIn("the same command resumes the sweep", errors)
        self.assertTrue(self.read("stopped.jsonl").endswith("\n"))


@unittest.skipUnless(os.environ.get("SOBA_MPI") == "ON", "built without MPI")
class SweepRanks(SweepTest):
    ENVIRONMENT = os.environ | {"ASAN_OPTIONS": "detect_leaks=0",
                                "TSAN_OPTIONS": f"suppressions={pathlib.Path(__file__).with_name('open_mpi.supp')}",
                                "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def mpirun(self, ranks, *arguments, code=0, script=""):
        """soba sweep on so many ranks; the script runs in each of them first, and $RANK is its number."""
        command = f'RANK=$OMPI_COMM_WORLD_RANK; {script}\nexec "$@"'
        done = subprocess.run([shutil.which("mpirun"), "--oversubscribe", "-n", str(ranks), "sh", "-c", command, "sh",
                               SOBA, "sweep", *map(str, arguments)], cwd=self.folder, env=self.ENVIRONMENT,
                              capture_output=True, text=True, timeout=100)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def test_four_ranks_write_what_one_process_writes(self):
        whole = self.whole()
        done = self.mpirun(4, "--plan", self.plan, "--output", "ranks.jsonl", "--json", "--quiet")
        self.assertEqual(json.loads(done.stdout)["played"], RUNS)  # one rank speaks
        self.assertEqual(self.rows("ranks.jsonl"), whole)

    def test_ranks_with_several_workers(self):
        whole = self.whole()
        self.mpirun(2, "--plan", self.plan, "--output", "ranks.jsonl", "--workers", "2", "--quiet")
        self.assertEqual(self.rows("ranks.jsonl"), whole)

    def long_sweep(self):
        """Arguments of 54 runs that take a second or more on this machine; whole.jsonl has their rows."""
        for examples in (20_000, 100_000, 500_000):
            arguments = [f"synsep:n={examples}", "--learner", "sobadiag", "--grid", "gamma=2^-9..2^-1", "--seeds",
                         "1..6", "--quiet"]
            (self.folder / "whole.jsonl").unlink(missing_ok=True)
            begin = time.monotonic()
            self.sweep(*arguments, "--output", "whole.jsonl")
            if time.monotonic() - begin > 1:
                break
        return arguments

    def test_the_runs_of_a_dead_rank_are_played_on_the_next_start(self):
        long = self.long_sweep()
        # A rank that kills itself once there are rows takes the others with it.
        die = 'if [ "$RANK" = 2 ]; then me=$$; (while ! [ -s dead.jsonl ]; do sleep 0.01; done; kill -9 $me) & fi'
        self.assertNotEqual(self.mpirun(4, *long, "--output", "dead.jsonl", script=die, code=None).returncode, 0)
        self.assertLess(len(self.read("dead.jsonl").splitlines()), 54)
        self.mpirun(4, *long, "--output", "dead.jsonl")
        self.assertEqual(self.rows("dead.jsonl"), self.rows("whole.jsonl"))

    def test_a_rank_that_is_stopped_leaves_its_run_to_the_next_start(self):
        long = self.long_sweep()
        stop = 'if [ "$RANK" = 1 ]; then me=$$; (while ! [ -s r.jsonl ]; do sleep 0.01; done; kill -TERM $me) & fi'
        done = self.mpirun(2, *long, "--output", "r.jsonl", "--json", script=stop, code=None)
        rows = len(self.read("r.jsonl").splitlines())
        if rows < 54:  # it was in the middle of a run
            self.assertEqual(json.loads(done.stdout)["played"], rows)
            self.assertIn("the same command tries again", done.stderr)
            self.assertNotEqual(done.returncode, 0)
        self.mpirun(2, *long, "--output", "r.jsonl")
        self.assertEqual(len(self.rows("r.jsonl")), 54)

    def test_a_full_disk_ends_all_ranks(self):
        limit = 'if [ "$RANK" = 0 ]; then ulimit -f 8; trap "" XFSZ; fi'
        # Not by shared memory, which is files too.
        done = self.mpirun(3, "--plan", self.plan, "--output", "r.jsonl", "--quiet", code=None,
                           script="export OMPI_MCA_btl=tcp,self; " + limit)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cannot be written", done.stderr)

    def test_one_error_for_all_ranks(self):
        done = self.mpirun(3, "nothing.libsvm", "--learner", "soba", "--output", "r.jsonl", code=3)
        self.assertEqual(done.stderr.count("soba: "), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
