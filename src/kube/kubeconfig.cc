#include "kube/kubeconfig.h"

#include <filesystem>

#include "base/base64.h"
#include "value/document.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::kube {
namespace {

using value::Value;

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
constexpr std::size_t kMostDepth = 200;
// The extension of a cluster that its exec plugin may see.
constexpr std::string_view kExecExtension = "client.authentication.k8s.io/exec";

// Reads fields of one file, and says where in it something is wrong.
class FileReader {
 public:
  FileReader(const value::Document& document, const std::string& file)
      : document_(document), folder_(std::filesystem::path(file).parent_path()) {}

  std::unexpected<Error> wrong(const FieldPath& at, std::string_view wanted,
                               const Value& met) const {
    return std::unexpected(Error(Code::kInvalid, fmt::format("must be {}, got {}", wanted,
                                                             value::to_string(met.type())))
                               .at(at)
                               .at(document_.position(at)));
  }
  std::unexpected<Error> wrong(const FieldPath& at, std::string message) const {
    return std::unexpected(
        Error(Code::kInvalid, std::move(message)).at(at).at(document_.position(at)));
  }

  // Absent and null are the same.
  const Value* find(const Value& in, std::string_view key) const {
    const Value* found = in.find(key);
    return found != nullptr && !found->is_null() ? found : nullptr;
  }

  Result<> text(const Value& in, const FieldPath& at, std::string_view key,
                std::string& into) const {
    const Value* found = find(in, key);
    if (found == nullptr) return {};
    if (!found->is_string()) return wrong(at / key, "a string", *found);
    into = found->as_string();
    return {};
  }
  Result<> secret(const Value& in, const FieldPath& at, std::string_view key, Secret& into) const {
    std::string read;
    STRAKE_CHECK(text(in, at, key, read));
    into = Secret(std::move(read));
    return {};
  }
  Result<> flag(const Value& in, const FieldPath& at, std::string_view key, bool& into) const {
    const Value* found = find(in, key);
    if (found == nullptr) return {};
    if (!found->is_bool()) return wrong(at / key, "true or false", *found);
    into = found->as_bool();
    return {};
  }
  Result<> texts(const Value& in, const FieldPath& at, std::string_view key,
                 std::vector<std::string>& into) const {
    const Value* found = find(in, key);
    if (found == nullptr) return {};
    if (!found->is_array()) return wrong(at / key, "a list", *found);
    for (std::size_t i = 0; i < found->size(); ++i) {
      const Value& item = found->items()[i];
      if (!item.is_string()) return wrong(at / key / i, "a string", item);
      into.emplace_back(item.as_string());
    }
    return {};
  }
  Result<> path(const Value& in, const FieldPath& at, std::string_view key,
                std::string& into) const {
    STRAKE_CHECK(text(in, at, key, into));
    into = whole_path(into);
    return {};
  }
  // `key` names the file, `key`-data the text in base64.
  Result<> text_or_file(const Value& in, const FieldPath& at, std::string_view key,
                        TextOrFile& into) const {
    STRAKE_CHECK(path(in, at, key, into.file));
    const std::string data = fmt::format("{}-data", key);
    std::string encoded;
    STRAKE_CHECK(text(in, at, data, encoded));
    auto decoded = base64_decode(encoded);
    if (!decoded) return wrong(at / data, "must be base64");
    into.text = Secret(*std::move(decoded));
    return {};
  }

  std::string whole_path(const std::string& path) const {
    if (path.empty() || path.starts_with('/') || folder_.empty()) return path;
    return (folder_ / path).lexically_normal().string();
  }

