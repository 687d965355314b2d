#include "auth/authorization/configuration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/go_duration.h"
#include "base/quote.h"
#include "base/trim.h"
#include "meta/names.h"
#include "meta/shape.h"
#include "policy/access_conditions.h"
#include "policy/evaluation.h"
#include "value/field_error.h"
#include "value/fields.h"
#include "value/yaml_reader.h"

namespace strake::auth {
namespace {

using meta::Shape;
using meta::ShapeField;
using value::FieldError;
using value::text_of;
using value::Value;
using Keep = ShapeField::Keep;
using Type = AuthorizationConfiguration::Type;

constexpr std::string_view kConfigGroup = "apiserver.config.k8s.io";
constexpr std::size_t kMostConfigBytes = 1U << 20;
constexpr std::size_t kMostConditions = 64;
constexpr std::chrono::seconds kLongestTimeout{30};

constexpr ShapeField kConditionFields[] = {{"expression", &meta::kStringShape}};
constexpr Shape kCondition{Shape::Kind::kStruct, "v1.WebhookMatchCondition", kConditionFields};
constexpr Shape kConditions{Shape::Kind::kList, "[]v1.WebhookMatchCondition", {}, &kCondition};
constexpr ShapeField kConnectionFields[] = {
    {"kubeConfigFile", &meta::kStringShape, Keep::kPointer},
    {"type", &meta::kStringShape},
};
constexpr Shape kConnection{Shape::Kind::kStruct, "v1.WebhookConnectionInfo", kConnectionFields};
constexpr ShapeField kWebhookFields[] = {
    {"authorizedTTL", &meta::kStringShape},
    {"cacheAuthorizedRequests", &meta::kBoolShape, Keep::kPointer},
    {"cacheUnauthorizedRequests", &meta::kBoolShape, Keep::kPointer},
    {"connectionInfo", &kConnection},
    {"failurePolicy", &meta::kStringShape},
    {"matchConditionSubjectAccessReviewVersion", &meta::kStringShape},
    {"matchConditions", &kConditions},
    {"subjectAccessReviewVersion", &meta::kStringShape},
    {"timeout", &meta::kStringShape},
    {"unauthorizedTTL", &meta::kStringShape},
};
constexpr Shape kWebhook{Shape::Kind::kStruct, "v1.WebhookConfiguration", kWebhookFields};
constexpr ShapeField kAuthorizerFields[] = {
    {"name", &meta::kStringShape},
    {"type", &meta::kStringShape},
    {"webhook", &kWebhook, Keep::kPointer},
};
constexpr Shape kAuthorizer{Shape::Kind::kStruct, "v1.AuthorizerConfiguration", kAuthorizerFields};
constexpr Shape kAuthorizers{Shape::Kind::kList, "[]v1.AuthorizerConfiguration", {}, &kAuthorizer};
constexpr ShapeField kConfigurationFields[] = {
    {"apiVersion", &meta::kStringShape},
    {"authorizers", &kAuthorizers},
    {"kind", &meta::kStringShape},
};
constexpr Shape kConfiguration{Shape::Kind::kStruct, "v1.AuthorizationConfiguration",
                               kConfigurationFields};

struct TypeName {
  std::string_view name;
  std::optional<Type> type;  // none: kube-apiserver has it, and this server does not
};
// In the order of messages.
constexpr TypeName kTypes[] = {
    {"ABAC", std::nullopt},
    {"AlwaysAllow", Type::kAlwaysAllow},
    {"AlwaysDeny", Type::kAlwaysDeny},
    {"Node", std::nullopt},
    {"RBAC", Type::kRbac},
    {"Webhook", Type::kWebhook},
};

const TypeName* find_type(std::string_view name) {
  const auto* found = std::ranges::find(kTypes, name, &TypeName::name);
  return found != std::end(kTypes) ? found : nullptr;
}

std::string_view type_name(Type type) {
  for (const TypeName& one : kTypes) {
    if (one.type == type) return one.name;
  }
  return {};
}

std::vector<std::string> type_names() {
  std::vector<std::string> out;
  for (const TypeName& one : kTypes) out.emplace_back(one.name);
  return out;
}

// What only nodes or files of another time need.
std::string unsupported(std::string_view type) {
  return type == "Node"
             ? "authorizer type Node is not supported: this server has no nodes"
             : fmt::format("authorizer type {} is not supported: use RBAC or Webhook", type);
}

Value text_value(std::string_view text) { return Value::string(text); }

// Checks one configuration, and collects all that is wrong with it.
class ConfigurationReader {
 public:
  AuthorizationConfiguration read(const Value& root) {
    AuthorizationConfiguration out;
    const FieldPath top = FieldPath() / "authorizers";
    const Value& list = root.get("authorizers");
    if (!list.is_array() || list.items().empty()) {
      errors_.push_back(
          FieldError::required(top, "at least one authorization mode must be defined").to_string());
      return out;
    }
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      if (auto one = authorizer(list.items()[i], top / i))
        out.authorizers.push_back(*std::move(one));
    }
    return out;
  }
  const std::vector<std::string>& errors() const { return errors_; }
  // A text that could not even be read; empty for none.
  const std::string& load_error() const { return load_error_; }

