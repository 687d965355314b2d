#include "cli/serve/operations_flags.h"

#include <algorithm>

#include "api/routes/status_pages.h"
#include "backup/words.h"
#include "cli/serve/flag_values.h"

namespace strake::cli {
namespace {

// Their values may hold passwords. All other secrets are given as files.
constexpr std::string_view kClassifiedFlags[] = {"backup-command"};

constexpr std::string_view kOfBackups[] = {"backup-dir",           "backup-keep",
                                           "backup-max-age",       "backup-command",
                                           "backup-command-shell", "backup-command-timeout"};

std::string flag_text(const Arguments& args, const FlagSpec& flag) {
  if (std::ranges::find(kClassifiedFlags, flag.name) != std::end(kClassifiedFlags))
    return std::string(api::StatusPages::kClassified);
  switch (flag.kind) {
    case FlagKind::kSwitch: return args.on(flag.name) ? "true" : "false";
    case FlagKind::kTexts: return fmt::format("[{}]", fmt::join(args.texts(flag.name), ","));
    case FlagKind::kCount:
    case FlagKind::kBytes: return std::to_string(args.number(flag.name));
    case FlagKind::kText:
    case FlagKind::kChoice: return std::string(args.text(flag.name));
  }
  return {};
}

Result<std::chrono::seconds> whole_seconds(const Arguments& args, std::string_view flag) {
  STRAKE_TRY(const std::chrono::nanoseconds time, parse_time(args, flag));
  return std::chrono::ceil<std::chrono::seconds>(time);
}

Result<backup::Options> read_backups(const Arguments& args) {
  backup::Options out;
  const auto schedule = backup::Schedule::parse(args.text("backup-schedule"));
  if (!schedule) return fail(Code::kUsage, "--backup-schedule {}", schedule.error().message());
  out.schedule = *schedule;
  out.folder = args.text("backup-dir");
  out.retention.keep = args.number("backup-keep");
  STRAKE_TRY(out.retention.age, whole_seconds(args, "backup-max-age"));
  STRAKE_TRY(out.command.timeout, whole_seconds(args, "backup-command-timeout"));
  const std::string_view command = args.text("backup-command");
  if (args.given("backup-command") && args.on("backup-command-shell")) {
    out.command.arguments = {"/bin/sh", "-c", std::string(command)};
  } else if (args.given("backup-command")) {
    auto words = backup::split_words(command);
    if (!words) return fail(Code::kUsage, "--backup-command {}", words.error().message());
    out.command.arguments = *std::move(words);
  }
  if (out.folder.empty() && out.command.arguments.empty())
    return fail(Code::kUsage, "--backup-schedule needs --backup-dir or --backup-command");
  if (out.command.timeout.count() == 0)
    return fail(Code::kUsage, "--backup-command-timeout must be more than 0");
  return out;
}

}  // namespace

Result<> read_operations(const Arguments& args, std::span<const FlagSpec> flags,
                         server::Options& out) {
  server::OperationsOptions& to = out.operations;
  if (args.given("backup-schedule")) {
    if (out.in_memory)
      return fail(Code::kUsage, "--backup-schedule needs a store on disk, not --in-memory");
    STRAKE_TRY(to.backups, read_backups(args));
  } else {
    for (const std::string_view flag : kOfBackups) {
      if (args.given(flag)) return fail(Code::kUsage, "--{} needs --backup-schedule", flag);
    }
  }
  to.profiling = args.on("profiling");
  for (const FlagSpec& flag : flags) {
    if (args.given(flag.name)) to.flags[std::string(flag.name)] = flag_text(args, flag);
  }
  return {};
}

}  // namespace strake::cli
