#include "kustomize/edit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "kustomize/image_name.h"
#include "meta/names.h"
#include "value/yaml_writer.h"

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

void put(Value& object, std::string_view key, const std::string& text, Arena& arena) {
  if (!text.empty()) object.set(key, Value::string(arena.copy(text)), arena);
}

void put(Value& object, std::string_view key, const std::vector<std::string>& texts, Arena& arena) {
  if (texts.empty()) return;
  Value list = Value::array({});
  for (const std::string& text : texts) list.append(Value::string(arena.copy(text)), arena);
  object.set(key, list, arena);
}

Value pairs_value(const TextMap& pairs, Arena& arena) {
  Value out = Value::object({});
  for (const auto& [key, text] : pairs)
    out.set(arena.copy(key), Value::string(arena.copy(text)), arena);
  return out;
}

std::string_view name_of(const Value& object) {
  const Value* name = object.find("name");
  return name != nullptr && name->is_string() ? name->as_string() : std::string_view();
}

std::string text_of(const Value* object, std::string_view key) {
  const Value* found = object == nullptr ? nullptr : object->find(key);
  return std::string(found != nullptr && found->is_string() ? found->as_string()
                                                            : std::string_view());
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
    const std::string env = text_of(&one, "env");
    if (env.empty()) continue;
    Value envs = one.find("envs") != nullptr ? *one.find("envs") : Value::array({});
    envs.append(Value::string(arena.copy(env)), arena);
    one.set("envs", envs, arena);
    one.remove("env");
  }
}

}  // namespace

Result<KustomizationEditor> KustomizationEditor::read(std::string_view text) {
  // Whatever a build would refuse is refused here, but for a file that says nothing yet.
  if (const auto checked = read_kustomization(text, "."); !checked) {
    if (checked.error().message() != "kustomization.yaml is empty")
      return std::unexpected(checked.error());
  }
  STRAKE_TRY(value::Document document, read_config_yaml(text));
  KustomizationEditor out(std::move(document));
  Value& root = out.document_.root();
  if (!root.is_object()) root = Value::object({});
  // Names in the case that the reference writes.
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
  const bool component = text_of(&root, "kind") == "Component";
  if (text_of(&root, "kind").empty()) root.set("kind", Value::string("Kustomization"), out.arena());
  if (text_of(&root, "apiVersion").empty()) {
    root.set("apiVersion",
             Value::string(component ? "kustomize.config.k8s.io/v1alpha1"
                                     : "kustomize.config.k8s.io/v1beta1"),
             out.arena());
  }
  out.note_parts(text);
  return out;
}

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
  for (const auto& [key, text] : entries) {
    if (!replace && map->find(key) != nullptr)
      return fail(Code::kAlreadyExists, "{} {} already in kustomization file", what, key);
    map->set(arena().copy(key), Value::string(arena().copy(text)), arena());
  }
  return {};
}

Result<> KustomizationEditor::remove_entries(std::string_view field,
                                             const std::vector<std::string>& keys,
                                             std::string_view what) {
  Value* map = find(field);
  for (const std::string& key : keys) {
    if (map == nullptr || !map->remove(key))
      return fail(Code::kNotFound, "{} {} is not defined in kustomization file", what, key);
  }
  return {};
}

bool KustomizationEditor::append_text(std::string_view field, std::string_view text) {
  Value& texts = list(field);
  const auto is = [&](const Value& one) { return one.is_string() && one.as_string() == text; };
  if (std::ranges::any_of(texts.items(), is)) return false;
  texts.append(Value::string(arena().copy(text)), arena());
  return true;
}

bool KustomizationEditor::remove_text(std::string_view field, std::string_view text) {
  Value* texts = find(field);
  if (texts == nullptr || !texts->is_array()) return false;
  Value left = Value::array({});
  for (const Value& one : texts->items()) {
    if (!one.is_string() || one.as_string() != text) left.append(one, arena());
  }
  const bool removed = left.size() != texts->size();
  *texts = left;
  return removed;
}

void KustomizationEditor::append_labels(const TextMap& pairs, bool include_templates) {
  Value entry = Value::object({});
  entry.set("pairs", pairs_value(pairs, arena()), arena());
  if (include_templates) entry.set("includeTemplates", Value::boolean(true), arena());
  list("labels").append(entry, arena());
}

