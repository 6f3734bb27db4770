"""A model as a learner of coba (https://coba.readthedocs.io)."""

__all__ = ["Learner"]


class Learner:
    """coba's face of a model: actions are the model's labels.

    predict(context, actions) returns one of these actions, its probability, and what learn()
    needs back. A reward above one half is a right answer.
    """

    def __init__(self, model):
        self.model = model

    @property
    def params(self):
        """What coba writes beside the results."""
        return {"family": "soba", "learner": self.model.learner, **self.model.options}

    def predict(self, context, actions):
        """(action, probability, info): the action is drawn from those that are given."""
        by_text = {str(action): action for action in actions}
        decision = self.model.decide(_features(context), allowed=list(by_text))
        return by_text[decision.label], decision.probability, {"id": decision.id}

    def learn(self, context, action, reward, probability, id=None, **_):
        """Learns from the reward of a prediction, whose info comes back as keywords."""
        if id is None:
            raise ValueError("learn() needs the info that predict() has returned: learn(…, **info)")
        self.model.reward(id, reward > 0.5)


def _features(context):
    if context is None:
        return {}
    if isinstance(context, dict):
        return context
    if isinstance(context, (int, float, str)):
        context = [context]
    return {str(i): value for i, value in enumerate(context)}