 private:
  void add(const FieldError& error) { errors_.push_back(error.to_string()); }

  std::optional<AuthorizationConfiguration::Authorizer> authorizer(const Value& from,
                                                                   const FieldPath& at) {
    const std::string_view type = text_of(from, "type");
    if (type.empty()) {
      add(FieldError::required(at / "type"));
      return std::nullopt;
    }
    const TypeName* known = find_type(type);
    if (known == nullptr) {
      add(FieldError::not_supported(at / "type", text_value(type), type_names()));
      return std::nullopt;
    }
    if (!types_.insert(std::string(type)).second && known->type != Type::kWebhook) {
      add(FieldError::duplicate(at / "type", text_value(type)));
      return std::nullopt;
    }
    check_name(text_of(from, "name"), at / "name");
    const Value* webhook = from.find("webhook");
    AuthorizationConfiguration::Authorizer out{.type = known->type.value_or(Type::kRbac),
                                               .name = std::string(text_of(from, "name"))};
    if (known->type == Type::kWebhook) {
      if (webhook == nullptr) {
        add(FieldError::required(at / "webhook", "required when type=Webhook"));
        return std::nullopt;
      }
      out.webhook = webhook_of(*webhook, at);
      return out;
    }
    if (webhook != nullptr) {
      add(FieldError::invalid(at / "webhook", text_value("non-null"),
                              "may only be specified when type=Webhook"));
    }
    if (!known->type) {
      errors_.push_back(unsupported(type));
      return std::nullopt;
    }
    return out;
  }

  void check_name(std::string_view name, const FieldPath& at) {
    if (name.empty()) {
      add(FieldError::required(at));
      return;
    }
    if (!names_.insert(std::string(name)).second) {
      add(FieldError::duplicate(at, text_value(name)));
    } else if (const auto wrong = meta::check_dns1123_subdomain(name); !wrong.empty()) {
      add(FieldError::invalid(
          at, text_value(name),
          fmt::format("authorizer name is invalid: {}", fmt::join(wrong, ", "))));
    }
  }

  // Zero when it is not there, or cannot be read.
  std::chrono::nanoseconds duration(const Value& from, std::string_view key) {
    const std::string_view text = text_of(from, key);
    if (text.empty()) return std::chrono::nanoseconds(0);
    const auto read = parse_go_duration(text);
    if (read) return *read;
    if (load_error_.empty()) load_error_ = read.error().message();
    return std::chrono::nanoseconds(0);
  }

