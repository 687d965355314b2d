#include "kube/access.h"

#include <algorithm>
#include <filesystem>

#include "base/trim.h"
#include "kube/small_file.h"

namespace strake::kube {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_of(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::size_t colon = list.find(':');
    const std::string file(list.substr(0, colon));
    if (!file.empty() && std::ranges::find(out, file) == out.end()) out.push_back(file);
    list.remove_prefix(colon == std::string_view::npos ? list.size() : colon + 1);
  }
  return out;
}

// Where to look, and whether something must be there.
struct Places {
  std::vector<std::string> files;
  bool required = false;
};

Places places(const AccessOptions& options) {
  if (!options.kubeconfig.empty()) return {.files = {options.kubeconfig}, .required = true};
  if (!options.environment.kubeconfig.empty())
    return {.files = files_of(options.environment.kubeconfig)};
  if (options.environment.home.empty()) return {};
  return {.files = {options.environment.home + "/.kube/config"}};
}

struct Loaded {
  Kubeconfig config;
  std::vector<std::string> files;  // those that were there
};

Result<Loaded> load(const Places& where) {
  Loaded out;
  for (const std::string& file : where.files) {
    std::error_code error;
    if (!where.required && !fs::exists(file, error)) continue;
    STRAKE_TRY(const std::string text, read_small_file(file));
    STRAKE_TRY(Kubeconfig one, Kubeconfig::read(text, file));
    out.config.merge(std::move(one));
    out.files.push_back(file);
  }
  return out;
}

