#pragma once
// A bar on the error stream for work that takes longer than a second. Shown only on a terminal,
// redrawn a few times a second, and erased when the object goes: nothing of it stays on the screen
// or in a log.
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "cli/io/io.h"

namespace strake::cli {

class Progress {
 public:
  // The Io must outlive the bar.
  Progress(Io& io, std::string label, std::size_t total);
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step();   // one more is done
  void erase();  // before other text is written; the next step may draw it again

 private:
  void draw();

  Io& io_;
  std::string label_;
  std::size_t total_;
  std::size_t done_ = 0;
  bool possible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_draw_;
};

}  // namespace strake::cli
