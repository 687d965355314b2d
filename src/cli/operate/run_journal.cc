#include "cli/operate/run_journal.h"

#include <fmt/format.h>

#include "cli/io/terminal.h"
#include "cli/operate/ordered_json.h"

namespace strake::cli {
namespace {

// A symbol: no spaces, no slashes.
std::string symbol_of(std::string_view front, std::string_view words) {
  std::string out = fmt::format("{}:", front);
  for (const char c : words) out += c == ' ' || c == '/' ? '-' : c;
  return out;
}

RunLog::Fields with_desc(std::string_view what, const provider::Journal::Fields& fields) {
  RunLog::Fields out = {{"desc", std::string(what)}};
  out.insert(out.end(), fields.begin(), fields.end());
  return out;
}

}  // namespace

void RunJournal::print(Output& out, StepLines how, std::string_view verb, std::string_view what,
                       const Fields& fields) {
  if (how == StepLines::kNone) return;
  if (how == StepLines::kJson) {
    OrderedJson json;
    json.open_object().text("verb", verb).text("what", what).open_object("fields");
    for (const auto& [name, text] : fields) json.text(name, text);
    out.write(json.close().close().line());
  } else {
    std::string line = fmt::format("{}: {}", verb, what);
    for (const auto& [name, text] : fields) {
      if (!text.empty()) line += fmt::format(" {}={}", name, text);
    }
    out.write(printable(line) + "\n");
  }
  // Whoever watches sees each step as it is taken; a failure is told at the end.
  static_cast<void>(out.flush());
}

void RunJournal::step(std::string_view verb, std::string_view what, const Fields& fields) {
  const std::lock_guard lock(mu_);
  const bool failed = verb == "fail";
  log_.write(failed ? log::Level::kWarn : log::Level::kInfo, symbol_of("STEP", verb),
             with_desc(what, fields));
  if (plan_ == StepLines::kNone) {
    print(io_.err, progress_, verb, what, fields);
    return;
  }
  if (verb == "plan") ++planned_;
  if (verb == "skip") ++skipped_;
  print(io_.out, plan_, verb, what, fields);
}

void RunJournal::warn(std::string_view what, const Fields& fields) {
  const std::lock_guard lock(mu_);
  log_.write(log::Level::kWarn, "STEP:warn", with_desc(what, fields));
  print(io_.err, progress_, "warn", what, fields);
}

void RunJournal::end_plan() {
  const std::lock_guard lock(mu_);
  if (plan_ == StepLines::kJson) {
    io_.out.write(OrderedJson()
                      .open_object()
                      .text("verb", "end")
                      .number("planned", static_cast<std::int64_t>(planned_))
                      .number("skipped", static_cast<std::int64_t>(skipped_))
                      .close()
                      .line());
  } else if (plan_ == StepLines::kText) {
    io_.out.write(planned_ == 0 ? "nothing to do\n"
                                : fmt::format("{} change{} planned; nothing was changed\n",
                                              planned_, planned_ == 1 ? "" : "s"));
  }
}

}  // namespace strake::cli