  // The path of a webhook's fields is that of the authorizer, as kube-apiserver 1.36 has it.
  AuthorizationWebhook webhook_of(const Value& from, const FieldPath& at) {
    AuthorizationWebhook out;
    out.timeout = duration(from, "timeout");
    if (out.timeout.count() == 0) {
      add(FieldError::required(at / "timeout"));
    } else if (out.timeout > kLongestTimeout || out.timeout.count() < 0) {
      add(FieldError::invalid(at / "timeout", text_value(format_go_duration(out.timeout)),
                              "must be > 0s and <= 30s"));
    }
    out.authorized_ttl = ttl(from, "authorizedTTL", out.authorized_ttl, at);
    out.unauthorized_ttl = ttl(from, "unauthorizedTTL", out.unauthorized_ttl, at);
    const auto is_off = [&from](std::string_view key) {
      return from.get(key).is_bool() && !from.get(key).as_bool();
    };
    if (is_off("cacheAuthorizedRequests")) out.authorized_ttl = {};
    if (is_off("cacheUnauthorizedRequests")) out.unauthorized_ttl = {};
    read_versions(from, at, out);
    const std::string_view policy = text_of(from, "failurePolicy");
    out.denies_on_failure = policy == "Deny";
    if (policy.empty()) {
      add(FieldError::required(at / "failurePolicy"));
    } else if (policy != "Deny" && policy != "NoOpinion") {
      const std::string known[] = {"NoOpinion", "Deny"};
      add(FieldError::not_supported(at / "failurePolicy", text_value(policy), known));
    }
    read_connection(from.get("connectionInfo"), at / "connectionInfo", out);
    read_conditions(from.get("matchConditions"), at / "matchConditions", out);
    return out;
  }

  std::chrono::nanoseconds ttl(const Value& from, std::string_view key,
                               std::chrono::nanoseconds fallback, const FieldPath& at) {
    const std::chrono::nanoseconds out = duration(from, key);
    if (out.count() == 0) return fallback;
    if (out.count() < 0)
      add(FieldError::invalid(at / key, text_value(format_go_duration(out)), "must be > 0s"));
    return out;
  }

  void read_versions(const Value& from, const FieldPath& at, AuthorizationWebhook& out) {
    constexpr std::string_view kSent = "subjectAccessReviewVersion";
    constexpr std::string_view kSeen = "matchConditionSubjectAccessReviewVersion";
    const std::string_view sent = text_of(from, kSent);
    out.version = sent == "v1beta1" ? AccessReviewVersion::kV1beta1 : AccessReviewVersion::kV1;
    if (sent.empty()) {
      add(FieldError::required(at / kSent));
    } else if (sent != "v1" && sent != "v1beta1") {
      const std::string known[] = {"v1", "v1beta1"};
      add(FieldError::not_supported(at / kSent, text_value(sent), known));
    }
    const std::string_view seen = text_of(from, kSeen);
    if (seen.empty()) {
      if (from.get("matchConditions").size() > 0)
        add(FieldError::required(at / kSeen, "required if match conditions are specified"));
    } else if (seen != "v1") {
      const std::string known[] = {"v1"};
      add(FieldError::not_supported(at / kSeen, text_value(seen), known));
    }
  }

  void read_connection(const Value& from, const FieldPath& at, AuthorizationWebhook& out) {
    const std::string_view type = text_of(from, "type");
    const Value* file = from.find("kubeConfigFile");
    if (type.empty()) {
      add(FieldError::required(at / "type"));
    } else if (type == "InClusterConfig") {
      if (file != nullptr) {
        add(FieldError::invalid(at / "kubeConfigFile", *file,
                                "can only be set when type=KubeConfigFile"));
      } else {
        add(FieldError::forbidden(at / "type", "InClusterConfig is not allowed for this server"));
      }
    } else if (type == "KubeConfigFile") {
      out.kubeconfig = file != nullptr ? text_of(*file) : std::string_view();
      check_kubeconfig(out.kubeconfig, at / "kubeConfigFile");
    } else {
      const std::string known[] = {"InClusterConfig", "KubeConfigFile"};
      FieldError error = FieldError::not_supported(at / "type", text_value(type), known);
      error.shown =
          fmt::format("apiserver.WebhookConnectionInfo{{Type:{}, KubeConfigFile:{}}}", quote(type),
                      file != nullptr ? quote(text_of(*file)) : "(*string)(nil)");
      add(error);
    }
  }

