#include "cli/webhook/webhook_config.h"

#include <map>
#include <set>

#include "base/base64.h"
#include "cli/validate/served_kind.h"
#include "value/document.h"
#include "value/fields.h"
#include "value/yaml_writer.h"

namespace strake::cli {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kOperations[] = {"CREATE", "UPDATE"};

class Configuration {
 public:
  Configuration(const WebhookOptions& options, const WebhookJudge& judge)
      : options_(options), judge_(judge) {}

  Result<std::string> write(std::string_view ca_pem) {
    Value& root = document_.root();
    root = Value::object({});
    set(root, "apiVersion", "admissionregistration.k8s.io/v1");
    set(root, "kind", "ValidatingWebhookConfiguration");
    set(root.set("metadata", Value::object({}), arena()), "name", options_.name);
    Value hook = Value::object({});
    set(hook, "name", fmt::format("validate.{}.strake", options_.name));
    hook.set("admissionReviewVersions", list({"v1"}), arena());
    set(hook, "sideEffects", "None");
    set(hook, "failurePolicy", options_.failure_policy);
    hook.set("timeoutSeconds", Value::integer(static_cast<std::int64_t>(options_.timeout_seconds)),
             arena());
    STRAKE_TRY(const Value client, client_config(ca_pem));
    hook.set("clientConfig", client, arena());
    hook.set("rules", rules(), arena());
    Value hooks = Value::array({});
    hooks.append(hook, arena());
    root.set("webhooks", hooks, arena());
    return value::to_yaml(root);
  }

 private:
  Arena& arena() { return document_.arena(); }
  void set(Value& object, std::string_view key, std::string_view text) {
    object.set(key, Value::string(arena().copy(text)), arena());
  }
  template <typename Texts>
  Value list_of(const Texts& texts) {
    Value out = Value::array({});
    for (const auto& one : texts) out.append(Value::string(arena().copy(one)), arena());
    return out;
  }
  Value list(std::initializer_list<std::string_view> texts) { return list_of(texts); }

  Result<Value> client_config(std::string_view ca_pem) {
    Value out = Value::object({});
    set(out, "caBundle", base64_encode(ca_pem));
    if (options_.service) {
      Value service = Value::object({});
      set(service, "namespace", options_.service->namespace_name);
      set(service, "name", options_.service->name);
      service.set("port", Value::integer(options_.service->port), arena());
      set(service, "path", kReviewPath);
      out.set("service", service, arena());
      return out;
    }
    std::string url = options_.url;
    const Address& at = options_.listen;
    if (url.empty() && at.port != 0 && at.host != "0.0.0.0" && at.host != "::")
      url = url_of(at.host, at.port);
    if (url.empty())
      return fail(Code::kUsage,
                  "say how the cluster reaches the webhook: --service NAMESPACE/NAME or --url URL");
    // A URL that names no path gets ours.
    const std::size_t path = url.find('/', std::string_view("https://").size());
    if (path == std::string::npos || path + 1 == url.size())
      url = fmt::format("{}{}", url.substr(0, path), kReviewPath);
    set(out, "url", url);
    return out;
  }

  Value rule(const Value& groups, const Value& versions, const Value& resources,
             const Value& operations, std::string_view scope) {
    Value out = Value::object({});
    out.set("apiGroups", groups, arena());
    out.set("apiVersions", versions, arena());
    out.set("resources", resources, arena());
    out.set("operations", operations, arena());
    set(out, "scope", scope);
    return out;
  }

  Value rules() {
    // Versions of one resource share a rule.
    std::map<std::pair<std::string, std::string>, std::pair<std::set<std::string>, bool>> served;
    for (const meta::GroupVersionKind& kind : judge_.kinds()) {
      const ServedKind as = served_kind(kind, judge_.catalog());
      auto& [versions, namespaced] = served[{kind.group, as.plural}];
      versions.insert(kind.version);
      namespaced = as.namespaced;
    }
    Value out = Value::array({});
    for (const auto& [resource, how] : served) {
      out.append(rule(list({resource.first}), list_of(how.first), list({resource.second}),
                      list_of(kOperations), how.second ? "Namespaced" : "Cluster"),
                 arena());
    }
    if (judge_.policies() == nullptr) return out;
    for (const Value* one : judge_.policies()->resource_rules()) {
      std::set<std::string_view> operations;
      for (const Value& given : one->get("operations").items()) {
        for (const std::string_view known : kOperations) {
          if (value::text_of(given) == known || value::text_of(given) == "*")
            operations.insert(known);
        }
      }
      if (operations.empty()) continue;
      const std::string_view scope = value::text_of(*one, "scope");
      const auto copy = [&](std::string_view key) {
        return value::deep_copy(one->get(key), arena());
      };
      out.append(rule(copy("apiGroups"), copy("apiVersions"), copy("resources"),
                      list_of(operations), scope.empty() ? "*" : scope),
                 arena());
    }
    return out;
  }

  const WebhookOptions& options_;
  const WebhookJudge& judge_;
  Document document_;
};

}  // namespace

Result<std::string> webhook_configuration(const WebhookOptions& options, const WebhookJudge& judge,
                                          std::string_view ca_pem) {
  return Configuration(options, judge).write(ca_pem);
}

}  // namespace strake::cli
