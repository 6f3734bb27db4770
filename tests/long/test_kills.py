"""200 kills of `soba decide` under load, and 20 power cuts: nothing replied to is lost, nothing is learnt twice."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from conversation import Conversation, play_with_kills  # noqa: E402
from program import SOBA, ProgramTest  # noqa: E402


class Kills(ProgramTest):
    def test_200_kills(self):
        conversation = Conversation(self.path("killed"), "--save-every", "500")
        blocks = play_with_kills(conversation, 200, seed=200)
        self.assertEqual(conversation.finish()[0], 0)
        straight = Conversation(self.path("straight"), "--save-every", "500")
        for number in range(blocks):
            straight.play(number)
        self.assertEqual(straight.finish()[0], 0)
        self.assertEqual(conversation.labels, straight.labels)
        self.assertEqual((self.folder / "killed").read_bytes(), (self.folder / "straight").read_bytes())
        print(f"200 kills, {len(conversation.replies)} events, "
              f"{conversation.learnt_before} answers learnt whose reply was lost")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@unittest.skipIf(os.geteuid() != 0, "mounting an image needs root")
class PowerCuts(unittest.TestCase):
    """The raw bytes of a mounted image, copied at a random moment, are what a power cut would leave."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def mount(self, image, place):
        place.mkdir(exist_ok=True)
        done = subprocess.run(["mount", "-o", "loop", image, place], capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest("mounting an image is not allowed here: " + done.stderr.strip())

    def test_20_power_cuts(self):
        image, disk = self.folder / "image", self.folder / "disk"
        with open(image, "wb") as file:
            file.truncate(64 << 20)
        run("mkfs.ext4", "-q", "-F", str(image))
        self.mount(image, disk)
        self.addCleanup(subprocess.run, ["umount", "-l", disk], capture_output=True)
        conversation = Conversation(str(disk / "m"), "--save-every", "300")
        draws = random.Random(20)
        ended = threading.Event()
        cuts = []  # (replies that had come when the copy began, the copy)

        def cut():
            for number in range(20):
                time.sleep(draws.uniform(0.05, 0.3))
                conversation.process.send_signal(signal.SIGSTOP)  # all bytes of one moment
                before = list(conversation.replies)
                copy = self.folder / f"cut{number}"
                shutil.copyfile(image, copy)
                conversation.process.send_signal(signal.SIGCONT)
                cuts.append((before, copy))
            ended.set()
        conversation.start()
        cutter = threading.Thread(target=cut)
        cutter.start()
        block = 0
        while not ended.is_set():
            conversation.play(block)
            block += 1
        cutter.join()
        self.assertEqual(conversation.finish()[0], 0)
        total = 0
        for before, copy in cuts:
            place = self.folder / "seen"
            self.mount(copy, place)
            try:
                self.check(before, str(place / "m"))
            finally:
                run("umount", str(place))
            copy.unlink()
            total += len(before)
        print(f"20 power cuts, {len(conversation.replies)} events, none of {total} that had their replies was lost")

    def check(self, before, model):
        if not before:
            return
        state = json.loads(run(SOBA, "inspect", model, "--json"))
        asked = sum(kind == "x" for kind, _ in before)
        answered = sum(kind == "correct" for kind, _ in before)
        self.assertGreaterEqual(state["rounds"], asked)
        self.assertGreaterEqual(state["answers"], answered)
        waiting = {one["id"] if isinstance(one, dict) else one for one in state["pending"]}
        learnt = {identity for kind, identity in before if kind == "correct"}
        self.assertFalse(learnt & waiting)


if __name__ == "__main__":
    unittest.main()
