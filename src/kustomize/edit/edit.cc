#include "kustomize/edit/edit.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include "kustomize/edit/edit_values.h"
#include "meta/names.h"
#include "value/fields.h"
#include "value/members.h"
#include "value/yaml_writer.h"

// The file is read twice: as a value, which is edited, and as lines, from which only the order of
// fields and the comments in front of them are taken. Writing goes through the fields in that
// order, each written anew from the value; new fields follow in the order of kFields. Comments
// inside of a field move behind its front comment, and comments after the last field are lost.

namespace strake::kustomize {
namespace {

using value::Value;

// In the order in which new fields are written.
constexpr std::array<std::string_view, 33> kFields = {"apiVersion",
                                                      "kind",
                                                      "metadata",
                                                      "sortOptions",
                                                      "resources",
                                                      "bases",
                                                      "namePrefix",
                                                      "nameSuffix",
                                                      "namespace",
                                                      "crds",
                                                      "commonLabels",
                                                      "labels",
                                                      "commonAnnotations",
                                                      "patchesStrategicMerge",
                                                      "patchesJson6902",
                                                      "patches",
                                                      "configMapGenerator",
                                                      "secretGenerator",
                                                      "helmCharts",
                                                      "helmChartInflationGenerator",
                                                      "helmGlobals",
                                                      "generatorOptions",
                                                      "vars",
                                                      "images",
                                                      "replacements",
                                                      "replicas",
                                                      "configurations",
                                                      "generators",
                                                      "transformers",
                                                      "validators",
                                                      "components",
                                                      "openapi",
                                                      "buildMetadata"};

bool is_named(std::string_view a, std::string_view b) {
  return meta::to_lower_ascii(a) == meta::to_lower_ascii(b);
}

bool is_blank_or_comment(std::string_view line) {
  while (line.starts_with(' ')) line.remove_prefix(1);
  return line.empty() || line[0] == '#';
}

// The field that a line starts, or nothing.
std::string_view field_of(std::string_view line) {
  for (const std::string_view field : kFields) {
    if (line.size() > field.size() && line[field.size()] == ':' &&
        is_named(line.substr(0, field.size()), field))
      return field;
  }
  return {};
}

bool is_empty(const Value& v) {
  return v.is_null() || (!v.is_number() && !v.is_bool() && v.size() == 0);
}

Value pairs_value(const TextMap& pairs, Arena& arena) {
  Value out = Value::object({});
  for (const auto& [key, text] : pairs)
    out.set(arena.copy(key), Value::string(arena.copy(text)), arena);
  return out;
}

Value patch_value(const Patch& patch, Arena& arena) {
  Value entry = Value::object({});
  put(entry, "path", patch.path, arena);
  put(entry, "patch", patch.patch, arena);
  if (!patch.target) return entry;
  Value target = Value::object({});
  put(target, "group", patch.target->group, arena);
  put(target, "version", patch.target->version, arena);
  put(target, "kind", patch.target->kind, arena);
  put(target, "name", patch.target->name, arena);
  put(target, "namespace", patch.target->namespace_name, arena);
  put(target, "labelSelector", patch.target->label_selector, arena);
  put(target, "annotationSelector", patch.target->annotation_selector, arena);
  if (target.size() > 0) entry.set("target", target, arena);
  return entry;
}

void move_list(Value& root, std::string_view from, std::string_view to, Arena& arena) {
  const Value* old = root.find(from);
  if (old == nullptr) return;
  if (old->is_array()) {
    Value merged = Value::array({});
    if (const Value* present = root.find(to); present != nullptr && present->is_array()) {
      for (const Value& item : present->items()) merged.append(item, arena);
    }
    for (const Value& item : old->items()) merged.append(item, arena);
    if (merged.size() > 0) root.set(to, merged, arena);
  }
  root.remove(from);
}

void move_env_field(Value& root, std::string_view field, Arena& arena) {
  Value* generators = root.find(field);
  if (generators == nullptr || !generators->is_array()) return;
  for (Value& one : generators->mutable_items()) {
    const std::string env(text_of(one, "env"));
    if (env.empty()) continue;
    Value envs = one.find("envs") != nullptr ? one.get("envs") : Value::array({});
    envs.append(Value::string(arena.copy(env)), arena);
    one.set("envs", envs, arena);
    one.remove("env");
  }
}

}  // namespace

Result<KustomizationEditor> KustomizationEditor::read(std::string_view text) {
  // Whatever a build would refuse is refused here, but for a file that says nothing yet.
  STRAKE_TRY(value::Document document, read_kustomization_yaml(text));
  if (const auto checked = decode_kustomization(document.root(), "."); !checked) {
    if (checked.error().message() != "kustomization.yaml is empty")
      return std::unexpected(checked.error());
  }
  KustomizationEditor out(std::move(document));
  Value& root = out.document_.root();
  if (!root.is_object()) root = Value::object({});
  // Names in the case that kustomize v5.5.0 writes.
  Value settled = Value::object({});
  for (const value::Member& member : root.members()) {
    const auto field = std::ranges::find_if(
        kFields, [&](std::string_view one) { return is_named(one, member.key); });
    settled.set(field == kFields.end() ? member.key : *field, member.value, out.arena());
  }
  root = settled;
  move_list(root, "bases", "resources", out.arena());
  move_list(root, "imageTags", "images", out.arena());
  move_env_field(root, "configMapGenerator", out.arena());
  move_env_field(root, "secretGenerator", out.arena());
  const bool component = text_of(root, "kind") == "Component";
  if (text_of(root, "kind").empty()) root.set("kind", Value::string("Kustomization"), out.arena());
  if (text_of(root, "apiVersion").empty()) {
    root.set("apiVersion",
             Value::string(component ? "kustomize.config.k8s.io/v1alpha1"
                                     : "kustomize.config.k8s.io/v1beta1"),
             out.arena());
  }
  out.note_parts(text);
  return out;
}

// Fields begin at the margin and are known by name; any other line belongs to the field above it.
void KustomizationEditor::note_parts(std::string_view text) {
  std::string comments;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // an unfinished last line is passed over
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (is_blank_or_comment(line)) {
      comments.append(line).append(1, '\n');
      continue;
    }
    const std::string_view field = field_of(line);
    if (!field.empty()) {
      parts_.push_back({std::string(field), std::exchange(comments, {})});
    } else if (!comments.empty() && !parts_.empty()) {
      parts_.back().comment += std::exchange(comments, {});
    }
  }
}