void KustomizationEditor::append_patch(const Patch& patch) {
  Value entry = Value::object({});
  put(entry, "path", patch.path, arena());
  put(entry, "patch", patch.patch, arena());
  if (patch.target) {
    Value target = Value::object({});
    put(target, "group", patch.target->group, arena());
    put(target, "version", patch.target->version, arena());
    put(target, "kind", patch.target->kind, arena());
    put(target, "name", patch.target->name, arena());
    put(target, "namespace", patch.target->space, arena());
    put(target, "labelSelector", patch.target->label_selector, arena());
    put(target, "annotationSelector", patch.target->annotation_selector, arena());
    if (target.size() > 0) entry.set("target", target, arena());
  }
  Value& patches = list("patches");
  const auto same = [&](const Value& one) { return value::equal(one, entry); };
  if (std::ranges::none_of(patches.items(), same)) patches.append(entry, arena());
}

Result<> KustomizationEditor::append_generator(bool secret, const GeneratorArgs& args) {
  if (args.name.empty()) return fail(Code::kUsage, "at least one of name must be specified");
  Value& generators = list(secret ? "secretGenerator" : "configMapGenerator");
  Value* entry = nullptr;
  for (Value& one : generators.mutable_items()) {
    if (name_of(one) == args.name && text_of(&one, "namespace") == args.space) entry = &one;
  }
  if (entry == nullptr) {
    generators.append(Value::object({}), arena());
    entry = &generators.mutable_items().back();
    put(*entry, "name", args.name, arena());
    put(*entry, "namespace", args.space, arena());
  }
  const auto add = [&](std::string_view field, const std::vector<std::string>& more) {
    std::vector<std::string> all;
    if (const Value* present = entry->find(field); present != nullptr && present->is_array()) {
      for (const Value& one : present->items()) all.emplace_back(one.as_string());
    }
    all.insert(all.end(), more.begin(), more.end());
    put(*entry, field, all, arena());
  };
  add("literals", args.literals);
  add("files", args.files);
  add("envs", args.envs);
  put(*entry, "behavior", args.behavior, arena());
  if (secret) put(*entry, "type", args.type, arena());
  if (args.options && args.options->disable_hash) {
    Value options = Value::object({});
    options.set("disableNameSuffixHash", Value::boolean(true), arena());
    entry->set("options", options, arena());
  }
  return {};
}

void KustomizationEditor::set_images(const std::vector<Image>& images) {
  std::map<std::string, Image> all;
  for (const Value& one : list("images").items()) {
    all[std::string(name_of(one))] = {.name = std::string(name_of(one)),
                                      .new_name = text_of(&one, "newName"),
                                      .tag_suffix = text_of(&one, "tagSuffix"),
                                      .new_tag = text_of(&one, "newTag"),
                                      .digest = text_of(&one, "digest")};
  }
  for (Image image : images) {
    const auto before = all.find(image.name);
    const Image old = before == all.end() ? Image{} : before->second;
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
      if (root.find("commonLabels")->find(member.key) != nullptr) {
        return fail(Code::kConflict, "label name '{}' exists in both commonLabels and labels",
                    member.key);
      }
    }
  }
  Value entry = Value::object({});
  entry.set("includeSelectors", Value::boolean(true), arena());
  entry.set("pairs", *root.find("commonLabels"), arena());
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

Result<Image> parse_image_argument(std::string_view text) {
  const auto invalid = [] {
    return fail(Code::kUsage,
                "invalid format of image, use one of the following options:\n"
                "- <image>=<newimage>:<newtag>\n- <image>=<newimage>@<digest>\n"
                "- <image>=<newimage>\n- <image>:<newtag>\n- <image>@<digest>");
  };
  const std::size_t equals = text.find('=');
  const std::string_view key =
      equals == std::string_view::npos ? std::string_view() : text.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? text : text.substr(equals + 1);
  const ImageParts parts = split_image(value);
  if (parts.name == text) return invalid();
  Image out;
  out.new_tag = parts.tag;
  out.digest = parts.digest;
  out.name = key.empty() ? parts.name : std::string(key);
  if (!key.empty()) out.new_name = parts.name;
  return out;
}

Result<Replica> parse_replica_argument(std::string_view text) {
  const std::size_t equals = text.find('=');
  Replica out;
  const std::string_view count =
      equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  const auto parsed = std::from_chars(count.data(), count.data() + count.size(), out.count);
  if (count.empty() || parsed.ec != std::errc() || parsed.ptr != count.data() + count.size()) {
    return fail(Code::kUsage,
                "invalid format of replica, use the following format: <replica>=<count>");
  }
  out.name = text.substr(0, equals);
  return out;
}

Result<TextMap> parse_pairs(const std::vector<std::string>& texts, std::string_view what) {
  TextMap out;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    if (colon == 0) {
      return fail(Code::kUsage, "invalid {}: '{}' (need k:v pair where v may be quoted)", what,
                  text);
    }
    if (colon == std::string::npos) {
      out[text] = "";
      continue;
    }
    std::string value = text.substr(colon + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    out[text.substr(0, colon)] = value;
  }
  return out;
}

}  // namespace strake::kustomize
