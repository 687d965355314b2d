#include "api/controllers/crd_strategy.h"

#include "api/controllers/conditions.h"
#include "crd/check.h"
#include "crd/crd.h"
#include "crd/crd_shape.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"
#include "rules/crd_rules.h"
#include "value/document.h"

namespace strake::api {
namespace {

using kinds::WriteRequest;
using meta::ObjectMeta;
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

class CrdStrategy final : public kinds::BuiltinStrategy {
 public:
  CrdStrategy()
      : BuiltinStrategy(
            "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
            crd::kCrdShape) {}

  void apply_defaults(Value& object, Arena& arena) const override {
    if (crd::is_canonical(object)) crd::fill_defaults(object, arena);
  }
  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    if (crd::is_canonical(object)) crd::prepare_for_create(object, arena);
  }
  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    if (crd::is_canonical(object) && crd::is_canonical(old))
      crd::prepare_for_update(object, old, arena);
  }
  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    const auto crd = as_crd(object);
    if (!crd) return unreadable(crd.error());
    rules::CrdRules rules;
    return crd::check_create(*crd, &rules);
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    const auto crd = as_crd(object);
    const auto before = as_crd(old);
    if (!crd) return unreadable(crd.error());
    if (!before) return unreadable(before.error());
    rules::CrdRules rules;
    return crd::check_update(*crd, *before, &rules);
  }
  // The status endpoint of CRDs may change metadata too: prepare_status keeps the spec alone.
  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
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
  // Defaults of embedded resources in canonical form.
  void after_accept(Value& object, Arena& arena) const override {
    if (crd::is_canonical(object)) crd::settle_defaults(object, arena);
  }

  kinds::Deletion prepare_delete(Value& object, bool already_deleting, Arena& arena,
                                 const WriteRequest& request) const override {
    const ObjectMeta metadata = ObjectMeta::of(object);
    const bool marked = metadata.has_finalizer(kCrdCleanup);
    if (already_deleting) return {.held = marked, .refused = {}};
    // kube-apiserver 1.36 leaves the generation alone here, and sets no grace period.
    if (!marked) {
      Value list = Value::array({});
      for (const std::string_view one : metadata.finalizers())
        list.append(Value::string(one), arena);
      list.append(Value::string(kCrdCleanup), arena);
      resource::set_meta(object, "finalizers", list, arena);
    }
    resource::set_meta(object, "deletionTimestamp", Value::string(arena.copy(request.now)), arena);
    set_condition(object, arena,
                  {.type = "Terminating",
                   .status = "True",
                   .reason = "InstanceDeletionPending",
                   .message = "CustomResourceDefinition marked for deletion; CustomResource "
                              "deletion will begin soon"},
                  request.now);
    return {.held = true, .refused = {}};
  }
  bool decides_what_is_served() const override { return true; }
};

}  // namespace

const kinds::BuiltinStrategy& crd_strategy() {
  static const CrdStrategy strategy;
  return strategy;
}

}  // namespace strake::api