Value* KustomizationEditor::find(std::string_view field) {
  Value* found = document_.root().find(field);
  return found == nullptr || found->is_null() ? nullptr : found;
}

Value& KustomizationEditor::list(std::string_view field) {
  Value* found = find(field);
  if (found != nullptr && found->is_array()) return *found;
  return document_.root().set(field, Value::array({}), arena());
}

void KustomizationEditor::set_text(std::string_view field, std::string_view text) {
  if (text.empty()) {
    document_.root().remove(field);
  } else {
    document_.root().set(field, Value::string(arena().copy(text)), arena());
  }
}

Result<> KustomizationEditor::put_entries(std::string_view field, const TextMap& entries,
                                          bool replace, std::string_view what) {
  Value* map = find(field);
  if (map == nullptr) map = &document_.root().set(field, Value::object({}), arena());
  std::vector<value::Member> put;
  for (const auto& [key, text] : entries) {
    if (!replace && map->find(key) != nullptr)
      return fail(Code::kAlreadyExists, "{} {} already in kustomization file", what, key);
    put.push_back({arena().copy(key), Value::string(arena().copy(text))});
  }
  value::set_members(*map, put, arena());
  return {};
}

Result<> KustomizationEditor::remove_entries(std::string_view field,
                                             const std::vector<std::string>& keys, bool ignore,
                                             std::string_view what) {
  Value* map = find(field);
  if (map == nullptr && !ignore)
    return fail(Code::kNotFound, "{} is not defined in kustomization file", field);
  std::unordered_set<std::string_view> removed;
  for (const std::string& key : keys) {
    const bool there = map != nullptr && map->find(key) != nullptr && removed.insert(key).second;
    if (!there && !ignore)
      return fail(Code::kNotFound, "{} {} is not defined in kustomization file", what, key);
  }
  if (map != nullptr)
    value::remove_members(*map, [&](const auto& m) { return removed.contains(m.key); });
  return {};
}

bool KustomizationEditor::append_text(std::string_view field, std::string_view text) {
  Value& texts = list(field);
  const auto is = [&](const Value& one) { return one.is_string() && one.as_string() == text; };
  if (std::ranges::any_of(texts.items(), is)) return false;
  texts.append(Value::string(arena().copy(text)), arena());
  return true;
}

std::vector<std::string> KustomizationEditor::texts(std::string_view field) const {
  std::vector<std::string> out;
  const Value* found = document_.root().find(field);
  if (found == nullptr || !found->is_array()) return out;
  for (const Value& one : found->items()) out.emplace_back(one.as_string());
  return out;
}

void KustomizationEditor::set_texts(std::string_view field, const std::vector<std::string>& texts) {
  document_.root().remove(field);
  put(document_.root(), field, texts, arena());
}

void KustomizationEditor::append_labels(const TextMap& pairs, bool include_templates) {
  Value entry = Value::object({});
  entry.set("pairs", pairs_value(pairs, arena()), arena());
  if (include_templates) entry.set("includeTemplates", Value::boolean(true), arena());
  list("labels").append(entry, arena());
}

