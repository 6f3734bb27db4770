// From result rows to what a report shows: means over seeds with their confidence, the best grid
// point of each contender, and its curve. All of it is a function of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "soba/lab/rows.h"

namespace soba::lab {

// A mean and half the width of its 95 % confidence interval by Student's t; one value has none.
struct Estimate {
  double mean = 0;
  std::optional<double> half_width;
};

// The runs of one contender that differ in the seed alone.
struct GridPoint {
  Grid grid;
  std::int64_t seeds = 0;
  Estimate played, greedy;       // errors
  double updates = 0;            // mean
  double rounds_per_second = 0;  // median
};

struct CurvePoint {
  std::int64_t round = 0;
  Estimate played, greedy;
};

// What the paper says of this contender on this data: a number, or words.
struct PaperClaim {
  std::optional<double> percent;
  std::string statement;
};

struct ContenderSummary {
  std::string name, learner;
  bool full_information = false;
  std::vector<GridPoint> points;  // ascending in their grids
  std::size_t best = 0;  // the point with the lowest mean played error, the first of equals
  std::vector<CurvePoint> curve;  // at the best point
  PaperClaim paper;
  std::vector<std::string> edges;  // axes of numbers on whose first or last value `best` lies
  bool fewer_seeds = false;        // `best` rests on fewer than some point of the data set
  bool no_better = false;          // than always playing the most frequent label, beyond chance

  const GridPoint& best_point() const { return points[best]; }
};

// One contender along one axis: for each value of the axis the best point that has it.
struct AxisLine {
  std::size_t contender = 0;        // its place in DataSummary::contenders
  std::vector<std::size_t> points;  // places in its points, ascending in the value
};

struct VariedAxis {
  std::string name;
  std::vector<AxisLine> lines;  // of the contenders that have the axis
};

struct DataSummary {
  std::string name;
  std::vector<std::string> data, fingerprints;  // without repetition
  std::int64_t rounds = 0, classes = 0, features = 0;
  std::int64_t runs = 0;
  std::vector<ContenderSummary> contenders;  // in the order of the rows
  std::vector<VariedAxis> axes;              // those along which some contender varies
  std::int64_t seeds = 0;                    // the most that a grid point has
  // Of always playing the most frequent label; unknown where the rows do not say it.
  std::optional<double> constant_error;

  double guess_error() const { return 1 - 1 / static_cast<double>(classes); }
};

struct Summary {
  std::vector<std::string> versions;  // of the program that made the rows
  std::int64_t runs = 0;
  std::vector<DataSummary> data;  // in the order of the rows
};

// Throws Error{kInput} where rows contradict each other: one name for data of different size, one
// contender with different learners, a seed twice at one grid point.
Summary summarize(const std::vector<ResultRow>& rows);

// What a reader must not miss, a sentence each: the best contender with bandit feedback, those that
// cannot be told from it, those no better than a constant, best values on the edge of their grid or
// with fewer seeds.
std::vector<std::string> findings(const DataSummary& data);

// "5.94 ± 0.02": an error in percent.
std::string percent_text(const Estimate& error);

// Adds what the paper says where data set, contender and number of rounds agree. `paper` is
// experiments/figure1/paper.json.
void add_paper_claims(Summary& summary, std::string_view paper);

}  // namespace soba::lab
