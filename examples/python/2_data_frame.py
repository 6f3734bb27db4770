"""A data frame with texts and missing values, by scikit-learn's habits."""
import numpy as np
import pandas as pd
from sklearn.model_selection import cross_val_score

import soba

rng = np.random.default_rng(0)
n = 2000
frame = pd.DataFrame({
    "amount": rng.exponential(100, n).round(2),
    "country": rng.choice(["de", "fr", "it", None], n),
    "returning": rng.random(n) < 0.3,
})
team = np.where(frame["country"] == "de", "north", np.where(frame["returning"], "vip", "south"))

clf = soba.BanditClassifier("auto", random_state=0)
clf.fit(frame, team)
print(f"drawn labels that were wrong while learning: {clf.mistakes_} of {clf.rounds_}")
print(f"accuracy of the best guesses: {clf.score(frame, team):.3f}")

scores = cross_val_score(soba.BanditClassifier("soba-ovr", random_state=0), frame, team, cv=3)
print(f"cross-validated: {scores.mean():.3f}")
assert scores.mean() > 0.9
