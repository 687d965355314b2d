#include "ops/cases/secret_cases.h"

#include <fmt/format.h>

#include <vector>

#include "base/base64.h"
#include "kube/objects/apply_stream.h"
#include "kube/objects/namespaces.h"
#include "ops/cases/apply_component.h"
#include "ops/compose/env_file.h"
#include "ops/compose/tree_builder.h"
#include "provider/install/api_call.h"
#include "provider/names/hashes.h"
#include "value/json_reader.h"

namespace strake::ops {

using provider::App;
using provider::Call;
using provider::FailureClass;
using provider::of_api;
using provider::Outcome;
using value::Value;

namespace {

constexpr std::string_view kPullKey = ".dockerconfigjson";
constexpr std::size_t kMaxPullBytes = 1'000'000;

struct NewSecret {
  std::string name;
  std::string_view type;
  std::map<std::string, std::string> data;
};

value::Document secret_object(const provider::KubeNames& names, const NewSecret& secret) {
  value::Document out;
  const compose::TreeBuilder b(out.arena());
  Value data = Value::object({});
  for (const auto& [key, bytes] : secret.data) b.put(data, key, b.text(base64_encode(bytes)));
  out.root() =
      b.map({{"apiVersion", b.text("v1")},
             {"kind", b.text("Secret")},
             {"metadata",
              b.map({{"name", b.text(secret.name)},
                     {"namespace", b.text(names.namespace_name())},
                     {"labels", b.text_map(names.component_labels())},
                     {"annotations", b.map({{provider::kContentHashAnnotation,
                                             b.text(provider::content_hash(secret.data))}})}})},
             {"type", b.text(secret.type)},
             {"data", data}});
  return out;
}

// Sets or deletes a Secret of a component, and then its pod template.
class SecretChange {
 public:
  static Outcome<SecretChange> open(const Session& session, const Call& call, const App& app,
                                    const std::string& component) {
    STRAKE_CHECK(call.check());
    STRAKE_TRY(const AppScope scope, open_app(session, app));
    STRAKE_TRY(provider::KubeNames names, scope.names(component));
    STRAKE_TRY(kube::Client client, connect(session, call, scope.in));
    return SecretChange(call, std::move(names), std::move(client));
  }

  const provider::KubeNames& names() const { return names_; }

  Outcome<> set(const NewSecret& secret) {
    kube::Objects objects(client_);
    const provider::Labels labels = names_.base_labels();
    STRAKE_TRY(const kube::Ensured how,
               of_api(kube::ensure_namespace(objects, {.name = names_.namespace_name(),
                                                       .labels = {labels.begin(), labels.end()},
                                                       .keep_labels = true,
                                                       .dry_run = call_.dry_run})));
    if (how != kube::Ensured::kUnchanged)
      tell_ensured(call_, how, fmt::format("Namespace {}", names_.namespace_name()));
    kube::StreamOptions options;
    options.apply = {.field_manager = std::string(kFieldManager),
                     .force = true,
                     .namespace_name = names_.namespace_name()};
    options.dry_run = call_.dry_run;
    std::vector<value::Document> all;
    all.push_back(secret_object(names_, secret));
    STRAKE_CHECK(
        of_api(kube::apply_manifests(client_, all, options, [this](const kube::AppliedObject& one) {
          tell_ensured(call_, one.how, one.title);
        })));
    return settle_pod_template(call_, objects, names_);
  }

  Outcome<> remove(const std::string& name) {
    kube::Objects objects(client_);
    const kube::ObjectRef secret{.of = {.api_version = "v1", .kind = "Secret"},
                                 .namespace_name = names_.namespace_name(),
                                 .name = name};
    const std::string title = fmt::format("Secret {}/{}", names_.namespace_name(), name);
    STRAKE_TRY(const std::optional<value::Document> live, of_api(objects.find(secret)));
    if (!live) {
      call_.step("skip", fmt::format("delete {}", title), {{"reason", "it is not there"}});
    } else {
      if (!call_.dry_run) STRAKE_CHECK(of_api(objects.remove(secret)));
      tell(call_, "delete", title);
    }
    // Also when it is gone already: somebody may have been stopped right here.
    return settle_pod_template(call_, objects, names_);
  }

 private:
  SecretChange(const Call& call, provider::KubeNames names, kube::Client client)
      : call_(call), names_(std::move(names)), client_(std::move(client)) {}

  const Call& call_;
  provider::KubeNames names_;
  kube::Client client_;
};

Outcome<> check_service(const EnvSecretOf& of) {
  if (!of.service.empty()) return {};
  return provider::refuse(FailureClass::kInvalid, "missing parameters: service");
}

}  // namespace

Outcome<> set_env_secret(const Session& session, const Call& call, const App& app,
                         const EnvSecretOf& of, const std::string& name, const Secret& text) {
  STRAKE_CHECK(check_service(of));
  STRAKE_TRY(compose::Variables variables, compose::parse_env_file(name, text.reveal()));
  STRAKE_CHECK(compose::check_variables(variables));
  STRAKE_TRY(SecretChange change, SecretChange::open(session, call, app, of.component));
  return change.set({.name = change.names().override_secret_name(of.service),
                     .type = "Opaque",
                     .data = std::move(variables)});
}

Outcome<> delete_env_secret(const Session& session, const Call& call, const App& app,
                            const EnvSecretOf& of) {
  STRAKE_CHECK(check_service(of));
  STRAKE_TRY(SecretChange change, SecretChange::open(session, call, app, of.component));
  return change.remove(change.names().override_secret_name(of.service));
}

Outcome<> set_pull_secret(const Session& session, const Call& call, const App& app,
                          const std::string& component, const Secret& docker_config) {
  // What a parser says of it could show some of it.
  value::ReadOptions options;
  options.limits.bytes = kMaxPullBytes;
  const Result<value::Document> read = value::read_json(docker_config.reveal(), options);
  if (!read || !read->root().get("auths").is_object())
    return provider::refuse(FailureClass::kValidation,
                            "the credentials must be a JSON object with \"auths\", of at most {} "
                            "bytes, as docker login writes it",
                            kMaxPullBytes);
  STRAKE_TRY(SecretChange change, SecretChange::open(session, call, app, component));
  return change.set({.name = change.names().pull_secret_name(),
                     .type = "kubernetes.io/dockerconfigjson",
                     .data = {{std::string(kPullKey), docker_config.reveal()}}});
}

Outcome<> delete_pull_secret(const Session& session, const Call& call, const App& app,
                             const std::string& component) {
  STRAKE_TRY(SecretChange change, SecretChange::open(session, call, app, component));
  return change.remove(change.names().pull_secret_name());
}

}  // namespace strake::ops
