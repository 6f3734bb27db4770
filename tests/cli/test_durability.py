"""What was replied to is on the disk: kills, full disks, two writers, links and permissions."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from conversation import Conversation, play_with_kills
from program import SOBA, ProgramTest, soba

START = ["--learner", "soba", "--gamma", "0.1", "--labels", "a,b,c"]


def question(identity, **features):
    return json.dumps({"id": identity, "x": features}) + "\n"


def lesson(identity, correct):
    return json.dumps({"id": identity, "correct": correct}) + "\n"


class Durability(ProgramTest):
    def running(self, *arguments):
        process = subprocess.Popen([SOBA, "decide", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, bufsize=1)

        def stop():
            process.kill()
            process.communicate()
        self.addCleanup(stop)
        return process

    def ask(self, process, line):
        process.stdin.write(line)
        return json.loads(process.stdout.readline())

    def killed(self, model, *lines):
        """A program that answers these lines and is killed."""
        process = self.running(*START, "--ack", "--model", model)
        replies = [self.ask(process, line) for line in lines]
        process.kill()
        process.wait()
        return replies

    def check_kills(self, *options):
        model = self.path("killed")
        conversation = Conversation(model, *options)
        blocks = play_with_kills(conversation, 20, seed=len(options))
        code, errors = conversation.finish()
        self.assertEqual(code, 0, errors)
        straight = Conversation(self.path("straight"), *options)
        for number in range(blocks):
            straight.play(number)
        self.assertEqual(straight.finish()[0], 0)
        self.assertEqual(conversation.labels, straight.labels)
        self.assertEqual(conversation.replies, straight.replies)
        self.assertEqual((self.folder / "killed").read_bytes(), (self.folder / "straight").read_bytes())
        self.assertEqual(self.names(), ["killed", "straight"])
        answered = sum(kind == "correct" for kind, _ in conversation.replies)
        counted = self.json("inspect", model)
        self.assertEqual(counted["answers"], answered)

    def test_kills_lose_nothing_and_teach_nothing_twice(self):
        self.check_kills()

    def test_nor_do_they_with_saves_in_between_and_without_sync(self):
        self.check_kills("--save-every", "50", "--durability", "relaxed")

    def test_the_model_is_there_before_the_first_reply(self):
        model = self.path("m")
        (reply,) = self.killed(model, question("e1", size=1))
        self.assertEqual(self.names(), ["m", "m.journal"])
        (again,) = self.killed(model, question("e1", size=1))
        self.assertEqual(again, reply)

    def test_every_reader_takes_the_journal_and_says_so(self):
        model = self.path("m")
        self.killed(model, question("e1", size=1), lesson("e1", True), question("e2", size=2))
        done = soba("inspect", model, "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["answers"]), (0, 1))
        self.assertIn("3 events since it was saved are from its journal", done.stderr)
        data = self.write("d.csv", "label,size\na,1\nb,2\nc,3\n")
        done = soba("run", data, "--load", model, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 events since", done.stderr)
        done = soba("predict", model, data)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 4), done.stderr)
        self.assertIn("3 events since", done.stderr)
        self.ok("decide", "--model", model)  # folds it in
        self.assertEqual(self.names(), ["d.csv", "m"])
        self.assertEqual(soba("inspect", model).stderr, "")

    def test_a_foreign_journal_is_refused(self):
        self.killed(self.path("m"), question("e1", size=1))
        self.killed(self.path("n"), question("e2", size=1, more=1), lesson("e2", True))
        self.ok("decide", *START, "--seed", "2", "--model", self.path("o"))
        os.rename(self.path("n.journal"), self.path("o.journal"))
        for arguments in (["inspect", self.path("o")], ["decide", "--model", self.path("o")],
                          ["decide", "--load", self.path("m"), "--save", self.path("o")]):
            message = self.fails(3, *arguments)
            self.assertIn("o.journal: ", message)
            self.assertIn("move it beside that one, or away", message)
        self.assertEqual((self.folder / "o.journal").stat().st_size > 0, True)

    def test_a_damaged_journal_is_refused_with_its_place(self):
        model = self.path("m")
        self.killed(model, *(question(i, size=i) for i in range(9)))
        journal = self.folder / "m.journal"
        content = bytearray(journal.read_bytes())
        content[128 + 30] ^= 1
        journal.write_bytes(content)
        self.assertRegex(self.fails(3, "inspect", model), "m.journal: is damaged at byte 128: record 2 is there")

    def test_two_writers(self):
        model = self.path("m")
        first = self.running(*START, "--model", model)
        self.ask(first, question("e1", size=1))
        data = self.write("d.csv", "label,size\na,1\nb,2\nc,3\n")
        for arguments in (["decide", "--model", model], ["run", data, "--learner", "soba", "--save", model]):
            self.assertIn(f"process {first.pid} is using it", self.fails(4, *arguments))
        self.ok("inspect", model)
        self.ask(first, question("e2", size=1))
        first.communicate()
        self.assertEqual(self.json("inspect", model)["rounds"], 2)

    def test_nobody_decides_while_a_run_has_the_model(self):
        model = self.path("m")
        self.ok("decide", *START, "--model", model, stdin=question("e1", size=1))
        run = subprocess.Popen([SOBA, "run", "-", "--format", "jsonl", "--load", model, "--save", model, "--quiet"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        for _ in range(200):
            if (self.folder / "m.journal").exists():
                break
            time.sleep(0.02)
        self.assertIn(f"process {run.pid} is using it", self.fails(4, "decide", "--model", model))
        errors = run.communicate('{"label":"a","x":{"size":1}}\n' * 3)[1]
        self.assertEqual(run.returncode, 0, errors)
        self.assertEqual(self.json("inspect", model)["rounds"], 4)
        self.assertEqual(self.names(), ["m"])

    def test_replies_come_before_a_line_that_is_too_long(self):
        lines = question("e1", size=1) + question("e2", size=1) + "y" * (65 << 20)
        done = soba("decide", *START, "--model", self.path("m"), stdin=lines)
        self.assertEqual(done.returncode, 3)
        self.assertEqual([json.loads(line)["id"] for line in done.stdout.splitlines()], ["e1", "e2"])

    def test_huge_values_never_lock_a_model_up(self):
        for learner in ("squarecb", "squarecb-full", "bandit-arow-full", "soba-block", "auto"):
            model = self.path(learner)
            lines = "".join(question(i, a=value) + lesson(i, i % 2 == 0)
                            for i, value in enumerate([1e50, 1, -1e50, 1e9, 1.7e18, 3, 1e50]))
            self.ok("decide", "--learner", learner, "--labels", "a,b", "--skip-bad", "--model", model, stdin=lines)
            self.ok("decide", "--model", model, stdin=question("again", a=1))

    def test_a_signal_ends_it_in_order(self):
        model = self.path("m")
        for stop in (signal.SIGTERM, signal.SIGINT):
            process = self.running(*START, "--model", model)
            self.ask(process, question(str(stop), size=1))
            process.send_signal(stop)
            self.assertIn("saved to " + model, process.communicate()[1])
            self.assertEqual(self.names(), ["m"])
        self.assertEqual(self.json("inspect", model)["rounds"], 2)

    def test_what_is_printed_is_what_is_on_disk(self):
        (self.folder / "sub").mkdir()
        process = self.running(*START, "--model", self.path("sub/m"))
        self.ask(process, question("e1", size=1))
        shutil.rmtree(self.folder / "sub")
        errors = process.communicate()[1]
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("not saved: ", errors)
        self.assertNotIn("saved to", errors)

    def test_links_and_permissions_stay(self):
        (self.folder / "deep").mkdir()
        self.ok("decide", *START, "--model", self.path("deep/m"), stdin=question("e1", size=1))
        os.chmod(self.path("deep/m"), 0o600)
        os.symlink("deep/m", self.path("link"))
        process = self.running("--model", self.path("link"))
        self.ask(process, question("e2", size=1))
        self.assertEqual(os.stat(self.path("deep/m.journal")).st_mode & 0o777, 0o600)
        process.communicate()
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertEqual(os.stat(self.path("deep/m")).st_mode & 0o777, 0o600)
        self.assertEqual(self.json("inspect", self.path("deep/m"))["rounds"], 2)

    def test_the_dead_leave_nothing(self):
        dead = subprocess.Popen(["true"])
        dead.wait()
        left = self.folder / f"m.new-{dead.pid}-0"
        left.write_text("half a model")
        self.ok("decide", *START, "--model", self.path("m"))
        self.assertEqual(self.names(), ["m"])

    def test_a_full_disk(self):
        disk = pathlib.Path(self.path("disk"))
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest("mounting a tmpfs is not allowed here: " + mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", disk])
        model = str(disk / "m")
        wide = {f"feature{i}": i for i in range(500)}
        process = self.running("--learner", "sobadiag", "--labels", "a,b,c", "--ack", "--model", model)
        replied = 0
        for i in range(1000):
            try:
                process.stdin.write(question(f"e{i}", **wide))
                line = process.stdout.readline()
            except BrokenPipeError:
                break
            if not line:
                break
            replied += 1
        errors = process.communicate()[1]
        self.assertEqual(process.returncode, 4, errors)
        self.assertIn("No space left on device", errors)
        self.assertGreater(replied, 10)
        self.assertLess(replied, 1000)
        self.assertIn(self.json("inspect", model)["rounds"], (replied, replied + 1))
        more = subprocess.run(["mount", "-o", "remount,size=64m", disk])
        self.assertEqual(more.returncode, 0)
        self.ok("decide", "--model", model, "--quiet", stdin="".join(lesson(f"e{i}", True) for i in range(replied)))
        self.assertEqual(self.json("inspect", model)["answers"], replied)

    def test_usage(self):
        self.assertIn("--durability needs --model or --save", self.fails(2, "decide", *START, "--durability", "strict"))
        self.assertIn("is not strict or relaxed",
                      self.fails(2, "decide", *START, "--durability", "loose", "--model", self.path("m")))


if __name__ == "__main__":
    unittest.main()