  void check_kubeconfig(const std::string& file, const FieldPath& at) {
    const auto invalid = [&](std::string why) {
      add(FieldError::invalid(at, text_value(file), std::move(why)));
    };
    struct stat found = {};
    if (file.empty()) {
      add(FieldError::required(at));
    } else if (!file.starts_with('/')) {
      invalid("must be an absolute path");
    } else if (::stat(file.c_str(), &found) != 0) {
      std::string why = std::strerror(errno);
      why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
      invalid(fmt::format("error loading file: stat {}: {}", file, why));
    } else if (!S_ISREG(found.st_mode)) {
      invalid("must be a regular file");
    }
  }

  void read_conditions(const Value& list, const FieldPath& at, AuthorizationWebhook& out) {
    if (list.size() > kMostConditions) {
      add(FieldError::too_many(at, static_cast<std::int64_t>(list.size()), kMostConditions));
      return;
    }
    if (!list.is_array()) return;
    std::set<std::string_view> seen;
    policy::AccessConditions compiled;
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      const std::string_view text = text_of(list.items()[i], "expression");
      const FieldPath here = at / i / "expression";
      if (trim_unicode(text).empty()) {
        add(FieldError::required(here));
      } else if (!seen.insert(text).second) {
        add(FieldError::duplicate(here, text_value(text)));
      } else if (std::string fault = compiled.add(text); !fault.empty()) {
        add(FieldError::invalid(here, text_value(text), std::move(fault)));
      } else {
        out.conditions.emplace_back(text);
      }
    }
  }

  std::string load_error_;
  std::vector<std::string> errors_;
  std::set<std::string> types_;
  std::set<std::string> names_;
};

std::unexpected<Error> not_loaded(std::string_view why) {
  return fail(Code::kInvalid, "failed to load AuthorizationConfiguration from file: {}", why);
}

// That the file is one of ours, in a version that there is.
Result<> check_type(const Value& root) {
  if (!root.is_object()) return not_loaded("want an object");
  const std::string_view kind = text_of(root, "kind");
  const std::string_view api_version = text_of(root, "apiVersion");
  if (kind.empty()) return not_loaded("Object 'Kind' is missing");
  if (api_version.empty()) return not_loaded("Object 'apiVersion' is missing");
  for (const std::string_view version : {"v1", "v1beta1", "v1alpha1"}) {
    if (kind == "AuthorizationConfiguration" &&
        api_version == fmt::format("{}/{}", kConfigGroup, version))
      return {};
  }
  return not_loaded(
      fmt::format("no kind {} is registered for version {} in scheme "
                  "\"k8s.io/apiserver/pkg/apis/apiserver/load/load.go:31\"",
                  quote(kind), quote(api_version)));
}

// Types other than Webhook are called by their own names.
std::vector<std::string> name_faults(const AuthorizationConfiguration& configuration) {
  std::vector<std::string> out;
  for (const auto& one : configuration.authorizers) {
    if (one.type == Type::kWebhook) continue;
    const std::string expected = meta::to_lower_ascii(type_name(one.type));
    if (one.name != expected)
      out.push_back(fmt::format("expected name {} for authorizer {} instead of {}", expected,
                                type_name(one.type), one.name));
  }
  return out;
}

std::unexpected<Error> all_of(std::span<const std::string> errors) {
  return fail(Code::kInvalid, "{}", policy::join_errors(errors));
}

}  // namespace

