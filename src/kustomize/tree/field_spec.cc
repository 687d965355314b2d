#include "kustomize/tree/field_spec.h"

#include "kustomize/tree/resource.h"

namespace strake::kustomize {
namespace {

std::string_view member_text(const Node* map, std::string_view key) {
  const Node* found = map == nullptr ? nullptr : map->find(key);
  return found == nullptr ? std::string_view() : found->text;
}

}  // namespace

Result<> merge_spec(FieldSpecs& into, const FieldSpec& one) {
  for (const FieldSpec& present : into) {
    // A present spec that the new one selects already covers it: kustomize v5.5.0 keeps the first
    // and drops the second, so the order of merging shows in the result.
    if (present.path != one.path || !present.gvk().selected_by(one.gvk())) continue;
    if (present.create != one.create) return fail(Code::kInvalid, "conflicting fieldspecs");
    return {};
  }
  into.push_back(one);
  return {};
}

Result<> merge_specs(FieldSpecs& into, const FieldSpecs& more) {
  for (const FieldSpec& one : more) STRAKE_CHECK(merge_spec(into, one));
  return {};
}

std::vector<std::string> split_path(std::string_view path, char separator) {
  std::vector<std::string> parts;
  for (bool more = true; more;) {
    const std::size_t end = path.find(separator);
    more = end != std::string_view::npos;
    const std::string_view part = path.substr(0, end);
    if (!parts.empty() && parts.back().ends_with('\\')) {
      parts.back().back() = separator;
      parts.back().append(part);
    } else {
      parts.emplace_back(part);
    }
    if (more) path.remove_prefix(end + 1);
    // One separator may stand in front.
    if (more && parts.size() == 1 && parts[0].empty()) parts.clear();
  }
  return parts;
}

FieldWriter::FieldWriter(const FieldSpec& spec) : path_(spec.path), create_(spec.create) {
  for (std::string& name : split_path(spec.path, '/')) {
    const bool hint = name.ends_with("[]");
    if (hint) name.resize(name.size() - 2);
    steps_.push_back({std::move(name), hint});
  }
}

Result<> FieldWriter::apply(Node& root, const Make* make, const Set& set, NodeArena& arena) const {
  Result<> done = walk(root, 0, make, set, arena);
  if (done) return done;
  return std::unexpected(std::move(done).error().prefixed(
      fmt::format("considering field '{}' of object {}", path_, object_name(root))));
}

Result<> FieldWriter::walk(Node& node, std::size_t step, const Make* make, const Set& set,
                           NodeArena& arena) const {
  if (step == steps_.size()) return set(node);
  if (node.is_null()) return {};
  // A list takes no step of the path: the same step is tried in each of its items, whether or not
  // the path has `[]` there.
  if (node.is_list()) {
    for (Node* item : node.elements()) STRAKE_CHECK(walk(*item, step, make, set, arena));
    return {};
  }
  if (!node.is_map()) return fail(Code::kInvalid, "expected sequence or mapping node");
  const Step& current = steps_[step];
  if (current.name.empty()) return fail(Code::kInvalid, "cannot set or create an empty field name");
  const bool last = step + 1 == steps_.size();
  // `a[]` names a list whose items are not known, so nothing can be made in it.
  const bool may_make = create_ && make != nullptr && !current.list_hint;
  Node* field = node.find(current.name);
  if (field == nullptr) {
    if (!may_make) return {};
    const NodeKind kind = last ? make->kind : NodeKind::kMap;
    field = kind == NodeKind::kMap    ? arena.map()
            : kind == NodeKind::kList ? arena.list()
                                      : arena.scalar({});
    append_field(node, arena.keep(current.name), field, arena);
  }
  // A null turns into what is needed, even when nothing is set in the end.
  if (field->is_null() && (may_make || current.list_hint)) {
    field->kind = current.list_hint ? NodeKind::kList : last ? make->kind : NodeKind::kMap;
    field->tag = !current.list_hint && last ? make->tag : Tag::kNone;
    if (!field->is_scalar()) {
      field->text = {};
      field->entries = nullptr;
      field->count = field->capacity = 0;
      field->index = nullptr;
    }
  }
  return walk(*field, step + 1, make, set, arena);
}

FieldWriters::FieldWriters(const FieldSpecs& specs) {
  all_.reserve(specs.size());
  for (const FieldSpec& spec : specs) all_.emplace_back(spec, FieldWriter(spec));
}

const std::vector<const FieldWriter*>& FieldWriters::for_object(const Node& root) {
  const std::string_view api_version = member_text(&root, "apiVersion");
  const std::string_view kind = member_text(&root, "kind");
  std::string key(api_version);
  key.append(1, ' ').append(kind);
  for (const auto& [known, writers] : known_) {
    if (known == key) return writers;
  }
  std::vector<const FieldWriter*> fitting;
  const Gvk gvk = Gvk::from_api_version(api_version, kind);
  for (const auto& [spec, writer] : all_) {
    if (gvk.selected_by(spec.gvk())) fitting.push_back(&writer);
  }
  // A bound for input with countless kinds: a linear search stays short, and the oldest kind goes.
  constexpr std::size_t kMostKnown = 256;
  if (known_.size() == kMostKnown) known_.erase(known_.begin());
  return known_.emplace_back(std::move(key), std::move(fitting)).second;
}

Result<> FieldWriters::apply(Node& root, const FieldWriter::Make* make, const FieldWriter::Set& set,
                             NodeArena& arena) {
  for (const FieldWriter* writer : for_object(root))
    STRAKE_CHECK(writer->apply(root, make, set, arena));
  return {};
}

std::string object_name(const Node& root) {
  const Node* meta = root.find("metadata");
  return ResourceId{
      .gvk = Gvk::from_api_version(member_text(&root, "apiVersion"), member_text(&root, "kind")),
      .name = member_text(meta, "name"),
      .namespace_name = member_text(meta, "namespace")}
      .to_string();
}

}  // namespace strake::kustomize
