// Learns from a CSV file of the past, whose labels are known, then decides about a new case by the
// names of the file's columns, takes a late answer, and saves the model.
#include <soba/data.h>
#include <soba/decide.h>
#include <soba/error.h>
#include <soba/predict.h>
#include <soba/run.h>

#include <cstdio>
#include <fstream>

int main() try {
  {  // The past: heavy parcels go by road, light ones abroad by air, the others by mail.
    std::ofstream file("parcels.csv");
    file << "weight,country,label\n";
    for (int i = 0; i < 3000; ++i) {
      const int weight = 1 + i * 13 % 40;
      const char* const country = i % 4 == 0 ? "us" : "de";
      const char* const label = weight > 20 ? "road" : i % 4 == 0 ? "air" : "mail";
      file << weight << ',' << country << ',' << label << '\n';
    }
  }
  soba::Source source("parcels.csv", {.scale = "maxabs", .bias = true}, {});
  soba::Model model = soba::new_model("auto", {}, source, /*seed=*/1);
  const soba::RunResult past = soba::run(source, model);  // told one bit a parcel: right or wrong
  const double air = past.by_class.recall(*model.schema.labels.find("air"));

  // Every parcel again, without exploring or learning; labels in the data are not looked at.
  soba::Source again("parcels.csv", soba::source_options_for({}, model.schema), model.schema);
  const auto stream = again.open();
  int by_road = 0;
  while (const soba::Block* block = stream->next()) {
    soba::predict(model, *block, soba::Forecast::kLabel,
                  [&](soba::Label best, std::span<const double>) {
                    by_road += model.schema.labels.name(best) == "road";
                  });
  }

  soba::Decider decider(model);
  const auto parcel = decider.decide("parcel-1", {{"weight", 3}, {"country", "us"}});
  soba::save_model(model, "parcels.model");
  decider.feedback("parcel-1", parcel.label == "air");  // a day later
  soba::save_model(model, "parcels.model");
  std::printf("%.1f %% of the parcels went wrong, %.1f %% of those by air right; %d go by road\n",
              100 * past.error(), 100 * air, by_road);
  std::printf("3 kg to the us go by %s, best by %s\n", parcel.label.c_str(), parcel.greedy.c_str());
  return parcel.greedy == "air" && by_road > 1000 ? 0 : 1;
} catch (const soba::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