template <typename Map>
std::string names_of(const Map& map) {
  std::vector<std::string_view> names;
  for (const auto& [name, unused] : map) names.push_back(name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

Result<std::string> content(const TextOrFile& part) {
  if (!part.text.empty() || part.file.empty()) return part.text.reveal();
  return read_small_file(part.file);
}

Result<> check_cluster(const Cluster& cluster, const std::string& name) {
  if (!cluster.server.starts_with("https://") && !cluster.server.starts_with("http://"))
    return fail(Code::kInvalid, "cluster \"{}\": server must be an http or https URL, got \"{}\"",
                name, cluster.server);
  if (cluster.insecure && !cluster.authority.empty())
    return fail(Code::kInvalid,
                "cluster \"{}\": a certificate-authority and insecure-skip-tls-verify exclude each "
                "other",
                name);
  return {};
}

Result<> set_credentials(const User& user, const std::string& name, Access& access) {
  const auto in_user = [&name](Error error) {
    return std::unexpected(std::move(error).prefixed(fmt::format("user \"{}\"", name)));
  };
  if (user.certificate.empty() != user.key.empty()) {
    return in_user(Error(Code::kInvalid, user.key.empty()
                                             ? "a client-certificate needs a client-key"
                                             : "a client-key needs its "
                                               "client-certificate"));
  }
  auto certificate = content(user.certificate);
  if (!certificate) return in_user(std::move(certificate).error());
  auto key = content(user.key);
  if (!key) return in_user(std::move(key).error());
  access.credentials.certificate_pem = *std::move(certificate);
  access.credentials.key_pem = Secret(*std::move(key));
  access.credentials.token = user.token.text;
  access.token_file = user.token.file;
  access.credentials.user_name = user.name;
  access.credentials.password = user.password;
  access.as = user.as;
  access.exec = user.exec;
  const bool has_other = !user.certificate.empty() || !user.token.empty() || user.exec.has_value();
  if (!user.auth_provider.empty() && !has_other) {
    return in_user(Error(Code::kUnsupported,
                         fmt::format("auth-provider \"{}\" is gone from all clients; use an exec "
                                     "plugin",
                                     user.auth_provider)));
  }
  if (!user.name.empty() && (!user.token.empty() || user.exec))
    return in_user(Error(Code::kInvalid, "has more than one way in: a password and a token"));
  return {};
}

Result<Access> access_by(const Loaded& loaded, const std::string& wanted) {
  const Kubeconfig& config = loaded.config;
  const std::string files = fmt::format("{}", fmt::join(loaded.files, ", "));
  const std::string& name = wanted.empty() ? config.current_context : wanted;
  if (name.empty())
    return fail(Code::kInvalid, "{}: there is no current context; name one of: {}", files,
                names_of(config.contexts));
  const auto context = config.contexts.find(name);
  if (context == config.contexts.end())
    return fail(Code::kInvalid, "{}: there is no context \"{}\"; there are: {}", files, name,
                names_of(config.contexts));
  const Context& chosen = context->second;
  const auto cluster = config.clusters.find(chosen.cluster);
  if (cluster == config.clusters.end())
    return fail(Code::kInvalid, "{}: context \"{}\" names the cluster \"{}\"; there are: {}", files,
                name, chosen.cluster, names_of(config.clusters));
  STRAKE_CHECK(check_cluster(cluster->second, chosen.cluster));
  Access out;
  out.context = name;
  out.server = cluster->second.server;
  out.tls_server_name = cluster->second.tls_server_name;
  out.insecure = cluster->second.insecure;
  out.proxy_url = cluster->second.proxy_url;
  out.exec_config = cluster->second.exec_config;
  STRAKE_TRY(out.ca_pem, content(cluster->second.authority));
  out.namespace_name = chosen.namespace_name.empty() ? "default" : chosen.namespace_name;
  // A context without a user asks as nobody.
  if (!chosen.user.empty()) {
    const auto user = config.users.find(chosen.user);
    if (user == config.users.end())
      return fail(Code::kInvalid, "{}: context \"{}\" names the user \"{}\"; there are: {}", files,
                  name, chosen.user, names_of(config.users));
    STRAKE_CHECK(set_credentials(user->second, chosen.user, out));
  }
  while (out.server.ends_with('/')) out.server.pop_back();
  return out;
}

Result<Access> access_of_pod(const Environment& environment) {
  const std::string& folder = environment.service_account;
  Access out;
  out.context = "the cluster of this pod";
  const std::string& host = environment.service_host;
  const bool is_v6 = host.find(':') != std::string::npos;
  out.server = fmt::format("https://{}{}{}:{}", is_v6 ? "[" : "", host, is_v6 ? "]" : "",
                           environment.service_port);
  STRAKE_TRY(out.ca_pem, read_small_file(folder + "/ca.crt"));
  out.token_file = folder + "/token";
  const auto namespace_name = read_small_file(folder + "/namespace");
  out.namespace_name = namespace_name && !namespace_name->empty() ? *namespace_name : "default";
  return out;
}

}  // namespace

Result<Access> access_of_kubeconfig(const Secret& kubeconfig, const KubeconfigUse& use) {
  if (trim(kubeconfig.reveal()).empty()) return fail(Code::kInvalid, "kubeconfig is empty");
  const std::string name = "kubeconfig";
  STRAKE_TRY(Kubeconfig config, Kubeconfig::read(kubeconfig.reveal(), name));
  STRAKE_TRY(Access out, access_by({.config = std::move(config), .files = {name}}, use.context));
  if (out.exec && !use.allow_plugins)
    return fail(Code::kUnsupported,
                "{}: the user of context \"{}\" takes credentials from the program \"{}\", which "
                "is not run here; give a certificate or a token",
                name, out.context, out.exec->command);
  return out;
}

// The order of kubectl: --kubeconfig, KUBECONFIG (a list, whose missing files are skipped),
// ~/.kube/config, and last the service account of the pod. With an explicit context the pod is
// never meant.
Result<Access> find_access(const AccessOptions& options) {
  const Places where = places(options);
  STRAKE_TRY(const Loaded loaded, load(where));
  if (!loaded.files.empty()) return access_by(loaded, options.context);
  const Environment& environment = options.environment;
  if (options.context.empty() && !environment.service_host.empty() &&
      !environment.service_port.empty())
    return access_of_pod(environment);
  return fail(
      Code::kNotFound, "there is no kubeconfig{}; set KUBECONFIG or give --kubeconfig FILE",
      where.files.empty() ? std::string() : fmt::format(" at {}", fmt::join(where.files, ", ")));
}

}  // namespace strake::kube
