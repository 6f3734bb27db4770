// Chooses how an order is paid, by the names of features and labels. Answers come late, some after
// the program was stopped and started again: decisions that wait are kept in the model file.
#include <soba/decide.h>
#include <soba/error.h>

#include <cstdio>
#include <string>

namespace {

struct Order {
  std::string id, country;
  double amount;
  bool returning;
};

Order order(int i) {
  return {"order-" + std::to_string(i),
          i % 3 == 0   ? "de"
          : i % 3 == 1 ? "fr"
                       : "us",
          10.0 + i * 37 % 500, i % 5 != 0};
}

// The world, which the learner never sees.
std::string right_way(const Order& order) {
  if (order.country == "us") return "card";
  return order.returning ? "invoice" : "prepaid";
}

soba::Decision decide(soba::Decider& decider, const Order& order) {
  return decider.decide(order.id, {{"amount", order.amount / 500},
                                   {"country", order.country},  // a text: one feature per value
                                   {"returning", order.returning}});
}

}  // namespace

int main() try {
  const int orders = 2000;
  std::string late_label;
  {
    soba::Model model =
        soba::new_model("auto", {}, soba::named_schema({"card", "invoice", "prepaid"}), /*seed=*/1);
    soba::Decider decider(model);
    for (int i = 0; i < orders; ++i) {
      const soba::Decision decision = decide(decider, order(i));
      decider.feedback(order(i).id, decision.label == right_way(order(i)));
    }
    late_label = decide(decider, order(orders)).label;  // nobody knows yet whether it is right
    soba::save_model(model, "orders.model");
  }

  soba::Model model = soba::load_model("orders.model");
  soba::Decider decider(model);
  const bool correct = late_label == right_way(order(orders));
  const bool taken = decider.feedback(order(orders).id, correct) == soba::Decider::Feedback::kTaken;
  int wrong = 0;
  for (int i = orders + 1; i <= orders + 100; ++i) {
    wrong += decide(decider, order(i)).greedy != right_way(order(i));
  }
  std::printf("the late answer was %s; the best guess is wrong for %d of the next 100 orders\n",
              taken ? "taken" : "lost", wrong);
  return taken && wrong < 20 ? 0 : 1;
} catch (const soba::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
