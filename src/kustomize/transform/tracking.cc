#include "kustomize/transform/tracking.h"

#include <algorithm>
#include <array>

#include "kustomize/config/kustomization.h"

namespace strake::kustomize {
namespace {

using value::Value;

constexpr std::string_view kInternal = "internal.config.kubernetes.io/";
constexpr std::string_view kNames = "internal.config.kubernetes.io/previousNames";
constexpr std::string_view kPreviousNamespaces = "internal.config.kubernetes.io/previousNamespaces";
constexpr std::string_view kKinds = "internal.config.kubernetes.io/previousKinds";
constexpr std::string_view kPrefixes = "internal.config.kubernetes.io/prefixes";
constexpr std::string_view kSuffixes = "internal.config.kubernetes.io/suffixes";
constexpr std::string_view kHash = "internal.config.kubernetes.io/needsHashSuffix";
constexpr std::string_view kBehavior = "internal.config.kubernetes.io/generatorBehavior";
constexpr std::string_view kEnabled = "enabled";

std::string_view behavior_text(Behavior behavior) {
  switch (behavior) {
    case Behavior::kCreate: return "create";
    case Behavior::kMerge: return "merge";
    case Behavior::kReplace: return "replace";
    case Behavior::kUnspecified: break;
  }
  return "unspecified";
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  for (bool more = true; more;) {
    const std::size_t end = text.find(',');
    more = end != std::string_view::npos;
    out.push_back(text.substr(0, end));
    if (more) text.remove_prefix(end + 1);
  }
  return out;
}

std::string text_member(const Value& object, std::string_view key) {
  const Value* found = object.find(key);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

const BuildOrigin* read_origin(const Value& v, BuildContext& context) {
  BuildOrigin& out = context.build_origins.emplace_back();
  out.path = text_member(v, "path");
  out.repo = text_member(v, "repo");
  out.ref = text_member(v, "ref");
  out.configured_in = text_member(v, "configuredIn");
  if (const Value* by = v.find("configuredBy")) {
    out.api_version = text_member(*by, "apiVersion");
    out.kind = text_member(*by, "kind");
    out.name = text_member(*by, "name");
    out.namespace_name = text_member(*by, "namespace");
  }
  return &out;
}

std::vector<const BuildOrigin*> read_origins(std::string_view yaml, BuildContext& context) {
  std::vector<const BuildOrigin*> out;
  const auto document = read_config_yaml(yaml);
  if (!document || !document->root().is_array()) return out;
  for (const Value& item : document->root().items()) {
    if (item.is_object()) out.push_back(read_origin(item, context));
  }
  return out;
}

// Members that are taken out of the annotations.
class Taker {
 public:
  explicit Taker(Node* annotations) : annotations_(annotations) {}

  std::optional<std::string_view> take(std::string_view key) {
    const Node* found = annotations_ == nullptr ? nullptr : annotations_->find(key);
    if (found == nullptr) return std::nullopt;
    NodeArena::remove(*annotations_, key);
    return found->text;
  }
  std::vector<std::string_view> take_list(std::string_view key) {
    const auto text = take(key);
    return text ? split(*text) : std::vector<std::string_view>();
  }

 private:
  Node* annotations_;
};

}  // namespace

bool is_internal_annotation(std::string_view key) {
  return key.starts_with(kInternal) || key == "config.kubernetes.io/path" ||
         key == "config.kubernetes.io/index" || key == "config.k8s.io/id";
}

TextMap tracking_annotations(const Resource& resource) {
  TextMap out;
  const auto put = [&out](std::string_view key, std::string text) {
    if (!text.empty()) out.emplace(key, std::move(text));
  };
  std::vector<std::string_view> names;
  std::vector<std::string_view> namespaces;
  std::vector<std::string_view> kinds;
  for (const PreviousId& id : resource.previous) {
    names.push_back(id.name);
    namespaces.push_back(id.namespace_name);
    kinds.push_back(id.kind);
  }
  put(kNames, fmt::format("{}", fmt::join(names, ",")));
  put(kPreviousNamespaces, fmt::format("{}", fmt::join(namespaces, ",")));
  put(kKinds, fmt::format("{}", fmt::join(kinds, ",")));
  put(kPrefixes, fmt::format("{}", fmt::join(resource.prefixes, ",")));
  put(kSuffixes, fmt::format("{}", fmt::join(resource.suffixes, ",")));
  if (resource.needs_hash) put(kHash, std::string(kEnabled));
  if (resource.generated) put(kBehavior, std::string(behavior_text(resource.behavior)));
  if (resource.origin != nullptr) put(kOriginAnnotation, resource.origin->to_yaml());
  put(kTransformationsAnnotation, to_yaml(resource.transformations));
  return out;
}

void write_tracking(Resource& resource, NodeArena& arena) {
  const TextMap texts = tracking_annotations(resource);
  if (texts.empty()) return;
  Node* meta = arena.map_at(*resource.root, "metadata");
  if (!meta->is_map()) return;
  Node* annotations = arena.map_at(*meta, "annotations");
  if (!annotations->is_map()) return;
  for (const auto& [key, text] : texts) set_field(*annotations, key, arena.string(text), arena);
}

void read_tracking(Resource& resource, BuildContext& context) {
  Node* meta = resource.root->find("metadata");
  Node* annotations = meta == nullptr ? nullptr : meta->find("annotations");
  Taker taker(annotations);
  const auto names = taker.take_list(kNames);
  const auto namespaces = taker.take_list(kPreviousNamespaces);
  const auto kinds = taker.take_list(kKinds);
  resource.previous.clear();
  // Three parallel lists. A step that edits annotations may have left them with different lengths;
  // only complete ids are taken.
  for (std::size_t i = 0; i < std::min({names.size(), namespaces.size(), kinds.size()}); ++i)
    resource.previous.push_back(
        {.namespace_name = namespaces[i], .name = names[i], .kind = kinds[i]});
  resource.prefixes = taker.take_list(kPrefixes);
  resource.suffixes = taker.take_list(kSuffixes);
  resource.needs_hash = taker.take(kHash).value_or("") == kEnabled;
  resource.generated = taker.take(kBehavior).has_value();
  if (resource.origin != nullptr) {
    const auto text = taker.take(kOriginAnnotation);
    if (!text) {
      resource.origin = nullptr;
    } else if (*text != resource.origin->to_yaml()) {
      const auto document = read_config_yaml(*text);
      resource.origin = document ? read_origin(document->root(), context) : nullptr;
    }
  }
  if (!resource.transformations.empty()) {
    const auto text = taker.take(kTransformationsAnnotation);
    if (text.value_or("") != to_yaml(resource.transformations))
      resource.transformations = read_origins(text.value_or(""), context);
  }
  if (annotations != nullptr && annotations->is_map() && annotations->count == 0)
    NodeArena::remove(*meta, "annotations");
}

void take_written_transformations(Resource& resource, BuildContext& context) {
  const std::string_view text = resource.annotation(kTransformationsAnnotation);
  if (!text.empty() && resource.transformations.empty())
    resource.transformations = read_origins(text, context);
}

bool may_change_tracking(const Node& patch) {
  if (patch.find("$patch") != nullptr) return true;
  const Node* meta = patch.find("metadata");
  return meta != nullptr && (!meta->is_map() || meta->find("annotations") != nullptr ||
                             meta->find("$patch") != nullptr);
}

}  // namespace strake::kustomize
