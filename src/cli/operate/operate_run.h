#pragma once
// One run of a command of operate, from its flags to its exit code: where it is, what is declared
// there, its log, its steps, and how long it may take. Ctrl-C cancels it.
//
//   constexpr Operation kStatus{.name = "cluster:status", .limit = 10min, .work = show_status};
//   constinit const Command kClusterStatusCommand = {..., .run = run_operation<kStatus>};
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/command/args.h"
#include "cli/io/exit_code.h"
#include "cli/io/io.h"
#include "cli/operate/run_journal.h"
#include "cli/operate/run_log.h"
#include "ops/cases/session.h"
#include "ops/kom/configuration.h"
#include "server/signal_watch.h"

namespace strake::cli {

class OperateRun;

struct Operation {
  std::string_view name;          // in the log: "cluster:provision"
  std::chrono::minutes limit{0};  // 0: as long as it takes
  bool changes = false;           // --dry-run prints a plan
  std::span<const FlagSpec> flags;
  provider::Outcome<ExitCode> (*work)(OperateRun& run) = nullptr;
};

class OperateRun {
 public:
  OperateRun(const OperateRun&) = delete;
  OperateRun& operator=(const OperateRun&) = delete;

  const Arguments& args() const { return args_; }
  Io& io() { return io_; }
  const ops::Configuration& configuration() const { return configuration_; }
  const ops::RunEnvironment& environment() const { return environment_; }
  const ops::Session& session() const { return *session_; }
  const provider::Call& call() const { return call_; }
  const RunLog& log() const { return *log_; }
  bool dry_run() const { return call_.dry_run; }
  // Of the process, or of a test.
  std::string variable(std::string_view name) const { return std::string(request_.variable(name)); }

  // The ones that flags choose, else the default; the log tells which.
  provider::Outcome<const provider::Cluster*> cluster();
  provider::Outcome<const provider::App*> app();
  // The text of a flag that must be given: `<flag> required`.
  provider::Outcome<std::string> required(std::string_view flag) const;
  // A path of a flag, by the folder of the run.
  std::string path(std::string_view given) const;
  // Nothing: that of the operation. For what goes on until it is stopped.
  void lift_limit();

 private:
  friend ExitCode run_operation_of(const Operation& operation, const Arguments& args, Io& io);
  OperateRun(const Operation& operation, const Arguments& args, Io& io)
      : operation_(operation), args_(args), io_(io) {}
  provider::Outcome<> open_log();
  provider::Outcome<> load();
  StepLines step_lines(bool is_terminal) const;

  const Operation& operation_;
  const Arguments& args_;
  Io& io_;
  std::unique_ptr<server::SignalWatch> signals_;
  ops::RunRequest request_;
  ops::RunEnvironment environment_;
  std::optional<RunLog> log_;
  bool log_is_shown_ = false;  // on the error stream
  std::optional<RunJournal> journal_;
  ops::Configuration configuration_;
  provider::DriverEnvironment driver_environment_;
  std::optional<ops::Session> session_;
  provider::Call call_;
};

ExitCode run_operation_of(const Operation& operation, const Arguments& args, Io& io);

template <const Operation& kOperation>
ExitCode run_operation(const Arguments& args, Io& io) {
  return run_operation_of(kOperation, args, io);
}

// `Error: <text>`, and where the log is when there is one. Gives the code of any failure: 1.
ExitCode operate_failed(std::string_view message, std::string_view log_file, Io& io);

// The folder that -C names, absolute; the current one without it. It need not be there.
Result<std::string> working_folder_of(const Arguments& args);

// The command line as a log may show it: what may be a secret is not in there.
std::string shown_arguments(const Arguments& args, std::span<const FlagSpec> flags);

}  // namespace strake::cli
