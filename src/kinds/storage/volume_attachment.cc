// VolumeAttachments.
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/resource_names.h"
#include "kinds/storage/persistent_volume_spec.h"
#include "kinds/storage/strategies.h"
#include "kinds/storage/table_cells.h"
#include "kinds/storage/volume_fields.h"
#include "kinds/storage/volume_sources.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kOneSource =
    "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

const FieldPath& at_attachment_spec() {
  static const FieldPath path = FieldPath() / "spec";
  return path;
}

void check_attachment_source(const Value& source, FieldErrors& errors) {
  const FieldPath at = at_attachment_spec() / "source";
  const Value* name = member(source, "persistentVolumeName");
  const Value* inline_spec = member(source, "inlineVolumeSpec");
  if (name == nullptr && inline_spec == nullptr) {
    errors.push_back(FieldError::required(at, std::string(kOneSource)));
  } else if (name != nullptr && inline_spec != nullptr) {
    errors.push_back(FieldError::forbidden(at, std::string(kOneSource)));
  } else if (name != nullptr) {
    if (name->size() == 0) {
      errors.push_back(FieldError::required(at / "persistentVolumeName",
                                            "must specify non empty persistentVolumeName"));
    }
  } else {
    check_inline_volume_spec(*inline_spec, at / "inlineVolumeSpec", errors);
  }
  if (name == nullptr) return;
  const std::string_view text = value::text_of(*name);
  add_messages(meta::name_is_dns_subdomain(text, false), text, at / "persistentVolumeName", errors);
}

void check_attachment_error(const Value& status, std::string_view key, FieldErrors& errors) {
  constexpr std::size_t kMostBytes = 1024;
  const Value* error = member(status, key);
  if (error == nullptr) return;
  const FieldPath at = FieldPath() / "status" / key;
  if (text_of(*error, "message").size() > kMostBytes)
    errors.push_back(FieldError::too_long(at / "message", kMostBytes));
  const std::int64_t code = integer(*error, "errorCode");
  if (code < 0) {
    errors.push_back(FieldError::invalid(at / "errorCode", Value::integer(code),
                                         "must be between 0 and 2147483647, inclusive"));
  }
}

void check_reported(const Value& object, FieldErrors& errors) {
  constexpr std::size_t kMostBytes = 256 << 10;
  const Value* status = member(object, "status");
  if (status == nullptr) return;
  std::size_t bytes = 0;
  for (const value::Member& one : members(*status, "attachmentMetadata"))
    bytes += one.key.size() + value::text_of(one.value).size();
  if (bytes > kMostBytes) {
    errors.push_back(
        FieldError::too_long(FieldPath() / "status" / "attachmentMetadata", kMostBytes));
  }
  check_attachment_error(*status, "attachError", errors);
  check_attachment_error(*status, "detachError", errors);
}

class VolumeAttachmentStrategy final : public StatusStrategy {
 public:
  VolumeAttachmentStrategy()
      : StatusStrategy("io.k8s.api.storage.v1.VolumeAttachment", Keeps::kMetadata) {
    Column attacher = text_column("Attacher", "The driver that attaches the volume.");
    attacher.format = "name";
    set_columns({name_column(), std::move(attacher),
                 text_column("PV", "The volume that is to be attached."),
                 text_column("Node", "The node that it is to be attached to."),
                 flag_column("Attached", "Whether the volume is attached."), age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value* spec = object.find("spec");
    Value* source = spec != nullptr ? spec->find("source") : nullptr;
    Value* inline_spec = source != nullptr ? source->find("inlineVolumeSpec") : nullptr;
    if (inline_spec == nullptr || !inline_spec->is_object()) return;
    round_amounts(*inline_spec, "capacity", arena);
    apply_volume_source_defaults(*inline_spec, arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    Value status = Value::object({});
    status.set("attached", Value::boolean(false), arena);
    object.set("status", status, arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const Value& spec = object.get("spec");
    check_driver_name(text_of(spec, "attacher"), at_attachment_spec() / "attacher", errors);
    check_attachment_source(spec.get("source"), errors);
    const std::string_view node = text_of(spec, "nodeName");
    add_messages(meta::name_is_dns_subdomain(node, false), node, at_attachment_spec() / "nodeName",
                 errors);
    check_reported(object, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors = validate_create(object, request);
    check_spec_stays(object, old, errors);
    return errors;
  }
  // All of it is checked again.
  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    return validate_update(object, old, request);
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object),
           Value::string(text_of(object, {"spec", "attacher"})),
           Value::string(text_of(object, {"spec", "source", "persistentVolumeName"})),
           Value::string(text_of(object, {"spec", "nodeName"})),
           Value::boolean(value::flag_of(object.get("status"), "attached")),
           age_cell(object, now, arena)};
  }

 private:
  static void check_spec_stays(const Value& object, const Value& old, FieldErrors& errors) {
    if (same_member(object, old, "spec")) return;
    errors.push_back(
        {.type = FieldError::Type::kInvalid,
         .path = at_attachment_spec(),
         .shown = show_go_struct(&object.get("spec"),
                                 described_type("io.k8s.api.storage.v1.VolumeAttachmentSpec")),
         .detail = "field is immutable",
         .first = std::nullopt});
  }
};

}  // namespace

const BuiltinStrategy& volume_attachment_strategy() {
  static const VolumeAttachmentStrategy& strategy = *new VolumeAttachmentStrategy();
  return strategy;
}

}  // namespace strake::kinds