Result<AuthorizationConfiguration> AuthorizationConfiguration::read(std::string_view text,
                                                                    const std::string& file) {
  const auto in_file = [&file](std::unexpected<Error> error) {
    return std::unexpected(std::move(error).error().in(file));
  };
  if (text.size() > kMostConfigBytes)
    return in_file(not_loaded(fmt::format("more than {} bytes", kMostConfigBytes)));
  Result<value::Document> document = value::read_yaml(text, value::ReadOptions::as_api_server());
  if (!document) return in_file(not_loaded(document.error().message()));
  Value& root = document->root();
  // As in kube-apiserver 1.36, an empty file says nothing, which is then not enough.
  if (!root.is_null() || !trim(text).empty()) {
    if (const auto checked = check_type(root); !checked)
      return in_file(std::unexpected(checked.error()));
    std::vector<std::string> unknown;
    if (const auto shaped = meta::read_shape(root, kConfiguration, document->arena(),
                                             {.unknown = &unknown, .prefix = {}});
        !shaped)
      return in_file(not_loaded(shaped.error().message()));
    for (std::string& one : unknown) one = fmt::format("unknown field {}", quote(one));
    if (!unknown.empty())
      return in_file(
          not_loaded(fmt::format("strict decoding error: {}", fmt::join(unknown, ", "))));
  }
  ConfigurationReader reader;
  AuthorizationConfiguration out = reader.read(root);
  if (!reader.load_error().empty()) return in_file(not_loaded(reader.load_error()));
  if (!reader.errors().empty()) return in_file(all_of(reader.errors()));
  if (const auto wrong = name_faults(out); !wrong.empty()) return in_file(all_of(wrong));
  return out;
}

bool AuthorizationConfiguration::has(Type type) const {
  return std::ranges::find(authorizers, type, &Authorizer::type) != authorizers.end();
}

Result<> AuthorizationConfiguration::check_follows(const AuthorizationConfiguration& before) const {
  std::vector<std::string_view> missing;
  for (const TypeName& one : kTypes) {
    if (one.type && one.type != Type::kWebhook && before.has(*one.type) && !has(*one.type))
      missing.push_back(one.name);
  }
  if (!missing.empty())
    return fail(Code::kInvalid, "missing required types: [{}]", fmt::join(missing, " "));
  if (has(Type::kRbac) && !before.has(Type::kRbac))
    return fail(Code::kInvalid,
                "authorizer type RBAC is not allowed if it was not enabled at initial server "
                "startup");
  return {};
}

Result<AuthorizationConfiguration> AuthorizationFlags::to_configuration() const {
  AuthorizationConfiguration out;
  std::vector<std::string> errors;
  std::set<std::string_view> seen;
  bool repeated = false;
  for (const std::string& mode : modes) {
    const TypeName* known = find_type(mode);
    if (known == nullptr) {
      errors.push_back(fmt::format("authorization-mode {} is not a valid mode", quote(mode)));
      continue;
    }
    if (!known->type) {
      errors.push_back(unsupported(mode));
      continue;
    }
    repeated = !seen.insert(known->name).second || repeated;
    AuthorizationConfiguration::Authorizer one{.type = *known->type,
                                               .name = meta::to_lower_ascii(known->name)};
    if (one.type == Type::kWebhook) {
      if (webhook_config_file.empty())
        errors.emplace_back("authorization-mode Webhook's authorization config file not passed");
      one.name = "default";
      one.webhook =
          AuthorizationWebhook{.authorized_ttl = authorized_ttl,
                               .unauthorized_ttl = unauthorized_ttl,
                               .version = webhook_version == "v1" ? AccessReviewVersion::kV1
                                                                  : AccessReviewVersion::kV1beta1,
                               .kubeconfig = webhook_config_file};
    }
    out.authorizers.push_back(std::move(one));
  }
  if (!webhook_config_file.empty() && !out.has(Type::kWebhook))
    errors.emplace_back("cannot specify --authorization-webhook-config-file without mode Webhook");
  if (repeated)
    errors.push_back(
        fmt::format("authorization-mode {} has mode specified more than once", quote_list(modes)));
  if (webhook_version != "v1" && webhook_version != "v1beta1")
    errors.push_back(fmt::format(
        "unsupported webhook authorizer version {}, supported versions are \"v1\", \"v1beta1\"",
        quote(webhook_version)));
  if (!errors.empty()) return all_of(errors);
  if (out.authorizers.empty()) out.authorizers.push_back({.type = Type::kRbac, .name = "rbac"});
  return out;
}

}  // namespace strake::auth
