"""Who may include whom: reads every #include under src/ and include/ and fails where an arrow points up.

Run from the project's root. A public header counts as part of the folder that implements it.
"""
import pathlib
import re
import sys

ALLOWED = {
    "core": set(),
    "linalg": {"core"},
    "explore": {"linalg", "core"},
    "covariance": {"linalg", "core"},
    "learners": {"covariance", "linalg", "explore", "core"},
    "data": {"core"},
    "model": {"learners", "data", "explore", "core"},
    "decide": {"model", "data", "explore", "learners", "core"},
    "sim": {"model", "data", "explore", "learners", "core"},
}
PUBLIC = {
    "types": "core", "error": "core", "rng": "core", "options": "core", "state": "core",
    "version": "core", "explore": "explore", "learner": "explore", "registry": "learners",
    "data": "data", "value": "data", "model": "model", "decide": "decide", "play": "sim",
    "sweep": "sim",
}
# A learner's concrete header is for the registry and its own files alone.
INTERFACES_ONLY = {"model", "decide", "sim"}
HEAVY = re.compile(r"#include <(Eigen|cblas)[/.]")
VECTORS = re.compile(r"#include <hwy/")


def folder_of(path):
    parts = path.parts
    return PUBLIC[path.stem] if parts[0] == "include" else parts[1]


def complaints(path):
    folder = folder_of(path)
    allowed = ALLOWED[folder] | {folder}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path}:{number}: "
        if HEAVY.match(line) and folder not in ("linalg", "covariance"):
            yield where + f"{line.strip()} belongs into linalg or covariance"
        if VECTORS.match(line) and folder not in ("linalg", "data"):
            yield where + f"{line.strip()} belongs into linalg or data"
        match = re.match(r'#include "(soba/)?([a-z_/]+)\.h"', line)
        if not match:
            continue
        public, name = match.groups()
        target = PUBLIC[name] if public else name.split("/")[0]
        if target not in allowed:
            yield where + f"{folder} may not use {target}"
        if not public and target == "learners" and folder in INTERFACES_ONLY:
            yield where + f"{folder} knows learners by their interface only"


def main():
    files = sorted(p for root in ("include", "src") for p in pathlib.Path(root).rglob("*")
                   if p.suffix in (".h", ".cpp") and not p.stem.endswith("_test"))
    found = [text for path in files for text in complaints(path)]
    lines = sum(len(p.read_text().splitlines()) for p in files if p.parts[0] == "include")
    if lines > 2000:
        found.append(f"include/: {lines} lines; the public headers stay under 2000 together")
    print("\n".join(found) if found else f"{len(files)} files, no arrow points up")
    return 1 if found else 0


sys.exit(main())
