#include "kube/exec_credential.h"

#include "base/base64.h"
#include "base/rfc3339.h"
#include "base/subprocess.h"
#include "value/document.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::kube {
namespace {

using value::Value;

constexpr std::string_view kVersions[] = {"client.authentication.k8s.io/v1",
                                          "client.authentication.k8s.io/v1beta1"};
constexpr std::chrono::minutes kPatience{5};  // somebody may be logging in
constexpr std::size_t kMostShown = 1000;

void add_text(Value& to, std::string_view key, const std::string& text, Arena& arena) {
  if (!text.empty()) to.set(key, Value::string(text), arena);
}

// KUBERNETES_EXEC_INFO: what the plugin is told. `text` of the parts must outlive the call.
Result<std::string> exec_info(const Access& access, bool interactive) {
  const ExecPlugin& plugin = *access.exec;
  value::Document out;
  Arena& arena = out.arena();
  Value spec = Value::object({});
  spec.set("interactive", Value::boolean(interactive), arena);
  const std::string authority = base64_encode(access.ca_pem);
  value::Document config;
  if (plugin.provide_cluster_info) {
    Value cluster = Value::object({});
    add_text(cluster, "server", access.server, arena);
    add_text(cluster, "tls-server-name", access.tls_server_name, arena);
    if (access.insecure) cluster.set("insecure-skip-tls-verify", Value::boolean(true), arena);
    add_text(cluster, "certificate-authority-data", authority, arena);
    add_text(cluster, "proxy-url", access.proxy_url, arena);
    if (!access.exec_config.empty()) {
      STRAKE_TRY(config, value::read_json(access.exec_config));
      cluster.set("config", config.root(), arena);
    }
    spec.set("cluster", cluster, arena);
  }
  out.root() = Value::object({});
  out.root().set("kind", Value::string("ExecCredential"), arena);
  out.root().set("apiVersion", Value::string(plugin.api_version), arena);
  out.root().set("spec", spec, arena);
  return value::to_json(out.root());
}

std::string text_in(const Value& in, std::string_view key) {
  const Value* found = in.find(key);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

std::string shown(std::string_view said) {
  while (!said.empty() && (said.back() == '\n' || said.back() == '\r')) said.remove_suffix(1);
  if (said.empty()) return {};
  if (said.size() > kMostShown) said = said.substr(said.size() - kMostShown);
  return fmt::format(": {}", said);
}

// client.authentication.k8s.io, interactiveMode: Never, IfAvailable or Always.
Result<bool> may_ask(const ExecPlugin& plugin, bool has_terminal) {
  using Interactive = ExecPlugin::Interactive;
  if (plugin.interactive == Interactive::kAlways && !has_terminal)
    return fail(Code::kUnauthorized,
                "exec plugin {} wants to ask somebody, and standard input is no terminal",
                plugin.command);
  return has_terminal && plugin.interactive != Interactive::kNever;
}

}  // namespace

Result<Credentials> read_exec_credential(std::string_view text, std::string_view api_version) {
  value::ReadOptions options;
  options.limits.bytes = std::uint64_t{16} << 20;
  options.limits.depth = 100;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  const auto document = value::read_yaml(text, options);
  // The error might quote what was printed.
  if (!document || !document->root().is_object())
    return fail(Code::kUnauthorized, "it printed no ExecCredential");
  const Value& root = document->root();
  if (text_in(root, "kind") != "ExecCredential")
    return fail(Code::kUnauthorized, "it printed no ExecCredential");
  if (text_in(root, "apiVersion") != api_version)
    return fail(Code::kUnauthorized, "it is configured to use {}, and answered in {}", api_version,
                text_in(root, "apiVersion"));
  const Value* status = root.find("status");
  if (status == nullptr || !status->is_object())
    return fail(Code::kUnauthorized, "its answer has no status");
  Credentials out;
  out.token = Secret(text_in(*status, "token"));
  out.certificate_pem = text_in(*status, "clientCertificateData");
  out.key_pem = Secret(text_in(*status, "clientKeyData"));
  if (out.certificate_pem.empty() != out.key_pem.empty())
    return fail(Code::kUnauthorized,
                "it gave a certificate without its key, or a key without its "
                "certificate");
  if (out.token.empty() && out.certificate_pem.empty())
    return fail(Code::kUnauthorized, "it gave neither a token nor a certificate");
  if (const std::string expires = text_in(*status, "expirationTimestamp"); !expires.empty()) {
    const auto time = parse_rfc3339(expires);
    if (!time) return fail(Code::kUnauthorized, "expirationTimestamp is no time: {}", expires);
    out.expires = time->to_wall();
  }
  return out;
}

Result<Credentials> run_exec_plugin(const Access& access, bool has_terminal) {
  const ExecPlugin& plugin = *access.exec;
  if (std::find(std::begin(kVersions), std::end(kVersions), plugin.api_version) ==
      std::end(kVersions))
    return fail(Code::kUnsupported, "exec plugin {}: apiVersion must be {} or {}, got \"{}\"",
                plugin.command, kVersions[0], kVersions[1], plugin.api_version);
  STRAKE_TRY(const bool interactive, may_ask(plugin, has_terminal));
  STRAKE_TRY(const std::string info, exec_info(access, interactive));
  ProgramRun run;
  run.arguments = plugin.arguments;
  run.arguments.insert(run.arguments.begin(), plugin.command);
  run.environment = plugin.environment;
  run.environment.push_back("KUBERNETES_EXEC_INFO=" + info);
  run.timeout = kPatience;
  run.interactive = interactive;
  const auto output = run_program(run);
  if (!output && output.error().code() == Code::kNotFound) {
    return fail(Code::kNotFound, "exec plugin {} is not there{}{}", plugin.command,
                plugin.install_hint.empty() ? "" : "\n", plugin.install_hint);
  }
  if (!output)
    return std::unexpected(
        Error(output.error()).prefixed(fmt::format("exec plugin {}", plugin.command)));
  if (output->status != 0)
    return fail(Code::kUnauthorized, "exec plugin {} failed with exit status {}{}", plugin.command,
                output->status, shown(output->err));
  auto credentials = read_exec_credential(output->out, plugin.api_version);
  if (!credentials) {
    return std::unexpected(
        std::move(credentials).error().prefixed(fmt::format("exec plugin {}", plugin.command)));
  }
  return credentials;
}

}  // namespace strake::kube
