"""Who may include whom: reads every #include of the project's C++ and fails where an arrow points up.

Run from the project's root. A public header counts as part of the folder that implements it. Front ends (apps/)
see public headers and their own files, nothing else.
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
    "model": {"log", "learners", "data", "explore", "core"},
    "sim": {"model", "data", "explore", "learners", "core"},
    "decide": {"model", "data", "explore", "learners", "core"},
    "log": {"core"},
    "lab": {"theory", "evaluate", "sim", "model", "data", "explore", "learners", "core"},
    "theory": {"sim", "model", "data", "explore", "learners", "linalg", "core"},
    "evaluate": {"decide", "sim", "model", "data", "explore", "learners", "covariance", "core"},
    "serve": {"log", "decide", "model", "data", "explore", "learners", "core"},
}
PUBLIC = {
    "types": "core", "error": "core", "rng": "core", "options": "core", "parse": "core", "state": "core",
    "version": "core", "explore": "explore", "learner": "explore", "registry": "learners",
    "data": "data", "value": "data", "survey": "data", "lab/reuters4": "data", "model": "model", "journal": "model",
    "explain": "model", "decide": "decide", "classes": "sim", "lessons": "sim", "play": "sim", "predict": "sim",
    "run": "sim",
    "evaluate": "evaluate", "decision_log": "evaluate", "lab/theory": "theory",
}
# A learner's concrete header is for the registry and its own files alone.
INTERFACES_ONLY = {"model", "sim", "decide", "lab", "theory"}
HEAVY = re.compile(r"#include <(Eigen|cblas)[/.]")
VECTORS = re.compile(r"#include <hwy/")
JSON = re.compile(r"#include <nlohmann/")
QUOTED = re.compile(r'#include "(soba/)?([a-z0-9_/-]+)\.h"')


def folder_of(path):
    parts = path.parts
    if parts[0] == "include":
        return PUBLIC.get(f"lab/{path.stem}", "lab") if parts[2] == "lab" else PUBLIC[path.stem]
    return parts[1]


def complaints(path):
    folder = folder_of(path)
    allowed = ALLOWED[folder] | {folder}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path}:{number}: "
        if HEAVY.match(line) and folder not in ("linalg", "covariance"):
            yield where + f"{line.strip()} belongs into linalg or covariance"
        if VECTORS.match(line) and folder not in ("linalg", "data"):
            yield where + f"{line.strip()} belongs into linalg or data"
        if JSON.match(line) and (folder != "lab" or path.parts[0] == "include"):
            yield where + f"{line.strip()} belongs into lab or apps"
        if path.parts[0] == "include" and "simdjson" in line:
            yield where + "no public header shows simdjson"
        match = QUOTED.match(line)
        if not match:
            continue
        public, name = match.groups()
        if path.parts[0] == "include" and not public:
            yield where + "a public header includes public headers only"
            continue
        target = name.split("/")[0]
        if public:
            target = PUBLIC.get(name, target)
        if target not in allowed:
            yield where + f"{folder} may not use {target}"
        if not public and target == "learners" and folder in INTERFACES_ONLY:
            yield where + f"{folder} knows learners by their interface only"


def front_end_complaints(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path}:{number}: "
        if HEAVY.match(line) or VECTORS.match(line):
            yield where + f"{line.strip()} belongs into the library"
        match = QUOTED.match(line)
        if not match or match[1]:
            continue
        if not (path.parent / f"{match[2]}.h").exists() and not match[2].startswith("figure1/"):
            yield where + f"a front end may use public headers and its own, not {match[2]}.h"


def main():
    def sources(*roots):
        return sorted(p for root in roots for p in pathlib.Path(root).rglob("*")
                      if p.suffix in (".h", ".cpp") and not p.stem.endswith("_test"))
    library, front_ends = sources("include", "src"), sources("apps", "experiments", "python")
    found = [text for path in library for text in complaints(path)]
    found += [text for path in front_ends for text in front_end_complaints(path)]
    for folder in ("include/soba", "include/soba/lab"):
        lines = sum(len(p.read_text().splitlines()) for p in pathlib.Path(folder).glob("*.h"))
        if lines > 2000:
            found.append(f"{folder}: {lines} lines; a library's public headers stay under 2000 together")
    print("\n".join(found) if found else f"{len(library) + len(front_ends)} files, no arrow points up")
    return 1 if found else 0


sys.exit(main())
