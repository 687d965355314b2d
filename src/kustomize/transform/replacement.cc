#include "kustomize/transform/replacement.h"

#include <algorithm>

#include "base/quote.h"
#include "kustomize/transform/selector.h"
#include "kustomize/transform/tracking.h"
#include "kustomize/tree/node_path.h"

// Copies a value from one field to others. Sources and targets are found by any id a resource has
// or had, and entries run in order, each seeing what the ones before have written.

namespace strake::kustomize {
namespace {

constexpr std::string_view kDefaultPath = "metadata.name";

ResourceId id_of(const Selector& selector) {
  return {.gvk = {selector.group, selector.version, selector.kind},
          .name = selector.name,
          .namespace_name = selector.namespace_name};
}

// Whether an id fits; scopes play no part here.
bool fits(const Selector& selector, const Gvk& gvk, std::string_view name,
          std::string_view namespace_name) {
  const auto effective = [](std::string_view text) {
    return text.empty() ? kDefaultNamespace : text;
  };
  return (selector.name.empty() || selector.name == name) &&
         (selector.namespace_name.empty() ||
          effective(selector.namespace_name) == effective(namespace_name)) &&
         gvk.selected_by({selector.group, selector.version, selector.kind});
}

bool fits_any(const Selector& selector, const Resource& resource) {
  if (fits(selector, resource.gvk(), resource.name(), resource.namespace_name())) return true;
  for (std::size_t i = 0; i < resource.previous.size(); ++i) {
    const ResourceId id = resource.previous_id(i);
    if (fits(selector, id.gvk, id.name, id.namespace_name)) return true;
  }
  return false;
}

bool names_no_id(const Selector& selector) {
  return selector.group.empty() && selector.version.empty() && selector.kind.empty() &&
         selector.name.empty() && selector.namespace_name.empty();
}

std::string source_text(const ReplacementSource& source) {
  std::string out = id_of(source.id).to_string();
  if (!source.field_path.empty()) out += ":" + source.field_path;
  if (source.options && (!source.options->delimiter.empty() || source.options->create)) {
    out += fmt::format(":{}({}), create={}", source.options->delimiter, source.options->index,
                       source.options->create);
  }
  return out;
}

std::vector<std::string> split_text(std::string_view text, std::string_view delimiter) {
  std::vector<std::string> out;
  for (;;) {
    const std::size_t at = text.find(delimiter);
    out.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + delimiter.size());
  }
}

std::string_view scalar_text(const Node& node) {
  return node.is_null() ? std::string_view() : node.text;
}

// Whether a path leads to annotations as a whole, or to one of those that kustomize v5.5.0 sets.
bool touches_tracking(std::string_view path) {
  const std::vector<std::string> steps = split_dotted(path);
  if (steps.empty() || steps[0] != "metadata") return false;
  return steps.size() == 1 ||
         (steps[1] == "annotations" &&
          (steps.size() == 2 || is_internal_annotation(steps[2]) || steps[2] == kOriginAnnotation));
}

bool touches_tracking(const Replacement& entry) {
  return touches_tracking(std::string_view(entry.source->field_path)) ||
         std::ranges::any_of(*entry.targets, [](const ReplacementTarget& target) {
           return std::ranges::any_of(target.field_paths, [](const std::string& path) {
             return touches_tracking(std::string_view(path));
           });
         });
}

class Replacements final : public Transformer {
 public:
  std::vector<Replacement> entries;

  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    for (const Replacement& entry : entries) {
      if (!entry.source || !entry.targets) {
        return fail(Code::kInvalid, "replacements must specify a source and at least one target");
      }
      const bool tracking = touches_tracking(entry);
      if (tracking) {
        for (Resource* resource : set.list()) write_tracking(*resource, context.arena());
      }
      // A pointer into the source, not a copy, unless a part was cut out: see source_value().
      STRAKE_TRY(const Node* value, source_value(set, *entry.source, context.arena()));
      for (const ReplacementTarget& target : *entry.targets)
        STRAKE_CHECK(apply(set, target, *value, context.arena()));
      if (tracking) {
        for (Resource* resource : set.list()) read_tracking(*resource, context.build);
      }
    }
    set.ids_changed();
    set.drop_gone();
    return {};
  }

 private:
  static Result<Resource*> find_source(const ResourceSet& set, const ReplacementSource& source) {
    Resource* found = nullptr;
    for (Resource* resource : set.list()) {
      if (!fits_any(source.id, *resource)) continue;
      if (found != nullptr)
        return fail(Code::kConflict, "multiple matches for selector {}", source_text(source));
      found = resource;
    }
    if (found == nullptr)
      return fail(Code::kNotFound, "nothing selected by {}", source_text(source));
    return found;
  }

  // What is there at the time of each write: a target may be the source itself.
  static Result<const Node*> source_value(const ResourceSet& set, const ReplacementSource& source,
                                          NodeArena& arena) {
    STRAKE_TRY(Resource * resource, find_source(set, source));
    const std::string path =
        source.field_path.empty() ? std::string(kDefaultPath) : source.field_path;
    Result<Node*> node = look_up(*resource->root, split_dotted(path));
    if (!node) {
      return std::unexpected(
          std::move(node).error().prefixed("error looking up replacement source"));
    }
    if (*node == nullptr || (*node)->is_empty()) {
      return fail(Code::kInvalid, "fieldPath `{}` is missing for replacement source {}", path,
                  id_of(source.id).to_string());
    }
    if (!source.options || source.options->delimiter.empty()) return *node;
    Node* copy = arena.copy(*node);
    if (!copy->is_scalar())
      return fail(Code::kInvalid, "delimiter option can only be used with scalar nodes");
    const std::vector<std::string> parts = split_text(copy->text, source.options->delimiter);
    const std::int64_t index = source.options->index;
    if (index < 0 || static_cast<std::size_t>(index) >= parts.size()) {
      return fail(Code::kInvalid, "options.index {} is out of bounds for value {}", index,
                  copy->text);
    }
    copy->text = arena.keep(parts[static_cast<std::size_t>(index)]);
    return copy;
  }

