#pragma once
// What the steps of a run become: lines of its log, progress on the error stream, and in a dry run
// the plan on the output.
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "cli/io/io.h"
#include "cli/operate/run_log.h"
#include "provider/call.h"

namespace strake::cli {

enum class StepLines : std::uint8_t { kNone, kText, kJson };

// May be told from any thread.
class RunJournal final : public provider::Journal {
 public:
  // All must outlive it. `plan` is how a dry run is printed; kNone when this is none.
  RunJournal(Io& io, const RunLog& log, StepLines progress, StepLines plan)
      : io_(io), log_(log), progress_(progress), plan_(plan) {}

  void step(std::string_view verb, std::string_view what, const Fields& fields) override;
  void warn(std::string_view what, const Fields& fields) override;
  // The last line of a plan: how much would be done, or that there is nothing to do.
  void end_plan();

 private:
  void print(Output& out, StepLines how, std::string_view verb, std::string_view what,
             const Fields& fields);

  std::mutex mu_;
  Io& io_;
  const RunLog& log_;
  const StepLines progress_;
  const StepLines plan_;
  std::size_t planned_ = 0;  // guarded by mu_, as what follows
  std::size_t skipped_ = 0;
};

}  // namespace strake::cli
