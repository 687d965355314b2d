#include "crd/crd.h"

#include <fmt/format.h>

#include <algorithm>

#include "crd/crd_shape.h"
#include "crd/webhook_client.h"
#include "schema/compile.h"
#include "value/fields.h"

namespace strake::crd {
namespace {

using value::Value;

std::vector<std::string_view> texts(const Value& v, std::string_view key) {
  std::vector<std::string_view> out;
  const Value* found = v.find(key);
  if (found == nullptr || !found->is_array()) return out;
  for (const Value& item : found->items()) out.push_back(value::text_of(item));
  return out;
}

Names names_of(const Value* v) {
  if (v == nullptr) return {};
  return {.plural = text_of(*v, "plural"),
          .singular = text_of(*v, "singular"),
          .kind = text_of(*v, "kind"),
          .list_kind = text_of(*v, "listKind"),
          .short_names = texts(*v, "shortNames"),
          .categories = texts(*v, "categories")};
}

// A version stays in storedVersions once objects may have been written in it. Only a change of the
// status takes it out again, after those objects were migrated.
void note_stored_version(Value& crd, Arena& arena) {
  const Value* versions = crd.get("spec").find("versions");
  if (versions == nullptr || !versions->is_array()) return;
  Value& status = crd.object_at("status", arena);
  for (const Value& version : versions->items()) {
    if (!flag_of(version, "storage")) continue;
    const std::string_view name = text_of(version, "name");
    const auto stored = texts(status, "storedVersions");
    if (std::find(stored.begin(), stored.end(), name) == stored.end()) {
      Value* list = status.find("storedVersions");
      if (list == nullptr || !list->is_array())
        list = &status.set("storedVersions", Value::array({}), arena);
      list->append(Value::string(name), arena);
    }
    return;
  }
}

}  // namespace

bool Version::has_status() const {
  return subresources_ != nullptr && subresources_->find("status") != nullptr;
}
bool Version::has_scale() const {
  return subresources_ != nullptr && subresources_->find("scale") != nullptr;
}

Result<schema::NodePtr> Version::compiled() const {
  if (schema_ == nullptr) return schema::NodePtr();
  const std::lock_guard lock(lazy_->mutex);
  if (!lazy_->node) lazy_->node = schema::compile(*schema_);
  return *lazy_->node;
}

Result<Crd> Crd::read(value::Document document, std::vector<std::string>* unknown) {
  Crd out(std::move(document));
  auto done = meta::read_shape(out.document_.root(), kCrdShape, out.document_.arena(),
                               {.from_text = true, .unknown = unknown, .prefix = {}});
  if (!done) {
    if (done.error().code() != Code::kBadRequest) return std::unexpected(std::move(done).error());
    return fail(Code::kBadRequest,
                "CustomResourceDefinition in version \"v1\" cannot be handled as a "
                "CustomResourceDefinition: {}",
                done.error().message());
  }
  fill_defaults(out.document_.root(), out.document_.arena());
  out.index();
  return out;
}

Crd Crd::view(const Value& canonical) {
  Crd out{value::Document()};
  out.document_.root() = canonical;
  out.index();
  return out;
}

// A quick test and no proof: it looks for parts that fill_defaults() and the status strategy always
// leave behind.
bool is_canonical(const Value& crd) {
  const auto is_object = [](const Value* v) { return v != nullptr && v->is_object(); };
  const Value* spec = crd.find("spec");
  return is_object(spec) && is_object(spec->find("names")) && is_object(crd.find("status"));
}

void fill_defaults(Value& crd, Arena& arena) {
  Value& spec = crd.object_at("spec", arena);
  Value& names = spec.object_at("names", arena);
  const std::string_view kind = text_of(names, "kind");
  if (text_of(names, "singular").empty() && !kind.empty()) {
    names.set("singular", Value::string(arena.copy(meta::to_lower_ascii(kind))), arena);
  }
  if (text_of(names, "listKind").empty() && !kind.empty()) {
    names.set("listKind", Value::string(arena.copy(std::string(kind) + "List")), arena);
  }
  if (spec.find("conversion") == nullptr) {
    Value conversion = Value::object({});
    conversion.set("strategy", Value::string("None"), arena);
    spec.set("conversion", conversion, arena);
  }
  if (Value* webhook = spec.object_at("conversion", arena).find("webhook")) {
    Value* config = webhook->find("clientConfig");
    Value* service = config != nullptr ? config->find("service") : nullptr;
    if (service != nullptr && service->find("port") == nullptr)
      service->set("port", Value::integer(kDefaultServicePort), arena);
  }
  const Value* stored = crd.get("status").find("storedVersions");
  if (stored == nullptr || !stored->is_array() || stored->size() == 0)
    note_stored_version(crd, arena);
}

void prepare_for_create(Value& crd, Arena& arena) {
  Value status;
  // An empty status, in canonical form; there is nothing in it that could fail.
  (void)meta::read_shape(crd.set("status", status, arena), *kCrdShape.field("status")->shape,
                         arena);
  note_stored_version(crd, arena);
  if (Value* metadata = crd.find("metadata")) metadata->set("generation", Value::integer(1), arena);
}

void prepare_for_update(Value& crd, const Value& old, Arena& arena) {
  crd.set("status", value::deep_copy(old.get("status"), arena), arena);
  note_stored_version(crd, arena);
}

void Crd::prepare_for_create() {
  crd::prepare_for_create(document_.root(), document_.arena());
  index();
}

void Crd::prepare_for_update(const Crd& old) {
  crd::prepare_for_update(document_.root(), old.value(), document_.arena());
  index();
}

void Crd::assume_served() {
  const Value* conditions = document_.root().get("status").find("conditions");
  if (conditions != nullptr && conditions->is_array() && conditions->size() > 0) return;
  prepare_for_create();
  Arena& arena = document_.arena();
  Value established = Value::object({});
  established.set("type", Value::string("Established"), arena);
  established.set("status", Value::string("True"), arena);
  Value list = Value::array({});
  list.append(established, arena);
  document_.root().object_at("status", arena).set("conditions", list, arena);
}

void Crd::continue_from(Crd& old) {
  Value* metadata = document_.root().find("metadata");
  Value* before = old.document_.root().find("metadata");
  if (metadata == nullptr || before == nullptr) return;
  // A file may hold neither; any good one will do.
  if (text_of(*before, "resourceVersion").empty())
    before->set("resourceVersion", Value::string("1"), old.document_.arena());
  for (const std::string_view key : {"resourceVersion", "generation", "uid", "creationTimestamp",
                                     "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    if (key == "uid" && !text_of(*metadata, key).empty()) continue;
    if (const Value* kept = before->find(key)) {
      metadata->set(key, value::deep_copy(*kept, document_.arena()), document_.arena());
    } else {
      metadata->remove(key);
    }
  }
}

// Views and pointers into the document. Every edit of it must be followed by index(), which also
// drops compiled schemas.
void Crd::index() {
  const Value& root = document_.root();
  const Value& spec = root.get("spec");
  group_ = text_of(spec, "group");
  scope_ = text_of(spec, "scope");
  preserve_unknown_fields_ = flag_of(spec, "preserveUnknownFields");
  names_ = names_of(spec.find("names"));
  accepted_names_ = names_of(root.get("status").find("acceptedNames"));
  conversion_ = spec.find("conversion");
  versions_.clear();
  const Value* versions = spec.find("versions");
  if (versions == nullptr || !versions->is_array()) return;
  for (const Value& v : versions->items()) {
    Version one;
    one.name_ = text_of(v, "name");
    one.served_ = flag_of(v, "served");
    one.storage_ = flag_of(v, "storage");
    one.deprecated_ = flag_of(v, "deprecated");
    if (const Value* warning = v.find("deprecationWarning"))
      one.deprecation_warning_ = warning->as_string();
    one.schema_holder_ = v.find("schema");
    one.schema_ =
        one.schema_holder_ != nullptr ? one.schema_holder_->find("openAPIV3Schema") : nullptr;
    one.subresources_ = v.find("subresources");
    one.printer_columns_ = v.find("additionalPrinterColumns");
    one.selectable_fields_ = v.find("selectableFields");
    versions_.push_back(std::move(one));
  }
}

const Version* Crd::version(std::string_view name) const {
  const auto at = std::find_if(versions_.begin(), versions_.end(),
                               [&](const Version& v) { return v.name() == name; });
  return at != versions_.end() ? &*at : nullptr;
}

const Version* Crd::storage_version() const {
  const auto at = std::find_if(versions_.begin(), versions_.end(),
                               [](const Version& v) { return v.storage(); });
  return at != versions_.end() ? &*at : nullptr;
}

const Value* Crd::stored_versions() const {
  const Value* stored = document_.root().get("status").find("storedVersions");
  return stored != nullptr && stored->is_array() ? stored : nullptr;
}

bool Crd::condition_is_true(std::string_view type) const {
  const Value* conditions = document_.root().get("status").find("conditions");
  if (conditions == nullptr || !conditions->is_array()) return false;
  return std::any_of(conditions->items().begin(), conditions->items().end(), [&](const Value& one) {
    return text_of(one, "type") == type && text_of(one, "status") == "True";
  });
}

}  // namespace strake::crd
