#include "cli/testserver/recording_files.h"

#include "cli/command/shared_flags.h"
#include "cli/io/files.h"
#include "cli/io/terminal.h"
#include "recording/compare.h"

namespace strake::cli {
namespace {

using recording::Order;
using recording::Recording;

constexpr std::string_view kOrders[] = {"arrival", "client", "object"};

constexpr FlagSpec kDiffFlags[] = {
    {.name = "order",
     .kind = FlagKind::kChoice,
     .value_name = "WHAT",
     .choices = kOrders,
     .fallback = "client",
     .summary = "which requests must come in the same order: all (arrival), those of one client, "
                "or those of one client about one object"},
};

Order order_of(const Arguments& args) {
  const std::string_view name = args.text("order");
  if (name == "arrival") return Order::kArrival;
  return name == "object" ? Order::kObject : Order::kClient;
}

Result<ExitCode> diff(const Arguments& args, Io& io) {
  STRAKE_TRY(const Recording a, read_recording(args.operands()[0], io));
  STRAKE_TRY(const Recording b, read_recording(args.operands()[1], io));
  const recording::Comparison found = recording::compare(a, b, order_of(args));
  io.out.write(printable_lines(recording::describe(found, a, b, order_of(args))));
  return found.first ? ExitCode::kFindings : ExitCode::kFine;
}

ExitCode run_diff(const Arguments& args, Io& io) {
  const Result<ExitCode> done = diff(args, io);
  return done ? *done : refused(done.error(), io);
}

constexpr Example kDiffExamples[] = {
    {"strake testserver diff good.jsonl bad.jsonl", "where a run that failed left the good one"},
};

}  // namespace

Result<Recording> read_recording(const std::string& name, Io& io) {
  STRAKE_TRY(const std::string text, read_input(name, Recording::kMostBytes, io));
  return Recording::read(text, name);
}

constinit const Command kTestServerDiffCommand = {
    .name = "testserver diff",
    .group = Group::kServe,
    .summary = "show where two recordings of `testserver --record` part first",
    .description =
        "Compares requests and answers. What differs between any two runs (uids, times, resource "
        "versions, generated names, ports of this machine) is not compared. Requests of clients "
        "that run side by side arrive in another order each time, so the order is compared within "
        "each client, that is each connection of a program; the output says when another order "
        "agrees. Events of a watch are compared for each object, as far as both have them.\n\n"
        "Shown are the first difference, the requests before it, and those of other clients that "
        "came before it in one recording only. The exit code is 1 when they differ.",
    .flags = kDiffFlags,
    .operands = {.usage = "A B", .at_least = 2, .at_most = 2, .files = true},
    .examples = kDiffExamples,
    .run = run_diff,
};

}  // namespace strake::cli
