#include "cli/io/progress.h"

#include <algorithm>

namespace strake::cli {
namespace {
constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kBetweenDraws{100};
constexpr std::size_t kBarColumns = 30;
}  // namespace

Progress::Progress(Io& io, std::string label, std::size_t total)
    : io_(io),
      label_(std::move(label)),
      total_(total),
      possible_(io.err_is_terminal && io.env("TERM").value_or("dumb") != "dumb"),
      next_draw_(io.now() + kPatience) {}

void Progress::step() {
  ++done_;
  if (!possible_) return;
  const auto now = io_.now();
  if (now < next_draw_) return;
  next_draw_ = now + kBetweenDraws;
  draw();
}

void Progress::draw() {
  const std::size_t filled = total_ == 0 ? 0 : std::min(kBarColumns, done_ * kBarColumns / total_);
  io_.err.write(fmt::format("\r\x1b[K{} [{:#<{}}{:.<{}}] {}/{}", label_, "", filled, "",
                            kBarColumns - filled, done_, total_));
  static_cast<void>(io_.err.flush());  // a bar that cannot be drawn is no failure of the work
  drawn_ = true;
}

void Progress::erase() {
  if (!std::exchange(drawn_, false)) return;
  io_.err.write("\r\x1b[K");
  static_cast<void>(io_.err.flush());
}

}  // namespace strake::cli
