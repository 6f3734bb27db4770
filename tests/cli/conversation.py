"""A conversation with `soba decide` that continues whatever happens to the program.

Blocks of decisions, each followed by the answers to the block before. A block is sent at once; the next one follows
when every event of it has its reply. Where the program dies, it is started again, and what had no reply is sent again.
So the events come in the same order, however often it dies.
"""
import json
import random
import signal
import subprocess
import threading

from program import SOBA

LABELS = ["a", "b", "c"]
NOTHING_WAITS = "no decision waits under this id"


class Conversation:
    def __init__(self, model, *options, size=32):
        self.command = [SOBA, "decide", "--learner", "soba", "--gamma", "0.2", "--labels", ",".join(LABELS), "--ack",
                        "--quiet", "--model", model, *options]
        self.size = size
        self.labels = {}      # of every decision that was replied to
        self.replies = []     # all of them
        self.kills = 0
        self.learnt_before = 0  # answers that were learnt, but not replied to, when the program died
        self.process = None

    def features(self, identity):
        draws = random.Random(identity)
        colour = draws.choice(["red", "green", "blue"])
        return {"size": draws.random(), "colour": colour, "shop": f"s{draws.randrange(200)}"}

    def truth(self, identity):
        return LABELS[["red", "green", "blue"].index(self.features(identity)["colour"])]

    def block(self, number):
        """What is to be sent, as (kind, id)."""
        decisions = [("x", f"{number}-{i}") for i in range(self.size)]
        answers = [("correct", f"{number - 1}-{i}") for i in range(self.size)] if number > 0 else []
        return decisions + answers

    def line(self, kind, identity):
        value = self.features(identity) if kind == "x" else self.labels[identity] == self.truth(identity)
        return json.dumps({"id": identity, kind: value}) + "\n"

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)

    def take(self, kind, identity, reply):
        assert reply["id"] == identity, (kind, identity, reply)
        if kind == "x":
            self.labels[identity] = reply["label"]
        elif "error" in reply:
            assert reply["error"] == NOTHING_WAITS, reply
            self.learnt_before += 1
        self.replies.append((kind, identity))

    def send(self, events):
        """Those without a reply when the program died; none where it lives on."""
        text = "".join(self.line(*event) for event in events)

        def write():
            try:
                self.process.stdin.write(text)
                self.process.stdin.flush()
            except BrokenPipeError:
                pass
        writer = threading.Thread(target=write)
        writer.start()
        done = 0
        while done < len(events):
            line = self.process.stdout.readline()
            if not line.endswith("\n"):
                break
            self.take(*events[done], json.loads(line))
            done += 1
        writer.join()
        return events[done:]

    def play(self, number):
        """Block `number`, to its end."""
        left = self.block(number)
        while left:
            if self.process is None:
                self.start()
            left = self.send(left)
            if left:
                self.bury()

    def bury(self):
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
        self.process = None
        self.kills += 1

    def finish(self):
        if self.process is None:
            self.start()
        errors = self.process.communicate()[1]
        code = self.process.returncode
        self.process = None
        return code, errors


def play_with_kills(conversation, kills, seed):
    """Blocks until the program was killed so often, each time at a random moment; the number of blocks."""
    draws = random.Random(seed)
    blocks = 0
    while conversation.kills < kills:
        before = conversation.kills
        if conversation.process is None:
            conversation.start()
        timer = threading.Timer(draws.uniform(0.005, 0.12), conversation.kill)
        timer.start()
        while conversation.kills == before:
            conversation.play(blocks)
            blocks += 1
        timer.join()
    return blocks
