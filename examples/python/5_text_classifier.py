"""A text classifier from raw strings that sees each example once."""
import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.pipeline import make_pipeline

import soba

rng = np.random.default_rng(0)
words = {"billing": "invoice charge refund card paid", "login": "password account locked reset email",
         "delivery": "parcel late courier address box"}
common = "hello please my the is since yesterday thanks".split()
topics = rng.choice(list(words), 1500)
texts = [" ".join(rng.permutation([*rng.choice(words[t].split(), 2), *rng.choice(common, 5)]))
         for t in topics]

pipeline = make_pipeline(HashingVectorizer(n_features=2**18, alternate_sign=False),
                         soba.BanditClassifier("auto", random_state=0))
pipeline.fit(texts[:1000], topics[:1000])
clf = pipeline[-1]
print(f"wrong while learning: {clf.mistakes_} of {clf.rounds_}")
print(f"accuracy afterwards: {pipeline.score(texts[1000:], topics[1000:]):.3f}")
print(pipeline.predict(["my parcel is late", "refund the charge please"]))
assert pipeline.score(texts[1000:], topics[1000:]) > 0.95
