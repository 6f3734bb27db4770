"""What it costs that a reply of `soba decide` follows the disk.

Usage: durability.py [PROGRAM [FOLDER]]; the model lies in FOLDER, which should be on the disk in question.

Events a second with 64 in flight, strict and relaxed in turns; the round trip of a single event, and fdatasync of an
append to a file with zeros written ahead, in turns too. Medians.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

IN_FLIGHT = 64
EVENTS = 64 * 200
TURNS = 7


def lines(first, count):
    """Decisions with ten features each."""
    return "".join(json.dumps({"id": f"e{i}", "x": {f"f{(i * 7 + j) % 50}": j + 0.5 for j in range(10)}}) + "\n"
                   for i in range(first, first + count))


class Program:
    def __init__(self, program, folder, durability):
        model = pathlib.Path(folder) / durability
        self.process = subprocess.Popen(
            [program, "decide", "--learner", "sobadiag", "--classes", "10", "--model", model, "--durability", durability,
             "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sent = 0

    def exchange(self, text, count):
        self.process.stdin.write(text)
        self.process.stdin.flush()
        for _ in range(count):
            self.process.stdout.readline()

    def events_a_second(self):
        texts = [lines(self.sent + i, IN_FLIGHT).encode() for i in range(0, EVENTS, IN_FLIGHT)]
        self.sent += EVENTS
        begin = time.perf_counter()
        for text in texts:
            self.exchange(text, IN_FLIGHT)
        return EVENTS / (time.perf_counter() - begin)

    def round_trip(self):
        text = lines(self.sent, 1).encode()
        self.sent += 1
        begin = time.perf_counter()
        self.exchange(text, 1)
        return time.perf_counter() - begin

    def end(self):
        self.process.stdin.close()
        self.process.stdout.read()
        assert self.process.wait() == 0


def sync_time(file, place):
    begin = time.perf_counter()
    os.pwrite(file, b"x" * 200, place)
    os.fdatasync(file)
    return time.perf_counter() - begin


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/soba"
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        strict, relaxed = Program(program, folder, "strict"), Program(program, folder, "relaxed")
        rates = [(strict.events_a_second(), relaxed.events_a_second()) for _ in range(TURNS)]
        file = os.open(pathlib.Path(folder) / "append", os.O_RDWR | os.O_CREAT)
        os.pwrite(file, b"\0" * (1 << 20), 0)
        os.fsync(file)
        times = [(strict.round_trip(), sync_time(file, 200 * i)) for i in range(500)]
        strict.end()
        relaxed.end()
    ratio = statistics.median(s / r for s, r in rates)
    print(f"{IN_FLIGHT} in flight: strict {statistics.median(s for s, _ in rates):,.0f} events a second, relaxed "
          f"{statistics.median(r for _, r in rates):,.0f}; median ratio {ratio:.2f}")
    trip, sync = (statistics.median(column) for column in zip(*times))
    print(f"one event: {1e6 * trip:,.0f} µs a round trip, {1e6 * sync:,.0f} µs an fdatasync; ratio {trip / sync:.2f}")
    ok = ratio >= 0.5 and trip <= 3 * sync
    print("strict at least half as fast as relaxed, a round trip at most 3 fdatasyncs: " + ("ok" if ok else "MISSED"))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
