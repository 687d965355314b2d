#include "kustomize/transform/selector.h"

#include <optional>

#include "kustomize/transform/tracking.h"
#include "meta/selectors.h"
#include "schema/pattern/pattern.h"

namespace strake::kustomize {
namespace {

// A text that has to match as a whole, or anything.
class Expression {
 public:
  static Result<Expression> make(const std::string& text) {
    Expression out;
    if (text.empty()) return out;
    const std::string whole = "^(?:" + text + ")$";
    STRAKE_CHECK(schema::check_pattern(whole));
    out.pattern_ = schema::intern_pattern(whole);
    // Most are plain names.
    if (text.find_first_of("\\.+*?()|[]{}^$") == std::string::npos) out.plain_ = text;
    return out;
  }
  bool matches(std::string_view text) const {
    if (pattern_ == nullptr) return true;
    return plain_ ? *plain_ == text : pattern_->search(text);
  }

 private:
  schema::PatternPtr pattern_;
  std::optional<std::string> plain_;
};

// Labels as the selectors read them.
value::Value labels_value(const Node* map, Arena& arena) {
  value::Value out = value::Value::object({});
  if (map == nullptr) return out;
  for (const Entry& entry : map->members())
    out.set(entry.key, value::Value::string(entry.value->text), arena);
  return out;
}

}  // namespace

struct LabelMatcher::Parts {
  meta::LabelSelector labels;
  meta::LabelSelector annotations;
};

Result<LabelMatcher> LabelMatcher::make(const Selector& selector) {
  auto parts = std::make_shared<Parts>();
  if (!selector.label_selector.empty()) {
    STRAKE_TRY(parts->labels, meta::LabelSelector::parse(selector.label_selector));
  }
  if (!selector.annotation_selector.empty()) {
    STRAKE_TRY(parts->annotations, meta::LabelSelector::parse(selector.annotation_selector));
  }
  LabelMatcher out;
  out.parts_ = std::move(parts);
  return out;
}

bool LabelMatcher::matches(const Resource& resource) const {
  const Parts& parts = *parts_;
  Arena scratch;
  if (!parts.labels.empty()) {
    const value::Value labels = labels_value(resource.labels(), scratch);
    if (!parts.labels.matches(&labels)) return false;
  }
  // kustomize v5.5.0 has its notes among the annotations, so a selector can match them.
  if (!parts.annotations.empty()) {
    value::Value annotations = labels_value(resource.annotations(), scratch);
    const TextMap own = tracking_annotations(resource);
    for (const auto& [key, text] : own) annotations.set(key, value::Value::string(text), scratch);
    if (!parts.annotations.matches(&annotations)) return false;
  }
  return true;
}

Result<std::vector<Resource*>> select(const ResourceSet& set, const Selector& selector) {
  STRAKE_TRY(const Expression group, Expression::make(selector.group));
  STRAKE_TRY(const Expression version, Expression::make(selector.version));
  STRAKE_TRY(const Expression kind, Expression::make(selector.kind));
  STRAKE_TRY(const Expression name, Expression::make(selector.name));
  STRAKE_TRY(const Expression namespace_name, Expression::make(selector.namespace_name));
  STRAKE_TRY(const LabelMatcher labels, LabelMatcher::make(selector));
  std::vector<Resource*> out;
  for (Resource* resource : set.list()) {
    if (resource->gone()) continue;
    const ResourceId current = resource->id(set.scopes());
    // A patch may name a resource as its file does or as earlier steps left it.
    const ResourceId original = resource->original_id(set.scopes());
    if (!namespace_name.matches(original.effective_namespace()) &&
        !namespace_name.matches(current.effective_namespace()))
      continue;
    if (!name.matches(original.name) && !name.matches(current.name)) continue;
    if (!group.matches(current.gvk.group) || !version.matches(current.gvk.version) ||
        !kind.matches(current.gvk.kind))
      continue;
    if (labels.matches(*resource)) out.push_back(resource);
  }
  return out;
}

}  // namespace strake::kustomize
