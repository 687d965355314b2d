#include "admission/policy/type_check_controller.h"

#include <algorithm>
#include <set>

#include "admission/policy/params.h"
#include "api/verbs/by_worker.h"
#include "api/verbs/ready.h"
#include "api/verbs/write.h"
#include "meta/object_meta.h"
#include "policy/type_check.h"
#include "value/fields.h"

namespace strake::admission {
namespace {

using std::chrono::milliseconds;
using value::Document;
using value::text_of;
using value::Value;

constexpr milliseconds kDone{0};
constexpr milliseconds kTryAgain{1000};
constexpr std::size_t kMaxKinds = 10;

std::int64_t whole_at(const Value& object, std::string_view key) {
  const Value& found = object.get(key);
  return found.type() == value::Type::kInt ? found.as_int() : 0;
}

Result<PolicyGenerations> read_generations(const api::Object& object) {
  STRAKE_TRY(const Document document, api::parse_stored(*object.bytes()));
  return PolicyGenerations{
      .generation = whole_at(document.root().get("metadata"), "generation"),
      .observed = whole_at(document.root().get("status"), "observedGeneration")};
}

// The texts of a list; none when one of them has a wildcard, which stands for kinds that nobody can
// know.
std::vector<std::string_view> plain_texts(const Value& rule, std::string_view key) {
  std::vector<std::string_view> out;
  for (const Value& one : rule.get(key).items()) {
    if (one.as_string().contains('*')) return {};
    out.push_back(one.as_string());
  }
  std::ranges::sort(out);
  return out;
}

struct Named {
  api::EndpointPtr endpoint;
  const kinds::ServedVersion* version;
  friend bool operator<(const Named& a, const Named& b) {
    const auto key = [](const Named& one) {
      const kinds::Resource& resource = one.endpoint->resource();
      return std::tie(resource.group, one.version->name, resource.kind);
    };
    return key(a) < key(b);
  }
};

// What a rule names. Without a group kube-controller-manager 1.36 finds the resource in all groups.
void find_named(const api::Registry::Snapshot& served, std::string_view group,
                std::string_view version, std::string_view plural, std::vector<Named>& out) {
  for (const auto& [name, resources] : served.groups) {
    if (!group.empty() && name != group) continue;
    const auto found = resources.find(plural);
    if (found == resources.end()) continue;
    if (const kinds::ServedVersion* known = found->second->resource().served_version(version))
      out.push_back({.endpoint = found->second, .version = known});
  }
}

std::vector<Named> kinds_of(const Value& policy, const api::Registry::Snapshot& served) {
  std::set<Named> out;
  for (const Value& rule :
       policy.get("spec").get("matchConstraints").get("resourceRules").items()) {
    std::vector<std::string_view> plurals;
    for (const Value& one : rule.get("resources").items()) {
      if (one.as_string().find_first_of("*/") == std::string_view::npos)
        plurals.push_back(one.as_string());
    }
    std::ranges::sort(plurals);
    std::vector<Named> named;
    for (const std::string_view group : plain_texts(rule, "apiGroups")) {
      for (const std::string_view version : plain_texts(rule, "apiVersions")) {
        for (const std::string_view plural : plurals)
          find_named(served, group, version, plural, named);
      }
    }
    if (named.size() >= kMaxKinds) {
      out.insert(named.begin(), named.begin() + kMaxKinds);
      break;
    }
    out.insert(named.begin(), named.end());
  }
  return {out.begin(), out.end()};
}

// The schema, compiled; nothing when there is none.
boost::asio::awaitable<std::optional<policy::KnownKind>> schema_of(api::Core& core, Named named) {
  const api::Call call = api::internal_call(core, named.endpoint, "", "");
  if (!named.version->is_compiled()) {
    if (!co_await api::compile(core, call, *named.version)) co_return std::nullopt;
  }
  const auto kind = named.version->kind();
  if (!kind || (*kind)->schema == nullptr) co_return std::nullopt;
  const kinds::Resource& resource = named.endpoint->resource();
  co_return policy::KnownKind{.kind = {resource.group, named.version->name, resource.kind},
                              .schema = (*kind)->schema};
}

void write_status(Document& document, std::int64_t generation,
                  const std::vector<policy::ExpressionWarning>& warnings) {
  Arena& arena = document.arena();
  Value& status = document.root().object_at("status", arena);
  status.set("observedGeneration", Value::integer(generation), arena);
  Value checking = Value::object({});
  if (!warnings.empty()) {
    Value list = Value::array({});
    for (const policy::ExpressionWarning& one : warnings) {
      Value entry = Value::object({});
      entry.set("fieldRef", Value::string(arena.copy(one.field)), arena);
      entry.set("warning", Value::string(arena.copy(one.text)), arena);
      list.append(entry, arena);
    }
    checking.set("expressionWarnings", list, arena);
  }
  status.set("typeChecking", checking, arena);
}

}  // namespace

ValidatingPolicyInformer::ValidatingPolicyInformer(api::Hub& hub)
    : Informer(hub,
               {.prefixes = {"/registry/validatingadmissionpolicies/"}, .read = read_generations}) {
}

boost::asio::awaitable<milliseconds> TypeCheckController::sync(std::string key,
                                                               api::ObjectPtr object) {
  if (object == nullptr) co_return kDone;
  PolicyGenerations generations;
  {
    const auto view = policies_.view();
    if (const auto known = view.find(key)) generations = *known;
  }
  if (generations.generation <= generations.observed) co_return kDone;
  const Result<Document> policy = api::parse_stored(*object->bytes());
  if (!policy) co_return kDone;

  const api::Registry::SnapshotPtr served = core().registry.snapshot();
  std::vector<policy::KnownKind> kinds;
  for (const Named& named : kinds_of(policy->root(), *served)) {
    if (auto known = co_await schema_of(core(), named)) kinds.push_back(*std::move(known));
  }
  std::optional<policy::KnownKind> params;
  if (const Value& kind = policy->root().get("spec").get("paramKind"); kind.is_object()) {
    const auto found = find_param_endpoint(
        core().registry,
        meta::from_api_version_and_kind(text_of(kind, "apiVersion"), text_of(kind, "kind")));
    if (found)
      params = co_await schema_of(core(), {.endpoint = found->endpoint, .version = found->version});
  }
  const auto check = [&] {
    return api::Answer<std::vector<policy::ExpressionWarning>>(
        policy::check_policy_types(policy->root(), kinds, params));
  };
  const auto warnings = co_await api::by_worker(core(), check);
  if (!warnings) co_return kTryAgain;

  const api::EndpointPtr endpoint =
      served->find("admissionregistration.k8s.io", "validatingadmissionpolicies");
  if (endpoint == nullptr) co_return kTryAgain;
  api::Call call = api::internal_call(core(), endpoint, "", object->name());
  const auto written =
      co_await api::edit_object(core(), call,
                                {.subresource = "status",
                                 .manager = "validatingadmissionpolicy-status",
                                 .apply = [&](Document& document) {
                                   write_status(document, generations.generation, *warnings);
                                 }});
  const bool done = written || written.error().reason == "NotFound";
  co_return done ? kDone : kTryAgain;
}

}  // namespace strake::admission
