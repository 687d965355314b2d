#include "api/crd_hooks.h"

#include "crd/check.h"
#include "crd/crd.h"
#include "crd/crd_shape.h"
#include "kinds/derive.h"
#include "meta/names.h"
#include "rules/crd_rules.h"
#include "value/document.h"

namespace strake::api {
namespace {

using value::Document;
using value::FieldErrors;
using value::Value;

// What comes here has been decoded already, so a look at it will do. Only what was stored by
// somebody else may have to be read anew.
Result<crd::Crd> as_crd(const Value& object) {
  if (crd::is_canonical(object)) return crd::Crd::view(object);
  Document document;
  document.root() = value::deep_copy(object, document.arena());
  return crd::Crd::read(std::move(document));
}

FieldErrors unreadable(const Error& error) {
  return {value::FieldError::internal(FieldPath(), error.message())};
}

void keep_member(Value& object, const Value& old, std::string_view key, Arena& arena) {
  if (const Value* kept = old.find(key)) {
    object.set(key, value::deep_copy(*kept, arena), arena);
  } else {
    object.remove(key);
  }
}

class CrdHooks final : public kinds::Hooks {
 public:
  const meta::Shape& shape() const override { return crd::kCrdShape; }
  meta::Messages check_name(std::string_view name, bool prefix) const override {
    return meta::name_is_dns_subdomain(name, prefix);
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    if (crd::is_canonical(object)) crd::fill_defaults(object, arena);
  }
  void prepare_create(Value& object, Arena& arena) const override {
    if (crd::is_canonical(object)) crd::prepare_for_create(object, arena);
  }
  void prepare_update(Value& object, const Value& old, Arena& arena) const override {
    if (crd::is_canonical(object) && crd::is_canonical(old))
      crd::prepare_for_update(object, old, arena);
  }
  FieldErrors validate_create(const Value& object) const override {
    const auto crd = as_crd(object);
    if (!crd) return unreadable(crd.error());
    rules::CrdRules rules;
    return crd::check_create(*crd, &rules);
  }
  FieldErrors validate_update(const Value& object, const Value& old) const override {
    const auto crd = as_crd(object);
    const auto before = as_crd(old);
    if (!crd) return unreadable(crd.error());
    if (!before) return unreadable(before.error());
    rules::CrdRules rules;
    return crd::check_update(*crd, *before, &rules);
  }
  // The status endpoint of CRDs may change metadata too.
  void prepare_status(Value& object, const Value& old, Arena& arena) const override {
    keep_member(object, old, "spec", arena);
  }
  FieldErrors validate_status(const Value& object, const Value& old) const override {
    const auto crd = as_crd(object);
    const auto before = as_crd(old);
    if (!crd) return unreadable(crd.error());
    if (!before) return unreadable(before.error());
    return crd::check_status_update(*crd, *before);
  }
  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    const auto crd = as_crd(object);
    if (!crd) return {};
    if (old == nullptr) return crd::format_warnings(*crd);
    const auto before = as_crd(*old);
    return before ? crd::format_warnings(*crd, &*before) : std::vector<std::string>();
  }

  std::span<const kinds::Column> columns() const override {
    static const std::vector<kinds::Column> kColumns = {
        {.name = "Name", .type = "string", .format = "name", .description = kNameText},
        {.name = "Created At", .type = "date", .description = kCreatedText},
    };
    return kColumns;
  }
  void cells(const Value& object, WallTime, std::vector<Value>& out, Arena&) const override {
    const Value* metadata = object.find("metadata");
    const auto text = [&](std::string_view key) {
      const Value* v = metadata != nullptr ? metadata->find(key) : nullptr;
      return v != nullptr ? *v : Value::string("");
    };
    out.push_back(text("name"));
    out.push_back(text("creationTimestamp"));
  }
  std::span<const std::string_view> field_labels() const override { return {}; }
  std::string field(const Value&, std::string_view) const override { return {}; }
  const patch::MergeFields& merge_fields() const override {
    static const patch::MergeFields& fields = kinds::merge_fields_of(kinds::described_type(
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition"));
    return fields;
  }

 private:
  static constexpr const char* kNameText =
      "Name must be unique within a namespace. Is required when creating resources, although some "
      "resources may allow a "
      "client to request the generation of an appropriate name automatically. Name is primarily "
      "intended for creation "
      "idempotence and configuration definition. Cannot be updated. More info: "
      "https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
  static constexpr const char* kCreatedText =
      "CreationTimestamp is a timestamp representing the server time when this object was created. "
      "It is not guaranteed "
      "to be set in happens-before order across separate operations. Clients may not set this "
      "value. It is represented in "
      "RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More "
      "info: "
      "https://git.k8s.io/community/contributors/devel/sig-architecture/"
      "api-conventions.md#metadata";
};

}  // namespace

const kinds::Hooks& crd_hooks() {
  static const CrdHooks hooks;
  return hooks;
}

void settle_accepted_crd(Document& document) {
  if (crd::is_canonical(document.root())) crd::settle_defaults(document.root(), document.arena());
}

}  // namespace strake::api
