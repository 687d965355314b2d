#include "cli/operate/pod_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <optional>

#include "base/quote.h"
#include "cli/operate/pod_output.h"
#include "kube/pods/descriptors.h"

namespace strake::cli {
namespace {

using provider::FailureClass;
using provider::Outcome;

bool read_port(std::string_view text, std::uint16_t& out) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && out > 0;
}

}  // namespace

Outcome<kube::ForwardedPort> read_forwarded_port(std::string_view text) {
  kube::ForwardedPort out;
  const std::size_t colon = text.find(':');
  const std::string_view pod = colon == std::string_view::npos ? text : text.substr(colon + 1);
  const std::string_view local = text.substr(0, colon);
  if (!read_port(pod, out.pod) || (!local.empty() && !read_port(local, out.local)))
    return provider::refuse(FailureClass::kInvalid,
                            "invalid port {}: want [LOCAL:]REMOTE, each from 1 to 65535",
                            quote(text));
  return out;
}

Outcome<ExitCode> exec_in_component(OperateRun& run, const provider::App& app,
                                    const std::string& component) {
  const Arguments& args = run.args();
  const bool tty = args.on("tty");
  if (tty && !run.io().in_is_terminal)
    return provider::refuse(FailureClass::kInvalid, "--tty needs a terminal as standard input");
  PodOutput output(run.io().out);
  PodOutput errors(run.io().err);
  kube::DescriptorInput input(STDIN_FILENO);
  kube::TerminalSizes sizes(STDIN_FILENO);
  kube::ExecRequest request;
  request.command = args.operands();
  request.tty = tty;
  request.output = &output;
  if (!tty) request.error = &errors;
  if (args.on("stdin")) request.input = &input;
  if (tty) request.sizes = &sizes;
  std::optional<kube::TerminalMode> raw;
  if (tty && args.on("stdin")) raw.emplace(STDIN_FILENO);
  run.lift_limit();
  STRAKE_TRY(const int code, ops::exec_in_pod(run.session(), run.call(), app,
                                              {.component = component,
                                               .container = std::string(args.text("container"))},
                                              std::move(request)));
  return static_cast<ExitCode>(code);
}

void write_component_status(const ops::ComponentStatus& status, OrderedJson& out) {
  out.text("app_id", status.app_id)
      .text("app_name", status.app_name)
      .text("cluster_id", status.cluster_id)
      .text("cluster_name", status.cluster_name)
      .flag("ready", status.ready)
      .text("image", status.image)
      .text("namespace", status.namespace_name)
      .text("node", status.node)
      .text("deployment", status.deployment)
      .text("pod", status.pod)
      .text("container", status.container)
      .texts("command", status.command)
      .texts("args", status.args)
      .texts("ingress_hosts", status.ingress_hosts);
}

}  // namespace strake::cli
