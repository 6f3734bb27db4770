"""Learners compared on one stream: a sweep, its rows as a data frame, and a report."""
import os
import tempfile

import soba

folder = tempfile.mkdtemp()
rows = os.path.join(folder, "results.jsonl")
frame = soba.sweep("synnonsep:n=5000,seed=1", ["auto", "soba-ovr", "sobadiag", "banditron"],
                   grid={"gamma": "2^-8..2^-2"}, seeds="1..2", results=rows)

best = (frame.groupby(["contender", "gamma"], dropna=False)["error"].mean()
        .groupby("contender").min().sort_values())
print(best)
soba.report(rows, os.path.join(folder, "report.html"))
print("the report:", os.path.join(folder, "report.html"))
assert best.index[0] in ("auto", "soba-ovr")