bool KustomizationEditor::append_patch(const Patch& patch) {
  const Value entry = patch_value(patch, arena());
  Value& patches = list("patches");
  const auto same = [&](const Value& one) { return value::equal(one, entry); };
  if (std::ranges::any_of(patches.items(), same)) return false;
  patches.append(entry, arena());
  return true;
}

bool KustomizationEditor::remove_patch(const Patch& patch) {
  Value* patches = find("patches");
  if (patches == nullptr || !patches->is_array()) return false;
  const Value entry = patch_value(patch, arena());
  Value left = Value::array({});
  for (const Value& one : patches->items()) {
    if (!value::equal(one, entry)) left.append(one, arena());
  }
  const bool removed = left.size() != patches->size();
  *patches = left;
  return removed;
}

void KustomizationEditor::set_images(const std::vector<Image>& images) {
  std::map<std::string, Image> all;
  for (const Value& one : list("images").items()) {
    all[std::string(name_of(one))] = {.name = std::string(name_of(one)),
                                      .new_name = std::string(text_of(one, "newName")),
                                      .tag_suffix = std::string(text_of(one, "tagSuffix")),
                                      .new_tag = std::string(text_of(one, "newTag")),
                                      .digest = std::string(text_of(one, "digest"))};
  }
  for (Image image : images) {
    const auto before = all.find(image.name);
    const Image old = before == all.end() ? Image{} : before->second;
    // A lone star stands for what the entry has already.
    const auto keep = [](std::string& text, const std::string& is) {
      if (text == "*") text = is;
    };
    keep(image.new_name, old.new_name);
    keep(image.new_tag, old.new_tag);
    keep(image.digest, old.digest);
    all.insert_or_assign(image.name, image);
  }
  Value out = Value::array({});
  for (const auto& [name, image] : all) {
    Value entry = Value::object({});
    put(entry, "name", image.name, arena());
    put(entry, "newName", image.new_name, arena());
    put(entry, "tagSuffix", image.tag_suffix, arena());
    put(entry, "newTag", image.new_tag, arena());
    put(entry, "digest", image.digest, arena());
    out.append(entry, arena());
  }
  document_.root().set("images", out, arena());
}

void KustomizationEditor::set_replicas(const std::vector<Replica>& replicas) {
  std::map<std::string, std::int64_t> all;
  for (const Value& one : list("replicas").items()) {
    const Value* count = one.find("count");
    all[std::string(name_of(one))] = count != nullptr && count->is_number() ? count->as_int() : 0;
  }
  for (const Replica& replica : replicas) all[replica.name] = replica.count;
  Value out = Value::array({});
  for (const auto& [name, count] : all) {
    Value entry = Value::object({});
    put(entry, "name", name, arena());
    entry.set("count", Value::integer(count), arena());
    out.append(entry, arena());
  }
  document_.root().set("replicas", out, arena());
}

Result<> KustomizationEditor::fix(bool (*is_file)(const std::string& path)) {
  Value& root = document_.root();
  move_list(root, "patchesJson6902", "patches", arena());
  if (const Value* merges = find("patchesStrategicMerge"); merges != nullptr) {
    for (const Value& one : std::vector<Value>(merges->items().begin(), merges->items().end())) {
      const std::string text(one.as_string());
      Value entry = Value::object({});
      put(entry, is_file(text) ? "path" : "patch", text, arena());
      list("patches").append(entry, arena());
    }
    root.remove("patchesStrategicMerge");
  }
  const Value* common = find("commonLabels");
  if (common == nullptr || common->size() == 0) return {};
  Value& labels = list("labels");
  for (const Value& one : labels.items()) {
    const Value* pairs = one.find("pairs");
    if (pairs == nullptr) continue;
    for (const value::Member& member : pairs->members()) {
      if (root.get("commonLabels").find(member.key) != nullptr) {
        return fail(Code::kConflict, "label name '{}' exists in both commonLabels and labels",
                    member.key);
      }
    }
  }
  Value entry = Value::object({});
  entry.set("includeSelectors", Value::boolean(true), arena());
  entry.set("pairs", root.get("commonLabels"), arena());
  list("labels").append(entry, arena());
  root.remove("commonLabels");
  return {};
}

std::string KustomizationEditor::text() const {
  std::string out;
  const auto write = [&](std::string_view field) {
    const Value* found = document_.root().find(field);
    if (found == nullptr || is_empty(*found)) return;
    Arena scratch;
    Value one = Value::object({});
    one.set(field, *found, scratch);
    value::write_yaml(one, out);
  };
  for (const Part& part : parts_) {
    out += part.comment;
    write(part.field);
  }
  for (const std::string_view field : kFields) {
    if (std::ranges::find(parts_, field, &Part::field) == parts_.end()) write(field);
  }
  return out;
}

}  // namespace strake::kustomize
