"""Rewards come late and in any order; what was decided survives a crash."""
import os
import random
import tempfile

import soba

path = os.path.join(tempfile.mkdtemp(), "offers.model")
best = {"student": "discount", "family": "bundle", "business": "premium"}
random.seed(0)
waiting = []

# With open(), decide() and reward() return once the disk has what they did.
with soba.Model.open(path, "auto", labels=sorted(best.values()), durability="relaxed") as model:
    for i in range(400):
        segment = random.choice(list(best))
        d = model.decide({"segment": segment, "visits": i % 9}, id=f"visit-{i}")
        waiting.append((d.id, d.label == best[segment]))
        if len(waiting) > 50:  # an answer to any of the decisions that wait
            model.reward(*waiting.pop(random.randrange(len(waiting))))

with soba.Model.open(path) as model:  # another process, another day
    print(f"{len(model.pending)} decisions still wait")
    for id, correct in waiting:
        model.reward(id, correct)
    tally = model.tally
    print(f"{tally['mistakes']} mistakes in {tally['answers']} answers")
    guesses = {segment: model.predict({"segment": segment}) for segment in best}
print(guesses)
assert guesses == best