  static Result<> apply(const ResourceSet& set, const ReplacementTarget& target, const Node& value,
                        NodeArena& arena) {
    if (!target.select) return fail(Code::kInvalid, "target must specify resources to select");
    STRAKE_TRY(const LabelMatcher wanted, LabelMatcher::make(*target.select));
    std::vector<LabelMatcher> unwanted;
    for (const Selector& reject : target.reject) {
      if (reject.label_selector.empty() && reject.annotation_selector.empty()) continue;
      STRAKE_TRY(LabelMatcher matcher, LabelMatcher::make(reject));
      unwanted.push_back(std::move(matcher));
    }
    std::vector<std::vector<std::string>> paths;
    for (const std::string& path : target.field_paths) paths.push_back(split_dotted(path));
    if (paths.empty()) paths.push_back(split_dotted(kDefaultPath));
    for (Resource* resource : set.list()) {
      if (!fits_any(*target.select, *resource) || !wanted.matches(*resource)) continue;
      if (std::ranges::any_of(unwanted,
                              [&](const LabelMatcher& one) { return one.matches(*resource); }))
        continue;
      if (std::ranges::any_of(target.reject, [&](const Selector& reject) {
            return !names_no_id(reject) && fits_any(reject, *resource);
          }))
        continue;
      for (std::size_t i = 0; i < paths.size(); ++i) {
        const std::string_view text =
            target.field_paths.empty() ? kDefaultPath : std::string_view(target.field_paths[i]);
        STRAKE_CHECK(write(*resource->root, paths[i], text, target.options, value, arena));
      }
    }
    return {};
  }

  static Result<> write(Node& root, const std::vector<std::string>& path, std::string_view text,
                        const std::optional<FieldOptions>& options, const Node& value,
                        NodeArena& arena) {
    const bool create = options && options->create;
    const std::string not_found = fmt::format("unable to find {}field {} in replacement target",
                                              create ? "or create " : "", quote(text));
    Result<std::vector<Node*>> fields =
        find_all(root, path, {.create = create, .kind = value.kind}, arena);
    if (!fields) return std::unexpected(std::move(fields).error().prefixed(not_found));
    if (fields->empty()) return fail(Code::kNotFound, "{}", not_found);
    for (Node* field : *fields) STRAKE_CHECK(set(*field, options, value, arena));
    return {};
  }

  static Result<> set(Node& field, const std::optional<FieldOptions>& options, const Node& value,
                      NodeArena& arena) {
    std::string text(value.is_scalar() ? value.text : std::string_view());
    if (options && !options->delimiter.empty()) {
      if (!field.is_scalar())
        return fail(Code::kInvalid, "delimiter option can only be used with scalar nodes");
      std::vector<std::string> parts = split_text(field.text, options->delimiter);
      const std::string part(scalar_text(value));
      // Below the first part is in front of it, and past the last is behind it: an index never
      // fails here, as it does for a source.
      if (options->index < 0) {
        parts.insert(parts.begin(), part);
      } else if (static_cast<std::size_t>(options->index) >= parts.size()) {
        parts.push_back(part);
      } else {
        parts[static_cast<std::size_t>(options->index)] = part;
      }
      text = fmt::format("{}", fmt::join(parts, options->delimiter));
    }
    // The text changes and the type of the target stays, as in kustomize: "4" into an integer is 4.
    if (field.is_scalar()) {
      if (field.text != text || field.is_null()) arena.set_text(field, text);
    } else {
      field = *arena.copy(&value);
    }
    return {};
  }
};

Result<std::vector<Replacement>> read_file(const Loader& loader, const std::string& path) {
  STRAKE_TRY(const std::string text, loader.load(path));
  STRAKE_TRY(const value::Document document, read_config_yaml(text));
  const value::Value& root = document.root();
  std::vector<Replacement> out;
  JsonDecoder decoder(false);
  if (root.is_array()) {
    for (const value::Value& item : root.items())
      read_replacement(decoder, item, out.emplace_back());
  } else if (root.is_object()) {
    read_replacement(decoder, root, out.emplace_back());
  } else {
    return fail(Code::kInvalid,
                "unsupported replacement type encountered within replacement path: {}",
                to_string(root.type()));
  }
  STRAKE_CHECK(decoder.result());
  return out;
}

}  // namespace

Result<std::unique_ptr<Transformer>> make_replacements(const std::vector<Replacement>& entries,
                                                       const Loader& loader) {
  auto out = std::make_unique<Replacements>();
  for (const Replacement& entry : entries) {
    if (entry.path.empty()) {
      out->entries.push_back(entry);
      continue;
    }
    if (entry.source || (entry.targets && !entry.targets->empty()))
      return fail(Code::kInvalid, "cannot specify both path and inline replacement");
    STRAKE_TRY(std::vector<Replacement> loaded, read_file(loader, entry.path));
    for (Replacement& one : loaded) out->entries.push_back(std::move(one));
  }
  return out;
}

}  // namespace strake::kustomize
