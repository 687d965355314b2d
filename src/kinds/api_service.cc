#include <fmt/format.h>

#include "base/quote.h"
#include "crd/webhook_client.h"
#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/data_keys.h"
#include "kinds/fields.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::int64_t kMaxGroupPriority = 20000;
constexpr std::int64_t kMaxVersionPriority = 1000;

const Value* condition_of(const Value& object, std::string_view type) {
  const Value* status = member(object, "status");
  if (status == nullptr) return nullptr;
  for (const Value& one : items(*status, "conditions")) {
    if (text_of(one, "type") == type) return &one;
  }
  return nullptr;
}

void check_name(const Value& object, const Value& spec, FieldErrors& errors) {
  const std::string_view name = meta::ObjectMeta::of(object).name();
  const std::string wanted = fmt::format("{}.{}", text_of(spec, "version"), text_of(spec, "group"));
  if (name.empty() || name == wanted || !meta::check_path_segment_name(name).empty()) return;
  errors.push_back(FieldError::invalid(
      FieldPath() / "metadata" / "name", Value::string(name),
      fmt::format("must be `spec.version+\".\"+spec.group`: {}", quote(wanted))));
}

void check_priority(const Value& spec, std::string_view key, std::int64_t max,
                    FieldErrors& errors) {
  const std::int64_t priority = integer(spec, key);
  if (priority > 0 && priority <= max) return;
  errors.push_back(FieldError::invalid(FieldPath() / "spec" / key, Value::integer(priority),
                                       fmt::format("must be positive and less than {}", max)));
}

void check_local(const Value& spec, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "spec";
  if (const std::string_view bundle = text_of(spec, "caBundle"); !bundle.empty()) {
    const std::string size = fmt::format("{} bytes", base64_bytes(bundle));
    errors.push_back(FieldError::invalid(at / "caBundle", Value::string(size),
                                         "local APIServices may not have a caBundle"));
  }
  if (flag_of(spec, "insecureSkipTLSVerify")) {
    errors.push_back(FieldError::invalid(at / "insecureSkipTLSVerify", Value::boolean(true),
                                         "local APIServices may not have insecureSkipTLSVerify"));
  }
}

void check_service(const Value& spec, const Value& service, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "spec" / "service";
  if (text_of(service, "namespace").empty())
    errors.push_back(FieldError::required(at / "namespace"));
  if (text_of(service, "name").empty()) errors.push_back(FieldError::required(at / "name"));
  const std::int64_t port = integer(service, "port");
  if (const auto messages = meta::check_port(port); !messages.empty()) {
    errors.push_back(FieldError::invalid(at / "port", Value::integer(port),
                                         "port is not valid: " + meta::join(messages, ", ")));
  }
  if (flag_of(spec, "insecureSkipTLSVerify") && !text_of(spec, "caBundle").empty()) {
    errors.push_back(FieldError::invalid(FieldPath() / "spec" / "insecureSkipTLSVerify",
                                         Value::boolean(true),
                                         "may not be true if caBundle is present"));
  }
}

class ApiServiceStrategy final : public BuiltinStrategy {
 public:
  ApiServiceStrategy()
      : BuiltinStrategy("io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService") {
    set_columns({name_column(),
                 {.name = "Service",
                  .type = "string",
                  .description = "The reference to the service that hosts this API endpoint."},
                 {.name = "Available",
                  .type = "string",
                  .description = "Whether this service is available."},
                 age_column()});
  }

  meta::Messages check_name(std::string_view name, bool) const override {
    return meta::check_path_segment_name(name);
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value* spec = object.find("spec");
    Value* service = spec != nullptr ? spec->find("service") : nullptr;
    if (service != nullptr && service->is_object() && service->find("port") == nullptr)
      service->set("port", Value::integer(crd::kDefaultServicePort), arena);
  }

  // An API that this server serves itself is there from the start.
  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    Value& status = object.set("status", Value::object({}), arena);
    if (member(object, {"spec", "service"}) != nullptr) return;
    Value available = Value::object({});
    available.set("lastTransitionTime",
                  Value::string(meta::ObjectMeta::of(object).creation_timestamp()), arena);
    available.set("message", Value::string("Local APIServices are always available"), arena);
    available.set("reason", Value::string("Local"), arena);
    available.set("status", Value::string("True"), arena);
    available.set("type", Value::string("Available"), arena);
    Value conditions = Value::array({});
    conditions.append(available, arena);
    status.set("conditions", conditions, arena);
  }

  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    keep_member(object, old, "status", arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const Value* found = member(object, "spec");
    const Value none = Value::object({});
    const Value& spec = found != nullptr ? *found : none;
    kinds::check_name(object, spec, errors);
    const FieldPath at = FieldPath() / "spec";
    const std::string_view group = text_of(spec, "group");
    const std::string_view version = text_of(spec, "version");
    if (group.empty() && version != "v1") {
      errors.push_back(FieldError::required(
          at / "group", "only v1 may have an empty group and it better be legacy kube"));
    }
    if (!group.empty())
      add_messages(meta::check_dns1123_subdomain(group), group, at / "group", errors);
    add_messages(meta::check_dns1035_label(version), version, at / "version", errors);
    check_priority(spec, "groupPriorityMinimum", kMaxGroupPriority, errors);
    check_priority(spec, "versionPriority", kMaxVersionPriority, errors);
    if (const Value* service = member(spec, "service")) {
      check_service(spec, *service, errors);
    } else {
      check_local(spec, errors);
    }
    return errors;
  }

  void prepare_status(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    keep_member(object, old, "spec", arena);
    Value* metadata = object.find("metadata");
    const Value* before = old.find("metadata");
    if (metadata == nullptr || before == nullptr || !metadata->is_object()) return;
    for (const std::string_view key : {"labels", "annotations", "finalizers", "ownerReferences"})
      keep_member(*metadata, *before, key, arena);
  }

  FieldErrors validate_status(const Value& object, const Value&,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const Value* status = member(object, "status");
    if (status == nullptr) return errors;
    const auto conditions = items(*status, "conditions");
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      check_one_of(conditions[i], "status", {"True", "False", "Unknown"},
                   FieldPath() / "status" / "conditions" / i, errors);
    }
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    std::string service = "Local";
    if (const Value* found = member(object, {"spec", "service"}))
      service = fmt::format("{}/{}", text_of(*found, "namespace"), text_of(*found, "name"));
    std::string available = "Unknown";
    if (const Value* condition = condition_of(object, "Available")) {
      available = text_of(*condition, "status");
      const std::string_view reason = text_of(*condition, "reason");
      if (available != "True" && !reason.empty()) available += fmt::format(" ({})", reason);
    }
    out = {name_cell(object), Value::string(arena.copy(service)),
           Value::string(arena.copy(available)), age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& api_service_strategy() {
  static const ApiServiceStrategy& strategy = *new ApiServiceStrategy();
  return strategy;
}

}  // namespace strake::kinds
