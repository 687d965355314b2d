#include "cli/operate/operate_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/quote.h"
#include "cli/cluster/driver_environment.h"
#include "cli/io/terminal.h"
#include "kustomize/file/paths.h"
#include "provider/names/compact_id.h"
#include "provider/registry.h"

namespace strake::cli {
namespace {

using provider::Failure;
using provider::FailureClass;
using provider::Outcome;

// After Ctrl-C; the steps of drivers end sooner.
constexpr std::chrono::seconds kLongestEndOfRun(30);
constexpr std::size_t kShownError = 32;

std::string shortened(std::string_view text) {
  return text.size() <= kShownError ? std::string(text)
                                    : fmt::format("{}...", text.substr(0, kShownError));
}

std::string first_given(std::string_view flag, std::string_view variable, std::string_view config) {
  if (!flag.empty()) return std::string(flag);
  return std::string(variable.empty() ? config : variable);
}

// The user part of a URL may hold a password.
std::string without_password(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t at = url.rfind('@');
  if (scheme == std::string_view::npos || at == std::string_view::npos || at < scheme)
    return std::string(url);
  return fmt::format("{}***{}", url.substr(0, scheme + 3), url.substr(at));
}

}  // namespace

Result<std::string> working_folder_of(const Arguments& args) {
  std::error_code failed;
  const std::string here = std::filesystem::current_path(failed).string();
  if (failed) return fail(Code::kIo, "the current folder is gone: {}", failed.message());
  const std::string_view given = args.text("chdir");
  if (given.empty()) return here;
  return kustomize::is_absolute(given) ? kustomize::clean_path(given)
                                       : kustomize::join_path(here, given);
}

std::string shown_arguments(const Arguments& args, std::span<const FlagSpec> flags) {
  std::string out;
  const auto add = [&out](std::string_view word) {
    out += out.empty() ? "" : " ";
    out += word;
  };
  for (const FlagSpec& flag : flags) {
    if (!args.given(flag.name)) continue;
    if (flag.kind == FlagKind::kSwitch) {
      add(fmt::format("--{}{}", flag.name, args.on(flag.name) ? "" : "=false"));
    } else if (flag.kind == FlagKind::kTexts) {
      for (const std::string& one : args.texts(flag.name))
        add(fmt::format("--{}={}", flag.name, one));
    } else if (flag.kind == FlagKind::kCount || flag.kind == FlagKind::kBytes) {
      add(fmt::format("--{}={}", flag.name, args.number(flag.name)));
    } else if (flag.name == "options") {
      add(fmt::format("--{}=***", flag.name));  // a driver may take anything there
    } else {
      add(fmt::format("--{}={}", flag.name, without_password(args.text(flag.name))));
    }
  }
  // Words of a command that runs in a container are not ours to know.
  if (!args.operands().empty()) add(fmt::format("-- ({} words)", args.operands().size()));
  return out;
}

ExitCode operate_failed(std::string_view message, std::string_view log_file, Io& io) {
  io.err.write(fmt::format("Error: {}\n", printable_lines(message)));
  if (!log_file.empty())
    io.err.write(fmt::format("See log file for details: {}\n", printable(log_file)));
  return ExitCode::kFindings;
}

StepLines OperateRun::step_lines(bool is_terminal) const {
  const std::string_view how = args_.text("progress");
  if (how == "text") return StepLines::kText;
  if (how == "json") return StepLines::kJson;
  if (how == "none") return StepLines::kNone;
  return is_terminal ? StepLines::kText : StepLines::kJson;
}

Outcome<> OperateRun::open_log() {
  RunLogOptions options;
  const ops::RunConfig& config = environment_.config;
  STRAKE_TRY(options.format, parse_log_format(first_given(args_.text("log-format"),
                                                          request_.variable("KOMPOX_LOG_FORMAT"),
                                                          config.log_format)));
  options.level = parse_run_log_level(first_given(
      args_.text("log-level"), request_.variable("KOMPOX_LOG_LEVEL"), config.log_level));
  options.output =
      first_given(args_.text("log-output"), request_.variable("KOMPOX_LOG_OUTPUT"), "");
  log_is_shown_ = options.output == "-";
  if (!options.output.empty() && options.output != "-" && options.output != "none")
    options.output = path(environment_.expand(options.output));
  options.folder =
      environment_.expand(first_given("", request_.variable("KOMPOX_LOG_DIR"), config.log_dir));
  if (options.folder.empty()) options.folder = "logs";
  // That of config.yml is relative to it.
  if (!kustomize::is_absolute(options.folder))
    options.folder = kustomize::join_path(environment_.dir, options.folder);
  options.retention_days = config.log_retention_days.value_or(options.retention_days);
  STRAKE_TRY(auto log, RunLog::open(options));
  log_.emplace(std::move(log));
  return {};
}

Outcome<> OperateRun::load() {
  STRAKE_TRY(configuration_, ops::load_configuration(ops::DiskKomFiles(), request_, environment_));
  driver_environment_ = driver_environment(request_.variables);
  session_.emplace(ops::Session{.store = configuration_.store,
                                .drivers = provider::Registry::global(),
                                .environment = driver_environment_});
  return {};
}

Outcome<const provider::Cluster*> OperateRun::cluster() {
  STRAKE_TRY(
      const provider::Cluster* const out,
      ops::choose_cluster(configuration_, args_.text("cluster-id"), args_.text("cluster-name")));
  log_->write(log::Level::kInfo, fmt::format("CMD:{}/S", operation_.name),
              {{"resourceId", out->id}});
  return out;
}

Outcome<const provider::App*> OperateRun::app() {
  STRAKE_TRY(const provider::App* const out,
             ops::choose_app(configuration_, args_.text("app-id"), args_.text("app-name")));
  log_->write(log::Level::kInfo, fmt::format("CMD:{}/S", operation_.name),
              {{"resourceId", out->id}});
  return out;
}

Outcome<std::string> OperateRun::required(std::string_view flag) const {
  std::string out(args_.text(flag));
  if (out.empty()) return provider::refuse(FailureClass::kInvalid, "--{} required", flag);
  return out;
}

std::string OperateRun::path(std::string_view given) const {
  return kustomize::is_absolute(given) ? std::string(given)
                                       : kustomize::join_path(request_.working_folder, given);
}

void OperateRun::lift_limit() { call_.deadline = Deadline::never(); }

ExitCode run_operation_of(const Operation& operation, const Arguments& args, Io& io) {
  const Clock& clock = system_clock();
  OperateRun run(operation, args, io);
  // Before any other thread is there.
  run.signals_ = std::make_unique<server::SignalWatch>(kLongestEndOfRun);
  const auto prepared = [&]() -> Outcome<> {
    ops::RunRequest& request = run.request_;
    STRAKE_TRY(request.working_folder, working_folder_of(args));
    if (std::error_code none; !std::filesystem::is_directory(request.working_folder, none))
      return provider::refuse(FailureClass::kNotFound, "chdir {}: no such folder",
                              quote(request.working_folder));
    request.root = args.text("kompox-root");
    request.dir = args.text("kompox-dir");
    request.kom_path = args.texts("kom-path");
    request.kom_app = args.text("kom-app");
    request.db_url = args.text("db-url");
    request.variables = io.environment();
    STRAKE_TRY(run.environment_, ops::find_environment(ops::DiskKomFiles(), request));
    // What the run starts or substitutes sees where it is.
    request.variables[std::string(ops::kKompoxRoot)] = run.environment_.root;
    request.variables[std::string(ops::kKompoxDir)] = run.environment_.dir;
    return run.open_log();
  }();
  if (!prepared) return operate_failed(prepared.error().message(), {}, io);

  const RunLog& log = *run.log_;
  run.call_.cancel = run.signals_->token();
  run.call_.clock = &clock;
  if (operation.limit > operation.limit.zero())
    run.call_.deadline = Deadline::after(operation.limit, clock);
  run.call_.dry_run = operation.changes && args.on("dry-run");
  StepLines plan = StepLines::kNone;
  if (run.call_.dry_run) {
    plan = run.step_lines(io.out_is_terminal);
    // Asked for: it cannot be left out.
    if (plan == StepLines::kNone) plan = io.out_is_terminal ? StepLines::kText : StepLines::kJson;
  }
  // Lines of the log and of progress would mix on one stream.
  const bool log_on_err = run.log_is_shown_ && args.text("progress") == "auto";
  run.journal_.emplace(io, log, log_on_err ? StepLines::kNone : run.step_lines(io.err_is_terminal),
                       plan);
  run.call_.journal = &*run.journal_;

  const auto run_id = provider::compact_id(clock);
  const SteadyTime start = clock.steady_now();
  log.write(log::Level::kInfo, "CMD",
            {{"runId", run_id.value_or("")},
             {"op", std::string(operation.name)},
             {"args", shown_arguments(args, operation.flags)}});
  const auto done = [&]() -> Outcome<ExitCode> {
    STRAKE_CHECK(run.load());
    return operation.work(run);
  }();
  const double elapsed = std::chrono::duration<double>(clock.steady_now() - start).count();
  ExitCode code = done.value_or(ExitCode::kFindings);
  if (done) {
    if (plan != StepLines::kNone) run.journal_->end_plan();
    log.write(log::Level::kInfo, fmt::format("CMD:{}/EOK", operation.name), {}, "elapsed", elapsed);
  } else {
    log.write(log::Level::kInfo, fmt::format("CMD:{}/EFAIL", operation.name),
              {{"err", shortened(done.error().message())}}, "elapsed", elapsed);
    log.write(log::Level::kError, "CMD:Failed",
              {{"desc", done.error().message()},
               {"class", std::string(provider::to_string(done.error().error_class()))},
               {"requestId", done.error().request_id()}});
    code = operate_failed(done.error().message(), log.file(), io);
  }
  log.write(log::Level::kInfo, "CMD", {{"runId", run_id.value_or("")}}, "exitCode",
            static_cast<double>(code));
  if (const std::string lost = log.failure(); !lost.empty())
    io.err.write(fmt::format("warning: the log is not whole: {}\n", printable(lost)));
  return code;
}

}  // namespace strake::cli
