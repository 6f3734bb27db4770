"""Decide, learn later whether it was right, save, go on."""
import os
import tempfile

import soba

model = soba.Model("auto", labels=["card", "cash", "invoice"], seed=1)
right = {"de": "invoice", "fr": "card", "it": "cash"}

correct = 0
for i in range(600):
    country = ["de", "fr", "it"][i % 3]
    d = model.decide({"amount": i % 50, "country": country})
    good = d.label == right[country]
    model.reward(d, good)
    correct += good

print(f"{correct} of 600 decisions were right")
d = model.decide({"amount": 10, "country": "fr"})
print(f"played {d.label} with probability {d.probability:.3f}; the best guess is {d.greedy}")

path = os.path.join(tempfile.mkdtemp(), "payments.model")
model.save(path)  # the program takes it, too: soba inspect payments.model
again = soba.Model.load(path)
again.reward(d.id, d.label == "card")
print(f"{again.tally['answers']} answers so far")
assert correct > 500
