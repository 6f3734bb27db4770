import math
import unittest

import paired


def shuffles(*errors):
    """The errors of shuffles 1, 2, …"""
    return dict(enumerate(errors, start=1))


class Quantile(unittest.TestCase):
    def test_is_that_of_the_printed_tables(self):
        table = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 9: 2.262, 10: 2.228, 19: 2.093, 30: 2.042}
        for freedom, t in table.items():
            self.assertAlmostEqual(paired.t_quantile(freedom), t, delta=6e-4, msg=freedom)
        self.assertAlmostEqual(paired.t_quantile(9, 0.99), 3.250, delta=6e-4)

    def test_undoes_the_coverage(self):
        for freedom in range(1, 41):
            self.assertAlmostEqual(paired.t_coverage(paired.t_quantile(freedom, 0.9), freedom), 0.9)
        self.assertEqual(paired.t_coverage(0.0, 7), 0.0)


class Means(unittest.TestCase):
    def test_standard_error_divides_by_the_root_of_n(self):
        # Squared deviations 4 + 0 + 4, variance 8 / 2 = 4, standard error 2 / sqrt 3.
        self.assertAlmostEqual(paired.standard_error(shuffles(8, 10, 12)), 2 / math.sqrt(3))
        self.assertIsNone(paired.standard_error(shuffles(8)))

    def test_geometric(self):
        self.assertAlmostEqual(paired.geometric_mean([0.5, 2.0]), 1)
        self.assertAlmostEqual(paired.geometric_mean([1, 1, 8]), 2)


class Choice(unittest.TestCase):
    def test_is_by_the_odd_shuffles_alone(self):
        # b has the lower mean over all shuffles, and over the even ones; a over the odd ones.
        errors = {"a": shuffles(5, 90, 5, 90), "b": shuffles(6, 1, 6, 1)}
        self.assertEqual(paired.best_learner(errors), "a")

    def test_of_equals_is_the_first(self):
        self.assertEqual(paired.best_learner({"b": shuffles(5, 1), "a": shuffles(5, 0)}), "b")

    def test_halves_share_no_shuffle(self):
        errors = shuffles(1, 2, 3, 4, 5)
        self.assertEqual(paired.odd(errors), {1: 1, 3: 3, 5: 5})
        self.assertEqual(paired.even(errors), {2: 2, 4: 4})


class Compare(unittest.TestCase):
    def verdict(self, ours, theirs):
        return paired.compare(shuffles(*ours), shuffles(*theirs), 1000).verdict

    def test_by_hand(self):
        # Differences 2, 3, 4: mean 3, standard error 1 / sqrt 3, t(2) = 4.3027.
        one = paired.compare(shuffles(12, 23, 34), shuffles(10, 20, 30), 1000)
        self.assertAlmostEqual(one.ratio, 23 / 20)
        self.assertAlmostEqual(one.difference, 3)
        self.assertAlmostEqual(one.half, 4.3027 / math.sqrt(3), places=4)
        self.assertEqual(one.verdict, "loss")

    def test_pairs_by_shuffle(self):
        # Far apart from shuffle to shuffle, but always worse by about one point.
        self.assertEqual(self.verdict([11, 31.1, 50.9, 71], [10, 30, 50, 70]), "tie")  # 2.5 %
        self.assertEqual(self.verdict([11, 21.1, 30.9, 41], [10, 20, 30, 40]), "loss")
        self.assertEqual(self.verdict([11, 21.1, 30.9, 41], [20, 10, 40, 30]), "tie")  # pairs in disorder

    def test_order_of_the_shuffles_does_not_matter(self):
        forwards, backwards = {2: 10, 4: 20, 6: 30}, {6: 30, 4: 20, 2: 10}
        self.assertEqual(paired.compare(forwards, backwards, 100), paired.Comparison(1, 0, 0, "tie"))

    def test_win_mirrors_loss(self):
        worse, better = [10.4, 10.5, 10.6], [10, 10, 10]
        self.assertEqual(self.verdict(worse, better), "loss")
        self.assertEqual(self.verdict(better, worse), "win")

    def test_at_most_a_tenth_of_a_point_is_a_tie(self):
        # Ten times the error in every shuffle, but 0.09 points.
        self.assertEqual(self.verdict([0.1, 0.1, 0.1], [0.01, 0.01, 0.01]), "tie")
        self.assertEqual(self.verdict([0.12, 0.12, 0.12], [0.01, 0.01, 0.01]), "loss")

    def test_at_most_three_percent_is_a_tie(self):
        self.assertEqual(self.verdict([51.4, 51.4, 51.4], [50, 50, 50]), "tie")
        self.assertEqual(self.verdict([51.6, 51.6, 51.6], [50, 50, 50]), "loss")
        self.assertEqual(self.verdict([50, 50, 50], [51.4, 51.4, 51.4]), "tie")

    def test_interval_that_holds_0_is_a_tie(self):
        # Differences 0, 2, 4: mean 2, half 4.3 * 2 / sqrt 3 = 4.97.
        self.assertEqual(self.verdict([10, 12, 14], [10, 10, 10]), "tie")

    def test_one_shuffle_is_a_tie(self):
        one = paired.compare({2: 20}, {2: 10}, 1000)
        self.assertEqual((one.half, one.verdict), (None, "tie"))

    def test_no_mistakes_count_as_half_of_one(self):
        # Two shuffles of 100 rounds: half a mistake is 0.25 %.
        self.assertAlmostEqual(paired.compare({2: 1, 4: 1}, {2: 0, 4: 0}, 100).ratio, 4)
        self.assertEqual(paired.compare({2: 0, 4: 0}, {2: 0, 4: 0}, 100).ratio, 1)

    def test_refuses_other_shuffles(self):
        for other in ({2: 1}, {2: 1, 6: 1}):
            with self.assertRaisesRegex(ValueError, "not the same shuffles"):
                paired.compare({2: 1, 4: 1}, other, 100)


class Scores(unittest.TestCase):
    def test_count_verdicts_and_name_the_worst_loss(self):
        made = {"a": (0.5, "win"), "b": (1.1, "loss"), "c": (3.0, "tie"), "d": (1.2, "loss")}
        found = paired.score({name: paired.Comparison(ratio, 0, 0, verdict)
                              for name, (ratio, verdict) in made.items()})
        self.assertAlmostEqual(found.geometric_mean, (0.5 * 1.1 * 3 * 1.2) ** 0.25)
        self.assertEqual((found.wins, found.ties, found.losses, found.worst), (1, 1, 2, "d"))

    def test_without_a_loss_nobody_is_worst(self):
        self.assertIsNone(paired.score({"a": paired.Comparison(1.5, 0, 0, "tie")}).worst)


if __name__ == "__main__":
    unittest.main()
