"""Instructions of each phase of `soba run`, counted by valgrind's callgrind.

    python3 bench/profile.py build/release/bin/soba [LEARNER] [EXAMPLES] [--functions]

Writes SynNonSep as LIBSVM text, plays it under callgrind, and adds up what each function executed itself, by what the
function is for. Needs valgrind.
"""
import os
import re
import subprocess
import sys
import tempfile

# The first that matches names the phase. Reading is everything from bytes to blocks.
PHASES = [
    ("kernels", r"linalg::"),
    ("reading", r"LibsvmReader|glance_libsvm|LineReader|LabelMemory|GoodRows|Preparation|BlockStream|Stream::|NameMap"
                r"|Block::|ByteSource|DescriptorBytes|PartBytes|Input::|Source::Impl|Ahead|UnsetAllocator|scan_plain|last_extent|Glance"
                r"|FindLineEnds|find_line_ends|TakeShortEntries|take_short_entries"),
    ("the learner beside its kernels", r"::learn\(|::update\(|Soba<|BanditArow|DiagonalCovariance|DiagonalClasses"
                                       r"|ClassMatrix|squared_norm"),
    ("greedy label and runner-up", r"argmax"),
    ("exploration and draw", r"soba::draw|exploration|Rng::|philox|Philox"),
    ("the round loop", r"play|soba::run|cli::"),
    ("memory: copies and searches in libc", r"mem(cpy|move|set|chr|rchr|cmp)|malloc|free|operator (new|delete)"),
]


def instructions(program, learner, examples, folder):
    """{function: instructions of its own}"""
    data = os.path.join(folder, "synnonsep.libsvm")
    counts = os.path.join(folder, "callgrind.out")
    subprocess.run([program, "generate", f"synnonsep:n={examples},seed=1", "--output", data], check=True,
                   stderr=subprocess.DEVNULL)
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", program, "run", data,
                    "--learner", learner, "--quiet"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = subprocess.run(["callgrind_annotate", "--threshold=100", "--show-percs=no", counts], check=True,
                          capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        match = re.match(r"\s*([\d,]+)\s+\S*?:(.*?)( \[.*\])?$", line)
        if match:
            name = match.group(2)
            found[name] = found.get(name, 0) + int(match.group(1).replace(",", ""))
    return found


def main():
    words = [word for word in sys.argv[1:] if word != "--functions"]
    program = words[0]
    learner = words[1] if len(words) > 1 else "sobadiag"
    examples = int(words[2]) if len(words) > 2 else 100000
    with tempfile.TemporaryDirectory() as folder:
        found = instructions(program, learner, examples, folder)
    total = sum(found.values())
    phases = {}
    for name, count in found.items():
        phase = next((phase for phase, pattern in PHASES if re.search(pattern, name)), "everything else")
        phases.setdefault(phase, []).append((count, name))
    print(f"{learner} on {examples} examples of SynNonSep from text: {total / examples:.0f} instructions a round")
    ok = True
    for phase, functions in sorted(phases.items(), key=lambda item: -sum(c for c, _ in item[1])):
        share = sum(count for count, _ in functions) / total
        ok = ok and (share <= 0.1 or phase in ("kernels", "reading"))
        print(f"  {100 * share:5.1f} %  {phase:<38}{sum(c for c, _ in functions) / examples:8.0f}")
    print("no phase outside reading and kernels is above 10 %: " + ("ok" if ok else "MISSED"))
    if "--functions" in sys.argv:
        for phase, functions in phases.items():
            for count, name in sorted(functions, reverse=True)[:8]:
                print(f"{phase:<38}{count / examples:9.1f}  {name[:110]}")
    return 0 if ok else 1


sys.exit(main())