  // Each entry of a list of {name, <key>: {...}}.
  template <typename Entry>
  Result<> entries(const Value& root, std::string_view list, std::string_view key,
                   Result<Entry> (*read)(const FileReader&, const Value&, const FieldPath&),
                   std::map<std::string, Entry, std::less<>>& into) const {
    const Value* found = find(root, list);
    if (found == nullptr) return {};
    const FieldPath at = FieldPath() / list;
    if (!found->is_array()) return wrong(at, "a list", *found);
    for (std::size_t i = 0; i < found->size(); ++i) {
      const Value& item = found->items()[i];
      if (!item.is_object()) return wrong(at / i, "an object", item);
      std::string name;
      STRAKE_CHECK(text(item, at / i, "name", name));
      static constexpr Value kNothing = Value::object({});
      const Value* content = find(item, key);
      if (content == nullptr) content = &kNothing;
      if (!content->is_object()) return wrong(at / i / key, "an object", *content);
      STRAKE_TRY(Entry entry, read(*this, *content, at / i / key));
      if (!into.emplace(name, std::move(entry)).second)
        return wrong(at / i / "name", fmt::format("there are two called \"{}\"", name));
    }
    return {};
  }

 private:
  const value::Document& document_;
  std::filesystem::path folder_;
};

Result<Cluster> read_cluster(const FileReader& reader, const Value& in, const FieldPath& at) {
  Cluster out;
  STRAKE_CHECK(reader.text(in, at, "server", out.server));
  STRAKE_CHECK(reader.text(in, at, "tls-server-name", out.tls_server_name));
  STRAKE_CHECK(reader.flag(in, at, "insecure-skip-tls-verify", out.insecure));
  STRAKE_CHECK(reader.text_or_file(in, at, "certificate-authority", out.authority));
  STRAKE_CHECK(reader.text(in, at, "proxy-url", out.proxy_url));
  const Value* extensions = reader.find(in, "extensions");
  if (extensions == nullptr || !extensions->is_array()) return out;
  for (const Value& one : extensions->items()) {
    const Value* name = one.find("name");
    const Value* content = one.find("extension");
    if (name != nullptr && name->is_string() && name->as_string() == kExecExtension &&
        content != nullptr)
      out.exec_config = value::to_json(*content);
  }
  return out;
}

Result<ExecPlugin> read_exec(const FileReader& reader, const Value& in, const FieldPath& at) {
  ExecPlugin out;
  STRAKE_CHECK(reader.text(in, at, "command", out.command));
  if (out.command.empty()) return reader.wrong(at / "command", "names no program");
  // As a shell does it: a name without a slash is looked for in PATH.
  if (out.command.find('/') != std::string::npos) out.command = reader.whole_path(out.command);
  STRAKE_CHECK(reader.texts(in, at, "args", out.arguments));
  STRAKE_CHECK(reader.text(in, at, "apiVersion", out.api_version));
  STRAKE_CHECK(reader.text(in, at, "installHint", out.install_hint));
  STRAKE_CHECK(reader.flag(in, at, "provideClusterInfo", out.provide_cluster_info));
  std::string mode;
  STRAKE_CHECK(reader.text(in, at, "interactiveMode", mode));
  if (mode == "Never") {
    out.interactive = ExecPlugin::Interactive::kNever;
  } else if (mode == "Always") {
    out.interactive = ExecPlugin::Interactive::kAlways;
  } else if (!mode.empty() && mode != "IfAvailable") {
    return reader.wrong(at / "interactiveMode",
                        fmt::format("must be Never, IfAvailable or Always, got \"{}\"", mode));
  }
  const Value* environment = reader.find(in, "env");
  if (environment == nullptr) return out;
  if (!environment->is_array()) return reader.wrong(at / "env", "a list", *environment);
  for (std::size_t i = 0; i < environment->size(); ++i) {
    std::string name;
    std::string value;
    STRAKE_CHECK(reader.text(environment->items()[i], at / "env" / i, "name", name));
    STRAKE_CHECK(reader.text(environment->items()[i], at / "env" / i, "value", value));
    if (name.empty() || name.find('=') != std::string::npos)
      return reader.wrong(at / "env" / i / "name", "is no name of a variable");
    out.environment.push_back(fmt::format("{}={}", name, value));
  }
  return out;
}

Result<Impersonation> read_impersonation(const FileReader& reader, const Value& in,
                                         const FieldPath& at) {
  Impersonation out;
  STRAKE_CHECK(reader.text(in, at, "as", out.user));
  STRAKE_CHECK(reader.text(in, at, "as-uid", out.uid));
  STRAKE_CHECK(reader.texts(in, at, "as-groups", out.groups));
  const Value* extra = reader.find(in, "as-user-extra");
  if (extra == nullptr) return out;
  if (!extra->is_object()) return reader.wrong(at / "as-user-extra", "an object", *extra);
  for (const value::Member& m : extra->members()) {
    std::vector<std::string>& values = out.extra[std::string(m.key)];
    STRAKE_CHECK(reader.texts(*extra, at / "as-user-extra", m.key, values));
  }
  return out;
}

Result<User> read_user(const FileReader& reader, const Value& in, const FieldPath& at) {
  User out;
  STRAKE_CHECK(reader.text_or_file(in, at, "client-certificate", out.certificate));
  STRAKE_CHECK(reader.text_or_file(in, at, "client-key", out.key));
  STRAKE_CHECK(reader.secret(in, at, "token", out.token.text));
  STRAKE_CHECK(reader.path(in, at, "tokenFile", out.token.file));
  STRAKE_CHECK(reader.text(in, at, "username", out.name));
  STRAKE_CHECK(reader.secret(in, at, "password", out.password));
  STRAKE_TRY(out.as, read_impersonation(reader, in, at));
  if (const Value* exec = reader.find(in, "exec"); exec != nullptr) {
    if (!exec->is_object()) return reader.wrong(at / "exec", "an object", *exec);
    STRAKE_TRY(out.exec, read_exec(reader, *exec, at / "exec"));
  }
  if (const Value* provider = reader.find(in, "auth-provider"); provider != nullptr) {
    STRAKE_CHECK(reader.text(*provider, at / "auth-provider", "name", out.auth_provider));
  }
  return out;
}

Result<Context> read_context(const FileReader& reader, const Value& in, const FieldPath& at) {
  Context out;
  STRAKE_CHECK(reader.text(in, at, "cluster", out.cluster));
  STRAKE_CHECK(reader.text(in, at, "user", out.user));
  STRAKE_CHECK(reader.text(in, at, "namespace", out.namespace_name));
  return out;
}

Result<Kubeconfig> read_root(const FileReader& reader, const Value& root) {
  Kubeconfig out;
  // An empty file is a config in which nothing is set.
  if (root.is_null()) return out;
  if (!root.is_object()) return reader.wrong(FieldPath(), "a kubeconfig", root);
  const FieldPath top;
  std::string api_version = "v1";
  std::string kind = "Config";
  STRAKE_CHECK(reader.text(root, top, "apiVersion", api_version));
  STRAKE_CHECK(reader.text(root, top, "kind", kind));
  if (api_version != "v1" || kind != "Config")
    return reader.wrong(top / "kind",
                        fmt::format("must be a Config of v1, got {} of {}", kind,
                                    api_version.empty() ? "no version" : api_version));
  STRAKE_CHECK(reader.text(root, top, "current-context", out.current_context));
  STRAKE_CHECK(reader.entries(root, "clusters", "cluster", read_cluster, out.clusters));
  STRAKE_CHECK(reader.entries(root, "users", "user", read_user, out.users));
  STRAKE_CHECK(reader.entries(root, "contexts", "context", read_context, out.contexts));
  return out;
}

}  // namespace

Result<Kubeconfig> Kubeconfig::read(std::string_view text, const std::string& file) {
  value::ReadOptions options;
  options.limits.bytes = kMostBytes;
  options.limits.depth = kMostDepth;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.positions = true;
  options.source_name = file;
  auto document = value::read_yaml(text, options);
  if (!document) return std::unexpected(std::move(document).error().in(file));
  auto read = read_root(FileReader(*document, file), document->root());
  if (!read) return std::unexpected(std::move(read).error().in(file));
  return read;
}

// kubectl's rule for several files: the first that sets a value or has an entry of that name wins.
// std::map::merge keeps what is there.
void Kubeconfig::merge(Kubeconfig other) {
  if (current_context.empty()) current_context = std::move(other.current_context);
  clusters.merge(other.clusters);
  users.merge(other.users);
  contexts.merge(other.contexts);
}

}  // namespace strake::kube
