// A model in service: its file, and the journal beside it, FILE.journal, that holds what has
// happened since the file was written (docs/durability.md).
//
//   Journal journal("m.model");  // from here on no other process changes this model
//   Model model = journal.found() ? load_model("m.model") : new_model(…);
//   journal.begin(model);
//   Decider decider(model, {}, &journal);
//   const Decision decision = decider.decide("e1", {{"amount", 120}});
//   journal.commit();  // what was decided and learnt is on the disk: now tell
//   journal.close();   // the model is saved, the journal gone
//
// A program that dies loses nothing that was committed: load_model() plays the journal again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "soba/model.h"

namespace soba {

enum class Durability {
  kStrict,   // commit() returns when the disk has it: it survives a power cut
  kRelaxed,  // commit() returns when the operating system has it: it survives the program's death
};

// Threads: belongs to one at a time, with its model.
class Journal {
 public:
  // Takes the lock of the model file, and removes what dead processes have left beside it. Throws
  // Error{kResource} where another process has it, which the message names.
  explicit Journal(const std::string& path, Durability durability = Durability::kStrict);
  ~Journal();  // unlocks; what was not committed is lost
  Journal(Journal&&) noexcept;

  // Whether there is a model file to be loaded.
  bool found() const;
  // The file holds this model from now on. Throws Error{kInput}, with nothing changed, where the
  // journal that is there holds what this model does not know: load_model() would have known it.
  // Requires: `model` stays where it is until close().
  void begin(Model& model);

  // The file holds this model, which leaves no events: what a run does. Throws as begin() does.
  void replace(const Model& model);

  // What a Decider has done. A record is in memory only, until commit(). Requires: begin().
  void decided(const Pending& decision);
  void answered(std::string_view id, bool correct);
  void forgot(std::string_view id);
  void changed(std::string_view option, std::string_view value);
  void added_label(std::string_view name);
  void renamed_label(std::string_view from, std::string_view to);
  void retired_label(std::string_view name);

  // All of it lasts when this returns. Saves the model where the journal has become long. Throws
  // Error{kResource}; what was recorded since the last commit may then be lost, and must not be
  // told.
  void commit();
  // Writes the model file, and empties the journal. Where it throws, both are as they were.
  void save();
  // Saves, and removes the journal. Nothing may follow but the destructor.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace soba
