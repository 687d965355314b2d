#include <vector>

#include "base/base64.h"
#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/data_keys.h"
#include "kinds/fields.h"
#include "kinds/tls_pair.h"
#include "value/json_reader.h"
#include "value/members.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::string_view kServiceAccountNameKey = "kubernetes.io/service-account.name";
constexpr std::string_view kTlsType = "kubernetes.io/tls";

bool has_key(const Value& object, std::string_view key) {
  const Value* data = member(object, "data");
  return data != nullptr && data->find(key) != nullptr;
}

// The bytes behind a key; nothing when it is absent.
std::string bytes_of(const Value& object, std::string_view key) {
  auto bytes = base64_decode(text_of(object, {"data", key}));
  return bytes ? *std::move(bytes) : std::string();
}

FieldPath at_key(std::string_view key) { return (FieldPath() / "data").key(key); }

// The content must be a JSON object. What it holds is not repeated in the error.
void check_docker_config(const Value& object, std::string_view key, FieldErrors& errors) {
  if (!has_key(object, key)) {
    errors.push_back(FieldError::required(at_key(key)));
    return;
  }
  const auto refuse = [&](std::string why) {
    errors.push_back(FieldError::invalid(at_key(key), Value::string("<secret contents redacted>"),
                                         std::move(why)));
  };
  const std::string bytes = bytes_of(object, key);
  const auto config = value::read_json(bytes);
  if (!config) return refuse(config.error().message());
  if (!config->root().is_object() && !config->root().is_null()) {
    const value::Type type = config->root().type();
    std::string_view word = value::to_string(type);
    if (type == value::Type::kBool) word = "bool";
    if (config->root().is_number()) word = "number";
    refuse("json: cannot unmarshal " + std::string(word) +
           " into Go value of type map[string]interface {}");
  }
}

// What the types that the server knows must hold.
void check_type(const Value& object, FieldErrors& errors) {
  const std::string_view type = text_of(object, "type");
  const auto require = [&](std::string_view key) {
    errors.push_back(FieldError::required(at_key(key)));
  };
  if (type == "kubernetes.io/service-account-token") {
    if (text_of(object, {"metadata", "annotations", kServiceAccountNameKey}).empty()) {
      errors.push_back(FieldError::required(
          (FieldPath() / "metadata" / "annotations").key(kServiceAccountNameKey)));
    }
  } else if (type == "kubernetes.io/dockercfg") {
    check_docker_config(object, ".dockercfg", errors);
  } else if (type == "kubernetes.io/dockerconfigjson") {
    check_docker_config(object, ".dockerconfigjson", errors);
  } else if (type == "kubernetes.io/basic-auth") {
    if (!has_key(object, "username") && !has_key(object, "password")) {
      require("username");
      require("password");
    }
  } else if (type == "kubernetes.io/ssh-auth") {
    if (text_of(object, {"data", "ssh-privatekey"}).empty()) require("ssh-privatekey");
  } else if (type == kTlsType) {
    if (!has_key(object, "tls.crt")) require("tls.crt");
    if (!has_key(object, "tls.key")) require("tls.key");
  }
}

class SecretStrategy final : public BuiltinStrategy {
 public:
  SecretStrategy() : BuiltinStrategy("io.k8s.api.core.v1.Secret") {
    set_columns(
        {name_column(),
         {.name = "Type", .type = "string", .description = "What the secret is for."},
         {.name = "Data", .type = "string", .description = "How many entries the secret has."},
         age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    if (text_of(object, "type").empty()) object.set("type", Value::string("Opaque"), arena);
    // Moving plain text into data is part of reading a secret: nothing behind it ever sees
    // stringData.
    const auto plain = members(object, "stringData");
    if (!plain.empty()) {
      Value* data = object.find("data");
      if (data == nullptr || !data->is_object())
        data = &object.set("data", Value::object({}), arena);
      std::vector<Member> encoded;
      for (const Member& entry : members(object, "stringData")) {
        encoded.push_back(
            {entry.key, Value::string(arena.copy(base64_encode(entry.value.as_string())))});
      }
      value::set_members(*data, encoded, arena);
    }
    object.remove("stringData");
  }

  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    if (text_of(object, "type").empty()) keep_member(object, old, "type", arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    std::size_t bytes = 0;
    for (const Member& entry : members(object, "data")) {
      for (const std::string& message : check_data_key(entry.key))
        errors.push_back(FieldError::invalid(at_key(entry.key), Value::string(entry.key), message));
      bytes += base64_bytes(entry.value.as_string());
    }
    if (bytes > kMaxDataBytes)
      errors.push_back(FieldError::too_long(FieldPath() / "data", kMaxDataBytes));
    check_type(object, errors);
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors;
    if (text_of(object, "type") != text_of(old, "type")) {
      errors.push_back(FieldError::invalid(
          FieldPath() / "type", Value::string(text_of(object, "type")), "field is immutable"));
    }
    if (flag_of(old, "immutable")) {
      const auto forbid = [&](std::string_view name) {
        errors.push_back(FieldError::forbidden(FieldPath() / name, std::string(kImmutableDetail)));
      };
      if (!flag_of(object, "immutable")) forbid("immutable");
      if (!same_member(object, old, "data")) forbid("data");
    }
    FieldErrors more = validate_create(object, request);
    errors.append(std::move(more));
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    if (text_of(object, "type") != kTlsType) return {};
    if (auto why = tls_pair_fault(bytes_of(object, "tls.crt"), bytes_of(object, "tls.key")))
      return {*std::move(why)};
    return {};
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), Value::string(text_of(object, "type")),
           Value::integer(static_cast<std::int64_t>(members(object, "data").size())),
           age_cell(object, now, arena)};
  }

  std::span<const std::string_view> field_labels() const override {
    static constexpr std::string_view kLabels[] = {"type"};
    return kLabels;
  }
  std::string field(const Value& object, std::string_view label) const override {
    return label == "type" ? std::string(text_of(object, "type")) : "";
  }
};

}  // namespace

const BuiltinStrategy& secret_strategy() {
  static const SecretStrategy& strategy = *new SecretStrategy();
  return strategy;
}

}  // namespace strake::kinds
